import "./masthead.js";
import { announce } from "./announce.js";
import { fetchGames, fetchLesson } from "./api.js";
import { GridBoard } from "./board.js";
import { cellIndex } from "./board-cell.js";
import { find, findAs, setText } from "./element.js";
import { linkGames } from "./game-links.js";
import { prefer } from "./memory.js";
import { persist } from "./persist.js";
import { celebrate } from "./room/celebration.js";
import { play, playMark } from "./sound.js";
import { capital, messageOf } from "./text.js";

/** @import {ChooseEvent} from "./board.js" */
/** @import {Lesson, Player} from "./types.js" */

/** @type {Player} */
const LEARNER = 1;
const PATIENCE = 2; // wrong tries at a step, after which the cell is shown

const obstacle = find("#trouble");
const board = findAs(GridBoard, "#board");
const [back, next] = ["#back", "#next"].map((id) => findAs(HTMLButtonElement, id));

/** Leads somebody through a lesson; the server has said what each step shows, and what is wrong with each cell. */
class Teacher {
  #at = 0;
  #wrongTries = 0;

  /** @param {Lesson} lesson */
  constructor(lesson) {
    this.lesson = lesson;
    board.addEventListener("choose", (event) => this.#choose(/** @type {ChooseEvent} */ (event).detail.cell));
    back.addEventListener("click", () => this.#go(this.#at - 1));
    next.addEventListener("click", () => this.#go(this.#at + 1));
    this.#show();
  }

  get #step() {
    return this.lesson.steps[this.#at];
  }

  get #isLast() {
    return this.#at === this.lesson.steps.length - 1;
  }

  /** @param {string} cell */
  #choose(cell) {
    const { board: position, cell: wanted, refusals } = this.#step;
    if (wanted === null) {
      next.focus();
      return;
    }
    const refusal = refusals[cellIndex(position, this.lesson.rulebook.counting, cell)];
    if (refusal) {
      find("#answer").textContent = refusal;
      announce(refusal);
      play("refused");
      this.#wrongTries += 1;
      this.#draw();
      return;
    }
    playMark(LEARNER);
    this.#go(this.#at + 1);
  }

  /** @param {number} at */
  #go(at) {
    this.#at = at;
    this.#wrongTries = 0;
    this.#show();
    const { text, task } = this.#step;
    announce(`${text} ${task}`);
    // Keys go on where the next thing is to be done.
    if (this.#isLast) find("#play").focus();
    else if (task) board.focusCell();
    else next.focus();
    if (!this.#isLast) return;
    play("won");
    celebrate(find(".place"), LEARNER);
  }

  #draw() {
    const { rulebook: { id, symbols, counting, has_tokens: hasTokens }, size } = this.lesson;
    const { board: position, last, cell } = this.#step;
    const hint = this.#wrongTries >= PATIENCE ? cell : null;
    board.show({ board: position, symbols, counting, hasTokens, last, hint, open: !position.winner, label: `${id}, ${size}` });
  }

  #show() {
    const { steps } = this.lesson;
    const { text, task } = this.#step;
    this.#draw();
    find("#number").textContent = `Step ${this.#at + 1} of ${steps.length}`;
    find("#text").textContent = text;
    find("#task").textContent = task;
    find("#answer").textContent = "";
    back.hidden = this.#at === 0;
    next.hidden = Boolean(task) || this.#isLast;
    find("#play").hidden = find("#other").hidden = !this.#isLast;
  }
}

async function begin() {
  /** @param {Error} problem */
  const tell = (problem) => setText(obstacle, `${messageOf(problem)} Trying again…`);
  const rulebooks = (await persist(fetchGames, tell)).filter(({ has_lesson: hasLesson }) => hasLesson);
  const id = decodeURIComponent(location.pathname.split("/")[2] ?? rulebooks[0].id);
  linkGames(find("#games"), rulebooks, "/learn", id);
  const lesson = await persist(() => fetchLesson(id), tell);
  setText(obstacle, "");
  document.title = `Learn ${id} – GridLock`;
  find("#title").textContent = capital(id);
  findAs(HTMLAnchorElement, "#play").href = `/?game=${id}`;
  const other = rulebooks[(rulebooks.findIndex((rulebook) => rulebook.id === id) + 1) % rulebooks.length].id;
  Object.assign(findAs(HTMLAnchorElement, "#other"), { href: `/learn/${other}`, textContent: `Learn ${other}` });
  new Teacher(lesson);
  prefer({ welcomed: true });
  find("#main").classList.remove("empty");
}

begin().catch((error) => setText(obstacle, messageOf(error)));
