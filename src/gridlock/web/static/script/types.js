/**
 * The shapes that travel between page and server, all of them and nothing else: a test compares them
 * with what the server says of itself. Nothing here runs.
 *
 * @typedef {1 | 2} Player
 * @typedef {"win" | "loss" | "unknown"} Value
 * @typedef {"mark" | "step" | "block" | "choose"} Effect What choosing a cell does: the mover marks it, steps there,
 *   blocks it, or says only what the next action is about.
 * @typedef {"computer" | "friend" | "self"} Opponent
 * @typedef {"wins" | "cells"} Score
 * @typedef {"alternate" | "same" | "toss"} Starter
 * @typedef {"play" | "resign" | "undo" | "rematch" | "agree" | "decline" | "next" | "abort" | "claim"} Command
 *
 * @typedef {object} Board What there is to draw.
 * @property {string} position The position text.
 * @property {number} rows
 * @property {number} columns
 * @property {string} cells One of `.`, `1`, `2`, `#` for each cell, in reading order.
 * @property {Player} mover
 * @property {string} phase The name of what the mover's next action is.
 * @property {string} task What the mover has to do, in words.
 * @property {Effect} effect
 * @property {string[]} legal Cells that the mover may choose.
 * @property {string[]} closed Free cells that are closed to the mover for good.
 * @property {string} closed_to For each cell, to whom it is closed for good: `1`, `2`, `*` to both, `.` to nobody.
 * @property {[string | null, string | null]} goals The cell that each player must reach, if there is one.
 * @property {Player | null} winner
 *
 * @typedef {object} Phase One of the actions of a turn.
 * @property {string} name
 * @property {string} noun What it is called.
 * @property {string} task What its player has to do.
 * @property {Effect} effect
 *
 * @typedef {object} Rulebook
 * @property {string} id
 * @property {string} title
 * @property {string} about
 * @property {string} size
 * @property {number} counting The number of the first row and column.
 * @property {[string, string]} symbols
 * @property {number} least_cells
 * @property {number} actions_per_turn
 * @property {Phase[]} phases The actions of a turn, in their order.
 * @property {"nothing" | "phase" | "own-cell" | "other-cell" | "other"} detail What the last field of a position text
 *   tells: nothing, the name of the phase, a cell of the mover's or of the other player's, or something else.
 * @property {boolean} has_tokens Whether each player has one token that moves, instead of marks that stay.
 * @property {Score[]} scores What can be counted in a series.
 * @property {string} rules
 * @property {Board} sample
 * @property {boolean} has_lesson Whether there is a guided first game.
 *
 * @typedef {object} LessonStep A step of a lesson.
 * @property {Board} board
 * @property {string[]} last The cells of the last turn.
 * @property {string} text What there is to know.
 * @property {string} task What to do; empty where the step is only read.
 * @property {string | null} cell The cell that is asked for.
 * @property {string[]} refusals Why each cell is not the one, in reading order; none where no cell is asked for.
 *
 * @typedef {object} Lesson A guided first game.
 * @property {Rules} rulebook
 * @property {string} size
 * @property {LessonStep[]} steps
 *
 * @typedef {object} Seat
 * @property {"person" | "computer"} kind
 * @property {string} name
 * @property {number | null} level
 * @property {boolean} taken
 *
 * @typedef {object} Clock
 * @property {[number, number]} left Milliseconds that each player has.
 * @property {Player | null} running
 * @property {number} at Server time at which `left` held.
 *
 * @typedef {object} Offer
 * @property {"undo" | "rematch"} what
 * @property {Player} player
 *
 * @typedef {object} View What changes with each event of a room.
 * @property {number} version
 * @property {number} number
 * @property {string} place Which game of a series it is, in words.
 * @property {number} ply
 * @property {"waiting" | "playing" | "over"} status
 * @property {Board} board
 * @property {string[]} last
 * @property {Player | null} winner
 * @property {string | null} termination
 * @property {string | null} ending
 * @property {[number, number]} tally
 * @property {boolean} finished
 * @property {string} series How the series has ended, in words.
 * @property {Player[]} undo Whose last turn can be taken back.
 * @property {Clock | null} clock
 * @property {number} now
 * @property {number | null} changed_at Server time at which the board last changed, or the game ended.
 * @property {number | null} abort_at Server time from which the one who waits may abort the game.
 * @property {number | null} claim_at Server time from which the one who waits may claim it.
 * @property {Offer | null} offer
 * @property {string | null} rematch
 *
 * @typedef {object} PlayedGame
 * @property {Player} first
 * @property {string[]} moves
 * @property {Player} winner
 * @property {string | null} termination
 *
 * @typedef {object} Rules What a room tells of its rulebook.
 * @property {string} id
 * @property {string} title
 * @property {[string, string]} symbols
 * @property {number} counting
 * @property {number} actions_per_turn
 * @property {Phase[]} phases
 * @property {boolean} has_tokens
 *
 * @typedef {object} ClockTerms
 * @property {number} base Seconds.
 * @property {number} [increment] Seconds.
 *
 * @typedef {object} SeriesTerms
 * @property {number | null} rounds
 * @property {number | null} target
 * @property {Score} score
 * @property {Starter} starter
 *
 * @typedef {object} ToldState A room.
 * @property {string} room
 * @property {Rules} rulebook
 * @property {string} size
 * @property {[Seat, Seat]} seats
 * @property {Player[] | null} you The seats that whoever asked holds; null in what everybody is told.
 * @property {Opponent} opponent
 * @property {ClockTerms | null} clock
 * @property {SeriesTerms | null} terms
 * @property {string | null} setup The position in which every game begins, if that is not the start of the game.
 * @property {Player} first
 * @property {string[]} moves
 * @property {Player[]} movers
 * @property {PlayedGame[]} games
 * @property {View} view
 *
 * @typedef {object} GameEvent
 * @property {number} version
 * @property {number} at Server time.
 * @property {"joined" | "played" | "undone" | "resigned" | "flagged" | "offered" | "declined" | "begun" | "rematched"
 *   | "aborted" | "claimed" | "away" | "back"} type
 * @property {Player | null} [player]
 * @property {string | null} [cell]
 * @property {string | null} [id]
 * @property {Player | null} [by]
 * @property {number | null} [ply] That of the act, where the game was at another.
 * @property {"undo" | "rematch" | null} [what]
 * @property {string | null} [name]
 * @property {string | null} [room]
 * @property {Player | null} [first]
 * @property {string | null} [holder] Nobody is told.
 *
 * @typedef {object} Act
 * @property {string} id
 * @property {number} ply
 * @property {number | null} [number] Which game of the room is meant.
 * @property {Command} do
 * @property {string | null} [cell]
 *
 * @typedef {object} NewRoom
 * @property {string} game
 * @property {string | null} [size]
 * @property {Opponent} [opponent]
 * @property {number} [level]
 * @property {string} [name]
 * @property {1 | 2 | "1" | "2" | "toss"} [first]
 * @property {ClockTerms | null} [clock]
 * @property {number | null} [rounds]
 * @property {number | null} [target]
 * @property {Score} [score]
 * @property {Starter} [starter]
 * @property {string | null} [position] Where the games begin, if that is not the start of the game.
 * @property {string | null} [moves] Those that lead there, from the position or from the start.
 * @property {1 | 2 | "1" | "2" | "toss"} [seat] Which player the maker is, of a game that begins there.
 *
 * @typedef {object} MadeRoom
 * @property {string} token
 * @property {string | null} invite
 * @property {ToldState} state
 *
 * @typedef {object} Joining
 * @property {string} invite
 * @property {string} [name]
 * @property {string | null} [token] The guest's own: it may be sent again where the answer was lost.
 *
 * @typedef {object} Joined
 * @property {string} token
 * @property {ToldState} state
 *
 * @typedef {object} Hint
 * @property {string} cell
 * @property {string} text
 * @property {number | null} estimate An estimate of how likely it wins, from 0 to 1, where that is not known.
 *
 * @typedef {object} LevelResult A game against the computer that was played to its end.
 * @property {number} level
 * @property {boolean} won
 *
 * @typedef {object} LevelQuestion
 * @property {LevelResult[][]} games The latest results of each of several games, the last one first.
 *
 * @typedef {object} FittingLevel
 * @property {number} level
 * @property {string} text Why another level fits than was played last; empty where none does.
 *
 * @typedef {object} ProblemReport
 * @property {number} status
 * @property {string} title
 * @property {string} detail
 * @property {string} code
 * @property {ToldState | null} [state]
 * @property {string} [request]
 *
 * @typedef {object} ValuedAction
 * @property {string} cell
 * @property {Value} value
 * @property {number | null} distance
 * @property {number | null} estimate An estimate of how likely the mover wins by it, from 0 to 1, where the value is unknown.
 * @property {string} label `W5`, `L6`, `~63` for an estimate in per cent, or `?`.
 * @property {string[]} line
 *
 * @typedef {object} Analysis
 * @property {string} game
 * @property {string} size
 * @property {Player} first
 * @property {string[]} moves
 * @property {number} begun How many actions of the first turn were made before the first of the moves.
 * @property {string} position
 * @property {Board} board
 * @property {Player} mover
 * @property {string} phase
 * @property {Player | null} winner
 * @property {Value} value
 * @property {number | null} distance
 * @property {number | null} estimate An estimate of how likely the mover wins, where the value is unknown.
 * @property {string | null} limit Why not everything is known.
 * @property {boolean} complete Whether this is all that will be known.
 * @property {string} sentence
 * @property {string} unsolved What is not known though who wins is.
 * @property {ValuedAction[]} actions Best first.
 *
 * @typedef {object} ReviewedAction
 * @property {number} number
 * @property {number} turn The number of the turn that it belongs to.
 * @property {Player} player
 * @property {string} cell
 * @property {Value} before
 * @property {Value} after
 * @property {number | null} estimate_before An estimate of how likely its player wins, where `before` is unknown.
 * @property {number | null} estimate_after That after it.
 * @property {boolean} mistake
 * @property {boolean} doubtful Whether it was probably a mistake, by estimates.
 * @property {string[]} better
 * @property {string[] | null} punishment
 * @property {string | null} fault What a mistake was, or probably was.
 * @property {string | null} text That, and what would have been right.
 * @property {string | null} position Where a mistake was made for which something better is known: a puzzle.
 *
 * @typedef {object} Review
 * @property {string} game
 * @property {string} size
 * @property {Player} first
 * @property {[string, string]} players
 * @property {Player | null} result
 * @property {string | null} limit Why not every value is known.
 * @property {boolean} complete Whether this is all that will be known.
 * @property {ReviewedAction[]} actions
 * @property {[string, string]} summary How each player did, once it is complete.
 *
 * @typedef {object} PuzzleTheme
 * @property {string} id
 * @property {string} text What it is about, in words.
 *
 * @typedef {object} GamePuzzles
 * @property {string} game
 * @property {number} count
 * @property {string[]} themes
 *
 * @typedef {object} PuzzleCollection
 * @property {GamePuzzles[]} games
 * @property {PuzzleTheme[]} themes
 * @property {number[]} pauses The days until a mistake of somebody's own comes back, by how often it was solved.
 *
 * @typedef {object} Step An action of a line.
 * @property {string} cell
 * @property {Player} player
 * @property {Board} board The board after it.
 *
 * @typedef {object} Attempt How far somebody has come with a puzzle.
 * @property {string[]} found The solver's own cells.
 * @property {string[]} last The answers to the last of them.
 * @property {Board} board
 * @property {string} task What is to be found next, in words.
 * @property {boolean} solved
 *
 * @typedef {object} Puzzle
 * @property {string} id
 * @property {string} game
 * @property {string} size
 * @property {Player} solver
 * @property {number} rating
 * @property {string[]} themes
 * @property {string} title
 * @property {string} clue
 * @property {Attempt} attempt
 *
 * @typedef {object} DailyPuzzle
 * @property {string} date
 * @property {Puzzle} puzzle
 *
 * @typedef {object} PuzzleWishes
 * @property {string | null} [game]
 * @property {string | null} [theme]
 * @property {number | null} [rating]
 * @property {string[]} [seen] Those that need not come again.
 *
 * @typedef {object} Try
 * @property {string} cell
 * @property {string[]} [found]
 * @property {number} [mistakes]
 *
 * @typedef {object} Tried
 * @property {boolean} right
 * @property {string} text
 * @property {Step[]} steps The cell and the answers to it, or how a wrong one loses.
 * @property {Attempt} attempt
 *
 * @typedef {object} Solution
 * @property {string} text
 * @property {Step[]} steps
 *
 * @typedef {object} ShareText
 * @property {string} text
 *
 * @typedef {object} PuzzleRating
 * @property {number} rating
 * @property {number} deviation
 * @property {number} volatility
 *
 * @typedef {object} PuzzleResult
 * @property {boolean} solved
 * @property {PuzzleRating | null} [rating]
 * @property {number} [streak]
 *
 * @typedef {object} Rated
 * @property {PuzzleRating} rating
 * @property {string} shown The rating as people see it.
 * @property {number} streak
 * @property {string} text
 *
 * @typedef {object} Hello
 * @property {"hello"} type
 * @property {string | null} [token]
 * @property {number | null} [since] The version of the last event that was seen.
 *
 * @typedef {object} ActMessage
 * @property {"action"} type
 * @property {string} id
 * @property {number} ply
 * @property {number | null} [number]
 * @property {Command} do
 * @property {string | null} [cell]
 *
 * @typedef {object} Ping
 * @property {"ping"} type
 *
 * @typedef {object} StateMessage
 * @property {"state"} type
 * @property {ToldState} state
 * @property {GameEvent[]} [missed] The events since the version that was seen last.
 *
 * @typedef {object} EventMessage
 * @property {"event"} type
 * @property {GameEvent} event
 * @property {View} view
 * @property {Move | null} move What the list of moves grows by.
 *
 * @typedef {object} Move
 * @property {string} cell
 * @property {Player} player
 *
 * @typedef {object} RefusedMessage
 * @property {"refused"} type
 * @property {string | null} id
 * @property {string} code
 * @property {string} detail
 *
 * @typedef {object} WatchingMessage
 * @property {"watching"} type
 * @property {number} watchers
 * @property {[boolean, boolean]} here
 *
 * @typedef {object} PongMessage
 * @property {"pong"} type
 * @property {number} version
 *
 * @typedef {object} DelayMessage
 * @property {"delay"} type
 * @property {boolean} delayed
 *
 * @typedef {Hello | ActMessage | Ping} ClientMessage
 * @typedef {StateMessage | EventMessage | RefusedMessage | WatchingMessage | PongMessage | DelayMessage} ServerMessage
 */

/**
 * A room as this browser sees it: with the seats that it holds, none for a watcher.
 * @typedef {ToldState & {you: Player[]}} State
 */

export {};
