import { Problem, fetchRoom } from "./api.js";
import { dropRoom, markGone, updateRoom } from "./kept-rooms.js";
import { seatToken } from "./memory.js";
import { entryOf } from "./room/sentences.js";

/** @import {KeptRoom} from "./kept-rooms.js" */

const AT_ONCE = 6; // questions to the server: as many as a browser asks side by side anyway

/**
 * Asks what has become of rooms, and remembers it.
 * @param {KeptRoom[]} rooms
 * @returns {Promise<boolean>} Whether the server could be asked about all of them.
 */
export async function refreshRooms(rooms) {
  const waiting = [...rooms];
  let isKnown = true;
  async function work() {
    for (let room = waiting.shift(); room; room = waiting.shift()) isKnown = (await refresh(room)) && isKnown;
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return isKnown;
}

/** @param {KeptRoom} kept */
async function refresh({ room, you }) {
  try {
    // Who only looks at the list is not in the room: the seat's secret would say so.
    const state = await fetchRoom(room, you ? null : seatToken(room));
    const held = you ?? state.you;
    if (held.length) updateRoom(entryOf({ ...state, you: held }));
    else dropRoom(room); // a secret that holds no seat there
    return true;
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    if (error.status === 404) markGone(room);
    return error.status === 404;
  }
}
