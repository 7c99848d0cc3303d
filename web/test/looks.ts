// `npm run looks`: draws the cases of fixtures/cases as users see them, to target/screenshots: in the view
// under a host, as Slack's blocks and as Adaptive Cards, the last two by what draws them in the gallery; and
// the display pages as they are built, in the modes that they are made for; and the gallery's own page with
// all hosts, which needs target/debug/widgetcast. The view draws the results that `cargo test` wrote,
// `exports` those of the foreign widgets, where the corpus is. For looking at, not for a test. Needs a browser.
//
//     npm run looks [view|slack|adaptive|exports] [case …]
//     npm run looks display [page …]
//     npm run looks gallery [widget …]

import { existsSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { buildSync } from "esbuild";
import type { Page } from "playwright-core";
import { PAGES } from "../display/build.mjs";
import { SAMPLES, type Sample } from "../display/test/sample";
import { serve, folder as widgets } from "../gallery/test/serve";
import { TestBrowser } from "./host";
import { type Case, origins, type Result, cases as written } from "./tree";

const root = fileURLToPath(new URL("../..", import.meta.url));
const [only, ...names] = process.argv.slice(2);
const cases = join(root, "fixtures/cases");
const folder = join(root, "target/screenshots");
mkdirSync(folder, { recursive: true });
const all = (names.length ? names : readdirSync(cases))
  .map((name) => {
    const [widget = "", sample = "sample"] = name.split("/");
    return { name: widget, dir: join(cases, widget, sample) };
  })
  .filter(({ dir }) => existsSync(dir));
const browser = await TestBrowser.open();

/** As web/build.mjs does: the renderer of cards registers its elements as it is loaded, which its package denies. */
const script = (file: string, globalName: string): string =>
  buildSync({
    entryPoints: [join(root, "web/gallery/src", file)],
    bundle: true,
    write: false,
    format: "iife",
    globalName,
    ignoreAnnotations: true,
  }).outputFiles[0]?.text ?? "";

/** Scripts of the page, each of which puts `message` into `frame`. */
const DRAWINGS = {
  slack: {
    file: "slack-blocks.json",
    code: () => script("slack.ts", "Slack"),
    draw: `
      style.textContent = Slack.slackStyle;
      frame.className = dark ? "slack-dark" : "";
      frame.append(Slack.drawSlack(message.blocks));`,
  },
  adaptive: {
    file: "adaptive-card.json",
    code: () => script("lazy/cards.ts", "Cards"),
    draw: `
      style.textContent = widgetcastCards.style;
      frame.style.colorScheme = dark ? "dark" : "light";
      frame.style.color = dark ? "#ffffff" : "#242424";
      frame.append(widgetcastCards.draw(message, dark, () => {}));`,
  },
};

const PAGE = `<!doctype html><style>
body{margin:0;padding:16px;background:#ddd;font-family:Inter,Arial,sans-serif}
div#frame{border-radius:8px;overflow:hidden}
</style><style id="style"></style><body><div id="frame"></div>`;

async function drawMessages(kind: keyof typeof DRAWINGS): Promise<void> {
  const { file, code, draw } = DRAWINGS[kind];
  const content = code();
  for (const { name, dir } of all)
    for (const [width, dark] of [
      [600, false],
      [320, false],
      [600, true],
    ] as const) {
      const page = await browser.browser.newPage({ viewport: { width: width + 32, height: 200 } });
      await page.setContent(PAGE);
      await page.addScriptTag({ content });
      const message = readFileSync(join(dir, file), "utf8");
      await page.evaluate(`((message, dark) => {${draw}})(${message}, ${dark})`);
      const path = join(folder, `${kind}-${name}-${width}-${dark ? "dark" : "light"}.png`);
      await page.screenshot({ path, fullPage: true });
      await page.close();
    }
}

// As wide as the fonts of most hosts, which the plain one of a server is not.
const styles = { variables: { "--font-sans": "Inter, system-ui, sans-serif" } };

const icons = readFileSync(join(root, "crates/widgetcast/pages/icons.tsv"), "utf8").split("\n");

/** The icons that a result of the server has and one of the tests has not. */
function withIcons({ tree, result }: Case): Result {
  const found = JSON.stringify(tree).matchAll(/"lucide:([^"]+)"/g);
  const drawn = Object.fromEntries(
    [...found].flatMap(([, name]) => {
      const drawing = icons.find((line) => line.startsWith(`${name}\t[`))?.split("\t")[1];
      return drawing ? [[`lucide:${name}`, JSON.parse(drawing)]] : [];
    }),
  );
  const view = result._meta?.["widgetcast/view"];
  return { ...result, _meta: { "widgetcast/view": { ...(view as object), icons: drawn } } };
}

