import "../masthead.js";
import { playAddress, readable } from "../address.js";
import { Problem, fetchGames, fetchRecord, writeRecord } from "../api.js";
import { announce } from "../announce.js";
import { GridBoard } from "../board.js";
import { showGame, showLinks } from "../dialog.js";
import { find, findAs, setText } from "../element.js";
import { persist } from "../persist.js";
import { joinMistakes, mistakesOf } from "../puzzle/mistakes.js";
import { dateOf, updateProgress } from "../puzzle/progress.js";
import { play } from "../sound.js";
import { capital, messageOf } from "../text.js";
import { showDeadEnd } from "./dead-end.js";
import { boardOf, sizeOf } from "./draft.js";
import { PositionEditor } from "./editor.js";
import { stepOf } from "./keys.js";
import { isEstimate, isJudged } from "./knowledge.js";
import { branchOf, moverOf, played, turnsFrom } from "./line.js";
import { listTurns, showMoves } from "./moves.js";
import { estimateOf, notesOf, progressOf } from "./notes.js";
import { ReviewPanel } from "./review-panel.js";
import { firstMistake, presentMistake, riddleOf } from "./riddle.js";
import { addressOf, movesOf, permanentLink, queryOf, readAddress } from "./source.js";
import { StudyStore } from "./store.js";

/** @import {ChooseEvent} from "../board.js" */
/** @import {Analysis, ReviewedAction} from "../types.js" */
/** @import {Study} from "./store.js" */

const board = findAs(GridBoard, "#board");
/** @type {Partial<Study>} What the address bar says. */
let kept = {};
/** @type {Partial<Study>} What the board was scrolled for. */
let seen = {};
/** @type {Partial<Study> & {text?: string}} What was said aloud. */
let told = {};

async function begin() {
  const rulebooks = await fetchGames();
  const query = new URLSearchParams(location.search);
  const { source, line } = await readAddress(query, rulebooks);
  /** @param {string} id */
  const rulebookOf = (id) => rulebooks.find((rulebook) => rulebook.id === id) ?? rulebooks[0];
  const store = new StudyStore(source, rulebookOf(source.game), line, (study) => render(study));
  const editor = new PositionEditor(findAs(HTMLFormElement, "#editor"), store, rulebooks);
  const review = new ReviewPanel({ box: find("#review"), track: find("#timeline") }, store);
  wire(store, editor, review);
  addEventListener("popstate", ({ state }) => {
    if (state?.source) store.restore(state.source, rulebookOf(state.source.game), state.line);
  });

  /** @param {Study} study */
  function render(study) {
    show(study, store);
    review.show(study);
    editor.show(study);
  }
  store.refresh();
  if (query.has("review")) reviewGame(store, !query.has("ply"));
}

/**
 * @param {StudyStore} store
 * @param {boolean} [jumps] Whether to go to where the game was given away.
 */
async function reviewGame(store, jumps = true) {
  const { line } = store;
  const isWanted = await store.loadReview();
  const { review, source } = store.study;
  if (!isWanted || !review) return;
  const you = source.room?.you ?? [];
  updateProgress((now) => ({ ...now, mistakes: joinMistakes(now.mistakes, mistakesOf(review, you, dateOf())) }));
  const mistake = firstMistake(review, you);
  if (jumps && mistake && store.line === line) store.goToMain(mistake.number - 1);
}

/**
 * Lets the position shown be copied, the moves that lead there, and the record: that of the game in its
 * room, or else of these moves.
 * @param {StudyStore} store
 */
async function copyGame(store) {
  const { source, line, analysis } = store.study;
  if (!analysis) return;
  const room = branchOf(line) === null ? source.room : null;
  try {
    const record = await (room ? fetchRecord(room.id, room.number) : writeRecord(queryOf(source, played(line))));
    await showGame({ position: analysis.position, moves: movesOf(store.study), record });
  } catch (error) {
    store.change({ trouble: messageOf(error) });
  }
}

/**
 * @param {StudyStore} store
 * @param {PositionEditor} editor
 * @param {ReviewPanel} review
 */
