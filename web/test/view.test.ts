// Every tree of the gallery and of the corpus in the double frame, light and dark. In light the
// pictures' origins are declared and answered, in dark they are not, so the policy refuses them.

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
      timeout: 2000,
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
  // What is mended leaves the list, as far as the case is here.
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
