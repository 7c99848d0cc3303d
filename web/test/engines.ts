// The widgets of the gallery and the display pages in Firefox and in WebKit, as Debian has them: each is
// drawn, fits its width, and fails nowhere. Chromium is tested elsewhere, and more closely.

import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import type { Readable } from "node:stream";
import { after, before, type TestContext, test } from "node:test";
import puppeteer from "puppeteer-core";
import { SAMPLES } from "../display/test/sample";
import { isAsked } from "./layout";
import type { Report, Shown } from "./layout-page";
import { serveLayout } from "./layout-server";
import { cases } from "./tree";

const widgets = cases().filter(({ foreign }) => !foreign);
const all: Shown[] = [
  ...widgets.map(({ name, result }) => ({
    name,
    page: "/page/view",
    input: {},
    result: { ...result },
  })),
  ...Object.entries(SAMPLES).map(([name, { input, result }]) => ({
    name,
    page: `/page/${name}`,
    input,
    result,
  })),
];

const PATIENCE = 80_000;
let pages: Awaited<ReturnType<typeof serveLayout>>;
before(async () => {
  pages = await serveLayout(all, [320, 600]);
});
after(() => pages?.close());

/** Whether a program is installed; with `CI=true` it must be. */
function isThere(t: TestContext, program: string, name: string): boolean {
  if (existsSync(program)) return true;
  assert.notEqual(process.env.CI, "true", `${program} is not installed (Debian: ${name})`);
  t.skip(`NOTICE: ${program} is not installed (Debian: ${name})`);
  return false;
}

function judge(report: Report | undefined): void {
  assert.equal(report?.count, all.length, "not all were drawn");
  // Where lines end depends on the fonts of an engine; that is judged in Chromium.
  const isOfFonts = (line: string) => isAsked(line) || /: a figure is broken: /.test(line);
  assert.deepEqual(
    report.faults.filter((line) => !isOfFonts(line)),
    [],
  );
}

test("Firefox draws every widget and every display page", async (t) => {
  const executablePath = "/usr/bin/firefox-esr";
  if (!isThere(t, executablePath, "firefox-esr")) return;
  const browser = await puppeteer.launch({ browser: "firefox", executablePath });
  try {
    const page = await browser.newPage();
    await page.setViewport({ width: 1000, height: 900 });
    await page.goto(pages.url);
    await page.waitForFunction(() => window.report, { timeout: PATIENCE, polling: 100 });
    judge(await page.evaluate(() => window.report));
  } finally {
    await browser.close();
  }
});

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const { port } = server.address() as AddressInfo;
  await new Promise((done) => server.close(done));
  return port;
}

/** The first line that a program writes there. */
const lineOf = (stream: Readable) =>
  new Promise<string>((done) => stream.once("data", (text) => done(String(text).trim())));

/** A command of WebDriver; throws what it answers as an error. */
async function command(address: string, path: string, body?: unknown): Promise<unknown> {
  const answer = await fetch(`${address}${path}`, {
    method: body === undefined ? "DELETE" : "POST",
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const { value } = (await answer.json()) as { value: { error?: string; message?: string } | null };
  if (!answer.ok) throw new Error(`${path}: ${value?.error}: ${value?.message}`);
  return value;
}

test("WebKit draws every widget and every display page", async (t) => {
  if (!isThere(t, "/usr/bin/WebKitWebDriver", "webkit2gtk-driver")) return;
  if (!isThere(t, "/usr/bin/Xvfb", "xvfb")) return;
  const started: ChildProcess[] = [];
  try {
    const screen = spawn("Xvfb", ["-displayfd", "3", "-screen", "0", "1280x1024x24"], {
      stdio: ["ignore", "ignore", "ignore", "pipe"],
    });
    started.push(screen);
    const display = `:${await lineOf(screen.stdio[3] as Readable)}`;
    const port = await freePort();
    const env = { ...process.env, DISPLAY: display };
    started.push(spawn("WebKitWebDriver", [`--port=${port}`], { env, stdio: "ignore" }));
    const driver = `http://127.0.0.1:${port}`;
    for (let tries = 0; tries < 1200; tries += 1) {
      if (await fetch(`${driver}/status`).catch(() => undefined)) break;
      await new Promise((done) => setTimeout(done, 50));
    }
    const capabilities = { alwaysMatch: {} };
    const { sessionId } = (await command(driver, "/session", { capabilities })) as {
      sessionId: string;
    };
    const session = `${driver}/session/${sessionId}`;
    await command(session, "/url", { url: pages.url });
    const until = Date.now() + PATIENCE;
    let report: Report | undefined;
    const script = "return window.report";
    while (!report && Date.now() < until) {
      report = (await command(session, "/execute/sync", { script, args: [] })) as Report;
      await new Promise((done) => setTimeout(done, 200));
    }
    await command(session, "");
    judge(report);
  } finally {
    for (const one of started.reverse()) one.kill();
  }
});
