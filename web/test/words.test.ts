// Words without an end: a token, an address, a path. Whatever they stand in, nothing of a view is wider than
// its card.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { generate } from "./generate";
import { TestBrowser } from "./host";
import { result, type Tree } from "./tree";

let browser: TestBrowser;
before(async () => {
  browser = await TestBrowser.open();
});
after(() => browser?.close());

const WIDTHS = [240, 280, 360, 480, 700];
const ENDLESS = [
  "Donaudampfschifffahrtsgesellschaftskapitänsmütze",
  "sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
  "1234567890".repeat(9),
  "配送状況".repeat(20),
  "المستشفيات".repeat(8),
];

/** The same tree with an endless word in the place of every text that people read. */
function endless(node: unknown, word: () => string): unknown {
  if (Array.isArray(node)) return node.map((one) => endless(one, word));
  if (typeof node !== "object" || node === null) return node;
  return Object.fromEntries(
    Object.entries(node).map(([key, value]) => {
      const isRead = /^(value|label|text|placeholder|description)$/.test(key);
      if (!isRead || typeof value !== "string" || value.startsWith("v")) {
        return [key, endless(value, word)];
      }
      return [key, value.replace(/[^\s|*#`-]{4,}/g, word)];
    }),
  );
}

test("nothing is wider than the card", async () => {
  const shown = Array.from({ length: 60 }, (_, seed) => {
    let at = seed;
    const word = () => ENDLESS[at++ % ENDLESS.length] as string;
    const tree = endless(generate(1000 + seed), word) as Tree;
    return {
      name: `seed ${seed}`,
      page: "/page/view",
      input: {},
      result: { ...result(tree) },
    };
  });
  const { count, faults } = await browser.layout(shown, WIDTHS);
  assert.equal(count, shown.length);
  assert.deepEqual(
    faults.filter((line) => line.includes("past the edge")),
    [],
  );
});
