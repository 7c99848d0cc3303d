// One page in its host: a frame without an origin in the proxy's frame, and what goes between them.

import type { Frame, Page } from "playwright-core";
import type { Entry, Setup } from "./host-page.js";
import type { Csp, Origins } from "./server.js";

/** How often something is looked for: 30 seconds, as in Playwright. */
const TRIES = 3000;

export interface Opening extends Setup {
  html: string;
  csp?: Csp;
  /** Runs in the frame before the page's own scripts. */
  early?: string;
}

/** A page of Playwright that is a host. `show` gives a fresh frame each time. */
export class HostPage {
  #frame: Frame | undefined;
  readonly #past = new WeakSet<Frame>();

  constructor(
    readonly page: Page,
    readonly origins: Origins,
  ) {}

  /** The frame of the page that is shown. */
  get view(): Frame {
    if (!this.#frame) throw new Error("no view is open");
    return this.#frame;
  }

  async show({ html, csp = {}, early = "", ...setup }: Opening): Promise<Frame> {
    await this.page.evaluate(
      ([page, proxy, script, options]) => window.viewHost.open(page, proxy, script, options),
      // In the page itself: Chromium runs a debugger's start scripts too late in a frame of its own.
      [this.origins.page(html), this.origins.proxy(csp), early, setup] as const,
    );
    await this.#find();
    return this.view;
  }

  /** The frames of pages, also of one that has not answered. */
  frames(): Frame[] {
    return this.page.frames().filter((frame) => frame.url() === "about:srcdoc");
  }

  async #find(): Promise<void> {
    for (let tries = 0; tries < TRIES; tries += 1) {
      // The last view's frame may still be listed for a moment.
      const found = this.frames().find((frame) => !this.#past.has(frame));
      if (found) {
        this.#past.add(found);
        this.#frame = found;
        return;
      }
      await this.page.waitForTimeout(10);
    }
    throw new Error("the view's frame did not appear");
  }

  /** Calls a method of the AppBridge, such as `sendToolResult`. */
  send(method: string, params: unknown): Promise<unknown> {
    // As text, here and in `log`: a tree may be deeper than what the debugger's protocol carries.
    return this.page.evaluate(([name, value]) => window.viewHost.send(name, JSON.parse(value)), [
      method,
      JSON.stringify(params),
    ] as const);
  }

  /** Every message between the two. */
  async log(): Promise<Entry[]> {
    return JSON.parse(await this.page.evaluate(() => JSON.stringify(window.viewHost.log)));
  }

  /** The parameters of what the page sent, by method. */
  async sent(method: string): Promise<Record<string, unknown>[]> {
    const log = await this.log();
    return log
      .filter(({ from, message }) => from === "view" && message.method === method)
      .map(({ message }) => message.params as Record<string, unknown>);
  }

  /** Waits until the page has sent `count` messages of this method. */
  async wait(method: string, count = 1): Promise<Record<string, unknown>[]> {
    for (let tries = 0; tries < TRIES; tries += 1) {
      const found = await this.sent(method);
      if (found.length >= count) return found;
      await this.page.waitForTimeout(10);
    }
    const said = (await this.log()).map(
      ({ from, message }) => `${from} ${message.method ?? "answer"}`,
    );
    throw new Error(`no ${method} within 30 s; the log is: ${said.join(", ")}`);
  }
}
