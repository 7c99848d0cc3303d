// Tables and lists in a real browser: what fits, what does not, and that entries of a list are alike.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { TestBrowser } from "./host";

let browser: TestBrowser;
before(async () => {
  browser = await TestBrowser.open();
});
after(() => browser?.close());

type Tree = Record<string, unknown>;
const text = (value: string, more: Tree = {}) => ({ type: "Text", value, size: "sm", ...more });
const row = (cells: (string | Tree)[], header = false) => ({
  type: "Table.Row",
  header,
  children: cells.map((one) => ({
    type: "Table.Cell",
    children: [typeof one === "string" ? text(one) : one],
  })),
});
const card = (...children: Tree[]) => ({ type: "Card", size: "lg", children });
const table = (...rows: (string | Tree)[][]) => ({
  type: "Table",
  children: rows.map((cells, at) => row(cells, at === 0)),
});

async function show(tree: Tree, width: number, locale = "en") {
  const host = await browser.host({ motion: "reduce" });
  const result = { content: [], _meta: { "widgetcast/view": { tree, icons: {} } } };
  await host.open({ input: {}, result, width, context: { locale } });
  await host.view.locator("main .wc > *").waitFor();
  // What is measured is measured again after a change of size.
  await host.view.evaluate(
    () => new Promise((done) => requestAnimationFrame(() => setTimeout(done, 0))),
  );
  return host.view;
}

const LONG = "Donaudampfschifffahrtsgesellschaftskapitänsmütze";
const INVOICE = table(
  ["No.", "Item", "Hours", "Price", "Amount"],
  ["1", LONG, "2", "925,00 €", "1.850,00 €"],
  ["2", "Advice on site", "16 h", "120,00 €", "1.234.567,00 €"],
);

test("amounts are whole, at the end of their column and inside the card", async () => {
  for (const width of [280, 320, 480, 600]) {
    const view = await show(card(INVOICE), width);
    const wrong = await view.evaluate(() => {
      const { right: edge } = (
        document.querySelector(".wc-card") as Element
      ).getBoundingClientRect();
      return [...document.querySelectorAll("td[data-figure]")].flatMap((cell) => {
        const range = document.createRange();
        range.selectNodeContents(cell.querySelector("p") as Element);
        const { right, height } = range.getBoundingClientRect();
        const { right: end } = (cell.querySelector(".wc-cell") as Element).getBoundingClientRect();
        return height < 30 && Math.abs(right - end) < 2 && right < edge ? [] : [cell.textContent];
      });
    });
    assert.deepEqual(wrong, [], `${width}`);
  }
});

test("rows that do not fit a phone are cards, named by what is no figure", async () => {
  const view = await show(card(INVOICE), 320);
  assert.equal(await view.locator(".wc-cards").count(), 1);
  assert.equal(await view.getByRole("row").count(), 3);
  const [first = ""] = await view.locator("tbody tr").allInnerTexts();
  assert.ok(first.startsWith(LONG) || first.indexOf(LONG) < first.indexOf("925"), first);
  const label = (at: number) =>
    view
      .locator("tbody tr:first-child td")
      .nth(at)
      .evaluate((cell) => getComputedStyle(cell, "::before").content);
  assert.equal(await label(4), '"Amount"');
  assert.equal(await label(1), "none");
  const wide = await show(card(INVOICE), 600);
  assert.equal(await wide.locator(".wc-cards").count(), 0);
});

test("a text that may be shortened is, before a table scrolls or breaks", async () => {
  const note = text("A very long note about what this customer asked for last week", {
    truncate: true,
  });
  const tree = card(table(["Customer", "Note", "Amount"], ["Acme", note, "$1,200.00"]));
  for (const width of [320, 440]) {
    const view = await show(tree, width);
    const { scrolls, shortened } = await view.evaluate(() => {
      const frame = document.querySelector(".wc-scroll") as Element;
      const note = document.querySelector(".wc-clip") as Element;
      return {
        scrolls: frame.scrollWidth - frame.clientWidth,
        shortened: note.scrollWidth > note.clientWidth,
      };
    });
    assert.ok(scrolls < 2 && shortened, `${width}: ${scrolls}`);
  }
});

