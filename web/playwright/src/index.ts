// Opens a page of one's own as its hosts do: under the official AppBridge of MCP Apps, in a frame
// without an origin and under the policy that hosts make of what the page declares, and with a double of
// `window.openai`. For playwright-core, and as a fixture for @playwright/test.

import { readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { setTimeout as wait } from "node:timers/promises";
import { type Browser, chromium, type Frame } from "playwright-core";
import { change, envelope, install, LOOK, METHODS } from "./openai.js";
import { type Csp, type Origins, serve } from "./server.js";
import { HostPage } from "./view.js";

export type { Frame } from "playwright-core";
export type { Csp } from "./server.js";

export interface ToolResult {
  content?: { type: string; text?: string }[];
  structuredContent?: unknown;
  _meta?: Record<string, unknown>;
  isError?: boolean;
}
/** The progress of a call. */
export interface Progress {
  progress: number;
  total?: number;
  message?: string;
}
/**
 * A fake tool. It returns data, or a complete result created with `result`. Only the AppBridge forwards
 * the progress that it reports.
 */
export type Answer = (
  args: Record<string, unknown>,
  report: (progress: Progress) => Promise<void>,
) => unknown;

export interface Options {
  /** The built page, such as `dist/stats.html`. */
  file: string;
  /** The arguments of the tool that shows it. */
  input?: Record<string, unknown>;
  /** The tool's data; without it, the call is still pending. */
  output?: unknown;
  /** The tool's complete result, instead of `output`. */
  result?: ToolResult;
  /** Fake tools for the page to call, by name. */
  tools?: Record<string, Answer>;
  /** The origins that the page declares. */
  csp?: Csp;
  /** The host context: theme, locale, displayMode, … */
  context?: Record<string, unknown>;
  /** How many milliseconds `appBridge` waits for the page to connect; 10,000 by default. */
  timeout?: number;
}

/** Creates a complete result from data. */
export const result = (data: unknown): ToolResult => ({
  content: [{ type: "text", text: JSON.stringify(data) }],
  structuredContent: data,
});

/** A page that is open in a host. */
export interface View {
  /** The page's frame, with all of Playwright's locators. */
  frame: Frame;
  /** Sends the page a new result of its tool. */
  output(data: unknown): Promise<void>;
  /** Uncaught errors and policy violations. */
  problems(): Promise<string[]>;
}

/** A page under the official AppBridge. */
export interface AppView extends View {
  /** The parameters of all messages of this method that the page has sent, such as `ui/message`. */
  sent(method: string): Promise<Record<string, unknown>[]>;
  /** Like `sent`, but waits for the first message. */
  wait(method: string): Promise<Record<string, unknown>[]>;
  /** Calls a method of the AppBridge, such as `sendToolResult` or `setHostContext`. */
  send(method: string, params: unknown): Promise<unknown>;
}

/** A page with a fake `window.openai`. */
export interface OpenAiView extends View {
  /** The arguments of the calls of a method, such as `sendFollowUpMessage`. */
  calls(method: string): Promise<unknown[][]>;
  /** Changes globals, such as `theme`, and notifies the page. */
  change(globals: Record<string, unknown>): Promise<void>;
}

const problemsIn = (frame: Frame): Promise<string[]> =>
  frame.evaluate(() => (window as unknown as { problems: string[] }).problems);

/** Runs in the frame before the page: notes what goes wrong. */
function watch(): void {
  const found: string[] = [];
  (window as unknown as { problems: string[] }).problems = found;
  addEventListener("securitypolicyviolation", ({ effectiveDirective, blockedURI }) => {
    found.push(`policy: ${effectiveDirective} refused ${blockedURI}`);
  });
  addEventListener("error", ({ message }) => found.push(message));
  addEventListener("unhandledrejection", ({ reason }) => found.push(`unhandled: ${reason}`));
}

/** Emulated hosts to open pages in. */
export class Hosts {
  private constructor(
    readonly browser: Browser,
    readonly origins: Origins,
    readonly isOwn: boolean,
  ) {}

  /** Uses the given browser, or launches Chromium. */
  static async start(given?: Browser): Promise<Hosts> {
    const path = new URL("./host-page.js", import.meta.url);
    const origins = await serve(() => readFile(path, "utf8"));
    const executablePath = process.env.CHROMIUM;
    const browser = given ?? (await chromium.launch(executablePath ? { executablePath } : {}));
    return new Hosts(browser, origins, !given);
  }

  /** Opens a page under the official MCP Apps AppBridge. */
  async appBridge(options: Options): Promise<AppView> {
    const { csp = {}, context = {}, timeout = 10_000 } = options;
    const host = await this.#newPage(options);
    const html = readFileSync(options.file, "utf8");
    const shown = host.show({ html, csp, context, early: `(${watch})()` });
    const done = new AbortController();
    const late = wait(timeout, undefined, { signal: done.signal }).catch(() => undefined);
    const frame = await Promise.race([shown, late]).finally(() => done.abort());
    if (!frame) {
      // It ends with the page.
      shown.catch(() => {});
      const found = await Promise.all(host.frames().map(problemsIn));
      await host.page.close();
      const why = found.flat().join("\n") || "the page reported no error";
      throw new Error(`${options.file} sent no ui/initialize within ${timeout} ms:\n${why}`);
    }
    const send = (given: ToolResult) =>
      host.send("sendToolResult", { content: [], ...given }) as Promise<void>;
    await host.send("sendToolInput", { arguments: options.input ?? {} });
    const first = resultOf(options);
    if (first) await send(first);
    return {
      ...viewOf(frame, (data) => send(result(data))),
      sent: (method) => host.sent(method),
      wait: (method) => host.wait(method),
      send: (method, params) => host.send(method, params),
    };
  }

  /** Opens a page with a fake `window.openai`, and no bridge. */
  async openai(options: Options): Promise<OpenAiView> {
    const host = await this.#newPage(options);
    const globalsOf = (given: ToolResult | undefined) => ({
      toolOutput: given?.structuredContent ?? null,
      toolResponseMetadata: given ? envelope(given) : null,
    });
    const globals = {
      ...LOOK,
      ...options.context,
      toolInput: options.input ?? {},
      ...globalsOf(resultOf(options)),
    };
    const double = JSON.stringify({ globals, methods: METHODS });
    const early = `(${watch})();(${install})(${double})`;
    const html = readFileSync(options.file, "utf8");
    const frame = await host.show({ html, csp: options.csp ?? {}, bridge: false, early });
    const tell = (fresh: Record<string, unknown>) => frame.evaluate(change, fresh);
    return {
      ...viewOf(frame, (data) => tell(globalsOf(result(data)))),
      calls: (method) =>
        frame.evaluate(
          (wanted) => window.calls.filter(([name]) => name === wanted).map(([, ...args]) => args),
          method,
        ),
      change: tell,
    };
  }

  async #newPage({ tools = {} }: Options): Promise<HostPage> {
    const page = await this.browser.newPage();
    const host = new HostPage(page, this.origins);
    const answerTool = async (name: string, args: Record<string, unknown>, token: unknown) => {
      const method = "notifications/progress";
      const answer = await tools[name]?.(args, async (progress) => {
        const params = { progressToken: token, ...progress };
        if (token != null) await host.send("notification", { method, params });
      });
      return isResult(answer) || answer === undefined ? answer : result(answer);
    };
    await page.exposeFunction("answerTool", answerTool);
    await page.goto(this.origins.host("app-bridge"));
    return host;
  }

  async close(): Promise<void> {
    if (this.isOwn) await this.browser.close();
    this.origins.close();
  }
}

const isResult = (value: unknown): boolean =>
  typeof value === "object" &&
  value !== null &&
  ("structuredContent" in value || "isError" in value || "error" in value);

const resultOf = ({ result: whole, output }: Options) =>
  whole ?? (output === undefined ? undefined : result(output));

const viewOf = (frame: Frame, output: (data: unknown) => Promise<void>): View => ({
  frame,
  output,
  problems: () => problemsIn(frame),
});

/** Fixtures for `test.extend` of @playwright/test. */
export const fixtures = {
  hosts: async (
    { browser }: { browser: unknown },
    use: (hosts: Hosts) => Promise<void>,
  ): Promise<void> => {
    const hosts = await Hosts.start(browser as Browser);
    await use(hosts);
    await hosts.close();
  },
};
