import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { deflateSync } from "node:zlib";
import { keptRooms } from "../../src/gridlock/web/static/script/kept-rooms.js";
import {
  inviteSecret, myName, rememberInvite, rememberName, rememberRoomList, rememberSeat, seatToken,
} from "../../src/gridlock/web/static/script/memory.js";
import { merge, newRooms, pack, parcelOf, unpack } from "../../src/gridlock/web/static/script/games/parcel.js";

/** As in a browser; and it can be emptied. */
const kept = new Map();
globalThis.localStorage = {
  getItem: (key) => kept.get(key) ?? null, setItem: (key, text) => kept.set(key, text), removeItem: (key) => kept.delete(key),
};

const entry = (room, changes = {}) => ({ room, game: "duel", size: "5x5", against: "against Zoë", stage: "Your turn", you: [1], at: 1, ...changes });
const held = (room, changes = {}) => ({ room: entry(room), seat: `seat-${room}`, invite: null, ...changes });
const parcel = { name: "Zoë", rooms: [held("a", { invite: "asked" }), held("b")] };

/** Any value as the text of a link. */
const packed = (value) => deflateSync(JSON.stringify(value)).toString("base64url");

beforeEach(() => {
  for (const key of kept.keys()) kept.delete(key);
  rememberRoomList([]);
  rememberName("");
  for (const room of ["a", "b"]) {
    rememberSeat(room, "");
    rememberInvite(room, "");
  }
});

test("a parcel is unpacked as it was packed", async () => {
  const text = await pack(parcel);
  assert.match(text, /^[\w-]+$/);
  assert.deepEqual(await unpack(text), parcel);
  assert.deepEqual(await unpack(await pack({ name: "", rooms: [] })), { name: "", rooms: [] });
});

test("a parcel has the rooms whose seats are held, with their secrets", () => {
  rememberName("Ann");
  rememberSeat("a", "one");
  rememberSeat("b", "two");
  for (const room of ["a", "b"]) rememberInvite(room, "asked");
  const rooms = [entry("a"), entry("c"), entry("b", { isOver: true, isNews: true })];
  assert.deepEqual(parcelOf(rooms), {
    name: "Ann",
    rooms: [
      { room: entry("a"), seat: "one", invite: "asked" },
      { room: entry("b", { isOver: true }), seat: "two", invite: null },
    ],
  });
});

test("what a parcel brings is here afterwards", () => {
  merge(parcel);
  assert.deepEqual(keptRooms(), [entry("a"), entry("b")]);
  assert.deepEqual([seatToken("a"), seatToken("b"), inviteSecret("a"), myName()], ["seat-a", "seat-b", "asked", "Zoë"]);
  assert.deepEqual(newRooms(parcel), []);
});

test("nothing that is here is changed by a parcel", () => {
  rememberName("Ann");
  rememberSeat("a", "mine");
  rememberRoomList([entry("a", { stage: "Bob to move" })]);
  merge(parcel);
  assert.deepEqual(keptRooms().map(({ room, stage }) => [room, stage]), [["a", "Bob to move"], ["b", "Your turn"]]);
  assert.deepEqual([seatToken("a"), myName()], ["mine", "Ann"]);
});

test("which seat is held is asked where another one is brought", () => {
  rememberSeat("a", "mine");
  merge(parcel);
  assert.equal(seatToken("a"), "mine");
  assert.deepEqual(keptRooms().map(({ you }) => you), [undefined, [1]]);
});

test("a text that lacks a character, or has another one, is refused", async () => {
  const text = await pack(parcel);
  for (let place = 0; place < text.length; place += 1) {
    const other = text[place] === "A" ? "B" : "A";
    const changed = await unpack(text.slice(0, place) + other + text.slice(place + 1));
    // The last character may have bits that mean nothing.
    if (place < text.length - 1) assert.equal(changed, null, `at ${place}`);
  }
  for (let length = 0; length < text.length; length += 1) assert.equal(await unpack(text.slice(0, length)), null);
});

for (const [what, value] of Object.entries({
  nothing: null,
  "a list": [],
  "another version": { ...parcel, version: 2 },
  "no name": { version: 1, rooms: [] },
  "too long a name": { version: 1, name: "x".repeat(31), rooms: [] },
  "no rooms": { version: 1, name: "" },
  "too many rooms": { version: 1, name: "", rooms: Array.from({ length: 201 }, (_, place) => held(`r${place}`)) },
  "a room of nothing": { version: 1, name: "", rooms: [null] },
  "a room without a seat": { version: 1, name: "", rooms: [held("a", { seat: undefined })] },
  "a seat that is markup": { version: 1, name: "", rooms: [held("a", { seat: "<b>" })] },
  "an invitation that is none": { version: 1, name: "", rooms: [held("a", { invite: 7 })] },
  "a room that comes twice": { version: 1, name: "", rooms: [held("a"), held("a")] },
  "one bad room among good ones": { version: 1, name: "", rooms: [held("a"), held("b", { room: entry("../b") })] },
})) {
  test(`what is no parcel is refused: ${what}`, async () => assert.equal(await unpack(packed(value)), null));
}

test("what would fill the memory is refused", async () => {
  assert.equal(await unpack(packed({ version: 1, name: "", rooms: [], more: "x".repeat(10_000_000) })), null);
  assert.equal(await unpack("A".repeat(10_000_000)), null);
  for (const text of ["%", "é", "🙂", "__proto__", "eJ", " "]) assert.equal(await unpack(text), null);
});

test("as many rooms as are kept fit into a parcel", async () => {
  const secret = (place) => `${place}`.padEnd(48, "0123456789abcdef");
  const rooms = Array.from({ length: 200 }, (_, place) =>
    held(`room-${place}`, { room: entry(`room-${place}`, { stage: "x".repeat(60) }), seat: secret(place), invite: secret(place) }));
  assert.deepEqual(await unpack(await pack({ name: "Ann", rooms })), { name: "Ann", rooms });
});
