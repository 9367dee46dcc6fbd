import assert from "node:assert/strict";
import { test } from "node:test";
import { choose, goTo, lineOf, orderOf } from "../../src/gridlock/web/static/script/study/line.js";
import { addressOf, queryOf, readAddress } from "../../src/gridlock/web/static/script/study/source.js";

const RULEBOOKS = [{ id: "first", size: "5x5", actions_per_turn: 1 }, { id: "second", size: "4x4", actions_per_turn: 2 }];
const read = (text) => readAddress(new URLSearchParams(text), RULEBOOKS);

test("an address says what is studied, and what it does not say is the rulebook's", async () => {
  const { source, line } = await read("");
  assert.deepEqual(source, { game: "first", size: "5x5", first: 1, position: null, room: null });
  assert.deepEqual(line.main, []);
  await assert.rejects(read("game=chess"), /no game called chess/);
});

test("a position says by itself how large its board is", async () => {
  const { source } = await read("game=second&position=1../..2+1+-");
  assert.deepEqual([source.size, source.position], ["2x3", "1../..2 1 -"]);
});

test("moves are read as cells or as turns, up to a place", async () => {
  const { source, line } = await read("game=second&size=3x3&first=2&moves=0,1/1,1+2,1&ply=1");
  assert.equal(source.first, 2);
  assert.deepEqual(line.main, ["0,1", "1,1", "2,1"]);
  assert.equal(line.cursor, 1);
});

test("an address is written turn by turn, and read back the same", async () => {
  const address = "game=second&size=3x3&first=2&moves=0,1/1,1+2,1&ply=1";
  const { source, line } = await read(address);
  const order = orderOf(RULEBOOKS[1], source);
  assert.equal(addressOf({ source, line, order }, false), `/study?${address}`);
});

test("the address of a room has its side line", () => {
  const room = { id: "r", number: 2, isFinished: true, you: [] };
  const source = { game: "first", size: "5x5", first: 1, position: null, room };
  const line = choose(goTo(lineOf(["1,1", "2,2"], { grows: false }), 1), "3,3", "4,4");
  const order = orderOf(RULEBOOKS[0], source);
  assert.equal(addressOf({ source, line, order }, true), "/study?room=r&number=2&ply=1&line=3,3+4,4&review=1");
});

test("the server is asked about single cells, from a position where there is one", () => {
  const source = { game: "second", size: "1x2", first: 1, position: "12 2 block", room: null };
  assert.equal(String(queryOf(source, ["a", "b"])), "game=second&size=1x2&position=12+2+block&moves=a+b");
});
