// `npm run pictures`: draws the pictures of docs/widgets.md and docs/icons.md. A picture shows the
// YAML before it, a whole file or a part of a widget; `starter-NAME` shows what `new --from NAME`
// writes. Those of docs/pages.md show what `new --app` writes, in the gallery, and the page of
// examples/helpdesk; that of README.md shows one widget in four hosts. Needs target/debug/widgetcast, cargo and a browser.

import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { TestBrowser } from "./host";
import { appPicture, galleryPicture, helpdeskPicture } from "./page-pictures";
import type { Result } from "./tree";

const root = fileURLToPath(new URL("../..", import.meta.url));
const binary = process.env.WIDGETCAST_BIN ?? join(root, "target/debug/widgetcast");
const WIDTH = 480;

const run = (...args: string[]): string => execFileSync(binary, args, { encoding: "utf8" });

/** A widget around a part of one: the root, or children of a card. */
function around(part: string): string {
  const [by, head] = part.startsWith("- ") ? ["    ", "  type: Card\n  children:\n"] : ["  ", ""];
  return `version: "1.0"\nname: Part\nwidget:\n${head}${part.replace(/^/gm, by)}\n`;
}

/** What every picture of a page shows, as the text of a widget. */
function pictures(page: string, folder: string): [name: string, widget: string][] {
  const text = readFileSync(join(root, "docs", page), "utf8");
  const found: [string, string][] = [];
  for (const [, name = ""] of text.matchAll(/\]\(pictures\/([\w-]+)\.png\)/g)) {
    const starter = /^starter-(\w+)$/.exec(name)?.[1];
    if (starter) {
      run("new", starter, "--from", starter, "--dir", folder);
      found.push([name, readFileSync(join(folder, `${starter}.widget`), "utf8")]);
      continue;
    }
    const before = text.slice(0, text.indexOf(`(pictures/${name}.png)`));
    const block = before.slice(before.lastIndexOf("```yaml\n") + 8).split("\n```")[0] ?? "";
    found.push([name, block.startsWith("# ") ? block : around(block)]);
  }
  return found;
}

/** The result of the widget's tool for its sample. */
function result(widget: string): Result {
  const folder = mkdtempSync(join(tmpdir(), "widgetcast-picture-"));
  try {
    writeFileSync(join(folder, "picture.widget"), widget);
    const [tool] = JSON.parse(run("list", folder, "--json"));
    return JSON.parse(run("call", tool.tool, "--dir", folder, "--surface", "mcp-apps", "--json"));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const folder = mkdtempSync(join(tmpdir(), "widgetcast-starters-"));
const browser = await TestBrowser.open();
const host = await browser.host({ motion: "reduce" });
for (const page of ["widgets.md", "icons.md"])
  for (const [name, widget] of pictures(page, folder)) {
    const view = await host.open({
      input: {},
      result: result(widget),
      width: WIDTH,
      context: { theme: "light", displayMode: "inline", locale: "en-US", platform: "web" },
    });
    await view.evaluate(() => Promise.all(document.getAnimations().map((one) => one.finished)));
    const path = join(root, "docs/pictures", `${name}.png`);
    mkdirSync(dirname(path), { recursive: true });
    await host.page.locator("iframe").screenshot({ path });
    console.log(path);
  }
for (const [name, draw] of [
  ["gallery", galleryPicture],
  ["pictures/page-app", appPicture],
  ["pictures/page-helpdesk", helpdeskPicture],
] as const) {
  const path = join(root, "docs", `${name}.png`);
  await draw(browser.browser, path);
  console.log(path);
}
await browser.close();
rmSync(folder, { recursive: true });
