// The page as `widgetcast chatkit` serves it: a conversation outlives a reload and a restart of the
// server, and belongs to who had it. Needs target/debug/widgetcast.

import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { type Browser, chromium, type Page } from "playwright-core";
import { PATIENCE } from "../../test/patience";

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const binary = process.env.WIDGETCAST_BIN ?? here("../../../target/debug/widgetcast");
const shots = here("../../../target/screenshots/chat/");
const folder = mkdtempSync(join(tmpdir(), "widgetcast-chat-"));
let browser: Browser;
let server: ChildProcess;
let port = 0;

const freePort = () =>
  new Promise<number>((done) => {
    const probe = createServer().listen(0, "127.0.0.1", () => {
      const { port } = probe.address() as { port: number };
      probe.close(() => done(port));
    });
  });

async function start(): Promise<void> {
  const listen = `127.0.0.1:${port}`;
  const store = `sqlite:${join(folder, "chat.db")}`;
  const args = ["chatkit", here("widgets"), "--listen", listen, "--store", store];
  // No model of whoever runs the tests answers.
  const { OPENAI_MODEL: _, ...env } = process.env;
  server = spawn(binary, args, { stdio: "ignore", env });
  for (let tries = 0; tries < 1200; tries++) {
    const answer = await fetch(`http://${listen}/readyz`).catch(() => undefined);
    if (answer?.ok) return;
    await new Promise((done) => setTimeout(done, 50));
  }
  throw new Error("the server does not start");
}

async function stop(): Promise<void> {
  const ended = new Promise((done) => server.once("exit", done));
  server.kill("SIGTERM");
  await ended;
}

before(async () => {
  mkdirSync(shots, { recursive: true });
  port = await freePort();
  await start();
  browser = await chromium.launch({
    executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
    args: ["--no-sandbox"],
  });
});
after(async () => {
  await browser?.close();
  await stop();
  rmSync(folder, { recursive: true });
});

const log = (page: Page) => page.getByRole("log");

async function open(): Promise<Page> {
  const context = await browser.newContext({ reducedMotion: "reduce", locale: "en-US" });
  const page = await context.newPage();
  page.setDefaultTimeout(PATIENCE);
  await page.goto(`http://127.0.0.1:${port}/chat`);
  await page.locator("#message").waitFor();
  return page;
}

async function send(page: Page, text: string): Promise<void> {
  await page.locator("#message").fill(text);
  await page.locator("#message").press("Enter");
}

test("a conversation stays, for who had it", async () => {
  const page = await open();
  await send(page, "/flight_tracker");
  // The gallery next to the chat has the author's sample.
  await page.getByRole("button", { name: "Try with sample data" }).click();
  await log(page).getByText("On time").waitFor();
  await log(page).getByRole("button", { name: "Refresh" }).click();
  await log(page).getByText("Landed").waitFor();
  assert.equal(await log(page).getByText("On time").count(), 0);
  await page.screenshot({ path: `${shots}served.png` });
  const before = await log(page).innerText();
  const address = page.url();

  await page.reload();
  await log(page).getByText("Landed").waitFor();
  assert.equal(await log(page).innerText(), before, "after a reload");
  await stop();
  await start();
  await page.reload();
  await log(page).getByText("Landed").waitFor();
  assert.equal(await log(page).innerText(), before, "after a restart of the server");

  const other = await open();
  await send(other, "/flight_tracker OS 22");
  await log(other).getByText("OS 22").first().waitFor();
  assert.equal(await other.getByText("HA 417").count(), 0, "a second person sees nothing of it");
  await other.goto(address);
  await other.getByText("This conversation does not exist, or is not yours.").waitFor();
  assert.equal(await other.getByText("HA 417").count(), 0, "not even by its address");
  const found = await other.evaluate(async () => (await fetch("/chatkit/search?q=417")).json());
  assert.deepEqual(found.data, []);
});
