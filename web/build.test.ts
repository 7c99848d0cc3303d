// The pages that are committed in the crates are what the sources build.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const fresh = mkdtempSync(join(tmpdir(), "widgetcast-pages-"));
after(() => rmSync(fresh, { recursive: true }));

test("every committed page is what the sources build, byte by byte", () => {
  // Fails, too, when a page is over its budget.
  execFileSync("node", [join(root, "web/build.mjs"), "--out", fresh], { stdio: "pipe" });
  const sheet = (folder: string) => readFileSync(join(folder, "docs/icons.svg"), "utf8");
  assert.equal(sheet(root), sheet(fresh), "docs/icons.svg is stale: run `npm run build` in web/");
  const folders = [
    "crates/widgetcast/pages",
    "crates/display/pages",
    "crates/chatkit/pages",
    "examples/helpdesk/web/dist",
  ];
  for (const folder of folders) {
    const built = readdirSync(join(fresh, folder)).sort();
    assert.deepEqual(readdirSync(join(root, folder)).sort(), built, folder);
    for (const name of built) {
      const same = readFileSync(join(fresh, folder, name)).equals(
        readFileSync(join(root, folder, name)),
      );
      assert.ok(same, `${folder}/${name} is stale: run \`npm run build\` in web/ and commit it`);
    }
  }
});
