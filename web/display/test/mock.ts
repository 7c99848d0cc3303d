// Pages in the mock host of the client, in a window of their own: the mock takes the place of the
// window's parent. With `bridge: false` and `openai` it is the host that has `window.openai` alone.

import { build } from "esbuild";
import type { Browser, Page } from "playwright-core";
import type { MockHost, MockOptions } from "../../client/src/mock";
import { policy } from "../../playwright/src/server";
import { PATIENCE } from "../../test/patience";

declare global {
  interface Window {
    mock: MockHost;
  }
}

let bundled: Promise<string> | undefined;
const mock = () => {
  bundled ??= build({
    stdin: {
      contents: `import { createMockHost } from "./src/mock";\nwindow.createMock = createMockHost;`,
      resolveDir: new URL("../../client", import.meta.url).pathname,
      loader: "ts",
    },
    bundle: true,
    format: "iife",
    write: false,
  }).then(({ outputFiles }) => outputFiles[0]?.text ?? "");
  return bundled;
};

export interface Seen {
  page: Page;
  faults: string[];
}

const pages = new Map<string, Promise<Page>>();

/** A window of this theme; one for all tests, because a new one takes longer than what is done in it. */
function windowOf(browser: Browser, theme: "light" | "dark", name: string): Promise<Page> {
  const open = async () => {
    const context = await browser.newContext({ colorScheme: theme });
    context.setDefaultTimeout(PATIENCE);
    return context.newPage();
  };
  const page = pages.get(name + theme) ?? open();
  pages.set(name + theme, page);
  return page;
}

/** Leaves what the windows show: what moves in it slows down the others. */
export async function leaveMocks(): Promise<void> {
  for (const page of await Promise.all(pages.values()))
    if (page.url() !== "about:blank") await page.goto("about:blank");
}

/** Opens a page in the place of the one that was opened before in this theme and window. */
export async function openMock(
  browser: Browser,
  html: string,
  options: MockOptions & { width: number; theme: "light" | "dark"; window?: string },
): Promise<Seen> {
  const { width, theme, window: name = "", ...rest } = options;
  const page = await windowOf(browser, theme, name);
  await page.unrouteAll();
  page.removeAllListeners("pageerror");
  page.removeAllListeners("console");
  await page.setViewportSize({ width, height: 900 });
  const faults: string[] = [];
  page.on("pageerror", (error) => faults.push(String(error)));
  page.on("console", (message) => {
    if (message.type() === "error") faults.push(message.text());
  });
  const script = `${await mock()};globalThis.__name=(value)=>value;window.mock=window.createMock(${JSON.stringify(rest).replaceAll("<", "\\u003c")})`;
  const body = html.replace(
    /<meta charset=[^>]*>/i,
    (charset) => `${charset}<script>${script}</script>`,
  );
  await page.route("**/*", (route) =>
    route.request().url() === "http://mock.test/"
      ? route.fulfill({
          contentType: "text/html",
          headers: { "content-security-policy": policy({}) },
          body,
        })
      : route.abort(),
  );
  await page.goto("http://mock.test/");
  return { page, faults };
}
