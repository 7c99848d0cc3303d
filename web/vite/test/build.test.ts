// The plugin in Vite itself: what a build writes, what it refuses, what the dev server gives.

import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer as createHttpServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { dirname, join, resolve } from "node:path";
import { after, beforeEach, test } from "node:test";
import { fileURLToPath } from "node:url";
import react from "@vitejs/plugin-react";
import { createBuilder, createServer } from "vite";
import { html } from "../src/document";
import widgetcast, { type Options } from "../src/index";

// Inside web/, so that React is found.
const top = mkdtempSync(join(resolve(dirname(fileURLToPath(import.meta.url)), ".."), ".build-"));
after(() => rmSync(top, { recursive: true, force: true }));

let root: string;
let count = 0;
beforeEach(() => {
  count += 1;
  root = join(top, String(count));
});

const PIXEL = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);

function write(files: Record<string, string | Buffer>): void {
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    writeFileSync(join(root, name), content);
  }
}

const config = (options: Options) => ({
  root,
  configFile: false as const,
  logLevel: "silent" as const,
  plugins: [react(), widgetcast(options)],
});
async function build(options: Options = {}): Promise<string[]> {
  const builder = await createBuilder(config(options));
  await builder.buildApp();
  return readdirSync(join(root, "dist")).sort();
}
const built = (name: string) => readFileSync(join(root, "dist", name), "utf8");

