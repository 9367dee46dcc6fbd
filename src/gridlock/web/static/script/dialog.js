import { element } from "./element.js";
import { capital } from "./text.js";

const COPIED_MS = 2000;

/**
 * Asks once.
 * @param {{title: string, text: string, yes: string, no: string, isHarmless?: boolean}} question
 * @returns {Promise<boolean>}
 */
export function ask({ title, text, yes, no, isHarmless = false }) {
  const dialog = element("dialog", { "aria-labelledby": "dialog-title" },
    element("form", { method: "dialog" },
      element("h2", { id: "dialog-title" }, title),
      element("p", {}, text),
      element("div", { class: "choices" },
        element("button", { value: "no" }, no),
        element("button", { value: "yes", class: isHarmless ? "primary" : "danger" }, yes))));
  return shown(dialog).then((answer) => answer === "yes");
}

/**
 * Shows links to hand on.
 * @param {string} title
 * @param {{label: string, text: string, link: string}[]} links
 */
export function showLinks(title, links) {
  const dialog = element("dialog", { "aria-labelledby": "dialog-title" },
    element("form", { method: "dialog" },
      element("h2", { id: "dialog-title" }, title),
      ...links.map(({ label, text, link }) =>
        element("div", { class: "field" },
          element("h3", {}, label), element("p", { class: "quiet small" }, text), linkRow(link, label))),
      element("div", { class: "choices" }, element("button", { value: "done" }, "Done"))));
  const closed = shown(dialog);
  dialog.querySelector("button")?.focus();
  return closed;
}

/**
 * Shows a game as texts to copy, each whole in its field; what was copied is said.
 * @param {{position: string, moves: string, record: string}} game
 */
export function showGame(game) {
  const said = element("p", { class: "quiet small", role: "status" });
  const dialog = element("dialog", { "aria-labelledby": "dialog-title" },
    element("form", { method: "dialog" },
      element("h2", { id: "dialog-title" }, "Copy"),
      ...Object.entries(game).filter(([, text]) => text).map(([name, text]) => textRow(name, text, said)),
      said,
      element("div", { class: "choices" }, element("button", { value: "done" }, "Done"))));
  const closed = shown(dialog);
  dialog.querySelector("button")?.focus();
  return closed;
}

/**
 * @param {string} name
 * @param {string} text
 * @param {HTMLElement} said Where it is said that it was copied.
 */
function textRow(name, text, said) {
  const options = { value: text, readOnly: true, "aria-label": capital(name), onfocus: () => field.select() };
  const field = text.includes("\n") ? element("textarea", { ...options, rows: 4 }) : element("input", options);
  const copy = element("button", { type: "button", "aria-label": `Copy the ${name}` }, "Copy");
  copy.addEventListener("click", async () => {
    await copyText(text, field);
    confirm(copy);
    copy.focus(); // a browser without a clipboard has selected the text
    said.textContent = "";
    requestAnimationFrame(() => (said.textContent = `The ${name} ${name.endsWith("s") ? "are" : "is"} copied.`));
  });
  return element("div", { class: "field" },
    element("h3", {}, capital(name)), element("div", { class: "link-row" }, field, copy));
}

/**
 * A link with a button to copy it, and one to share it where the browser can.
 * @param {string} link
 * @param {string} label
 */
export function linkRow(link, label) {
  const field = element("input", {
    value: link, readOnly: true, "aria-label": label, onfocus: () => field.select(),
  });
  const copy = element("button", { type: "button", class: "primary" }, "Copy");
  copy.addEventListener("click", async () => {
    await copyText(link, field);
    confirm(copy);
  });
  const share = element("button", { type: "button" }, "Share…");
  // A person who thinks better of sharing is no error.
  share.addEventListener("click", () => navigator.share({ title: "GridLock", url: link }).catch(() => {}));
  return element("div", { class: "link-row" }, field, copy, "share" in navigator && share);
}

/** Shows for a while that something was copied. @param {HTMLButtonElement} button */
function confirm(button) {
  button.textContent = "Copied";
  setTimeout(() => (button.textContent = "Copy"), COPIED_MS);
}

/**
 * @param {string} text
 * @param {HTMLInputElement | HTMLTextAreaElement} field Where it stands: browsers without a clipboard copy a selection.
 */
export async function copyText(text, field) {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    field.select();
    document.execCommand("copy");
  }
}

/**
 * @param {HTMLDialogElement} dialog
 * @returns {Promise<string>} The value of the button that closed it.
 */
function shown(dialog) {
  document.body.append(dialog);
  dialog.addEventListener("click", (event) => event.target === dialog && dialog.close());
  dialog.showModal();
  return new Promise((answer) => {
    dialog.addEventListener("close", () => {
      answer(dialog.returnValue);
      dialog.remove();
    });
  });
}
