import assert from "node:assert/strict";
import { test } from "node:test";
import { countGames, grouped } from "../../src/gridlock/web/static/script/games/order.js";

const room = (name, changes = {}) => ({ room: name, game: "duel", size: "5x5", against: "", ...changes });
const names = (rooms) => rooms.map((one) => one.room).join(" ");

test("rooms stand by what is to be done there, the latest first", () => {
  const { mine, others, done } = grouped([
    room("a", { isMine: true, at: 1 }), room("b", { at: 2 }), room("c", { isOver: true, at: 3 }),
    room("d", { isMine: true, at: 4 }), room("e", { isGone: true, at: 5 }), room("f"),
  ]);
  assert.deepEqual([names(mine), names(others), names(done)], ["d a", "b f", "e c"]);
});

test("rooms are counted by game", () => {
  assert.deepEqual([...countGames([room("a"), room("b", { game: "claim" }), room("c")])], [["claim", 1], ["duel", 2]]);
});
