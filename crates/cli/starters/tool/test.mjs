import assert from "node:assert/strict";
import test from "node:test";

import { answer } from "./TOOL.mjs";

test("tax is added", () => {
  assert.deepEqual(answer({ amount: 50 }), { label: "Total with tax", value: 54.05 });
});
