/* Runs before the first paint, as a plain script, so that a page never flashes in the wrong theme. */
try {
  const kept = JSON.parse(localStorage.getItem("gridlock.preferences") || "{}");
  if (kept.theme === "dark" || kept.theme === "light") document.documentElement.dataset.theme = kept.theme;
  if (kept.motion === false) document.documentElement.dataset.motion = "off";
} catch {
  // A browser that keeps nothing, or kept nonsense: the system's theme it is.
}
