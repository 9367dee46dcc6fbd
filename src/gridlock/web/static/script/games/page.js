import "../masthead.js";
import { announce } from "../announce.js";
import { Problem } from "../api.js";
import { ask } from "../dialog.js";
import { element, find, findAs, setText } from "../element.js";
import { dropRoom, isDone, keptRooms } from "../kept-rooms.js";
import { watchRoomList } from "../memory.js";
import { refreshRooms } from "../room-news.js";
import { capital } from "../text.js";
import { RoomLists, titleOf } from "./list.js";
import { offerMoving, receiveParcel } from "./moving.js";
import { countGames } from "./order.js";
import { showResults } from "./results-panel.js";

/** @import {KeptRoom} from "../kept-rooms.js" */

const GONE = "The room is gone from the server already.";
const STALE = "The server could not be asked about every game: some may be further than is said here.";
const STAYS = "Nothing is resigned, and the room stays on the server: open its address here again, and you have it back.";

const filter = findAs(HTMLSelectElement, "#game");
const lists = new RoomLists(find("#lists"), remove);

function show() {
  const rooms = keptRooms();
  fillFilter(rooms);
  const wanted = rooms.filter(({ game }) => filter.value === "" || filter.value === game);
  lists.show(wanted);
  find("#empty").hidden = rooms.length > 0;
  find(".filter").hidden = countGames(rooms).size < 2;
  find("#moving").hidden = rooms.length === 0;
  showResults(find("#results"), wanted).catch(excuse);
}

/** Which level to try is no more than advice: where the server does not say, there is none. @param {unknown} error */
function excuse(error) {
  if (!(error instanceof Problem)) throw error;
}

/** @param {KeptRoom[]} rooms */
function fillFilter(rooms) {
  const counts = countGames(rooms);
  const key = JSON.stringify([...counts]);
  if (filter.dataset.key === key) return; // somebody may be choosing
  filter.dataset.key = key;
  const { value } = filter;
  filter.replaceChildren(
    element("option", { value: "" }, `All games (${rooms.length})`),
    ...Array.from(counts, ([game, count]) => element("option", { value: game }, `${capital(game)} (${count})`)));
  filter.value = counts.has(value) ? value : "";
}

/** @param {KeptRoom} kept */
async function remove(kept) {
  const title = `${titleOf(kept)} ${kept.against}`;
  const isSure = await ask({
    title: `Take ${title} off the list?`,
    text: `This browser's list forgets the game and its result. ${kept.isGone ? GONE : STAYS}`,
    yes: "Take off the list", no: "Keep it",
  });
  if (!isSure) return;
  dropRoom(kept.room);
  show();
  find("h1").focus(); // the button is gone: keys go on from the top of the page
  announce(`${title} is off the list.`);
}

/**
 * Asks what has become of the rooms that are unfinished, and whether the others that are shown are still there.
 * @param {boolean} isWhole
 */
async function refresh(isWhole) {
  show();
  let isKnown = await refreshRooms(keptRooms().filter((room) => !isDone(room)));
  show();
  if (isWhole) {
    isKnown = (await refreshRooms(lists.shownDone.filter(({ isGone }) => !isGone))) && isKnown;
    show();
  }
  setText(find("#stale"), isKnown ? "" : STALE);
}

/** @param {string} text */
function tell(text) {
  setText(find("#notice"), text);
  refresh(false);
}

filter.addEventListener("change", show);
offerMoving(find("#moving"));
watchRoomList(show);
addEventListener("hashchange", () => receiveParcel(tell));
addEventListener("pageshow", ({ persisted }) => persisted && refresh(false));
document.addEventListener("visibilitychange", () => document.visibilityState === "visible" && refresh(false));
refresh(true);
receiveParcel(tell);
