// What view each result of other people's servers gets behind `widgetcast wrap`: a table, and the share of results
// with a data, Markdown or picture view. Not part of the tests: npx and uvx install the servers, which takes minutes
// and a network the first time.
//
//     node views.mjs [binary] [--only NAME,…] [--results FILE]
//
// `--results` writes the results that have a view, which `npm run looks` in web/ draws:
//
//     WIDGETCAST_RESULTS=FILE npm run looks exports
//
// The goal is 75 % of the results of 15 servers. Results that are errors, or a plain text, do not count as shown.

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { binary } from "./server.mjs";
import { fill, servePage, thirdParty } from "./third-party.mjs";

const GOAL = 75;
const SERVERS = 15;
const SHOWN = ["table", "chart", "picture", "data", "Markdown"];

const folder = mkdtempSync(join(tmpdir(), "widgetcast-views-"));
process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
fill(folder);
const page = await servePage();
const servers = thirdParty(folder, page.url);

/** The types of the components in a tree. */
function types(tree, found = new Set()) {
  if (Array.isArray(tree)) for (const one of tree) types(one, found);
  else if (typeof tree === "object" && tree !== null) {
    if (tree.type) found.add(tree.type);
    types(Object.values(tree), found);
  }
  return found;
}

/** What a result is shown as. */
function kind({ isError, _meta }) {
  if (isError) return "error";
  const tree = _meta?.["widgetcast/view"]?.tree;
  if (!tree) return _meta?.ui?.resourceUri ? "its own" : "none";
  const found = types(tree);
  if (found.has("Chart")) return "chart";
  if (found.has("Table")) return "table";
  if (found.has("Image")) return "picture";
  // Facts have labels; items of lists and links stand in rows and columns.
  if (["Caption", "Row", "Col"].some((type) => found.has(type))) return "data";
  return found.has("Markdown") ? "Markdown" : "text";
}

const flag = (name) => {
  const at = process.argv.indexOf(name);
  return at < 0 ? undefined : process.argv[at + 1];
};
const only = flag("--only")?.split(",") ?? Object.keys(servers);
const counts = {};
const drawn = [];
let started = 0;
for (const name of only) {
  if (!servers[name]) {
    console.log(`${name.padEnd(20)} not run: there is no Chromium`);
    continue;
  }
  const [command, ...calls] = servers[name];
  const env = { ...process.env, MEMORY_FILE_PATH: join(folder, "memory.jsonl") };
  const pipe = new StdioClientTransport({ command: binary, args: ["wrap", "--", ...command], env, cwd: folder, stderr: "pipe" });
  let log = "";
  pipe.stderr.on("data", (bytes) => (log = (log + bytes).slice(-2_000)));
  const client = new Client({ name: "widgetcast-peers", version: "1.0.0" }, { capabilities: {} });
  try {
    await client.connect(pipe, { timeout: 300_000 });
    await client.listTools();
    started += 1;
  } catch (error) {
    console.log(`${name.padEnd(20)} did not start: ${error.message}\n${log}`);
    continue;
  }
  for (const [tool, args] of calls) {
    const result = await client.callTool({ name: tool, arguments: args }, undefined, { timeout: 120_000 }).catch((error) => ({
      isError: true,
      content: [{ type: "text", text: error.message }],
    }));
    const shown = kind(result);
    counts[shown] = (counts[shown] ?? 0) + 1;
    const isPlain = ["error", "none", "text"].includes(shown);
    const why = isPlain ? `  ${result.content?.[0]?.text?.slice(0, 100).replaceAll("\n", " ")}` : "";
    // Two underlines mark widgets of others.
    if (result._meta?.["widgetcast/view"]?.tree) drawn.push({ name: `${name}__${tool}-${drawn.length}`, result });
    console.log(`${name.padEnd(20)} ${tool.padEnd(28)} ${shown}${why}`);
  }
  await client.close();
}
const all = Object.values(counts).reduce((sum, count) => sum + count, 0);
const shown = SHOWN.reduce((sum, kind) => sum + (counts[kind] ?? 0), 0);
const share = (100 * shown) / all;
console.log(Object.entries(counts).map(([kind, count]) => `${kind} ${count}`).join(", "));
console.log(`${started} servers, ${all} results, ${share.toFixed(0)} % with a data, Markdown or picture view (goal: ${GOAL} % of ${SERVERS} servers)`);
page.close();
if (flag("--results")) writeFileSync(flag("--results"), JSON.stringify(drawn));
process.exit(share >= GOAL && (only.length < SERVERS || started >= SERVERS) ? 0 : 1);
