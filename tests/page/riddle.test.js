import assert from "node:assert/strict";
import { test } from "node:test";
import { choose, goTo, lineOf } from "../../src/gridlock/web/static/script/study/line.js";
import { firstMistake, presentMistake, riddleOf } from "../../src/gridlock/web/static/script/study/riddle.js";

const action = (number, player, mistake, better = ["z"]) => ({ number, player, mistake, better });
const review = { actions: [action(1, 1, false), action(2, 2, true), action(3, 1, true), action(4, 2, true, [])] };
const line = lineOf(["a", "b", "c", "d"], { cursor: 0, grows: false });

test("the mistake that comes next is a riddle until it is solved", () => {
  const at = (cursor, solved = []) => riddleOf({ review, line: goTo(line, cursor), solved: new Set(solved) });
  assert.equal(at(0), null);
  assert.equal(at(1)?.number, 2);
  assert.equal(at(1, [2]), null);
  assert.equal(at(2, [2])?.number, 3);
  assert.equal(at(3), null); // nothing better is known
  assert.equal(at(4), null);
});

test("a side line and a game without a review have no riddles", () => {
  const solved = new Set();
  assert.equal(riddleOf({ review, line: choose(goTo(line, 1), "x"), solved }), null);
  assert.equal(riddleOf({ review: null, line, solved }), null);
});

test("a review begins at one's own first mistake, or else at the first", () => {
  assert.equal(firstMistake(review, [1])?.number, 3);
  assert.equal(firstMistake(review, [2])?.number, 2);
  assert.equal(firstMistake(review, [])?.number, 2);
  assert.equal(firstMistake({ actions: review.actions.slice(0, 2) }, [1])?.number, 2);
  assert.equal(firstMistake({ actions: [] }, [1]), undefined);
});

test("what was only probably a mistake is looked at, but is no riddle", () => {
  const doubt = { ...action(2, 2, false), doubtful: true };
  const study = (cursor) => ({ review: { actions: [action(1, 1, false), doubt] }, line: goTo(line, cursor), solved: new Set() });
  assert.deepEqual([0, 1, 2].map((cursor) => presentMistake(study(cursor))), [null, doubt, doubt]);
  assert.deepEqual([0, 1, 2].map((cursor) => riddleOf(study(cursor))), [null, null, null]);
});

test("a review begins at what was probably a mistake only where there is no other", () => {
  const doubt = { ...action(1, 1, false), doubtful: true };
  assert.equal(firstMistake({ actions: [doubt, action(2, 2, true)] }, [1])?.number, 2);
  assert.equal(firstMistake({ actions: [doubt] }, [2])?.number, 1);
});
