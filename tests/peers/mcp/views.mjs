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

import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { binary, root } from "./server.mjs";

const GOAL = 75;
const SERVERS = 15;
const SHOWN = ["table", "chart", "picture", "data", "Markdown"];
const uvx = join(root, "target/venv/bin/uvx");
const npm = (name, ...args) => ["npx", "--yes", `@modelcontextprotocol/server-${name}@2026.8.31`, ...args];
const pypi = (name, ...args) => [uvx, name, ...args];

/** What the servers work on. */
const folder = mkdtempSync(join(tmpdir(), "widgetcast-views-"));
process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
const file = (name, text) => {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
};
const PAGE = "<html><body><h1>Cities</h1><p>Two of <b>many</b>.</p><ul><li>Bern</li><li>Basel</li></ul></body></html>";
const html = file("page.html", PAGE);
const script = file("code.js", "var unused = 1;\nfoo( );\n");
file("eslint.config.mjs", 'export default [{ rules: { "no-undef": "error", "no-unused-vars": "error" } }];\n');
file("package.json", '{ "name": "views", "type": "module" }\n');
const git = (...args) => execFileSync("git", ["-C", folder, "-c", "user.name=a", "-c", "user.email=a@example.com", ...args]);
git("init", "--quiet");
git("add", ".");
git("commit", "--quiet", "-m", "first");
file("code.js", "var unused = 2;\n");
const web = createServer((request, response) => {
  const isPage = request.url === "/";
  response.writeHead(isPage ? 200 : 404, { "content-type": "text/html" }).end(isPage ? PAGE : "");
});
await new Promise((done) => web.listen(0, "127.0.0.1", done));
const url = `http://127.0.0.1:${web.address().port}/`;
const chromium = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"].find(existsSync);
const packed = file(
  "packed.xml",
  '<file_summary></file_summary><files>\n<file path="a.js">\nfoo();\n</file>\n<file path="b.js">\nbar();\nbar();\n</file>\n</files>\n',
);
const book = join(folder, "book.xlsx");

const servers = {
  everything: [npm("everything"),
    ["echo", { message: "hello" }],
    ["get-sum", { a: 1, b: 2 }],
    ["get-structured-content", { location: "Chicago" }],
    ["get-tiny-image", {}],
    ["get-annotated-message", { messageType: "success", includeImage: true }],
    ["get-resource-links", { count: 3 }],
    ["get-resource-reference", { resourceType: "Text", resourceId: 1 }]],
  filesystem: [npm("filesystem", folder),
    ["list_directory", { path: folder }],
    ["list_directory_with_sizes", { path: folder }],
    ["directory_tree", { path: folder }],
    ["read_text_file", { path: html }],
    ["get_file_info", { path: html }],
    ["search_files", { path: folder, pattern: "*.js" }],
    ["list_allowed_directories", {}]],
  memory: [npm("memory"),
    ["create_entities", { entities: [{ name: "Bern", entityType: "city", observations: ["old", "rainy"] }] }],
    ["create_relations", { relations: [{ from: "Bern", to: "Bern", relationType: "is" }] }],
    ["read_graph", {}],
    ["search_nodes", { query: "rain" }]],
  "sequential-thinking": [npm("sequential-thinking"),
    ["sequentialthinking", { thought: "first", nextThoughtNeeded: true, thoughtNumber: 1, totalThoughts: 2 }]],
  git: [pypi("mcp-server-git@2026.10.19", "--repository", folder),
    ["git_status", { repo_path: folder }],
    ["git_log", { repo_path: folder }],
    ["git_diff_unstaged", { repo_path: folder }],
    ["git_show", { repo_path: folder, revision: "HEAD" }],
    ["git_branch", { repo_path: folder, branch_type: "local" }]],
  time: [pypi("mcp-server-time@2026.10.19", "--local-timezone", "UTC"),
    ["get_current_time", { timezone: "Europe/Zurich" }],
    ["convert_time", { source_timezone: "UTC", time: "12:00", target_timezone: "Asia/Tokyo" }]],
  // It does not start with the current SDK.
  sqlite: [[uvx, "--with", "mcp<2", "mcp-server-sqlite@2025.4.25", "--db-path", join(folder, "shop.db")],
    ["create_table", { query: "CREATE TABLE orders (id INTEGER, city TEXT, amount REAL, day TEXT)" }],
    ["write_query", { query: "INSERT INTO orders VALUES (1,'Bern',3.5,'2026-01-01'),(2,'Basel',7,'2026-01-02'),(3,'Bern',4,'2026-01-03')" }],
    ["read_query", { query: "SELECT * FROM orders" }],
    ["read_query", { query: "SELECT day, amount FROM orders" }],
    ["list_tables", {}],
    ["describe_table", { table_name: "orders" }]],
  motherduck: [pypi("mcp-server-motherduck@1.1.0", "--db-path", join(folder, "shop.duckdb"), "--read-write"),
    ["execute_query", { sql: "CREATE TABLE orders AS SELECT * FROM (VALUES (1,'Bern',3.5),(2,'Basel',7)) t(id, city, amount)" }],
    ["execute_query", { sql: "SELECT * FROM orders" }],
    ["list_tables", {}],
    ["list_columns", { table: "orders" }],
    ["list_databases", {}]],
  excel: [pypi("excel-mcp-server@2.2.2", "stdio"),
    ["create_workbook", { path: book }],
    ["write_range", { path: book, sheet: "Sheet1", at: "A1", rows: [["city", "people"], ["Bern", 134500], ["Basel", 177600]] }],
    ["read_range", { path: book, sheet: "Sheet1" }],
    ["describe_workbook", { path: book }],
    ["list_workbooks", { directory: folder }]],
  // Its newest release wants a newer certifi than some registries have.
  markitdown: [[uvx, "--with", "markitdown[all]<0.1.9", "markitdown-mcp"],
    ["convert_to_markdown", { uri: `file://${html}` }]],
  calculator: [pypi("mcp-server-calculator@0.2.1"), ["calculate", { expression: "2 * 21" }]],
  fetch: [pypi("mcp-server-fetch@2026.10.24", "--ignore-robots-txt", "--allow-private-ips"), ["fetch", { url }], ["fetch", { url, raw: true }]],
  eslint: [["npx", "--yes", "@eslint/mcp@0.3.13"], ["lint-files", { filePaths: [script] }]],
  repomix: [["npx", "--yes", "repomix@1.18.1", "--mcp"],
    ["pack_codebase", { directory: folder }],
    ["attach_packed_output", { path: packed }]],
  pdf: [["npx", "--yes", "@modelcontextprotocol/server-pdf@2.0.4", "--stdio"], ["list_pdfs", {}]],
  playwright: chromium && [["npx", "--yes", "@playwright/mcp@0.0.83", "--headless", "--no-sandbox", "--isolated", "--executable-path", chromium],
    ["browser_navigate", { url }],
    ["browser_snapshot", {}],
    ["browser_take_screenshot", {}],
    ["browser_tabs", { action: "list" }],
    ["browser_console_messages", {}]],
  "chrome-devtools": chromium && [["npx", "--yes", "chrome-devtools-mcp@1.11.0", "--headless", "--isolated", "--executablePath", chromium, "--chromeArg=--no-sandbox"],
    ["navigate_page", { url }],
    ["list_pages", {}],
    ["take_snapshot", {}],
    ["take_screenshot", {}],
    ["list_network_requests", {}]],
};

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
web.close();
if (flag("--results")) writeFileSync(flag("--results"), JSON.stringify(drawn));
process.exit(share >= GOAL && (only.length < SERVERS || started >= SERVERS) ? 0 : 1);
