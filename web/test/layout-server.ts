// Serves the cases that a browser lays out, and the pages that show them, each under its policy: images
// come from the origins that the page's address has as `from`.

import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { policy } from "../playwright/src/server";
import type { Shown } from "./layout-page";
import { probe } from "./probe";

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

// Errors that a page writes to the console count as errors.
const early = `globalThis.__name=(value)=>value;(${probe})();
console.error=(...all)=>window.probe.errors.push("console: "+all.join(" "))`;

/** The page of that name: the view, or one of the display tools. */
function pageOf(name: string): string {
  const folder = name === "view" ? "widgetcast" : "display";
  const html = readFileSync(here(`../../crates/${folder}/pages/${name}.html`), "utf8");
  return html.replace(/<meta charset=[^>]*>/i, (charset) => `${charset}<script>${early}</script>`);
}

/** An address where a browser lays out all cases at all widths; `window.report` has what it found. */
export async function serveLayout(
  cases: readonly Shown[],
  widths: readonly number[],
): Promise<{ url: string; close(): void }> {
  const { outputFiles } = await build({
    entryPoints: [here("layout-page.ts")],
    bundle: true,
    format: "iife",
    write: false,
    logLevel: "error",
  });
  const script = outputFiles[0]?.text ?? "";
  const server = createServer((request, response) => {
    const { pathname: url, searchParams } = new URL(request.url ?? "/", "http://localhost");
    const page = /^\/page\/([\w-]+)$/.exec(url)?.[1];
    if (page) {
      const resourceDomains = searchParams.getAll("from");
      response.setHeader("content-security-policy", policy({ resourceDomains }));
      response.setHeader("content-type", "text/html");
      response.end(pageOf(page));
    } else if (url === "/cases") response.end(JSON.stringify({ cases, widths }));
    else if (url === "/run.js") {
      response.setHeader("content-type", "text/javascript; charset=utf-8");
      response.end(script);
    } else if (url === "/") {
      response.setHeader("content-type", "text/html");
      response.end(`<!doctype html><meta charset="utf-8"><body><script src="/run.js"></script>`);
    } else response.writeHead(404).end();
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/`,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
