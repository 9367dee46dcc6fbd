import { forgetInvite, rememberRoomList, roomList } from "./memory.js";

/** @import {Player} from "./types.js" */

/**
 * A room that this browser holds a seat in, as it was when the browser last heard of it. What need
 * not be there was not always kept.
 *
 * @typedef {object} KeptRoom
 * @property {string} room
 * @property {string} game
 * @property {string} size
 * @property {string} against
 * @property {Player[]} [you] The seats that this browser holds.
 * @property {string} [stage] How far it is and whose turn it is, or how it ended.
 * @property {boolean} [isMine] Whether it is the turn of whoever sits here.
 * @property {boolean} [isOver] Whether no further game is played there.
 * @property {boolean} [isNews] Whether it ended while nobody looked.
 * @property {boolean} [isGone] Whether the server has deleted it.
 * @property {number} [at] When something last happened there, in milliseconds of the server's time.
 * @property {number} [games] How many games were played to their end.
 * @property {number} [level] That of the computer which is played against.
 * @property {boolean[]} [won] Whether each game against the computer was won.
 */

export const MOST_ROOMS = 200;
const MOST_GAMES = 1000;
const LEVELS = 8;
const LATEST = Date.UTC(2200); // nobody's clock is that far ahead

/** @param {unknown} value */
const isFlag = (value) => typeof value === "boolean";
/**
 * @param {number} least
 * @param {number} most
 */
const isWithin = (least, most) => (/** @type {any} */ value) => Number.isInteger(value) && value >= least && value <= most;
/** @param {RegExp} pattern */
const isLike = (pattern) => (/** @type {unknown} */ value) => typeof value === "string" && pattern.test(value);

/** @type {Record<keyof KeptRoom, (value: any) => boolean>} */
const CHECKS = {
  room: isLike(/^[\w-]{1,40}$/),
  game: isLike(/^[\w-]{1,20}$/),
  size: isLike(/^\d{1,3}x\d{1,3}$/),
  against: isLike(/^.{0,100}$/su),
  you: (value) => ["1", "2", "1,2"].includes(String(value)) && Array.isArray(value) && value.every(Number.isInteger),
  stage: isLike(/^.{0,200}$/su),
  isMine: isFlag,
  isOver: isFlag,
  isNews: isFlag,
  isGone: isFlag,
  at: isWithin(0, LATEST),
  games: isWithin(0, MOST_GAMES),
  level: isWithin(1, LEVELS),
  won: (value) => Array.isArray(value) && value.length <= MOST_GAMES && value.every(isFlag),
};
const NAMES = /** @type {(keyof KeptRoom)[]} */ (Object.keys(CHECKS));
/** @type {(keyof KeptRoom)[]} */
const NEEDED = ["room", "game", "size", "against"];

/**
 * @param {any} value
 * @returns {KeptRoom | null} What it tells of a room and nothing else, null where it is none.
 */
export function readRoom(value) {
  const isSound = typeof value === "object" && value !== null
    && NEEDED.every((name) => value[name] !== undefined)
    && NAMES.every((name) => value[name] === undefined || CHECKS[name](value[name]));
  if (!isSound) return null;
  const told = NAMES.filter((name) => value[name] !== undefined).map((name) => [name, value[name]]);
  return /** @type {KeptRoom} */ (Object.fromEntries(told));
}

/** @returns {KeptRoom[]} The latest first. */
export function keptRooms() {
  const kept = roomList();
  return Array.isArray(kept) ? kept.map(readRoom).filter((room) => room !== null) : [];
}

/**
 * Whether there is nothing left to play.
 * @param {KeptRoom} room
 */
export const isDone = ({ isOver, isGone }) => Boolean(isOver || isGone);

/**
 * Keeps a room that somebody is in, at the head of the list; a game that is over has ended only once.
 * @param {KeptRoom} kept
 */
export function keepRoom(kept) {
  const rooms = keptRooms();
  const old = rooms.find(({ room }) => room === kept.room);
  const now = { at: old?.at ?? Date.now(), ...kept }; // nothing has happened where somebody is waited for
  if (old?.isOver && kept.isOver) rememberRoomList(rooms.map((one) => (one === old ? now : one)));
  else remember([now, ...rooms.filter((one) => one !== old)]);
}

/**
 * Remembers what has become of a room that is in the list, where it stands there.
 * @param {KeptRoom} kept
 */
export function updateRoom(kept) {
  rememberRoomList(keptRooms().map((old) => {
    if (old.room !== kept.room) return old;
    const hasEnded = Boolean(kept.isOver && !old.isOver);
    return { at: old.at, ...kept, isNews: hasEnded || Boolean(old.isNews) };
  }));
}

/**
 * Remembers that the server has a room no more.
 * @param {string} room
 */
export function markGone(room) {
  rememberRoomList(keptRooms().map((old) => (old.room === room ? { ...old, isGone: true, isMine: false } : old)));
  forgetInvite(room);
}

/**
 * Takes a room off the list; its seat stays held, as its address may be opened again.
 * @param {string} room
 */
export function dropRoom(room) {
  rememberRoomList(keptRooms().filter((kept) => kept.room !== room));
  forgetInvite(room);
}

/**
 * Puts rooms into the list that are not there yet.
 * @param {KeptRoom[]} others
 */
export function addRooms(others) {
  const rooms = keptRooms();
  const isNew = (/** @type {KeptRoom} */ { room }) => rooms.every((kept) => kept.room !== room);
  remember([...rooms, ...others.filter(isNew)].sort(byTime));
}

/**
 * The latest first.
 * @param {KeptRoom} one
 * @param {KeptRoom} other
 */
export const byTime = (one, other) => (other.at ?? 0) - (one.at ?? 0);

/**
 * Keeps as many rooms as fit: of too many, the games that have been over for longest are forgotten first.
 * @param {KeptRoom[]} rooms
 */
function remember(rooms) {
  const excess = Math.max(0, rooms.length - MOST_ROOMS);
  const oldest = excess ? rooms.filter(isDone).sort(byTime).slice(-excess) : [];
  rememberRoomList(rooms.filter((room) => !oldest.includes(room)).slice(0, MOST_ROOMS));
}
