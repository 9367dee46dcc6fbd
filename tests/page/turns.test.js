import assert from "node:assert/strict";
import { test } from "node:test";
import { turnText, turnsOf } from "../../src/gridlock/web/static/script/turns.js";

test("what one player chose in a row is a turn", () => {
  assert.deepEqual(turnsOf(["a", "b", "c"], [2, 2, 1]), [
    { number: 1, player: 2, cells: ["a", "b"], from: 0 },
    { number: 2, player: 1, cells: ["c"], from: 2 },
  ]);
  assert.deepEqual(turnsOf([], []), []);
});

test("a turn is one word", () => {
  assert.equal(turnText({ cells: ["0,1", "1,0"] }), "0,1/1,0");
});
