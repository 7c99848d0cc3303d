// Every tree of the gallery and of the corpus in the double frame, light and dark. In light the
// images' origins are declared and answered, in dark they are not, so the policy refuses them.

import assert from "node:assert/strict";
import { mkdirSync } from "node:fs";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { DRAWN, LUCIDE } from "../view/src/markup/icon-name";
import { audit } from "./axe";
import { generate } from "./generate";
import { type Host, TestBrowser } from "./host";
import { isAsked, unknown, WIDTHS } from "./layout";
import { type Case, cases, origins, result } from "./tree";

const all = cases();
const folder = fileURLToPath(new URL("../../target/screenshots/view/", import.meta.url));
const themes = ["light", "dark"] as const;
const tally = { drawn: 0, excused: 0, refused: 0 };
let testBrowser: TestBrowser;

before(async () => {
  mkdirSync(folder, { recursive: true });
  testBrowser = await TestBrowser.open();
});
after(() => testBrowser?.close());

async function judge(
  host: Host,
  { name, result }: Case,
  theme: "light" | "dark",
): Promise<string[]> {
  await host.again(result);
  const { view } = host;
  await view.evaluate(() => Promise.all(document.getAnimations().map((one) => one.finished)));
  const { ours, excused } = await audit(view);
  const { violations } = await host.probe();
  const faults = [...(await host.wrong()), ...ours.map((line) => `axe: ${line}`)];
  if (theme === "light")
    faults.push(
      ...violations.map(({ blocked }) => `policy: refused ${blocked}, which was declared`),
    );
  const isEmpty = await view.evaluate(() => !document.querySelector("main .wc")?.childElementCount);
  if (isEmpty) faults.push("nothing was drawn");
  // The host hears of the new height a moment later.
  await view
    .waitForFunction(() => innerHeight >= document.documentElement.scrollHeight, undefined, {
      polling: 10,
    })
    .catch(() => faults.push("the frame is not as high as the page"));
  await host.page
    .locator("iframe")
    .screenshot({ path: `${folder}${name.replaceAll("/", "-")}-${theme}.png` });
  tally.drawn += 1;
  tally.excused += excused;
  tally.refused += violations.length;
  return faults.map((fault) => `${name} ${theme}: ${fault}`);
}

// One view for all, which takes a result after the other: to load a page and axe takes longer than to
// look. Each has a document of its own in the next test.
test("every tree draws in light and dark, without error, violation or barrier", async (t) => {
  const corpus = all.filter(({ foreign }) => foreign).length;
  if (!corpus) t.diagnostic("NOTICE: the corpus is absent; only the gallery was drawn");
  assert.ok(all.length > corpus, "there is no gallery tree");
  const faults: string[] = [];
  await Promise.all(
    themes.map(async (theme) => {
      const host = await testBrowser.host({ theme, picture: true });
      const declared = all.flatMap(({ tree }) => origins(tree));
      await host.open({
        input: {},
        context: { theme, displayMode: "inline", locale: "en-US", platform: "web" },
        csp: theme === "light" ? { resourceDomains: [...new Set(declared)] } : {},
      });
      for (const one of all)
        await judge(host, one, theme).then(
          (found) => faults.push(...found),
          (error) => faults.push(`${one.name} ${theme}: ${String(error).split("\n")[0]}`),
        );
    }),
  );
  t.diagnostic(
    `${tally.drawn} drawn (${all.length - corpus} of the gallery, ${corpus} of the corpus, twice each), ` +
      `${tally.excused} contrast failures of authors' colours, ${tally.refused} remote pictures refused`,
  );
  assert.deepEqual(faults, []);
});

test("every tree, in a document of its own, fits from a phone to a desktop", async () => {
  const shown = all.map(({ name, tree, result }) => ({
    name,
    page: `/page/view?${origins(tree)
      .map((one) => `from=${encodeURIComponent(one)}`)
      .join("&")}`,
    input: {},
    result: { ...result },
  }));
  const { count, faults } = await testBrowser.layout(shown, WIDTHS);
  assert.equal(count, all.length);
  const found = unknown(faults);
  assert.deepEqual(found.faults, []);
  // What is repaired leaves the list, as far as the case is here.
  const stale = found.gone.filter((start) => all.some(({ name }) => name.startsWith(start)));
  assert.deepEqual(stale, []);
});

