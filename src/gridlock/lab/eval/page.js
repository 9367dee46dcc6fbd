// Steps through the games of a trial. What models wrote is only ever put into text nodes.
const games = JSON.parse(document.getElementById("data").textContent);
const [choice, board, words, status] = ["choice", "board", "words", "status"].map((id) => document.getElementById(id));
const [back, forth] = ["back", "forth"].map((id) => document.getElementById(id));
let game = 0;
let step = 0;

function element(name, text, className = "") {
  const made = document.createElement(name);
  made.textContent = text;
  made.className = className;
  return made;
}

function drawBoard(shown, now) {
  board.replaceChildren();
  const head = board.insertRow();
  head.append(element("th", ""), ...shown.columns.map((name) => element("th", name)));
  shown.rows.forEach((name, row) => {
    const line = board.insertRow();
    line.append(element("th", name));
    shown.columns.forEach((_, column) => {
      const cell = row * shown.columns.length + column;
      const [text, kind] = now.cells[cell];
      const chosen = cell === now.chosen ? " chosen" : "";
      line.append(element("td", text, kind + chosen));
    });
  });
}

function show() {
  const shown = games[game];
  const now = shown.steps[step];
  drawBoard(shown, now);
  status.textContent = now.status;
  words.replaceChildren();
  for (const answer of now.answers) {
    words.append(element("p", answer.outcome, "faint"), element("div", answer.text || "(nothing)", "words"));
  }
  back.disabled = step === 0;
  forth.disabled = step === shown.steps.length - 1;
}

function go(by) {
  step = Math.max(0, Math.min(games[game].steps.length - 1, step + by));
  show();
}

games.forEach((one, number) => {
  const option = element("option", one.title);
  option.value = String(number);
  choice.append(option);
});
choice.addEventListener("change", () => {
  [game, step] = [Number(choice.value), 0];
  show();
});
back.addEventListener("click", () => go(-1));
forth.addEventListener("click", () => go(1));
document.addEventListener("keydown", (event) => {
  if (event.target === choice || event.ctrlKey || event.altKey || event.metaKey) return;
  if (event.key === "ArrowLeft") go(-1);
  if (event.key === "ArrowRight") go(1);
});
if (games.length) show();
