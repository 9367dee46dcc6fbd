import "../board.js";
import "../masthead.js";
import { fetchGames } from "../api.js";
import { announce } from "../announce.js";
import { showLinks } from "../dialog.js";
import { find, setText } from "../element.js";
import { play } from "../sound.js";
import { capital, sentence } from "../text.js";
import { PositionEditor, draftBoard } from "./editor.js";
import { stepOf } from "./keys.js";
import { branchOf, moverOf, played } from "./line.js";
import { listCells, orderOf, showMoves } from "./moves.js";
import { notesOf } from "./notes.js";
import { ReviewPanel } from "./review-panel.js";
import { addressOf, permanentLink, readAddress, readable } from "./source.js";
import { StudyStore, isOffline } from "./store.js";

/** @import {Study} from "./store.js" */

const board = find("#board");
/** @type {Partial<Study>} What the address bar says. */
let kept = {};

async function begin() {
  const rulebooks = await fetchGames();
  /** @param {string} id */
  const rulebookOf = (id) => rulebooks.find((rulebook) => rulebook.id === id) ?? rulebooks[0];
  const query = new URLSearchParams(location.search);
  const { source, line } = await readAddress(query, (game) => rulebookOf(game).size);
  const store = new StudyStore(source, rulebookOf(source.game), line, (study) => render(study));
  const editor = new PositionEditor(find("#editor"), store, rulebooks);
  const review = new ReviewPanel({ box: find("#review"), track: find("#timeline") }, store);
  wire(store, editor, review);
  addEventListener("popstate", ({ state }) => {
    if (state?.source) store.restore(state.source, rulebookOf(state.source.game), state.line);
  });

  /** @param {Study} study */
  function render(study) {
    show(study, store);
    review.show(study);
  }
  await store.refresh();
  if (query.has("review")) await store.loadReview();
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
    back: () => store.goTo(store.study.line.cursor - 1),
    on: () => store.goTo(store.study.line.cursor + 1),
    end: () => store.goTo(store.study.line.path.length),
    best: () => store.study.analysis?.actions[0] && store.choose(store.study.analysis.actions[0].cell),
    values: () => store.change({ showsValues: !store.study.showsValues }),
    "mistake-next": () => review.jump(1),
    "mistake-before": () => review.jump(-1),
    edit: () => editor.begin(),
    review: () => store.loadReview(),
    link: () => showLinks("Link to this position", [{
      label: "Permanent link", text: "Whoever opens it sees this position.",
      link: permanentLink(store.study.source, store.study.line),
    }]),
    "back-to-game": () => store.goToMain(branchOf(store.study.line) ?? 0),
    reveal: () => store.study.quiz && store.change({ quiz: { ...store.study.quiz, isSolved: true, verdict: "" } }),
    leave: () => store.change({ quiz: null }),
  };

  board.addEventListener("choose", (/** @type {CustomEvent<{cell: string}>} */ { detail }) => {
    if (store.study.draft) editor.paint(detail.cell);
    else store.choose(detail.cell);
  });
  for (const name of ["home", "back", "on", "end", "best", "values"]) {
    find(`[data-step=${name}]`).addEventListener("click", steps[name]);
  }
  for (const name of ["edit", "review", "link", "back-to-game", "reveal", "leave"]) {
    find(`[data-do=${name}]`).addEventListener("click", steps[name]);
  }
  document.addEventListener("keydown", (event) => {
    const target = /** @type {Element} */ (event.target);
    if (store.study.draft || target.closest("input, select, textarea, dialog")) return;
    const name = stepOf(event);
    if (!name) return;
    event.preventDefault();
    steps[name]();
  });
}

/**
 * @param {Study} study
 * @param {StudyStore} store
 */
