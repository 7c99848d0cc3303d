// How long a directory of many widgets takes until the page can be used. Prints, and judges nothing.
//
//     npm run bench:gallery [-- COUNT [RUNS]]
//
// WIDGETCAST_BIN is the binary (target/debug/widgetcast), CHROMIUM the browser.

import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { type Browser, chromium } from "playwright-core";
import { largeFolder, serve } from "./test/serve";

const [count = 1000, runs = 7] = process.argv.slice(2).map(Number);

/** Milliseconds since the navigation began. */
interface Times {
  /** The document is there. */
  loaded: number;
  /** The first card is listed. */
  listed: number;
  /** The first card has its picture. */
  drawn: number;
  /** What was typed into the search has been followed. */
  found: number;
}

/** Runs in the page, from its first moment: looks at every frame, and types as soon as a card is drawn. */
const WATCH = `{
  const times = (globalThis.times = { loaded: 0, listed: 0, drawn: 0, found: 0 });
  document.addEventListener("DOMContentLoaded", () => { times.loaded = performance.now(); });
  const look = () => {
    const find = (selector) => document.querySelector(selector);
    if (find(".card")) times.listed ||= performance.now();
    if (find(".card .picture")) times.drawn ||= performance.now();
    const field = find("input[type=search]");
    if (times.drawn && field.value === "") {
      field.value = "sales chart";
      field.dispatchEvent(new Event("input", { bubbles: true }));
    }
    if (times.drawn && / of /.test(find(".find [role=status]").textContent))
      times.found = performance.now();
    else requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
}`;

/** Loads an address with nothing in the cache. */
async function load(browser: Browser, url: string, last: keyof Times): Promise<Times> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 860 } });
  const page = await context.newPage();
  await page.addInitScript({ content: WATCH });
  await page.goto(url);
  await page.waitForFunction(
    (name) => Reflect.get(Reflect.get(globalThis, "times"), name) > 0,
    last,
  );
  const times = await page.evaluate<Times>(() => Reflect.get(globalThis, "times"));
  await context.close();
  return times;
}

const median = (all: number[]): number =>
  [...all].sort((a, b) => a - b)[Math.floor(all.length / 2)] ?? Number.NaN;

const empty = createServer((_, answer) => {
  answer.setHeader("content-type", "text/html").end("<!doctype html><title>x</title><input>");
}).listen(0, "127.0.0.1");
const begun = performance.now();
const server = await serve(largeFolder(count));
console.log(`${count} widgets, served after ${Math.round(performance.now() - begun)} ms`);
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  args: ["--no-sandbox"],
});
try {
  const { port } = empty.address() as AddressInfo;
  const [plain, full]: [number[], Times[]] = [[], []];
  // In turns, so that both see the same machine; the first of each warms it up.
  for (let run = 0; run <= runs; run++) {
    const one = await load(browser, `http://127.0.0.1:${port}/`, "loaded");
    const other = await load(browser, server.url, "found");
    if (run > 0) plain.push(one.loaded);
    if (run > 0) full.push(other);
  }
  const base = median(plain);
  const rows: [string, number][] = [
    ["an empty page", base],
    ["the document", median(full.map(({ loaded }) => loaded))],
    ["the first card listed", median(full.map(({ listed }) => listed))],
    ["the first card drawn", median(full.map(({ drawn }) => drawn))],
    ["typing has filtered", median(full.map(({ found }) => found))],
  ];
  for (const [name, time] of rows)
    console.log(
      `${name.padEnd(22)} ${time.toFixed(0).padStart(5)} ms ${(time / base).toFixed(1).padStart(6)} ×`,
    );
} finally {
  await browser.close();
  server.close();
  empty.close();
}
