import assert from "node:assert/strict";
import { test } from "node:test";
import { RoomStore, eventsOf } from "../../src/gridlock/web/static/script/room/store.js";

const view = (changes = {}) => ({
  version: 1, number: 1, ply: 0, status: "playing", board: { mover: 1 }, winner: null, termination: null, offer: null,
  now: 0, tally: [0, 0], finished: false, ...changes,
});
const state = (changes = {}) => ({
  room: "r", you: [1], first: 1, moves: [], movers: [], games: [], seats: [{ taken: true, name: "Ann" }, { taken: true, name: "Bob" }],
  view: view(), ...changes,
});
const act = { id: "x", ply: 0, number: 1, do: "play", cell: "1,1" };

/** A store that has heard some messages. */
function after(...messages) {
  const store = new RoomStore();
  for (const message of messages) store.dispatch(message);
  return store.model;
}
const opened = { type: "state", state: state(), missed: [] };
const told = (event, changes, move = null) => (
  { type: "event", event: { version: 2, ...event }, view: view({ version: 2, ...changes }), move }
);
const played = told({ type: "played", player: 1, cell: "1,1", id: "x" }, { ply: 1 }, { cell: "1,1", player: 1 });

test("an event before the first state is passed over", () => {
  assert.equal(after(played).state, null);
});

test("what was played stands in the list of moves", () => {
  const { state: now } = after(opened, played);
  assert.deepEqual([now.moves, now.movers, now.view.ply], [["1,1"], [1], 1]);
});

test("an event brings what it changes", () => {
  const { state: now } = after(opened, told({ type: "resigned", player: 2 }, { status: "over", winner: 1 }));
  assert.deepEqual([now.view.status, now.view.winner, now.moves], ["over", 1, []]);
});

test("what everybody is told leaves the seats as they are", () => {
  assert.deepEqual(after(opened, { type: "state", state: state({ you: null }), missed: [] }).state.you, [1]);
  assert.deepEqual(after({ type: "state", state: state({ you: null }) }).state.you, []);
});

test("what was done here waits for its answer", () => {
  assert.equal(after(opened, { type: "sent", act }).pending, act);
  assert.equal(after(opened, { type: "sent", act }, { type: "slow" }).isSlow, true);
  for (const answer of [played, { type: "refused", id: "x", code: "taken", detail: "1,1 is taken" }]) {
    const { pending, isSlow } = after(opened, { type: "sent", act }, { type: "slow" }, answer);
    assert.deepEqual([pending, isSlow], [null, false]);
  }
  const other = told({ type: "offered", player: 2, what: "undo" }, { offer: { player: 2, what: "undo" } });
  assert.equal(after(opened, { type: "sent", act }, other).pending, act);
});

test("a refusal is said until something happens", () => {
  const refused = { type: "refused", id: "x", code: "taken", detail: "1,1 is taken" };
  assert.deepEqual(after(opened, refused).notice, { text: "1,1 is taken.", isRefusal: true });
  assert.equal(after(opened, refused, played).notice, null);
});

test("a hint is gone after the next move", () => {
  const hinted = { type: "hinted", cell: "2,2", text: "2,2 wins" };
  assert.equal(after(opened, hinted).hint, "2,2");
  assert.equal(after(opened, hinted).notice.text, "Hint: 2,2 wins.");
  assert.equal(after(opened, hinted, { type: "sent", act }).hint, "2,2");
  assert.equal(after(opened, hinted, played).hint, null);
});

test("only the notice that was meant fades", () => {
  const store = new RoomStore();
  store.dispatch({ type: "said", text: "one" });
  const { notice } = store.model;
  store.dispatch({ type: "said", text: "two" });
  store.dispatch({ type: "faded", notice });
  assert.equal(store.model.notice.text, "two");
});

test("whoever asked is told that the other one refused", () => {
  const asked = told({ type: "offered", player: 1, what: "undo" }, { offer: { player: 1, what: "undo" } });
  const refused = told({ type: "declined", player: 2 }, { version: 3 });
  assert.equal(after(opened, asked, refused).notice.text, "Bob refused: no turn is taken back.");
});

test("a server is late only while the connection is open", () => {
  const late = { type: "delay", delayed: true };
  assert.equal(after({ type: "link", link: "open" }, late).isDelayed, true);
  assert.equal(after({ type: "link", link: "open" }, late, { type: "link", link: "lost" }).isDelayed, false);
});

test("a state tells the events that were missed, other messages none", () => {
  assert.deepEqual(eventsOf({ ...opened, missed: [played.event] }), [played.event]);
  assert.deepEqual(eventsOf(played), [played.event]);
  assert.deepEqual(eventsOf({ type: "pong", version: 1 }), []);
});
