// `npm run pictures [name …]`: draws the pictures of the documentation whose sources changed, or those with
// these names, such as `gallery` or `pictures/card`. A picture of docs/widgets.md and docs/icons.md shows the
// YAML before it, a whole file or a part of a widget; `starter-NAME` shows what `new --from NAME` writes. Those
// of docs/pages.md show what `new --app` writes, in the gallery, and the page of examples/helpdesk; that of
// README.md shows one widget in six hosts. Needs target/debug/widgetcast, cargo and a browser.

import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { galleryPicture } from "./gallery-picture";
import { TestBrowser } from "./host";
import { appPicture, helpdeskPicture } from "./page-pictures";
import { isStale, PICTURES, type Picture, pathOf, record } from "./picture-inputs";
import type { Result } from "./tree";

const root = fileURLToPath(new URL("../..", import.meta.url));
const binary = process.env.WIDGETCAST_BIN ?? join(root, "target/debug/widgetcast");
const WIDTH = 480;

const run = (...args: string[]): string => execFileSync(binary, args, { encoding: "utf8" });

/** The text of the widget that a picture shows. */
function widgetOf({ widget, starter }: Picture, folder: string): string | undefined {
  if (!starter) return widget;
  run("new", starter, "--from", starter, "--dir", folder);
  return readFileSync(join(folder, `${starter}.widget`), "utf8");
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

const OWN = {
  gallery: galleryPicture,
  "pictures/page-app": appPicture,
  "pictures/page-helpdesk": helpdeskPicture,
};

const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => !PICTURES.some((one) => one.name === name));
if (unknown.length) throw new Error(`no picture is named ${unknown.join(" or ")}`);
const folder = mkdtempSync(join(tmpdir(), "widgetcast-starters-"));
const browser = await TestBrowser.open();
const host = await browser.host({ motion: "reduce" });
const drawn = PICTURES.filter((one) => (wanted.length ? wanted.includes(one.name) : isStale(one)));
for (const picture of drawn) {
  const path = pathOf(picture);
  mkdirSync(dirname(path), { recursive: true });
  const widget = widgetOf(picture, folder);
  if (widget === undefined) await OWN[picture.name as keyof typeof OWN](browser.browser, path);
  else {
    const view = await host.open({
      input: {},
      result: result(widget),
      width: WIDTH,
      context: { theme: "light", displayMode: "inline", locale: "en-US", platform: "web" },
    });
    await view.evaluate(() => Promise.all(document.getAnimations().map((one) => one.finished)));
    await host.page.locator("iframe").screenshot({ path });
  }
  console.log(path);
}
await browser.close();
rmSync(folder, { recursive: true });
record(drawn);
