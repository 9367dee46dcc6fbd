import assert from "node:assert/strict";
import { test } from "node:test";
import { stepOf } from "../../src/gridlock/web/static/script/study/keys.js";

const press = (key, { code = "", altGraph = false, ...held } = {}) =>
  stepOf({ key, code, ...held, getModifierState: () => altGraph });

test("keys stand for steps", () => {
  assert.deepEqual(["[", "]", "Home", "End", "ArrowLeft", "b", "V"].map((key) => press(key)),
    ["back", "on", "home", "end", "back", "best", "values"]);
  assert.equal(press("m"), "mistake-next");
  assert.equal(press("M", { shiftKey: true }), "mistake-before");
  assert.equal(press("q"), undefined);
});

test("keys of the browser and the system are left to them", () => {
  for (const held of ["ctrlKey", "altKey", "metaKey"]) assert.equal(press("b", { [held]: true }), undefined);
});

test("a bracket that needs other keys is still a bracket", () => {
  assert.equal(press("[", { altGraph: true, ctrlKey: true, altKey: true }), "back");
});

test("where a keyboard writes other letters the place of the key counts", () => {
  assert.equal(press("и", { code: "KeyB" }), "best");
  assert.equal(press("ü", { code: "BracketLeft" }), "back");
});
