// Two origins from one process: the host page, and the sandbox proxy whose answer carries the policy
// as an HTTP header, because a `<meta>` can be left behind by the frame that it should hold.

import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";

/** The origins that a page may load from, as in `_meta.ui.csp` of a resource. */
export interface Csp {
  connectDomains?: string[];
  resourceDomains?: string[];
  frameDomains?: string[];
  baseUriDomains?: string[];
}

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

export interface Origins {
  /** The address of the host whose script has this name. */
  host(script: string): string;
  /** The address of a page, at the origin of the host. */
  page(html: string): string;
  proxy(csp: Csp): string;
  close(): void;
}

/** Serves both. The scripts of the host are given by their names. */
export async function serve(script: (name: string) => Promise<string>): Promise<Origins> {
  const scripts = new Map<string, Promise<string>>();
  const pages: string[] = [];
  const made = (name: string) => {
    const found = scripts.get(name) ?? script(name);
    scripts.set(name, found);
    return found;
  };
  const server = (listener: RequestListener) =>
    new Promise<Server>((resolve) => {
      const started = createServer(listener).listen(0, "127.0.0.1", () => resolve(started));
    });
  const host = await server(async (request, response) => {
    const [, kind, name = "", file] = (request.url ?? "").split("/");
    const send = (type: string, text: string) =>
      response.writeHead(200, { "content-type": `${type}; charset=utf-8` }).end(text);
    if (kind === "page") return send("text/html", pages[Number(name)] ?? "");
    if (kind !== "host") return response.writeHead(204).end();
    return file
      ? send("text/javascript", await made(name))
      : send("text/html", hostPage(`/host/${name}/host.js`));
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
    host: (name) => `http://localhost:${port(host)}/host/${name}/`,
    page(html) {
      if (!pages.includes(html)) pages.push(html);
      return `/page/${pages.indexOf(html)}`;
    },
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
