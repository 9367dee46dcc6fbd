/*
 * Runs before everything else, as a plain script: the right theme before the first paint, and a word
 * for the worst case, when the rest of the page cannot be loaded or breaks.
 */
try {
  const kept = JSON.parse(localStorage.getItem("gridlock.preferences") || "{}");
  if (kept.theme === "dark" || kept.theme === "light") document.documentElement.dataset.theme = kept.theme;
  if (kept.motion === false) document.documentElement.dataset.motion = "off";
} catch {
  // A browser that keeps nothing, or kept nonsense: the system's theme it is.
}

addEventListener("error", (event) => {
  const { target } = event;
  if (target instanceof HTMLScriptElement || (target instanceof HTMLLinkElement && target.rel === "stylesheet")) {
    explain("A part of this page could not be loaded: the server cannot be reached or is busy.");
  } else if (event instanceof ErrorEvent && event.filename.startsWith(location.origin)) {
    explain(`Something went wrong on this page (${event.error?.message ?? event.message}).`);
  }
}, true);
addEventListener("unhandledrejection", ({ reason }) => {
  if (reason?.name !== "AbortError") explain(`Something went wrong on this page (${reason?.message ?? reason}).`);
});

/**
 * Says once, at the top of the page, that it does not work and what can be done.
 * @param {string} text
 */
function explain(text) {
  if (!document.body) {
    addEventListener("DOMContentLoaded", () => explain(text));
    return;
  }
  if (document.querySelector(".last-resort")) return;
  const box = document.createElement("p");
  box.className = "trouble last-resort";
  box.setAttribute("role", "alert");
  const reload = document.createElement("a");
  reload.href = location.href;
  reload.textContent = "Load it again";
  reload.addEventListener("click", (event) => {
    event.preventDefault();
    location.reload();
  });
  box.append(`${text} `, reload, ". Games are kept on the server.");
  document.body.prepend(box);
}
