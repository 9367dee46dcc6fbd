import assert from "node:assert/strict";
import { afterEach, test } from "node:test";
import { fitLevels, sharesOf, standingsOf } from "../../src/gridlock/web/static/script/results.js";

const room = (at, level, won, changes = {}) => ({ room: `r${at}`, game: "duel", size: "5x5", against: "", at, level, won, ...changes });
const W = (level, at) => ({ at, level, won: true });
const L = (level, at) => ({ at, level, won: false });

/** What the server was asked, which answers with a level for each game. */
const asked = [];
globalThis.fetch = async (_, { body }) => {
  asked.push(JSON.parse(body));
  return { ok: true, json: async () => asked.at(-1).games.map((played) => ({ level: played.length + 1, text: "" })) };
};
afterEach(() => asked.splice(0));

test("results stand by game and size, the oldest first, the game played last first", () => {
  const rooms = [
    room(1, 3, [true, false]), room(4, 4, [true], { game: "claim" }), room(3, 4, [false]),
    room(2, 3, [true], { size: "3x3" }), room(5, undefined, undefined), room(6, 3, []),
  ];
  assert.deepEqual(standingsOf(rooms), [
    { game: "claim", size: "5x5", results: [W(4, 4)] },
    { game: "duel", size: "5x5", results: [W(3, 1), L(3, 1), L(4, 3)] },
    { game: "duel", size: "3x3", results: [W(3, 2)] },
  ]);
});

test("games won are counted by level, the highest first", () => {
  const results = [W(3, 1), L(3, 2), W(4, 3)];
  assert.deepEqual(sharesOf({ game: "duel", size: "5x5", results }), [{ level: 4, won: 1, games: 1 }, { level: 3, won: 1, games: 2 }]);
});

test("the server says which level fits, by the latest results, the last one first", async () => {
  const fitting = await fitLevels([
    { game: "duel", size: "5x5", results: [W(3, 1), L(4, 2)] }, { game: "claim", size: "5x5", results: [L(2, 3)] },
  ]);
  assert.deepEqual(asked, [{ games: [[], [{ level: 4, won: false }, { level: 3, won: true }], [{ level: 2, won: false }]] }]);
  assert.equal(fitting("duel", "5x5").level, 3);
  assert.equal(fitting("claim", "5x5").level, 2);
  assert.equal(fitting("claim", "6x6").level, 1, "as for a newcomer");
});

test("no more is told than the server takes", async () => {
  const results = Array.from({ length: 40 }, (_, at) => (at < 20 ? W(3, at) : L(3, at)));
  await fitLevels(Array.from({ length: 60 }, (_, place) => ({ game: "duel", size: `${place}x1`, results })));
  const [{ games }] = asked;
  assert.equal(games.length, 50);
  assert.deepEqual([games[1].length, games[1][0].won, games[1].at(-1).won], [30, false, true]);
});
