// What a table makes of its content. How it fits into its frame is for a real browser: test/table.test.ts.

import assert from "node:assert/strict";
import { test } from "node:test";
import { draw } from "../src/draw";
import { isFigure } from "../src/markup/prop";
import { all, newRoot, one, settle } from "./dom";

const cell = (value: string, more = {}) => ({
  type: "Table.Cell",
  children: [{ type: "Text", value }],
  ...more,
});
const row = (...cells: unknown[]) => ({ type: "Table.Row", children: cells });

function drawTable(heads: string[], rows: unknown[], locale = "en"): HTMLElement {
  const root = newRoot();
  const head = { ...row(...heads.map((head) => cell(head))), header: true };
  draw(
    root,
    { type: "Card", children: [{ type: "Table", children: [head, ...rows] }] },
    { locale },
  );
  return root;
}

const texts = (root: HTMLElement, css: string) => all(root, css).map((one) => one.textContent);

test("figures are numbers with sign, currency and unit", () => {
  const figures = ["12", "-3.5", "+28", "$1,200.50", "1.850,00 €", "CHF 1'200.50", "12 %", "16 h"];
  for (const text of [...figures, "20 °C", "1,00,000", "1 234 567,8", "5 GB"])
    assert.ok(isFigure(text), text);
  for (const text of ["2 Feb", "12 monkeys", "1-2", "2026-01-31", "12:30", "10.0.0.1", "A4", ""])
    assert.ok(!isFigure(text), text);
});

test("a column of figures is marked, and says so to its head and to cells that span others", () => {
  const root = drawTable(
    ["Item", "Amount", "Day"],
    [
      row(cell("Hat"), cell("1.850,00 €"), cell("2 Feb")),
      row(cell("Tax"), cell("–"), cell("3 Feb")),
      row(cell("Sum", { colSpan: 2 }), cell("3 Feb")),
    ],
  );
  assert.deepEqual(texts(root, "[data-figure]"), ["Amount", "1.850,00\u00a0€", "–"]);
  assert.deepEqual(
    all(root, "tbody tr:first-child td").map(({ dataset }) => dataset.label),
    ["Item", "Amount", "Day"],
  );
  assert.deepEqual(texts(root, "[data-name]"), ["Hat", "Tax", "Sum"]);
});

test("a table without rows says so", () => {
  const root = drawTable(["Artikel", "Preis"], [], "de");
  assert.deepEqual(texts(root, "tbody td"), ["Nichts vorhanden"]);
  assert.equal(one<HTMLTableCellElement>(root, "tbody td").colSpan, 2);
});

test("beyond 50 rows a table says how many follow, and shows them in a part that scrolls", async () => {
  const rows = (count: number) => Array.from({ length: count }, (_, at) => row(cell(`Row ${at}`)));
  assert.equal(all(drawTable(["Row"], rows(51)), "tbody tr").length, 51);
  const root = drawTable(["Row"], rows(200));
  assert.equal(all(root, "tbody tr").length, 50);
  assert.equal(one(root, ".wc-more").textContent, "150 more rows");
  one(root, ".wc-more").click();
  await settle();
  assert.equal(all(root, ".wc-tall tbody tr").length, 200);
  assert.equal(all(root, ".wc-more").length, 0);
});