function wire(store, editor, review) {
  /** @type {Record<string, () => void>} */
  const steps = {
    home: () => store.goTo(0),
    back: () => store.goTo(store.line.cursor - 1),
    on: () => store.goTo(store.line.cursor + 1),
    end: () => store.goTo(store.line.path.length),
    best: () => store.study.analysis?.actions[0] && store.playLine([store.study.analysis.actions[0].cell]),
    values: () => store.change({ showsValues: !store.study.showsValues }),
    "mistake-next": () => review.jump(1),
    "mistake-before": () => review.jump(-1),
    edit: () => editor.begin(),
    review: () => reviewGame(store),
    link: () => showLinks("Link to this position", [{
      label: "Permanent link", text: "Whoever opens it sees this position.",
      link: permanentLink(store.study),
    }]),
    copy: () => copyGame(store),
    "back-to-game": () => store.goToMain(branchOf(store.line) ?? 0),
    solve: () => store.solve(),
  };

  board.addEventListener("choose", (event) => {
    const { cell } = /** @type {ChooseEvent} */ (event).detail;
    if (store.study.draft) editor.paint(cell);
    else store.choose(cell);
  });
  const clicked = ["home", "back", "on", "end", "best", "values", "edit", "review", "link", "copy", "back-to-game", "solve"];
  for (const name of clicked) buttonOf(name).addEventListener("click", steps[name]);
  const other = findAs(HTMLInputElement, "[name=other]");
  other.addEventListener("change", () => store.change({ showsOther: other.checked }));
  document.addEventListener("keydown", (event) => {
    const target = /** @type {Element} */ (event.target);
    if (store.study.draft || target.closest("input:not([type=checkbox]), select, textarea, dialog")) return;
    const name = stepOf(event);
    if (!name || buttonOf(name).disabled) return;
    event.preventDefault();
    steps[name]();
  });
}

/**
 * @param {Study} study
 * @param {StudyStore} store
 */
function show(study, store) {
  const { source, line, analysis, draft, refusal } = study;
  const rulebook = draft?.rulebook ?? study.rulebook;
  const size = draft ? sizeOf(draft) : source.size;
  find("#main").setAttribute("aria-busy", String(study.isWaiting));
  setText(find("#alarm"), study.trouble || study.outage);
  if (refusal) showDeadEnd(refusal, rulebook, size);
  if (!study.board) return;
  find("#main").classList.remove("empty");
  const name = capital(rulebook.id);
  setText(find("#title"), source.room && study.review ? `${name}: review` : `${name}: analysis`);
  setText(find("#terms"), size.replace("x", " × "));
  document.title = `${find("#title").textContent} – GridLock`;
  const riddle = riddleOf(study);
  const hidesValues = riddle !== null || !study.showsValues || draft !== null;
  showBoard(study, riddle, hidesValues);
  showLegend(hidesValues ? null : analysis);
  showVerdict(study, riddle);
  showChance(study, hidesValues);
  showBestLine(study, store, hidesValues);
  showMoves({ main: find("#moves"), side: find("#side-line ol") }, study, store);
  const hasMoves = line.main.length > 0;
  const branch = branchOf(line);
  find(".moves-box").hidden = draft !== null || line.path.length === 0;
  find(".stage .stepper").hidden = draft !== null;
  find("#moves-title").hidden = find("#moves").hidden = !hasMoves;
  find("#side-line").hidden = branch === null;
  find("[data-do=back-to-game]").hidden = !hasMoves;
  find("#editor").hidden = draft === null;
  find("#commands").hidden = draft !== null;
  find("[data-do=review]").hidden = !source.room?.isFinished || study.review !== null;
  buttonOf("review").disabled = study.isReviewing;
  showPlayOn(study);
  find("#to-room").hidden = !source.room;
  if (source.room) findAs(HTMLAnchorElement, "#to-room").href = `/room/${encodeURIComponent(source.room.id)}`;
  showSteps(study, riddle !== null);
  if (!draft && !study.isReviewing) keepAddress(study);
}

