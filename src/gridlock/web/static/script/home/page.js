import "../masthead.js";
import { fetchGames, fetchStart, openRoom } from "../api.js";
import { find, findAs, setText } from "../element.js";
import {
  lastSetup, myName, prefer, preferences, rememberInvite, rememberName, rememberSeat, rememberSetup,
} from "../memory.js";
import { persist } from "../persist.js";
import { messageOf } from "../text.js";
import { hidePosition, showPosition } from "./from-here.js";
import { LevelAdvice } from "./level.js";
import { listRooms } from "./rooms.js";
import { SetupForm } from "./setup.js";
import { fillShelf } from "./shelf.js";

/** @import {Board} from "../types.js" */

const obstacle = find("#trouble");
const welcome = find("#welcome");
const trouble = find(".go .trouble");
const play = findAs(HTMLButtonElement, ".go button");

/**
 * Asks the server for what the page cannot do without, for as long as it takes.
 * @template Answer
 * @param {() => Promise<Answer>} act
 */
async function reach(act) {
  const answer = await persist(act, (problem) => setText(obstacle, `${messageOf(problem)} Trying again…`));
  setText(obstacle, "");
  return answer;
}

async function begin() {
  const rulebooks = await reach(fetchGames);
  const query = new URLSearchParams(location.search);
  const wanted = query.get("game");
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
  const position = query.get("position");
  if (position !== null) await beginAt(setup, wanted ?? id, position);
}

/**
 * Lets the game begin at a position, until somebody thinks better of it.
 * @param {SetupForm} setup
 * @param {string} game
 * @param {string} position
 */
async function beginAt(setup, game, position) {
  const main = find("#main");
  const title = find("h1").textContent ?? "";
  /** @type {Board} */
  let board;
  try {
    board = await reach(() => fetchStart({ game, position }));
  } catch (error) {
    setText(find("#refused"), messageOf(error)); // any game can still be played
    return;
  }
  showPosition(main, setup.rulebook, board);
  setup.beginAt(board);
  find("#from-here button").addEventListener("click", () => {
    history.replaceState(null, "", `/?game=${game}`);
    hidePosition(main, title);
    setup.beginAt(null);
    find("[name=game]:checked").focus(); // the button is gone
  });
}

/**
 * @param {SetupForm} setup
 * @param {LevelAdvice} advice
 */
async function open(setup, advice) {
  trouble.textContent = "";
  play.disabled = true;
  rememberName(setup.values().name.trim());
  rememberSetup({ ...lastSetup(), ...setup.choices() });
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
