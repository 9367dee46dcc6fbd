import "../masthead.js";
import { playAddress, readable } from "../address.js";
import { Problem, fetchDaily, fetchGames, fetchNext, fetchPuzzle, fetchPuzzles } from "../api.js";
import { announce } from "../announce.js";
import { GridBoard } from "../board.js";
import { copyText } from "../dialog.js";
import { element, find, findAs, setText } from "../element.js";
import { watchPuzzles } from "../memory.js";
import { persist } from "../persist.js";
import { play } from "../sound.js";
import { messageOf } from "../text.js";
import { listSteps } from "./line.js";
import { dueMistakes, isLearnt, isSame } from "./mistakes.js";
import { dailyStreak, dateOf, loadProgress } from "./progress.js";
import { Session } from "./session.js";
import { WishForm } from "./wishes.js";

/** @import {ChooseEvent} from "../board.js" */
/** @import {Player, Puzzle, Rulebook} from "../types.js" */
/** @import {Mistake} from "./mistakes.js" */
/** @import {Model} from "./session.js" */

/** The most ids that the server takes. */
const MOST_SEEN = 2000;
const COPIED_MS = 2000;
const NO_MISTAKES = "Mistakes that reviews of your games find come back here.";

const board = findAs(GridBoard, "#board");
const obstacle = find("#trouble");
const isDaily = location.pathname.startsWith("/daily");
/** @type {Rulebook[]} */
let rulebooks = [];
/** What was said aloud, and for which a sound was played. @type {Partial<Model> & {text?: string}} */
let told = {};

const session = new Session(show);

async function begin() {
  const [games, collection] = await reach(() => Promise.all([fetchGames(), fetchPuzzles()]));
  rulebooks = games;
  const wanted = location.pathname === "/puzzles" ? new URLSearchParams(location.search).get("game") : null;
  const form = findAs(HTMLFormElement, "#wishes");
  const wishes = new WishForm(form, collection, wanted);
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    openNext(wishes, true).catch(stumble);
  });
  session.pauses = collection.pauses;
  wire();
  session.rateAll();
  await openAddressed(wishes);
  addEventListener("popstate", () => openAddressed(wishes).catch(stumble));
}

/**
 * Opens what the address asks for: a day's puzzle, a certain one, a mistake, or a next one.
 * @param {WishForm} wishes
 */
async function openAddressed(wishes) {
  const [, section, id] = location.pathname.split("/");
  if (isDaily) {
    const { date, puzzle } = await reach(() => fetchDaily(dateOf()));
    await session.open(puzzle, { date });
  } else if (section === "puzzle") {
    await session.open(await reach(() => fetchPuzzle(decodeURIComponent(id), [])));
  } else if (section === "mistakes" && addressedMistake()) {
    await openMistake(/** @type {Mistake} */ (addressedMistake()), false);
  } else {
    await openNext(wishes, false);
  }
}

/**
 * Opens a puzzle that suits, under its own address: a reload shows the same one.
 * @param {WishForm} wishes
 * @param {boolean} isStep Whether the browser's Back leads to the present one.
 */
async function openNext(wishes, isStep) {
  const { rating, seen } = loadProgress();
  const present = session.model?.puzzle.id;
  const known = [...Object.keys(seen), ...(present ? [present] : [])].slice(-MOST_SEEN);
  const wanted = { ...wishes.take(), rating: rating?.rating ?? null, seen: known };
  const puzzle = await reach(() => fetchNext(wanted));
  goTo(`/puzzle/${encodeURIComponent(puzzle.id)}`, isStep);
  await session.open(puzzle, { isAnew: true });
}

/**
 * @param {string} address
 * @param {boolean} isStep
 */
function goTo(address, isStep) {
  if (isStep) history.pushState(null, "", address);
  else history.replaceState(null, "", address);
}

/** The mistakes that come back today. */
const dueToday = () => dueMistakes(loadProgress().mistakes, dateOf(), session.pauses);

/** The mistake that the address names, or else the one that has waited longest. @returns {Mistake | undefined} */
function addressedMistake() {
  const query = new URLSearchParams(location.search);
  const named = { game: query.get("game") ?? "", position: query.get("position") ?? "" };
  return loadProgress().mistakes.find((one) => isSame(one, named)) ?? dueToday()[0];
}

/** Opens the mistake that comes after the present one; after the last the first. */
async function openNextMistake() {
  const due = dueToday();
  const present = session.model?.mistake;
  const place = due.findIndex((one) => present && isSame(one, present));
  const next = due[place + 1] ?? due[0];
  if (next) await openMistake(next, true);
}

