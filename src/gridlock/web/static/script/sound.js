import { preferences } from "./memory.js";

/** @import {Player} from "./types.js" */

/** @type {Record<string, {notes: number[], type: OscillatorType, gap: number}>} Notes in hertz, gaps in seconds. */
const TUNES = {
  first: { notes: [392], type: "triangle", gap: 0 },
  second: { notes: [330], type: "triangle", gap: 0 },
  refused: { notes: [131], type: "sine", gap: 0 },
  joined: { notes: [392, 523], type: "sine", gap: 0.1 },
  won: { notes: [392, 494, 587, 784], type: "triangle", gap: 0.11 },
  lost: { notes: [330, 277, 220], type: "sine", gap: 0.14 },
  hurry: { notes: [880], type: "sine", gap: 0 },
};
const LOUDNESS = 0.07;
const NOTE_SECONDS = 0.16;

/** @type {AudioContext | null} */
let context = null;

/**
 * Plays a short, quiet tune, unless sounds are off or the browser wants a tap first.
 * @param {keyof typeof TUNES} name
 */
export function play(name) {
  if (!preferences().sound || !navigator.userActivation?.hasBeenActive) return;
  context ??= new AudioContext();
  const { notes, type, gap } = TUNES[name];
  const start = context.currentTime + 0.01;
  notes.forEach((frequency, index) => ring(frequency, type, start + index * gap));
}

/** @param {Player} player */
export const playMark = (player) => play(player === 1 ? "first" : "second");

/**
 * @param {number} frequency
 * @param {OscillatorType} type
 * @param {number} start
 */
function ring(frequency, type, start) {
  if (!context) return;
  const tone = new OscillatorNode(context, { frequency, type });
  const volume = new GainNode(context, { gain: 0 });
  volume.gain.setValueAtTime(0, start);
  volume.gain.linearRampToValueAtTime(LOUDNESS, start + 0.012);
  volume.gain.exponentialRampToValueAtTime(0.0001, start + NOTE_SECONDS);
  tone.connect(volume).connect(context.destination);
  tone.start(start);
  tone.stop(start + NOTE_SECONDS);
}
