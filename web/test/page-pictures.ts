// The pictures of docs/pages.md.

import { execFileSync, spawn } from "node:child_process";
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Browser } from "playwright-core";
import { buildStats, HELPDESK } from "../example.mjs";
import widgetcast from "../vite/src/index";
import { stats } from "./helpdesk-sample";
import { TestBrowser } from "./host";

const root = fileURLToPath(new URL("../..", import.meta.url));
const binary = process.env.WIDGETCAST_BIN ?? join(root, "target/debug/widgetcast");

/** The app that `new --app` writes, with its page built; gives where it is served. */
async function startApp(dir: string) {
  execFileSync(binary, ["new", "--app", "orders"], { cwd: dir });
  const app = join(dir, "orders");
  const crate = JSON.stringify(join(root, "crates/widgetcast"));
  mkdirSync(join(dir, ".cargo"));
  writeFileSync(
    join(dir, ".cargo/config.toml"),
    `[patch.crates-io]\nwidgetcast = { path = ${crate} }\n[profile.dev]\ndebug = "line-tables-only"\n`,
  );
  copyFileSync(join(root, "Cargo.lock"), join(app, "Cargo.lock"));
  writeFileSync(join(app, "web/dist/stats.html"), await buildStats(widgetcast, join(app, "web")));
  const CARGO_TARGET_DIR = process.env.CARGO_TARGET_DIR ?? join(root, "target");
  const env = { ...process.env, CARGO_TARGET_DIR, WIDGETCAST_HTTP: "127.0.0.1:0" };
  execFileSync("cargo", ["build", "--quiet"], { cwd: app, env });
  const child = spawn(join(CARGO_TARGET_DIR, "debug/orders"), { cwd: app, env });
  const address = await new Promise<string>((found, failed) => {
    let said = "";
    child.on("exit", () => failed(new Error(said)));
    child.stderr.on("data", (bytes) => {
      said += bytes;
      const [, at] = /in a browser: (\S+)/.exec(said) ?? [];
      if (at) found(at);
    });
  });
  return { child, address };
}

export async function appPicture(browser: Browser, path: string): Promise<void> {
  const dir = mkdtempSync(join(tmpdir(), "widgetcast-picture-"));
  const { child, address } = await startApp(dir);
  try {
    const viewport = { width: 1000, height: 740 };
    const page = await browser.newPage({ viewport, reducedMotion: "reduce" });
    await page.goto(`${address}#/stats`);
    await page.getByLabel("days", { exact: true }).fill("3");
    await page.getByRole("button", { name: "Run" }).first().click();
    await page.getByRole("button", { name: "Show only Claude" }).click();
    await page.frameLocator("iframe").frameLocator("iframe").getByRole("img").waitFor();
    await page.screenshot({ path });
    await page.close();
  } finally {
    child.kill();
    rmSync(dir, { recursive: true });
  }
}

export async function helpdeskPicture(_: Browser, path: string): Promise<void> {
  const browser = await TestBrowser.open();
  const host = await browser.host({ motion: "reduce" });
  host.html = readFileSync(join(HELPDESK, "dist/stats.html"), "utf8");
  const view = await host.open({
    input: {},
    width: 640,
    context: { theme: "light", displayMode: "inline", locale: "en-US", platform: "web" },
  });
  await host.send("sendToolResult", { content: [], structuredContent: stats(7) });
  await view.getByRole("img", { name: "Tickets per day" }).waitFor();
  await host.page.locator("iframe").screenshot({ path });
  await browser.close();
}
