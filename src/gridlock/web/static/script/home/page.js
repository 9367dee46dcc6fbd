import "../masthead.js";
import { fetchGames, openRoom } from "../api.js";
import { find, findAs, setText } from "../element.js";
import {
  lastSetup, myName, prefer, preferences, rememberInvite, rememberName, rememberSeat, rememberSetup,
} from "../memory.js";
import { persist } from "../persist.js";
import { messageOf } from "../text.js";
import { LevelAdvice } from "./level.js";
import { listRooms } from "./rooms.js";
import { SetupForm } from "./setup.js";
import { fillShelf } from "./shelf.js";

const obstacle = find("#trouble");
const welcome = find("#welcome");
const trouble = find(".go .trouble");
const play = findAs(HTMLButtonElement, ".go button");

async function begin() {
  const rulebooks = await persist(fetchGames, (problem) => setText(obstacle, `${messageOf(problem)} Trying again…`));
  setText(obstacle, "");
  const wanted = new URLSearchParams(location.search).get("game");
  const kept = lastSetup();
  const { id } = rulebooks.find((rulebook) => rulebook.id === (wanted ?? kept.game)) ?? rulebooks[0];
  fillShelf(findAs(HTMLFieldSetElement, ".shelf"), rulebooks, id);
  const setup = new SetupForm(findAs(HTMLFormElement, "#setup"), rulebooks);
  const { rows, columns, ...rest } = kept;
  setup.fill({ ...rest, ...(id === kept.game && { rows, columns }), name: myName() });
  const advice = new LevelAdvice(setup.form);
  advice.show();
  setup.form.addEventListener("submit", (event) => {
    event.preventDefault();
    open(setup, advice);
  });
}

/**
 * @param {SetupForm} setup
 * @param {LevelAdvice} advice
 */
async function open(setup, advice) {
  trouble.textContent = "";
  play.disabled = true;
  const values = setup.values();
  rememberName(values.name.trim());
  rememberSetup(values);
  try {
    const { token, invite, state } = await openRoom(setup.terms(await advice.level()));
    rememberSeat(state.room, token);
    if (invite) rememberInvite(state.room, invite);
    location.assign(`/room/${encodeURIComponent(state.room)}`);
  } catch (error) {
    trouble.textContent = messageOf(error);
  }
  play.disabled = false;
}

welcome.hidden = preferences().welcomed;
find("button", welcome).addEventListener("click", () => {
  prefer({ welcomed: true });
  welcome.hidden = true;
  find("h1").focus(); // the button is gone: keys go on from the top of the page
});
listRooms(find("#kept"));
// Whoever comes back to the page has an old list.
addEventListener("pageshow", ({ persisted }) => persisted && listRooms(find("#kept")));
document.addEventListener("visibilitychange", () => document.visibilityState === "visible" && listRooms(find("#kept")));
begin().catch((error) => setText(obstacle, messageOf(error)));
