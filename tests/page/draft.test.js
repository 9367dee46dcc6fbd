import assert from "node:assert/strict";
import { test } from "node:test";
import {
  boardOf, detailsOf, draftOf, paint, sizeOf, textOf, withMover,
} from "../../src/gridlock/web/static/script/study/draft.js";

const RULEBOOK = {
  counting: 1, has_tokens: false, detail: "nothing",
  phases: [{ name: "place", noun: "move", task: "take a cell", effect: "mark" }],
};

/** A draft on one row, of a rulebook that differs in some ways. */
function draft(cells, changes = {}, { mover = 1, detail = "-" } = {}) {
  const board = { position: `${cells} ${mover} ${detail}`, rows: 1, columns: cells.length, cells, mover, goals: [null, null] };
  return draftOf({ ...RULEBOOK, ...changes }, board);
}

test("a draft is written as it was read", () => {
  const board = { position: "1./.2 2 move", rows: 2, columns: 2, cells: "1..2", mover: 2, goals: ["2,2", "1,1"] };
  const read = draftOf(RULEBOOK, board);
  assert.equal(textOf(read), "1./.2 2 move");
  assert.equal(sizeOf(read), "2x2");
  assert.deepEqual(boardOf(read).goals, ["2,2", "1,1"]);
});

test("a mark is put on a cell, and taken away again", () => {
  const once = paint(draft("1.."), "1,3", "1");
  assert.equal(once.cells, "1.1");
  assert.equal(paint(once, "1,3", "1").cells, "1..");
  assert.equal(paint(once, "1,3", "2").cells, "1.2");
  assert.equal(paint(once, "1,1", ".").cells, "..1");
});

test("a token is moved, blocks are not", () => {
  const tokens = draft("1.2", { has_tokens: true });
  assert.equal(paint(tokens, "1,2", "1").cells, ".12");
  assert.equal(paint(tokens, "1,1", "1").cells, "..2");
  assert.equal(paint(tokens, "1,3", "1").cells, "..1");
  const blocked = paint(paint(tokens, "1,2", "#"), "1,1", "#");
  assert.equal(blocked.cells, "##2");
});

test("where the last field tells nothing there is nothing to choose", () => {
  assert.deepEqual(detailsOf(draft("12.")), []);
});

test("where it tells the phase every phase can be chosen, and cells do not change it", () => {
  const phases = [{ ...RULEBOOK.phases[0], name: "first", noun: "half" }, { ...RULEBOOK.phases[0], name: "second", noun: "rest" }];
  const begun = draft("...", { detail: "phase", phases }, { detail: "second" });
  assert.deepEqual(detailsOf(begun), [{ value: "first", text: "Half" }, { value: "second", text: "Rest" }]);
  assert.equal(withMover(paint(begun, "1,1", "1"), 2).detail, "second");
});

test("where it tells something else it can only be written, and cells do not change it", () => {
  const begun = draft("1..", { detail: "other" }, { detail: "to@1,1" });
  assert.deepEqual(detailsOf(begun), []);
  assert.equal(textOf(paint(begun, "1,2", "2")), "12. 1 to@1,1");
});

test("where it tells a cell those of the right player can be chosen", () => {
  const values = (detail, mover) => detailsOf(draft("1221", { detail }, { mover })).map(({ value }) => value);
  assert.deepEqual(values("own-cell", 1), ["-", "1,1", "1,4"]);
  assert.deepEqual(values("other-cell", 1), ["-", "1,2", "1,3"]);
  assert.deepEqual(values("own-cell", 2), ["-", "1,2", "1,3"]);
});

test("a cell that is no longer the right player's is not told", () => {
  for (const [detail, mover] of [["own-cell", 1], ["other-cell", 2]]) {
    const told = draft("1.", { detail }, { mover, detail: "1,1" });
    assert.equal(paint(told, "1,2", "2").detail, "1,1");
    assert.equal(paint(told, "1,1", "2").detail, "-");
    assert.equal(withMover(told, 3 - mover).detail, "-");
  }
});
