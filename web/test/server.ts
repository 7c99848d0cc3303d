// Two origins from one process: the host page, and the sandbox proxy whose answer carries the policy
// as an HTTP header, because a `<meta>` can be left behind by the frame that it should hold.

import { readFileSync } from "node:fs";
import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

export const versions = ["2.0.4", "1.7.5"] as const;
export type Version = (typeof versions)[number];

export interface Csp {
  connectDomains?: string[];
  resourceDomains?: string[];
  frameDomains?: string[];
  baseUriDomains?: string[];
}

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const pagePath = here("../../crates/widgetcast/pages/view.html");

/** The policy of MCP Apps for what a resource's `_meta.ui.csp` declares. */
export function policy({
  connectDomains,
  resourceDomains,
  frameDomains,
  baseUriDomains,
}: Csp): string {
  const list = (domains: string[] | undefined, ...always: string[]) => {
    const all = [...always, ...(domains ?? []).filter((domain) => !/[;'"\s]/.test(domain))];
    return all.length ? all.join(" ") : "'none'";
  };
  return [
    "default-src 'none'",
    `script-src ${list(resourceDomains, "'unsafe-inline'")}`,
    `style-src ${list(resourceDomains, "'unsafe-inline'")}`,
    `img-src ${list(resourceDomains, "data:")}`,
    `font-src ${list(resourceDomains)}`,
    `media-src ${list(resourceDomains, "data:")}`,
    `connect-src ${list(connectDomains)}`,
    `frame-src ${list(frameDomains)}`,
    "object-src 'none'",
    `base-uri ${list(baseUriDomains)}`,
    "form-action 'none'",
  ].join("; ");
}

const hostPage = (script: string) => `<!doctype html>
<html lang="en"><meta charset="utf-8"><title>host</title>
<style>:root{color-scheme:light dark;background:light-dark(#fff,#212121)}body{margin:0}</style><body><script src="${script}"></script></body></html>`;

// The inner frame has an opaque origin and no allow-forms: the poorest sandbox a host gives.
const proxyPage = `<!doctype html>
<html lang="en"><meta charset="utf-8"><title>proxy</title>
<style>:root{color-scheme:light dark}html,body,iframe{margin:0;width:100%;height:100%;border:0;display:block;overflow:hidden}</style>
<body><script>
let inner, mute;
addEventListener("message", ({ source, data }) => {
  if (data?.jsonrpc !== "2.0") return;
  if (source === parent) {
    if (data.method === "ui/notifications/sandbox-resource-ready") {
      mute = data.params.mute;
      inner = document.createElement("iframe");
      inner.title = "view";
      inner.sandbox = "allow-scripts";
      inner.srcdoc = data.params.html;
      document.body.append(inner);
    } else inner?.contentWindow.postMessage(data, "*");
  } else if (source === inner?.contentWindow && !mute
    && !String(data.method).startsWith("ui/notifications/sandbox-")) parent.postMessage(data, "*");
});
parent.postMessage({ jsonrpc: "2.0", method: "ui/notifications/sandbox-proxy-ready", params: {} }, "*");
</script></body></html>`;

async function bundle(version: Version): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [here("page.ts")],
    alias: version === "1.7.5" ? { "ext-apps-2": "ext-apps-1" } : {},
    bundle: true,
    minify: true,
    format: "iife",
    write: false,
    logLevel: "error",
  });
  return outputFiles[0]?.text ?? "";
}

export interface Origins {
  host(version: Version): string;
  proxy(csp: Csp): string;
  close(): void;
}

export async function serve(): Promise<Origins> {
  const scripts = new Map<string, Promise<string>>();
  const script = (version: Version) => {
    const made = scripts.get(version) ?? bundle(version);
    scripts.set(version, made);
    return made;
  };
  const server = (listener: RequestListener) =>
    new Promise<Server>((resolve) => {
      const made = createServer(listener).listen(0, "127.0.0.1", () => resolve(made));
    });
  const host = await server(async (request, response) => {
    if (request.url === "/view.html") return response.end(readFileSync(pagePath));
    const [, version, file] = (request.url ?? "").split("/");
    if (!versions.includes(version as Version)) return response.writeHead(204).end();
    const [type, text] = file
      ? ["text/javascript", await script(version as Version)]
      : ["text/html", hostPage(`/${version}/host.js`)];
    response.writeHead(200, { "content-type": `${type}; charset=utf-8` }).end(text);
  });
  const proxy = await server((request, response) => {
    const url = new URL(request.url ?? "/", "http://proxy");
    if (url.pathname !== "/proxy") return response.writeHead(404).end();
    const csp = JSON.parse(url.searchParams.get("csp") ?? "{}") as Csp;
    response
      .writeHead(200, {
        "content-type": "text/html; charset=utf-8",
        "content-security-policy": policy(csp),
      })
      .end(proxyPage);
  });
  const port = (of: Server) => (of.address() as AddressInfo).port;
  return {
    host: (version) => `http://localhost:${port(host)}/${version}/`,
    proxy: (csp) =>
      `http://127.0.0.1:${port(proxy)}/proxy?csp=${encodeURIComponent(JSON.stringify(csp))}`,
    close() {
      for (const each of [host, proxy]) {
        each.close();
        each.closeAllConnections();
      }
    },
  };
}
