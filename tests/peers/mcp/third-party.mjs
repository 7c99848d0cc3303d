// Other people's servers, which npx and uvx install, and calls of their tools: for views.mjs and `--more` of wrap.mjs
// and wrap.py. `node third-party.mjs FOLDER` fills a folder, and prints those whose results are the same each time.

import { execFileSync } from "node:child_process";
import { existsSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { root } from "./server.mjs";

const uvx = join(root, "target/venv/bin/uvx");
const npm = (name, ...args) => ["npx", "--yes", `@modelcontextprotocol/server-${name}@2026.8.31`, ...args];
const pypi = (name, ...args) => [uvx, name, ...args];
const chromium = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"].find(existsSync);

/** Their results have ids of their own. */
export const VOLATILE = ["repomix", "playwright", "chrome-devtools"];

const PAGE = "<html><body><h1>Cities</h1><p>Two of <b>many</b>.</p><ul><li>Bern</li><li>Basel</li></ul></body></html>";

/** Puts into a folder what the servers work on. */
export function fill(folder) {
  const file = (name, text) => writeFileSync(join(folder, name), text);
  file("page.html", PAGE);
  file("code.js", "var unused = 1;\nfoo( );\n");
  file("eslint.config.mjs", 'export default [{ rules: { "no-undef": "error", "no-unused-vars": "error" } }];\n');
  file("package.json", '{ "name": "views", "type": "module" }\n');
  const when = "2026-01-01T00:00:00Z";
  const env = { ...process.env, GIT_AUTHOR_DATE: when, GIT_COMMITTER_DATE: when };
  const git = (...args) =>
    execFileSync("git", ["-C", folder, "-c", "user.name=a", "-c", "user.email=a@example.com", ...args], { env });
  git("init", "--quiet", "--initial-branch", "main");
  git("add", ".");
  git("commit", "--quiet", "-m", "first");
  file("code.js", "var unused = 2;\n");
  file(
    "packed.xml",
    '<file_summary></file_summary><files>\n<file path="a.js">\nfoo();\n</file>\n<file path="b.js">\nbar();\nbar();\n</file>\n</files>\n',
  );
}

/** Serves the page over HTTP. */
export async function servePage() {
  const web = createServer((request, response) => {
    const isPage = request.url === "/";
    response.writeHead(isPage ? 200 : 404, { "content-type": "text/html" }).end(isPage ? PAGE : "");
  });
  await new Promise((done) => web.listen(0, "127.0.0.1", done));
  return { url: `http://127.0.0.1:${web.address().port}/`, close: () => web.close() };
}

/** By name: the command of each server, and its calls. Those that need a browser are undefined without one. */
export function thirdParty(folder, url) {
  const html = join(folder, "page.html");
  const script = join(folder, "code.js");
  const packed = join(folder, "packed.xml");
  const book = join(folder, "book.xlsx");
  return {
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
      ["describe_sheet", { path: book, sheet: "Sheet1" }]],
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
      ["navigate_page", { pageId: 1, url }],
      ["list_pages", {}],
      ["take_snapshot", { pageId: 1 }],
      ["take_screenshot", { pageId: 1 }],
      ["list_network_requests", { pageId: 1 }]],
  };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const folder = process.argv[2];
  fill(folder);
  // The page is not served.
  const rows = Object.entries(thirdParty(folder, "")).filter(([name, row]) => row && name !== "fetch" && !VOLATILE.includes(name));
  console.log(JSON.stringify(Object.fromEntries(rows)));
}