test("generated trees fit, whatever their nesting, words and numbers", async () => {
  const shown = Array.from({ length: 48 }, (_, seed) => ({
    name: `seed ${seed}`,
    page: "/page/view",
    input: {},
    result: { ...result(generate(seed)) },
  }));
  const { count, faults } = await testBrowser.layout(shown, WIDTHS);
  assert.equal(count, shown.length);
  assert.deepEqual(
    faults.filter((line) => !isAsked(line)),
    [],
  );
});

const words = (value: string, more = {}) => ({ type: "Caption", value, ...more });
const card = (...children: unknown[]) => result({ type: "Card", children });

test("what authors write often fits on a phone, too", async () => {
  const stat = (label: string) => ({
    type: "Col",
    flex: 1,
    minWidth: 108,
    children: [words(label), words("1")],
  });
  const cell = (value: string) => ({ type: "Table.Cell", children: [words(value)] });
  const names = Array.from({ length: 15 }, (_, n) => `Series ${n} with a long name`);
  const shown = Object.entries({
    "a spacer beside what grows": card({
      type: "Row",
      gap: 3,
      children: [
        { type: "Row", flex: 1, children: [words("It is a branch of the North Atlantic Drift.")] },
        { type: "Spacer" },
        { type: "Button", label: "Check the answer" },
      ],
    }),
    "four of a kind": card({
      type: "Row",
      wrap: "wrap",
      children: ["Readers", "Visits", "Crashes", "Subscribers"].map(stat),
    }),
    "a title and its badge": card({
      type: "Row",
      children: [
        { type: "Col", flex: 1, children: [{ type: "Title", value: "Arrives today by 16:00" }] },
        { type: "Badge", label: "Out for delivery, seven stops" },
      ],
    }),
    "three buttons": card({
      type: "Row",
      justify: "end",
      children: ["Choose the train", "Choose the coach", "Drive"].map((label) => ({
        type: "Button",
        label,
      })),
    }),
    "a table of many columns": card({
      type: "Table",
      children: [{ type: "Table.Row", children: names.map(cell) }],
    }),
    "a chart of many series": card({
      type: "Chart",
      xAxis: "at",
      data: [{ at: "Mon" }, { at: "Tue" }].map((row, n) => ({
        ...row,
        ...Object.fromEntries(names.map((name, at) => [name, n + at])),
      })),
      series: names.map((dataKey) => ({ type: "line", dataKey })),
    }),
  }).map(([name, one]) => ({ name, page: "/page/view", input: {}, result: { ...one } }));
  assert.deepEqual((await testBrowser.layout(shown, WIDTHS)).faults, []);
});

test("a row gets closer before it wraps, and short words stay whole", async () => {
  const host = await testBrowser.host();
  const view = await host.open({
    result: card(
      {
        type: "Row",
        gap: 3,
        children: [84, 28, 40, 40, 40].map((width) => ({ type: "Text", value: "9°", width })),
      },
      {
        type: "Table",
        children: [
          {
            type: "Table.Row",
            children: [
              "Free cancellation until the day before",
              "3 h 45",
              "58 kg",
              "5 h 20",
              "9 kg now",
            ].map((value) => ({
              type: "Table.Cell",
              colSize: "lg",
              children: [{ type: "Text", value }],
            })),
          },
        ],
      },
    ),
  });
  await host.page.evaluate(() => {
    for (const frame of document.querySelectorAll("iframe")) frame.style.width = "300px";
  });
  await view.waitForFunction(() => innerWidth === 300);
  const [lines, heights] = await view.evaluate(() => {
    const all = (what: string) => [...document.querySelectorAll<HTMLElement>(what)];
    return [
      new Set(all(".wc-row > *").map((one) => one.offsetTop)).size,
      all("td + td .wc-words").map((one) => one.offsetHeight),
    ] as const;
  });
  assert.equal(lines, 1);
  assert.deepEqual(heights, [24, 24, 24, 24]);
});

test("every icon draws: the browser finds no fault in its shapes", async () => {
  const names = Object.keys({ ...LUCIDE, ...DRAWN });
  assert.equal(names.length, 64);
  const host = await testBrowser.host();
  const view = await host.open({
    result: result({
      type: "Card",
      children: [
        { type: "Text", value: "Icons" },
        { type: "Row", wrap: "wrap", children: names.map((name) => ({ type: "Icon", name })) },
      ],
    }),
  });
  const sizes = await view.evaluate(() =>
    [...document.querySelectorAll("svg")].map((one) => one.getBBox().width),
  );
  assert.equal(sizes.filter((width) => width > 0).length, names.length);
  assert.deepEqual(await host.wrong(), []);
});
