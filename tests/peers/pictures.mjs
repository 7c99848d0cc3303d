// Draws the cases of fixtures/cases as people see them, by what draws them in the gallery (Adaptive Cards by
// Microsoft's renderer, Slack blocks by ours), to target/screenshots. For looking at, not for a test.
//
//     node tests/peers/pictures.mjs [adaptive|slack] [case …]
//
// Needs the packages of web, and a browser at $CHROMIUM or /usr/bin/chromium.

import { existsSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../..", import.meta.url));
const web = createRequire(join(root, "web/package.json"));
const { chromium } = web("playwright-core");
const { buildSync } = web("esbuild");

const [only, ...names] = process.argv.slice(2);
const cases = join(root, "fixtures/cases");
const folder = join(root, "target/screenshots");
mkdirSync(folder, { recursive: true });

// The drawing of cards has the page's icons, which are made from those of lucide.
await (await import(join(root, "web/view/icons.mjs"))).writePageIcons();

const script = (file, global) =>
  buildSync({
    entryPoints: [join(root, file)],
    bundle: true,
    write: false,
    format: "iife",
    globalName: global,
    // As web/build.mjs does: the renderer registers its elements as it is loaded, which its package denies.
    ignoreAnnotations: true,
  }).outputFiles[0].text;

const style = `
body{margin:0;padding:16px;background:#ddd;font-family:Inter,Arial,sans-serif}
.frame{border-radius:8px;overflow:hidden}`;

const parts = {
  adaptive: {
    file: "adaptive-card.json",
    script: () => script("web/gallery/src/lazy/cards.ts", "Cards"),
    draw: ([json, dark]) => {
      const sheet = document.createElement("style");
      sheet.textContent = widgetcastCards.style;
      const frame = document.createElement("div");
      frame.className = "frame";
      frame.style.colorScheme = dark ? "dark" : "light";
      frame.style.color = dark ? "#ffffff" : "#242424";
      frame.append(widgetcastCards.draw(json, dark, () => {}));
      document.body.append(sheet, frame);
    },
  },
  slack: {
    file: "slack-blocks.json",
    script: () => script("web/gallery/src/slack.ts", "Slack"),
    draw: ([json, dark]) => {
      const sheet = document.createElement("style");
      sheet.textContent = Slack.slackStyle;
      const frame = document.createElement("div");
      frame.className = dark ? "frame slack-dark" : "frame";
      frame.append(Slack.drawSlack(json.blocks));
      document.body.append(sheet, frame);
    },
  },
};

const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  args: ["--no-sandbox"],
});
for (const [kind, part] of Object.entries(parts)) {
  if (only && only !== kind) continue;
  const code = part.script();
  for (const name of names.length > 0 ? names : readdirSync(cases)) {
    const [widget, sample = "sample"] = name.split("/");
    const file = join(cases, widget, sample, part.file);
    if (!existsSync(file)) continue;
    const json = JSON.parse(readFileSync(file, "utf8"));
    for (const [width, dark] of [[600, false], [320, false], [600, true]]) {
      if (process.env.QUICK && (dark || (width === 320 && kind === "slack"))) continue;
      const page = await browser.newPage({ viewport: { width: width + 32, height: 200 } });
      await page.setContent(`<!doctype html><style>${style}</style><body>`);
      await page.addScriptTag({ content: code });
      await page.evaluate(`(${part.draw})(${JSON.stringify([json, dark])})`);
      const look = dark ? "dark" : "light";
      await page.screenshot({ path: join(folder, `${kind}-${widget}-${width}-${look}.png`), fullPage: true });
      await page.close();
    }
  }
}
await browser.close();
