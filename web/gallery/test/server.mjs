// For development: the page, its scripts and its frames from the sources, everything else from the binary.
// `node gallery/test/server.mjs [PORT] [DIR]`, from `web/`; with WIDGETCAST_BIN another binary.

import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { createServer, request } from "node:http";
import { createServer as createSocket } from "node:net";
import { dirname, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const FRAME_STYLE =
  ":root{color-scheme:light dark}html,body,iframe{display:block;width:100%;height:100%;margin:0;border:0}";
const here = dirname(fileURLToPath(import.meta.url));

export function freePort() {
  return new Promise((done) => {
    const socket = createSocket().listen(0, "127.0.0.1", () => {
      const { port } = socket.address();
      socket.close(() => done(port));
    });
  });
}

/** What the build makes of a template, a script and a style sheet. */
async function page(template, entries) {
  const [script, style] = await Promise.all(
    entries.map((entry) =>
      build({
        entryPoints: [entry],
        absWorkingDir: resolve(here, ".."),
        bundle: true,
        minify: true,
        write: false,
        format: "iife",
        target: "es2022",
      }),
    ),
  );
  const code = script.outputFiles[0].text.replace(/<\/(script)/gi, "<\\/$1");
  return readFileSync(resolve(here, "..", template), "utf8")
    .replace("/*style*/", () => style?.outputFiles[0].text ?? FRAME_STYLE)
    .replace("/*script*/", () => code.replace(/<!--/g, "<\\!--"));
}

/** A script that the page loads when it needs it. */
async function lazy(entry) {
  const options = {
    absWorkingDir: resolve(here, ".."),
    bundle: true,
    minify: true,
    write: false,
    ignoreAnnotations: true,
  };
  const made = await build({ ...options, entryPoints: [entry], format: "iife", target: "es2022" });
  return made.outputFiles[0].text;
}

/** A proxy before the server at a port, with the page as it is in the sources now. */
export async function proxy(inner, port = 0) {
  const made = {
    "/": await page("index.html", ["src/main.tsx", "src/style.css"]),
    "/gallery/frame": await page("frame.html", ["src/proxy.ts"]),
    "/gallery/cards.js": await lazy("src/lazy/cards.ts"),
    "/gallery/schemas.js": await lazy("src/lazy/schemas.ts"),
  };
  const server = createServer((incoming, answer) => {
    // The server looks at both names, because a foreign page must not reach it.
    const headers = { ...incoming.headers, host: `127.0.0.1:${inner}` };
    if (headers.origin) headers.origin = `http://127.0.0.1:${inner}`;
    const { url: path, method } = incoming;
    const outgoing = request({ port: inner, host: "127.0.0.1", path, method, headers }, (reply) => {
      const own = made[path.split("?")[0]];
      const { "content-length": _, "content-encoding": __, ...rest } = reply.headers;
      answer.writeHead(reply.statusCode, own ? rest : reply.headers);
      if (!own) return reply.pipe(answer);
      reply.resume();
      answer.end(own);
    });
    outgoing.on("error", () => answer.destroy());
    answer.on("close", () => outgoing.destroy());
    incoming.pipe(outgoing);
  });
  await new Promise((done) => server.listen(port, "127.0.0.1", done));
  return {
    url: `http://127.0.0.1:${server.address().port}`,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const root = resolve(here, "../../..");
  const binary = process.env.WIDGETCAST_BIN ?? resolve(root, "target/debug/widgetcast");
  const inner = await freePort();
  const dir = process.argv[3] ?? resolve(root, "crates/cli/widgets");
  const args = ["serve", dir, "--watch", "--http", `127.0.0.1:${inner}`];
  const child = spawn(binary, args, { stdio: "inherit" });
  const server = await proxy(inner, Number(process.argv[2] ?? 8790));
  console.log(server.url);
  for (const signal of ["SIGINT", "SIGTERM"])
    process.on(signal, () => {
      server.close();
      child.kill();
      process.exit(0);
    });
}