/**
 * Opens a mistake under its own address.
 * @param {Mistake} mistake
 * @param {boolean} isStep Whether the browser's Back leads to what is shown now.
 */
async function openMistake(mistake, isStep) {
  const { game, position } = mistake;
  const puzzle = await reach(() => fetchPuzzle(mistake, []));
  goTo(`/mistakes?${readable(new URLSearchParams({ game, position }))}`, isStep);
  await session.open(puzzle, { mistake });
}

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

/** @param {unknown} error */
function stumble(error) {
  if (!(error instanceof Problem)) throw error;
  find("#main").setAttribute("aria-busy", "false");
  setText(obstacle, messageOf(error));
}

function wire() {
  board.addEventListener("choose", (event) => session.choose(/** @type {ChooseEvent} */ (event).detail.cell));
  /** @type {Record<string, () => unknown>} */
  const commands = {
    hint: () => session.hint(),
    solution: () => session.giveUp(),
    share: () => share(),
    again: () => session.again(),
    mistakes: () => openNextMistake().catch(stumble),
    back: () => session.show((session.model?.cursor ?? 0) - 1),
    on: () => session.show((session.model?.cursor ?? 0) + 1),
  };
  for (const [name, act] of Object.entries(commands)) buttonOf(name).addEventListener("click", act);
  document.addEventListener("keydown", (event) => {
    const target = /** @type {Element} */ (event.target);
    if (event.ctrlKey || event.metaKey || target.closest("input, select")) return;
    if (event.key === "[") commands.back();
    if (event.key === "]") commands.on();
  });
  watchPuzzles(showProgress);
  // Whoever comes back to the page the next morning wants that day's puzzle.
  document.addEventListener("visibilitychange", () => {
    const isOld = isDaily && session.model?.date !== dateOf() && (session.isOver || session.model?.isFirst);
    if (document.visibilityState === "visible" && session.model && isOld) location.reload();
  });
}

/** The button for something. @param {string} name */
const buttonOf = (name) => findAs(HTMLButtonElement, `[data-do=${name}]`);

/** Copies the result, with the link to the puzzle. */
async function share() {
  const { model } = session;
  if (!model) return;
  const path = model.date === null ? `/puzzle/${encodeURIComponent(model.puzzle.id)}` : "/daily";
  const text = `${model.share}\n${location.origin}${path}`;
  const field = element("textarea", { class: "only-spoken", value: text, readOnly: true, "aria-label": "The result" });
  document.body.append(field);
  await copyText(text, field);
  field.remove();
  const button = buttonOf("share");
  button.textContent = "Copied";
  button.focus();
  announce("The result is copied.");
  setTimeout(() => (button.textContent = "Share"), COPIED_MS);
}

/** @param {Model} model */
function show(model) {
  const { puzzle, date, attempt, line, cursor } = model;
  const { symbols } = rulebookOf(puzzle);
  find("#main").setAttribute("aria-busy", String(model.pending !== null));
  find(".puzzle").classList.remove("empty");
  const [name, ...terms] = puzzle.title.split(", ");
  setText(find("#title"), date === null ? name : `Daily puzzle, ${inWords(date)}`);
  setText(find("#terms"), date === null ? terms.join(", ") : puzzle.title);
  document.title = `${find("#title").textContent} – GridLock`;
  showBoard(model);
  find("#task").hidden = attempt.task === "" || model.isGivenUp;
  showTask(attempt.task, symbols[puzzle.solver - 1], puzzle.solver);
  const verdict = find("#verdict");
  setText(verdict, model.news.text);
  verdict.className = model.news.kind;
  setText(find("#clue"), model.hasClue ? puzzle.clue : "");
  setText(find("#standing"), model.standing);
  setText(find("#alarm"), model.trouble);
  find("#line").hidden = line === null;
  setText(find("#line-title"), line?.title ?? "");
  listSteps(find("#line ol"), { steps: line?.steps ?? [], symbols, cursor, show: (place) => session.show(place) });
  buttonOf("back").disabled = cursor === 0;
  buttonOf("on").disabled = !line || cursor === line.steps.length;
  showCommands(model);
  showProgress();
  tell(model);
}

/**
 * @param {string} task Begins with the symbol of the solver, which is shown as a sign.
 * @param {string} symbol
 * @param {Player} solver
 */