test("badges of a cell are in one line, whether the table fits or scrolls", async () => {
  const form = {
    type: "Row",
    gap: 1,
    children: [..."SSUNS"].map((label) => ({ type: "Badge", label, size: "sm" })),
  };
  const team = text("HSG Wetzlar/Dutenhofen-Münchholzhausen", { truncate: true });
  const heads = ["Team", "P", "W", "D", "L", "Goals", "Diff", "Points", "Home", "Form"];
  const figures = ["24", "20", "2", "2", "742:645", "+97", "42:6", "12"];
  const tree = card(table(heads, [team, ...figures, form], ["ThSV", ...figures, form]));
  for (const width of [320, 700]) {
    const view = await show(tree, width);
    const heights = await view
      .locator("tbody tr")
      .evaluateAll((rows) => rows.map((row) => row.getBoundingClientRect().height));
    assert.ok(Math.max(...heights) < 60, `${width}: ${heights}`);
  }
});

test("a first column of figures starts where the table does", async () => {
  const view = await show(
    card(table(["Bid", "Size"], ["58,214.50", "0.4120"], ["8.00", "1"])),
    400,
  );
  const [cell, words] = await view
    .locator("tbody tr:first-child td:first-child :is(.wc-cell,.wc-words)")
    .evaluateAll((parts) => parts.map((part) => part.getBoundingClientRect().left));
  assert.ok(cell !== undefined && words !== undefined && words - cell < 2, `${cell} ${words}`);
});

test("a table that scrolls squeezes no column", async () => {
  const heads = Array.from({ length: 11 }, (_, at) => `Column ${at}`);
  const cells = heads.map(() => "VW Crafter 35");
  const view = await show(card(table(["Plate", ...heads], ["BE 214 567", ...cells])), 375);
  const lines = await view
    .locator("tbody .wc-words")
    .evaluateAll((all) => all.map((one) => one.getBoundingClientRect().height));
  assert.ok(Math.max(...lines) < 30, `${lines}`);
});

test("the column of a text that wraps is no wider than its longest line", async () => {
  const heads = Array.from({ length: 11 }, (_, at) => `Column ${at}`);
  const name = "Churyumov–Gerasimenko and others";
  const view = await show(card(table(["Name", ...heads], [name, ...heads])), 375);
  const [cell = 0, words = 0] = await view.locator("tbody td:first-child").evaluate((cell) => {
    const range = document.createRange();
    range.selectNodeContents(cell.querySelector(".wc-words") as Element);
    return [cell, range].map((one) => one.getBoundingClientRect().width);
  });
  assert.ok(words > 60 && cell < words + 12, `${cell} ${words}`);
});

test("the names of rows stay while many columns scroll", async () => {
  const heads = Array.from({ length: 13 }, (_, at) => `Column ${at}`);
  const cells = heads.map((_, at) => `${at},234.00`);
  const tree = card(
    table(["", "Symbol", ...heads], ["1", "AAPL", ...cells], ["2", "BRK.B", ...cells]),
  );
  for (const [locale, end] of [
    ["en", 1],
    ["ar", -1],
  ] as const) {
    const view = await show(tree, 320, locale);
    const seen = await view.locator(".wc-scroll").evaluate((part, end) => {
      part.scrollLeft = end * 300;
      const name = part.querySelector("tbody td+td") as Element;
      const { left, top, width, height } = name.getBoundingClientRect();
      const there = document.elementFromPoint(left + width / 2, top + height / 2);
      return { isThere: name.contains(there), moved: Math.abs(part.scrollLeft) };
    }, end);
    assert.deepEqual(seen, { isThere: true, moved: 300 }, locale);
  }
});

test("the head stays while many rows scroll", async () => {
  const rows = Array.from({ length: 80 }, (_, at) => [`Row ${at}`, `${at}`]);
  const view = await show(card(table(["Name", "Count"], ...rows)), 480);
  await view.getByRole("button", { name: "30 more rows" }).click();
  const frame = view.locator(".wc-tall");
  const top = await frame.evaluate((part) => {
    part.scrollTop = 500;
    const head = part.querySelector("th") as Element;
    return head.getBoundingClientRect().top - part.getBoundingClientRect().top;
  });
  assert.ok(Math.abs(top) < 2, `${top}`);
});

test("entries of a list have one layout at every width", async () => {
  const entry = (name: string, note: string) => ({
    type: "ListViewItem",
    children: [
      { type: "Box", size: 32, background: "blue-400" },
      { type: "Col", flex: 1, children: [text(name), { type: "Caption", value: "line 4" }] },
      { type: "Badge", label: note },
    ],
  });
  const tree = {
    type: "ListView",
    children: [
      entry("Oslo S", "On time"),
      entry("Llanfairpwllgwyngyllgogerych", "Delayed by 12 minutes"),
      entry("Bergen", "On time"),
    ],
  };
  const layouts = new Set<string>();
  for (const width of [280, 320, 360, 400, 440, 600]) {
    const view = await show(tree, width);
    const lines = await view.locator(".wc-item>.wc-row").evaluateAll((rows) =>
      rows.map((row) => {
        const parts = [...row.children].map((part) => part.getBoundingClientRect());
        return parts.map(({ top }, at) => (parts[at - 1]?.bottom ?? top) <= top).join();
      }),
    );
    assert.equal(new Set(lines).size, 1, `${width}: ${lines.join(" | ")}`);
    layouts.add(lines[0] ?? "");
  }
  assert.ok(layouts.size > 1, "no width needs another layout");
});

