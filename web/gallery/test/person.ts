// What the tests of the page share: a browser, a server, and what a user does and sees.

import { mkdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { after, before } from "node:test";
import {
  type Browser,
  chromium,
  type FrameLocator,
  type Locator,
  type Page,
} from "playwright-core";
import { PATIENCE } from "../../test/patience";
import { folder, type Served, serve } from "./serve";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const shots = process.env.GALLERY_SHOTS;
let browser: Browser;
export let server: Served;

/** One browser and one server for the tests of a file. */
export function start(): void {
  before(async () => {
    server = await serve(folder());
    browser = await chromium.launch({
      executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
      args: ["--no-sandbox"],
    });
  });
  after(async () => {
    await browser?.close();
    server?.close();
  });
}

export interface Opened {
  page: Page;
  /** What the console said that it should not have. */
  said: string[];
}

export async function open(
  hash = "",
  options: {
    width?: number;
    url?: string;
    /** What is done before the page is loaded. */
    prepare?(page: Page): Promise<void>;
  } = {},
): Promise<Opened> {
  const width = options.width ?? 1280;
  const page = await browser.newPage({
    viewport: { width, height: width > 500 ? 860 : 844 },
    colorScheme: "light",
    reducedMotion: "reduce",
  });
  page.setDefaultTimeout(PATIENCE);
  const said: string[] = [];
  page.on("console", (message) => {
    const remote = /ERR_(NAME_NOT_RESOLVED|INTERNET_DISCONNECTED|PROXY|TUNNEL|CONNECTION)/;
    if (message.type() === "error" && !remote.test(message.text())) said.push(message.text());
  });
  page.on("pageerror", (error) => said.push(String(error)));
  await options.prepare?.(page);
  await page.goto(`${options.url ?? server.url}/${hash}`);
  return { page, said };
}

/** Every host that is drawn at first. */
export const HOSTS = [
  "claude",
  "chatgpt",
  "vscode",
  "cursor",
  "goose",
  "chatkit",
  "slack",
  "teams",
  "terminal",
  "markdown",
];
const FRAMES = HOSTS.slice(0, 5);

export const screen = (page: Page, host: string): Locator => page.locator(`[data-host=${host}]`);

/** The view's own page in a host: a frame in a frame. */
export const view = (page: Page, host = "claude"): FrameLocator =>
  screen(page, host).frameLocator("iframe").frameLocator("iframe");

/** What is drawn in a host. */
export const drawing = (page: Page, host: string): FrameLocator | Locator =>
  FRAMES.includes(host) ? view(page, host) : screen(page, host).locator(".drawing");

export const tab = (page: Page, name: string): Locator => page.getByRole("tab", { name });
export const panel = (page: Page): Locator => page.getByRole("tabpanel");

/** Waits for these words in each host, each of which is brought onto the screen first. */
export async function seenInAll(page: Page, words: string | RegExp): Promise<void> {
  for (const host of HOSTS) {
    await screen(page, host).scrollIntoViewIfNeeded();
    await drawing(page, host).getByText(words).first().waitFor();
  }
}

export async function drawn(page: Page): Promise<void> {
  await page.locator(".card .picture").first().waitFor();
}

export async function violations(page: Page): Promise<string[]> {
  // Once in a document: to read it takes longer than to run it.
  if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(axe);
  return page.evaluate(async () => {
    const options = {
      runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"],
      resultTypes: ["violations"],
      iframes: false,
      preload: false,
    };
    // Drawings hold the colours of authors and of hosts, and the view has a test of its own.
    const context = { exclude: [[".stage"], [".drawing"], [".example"], ["iframe"]] };
    // biome-ignore lint/suspicious/noExplicitAny: axe puts itself there
    const result = await (globalThis as any).axe.run(context, options);
    return result.violations.map(
      (one: { id: string; nodes: { html: string; failureSummary: string }[] }) =>
        `${one.id}: ${one.nodes.map((node) => `${node.html} ${node.failureSummary}`).join("\n")}`,
    );
  });
}

export async function shot(page: Page, name: string): Promise<void> {
  if (!shots) return;
  mkdirSync(shots, { recursive: true });
  await page.screenshot({ path: join(shots, `${name}.png`) });
}