async function drawViews(kind: string, drawn: Case[]): Promise<void> {
  for (const theme of ["light", "dark"] as const) {
    const host = await browser.host({ theme, picture: true, motion: "reduce" });
    for (const one of drawn)
      for (const width of theme === "light" ? [280, 320, 600, 1000] : [600]) {
        await host.page.setViewportSize({ width: width + 40, height: 900 });
        await host.open({
          input: {},
          result: withIcons(one),
          width,
          context: { theme, displayMode: "inline", locale: "en-US", platform: "web", styles },
          csp: { resourceDomains: origins(one.tree) },
        });
        await host.page.waitForTimeout(50);
        const path = join(folder, `${kind}-${one.name}-${width}-${theme}.png`);
        await host.page.locator("iframe").screenshot({ path });
      }
  }
}

// A card grows with its content; the other modes have the size that the host gives them.
const SIZES = {
  inline: [[320], [390], [600], [1280]],
  fullscreen: [
    [320, 640],
    [390, 844],
    [600, 800],
    [1280, 800],
  ],
  pip: [
    [320, 240],
    [390, 300],
    [600, 400],
  ],
} as const;

interface Said {
  appCapabilities: { availableDisplayModes: string[] };
}

async function drawPages(): Promise<void> {
  for (const theme of ["light", "dark"] as const) {
    const host = await browser.host({ theme, picture: true, motion: "reduce" });
    for (const name of names.length ? names : Object.keys(PAGES)) {
      host.html = readFileSync(join(root, `crates/display/pages/${name}.html`), "utf8");
      let modes = Object.keys(SIZES);
      for (const [mode, sizes] of Object.entries(SIZES))
        for (const [width, height] of modes.includes(mode) ? sizes : []) {
          await host.page.setViewportSize({ width: width + 40, height: 1000 });
          const { input, result } = SAMPLES[name] as Sample;
          await host.open({
            input,
            result,
            width,
            ...(height && { height, fixed: true }),
            context: {
              theme,
              displayMode: mode,
              availableDisplayModes: Object.keys(SIZES),
              locale: "en-US",
              platform: "web",
              styles,
            },
          });
          // What the page is made for it says when it is opened.
          const [said] = (await host.sent("ui/initialize")) as unknown as Said[];
          modes = said?.appCapabilities.availableDisplayModes ?? modes;
          await host.page.waitForTimeout(300);
          const path = join(folder, `display-${name}-${mode}-${width}-${theme}.png`);
          await host.page.locator("iframe").screenshot({ path });
        }
    }
  }
}

/** Waits until every frame has drawn its view, and nothing grows any more. */
async function settled(page: Page): Promise<void> {
  const tall = () =>
    page.evaluate(() => [
      // What is further down is drawn when it is scrolled to.
      [...document.querySelectorAll(".skeleton")].filter(
        (one) => one.checkVisibility() && one.getBoundingClientRect().top < innerHeight,
      ).length,
      ...[...document.querySelectorAll("iframe")].map(({ offsetHeight }) => offsetHeight),
    ]);
  let before = "";
  for (let quiet = 0; quiet < 4; await page.waitForTimeout(500)) {
    const [waiting, ...now] = await tall();
    quiet = waiting === 0 && now.join() === before ? quiet + 1 : 0;
    before = now.join();
  }
}

async function drawGallery(): Promise<void> {
  const served = await serve(widgets());
  const shown = names.length
    ? names
    : ["approval_request", "metrics_dashboard", "weather_forecast"];
  for (const [width, height, colorScheme] of [
    [1280, 900, "light"],
    [390, 844, "light"],
    [1280, 900, "dark"],
  ] as const) {
    const page = await browser.browser.newPage({ colorScheme, reducedMotion: "reduce" });
    for (const name of ["", ...shown]) {
      // The hosts scroll in a part of the page.
      await page.setViewportSize({ width, height: name ? 4000 : height });
      await page.goto(`${served.url}/#/${name}`);
      await page
        .locator(name ? ".drawing" : ".card .picture")
        .first()
        .waitFor();
      await settled(page);
      const path = join(folder, `gallery-${name || "home"}-${width}-${colorScheme}.png`);
      await page.screenshot({ path });
    }
    await page.close();
  }
  served.close();
}

for (const kind of ["slack", "adaptive"] as const)
  if (!only || only === kind) await drawMessages(kind);
for (const [kind, isForeign] of [
  ["view", false],
  ["exports", true],
] as const)
  if (!only || only === kind) {
    const known = written()
      .filter(({ name, foreign }) => foreign === isForeign && (foreign || /\/sample$/.test(name)))
      .map((one) => ({ ...one, name: one.name.replace("/sample", "") }));
    if (!known.length) console.log("NOTICE: the corpus is absent; no export is drawn");
    const isWanted = ({ name }: Case) => !names.length || names.includes(name);
    await drawViews(kind, known.filter(isWanted));
  }
if (!only || only === "display") await drawPages();
if (!only || only === "gallery") await drawGallery();
await browser.close();
