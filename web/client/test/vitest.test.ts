// The mock host where authors of pages use it: in vitest, with jsdom and with happy-dom.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

const WEB = fileURLToPath(new URL("../..", import.meta.url));

test("in vitest with jsdom and happy-dom", () => {
  const { status, stdout, stderr } = spawnSync(
    `${WEB}/node_modules/.bin/vitest`,
    ["run", "--config", "client/test/vitest/vitest.config.ts"],
    { cwd: WEB, encoding: "utf8", env: { ...process.env, NODE_OPTIONS: "", CI: "true" } },
  );
  assert.equal(status, 0, stdout + stderr);
  assert.match(stdout, /6 passed/);
});
