import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { puzzleText, rememberPuzzles } from "../../src/gridlock/web/static/script/memory.js";
import {
  afterRating, attemptOf, dailyStreak, dateOf, loadProgress, readProgress, settled, updateProgress, withAttempt,
} from "../../src/gridlock/web/static/script/puzzle/progress.js";

const rating = { rating: 1572, deviation: 284, volatility: 0.06 };
const sound = { version: 1, rating, shown: "1572?", seen: { "duel-1": true }, days: {}, streak: 1, longest: 1, unrated: [], attempts: [], mistakes: [] };
const rated = { rating, shown: "1572?", streak: 1, text: "Your puzzle rating: 1572? (+72)." };

/** As in a browser; and what it holds can be looked at. */
const kept = new Map();
globalThis.localStorage = {
  getItem: (key) => kept.get(key) ?? null, setItem: (key, text) => kept.set(key, text), removeItem: (key) => kept.delete(key),
};
beforeEach(() => {
  kept.clear();
  rememberPuzzles(JSON.stringify({ ...sound, rating: null, shown: "", seen: {}, streak: 0, longest: 0 }));
});

test("only the first try at a puzzle counts", () => {
  updateProgress((now) => settled(now, "duel-1", false, null));
  const { seen, unrated, days } = updateProgress((now) => settled(now, "duel-1", true, null));
  assert.deepEqual([seen, unrated, days], [{ "duel-1": false }, [{ id: "duel-1", solved: false }], {}]);
});

test("only the first try of a day counts, also of a puzzle that was tried before", () => {
  updateProgress((now) => settled(now, "duel-1", true, null));
  updateProgress((now) => settled(now, "duel-1", false, "2026-11-18"));
  const { days, unrated } = updateProgress((now) => settled(now, "duel-1", true, "2026-11-18"));
  assert.deepEqual(days, { "2026-11-18": false });
  assert.equal(unrated.length, 1);
});

test("days in a row are counted until today or yesterday", () => {
  const days = { "2026-02-27": true, "2026-02-28": true, "2026-03-01": true };
  assert.equal(dailyStreak({ days }, "2026-03-01"), 3);
  assert.equal(dailyStreak({ days }, "2026-03-02"), 3);
  assert.equal(dailyStreak({ days }, "2026-03-03"), 0);
  assert.equal(dailyStreak({ days: { ...days, "2026-03-02": false } }, "2026-03-02"), 0);
  assert.equal(dailyStreak({ days }, "2026-02-28"), 2, "a clock that was set back");
  assert.equal(dailyStreak({ days: {} }, "2026-03-01"), 0);
});

test("a date is that of the visitor's own clock", () => {
  assert.equal(dateOf(new Date(2026, 0, 5, 0, 1)), "2026-01-05");
  assert.equal(dateOf(new Date(2026, 10, 18, 23, 59)), "2026-11-18");
});

test("a rating is kept with the result that it belongs to", () => {
  const before = updateProgress((now) => settled(now, "duel-1", true, null));
  const after = afterRating(before, before.unrated[0], null, rated);
  assert.deepEqual([after.rating, after.shown, after.streak, after.longest, after.unrated], [rating, "1572?", 1, 1, []]);
  assert.deepEqual(afterRating(after, before.unrated[0], null, rated), after, "not twice, where two tabs asked");
});

test("a result that another tab has rated differently is rated again", () => {
  const before = updateProgress((now) => settled({ ...now, rating }, "duel-2", true, null));
  assert.deepEqual(afterRating(before, before.unrated[0], null, rated), before);
});

test("a puzzle that is no more is rated by nobody", () => {
  const before = updateProgress((now) => settled({ ...now, rating }, "gone-1", true, null));
  const { unrated, rating: after } = afterRating(before, before.unrated[0], rating, null);
  assert.deepEqual([unrated, after], [[], rating]);
});

test("wrong tries in another tab are not forgotten", () => {
  const mine = { key: "duel-1", found: ["1,4"], mistakes: 0, isGivenUp: false };
  updateProgress((now) => withAttempt(now, { ...mine, found: [], mistakes: 2 }));
  const after = updateProgress((now) => withAttempt(now, mine));
  assert.deepEqual(attemptOf(after, "duel-1"), { ...mine, mistakes: 2 });
  assert.deepEqual(attemptOf(after, "duel-2"), { key: "duel-2", found: [], mistakes: 0, isGivenUp: false });
});

test("attempts of long ago are forgotten", () => {
  for (let number = 0; number < 60; number += 1) {
    updateProgress((now) => withAttempt(now, { key: `duel-${number}`, found: [], mistakes: 1, isGivenUp: false }));
  }
  assert.equal(loadProgress().attempts.length, 50);
  assert.equal(attemptOf(loadProgress(), "duel-59").mistakes, 1);
});

test("what is kept is read again", () => {
  rememberPuzzles(JSON.stringify(sound));
  assert.deepEqual({ version: 1, ...loadProgress() }, sound);
});

test("what was kept before there were mistakes is read", () => {
  const { mistakes, ...before } = sound;
  rememberPuzzles(JSON.stringify(before));
  assert.deepEqual(loadProgress().mistakes, mistakes);
  assert.deepEqual(loadProgress().seen, sound.seen);
});

for (const [what, wrong] of Object.entries({
  "another version": { version: 2 },
  "a rating that is none": { rating: { ...rating, rating: "1572" } },
  "a rating that is too high": { rating: { ...rating, rating: 4001 } },
  "a rating without a deviation": { rating: { rating: 1572, volatility: 0.06 } },
  "a list of puzzles": { seen: ["duel-1"] },
  "no days": { days: null },
  "a day that is none": { days: { yesterday: true } },
  "half a streak": { streak: 1.5 },
  "results of nothing": { unrated: [{}] },
  "attempts at nothing": { attempts: [{ key: "duel-1" }] },
  "mistakes that are none": { mistakes: [{ game: "duel" }] },
  "a mistake that comes back on no day": { mistakes: [{ game: "duel", position: "... 1 -", winning: "1,2", due: "soon", solved: 0 }] },
})) {
  test(`damaged contents are put aside and never written over: ${what}`, () => {
    const text = JSON.stringify({ ...sound, ...wrong });
    rememberPuzzles(text);
    assert.equal(readProgress(text), null);
    assert.deepEqual(loadProgress().seen, {});
    assert.equal(puzzleText(), text, "reading changes nothing");
    updateProgress((now) => settled(now, "duel-2", true, null));
    assert.deepEqual(loadProgress().seen, { "duel-2": true });
    const aside = [...kept].filter(([key]) => key.startsWith("gridlock.puzzles.damaged-"));
    assert.deepEqual(aside.map(([, put]) => put), [text]);
  });
}

test("what is no JSON is damaged too", () => {
  for (const text of ["", "{", "null", "[]", "7"]) assert.equal(readProgress(text), null);
  assert.equal(readProgress(null), null);
});
