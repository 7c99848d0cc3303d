// Every tree of the gallery and of the corpus in the double frame, light and dark. In light the
// pictures' origins are declared and answered, in dark they are not, so the policy refuses them.

import assert from "node:assert/strict";
import { mkdirSync } from "node:fs";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { DRAWN, LUCIDE } from "../view/src/markup/icon-name";
import { audit } from "./axe";
import { type Host, TestBrowser } from "./host";
import { layoutFaults } from "./layout";
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

async function show(
  host: Host,
  { name, result, tree }: Case,
  theme: "light" | "dark",
): Promise<string[]> {
  const view = await host.open({
    input: {},
    result,
    context: { theme, displayMode: "inline", locale: "en-US", platform: "web" },
    csp: theme === "light" ? { resourceDomains: origins(tree) } : {},
  });
  await view.evaluate(() => Promise.all(document.getAnimations().map((one) => one.finished)));
  const { ours, excused } = await audit(view);
  const { violations } = await host.probe();
  const faults = [...(await host.wrong()), ...ours.map((line) => `axe: ${line}`)];
  if (theme === "light")
    faults.push(
      ...violations.map(({ blocked }) => `policy: refused ${blocked}, which was declared`),
    );
  const empty = await view.evaluate(() => !document.querySelector("main .wc")?.childElementCount);
  if (empty) faults.push("nothing was drawn");
  const height = await view.evaluate(() => [innerHeight, document.documentElement.scrollHeight]);
  if ((height[0] ?? 0) < (height[1] ?? 0))
    faults.push(`the frame is ${height[0]} px high, the page ${height[1]}`);
  await host.page
    .locator("iframe")
    .screenshot({ path: `${folder}${name.replaceAll("/", "-")}-${theme}.png` });
  if (theme === "light") faults.push(...(await layoutFaults(host, name)));
  tally.drawn += 1;
  tally.excused += excused;
  tally.refused += violations.length;
  return faults.map((fault) => `${name} ${theme}: ${fault}`);
}

test("every tree draws in light and dark, without error, violation or barrier", async (t) => {
  const corpus = all.filter(({ foreign }) => foreign).length;
  if (!corpus) t.diagnostic("NOTICE: the corpus is absent; only the gallery was drawn");
  assert.ok(all.length > corpus, "there is no gallery tree");
  const faults: string[] = [];
  await Promise.all(
    themes.map(async (theme) => {
      const host = await testBrowser.host({ theme, picture: true });
      for (const one of all)
        await show(host, one, theme).then(
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
