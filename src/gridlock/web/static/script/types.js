/**
 * The shapes that travel between page and server; nothing here runs.
 *
 * @typedef {1 | 2} Player
 * @typedef {"win" | "loss" | "unknown"} Value
 * @typedef {"mark" | "step" | "block"} Effect What choosing a cell does: the mover marks it, steps there, or blocks it.
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
 * @property {"nothing" | "phase" | "own-cell" | "other-cell"} detail What the last field of a position text tells:
 *   nothing, the name of the phase, or a cell of the mover's or of the other player's.
 * @property {boolean} has_tokens Whether each player has one token that moves, instead of marks that stay.
 * @property {string[]} scores What can be counted in a series: `wins`, `cells`.
 * @property {string} rules
 * @property {Board} sample
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
 * @typedef {object} View What changes with each event of a room.
 * @property {number} version
 * @property {number} number
 * @property {number} ply
 * @property {"waiting" | "playing" | "over"} status
 * @property {Board} board
 * @property {string[]} last
 * @property {Player | null} winner
 * @property {string | null} termination
 * @property {string | null} ending
 * @property {[number, number]} tally
 * @property {boolean} finished
 * @property {Clock | null} clock
 * @property {number} now
 * @property {number | null} abort_at Server time from which the one who waits may abort the game.
 * @property {number | null} claim_at Server time from which the one who waits may claim it.
 * @property {{what: "undo" | "rematch", player: Player} | null} offer
 * @property {string | null} rematch
 *
 * @typedef {object} PlayedGame
 * @property {Player} first
 * @property {string[]} moves
 * @property {Player} winner
 * @property {string | null} termination
 *
 * @typedef {object} State A room.
 * @property {string} room
 * @property {Pick<Rulebook, "id" | "title" | "symbols" | "counting" | "actions_per_turn" | "phases" | "has_tokens">} rulebook
 * @property {string} size
 * @property {[Seat, Seat]} seats
 * @property {Player[]} you The seats that this browser holds; none for a watcher.
 * @property {"computer" | "friend" | "self"} opponent
 * @property {{base: number, increment: number} | null} clock
 * @property {{rounds: number | null, target: number | null, score: string, starter: string} | null} terms
 * @property {Player} first
 * @property {string[]} moves
 * @property {Player[]} movers
 * @property {PlayedGame[]} games
 * @property {View} view
 *
 * @typedef {object} GameEvent
 * @property {number} version
 * @property {"joined" | "played" | "undone" | "resigned" | "flagged" | "offered" | "declined" | "begun" | "rematched"
 *   | "aborted" | "claimed" | "away" | "back"} type
 * @property {Player | null} player
 * @property {string | null} cell
 * @property {string | null} id
 * @property {string | null} what
 * @property {string | null} name
 * @property {string | null} room
 *
 * @typedef {object} Act
 * @property {string} id
 * @property {number} ply
 * @property {number} number Which game of the room is meant.
 * @property {"play" | "resign" | "undo" | "rematch" | "agree" | "next" | "decline" | "abort" | "claim"} do
 * @property {string} [cell]
 *
 * @typedef {object} ValuedAction
 * @property {string} cell
 * @property {Value} value
 * @property {number | null} distance
 * @property {string} label
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
 * @property {Player | null} winner
 * @property {Value} value
 * @property {number | null} distance
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
 * @property {boolean} mistake
 * @property {string[]} better
 * @property {string[] | null} punishment
 * @property {string | null} fault What a mistake was.
 * @property {string | null} text That, and what would have been right.
 *
 * @typedef {object} Review
 * @property {string} game
 * @property {string} size
 * @property {Player} first
 * @property {[string, string]} players
 * @property {Player} result
 * @property {string | null} limit Why not every value is known.
 * @property {boolean} complete Whether this is all that will be known.
 * @property {ReviewedAction[]} actions
 * @property {string[]} summary How each player did, once it is complete.
 */

export {};
