import assert from "node:assert/strict";
import { test } from "node:test";
import {
  announcementOf, answerOf, bannerOf, entryOf, isMyTurn, offerOf, patienceOf, releaseOf, resignationOf, sendingOf,
  statusOf, termsOf, verdictOf, viewerOf,
} from "../../src/gridlock/web/static/script/room/sentences.js";

const ANN = { kind: "person", name: "Ann", level: null, taken: true };
const BOB = { kind: "person", name: "Bob", level: null, taken: true };
const COMPUTER = { kind: "computer", name: "computer, level 3", level: 3, taken: true };

/** A room against a friend, seen by player 1, who is to move. */
const state = ({ view = {}, mover = 1, ...changes } = {}) => ({
  room: "r", rulebook: { id: "duel", symbols: ["A", "B"] }, size: "5x5", seats: [ANN, BOB], you: [1], opponent: "friend",
  clock: null, terms: null, games: [], ...changes,
  view: {
    number: 1, place: "", status: "playing", board: { mover, task: "take a cell" }, winner: null, ending: null,
    tally: [0, 0], finished: false, series: "", offer: null, abort_at: null, claim_at: null, ...view,
  },
});
const over = (view, changes) => state({ ...changes, view: { status: "over", ending: "B cannot move: A wins!", winner: 1, ...view } });

test("everybody is told whose turn it is in their own words", () => {
  assert.equal(statusOf(state()), "Your turn: take a cell");
  assert.equal(statusOf(state({ mover: 2 })), "Bob to move");
  assert.equal(statusOf(state({ you: [] })), "Ann to move");
  assert.equal(statusOf(state({ mover: 2, seats: [ANN, COMPUTER], opponent: "computer" })), "The computer is thinking…");
  assert.equal(statusOf(state({ you: [1, 2], opponent: "self" })), "A: take a cell");
  assert.equal(statusOf(state({ view: { status: "waiting" } })), "Waiting for your friend");
  assert.equal(statusOf(state({ view: { status: "waiting" }, you: [] })), "Waiting for the second player");
  assert.equal(isMyTurn(state({ mover: 2 })), false);
});

test("everybody is told who has won in their own words", () => {
  assert.equal(verdictOf(over({})), "You win!");
  assert.equal(verdictOf(over({}, { you: [2] })), "You lose.");
  assert.equal(verdictOf(over({}, { you: [] })), "Ann wins!");
  assert.equal(verdictOf(over({}, { you: [1, 2], opponent: "self" })), "");
  assert.equal(verdictOf(over({ winner: null })), "");
});

test("the end of a series is said after that of its last game", () => {
  const last = over({ finished: true, series: "Bob wins the series, 2 to 1." });
  assert.equal(statusOf(last), "B cannot move: A wins! Bob wins the series, 2 to 1.");
  assert.equal(entryOf(last).stage, "Bob wins the series, 2 to 1.");
  assert.equal(statusOf(over({})), "B cannot move: A wins!");
});

test("what a room is about stands in one line, with the game that the server names", () => {
  const long = state({ clock: { base: 300, increment: 3 }, view: { place: "game 2 of 3" } });
  assert.equal(termsOf(long), "5 × 5, 5 min + 3 s, game 2 of 3");
  assert.equal(termsOf(state({ clock: { base: 90, increment: 0 } })), "5 × 5, 90 s");
  assert.equal(termsOf(state({ setup: "... 1 -", clock: { base: 90, increment: 0 } })), "5 × 5, from a position, 90 s");
  assert.equal(entryOf(long).stage, "Game 2 of 3, your turn");
  assert.equal(entryOf(state({ mover: 2 })).stage, "Bob to move");
  assert.equal(entryOf(state()).against, "against Bob");
  assert.equal(entryOf(state({ seats: [ANN, COMPUTER] })).against, "against the computer, level 3");
});

test("a room is listed with the time at which the server says that it last changed", () => {
  assert.equal(entryOf(state({ view: { changed_at: 7000 } })).at, 7000);
  assert.equal("at" in entryOf(state({ view: { changed_at: null } })), false);
});

