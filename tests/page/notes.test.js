import assert from "node:assert/strict";
import { test } from "node:test";
import { notesOf, progressOf } from "../../src/gridlock/web/static/script/study/notes.js";

const action = (cell, value, distance) => ({ cell, value, distance, label: cell, line: [] });

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
  assert.equal(progressOf({ actions: some, complete: true, unsolved: "" }), "1 of 3 cells are unknown.");
  assert.equal(progressOf({ actions: some, complete: true, unsolved: "Why." }), "Why.");
  assert.equal(progressOf({ actions: known, complete: true, unsolved: "" }), "All 2 cells are solved.");
  assert.equal(progressOf({ actions: [], complete: true, unsolved: "" }), "");
});
