import assert from "node:assert/strict";
import { test } from "node:test";
import {
  branchOf, choose, goTo, goToMain, lineOf, moverOf, orderOf, played, turnsFrom,
} from "../../src/gridlock/web/static/script/study/line.js";

const ONE = orderOf({ actions_per_turn: 1 }, { first: 1 });
const TWO = orderOf({ actions_per_turn: 2 }, { first: 1 });

test("a game grows by what is chosen at its end", () => {
  const line = choose(lineOf(["a"], { grows: true }), "b");
  assert.deepEqual(line.main, ["a", "b"]);
  assert.equal(line.cursor, 2);
  assert.equal(branchOf(line), null);
});

test("a game of a room does not grow: what is chosen at its end is a side line", () => {
  const line = choose(lineOf(["a"], { grows: false }), "b", "c");
  assert.deepEqual(line.main, ["a"]);
  assert.deepEqual(line.path, ["a", "b", "c"]);
  assert.equal(branchOf(line), 1);
});

test("choosing what comes anyway steps on", () => {
  const line = choose(goTo(lineOf(["a", "b"], { grows: true }), 0), "a");
  assert.deepEqual(line.path, ["a", "b"]);
  assert.equal(line.cursor, 1);
});

test("choosing something else begins a side line, and the way back leads to the game", () => {
  const line = choose(goTo(lineOf(["a", "b"], { grows: true }), 1), "x");
  assert.deepEqual(line.path, ["a", "x"]);
  assert.equal(branchOf(line), 1);
  assert.equal(branchOf(choose(goTo(line, 1), "b")), null);
  assert.deepEqual(goToMain(line, 1).path, ["a", "b"]);
});

test("nobody steps beyond either end", () => {
  const line = lineOf(["a", "b"], { grows: true });
  assert.equal(goTo(line, -1).cursor, 0);
  assert.equal(goTo(line, 9).cursor, 2);
  assert.equal(goToMain(line, 9).cursor, 2);
  assert.deepEqual(played(goTo(line, 1)), ["a"]);
});

test("players alternate by turns", () => {
  assert.deepEqual([0, 1, 2].map((index) => moverOf(ONE, index)), [1, 2, 1]);
  assert.deepEqual([0, 1, 2, 3, 4].map((index) => moverOf(TWO, index)), [1, 1, 2, 2, 1]);
  assert.equal(moverOf(orderOf({ actions_per_turn: 3 }, { first: 2 }), 3), 1);
});

test("a turn that was begun before the first move has only its rest left", () => {
  const order = orderOf({ actions_per_turn: 2 }, { first: 2, begun: 1 });
  assert.deepEqual([0, 1, 2, 3].map((index) => moverOf(order, index)), [2, 1, 1, 2]);
  assert.deepEqual(turnsFrom(order, ["a", "b", "c"]).map(({ cells }) => cells), [["a"], ["b", "c"]]);
});

test("turns from the middle of one keep its number and player", () => {
  assert.deepEqual(turnsFrom(TWO, ["a", "b", "c", "d"], 1), [
    { number: 1, player: 1, cells: ["b"], from: 1 },
    { number: 2, player: 2, cells: ["c", "d"], from: 2 },
  ]);
  assert.deepEqual(turnsFrom(TWO, ["a", "b"], 2), []);
});
