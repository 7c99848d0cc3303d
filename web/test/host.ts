// A real browser, a host in it, and one view at a time in the double frame.

import { type Browser, chromium, type Frame, type Page } from "playwright-core";
import type { Entry, Setup } from "./page";
import { type Probe, probe } from "./probe";
import { type Csp, type Origins, serve, type Version } from "./server";
import { check } from "./traffic";

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
    const origins = await serve();
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

  async #openHost(kind: HostKind): Promise<Host> {
    const context = await this.browser.newContext({
      viewport: { width: 800, height: 900 },
      colorScheme: kind.theme ?? "light",
      reducedMotion: kind.motion ?? "no-preference",
    });
    context.setDefaultTimeout(3000);
    const host = new Host(await context.newPage(), this.origins);
    await host.settle(kind);
    return host;
  }

  async close(): Promise<void> {
    await this.browser.close();
    this.origins.close();
  }
}

/** One host page. `open` gives a fresh view frame each time. */
export class Host {
  /** Console errors and uncaught errors of all frames, refused resources left out: see `Probe`. */
  readonly faults: string[] = [];
  /** Every address asked for outside of our two origins. */
  readonly asked: string[] = [];
  #frame: Frame | undefined;
  readonly #past = new WeakSet<Frame>();

  constructor(
    readonly page: Page,
    readonly origins: Origins,
  ) {}

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
      const known = /^\/(proxy|favicon\.ico|[12]\.\d\.\d\/(host\.js)?)$/.test(pathname);
      if (hostname === "127.0.0.1" && !known) this.asked.push(request.url());
    });
    await page.goto(this.origins.host(version), { timeout: 30_000 });
  }

  /** The view's frame. */
  get view(): Frame {
    if (!this.#frame) throw new Error("no view is open");
    return this.#frame;
  }

  async open({ csp = {}, input, result, before, ...setup }: Options = {}): Promise<Frame> {
    // In the page itself: Chromium runs a debugger's start scripts too late in a frame of its own.
    const early = before ? `;(${before.script})(${JSON.stringify(before.value)})` : "";
    const script = `${named};(${probe})()${early}`;
    this.faults.length = 0;
    this.asked.length = 0;
    await this.page.evaluate(
      ([proxy, first, options]) => window.viewHost.open(proxy, first, options),
      [this.origins.proxy(csp), script, setup] as const,
    );
    await this.#find();
    if (input) await this.send("sendToolInput", { arguments: input });
    if (result) await this.result(result);
    return this.view;
  }

  async #find(): Promise<void> {
    for (let tries = 0; tries < 200; tries += 1) {
      // The last view's frame may still be listed for a moment.
      const found = this.page
        .frames()
        .find((frame) => frame.url() === "about:srcdoc" && !this.#past.has(frame));
      if (found) {
        this.#past.add(found);
        this.#frame = found;
        return;
      }
      await this.page.waitForTimeout(10);
    }
    throw new Error("the view's frame did not appear");
  }

  /** Calls a method of the AppBridge. */
  send(method: string, params: unknown): Promise<unknown> {
    // As text, here and in `log`: a tree may be deeper than what the debugger's protocol carries.
    return this.page.evaluate(([name, value]) => window.viewHost.send(name, JSON.parse(value)), [
      method,
      JSON.stringify(params),
    ] as const);
  }

  /** Sends a result and waits until something of it is drawn. */
  async result(result: unknown): Promise<void> {
    const before = (await this.probe()).draws;
    await this.send("sendToolResult", result);
    await this.view.waitForFunction((count) => window.probe.draws > count, before, {
      polling: 5,
      timeout: 5000,
    });
  }

  probe(): Promise<Probe> {
    return this.view.evaluate(() => window.probe);
  }

  async log(): Promise<Entry[]> {
    return JSON.parse(await this.page.evaluate(() => JSON.stringify(window.viewHost.log)));
  }

  /** What the view sent, by method. */
  async sent(method: string): Promise<Record<string, unknown>[]> {
    const log = await this.log();
    return log
      .filter(({ from, message }) => from === "view" && message.method === method)
      .map(({ message }) => message.params as Record<string, unknown>);
  }

  /** Waits until the view has sent `count` messages of this method. */
  async wait(method: string, count = 1): Promise<Record<string, unknown>[]> {
    for (let tries = 0; tries < 300; tries += 1) {
      const found = await this.sent(method);
      if (found.length >= count) return found;
      await this.page.waitForTimeout(10);
    }
    const said = (await this.log()).map(
      ({ from, message }) => `${from} ${message.method ?? "answer"}`,
    );
    throw new Error(`no ${method} within 3 s; the log is: ${said.join(", ")}`);
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
