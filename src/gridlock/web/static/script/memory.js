/** What this browser remembers. Where it may keep nothing, it all lasts as long as the page. */

/** @type {Map<string, string>} */
const unkept = new Map();

/**
 * @param {string} key
 * @returns {string | null}
 */
function readText(key) {
  try {
    return localStorage.getItem(key) ?? unkept.get(key) ?? null;
  } catch {
    return unkept.get(key) ?? null;
  }
}

/**
 * @param {string} key
 * @param {string} text
 */
function writeText(key, text) {
  unkept.set(key, text);
  try {
    localStorage.setItem(key, text);
  } catch {
    // Full or forbidden: `unkept` has it.
  }
}

/**
 * @param {string} key
 * @returns {any}
 */
function read(key) {
  try {
    return JSON.parse(readText(key) ?? "null");
  } catch {
    return null;
  }
}

/**
 * @param {string} key
 * @param {unknown} value
 */
const write = (key, value) => writeText(key, JSON.stringify(value));

/** @param {string} key */
function forget(key) {
  unkept.delete(key);
  try {
    localStorage.removeItem(key);
  } catch {
    // Forbidden: there is nothing to remove.
  }
}

/**
 * @typedef {object} Preferences
 * @property {"system" | "dark" | "light"} theme
 * @property {boolean} sound
 * @property {boolean} motion
 * @property {boolean} both Whether a board also shows what is closed only to the other player.
 * @property {boolean} welcomed Whether somebody has begun a lesson, or does not want to hear of them.
 *
 * @returns {Preferences}
 */
export function preferences() {
  return { theme: "system", sound: true, motion: true, both: false, welcomed: false, ...read("gridlock.preferences") };
}

/** @param {Partial<Preferences>} changes */
export function prefer(changes) {
  const now = { ...preferences(), ...changes };
  write("gridlock.preferences", now);
  const { dataset } = document.documentElement;
  if (now.theme === "system") delete dataset.theme;
  else dataset.theme = now.theme;
  if (now.motion) delete dataset.motion;
  else dataset.motion = "off";
}

/** Whether things may move: the switch and the system must both agree. */
export function mayMove() {
  return preferences().motion && !matchMedia("(prefers-reduced-motion: reduce)").matches;
}

/** @returns {string} */
export const myName = () => readText("gridlock.name") ?? "";
/** @param {string} name */
export const rememberName = (name) => writeText("gridlock.name", name);

/** @returns {Record<string, any>} What was chosen on the first page the last time. */
export const lastSetup = () => read("gridlock.setup") ?? {};
/** @param {Record<string, any>} setup */
export const rememberSetup = (setup) => write("gridlock.setup", setup);

/**
 * @param {string} room
 * @returns {string | null} The secret by which this browser holds a seat.
 */
export const seatToken = (room) => readText(`gridlock.seat.${room}`);
/**
 * @param {string} room
 * @param {string} token
 */
export const rememberSeat = (room, token) => writeText(`gridlock.seat.${room}`, token);

/**
 * @typedef {{invite: string, token: string}} Joining A seat that was asked for, perhaps without an answer.
 * @param {string} room
 * @returns {Joining | null}
 */
export const joining = (room) => read(`gridlock.joining.${room}`);
/**
 * @param {string} room
 * @param {Joining} asked
 */
export const rememberJoining = (room, asked) => write(`gridlock.joining.${room}`, asked);
/** @param {string} room */
export const forgetJoining = (room) => forget(`gridlock.joining.${room}`);

/**
 * @param {string} room
 * @returns {string | null} The secret by which a friend takes the other seat.
 */
export const inviteSecret = (room) => readText(`gridlock.invite.${room}`);
/**
 * @param {string} room
 * @param {string} secret
 */
export const rememberInvite = (room, secret) => writeText(`gridlock.invite.${room}`, secret);
/** @param {string} room */
export const forgetInvite = (room) => forget(`gridlock.invite.${room}`);

const PUZZLES = "gridlock.puzzles";

/** @returns {string | null} How somebody gets on with puzzles, as it was written. */
export const puzzleText = () => readText(PUZZLES);
/** @param {string} text */
export const rememberPuzzles = (text) => writeText(PUZZLES, text);
/**
 * Keeps what cannot be read under another name: somebody may be able to mend it.
 * @param {string} text
 */
export function setPuzzlesAside(text) {
  let number = 1;
  while (readText(`${PUZZLES}.damaged-${number}`) !== null) number += 1;
  writeText(`${PUZZLES}.damaged-${number}`, text);
}
/**
 * Calls back whenever another tab has changed how somebody gets on with puzzles.
 * @param {() => void} changed
 */
export function watchPuzzles(changed) {
  addEventListener("storage", ({ key }) => (key === PUZZLES || key === null) && changed());
}

/** @returns {{game?: string, theme?: string}} What puzzles somebody wanted the last time. */
export const puzzleWishes = () => read("gridlock.puzzle-wishes") ?? {};
/** @param {{game: string, theme: string}} wishes */
export const rememberPuzzleWishes = (wishes) => write("gridlock.puzzle-wishes", wishes);

const ROOMS = "gridlock.rooms";

/** @returns {unknown} The list of rooms, as it was written. */
export const roomList = () => read(ROOMS);
/** @param {object[]} rooms */
export const rememberRoomList = (rooms) => write(ROOMS, rooms);
/**
 * Calls back whenever another tab has changed the list of rooms.
 * @param {() => void} changed
 */
export function watchRoomList(changed) {
  addEventListener("storage", ({ key }) => (key === ROOMS || key === null) && changed());
}
