import assert from "node:assert/strict";
import { test } from "node:test";
// @ts-expect-error: it comes without types
import { JSDOM } from "jsdom";
import { drawTerminal } from "../src/terminal";

const { document: page, HTMLAnchorElement: Anchor } = new JSDOM("<body>").window;
Object.assign(globalThis, { document: page, HTMLAnchorElement: Anchor });

test("a wide character takes two cells, and the text stays whole", () => {
  const text = "│ 浦和 レッズ │ 2－1 │ 서울 │ Müller │";
  const screen = drawTerminal(`\x1b[1m${text}\x1b[0m`);
  assert.equal(screen.textContent, text);
  const wide = [...screen.querySelectorAll(".wide")].map(({ textContent }) => textContent);
  assert.equal(wide.join(""), "浦和レッズ－서울");
});
