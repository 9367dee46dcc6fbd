import assert from "node:assert/strict";
import { test } from "node:test";
import { isEstimate, isJudged, joinAnalyses, joinReviews } from "../../src/gridlock/web/static/script/study/knowledge.js";

const action = (cell, value, distance = null, estimate = null) => ({ cell, value, distance, estimate, label: "", line: [] });
const guess = (cell, chance) => action(cell, "unknown", null, chance);
const analysis = (actions, more = {}) => {
  const { value, distance, estimate } = actions[0];
  return { value, distance, estimate, sentence: value, complete: false, limit: null, unsolved: "", actions, ...more };
};
const cells = ({ actions }) => actions.map(({ cell, value, estimate }) => [cell, estimate ?? value]);

test("nothing, an estimate and a fact are told apart", () => {
  const worths = [action("a", "unknown"), guess("a", 0), action("a", "loss"), action("a", "win", 3)];
  assert.deepEqual(worths.map(isJudged), [false, true, true, true]);
  assert.deepEqual(worths.map(isEstimate), [false, true, false, false]);
});

test("what is heard first, or what says more, is taken as it is", () => {
  const first = analysis([guess("a", 0.4), guess("b", 0.2)]);
  const more = analysis([action("b", "win", 3), guess("a", 0.3)]);
  assert.equal(joinAnalyses(first), first);
  assert.equal(joinAnalyses(more, first), more);
});

test("a later estimate replaces an earlier one, whether it is higher or lower", () => {
  const before = analysis([guess("a", 0.9), guess("b", 0.1)], { complete: true });
  const news = analysis([guess("b", 0.6), guess("a", 0.5)]);
  assert.equal(joinAnalyses(news, before), news);
});

test("a fact is never replaced by an estimate, though more is known of other cells", () => {
  const before = analysis([guess("a", 0.5), guess("c", 0.4), guess("d", 0.4), action("b", "loss", 4)]);
  const news = analysis([guess("b", 0.7), guess("a", 0.3), action("d", "loss"), action("c", "loss")], { limit: "time" });
  const joined = joinAnalyses(news, before);
  assert.deepEqual(cells(joined), [["a", 0.3], ["b", "loss"], ["d", "loss"], ["c", "loss"]]);
  assert.equal(joined.limit, "time");
});

test("a win that is known stays the verdict, and the best cell", () => {
  const before = analysis([action("b", "win", 5), guess("a", 0.5)]);
  const news = analysis([guess("a", 0.8), guess("b", 0.7)], { complete: true });
  const joined = joinAnalyses(news, before);
  assert.deepEqual(cells(joined), [["b", "win"], ["a", 0.8]]);
  assert.deepEqual([joined.value, joined.distance, joined.estimate, joined.sentence], ["win", 5, null, "win"]);
  assert.equal(joined.complete, true);
});

test("a distance, or an estimate, that was known does not disappear", () => {
  const before = analysis([action("a", "win", 3), guess("b", 0.2)]);
  const joined = joinAnalyses(analysis([action("a", "win"), action("b", "unknown")]), before);
  assert.deepEqual(joined.actions, before.actions);
  assert.equal(joined.distance, 3);
  const nothing = joinAnalyses(analysis([action("a", "unknown")]), analysis([guess("a", 0.6)]));
  assert.deepEqual([nothing.estimate, nothing.actions[0].estimate], [0.6, 0.6]);
});

const reviewed = (before, after, chances = [null, null], more = {}) => ({
  before, after, estimate_before: chances[0], estimate_after: chances[1], better: [], punishment: null, ...more,
});

test("a review that begins anew keeps facts, explanations and estimates, but takes later estimates", () => {
  const fact = reviewed("win", "loss", [null, null], { better: ["1,1"], punishment: [] });
  const unexplained = reviewed("win", "loss");
  const half = reviewed("unknown", "loss", [0.5, null]);
  const early = reviewed("unknown", "unknown", [0.9, 0.1], { doubtful: true });
  const late = reviewed("unknown", "unknown", [0.6, 0.5], { doubtful: false });
  const none = reviewed("unknown", "unknown");
  const known = { actions: [fact, fact, half, early, early], summary: ["", ""], complete: false };
  const news = { actions: [none, unexplained, late, late, none], summary: ["one", "two"], complete: true };
  assert.deepEqual(joinReviews(news, known), { ...news, actions: [fact, fact, half, late, early] });
  assert.deepEqual(joinReviews(news, null), news);
});
