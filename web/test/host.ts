// A real browser, a host in it, and one view at a time in the double frame.

import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { type Browser, chromium, type Frame } from "playwright-core";
import type { Setup } from "../playwright/src/host-page";
import { type Csp, type Origins, serve } from "../playwright/src/server";
import { HostPage } from "../playwright/src/view";
import type { Report, Shown } from "./layout-page";
import { serveLayout } from "./layout-server";
import { PATIENCE } from "./patience";
import { type Probe, probe } from "./probe";
import { check } from "./traffic";

export const versions = ["2.0.4", "1.7.5"] as const;
export type Version = (typeof versions)[number];

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const viewPage = readFileSync(here("../../crates/widgetcast/pages/view.html"), "utf8");

/** The host's script with a version of ext-apps. */
async function bundle(version: string): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [here("../playwright/src/host-page.ts")],
    alias: version === "1.7.5" ? { "ext-apps-2": "ext-apps-1" } : {},
    bundle: true,
    minify: true,
    format: "iife",
    write: false,
    logLevel: "error",
  });
  return outputFiles[0]?.text ?? "";
}

export interface Options extends Setup {
  csp?: Csp;
  input?: Record<string, unknown>;
  result?: unknown;
  /** Runs in the view's frame before its script. */
  before?: { script: (value: never) => void; value: unknown };
}

export interface HostKind {
  theme?: "light" | "dark";
  motion?: "reduce" | "no-preference";
  version?: Version;
  /** Answers for addresses outside of our two origins; without it they fail. */
  picture?: boolean;
}

const pixel = `<svg xmlns="http://www.w3.org/2000/svg" width="64" height="64"><rect width="64" height="64" fill="#9ab"/></svg>`;

// tsx keeps names through a helper that a function loses on its way into the browser.
const named = "globalThis.__name = (value) => value";

/** One browser for a test file. */
export class TestBrowser {
  readonly #hosts = new Map<string, Promise<Host>>();

  private constructor(
    readonly browser: Browser,
    readonly origins: Origins,
  ) {}

  static async open(): Promise<TestBrowser> {
    const origins = await serve(bundle);
    const browser = await chromium.launch({
      executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
      args: ["--no-sandbox"],
    });
    return new TestBrowser(browser, origins);
  }

  /** The host page of this kind; loaded once, because views are fresh and hosts are not. */
  host(kind: HostKind = {}): Promise<Host> {
    const key = JSON.stringify(kind);
    const host = this.#hosts.get(key) ?? this.#openHost(kind);
    this.#hosts.set(key, host);
    return host;
  }

  /** Hides what the hosts show, until they open the next view: what moves in it slows down the others. */
  async rest(): Promise<void> {
    for (const { page } of await Promise.all(this.#hosts.values()))
      await page.evaluate(() => {
        for (const frame of document.querySelectorAll("iframe")) frame.style.display = "none";
      });
  }

  async #openHost(kind: HostKind): Promise<Host> {
    const context = await this.browser.newContext({
      viewport: { width: 800, height: 900 },
      colorScheme: kind.theme ?? "light",
      reducedMotion: kind.motion ?? "no-preference",
    });
    context.setDefaultTimeout(PATIENCE);
    const host = new Host(await context.newPage(), this.origins);
    await host.settle(kind);
    return host;
  }

  /** Lays out all cases at all widths, each in a document of its own. */
  async layout(cases: readonly Shown[], widths: readonly number[]): Promise<Report> {
    const { url, close } = await serveLayout(cases, widths);
    const page = await this.browser.newPage({ viewport: { width: 1300, height: 900 } });
    await page.route(
      ({ hostname }) => hostname !== "127.0.0.1",
      (route) => route.fulfill({ contentType: "image/svg+xml", body: pixel }),
    );
    await page.goto(url);
    const report = await page.waitForFunction(() => window.report, undefined, { timeout: 120_000 });
    close();
    return (await report.jsonValue()) as Report;
  }

  async close(): Promise<void> {
    await this.browser.close();
    this.origins.close();
  }
}

/** One host page. `open` gives a fresh view frame each time. */
export class Host extends HostPage {
  /** The page under test. */
  html = viewPage;
  /** Console errors and uncaught errors of all frames, refused resources left out: see `Probe`. */
  readonly faults: string[] = [];
  /** Every address asked for outside of our two origins. */
  readonly asked: string[] = [];

  async settle({ version = "2.0.4", picture }: HostKind): Promise<void> {
    const { page } = this;
    page.on("pageerror", (error) => this.faults.push(String(error)));
    page.on("console", (message) => {
      const text = message.text();
      const ours = !/Content Security Policy|Failed to load resource/.test(text);
      if (message.type() === "error" && ours) this.faults.push(text);
    });
    await page.addInitScript(named);
    await page.route(
      (url) => !["localhost", "127.0.0.1"].includes(url.hostname),
      (route) => {
        this.asked.push(route.request().url());
        return picture
          ? route.fulfill({ contentType: "image/svg+xml", body: pixel })
          : route.abort();
      },
    );
    page.on("request", (request) => {
      const { hostname, pathname } = new URL(request.url());
      const known = /^\/(proxy|favicon\.ico|page\/\d+|host\/[12]\.\d\.\d\/(host\.js)?)$/.test(
        pathname,
      );
      if (hostname === "127.0.0.1" && !known) this.asked.push(request.url());
    });
    await page.goto(this.origins.host(version));
  }

  async open({ input, result, before, ...setup }: Options = {}): Promise<Frame> {
    const early = before ? `;(${before.script})(${JSON.stringify(before.value)})` : "";
    this.faults.length = 0;
    this.asked.length = 0;
    await this.show({ html: this.html, early: `${named};(${probe})()${early}`, ...setup });
    if (input) await this.send("sendToolInput", { arguments: input });
    if (result) await this.result(result);
    return this.view;
  }

  /** Sends the answers of tools that are held. */
  release(): Promise<void> {
    return this.page.evaluate(() => window.viewHost.release());
  }

  /** Sends a result and waits until something of it is drawn. */
  async result(result: unknown): Promise<void> {
    const before = (await this.probe()).draws;
    await this.send("sendToolResult", result);
    await this.view.waitForFunction((count) => window.probe.draws > count, before, {
      polling: 5,
    });
  }

  /** Another result for the same view; what was said and refused before it is forgotten. */
  async again(result: unknown): Promise<void> {
    this.faults.length = 0;
    await this.page.evaluate(() => {
      window.viewHost.log.length = 0;
    });
    await this.view.evaluate(() => {
      window.probe.violations.length = 0;
      window.probe.errors.length = 0;
    });
    await this.result(result);
  }

  probe(): Promise<Probe> {
    return this.view.evaluate(() => window.probe);
  }

  /** Everything that went wrong in this view, as lines; none is good. */
  async wrong(): Promise<string[]> {
    const { violations, errors } = await this.probe();
    return [
      ...check(await this.log()),
      ...this.faults.splice(0),
      ...errors,
      ...violations
        .filter(({ directive }) => directive !== "img-src")
        .map(({ directive, blocked }) => `policy: ${directive} refused ${blocked}`),
    ];
  }
}