function show(study, store) {
  const { source, line, analysis, quiz, draft, trouble } = study;
  const rulebook = draft?.rulebook ?? study.rulebook;
  const size = draft ? `${draft.rows}x${draft.columns}` : source.size;
  find("#main").setAttribute("aria-busy", String(study.isBusy));
  setText(find("#trouble"), trouble);
  if (!analysis) return;
  find("#main").classList.remove("empty");
  const name = capital(rulebook.id);
  setText(find("#title"), source.room && study.review ? `${name}: review` : `${name}: analysis`);
  setText(find("#terms"), size.replace("x", " × "));
  document.title = `${name}: analysis – GridLock`;
  const isGuessing = quiz !== null && !quiz.isSolved;
  const hidesValues = isGuessing || !study.showsValues || draft !== null;
  board.show({
    board: draft ? draftBoard(draft) : analysis.board,
    symbols: rulebook.symbols, counting: rulebook.counting,
    last: draft ? [] : lastTurn(study), open: !draft && analysis.winner === null,
    notes: hidesValues ? undefined : notesOf(analysis),
    label: `${rulebook.id}, ${size}${draft ? ", being set up" : ""}`,
  });
  board.classList.toggle("editing", draft !== null);
  find("#legend").hidden = hidesValues || analysis.actions.length === 0;
  showVerdict(study, isGuessing);
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
  find("#deeds").hidden = draft !== null;
  find("[data-do=review]").hidden = !source.room?.isFinished || study.review !== null;
  find("#to-room").hidden = !source.room;
  if (source.room) find("#to-room").href = `/room/${encodeURIComponent(source.room.id)}`;
  showSteps(study, isGuessing);
  if (!draft) keepAddress(study);
}

/**
 * Writes into the address bar what is shown. What somebody played can be left by the browser's Back.
 * @param {Study} study
 */
function keepAddress({ source, line, review, isStep }) {
  if (kept.source === source && kept.line === line && kept.review === review) return;
  kept = { source, line, review };
  const address = addressOf(source, line, review !== null);
  const isNew = address !== readable(location.pathname + location.search);
  if (isStep && isNew) history.pushState({ source, line }, "", address);
  else history.replaceState({ source, line }, "", address);
}

/**
 * @param {Study} study
 * @param {boolean} isGuessing
 */
function showVerdict({ analysis, quiz, rulebook, review, line, isBusy, draft }, isGuessing) {
  if (!analysis) return;
  const verdict = find("#verdict");
  const mistake = branchOf(line) === null && review?.actions[line.cursor - 1];
  let text = analysis.sentence;
  if (isGuessing) {
    const mover = rulebook.symbols[analysis.board.mover - 1];
    text = quiz?.verdict || `${mover} to move, instead of ${quiz?.mistake.cell}: find a cell that wins.`;
  } else if (quiz?.verdict) text = `${quiz.verdict} ${analysis.sentence}`;
  else if (mistake && mistake.text) text = `${mistake.text} ${analysis.sentence}`;
  if (draft) text = "";
  if (isBusy) text = "Working it out…";
  const isNews = verdict.textContent !== text && !isBusy;
  setText(verdict, text);
  const isPartial = analysis.limit && analysis.value !== "unknown" && !isGuessing && !draft && !isBusy;
  setText(find("#limit"), isPartial ? `Not everything is known: ${analysis.limit}.` : "");
  verdict.className = quiz?.isSolved && quiz.verdict ? "right" : "";
  if (isNews) announce(text);
  if (isNews && quiz?.verdict) play(quiz.isSolved ? "won" : "refused");
  find("#quiz").hidden = !isGuessing;
}

/**
 * @param {Study} study
 * @param {StudyStore} store
 * @param {boolean} isHidden
 */
function showBestLine(study, store, isHidden) {
  const best = study.analysis?.actions[0];
  find("#best").hidden = isHidden || !best || best.value === "unknown";
  if (!best) return;
  const from = study.line.cursor;
  listCells(find("#best ol"), {
    study, cells: best.line, from, present: null,
    visit: (count) => store.playLine(best.line.slice(0, count - from)),
  });
}

/**
 * @param {Study} study
 * @param {boolean} isGuessing
 */
function showSteps({ line, analysis, showsValues, draft }, isGuessing) {
  const { cursor, path } = line;
  find("[data-step=home]").disabled = find("[data-step=back]").disabled = cursor === 0 || draft !== null;
  find("[data-step=on]").disabled = find("[data-step=end]").disabled = cursor === path.length || draft !== null;
  find("[data-step=best]").disabled = !analysis?.actions.length || isGuessing || draft !== null;
  find("[data-step=values]").setAttribute("aria-pressed", String(showsValues));
}

/**
 * @param {Study} study
 * @returns {string[]}
 */
function lastTurn(study) {
  const order = orderOf(study);
  const moves = played(study.line);
  const mover = moverOf(order, moves.length - 1);
  const from = moves.findLastIndex((_, index) => moverOf(order, index) !== mover);
  return moves.slice(from + 1);
}

/** Begins, and begins again once the server can be reached. */
async function start() {
  try {
    await begin();
  } catch (error) {
    find("#main").setAttribute("aria-busy", "false");
    setText(find("#trouble"), sentence(/** @type {Error} */ (error).message));
    if (isOffline(error)) addEventListener("online", start, { once: true });
  }
}

start();
