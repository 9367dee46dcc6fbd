import { addRooms, keptRooms, MOST_ROOMS, readRoom } from "../kept-rooms.js";
import { inviteSecret, myName, rememberInvite, rememberName, rememberSeat, seatToken } from "../memory.js";

/** @import {KeptRoom} from "../kept-rooms.js" */

/**
 * What moves to another device: the rooms with the secrets of their seats, and the name.
 *
 * @typedef {{room: KeptRoom, seat: string, invite: string | null}} HeldRoom
 * @typedef {{name: string, rooms: HeldRoom[]}} Parcel
 */

const VERSION = 1;
const FORMAT = "deflate"; // with a checksum, by which damage is noticed
const LONGEST = 200_000; // characters, and bytes of what they are unpacked to: more than the most rooms need
const SECRET = /^[\w-]{1,100}$/;
const LONGEST_NAME = 30;

/**
 * What there is to move of some rooms, in their order.
 * @param {KeptRoom[]} rooms
 * @returns {Parcel}
 */
export function parcelOf(rooms) {
  const held = rooms.flatMap(({ isNews, ...room }) => {
    const seat = seatToken(room.room);
    return seat ? [{ room, seat, invite: room.isOver ? null : inviteSecret(room.room) }] : [];
  });
  return { name: myName(), rooms: held };
}

/**
 * A parcel as the text of a link.
 * @param {Parcel} parcel
 */
export async function pack({ name, rooms }) {
  const text = JSON.stringify({ version: VERSION, name, rooms });
  const packed = await convert(new TextEncoder().encode(text), new CompressionStream(FORMAT), Infinity);
  const characters = Array.from(packed, (byte) => String.fromCharCode(byte)).join("");
  return btoa(characters).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

/**
 * @param {string} text
 * @returns {Promise<Parcel | null>} Null where the text is no parcel, or a damaged one.
 */
export async function unpack(text) {
  if (text.length > LONGEST) return null;
  try {
    const characters = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
    const packed = Uint8Array.from(characters, (character) => character.charCodeAt(0));
    const bytes = await convert(packed, new DecompressionStream(FORMAT), LONGEST);
    return readParcel(JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes)));
  } catch {
    return null;
  }
}

/**
 * @param {any} value
 * @returns {Parcel | null}
 */
function readParcel({ version, name, rooms }) {
  if (version !== VERSION || typeof name !== "string" || name.length > LONGEST_NAME) return null;
  if (!Array.isArray(rooms) || rooms.length > MOST_ROOMS) return null;
  const held = rooms.map(({ room, seat, invite }) => ({ room: readRoom(room), seat, invite }));
  const isSound = new Set(held.map(({ room }) => room?.room)).size === held.length
    && held.every(({ room, seat, invite }) => room && isSecret(seat) && (invite === null || isSecret(invite)));
  return isSound ? { name, rooms: /** @type {HeldRoom[]} */ (held) } : null;
}

/** @param {unknown} value */
const isSecret = (value) => typeof value === "string" && SECRET.test(value);

/**
 * Those rooms of a parcel that this browser does not list yet.
 * @param {Parcel} parcel
 */
export function newRooms({ rooms }) {
  const known = new Set(keptRooms().map(({ room }) => room));
  return rooms.filter(({ room }) => !known.has(room.room));
}

/**
 * Adds what a parcel brings to what is here; nothing that is here is changed by it.
 * @param {Parcel} parcel
 */
export function merge(parcel) {
  const added = newRooms(parcel);
  for (const { room: { room }, seat, invite } of added) {
    if (!seatToken(room)) rememberSeat(room, seat);
    if (invite && !inviteSecret(room)) rememberInvite(room, invite);
  }
  // Where another seat is held already, the server knows which.
  addRooms(added.map(({ room: { you, ...room }, seat }) => (seatToken(room.room) === seat ? { ...room, you } : room)));
  if (!myName()) rememberName(parcel.name);
}

/**
 * Sends bytes through a stream, and gives up when more than `most` come out.
 * @param {Uint8Array<ArrayBuffer>} bytes
 * @param {CompressionStream | DecompressionStream} stream
 * @param {number} most
 */
async function convert(bytes, stream, most) {
  const reader = new Blob([bytes]).stream().pipeThrough(stream).getReader();
  const chunks = [];
  let length = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    chunks.push(value);
    length += value.length;
    if (length > most) {
      await reader.cancel();
      throw new RangeError("this is longer than it may be");
    }
  }
  return new Uint8Array(await new Blob(chunks).arrayBuffer());
}
