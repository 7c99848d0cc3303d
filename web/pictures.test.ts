// The pictures of the documentation show what is in the sources.

import assert from "node:assert/strict";
import { test } from "node:test";
import { isStale, PICTURES, recorded } from "./test/picture-inputs";

test("every picture was drawn from the sources as they are", () => {
  const names = PICTURES.filter(isStale).map(({ name }) => `docs/${name}.png`);
  assert.deepEqual(names, [], "stale: run `npm run pictures` in web/ and commit what it writes");
});

test("what is recorded is in the documentation", () => {
  const names = PICTURES.map(({ name }) => name).sort();
  assert.deepEqual(Object.keys(recorded()).sort(), names);
  assert.ok(names.length > 15);
});
