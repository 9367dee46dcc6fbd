/** @type {Record<string, string>} */
const STEPS = {
  ArrowLeft: "back", ArrowRight: "on", Home: "home", End: "end",
  "[": "back", "]": "on", b: "best", v: "values", m: "mistake-next",
};
/** @type {Record<string, string>} */
const PLACES = { BracketLeft: "[", BracketRight: "]", KeyB: "b", KeyV: "v", KeyM: "m" };

/**
 * The step that a key stands for. Where a keyboard writes other letters, the place of the key counts.
 * @param {KeyboardEvent} event
 * @returns {string | undefined}
 */
export function stepOf(event) {
  const writes = event.getModifierState("AltGraph"); // brackets need it on many keyboards
  if (event.metaKey || (!writes && (event.ctrlKey || event.altKey))) return undefined;
  const isForeign = event.key.length === 1 && event.key > "~";
  const key = isForeign ? PLACES[event.code] : event.key.length === 1 ? event.key.toLowerCase() : event.key;
  return key === "m" && event.shiftKey ? "mistake-before" : STEPS[key];
}
