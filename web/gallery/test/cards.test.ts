// How a card is drawn beside Microsoft's renderer: the Markdown of a TextBlock, charts and icons.

import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
// @ts-expect-error: it comes without types
import { JSDOM } from "jsdom";
import { writePageIcons } from "../../view/icons.mjs";
import { bounds, seriesOf, ticks } from "../src/lazy/cards/chart";
import { markdownHtml } from "../src/lazy/cards/markdown";

test("marks of a TextBlock are drawn, and no others", () => {
  for (const [text, html] of [
    ["a **b** c", "a <b>b</b> c"],
    ["_a_ and *b*", "<i>a</i> and <i>b</i>"],
    ["_**a** b_", "<i><b>a</b> b</i>"],
    ["un*believ*able", "un<i>believ</i>able"],
    ["snake_case_name 2 * 3 * 4", "snake_case_name 2 * 3 * 4"],
    ["\\*a\\* \\_b\\_ \\<i>", "&#42;a&#42; &#95;b&#95; &#60;i&#62;"],
    ["<b>&", "&#60;b&#62;&#38;"],
    [
      "[a_b_](https://a.example/_x_?y=1&z)",
      '<a href="https://a.example/_x_?y=1&#38;z" target="_blank" rel="noopener">a_b_</a>',
    ],
    ["[a](javascript:b)", "[a](javascript:b)"],
    ["a\nb", "a<br>b"],
  ] as const) {
    assert.equal(markdownHtml(text), html, text);
  }
});

test("lists are rows with their marks", () => {
  const words = (text: string) =>
    markdownHtml(text)
      .replace(/<[^>]+>/g, "/")
      .replace(/\/+/g, "/");
  assert.equal(words("1. a\n2. b\n\nc"), "/1./a/2./b/c");
  assert.equal(words("- a\n  1. b\n    c\n- d"), "/•/a/1./b/c/•/d/");
  assert.match(markdownHtml("- a\n  - b"), /margin-inline-start:16px/);
  assert.equal(markdownHtml("-5 is low"), "-5 is low");
});

test("the axis of a chart has round values around the data", () => {
  assert.deepEqual(ticks(0, 900), [0, 200, 400, 600, 800, 1000]);
  assert.deepEqual(ticks(15200, 19700), [15000, 16000, 17000, 18000, 19000, 20000]);
  assert.deepEqual(ticks(-3, 5), [-4, -2, 0, 2, 4, 6]);
  assert.ok(ticks(0, 0).length > 1);
  const series = (...all: number[][]) =>
    all.map((values) => ({ legend: "", values: values.map((y, x) => ({ x: String(x), y })) }));
  assert.deepEqual(bounds(series([1, 2], [3, 4]), true, false), [0, 6]);
  assert.deepEqual(bounds(series([1, 2], [3, -4]), false, false), [-4, 3]);
  // A line far from zero would be flat.
  assert.deepEqual(bounds(series([15200, 19700]), false, true), [15200, 19700]);
  assert.deepEqual(bounds(series([2, 19]), false, true), [0, 19]);
  assert.deepEqual(bounds(series([15200, 19700]), false, true, 0), [0, 19700]);
  const bars = { type: "Chart.VerticalBar", yAxisTitle: "Sum", data: [{ x: "a", y: 1 }] };
  assert.deepEqual(seriesOf(bars), [
    { legend: "Sum", color: undefined, values: [{ x: "a", y: 1 }] },
  ]);
});

test("every icon that the gallery's cards have is drawn", async () => {
  await writePageIcons();
  const { drawingOf } = await import("../src/lazy/cards/icons");
  const cases = fileURLToPath(new URL("../../../fixtures/cases/", import.meta.url));
  const names = new Set<string>();
  for (const name of readdirSync(cases)) {
    for (const sample of readdirSync(cases + name)) {
      const text = readFileSync(`${cases}${name}/${sample}/adaptive-card.json`, "utf8");
      for (const [, icon = ""] of text.matchAll(/"type": "Icon",\s*"name": "(\w+)"/g)) {
        names.add(icon);
      }
    }
  }
  assert.ok(names.size > 10);
  assert.deepEqual(
    [...names].filter((name) => !drawingOf(name, false)),
    [],
  );
});

test("headings of a card have a level", async () => {
  const { window } = new JSDOM("<body>", { runScripts: "outside-only" });
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(new URL("../src/lazy/cards.ts", import.meta.url))],
    bundle: true,
    write: false,
    format: "iife",
    // It registers its elements as it is loaded, which its package denies.
    ignoreAnnotations: true,
  });
  window.eval(outputFiles[0]?.text);
  const body = [{ type: "TextBlock", style: "heading", text: "Flight" }];
  const card = { type: "AdaptiveCard", version: "1.5", body };
  const heading = window.widgetcastCards.draw(card, false).querySelector("[role=heading]");
  assert.equal(heading?.getAttribute("aria-level"), "4");
});