test("a game that is over is listed with its result", () => {
  const played = { finished: true };
  assert.equal(entryOf(over(played)).stage, "You won");
  assert.equal(entryOf(over(played, { you: [2] })).stage, "You lost");
  assert.equal(entryOf(over(played, { you: [1, 2], opponent: "self" })).stage, "A won");
  assert.equal(entryOf(over({ ...played, winner: null, ending: "The game was aborted: nobody wins." })).stage, "The game was aborted: nobody wins.");
  assert.deepEqual([entryOf(over(played)).isOver, entryOf(over(played)).isMine], [true, false]);
  assert.deepEqual([entryOf(state()).isOver, entryOf(state()).isMine], [false, true]);
});

test("what counts against the computer is kept with its level", () => {
  const games = [{ winner: 2 }, { winner: 1 }];
  const { level, won, games: count } = entryOf(state({ seats: [COMPUTER, ANN], you: [2], games }));
  assert.deepEqual([level, won, count], [3, [true, false], 2]);
  assert.equal("won" in entryOf(state({ games })), false);
  assert.equal("won" in entryOf(state({ seats: [COMPUTER, ANN], you: [2], games, setup: "... 1 -" })), false);
});

test("a friend who has not come yet has no name", () => {
  assert.equal(entryOf(state({ seats: [ANN, { ...BOB, taken: false }] })).against, "against a friend");
});

test("an action is told by what it does to the cell", () => {
  const event = { type: "played", player: 2, cell: "1,1" };
  const told = (effect) => announcementOf(state(), event, effect);
  assert.equal(told("mark"), "B takes 1,1. Your turn: take a cell.");
  assert.equal(told("step"), "B steps to 1,1. Your turn: take a cell.");
  assert.equal(told("block"), "B blocks 1,1. Your turn: take a cell.");
});

test("an offer and its answer are told to both", () => {
  const asked = state({ view: { offer: { what: "undo", player: 1 } } });
  assert.equal(offerOf(asked), "You asked to take a turn back. Waiting for an answer.");
  assert.equal(offerOf({ ...asked, you: [2] }), "Ann asks to take a turn back.");
  assert.equal(answerOf(asked, { type: "declined", player: 2 }), "Bob refused: no turn is taken back.");
  assert.equal(answerOf(asked, { type: "played", player: 2 }), "Bob plays on: no turn is taken back.");
  assert.equal(answerOf(asked, { type: "declined", player: 1 }), "");
  assert.equal(answerOf({ ...asked, you: [2] }, { type: "declined", player: 2 }), "");
});

test("only the one who waits may stop waiting", () => {
  const waiting = { mover: 2, view: { abort_at: 10, claim_at: 20 } };
  assert.deepEqual(patienceOf(state(waiting)), { abort: 10, claim: 20 });
  assert.deepEqual(patienceOf(state({ ...waiting, mover: 1 })), { abort: Infinity, claim: Infinity });
  assert.equal(releaseOf(state(waiting), 9), "");
  assert.match(releaseOf(state(waiting), 10), /abort/);
  assert.match(releaseOf(state(waiting), 20), /claim/);
});

test("what is wrong with the connection is said, with what becomes of a move", () => {
  const pending = { do: "play", cell: "1,1" };
  assert.equal(bannerOf({ link: "open", pending: null, isDelayed: false }, true), "");
  assert.match(bannerOf({ link: "open", pending: null, isDelayed: true }, true), /slow/);
  assert.equal(bannerOf({ link: "lost", pending: null }, true), "The connection is lost. Trying again…");
  assert.equal(bannerOf({ link: "lost", pending }, false), "You are offline. Your move will be sent when the connection is back.");
  assert.equal(sendingOf({ link: "open", pending, isSlow: false }), "");
  assert.equal(sendingOf({ link: "open", pending, isSlow: true }), "Sending 1,1…");
});

test("the board is seen with one's own eyes, on one screen with the mover's", () => {
  assert.equal(viewerOf(state({ mover: 2 })), 1);
  assert.equal(viewerOf(state({ mover: 2, you: [1, 2] })), 2);
  assert.equal(resignationOf(state()), "Your opponent wins it.");
  assert.equal(resignationOf(state({ opponent: "self" })), "A gives up, and B wins it.");
});
