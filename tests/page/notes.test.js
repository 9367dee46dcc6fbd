import assert from "node:assert/strict";
import { test } from "node:test";
import { estimateOf, notesOf, percentOf, progressOf } from "../../src/gridlock/web/static/script/study/notes.js";

const action = (cell, value, distance) => ({ cell, value, distance, estimate: null, label: cell, line: [] });
const guess = (cell, chance) => ({ ...action(cell, "unknown", null), estimate: chance, label: `~${100 * chance}` });

test("quick wins and long losses stand out", () => {
  const actions = [
    action("a", "win", 1), action("b", "win", 5), action("c", "loss", 2), action("d", "loss", 6), action("e", "win", null),
  ];
  const notes = notesOf({ actions, complete: true });
  const strengths = [...notes.values()].map(({ strength }) => strength);
  assert.deepEqual(strengths, [1, 0, 0, 1, 0.5]);
  assert.equal(notes.get("b").words, "wins in 5");
  assert.equal(notes.get("e").words, "wins");
});

test("while the search goes on nothing is noted where nothing is known", () => {
  const actions = [action("a", "win", 1), action("b", "unknown", null)];
  assert.deepEqual([...notesOf({ actions, complete: false }).keys()], ["a"]);
  assert.deepEqual([...notesOf({ actions, complete: true }).keys()], ["a", "b"]);
});

test("it is said how far the search has come", () => {
  const known = [action("a", "win", 1), action("b", "loss", null)];
  const some = [...known, action("c", "unknown", null)];
  assert.equal(progressOf({ actions: some, complete: false, unsolved: "" }), "Searching… 2 of 3 known");
  assert.equal(progressOf({ actions: known, complete: false, unsolved: "" }), "Searching… 1 of 2 distances known");
  assert.equal(progressOf({ actions: some, complete: true, unsolved: "" }), "2 of 3 cells are solved, the others are unknown.");
  assert.equal(progressOf({ actions: some, complete: true, unsolved: "Why." }), "Why.");
  assert.equal(progressOf({ actions: known, complete: true, unsolved: "" }), "All 2 cells are solved.");
  assert.equal(progressOf({ actions: [], complete: true, unsolved: "" }), "");
});

test("an estimate is noted apart from facts, at once, and said in words", () => {
  const actions = [action("a", "win", 1), guess("b", 0.63), guess("c", 0.25), action("d", "unknown", null)];
  const notes = notesOf({ actions, complete: false });
  assert.deepEqual([...notes.keys()], ["a", "b", "c"]);
  assert.deepEqual(notes.get("b"), {
    text: "~63", kind: "estimate", strength: 0.63, words: "estimated at about 63 per cent",
  });
  assert.equal(notes.get("c").strength, 0.25);
  assert.equal(notes.get("a").kind, "win");
});

test("a cell that is solved is no estimate, and what nobody has looked at is unknown", () => {
  const notes = notesOf({ actions: [{ ...action("a", "loss", 2), estimate: 0.4 }, action("b", "unknown", null)], complete: true });
  assert.deepEqual([...notes.values()].map(({ kind }) => kind), ["loss", "unknown"]);
});

test("it is said how much is only estimated", () => {
  const actions = [action("a", "win", 1), guess("b", 0.5), guess("c", 0.5)];
  assert.equal(progressOf({ actions, complete: false, unsolved: "" }), "Searching… 1 of 3 known, 2 estimated");
  assert.equal(progressOf({ actions, complete: true, unsolved: "" }), "1 of 3 cells is solved, the others are estimated.");
  assert.equal(progressOf({ actions: actions.slice(1), complete: true, unsolved: "" }), "No cell is solved: all are estimated.");
  assert.equal(progressOf({ actions, complete: true, unsolved: "Why." }), "Why.");
});

test("what is not proved is never 0 or 100 per cent", () => {
  assert.deepEqual([0, 0.004, 0.5, 0.634, 0.999, 1].map(percentOf), [1, 1, 50, 63, 99, 99]);
  assert.equal(estimateOf({ label: "~7" }), "estimated at about 7 per cent");
});
