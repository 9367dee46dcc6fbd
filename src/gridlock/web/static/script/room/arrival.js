import { fetchRoom } from "../api.js";
import { forgetJoining, joining, rememberSeat, seatToken } from "../memory.js";

/**
 * How somebody comes to a room: with an invitation that may still be good, and with what is to be
 * said about a link that did not do what it promised.
 * @typedef {{invite: string | null, notice: string}} Arrival
 */

/**
 * Takes secrets out of the address bar, so that nobody passes them on with it, and finds out which
 * seat this browser holds.
 * @param {string} room
 * @returns {Promise<Arrival>}
 */
export async function arrive(room) {
  const fragment = new URLSearchParams(location.hash.slice(1));
  const token = fragment.get("seat");
  const invite = fragment.get("invite");
  if (token || invite) history.replaceState(null, "", location.pathname + location.search);
  const notice = token && token !== seatToken(room) ? await takeSeat(room, token) : "";
  const asked = joining(room);
  if (asked && !seatToken(room) && (await holdsSeat(room, asked.token))) {
    rememberSeat(room, asked.token);
    forgetJoining(room);
  }
  if (seatToken(room)) return { invite: null, notice };
  return { invite: invite ?? asked?.invite ?? null, notice };
}

/** A link with a secret that is opened where its room is shown already loads nothing by itself. */
export function watchFragment() {
  addEventListener("hashchange", () => {
    if (/^#(seat|invite)=/.test(location.hash)) location.reload();
  });
}

/**
 * Holds a seat from now on, unless its link holds none: a seat that is held already is not given
 * up for that.
 * @param {string} room
 * @param {string} token
 * @returns {Promise<string>} What went wrong.
 */
async function takeSeat(room, token) {
  const isSeat = await holdsSeat(room, token);
  const isHeld = seatToken(room) !== null;
  if (isSeat || (isSeat === null && !isHeld)) {
    rememberSeat(room, token);
    return "";
  }
  if (isSeat === null) return "This seat link could not be tried: open it again.";
  return `This seat link is not valid: ${isHeld ? "you keep the seat that you had" : "you can only watch"}.`;
}

/**
 * @param {string} room
 * @param {string} token
 * @returns {Promise<boolean | null>} Null if the server does not say.
 */
async function holdsSeat(room, token) {
  try {
    return (await fetchRoom(room, token)).you.length > 0;
  } catch {
    return null;
  }
}