const cardOf = (children: unknown[]) => card({ type: "Row", children });

test("what may be shortened is, before its row breaks", async () => {
  const name = text("fix: retry webhook deliveries with jitter", { truncate: true });
  const one = { type: "Col", children: [name, { type: "Caption", value: "9f3ac21" }] };
  const view = await show(
    cardOf([{ type: "Icon", name: "star" }, one, { type: "Badge", label: "Failed" }]),
    320,
  );
  const [icon, col, badge] = await view
    .locator(".wc-row>*")
    .evaluateAll((parts) => parts.map((part) => part.getBoundingClientRect().toJSON()));
  assert.ok(icon && col && badge && icon.right <= col.left && col.right <= badge.left);
  assert.ok(col.width > 90, `${col.width}`);
});

test("entries that break at the same part have the parts before it in the same places", async () => {
  const entry = (name: string) => ({
    type: "Row",
    children: [
      { type: "Box", size: 40, background: "blue-400" },
      { type: "Col", flex: 1, children: [text(name)] },
      text("42 min"),
      { type: "Button", label: "Play this episode" },
    ],
  });
  const tree = card(entry("Sable"), entry("Donaudampfschifffahrt"), entry("Island"));
  let breaks = 0;
  for (const width of [280, 300, 320, 340, 360]) {
    const view = await show(tree, width);
    const places = await view.locator(".wc-row").evaluateAll((rows) =>
      rows.map((row) => {
        const { top, left } = row.getBoundingClientRect();
        return [...row.children]
          .map((part) => part.getBoundingClientRect())
          .map(
            (part) =>
              `${Math.round(part.right - left)} ${part.bottom - top < 44 ? "first" : "later"}`,
          )
          .slice(0, 3)
          .join();
      }),
    );
    assert.equal(new Set(places).size, 1, `${width}: ${places.join(" | ")}`);
    const bottom = await view.locator("button").first().boundingBox();
    const top = await view.locator(".wc-box").first().boundingBox();
    if (bottom && top && bottom.y > top.y + 40) breaks += 1;
  }
  assert.ok(breaks > 0, "no width needs another line");
});

test("the squares of a board shrink and stay squares", async () => {
  const square = (at: number) => ({
    type: "Box",
    size: 36,
    background: at % 2 ? "gray-200" : "gray-500",
  });
  const rank = { type: "Row", gap: 0, children: Array.from({ length: 8 }, (_, at) => square(at)) };
  const view = await show(card(rank, rank), 280);
  const sizes = await view
    .locator(".wc-box")
    .evaluateAll((boxes) =>
      boxes
        .map((box) => box.getBoundingClientRect())
        .map(({ x, width, height }) => [x, width, height]),
    );
  assert.equal(new Set(sizes.map(([x = 0]) => Math.round(x))).size, 8);
  for (const [, width = 0, height = 0] of sizes)
    assert.ok(width > 25 && Math.abs(width - height) < 1, `${width} x ${height}`);
});

test("an amount, a Korean word and a short name are whole where there is no room", async () => {
  const words = ["R$ 7.350,00", "148 €", "요금제를 선택하세요", "王海涛", "たんぱく質"];
  const view = await show(card(...words.map((one) => text(one))), 280);
  const lines = await view.locator(".wc-words").evaluateAll((all) =>
    all.map((one) => {
      (one as HTMLElement).style.width = "min-content";
      const range = document.createRange();
      range.selectNodeContents(one);
      return new Set([...range.getClientRects()].map(({ top }) => top)).size;
    }),
  );
  assert.deepEqual(lines, [1, 1, 2, 1, 1]);
});

test("a card is wider for a table of long words, if the host has room", async () => {
  const word = "payment-reconciliation_orchestration-7f9c";
  const image = "registry.example.com/pay/recon:v2.14.1";
  const tree = table(
    ["Pod", "Image", "Restarts", "State"],
    [word, image, "17", "Waiting for image"],
  );
  const view = await show({ type: "Card", children: [tree] }, 760);
  const widths = await view
    .locator("td .wc-long")
    .evaluateAll((words) => words.map((one) => one.getBoundingClientRect().width));
  assert.ok(Math.min(...widths) > 120, `${widths}`);
});