function showTask(task, symbol, solver) {
  const sign = find("#task .sign");
  const hasSign = task.startsWith(`${symbol} `);
  sign.hidden = !hasSign;
  setText(sign, symbol);
  sign.className = `sign ${solver === 1 ? "one" : "two"}`;
  setText(find("#task .text"), hasSign ? task.slice(symbol.length) : task);
}

/** The step of a line that is shown, if one is. @param {Model} model */
const stepOf = ({ answering, line, cursor }) => answering ?? line?.steps[cursor - 1] ?? null;

/** What stands on the board. @param {Model} model */
const shownIn = (model) => stepOf(model)?.board ?? model.line?.start ?? model.attempt.board;

/** @param {Model} model */
function showBoard(model) {
  const { puzzle, attempt, pending, wrong } = model;
  const { id, symbols, counting, has_tokens: hasTokens } = rulebookOf(puzzle);
  const step = stepOf(model);
  const isPuzzle = step === null && !session.isOver;
  board.show({
    board: shownIn(model), symbols, counting, hasTokens, pending,
    last: step ? [step.cell] : attempt.solved ? [] : attempt.last,
    open: isPuzzle,
    notes: new Map(isPuzzle ? wrong.map((cell) => [cell, { text: "✗", kind: "wrong", strength: 1, words: "does not win" }]) : []),
    label: `${id}, ${puzzle.size}, puzzle`,
  });
}

/** Offers what can be done now. @param {Model} model */
function showCommands(model) {
  const { date, mistake, puzzle, hasClue, share: text } = model;
  const { isOver } = session;
  const hadFocus = document.activeElement === buttonOf("solution");
  find("#wishes").hidden = isDaily;
  find("#more").hidden = date === null || !isOver;
  find("[data-do=hint]").hidden = isOver;
  buttonOf("hint").disabled = hasClue;
  find("[data-do=solution]").hidden = isOver;
  find("[data-do=again]").hidden = !isOver;
  find("[data-do=share]").hidden = text === "";
  if (hadFocus && isOver) buttonOf("again").focus();
  const isMended = mistake !== null && isOver; // then the next one is most wanted
  buttonOf("mistakes").classList.toggle("primary", isMended);
  find("#wishes button").classList.toggle("primary", !isMended);
  const playOn = findAs(HTMLAnchorElement, "#play-on");
  const shown = shownIn(model);
  playOn.hidden = !isOver;
  playOn.href = playAddress(puzzle.game, (shown.winner ? puzzle.attempt.board : shown).position);
}

function showProgress() {
  const progress = loadProgress();
  const tries = Object.values(progress.seen);
  const learnt = progress.mistakes.filter((one) => isLearnt(one, session.pauses)).length;
  /** @type {Record<string, string>} */
  const figures = {
    rating: progress.shown || "–",
    streak: String(progress.streak),
    solved: `${tries.filter(Boolean).length} of ${tries.length}`,
    days: String(dailyStreak(progress, dateOf())),
    learnt: `${learnt} of ${progress.mistakes.length}`,
  };
  for (const [name, text] of Object.entries(figures)) setText(find(`[data-figure=${name}]`), text);
  const due = dueToday().length;
  find("#mistakes .none").hidden = due > 0;
  setText(find("#mistakes .none"), progress.mistakes.length ? "No mistake of yours is due today." : NO_MISTAKES);
  buttonOf("mistakes").hidden = due === 0;
  setText(buttonOf("mistakes"), `Your mistakes: ${due} due`);
}

/** Says aloud what is new. @param {Model} model */
function tell(model) {
  const { news, attempt, puzzle, hasClue, answering } = model;
  if (answering) return;
  const text = [news.text, hasClue && !told.hasClue ? puzzle.clue : "", session.isOver ? "" : attempt.task].filter(Boolean).join(" ");
  if (news !== told.news && news.kind === "wrong") play("refused");
  if (news !== told.news && news.kind === "right" && told.puzzle === puzzle) play(attempt.solved ? "won" : "first");
  if (text !== told.text || news !== told.news) announce(text);
  told = { news, hasClue, puzzle, text };
}

/** @param {Puzzle} puzzle */
const rulebookOf = ({ game }) => /** @type {Rulebook} */ (rulebooks.find(({ id }) => id === game));

/** @param {string} date */
const inWords = (date) =>
  new Date(`${date}T00:00Z`).toLocaleDateString("en-GB", { day: "numeric", month: "long", timeZone: "UTC" });

begin().catch(stumble);
