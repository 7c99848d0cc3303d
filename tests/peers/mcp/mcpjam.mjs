// MCPJam's conformance checks against our server: MCP Apps, all seven, and the protocol's.
//
//     node mcpjam.mjs [binary]
//
// They speak the older revisions only. In a folder of its own because it needs an older client.

import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { Tally, binary, brief, finish, gallery, here, must, serve, serveDisplay, stdio, stdioDisplay } from "./server.mjs";

process.env.DO_NOT_TRACK = "1"; // it reports its runs otherwise; it looks while it is imported
const require = createRequire(join(here, "mcpjam/package.json"));
const { MCPAppsConformanceTest, MCPConformanceTest } = await import(pathToFileURL(require.resolve("@mcpjam/sdk")));

const dir = gallery();
const server = await serve(dir);
const display = await serveDisplay();

// What is skipped, and why. Anything else that is skipped is a fault, because it was not checked, and
// so is one of these that is not skipped any more.
const SKIPS = {
  "logging-set-level": "the server has no logging: the protocol has deprecated it",
  "server-sse-polling-session": "the server keeps no sessions",
};

async function run(title, test, count) {
  const tally = new Tally(title);
  const { checks } = await test.run();
  for (const { id, status, error, details } of checks) {
    await tally.check(id, () => {
      const want = id in SKIPS ? "skipped" : "passed";
      must(status === want, `${status}: ${brief(error ?? "")} ${brief(details ?? "")}`);
    });
  }
  await tally.check("all were run", () => must(checks.length >= count, `${checks.length} of ${count}`));
  console.log(tally.line());
  return tally;
}

const tallies = [
  await run("mcpjam apps, http", new MCPAppsConformanceTest({ url: server.url }), 7),
  await run("mcpjam apps, stdio", new MCPAppsConformanceTest({ command: binary, args: stdio(dir) }), 7),
  await run("mcpjam apps, display tools, http", new MCPAppsConformanceTest({ url: display.url }), 7),
  await run("mcpjam apps, display tools, stdio", new MCPAppsConformanceTest({ command: binary, args: stdioDisplay }), 7),
  await run("mcpjam protocol, http", new MCPConformanceTest({ serverUrl: server.url }), 15),
];
await server.stop();
await display.stop();
finish("mcpjam.mjs", tallies);