/**
 * @param {Study} study
 * @param {ReviewedAction | null} riddle
 * @param {boolean} hidesValues
 */
function showBoard(study, riddle, hidesValues) {
  const { draft, analysis } = study;
  const { id, symbols, counting, has_tokens: hasTokens } = draft?.rulebook ?? study.rulebook;
  const shown = draft ? boardOf(draft) : study.board;
  if (!shown) return;
  const other = /** @type {1 | 2} */ (3 - shown.mover);
  const isStale = !analysis && study.outage !== ""; // which cells are legal now will not be known soon
  const notes = analysis && !hidesValues ? notesOf(analysis) : undefined;
  const mistaken = riddle && new Map([[riddle.cell, { text: "✗", kind: "wrong", strength: 1, words: "the mistake" }]]);
  board.show({
    board: shown, symbols, counting, hasTokens, notes: mistaken ?? notes, pending: study.pending,
    last: draft ? [] : lastTurn(study), open: !draft && shown.winner === null && !isStale,
    both: study.showsOther,
    label: `${id}, ${shown.rows}x${shown.columns}${draft ? ", being set up" : ""}`,
  });
  board.classList.toggle("editing", draft !== null);
  const isOneSided = /[12]/.test(shown.closed_to);
  find("#other").hidden = !isOneSided && !study.showsOther;
  setText(find("#other span"), `Show what is closed to ${symbols[other - 1]}`);
  scrollToAnswer(study, hidesValues);
}

/**
 * Explains what is written on the cells: facts, and estimates where there are any.
 * @param {Analysis | null} analysis
 */
function showLegend(analysis) {
  const actions = analysis?.actions ?? [];
  const estimates = actions.filter(isEstimate).length;
  find("#legend").hidden = actions.length === 0;
  find("#legend .facts").hidden = estimates === actions.length;
  find("#legend .guesses").hidden = estimates === 0;
}

/**
 * Shows how likely the mover wins, where that is only estimated.
 * @param {Study} study
 * @param {boolean} isHidden
 */
function showChance({ analysis, rulebook: { symbols } }, isHidden) {
  const place = find("#chance");
  place.hidden = isHidden || !analysis || !isEstimate(analysis);
  if (place.hidden || !analysis) return;
  const { mover, actions: [best] } = analysis;
  const sign = find(".sign", place);
  const meter = find(".meter", place);
  setText(sign, symbols[mover - 1]);
  sign.className = `sign ${mover === 1 ? "one" : "two"}`;
  setText(find("b", place), best.label);
  meter.style.setProperty("--chance", String(analysis.estimate));
  meter.ariaLabel = `${symbols[mover - 1]}'s chance of winning`;
  meter.ariaValueNow = best.label.replace("~", "");
  meter.ariaValueText = estimateOf(best);
}

/**
 * Brings what a large board is looked at for into sight: the best cell when it is opened, and the
 * last move where one steps.
 * @param {Study} study
 * @param {boolean} hidesValues
 */
function scrollToAnswer({ source, line, analysis, draft }, hidesValues) {
  if (draft || !analysis) return;
  const isOpened = seen.source !== source;
  if (!isOpened && seen.line === line) return;
  const best = analysis.actions[0];
  const isFact = best !== undefined && best.value !== "unknown";
  if (isOpened && !isFact && !analysis.complete) return;
  seen = { source, line };
  const isShown = isOpened && best !== undefined && isJudged(best) && !hidesValues;
  const answer = isShown ? best.cell : played(line).at(-1);
  if (answer) board.reveal(answer);
}

/**
 * Writes into the address bar what is shown. What somebody played can be left by the browser's Back.
 * @param {Study} study
 */
function keepAddress(study) {
  const { source, line, review, isStep } = study;
  if (kept.source === source && kept.line === line && kept.review === review) return;
  kept = { source, line, review };
  const address = addressOf(study, review !== null);
  const isNew = address !== readable(location.pathname + location.search);
  if (isStep && isNew) history.pushState({ source, line }, "", address);
  else history.replaceState({ source, line }, "", address);
}

