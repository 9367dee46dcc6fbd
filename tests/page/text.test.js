import assert from "node:assert/strict";
import { test } from "node:test";
import { capital, messageOf, sentence } from "../../src/gridlock/web/static/script/text.js";

test("a sentence begins with a capital and ends once", () => {
  assert.equal(sentence("the server is busy"), "The server is busy.");
  for (const end of [".", "!", "?", "…"]) assert.equal(sentence(`done${end}`), `Done${end}`);
  assert.equal(capital(""), "");
  assert.equal(messageOf(new Error("no such room")), "No such room.");
});
