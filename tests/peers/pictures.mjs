// Draws the cases of fixtures/cases as people see them: Adaptive Cards by Microsoft's renderer, Slack
// blocks by web/gallery/src/slack.ts, to target/screenshots. For looking at, not for a test.
//
//     node tests/peers/pictures.mjs [adaptive|slack] [case …]
//
// Needs the packages of tests/peers and web, and a browser at $CHROMIUM or /usr/bin/chromium.

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

const script = (file, global) =>
  buildSync({
    entryPoints: [join(root, file)],
    bundle: true,
    write: false,
    format: "iife",
    globalName: global,
  }).outputFiles[0].text;

// The colours and sizes of Teams, as its documentation gives them.
const hostConfig = (dark) => {
  const colors = (text, subtle) => ({
    default: { default: text, subtle },
    accent: { default: dark ? "#9299f7" : "#5b5fc7", subtle: dark ? "#9299f7" : "#5b5fc7" },
    good: { default: dark ? "#92c353" : "#237b4b", subtle: "#237b4b" },
    warning: { default: dark ? "#f8d22a" : "#835c00", subtle: "#835c00" },
    attention: { default: dark ? "#f9526b" : "#c4314b", subtle: "#c4314b" },
  });
  const foregroundColors = colors(dark ? "#ffffff" : "#242424", dark ? "#adadad" : "#616161");
  return {
    fontFamily: "Segoe UI, Inter, Arial, sans-serif",
    fontSizes: { small: 12, default: 14, medium: 14, large: 18, extraLarge: 24 },
    fontWeights: { lighter: 300, default: 400, bolder: 600 },
    lineHeights: { small: 16, default: 20, medium: 20, large: 24, extraLarge: 32 },
    spacing: { small: 4, default: 8, medium: 12, large: 16, extraLarge: 20, padding: 16 },
    separator: { lineThickness: 1, lineColor: dark ? "#3d3d3d" : "#e1e1e1" },
    containerStyles: {
      default: { backgroundColor: dark ? "#292929" : "#ffffff", foregroundColors },
      emphasis: { backgroundColor: dark ? "#333333" : "#f5f5f5", foregroundColors },
    },
    imageSizes: { small: 32, medium: 52, large: 100 },
    actions: {
      maxActions: 6, spacing: "default", buttonSpacing: 8, actionsOrientation: "horizontal",
      actionAlignment: "left",
    },
    factSet: { spacing: 16, title: { weight: "bolder" }, value: {} },
    inputs: { label: { requiredInputs: { weight: "bolder" }, optionalInputs: { weight: "bolder" } } },
  };
};

const style = `
body{margin:0;padding:16px;background:#ddd;font-family:Inter,Arial,sans-serif}
.frame{border-radius:8px;overflow:hidden}.ac-pushButton{padding:5px 12px;border-radius:4px;border:1px solid #d1d1d1;background:#fff;font:600 14px/20px inherit;font-family:inherit}
.ac-pushButton.primary,.ac-pushButton.style-positive{background:#5b5fc7;color:#fff;border-color:#5b5fc7}.ac-pushButton.style-destructive{color:#c4314b}
.ac-input{font:14px/20px inherit;font-family:inherit;padding:5px 8px;border:1px solid #d1d1d1;border-radius:4px;width:100%;box-sizing:border-box;background:#fff}
.ac-toggleInput,.ac-choiceSetInput-expanded input{width:auto}.ac-input.ac-toggleInput{border:0;padding:0}
.ac-input.ac-choiceSetInput-expanded{border:0;padding:0}
.ac-selectable{cursor:pointer}`;

const parts = {
  adaptive: {
    file: "adaptive-card.json",
    script: () => script("tests/peers/node_modules/adaptivecards/dist/adaptivecards.js", "ACBundle"),
    draw: ([json, config]) => {
      const AC = window.AdaptiveCards ?? ACBundle;
      AC.AdaptiveCard.onProcessMarkdown = (text, result) => {
        const escaped = text.replace(/&/g, "&amp;").replace(/</g, "&lt;");
        result.outputHtml = escaped
          .replace(/\*\*(.+?)\*\*/g, "<b>$1</b>")
          .replace(/^[-•] (.*)$/gm, "<div>• $1</div>");
        result.didProcess = true;
      };
      const card = new AC.AdaptiveCard();
      card.hostConfig = new AC.HostConfig(config);
      card.parse(json);
      const frame = document.createElement("div");
      frame.className = "frame";
      frame.append(card.render());
      document.body.append(frame);
    },
  },
  slack: {
    file: "slack-blocks.json",
    script: () => script("web/gallery/src/slack.ts", "Slack"),
    draw: ([json, , dark]) => {
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
      await page.setContent(`<style>${style}</style><body>`);
      await page.addScriptTag({ content: code });
      await page.evaluate(`(${part.draw})(${JSON.stringify([json, hostConfig(dark), dark])})`);
      const look = dark ? "dark" : "light";
      await page.screenshot({ path: join(folder, `${kind}-${widget}-${width}-${look}.png`), fullPage: true });
      await page.close();
    }
  }
}
await browser.close();
