import assert from "node:assert/strict";
import { test } from "node:test";
import { playAddress, readable } from "../../src/gridlock/web/static/script/address.js";

test("an address is easy to read, and read back the same", () => {
  const position = "1#./..2 1 1,1";
  const address = playAddress("trail", position);
  assert.equal(address, "/?game=trail&position=1%23./..2+1+1,1");
  const query = new URLSearchParams(address.slice(1));
  assert.deepEqual([query.get("game"), query.get("position")], ["trail", position]);
});

test("only commas and slashes are left as they are", () => {
  assert.equal(readable("a%2Cb%2Fc%23d"), "a,b/c%23d");
});