test("every page is one file that holds all it needs", async () => {
  write({
    "pages/stats.tsx": `import "../style.css"; import pixel from "../pixel.png";
      export default function Stats() { return <img src={pixel} alt="</script><!-- end" />; }`,
    "pages/plain-list.ts": `import { label } from "../shared"; document.body.append(label());
      import("../later").then(({ later }) => later());`,
    "pages/stats.test.ts": "throw new Error('not a page')",
    "shared.ts": "export const label = () => 'shared with </SCRIPT>';",
    "later.ts": "export const later = () => console.log('later');",
    "style.css": "body { background: url(./pixel.png) }",
    "pixel.png": PIXEL,
  });
  assert.deepEqual(await build(), ["plain-list.html", "stats.html"]);
  for (const name of ["plain-list.html", "stats.html"]) {
    const [head = "", code = "", ...rest] = built(name).split(/<script type="module">|<\/script/i);
    assert.deepEqual(rest, ["></body></html>\n"], name);
    assert.ok(!/<link|src=/.test(head), name);
    assert.ok(!code.includes("<!--"), name);
  }
  const [plain, stats] = [built("plain-list.html"), built("stats.html")];
  assert.match(plain, /later/);
  assert.ok(!/import\(|getElementById/.test(plain), "it mounts itself, and loads no other file");
  assert.ok(/<style>body\{background:url\("?data:image\/png;base64,/.test(stats));
  assert.ok(stats.includes("getElementById(`root`)"), "the component is mounted");
});

test("nothing ends the script or the style before its end", () => {
  const page = html("a-page", 'x = "</script><!-- </SCRIPT "', "a { b: c }");
  assert.match(page, /<title>A page<\/title>/);
  assert.deepEqual(page.match(/<\/script|<!--/gi), ["</script"]);
  assert.throws(() => html("a", "", "/* </style> */"), /<\/style/);
});

test("pages of one configuration ask the server once", async () => {
  write({
    "server.mjs": SERVER,
    "pages/stats.ts": "export {};",
    "pages/other.ts": "export {};",
    "vite.config.ts": `import widgetcast from "../../src/index";
      export default { plugins: [widgetcast({ server: { command: "node server.mjs" } })] };`,
  });
  await (await createBuilder({ root, logLevel: "silent" })).buildApp();
  assert.equal(readFileSync(join(root, "asked"), "utf8"), "x");
});

const LOADS = {
  "pages/stats.tsx": `import "../style.css";
// fetch("https://comment.example.com") loads nothing.
export default function Stats() {
  const id = 7;
  void fetch(\`https://api.example.com/v1/\${id}\`);
  new WebSocket("wss://live.example.com");
  return <p><img src="https://pics.example.com/a.png" alt="" /><a href="https://x.example.com">x</a>
    <iframe src="https://frame.example.com" title="f" /></p>;
}`,
  "style.css": "@font-face { font-family: a; src: url(https://fonts.example.com/a.woff2) }",
};

test("what is not declared is refused, with its line and what to add", async () => {
  write(LOADS);
  const message = await build({ csp: { stats: {} } }).then(
    () => assert.fail("it was built"),
    (error: Error) => error.message,
  );
  const found = message.split("\n").filter((line) => line.includes("page stats:"));
  assert.deepEqual(
    found
      .map((line) => line.replace(/^.*page stats: /, "").replace(", which hosts will block", ""))
      .sort(),
    [
      `pages/stats.tsx:5 loads from https://api.example.com: add .connect(["https://api.example.com"]) to its Page in Rust`,
      `pages/stats.tsx:6 loads from wss://live.example.com: add .connect(["wss://live.example.com"]) to its Page in Rust`,
      `pages/stats.tsx:7 loads from https://pics.example.com: add .resource(["https://pics.example.com"]) to its Page in Rust`,
      `pages/stats.tsx:8 loads from https://frame.example.com: add .frame(["https://frame.example.com"]) to its Page in Rust`,
      `style.css:1 loads from https://fonts.example.com: add .resource(["https://fonts.example.com"]) to its Page in Rust`,
    ],
  );
});

test("what is declared is built", async () => {
  write(LOADS);
  const stats = {
    connectDomains: ["https://api.example.com", "wss://live.example.com"],
    resourceDomains: ["https://*.example.com"],
    frameDomains: ["https://frame.example.com"],
  };
  assert.deepEqual(await build({ csp: { stats } }), ["stats.html"]);
});

test("where nothing is known of what is declared, it is built", async () => {
  write(LOADS);
  assert.deepEqual(await build(), ["stats.html"]);
});

// A server of few words: what it is asked, and what it answers.
const SERVER = `
import { appendFileSync } from "node:fs";
import { createInterface } from "node:readline";
const uri = "ui://widgetcast/stats-0123456789ab.html";
const tools = [{ name: "stats", inputSchema: { type: "object" }, outputSchema: { type: "object",
  required: ["n"], properties: { n: { type: "integer" } } } }];
const answers = {
  initialize: { protocolVersion: "2025-11-25", capabilities: {}, serverInfo: {} },
  "tools/list": { tools },
  "resources/list": { resources: [{ uri }, { uri: "widget://a/schema" }] },
  "resources/read": { contents: [{ uri, text: "", _meta: { ui: { csp: {
    connectDomains: ["https://api.example.com"] } } } }] },
};
appendFileSync("asked", "x");
console.log("ready");
createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method } = JSON.parse(line);
  if (id !== undefined) console.log(JSON.stringify({ jsonrpc: "2.0", id, result: answers[method] }));
});`;

test("types and declared origins come from the server that a command starts", async () => {
  write({
    "server.mjs": SERVER,
    "pages/stats.ts": `void fetch("https://api.example.com/a");`,
  });
  const server = { url: "http://127.0.0.1:9/mcp", command: "node server.mjs" };
  assert.deepEqual(await build({ server }), ["stats.html"]);
  const types = readFileSync(join(root, "tools.d.ts"), "utf8");
  assert.match(types, /stats: \{ input: Record<string, unknown>; output: \{\s+n: number;\s+\} \};/);

  write({ "pages/stats.ts": `void fetch("https://other.example.com/a");` });
  await assert.rejects(build({ server }), /stats\.ts:1 loads from https:\/\/other\.example\.com/);
});

test("a server that runs is asked, unless it is another one", async () => {
  write({
    "server.mjs": SERVER,
    "pages/stats.ts": "export {};",
  });
  const tools = [{ name: "running", inputSchema: {} }];
  const running = createHttpServer((request, response) => {
    let body = "";
    request.on("data", (bytes) => {
      body += bytes;
    });
    request.on("end", () => {
      const { id } = JSON.parse(body);
      const result = { tools, resources: [], serverInfo: { name: "mine" } };
      // As a stream, which a server may choose.
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.end(id ? `event: message\ndata: ${JSON.stringify({ id, result })}\n\n` : "");
    });
  });
  await new Promise<void>((resolve) => running.listen(0, "127.0.0.1", resolve));
  try {
    const url = `http://127.0.0.1:${(running.address() as AddressInfo).port}/mcp`;
    const types = () => readFileSync(join(root, "tools.d.ts"), "utf8");
    await build({ server: { url, name: "mine", command: "node server.mjs" } });
    assert.match(types(), /running: /);
    await build({ server: { url, name: "other", command: "node server.mjs" } });
    assert.match(types(), /stats: /);
  } finally {
    running.close();
  }
});

test("a server that cannot be asked leaves the types as they are", async () => {
  write({ "pages/stats.ts": "export {};", "tools.d.ts": "// mine" });
  const server = { command: "node -e 'process.exit(1)'" };
  assert.deepEqual(await build({ server }), ["stats.html"]);
  assert.equal(readFileSync(join(root, "tools.d.ts"), "utf8"), "// mine");
});

test("a server that needs its pages to start is asked once they are built", async () => {
  const server = { command: "cat dist/stats.html >/dev/null && node server.mjs" };
  write({
    "server.mjs": SERVER,
    "pages/stats.ts": `void fetch("https://api.example.com/a");`,
  });
  assert.deepEqual(await build({ server }), ["stats.html"]);
  assert.match(readFileSync(join(root, "tools.d.ts"), "utf8"), /stats: /);

  rmSync(join(root, "dist"), { recursive: true });
  write({ "pages/stats.ts": `void fetch("https://other.example.com/a");` });
  await assert.rejects(build({ server }), /stats\.ts:1 loads from https:\/\/other\.example\.com/);
});

test("pages that cannot be named are refused", async () => {
  write({ "pages/a b.ts": "export {};" });
  await assert.rejects(build(), /a b\.ts: a page name/);
  await assert.rejects(build({ pages: ["x/stats.ts", "y/stats.tsx"] }), /two pages are named/);
  mkdirSync(join(root, "none"));
  await assert.rejects(build({ pages: "none" }), /no pages in none/);
});

test("the development server gives a page to frames without an origin", async () => {
  write({
    "pages/stats.tsx": `import pixel from "../pixel.png";
      export default function Stats() { return <img src={pixel} alt="" />; }`,
    "pixel.png": PIXEL,
  });
  const server = await createServer({
    ...config({}),
    server: { port: 0, host: "127.0.0.1", strictPort: false },
  });
  await server.listen();
  try {
    const { port } = (server.httpServer as Server).address() as AddressInfo;
    const get = (path: string, origin = "null") =>
      fetch(`http://127.0.0.1:${port}${path}`, { headers: { origin } });
    const entry = await get("/@widgetcast/stats.js");
    assert.equal(entry.status, 200);
    assert.equal(entry.headers.get("access-control-allow-origin"), "null");
    const code = await entry.text();
    const order = ["/@vite/client", "preamble", "/pages/stats.tsx"].map((one) => code.indexOf(one));
    assert.ok(
      order.every((at, index) => at > (order[index - 1] ?? -1)),
      code,
    );
    // Addresses in a frame of a host are not relative to the dev server.
    assert.match(
      await (await get("/pixel.png?import")).text(),
      /"http:\/\/localhost:\d+\/pixel\.png"/,
    );
    const other = await get("/@widgetcast/stats.js", "https://evil.example.com");
    assert.notEqual(other.headers.get("access-control-allow-origin"), "https://evil.example.com");
    assert.notEqual((await get("/@widgetcast/other.js")).status, 200);
  } finally {
    await server.close();
  }
});