/**
 * @param {Study} study
 * @param {ReviewedAction | null} riddle
 */
function showVerdict(study, riddle) {
  const { analysis, attempt, draft, line } = study;
  const verdict = find("#verdict");
  const text = draft ? "" : verdictOf(study, riddle);
  setText(verdict, text);
  setText(find("#progress"), analysis && !riddle && !draft ? progressOf(analysis) : "");
  verdict.className = attempt?.isRight ? "right" : "";
  if (attempt && attempt !== told.attempt) play(attempt.isRight ? "won" : "refused");
  const isFinal = analysis?.complete || riddle !== null; // what comes before may change with every value
  if (text && isFinal && (told.line !== line || told.text !== text)) announce(text);
  told = { attempt, ...(isFinal ? { line, text } : {}) };
  find("#riddle").hidden = riddle === null || draft !== null;
}

/**
 * @param {Study} study
 * @param {ReviewedAction | null} riddle
 */
function verdictOf(study, riddle) {
  const { analysis, board: shown, attempt, rulebook } = study;
  const mover = rulebook.symbols[(shown?.mover ?? 1) - 1];
  if (riddle) {
    return attempt ? `${attempt.cell} does not win. Look again.` : `${riddle.fault} ${mover} to move: find a cell that wins.`;
  }
  const isOpen = !analysis || !(analysis.complete || isJudged(analysis));
  const worth = isOpen ? "" : analysis.sentence;
  const news = attempt?.isRight ? `Right: ${attempt.cell} wins.` : presentMistake(study)?.fault;
  return [news, worth].filter(Boolean).join(" ") || (analysis ? `${mover} to move.` : "Asking the server…");
}

/**
 * @param {Study} study
 * @param {StudyStore} store
 * @param {boolean} isHidden
 */
function showBestLine(study, store, isHidden) {
  const { analysis, line, order, rulebook: { symbols } } = study;
  const best = analysis?.actions[0];
  const isKnown = best !== undefined && best.value !== "unknown" && !isHidden;
  find("#best").hidden = !isKnown;
  if (!isKnown) return;
  const moves = [...played(line), ...best.line];
  listTurns(find("#best ol"), {
    symbols, turns: turnsFrom(order, moves, line.cursor), present: null,
    visit: (count) => store.playLine(best.line.slice(0, count - line.cursor)),
  });
}

/** Offers to play on from the position shown, once it is known to be one. @param {Study} study */
function showPlayOn({ rulebook, analysis }) {
  const link = findAs(HTMLAnchorElement, "#play-on");
  link.hidden = !analysis || analysis.winner !== null;
  if (analysis) link.href = playAddress(rulebook.id, analysis.position);
}

/** The button for a step. @param {string} name */
const buttonOf = (name) => findAs(HTMLButtonElement, `[data-step=${name}], [data-do=${name}]`);

/**
 * @param {Study} study
 * @param {boolean} isGuessing
 */
function showSteps({ line, analysis, showsValues, draft }, isGuessing) {
  const { cursor, path } = line;
  buttonOf("home").disabled = buttonOf("back").disabled = cursor === 0 || draft !== null;
  buttonOf("on").disabled = buttonOf("end").disabled = cursor === path.length || draft !== null;
  const best = analysis?.actions[0];
  buttonOf("best").disabled = !best || !isJudged(best) || isGuessing || draft !== null;
  buttonOf("values").setAttribute("aria-pressed", String(showsValues));
}

/**
 * @param {Study} study
 * @returns {string[]}
 */
function lastTurn({ order, line }) {
  const moves = played(line);
  const mover = moverOf(order, moves.length - 1);
  const from = moves.findLastIndex((_, index) => moverOf(order, index) !== mover);
  return moves.slice(from + 1);
}

const sayTrouble = (/** @type {Problem} */ problem) => setText(find("#alarm"), `${messageOf(problem)} Trying again…`);

persist(begin, sayTrouble).catch((error) => showDeadEnd(messageOf(error)));
