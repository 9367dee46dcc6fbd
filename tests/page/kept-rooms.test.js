import assert from "node:assert/strict";
import { beforeEach, mock, test } from "node:test";
import {
  MOST_ROOMS, addRooms, dropRoom, keepRoom, keptRooms, markGone, readRoom, updateRoom,
} from "../../src/gridlock/web/static/script/kept-rooms.js";
import { inviteSecret, rememberInvite, rememberRoomList } from "../../src/gridlock/web/static/script/memory.js";

const entry = (room, changes = {}) => ({ room, game: "duel", size: "5x5", against: "against Bob", stage: "Your turn", ...changes });
const over = (room, changes = {}) => entry(room, { stage: "You won", isOver: true, ...changes });
const names = () => keptRooms().map(({ room }) => room);

mock.timers.enable({ apis: ["Date"], now: 1000 });
beforeEach(() => {
  mock.timers.setTime(1000);
  rememberRoomList([]);
});

test("a room that somebody is in stands first, finished or not", () => {
  keepRoom(entry("a"));
  keepRoom(over("b"));
  keepRoom(entry("a"));
  assert.deepEqual(names(), ["a", "b"]);
});

test("a game that is over keeps its place, however often it is looked at", () => {
  keepRoom(over("a"));
  keepRoom(entry("b"));
  keepRoom(over("a"));
  updateRoom(over("a", { stage: "You won!" }));
  assert.deepEqual(names(), ["b", "a"]);
});

test("the server says when something happened in a room, and not when it was heard of", () => {
  keepRoom(entry("a"));
  mock.timers.setTime(2000);
  keepRoom(entry("a"));
  assert.equal(keptRooms()[0].at, 1000, "a room that waits for a friend is as old as it is here");
  keepRoom(entry("a", { at: 400 }));
  assert.equal(keptRooms()[0].at, 400);
  updateRoom(over("a", { at: 500 }));
  assert.equal(keptRooms()[0].at, 500);
});

test("a game that ended while nobody looked is news until somebody does", () => {
  keepRoom(entry("a"));
  updateRoom(over("a"));
  updateRoom(over("a"));
  assert.equal(keptRooms()[0].isNews, true);
  keepRoom(over("a"));
  assert.equal(keptRooms()[0].isNews, undefined);
  updateRoom(over("a"));
  assert.equal(keptRooms()[0].isNews, false);
});

test("of too many rooms, the games that have been over for longest are forgotten", () => {
  rememberRoomList(Array.from({ length: MOST_ROOMS }, (_, place) => (place % 2 ? over : entry)(`r${place}`, { at: place })));
  keepRoom(entry("new"));
  assert.equal(keptRooms().length, MOST_ROOMS);
  assert.equal(names().includes("r1"), false, "the oldest that is over");
  assert.equal(names().includes("r0"), true, "an older one that is not");
});

test("of too many unfinished rooms the last in the list is forgotten", () => {
  rememberRoomList(Array.from({ length: MOST_ROOMS }, (_, place) => entry(`r${place}`)));
  keepRoom(entry("new"));
  assert.deepEqual([keptRooms().length, names()[0], names().at(-1)], [MOST_ROOMS, "new", `r${MOST_ROOMS - 2}`]);
});

test("a room that is gone stays in the list, and its invitation does not", () => {
  keepRoom(entry("a", { isMine: true }));
  rememberInvite("a", "secret");
  markGone("a");
  assert.deepEqual([keptRooms()[0].isGone, keptRooms()[0].isMine, inviteSecret("a")], [true, false, null]);
  dropRoom("a");
  assert.deepEqual(names(), []);
});

test("rooms that are added do not change those that are there", () => {
  keepRoom(entry("a", { stage: "mine" }));
  addRooms([entry("a", { stage: "theirs", at: 5000 }), over("b", { at: 500 }), entry("c", { at: 3000 })]);
  assert.deepEqual(keptRooms().map(({ room, stage }) => [room, stage]), [["c", "Your turn"], ["a", "mine"], ["b", "You won"]]);
});

test("what is read of a room is what is known of rooms", () => {
  const whole = over("r_-1", {
    you: [1, 2], isMine: false, isNews: true, isGone: false, at: 1, games: 3, level: 8, won: [true, false],
  });
  assert.deepEqual(readRoom({ ...whole, script: "x" }), whole);
  assert.deepEqual(readRoom({ room: "r", game: "duel", size: "5x5", against: "" }), { room: "r", game: "duel", size: "5x5", against: "" });
});

for (const [what, wrong] of Object.entries({
  "no room": { room: undefined },
  "a path": { room: "../x" },
  "a number as a room": { room: 7 },
  "no size": { size: "5" },
  "a game with blanks": { game: "a b" },
  "too long an opponent": { against: "x".repeat(101) },
  "three seats": { you: [1, 2, 3] },
  "seats as text": { you: "1" },
  "seats within seats": { you: [[1]] },
  "a time that is none": { at: NaN },
  "a time far ahead": { at: 1e16 },
  "a level that there is none of": { level: 9 },
  "half a game": { games: 0.5 },
  "results as text": { won: ["yes"] },
  "too many results": { won: Array(1001).fill(true) },
  "a flag that is none": { isOver: 1 },
})) {
  test(`what is no room is not read: ${what}`, () => assert.equal(readRoom(entry("r", wrong)), null));
}

test("what is damaged in the list is left out", () => {
  rememberRoomList([entry("a"), null, 7, {}, entry("b", { you: [3] })]);
  assert.deepEqual(names(), ["a"]);
  rememberRoomList({ a: 1 });
  assert.deepEqual(names(), []);
});
