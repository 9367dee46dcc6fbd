import assert from "node:assert/strict";
import { test } from "node:test";
import { dayAfter, daysUntil } from "../../src/gridlock/web/static/script/puzzle/day.js";
import {
  afterTry, dueMistakes, isLearnt, joinMistakes, mistakesOf,
} from "../../src/gridlock/web/static/script/puzzle/mistakes.js";

const TODAY = "2026-11-18";
const PAUSES = [1, 3, 7];
const mistake = (changes) => ({ game: "duel", position: "... 1 -", winning: "1,2", due: TODAY, solved: 0, ...changes });

test("days are counted over the ends of months and years", () => {
  assert.equal(dayAfter("2026-12-31", 1), "2027-01-01");
  assert.equal(dayAfter("2026-03-01", -1), "2026-02-28");
  assert.equal(daysUntil("2026-12-01", TODAY), 13);
  assert.equal(daysUntil(TODAY, "2026-11-20"), -2);
});

test("the mistakes of a review are those of one's own for which something better is known", () => {
  const actions = [
    { player: 1, position: "... 1 -", better: ["1,2", "1,3"] },
    { player: 2, position: ".1. 2 -", better: ["1,1"] },
    { player: 1, position: null, better: [] },
  ];
  const found = mistakesOf({ game: "duel", actions }, [1], TODAY);
  assert.deepEqual(found, [mistake({ winning: "1,2 1,3" })]);
  assert.equal(mistakesOf({ game: "duel", actions }, [1, 2], TODAY).length, 2);
  assert.deepEqual(mistakesOf({ game: "duel", actions }, [], TODAY), []);
});

test("a mistake is kept once, as it is already", () => {
  const kept = mistake({ solved: 2, due: "2026-11-21" });
  const other = mistake({ game: "claim" });
  assert.deepEqual(joinMistakes([kept], [mistake(), other, other]), [kept, other]);
});

test("a mistake that is solved comes back after one day and after three, and then no more", () => {
  let now = mistake();
  const days = [];
  for (let day = TODAY; !isLearnt(now, PAUSES); day = now.due) {
    now = afterTry(now, day, true, PAUSES);
    days.push(daysUntil(now.due, day));
  }
  assert.deepEqual(days, PAUSES);
  assert.deepEqual(dueMistakes([now], now.due, PAUSES), []);
});

test("a wrong try begins anew", () => {
  const after = afterTry(mistake({ solved: 2 }), TODAY, false, PAUSES);
  assert.deepEqual([after.solved, after.due], [0, "2026-11-19"]);
});

test("those that have waited longest come first, and none before its day", () => {
  const [long, short, later, learnt] = [
    mistake({ due: "2026-11-01" }), mistake({ due: TODAY }), mistake({ due: "2026-11-19" }), mistake({ solved: 3 }),
  ];
  assert.deepEqual(dueMistakes([later, short, learnt, long], TODAY, PAUSES), [long, short]);
});

test("a day that a wrong clock set too far ahead is no reason to wait", () => {
  const lost = mistake({ due: "2027-11-18" });
  assert.deepEqual(dueMistakes([lost], TODAY, PAUSES), [lost]);
});
