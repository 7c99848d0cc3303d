// The official Inspector's command line against our server: what a person who tries it would see.
//
//     node inspector.mjs [binary]
//
// It asks for the page of every tool, lints the schemas for portability between model vendors,
// calls one tool and reads its page.

import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  Tally,
  binary,
  brief,
  finish,
  gallery,
  here,
  must,
  node,
  serve,
  serveDisplay,
  stdio,
  stdioDisplay,
  widget,
} from "./server.mjs";

const INSPECTOR = join(here, "node_modules/@modelcontextprotocol/inspector/clients/launcher/build/index.js");
const PAGE = "text/html;profile=mcp-app";
const TOOL = "flight_tracker";

const dir = gallery();
const file = widget(dir, TOOL);
const names = readdirSync(dir).filter((name) => name.endsWith(".widget")).map((name) => name.slice(0, -7)).sort();
const server = await serve(dir);
// It keeps a catalogue of servers in the home directory; ours is none of its business.
const home = mkdtempSync(join(tmpdir(), "widgetcast-inspector-"));

const targets = [
  ...["legacy", "modern"].map((era) => ({ era, transport: "http", words: [server.url] })),
  ...["legacy", "modern"].map((era) => ({ era, transport: "stdio", words: [binary, ...stdio(dir)] })),
];

function inspect({ era, transport, words }, ...options) {
  const args = [INSPECTOR, "--cli", ...words, "--transport", transport, "--protocol-era", era, "--format", "json"];
  const run = spawnSync(node, [...args, ...options], {
    encoding: "utf8",
    timeout: 60_000,
    maxBuffer: 64 << 20,
    env: { ...process.env, HOME: home },
  });
  must(run.status === 0, `exit ${run.status ?? run.signal ?? run.error}: ${run.stderr.slice(-1500)}`);
  return run.stdout.trim().split("\n").map((line) => JSON.parse(line));
}

const tallies = [];
for (const target of targets) {
  const tally = new Tally(`inspector, ${target.era}, ${target.transport}`);
  tallies.push(tally);
  const apps = await tally.check("tools/list --app-info", () => {
    const apps = inspect(target, "--method", "tools/list", "--app-info");
    const found = apps.map(({ toolName }) => toolName).sort();
    must(names.every((name) => found.includes(name)), `tools: ${brief(found)}`);
    const bad = apps.filter((app) => !app.hasApp || app.resourceMimeType !== PAGE || !app.resourceUri?.startsWith("ui://"));
    must(!bad.length, `without a readable page: ${brief(bad)}`);
    return apps;
  });
  await tally.check("tools/list --strict", () => void inspect(target, "--method", "tools/list", "--strict"));
  await tally.check("tools/call", () => {
    const args = JSON.stringify(file.sample);
    const [{ result }] = inspect(target, "--method", "tools/call", "--tool-name", TOOL, "--tool-args-json", args);
    must(!result.isError && result.content.some(({ text }) => text?.trim()), brief(result));
    must(result._meta?.["widgetcast/view"]?.tree?.type === "Card", `_meta: ${brief(result._meta)}`);
  });
  await tally.check("resources/read", () => {
    const uri = apps.find(({ toolName }) => toolName === TOOL).resourceUri;
    const [{ result }] = inspect(target, "--method", "resources/read", "--uri", uri);
    must(result.contents[0].uri === uri && result.contents[0].mimeType === PAGE, brief(result));
    must(/^\s*<!doctype html>/i.test(result.contents[0].text), `not a document: ${brief(result.contents[0].text)}`);
  });
  console.log(tally.line());
}
await server.stop();

// The display tools, each with a page of its own.
const display = await serveDisplay();
const pages = {
  display_chat: "chat-view",
  display_dashboard: "dashboard-widget",
  display_demo: "kitchen-sink-lite",
  display_search_results: "search-results",
  display_table: "pizzaz-table",
};
for (const target of [
  { era: "legacy", transport: "http", words: [display.url] },
  { era: "modern", transport: "http", words: [display.url] },
  { era: "modern", transport: "stdio", words: [binary, ...stdioDisplay] },
]) {
  const tally = new Tally(`inspector, display tools, ${target.era}, ${target.transport}`);
  tallies.push(tally);
  await tally.check("tools/list --app-info", () => {
    const apps = inspect(target, "--method", "tools/list", "--app-info");
    for (const [name, page] of Object.entries(pages)) {
      const app = apps.find(({ toolName }) => toolName === name);
      must(app?.hasApp && app.resourceMimeType === PAGE, brief(app ?? name));
      must(app.resourceUri.startsWith(`ui://widget/${page}-`), brief(app));
    }
  });
  await tally.check("tools/list --strict", () => void inspect(target, "--method", "tools/list", "--strict"));
  await tally.check("tools/call", () => {
    const args = JSON.stringify({ columns: ["name"], rows: [{ name: "Margherita" }] });
    const [{ result }] = inspect(target, "--method", "tools/call", "--tool-name", "display_table", "--tool-args-json", args);
    must(!result.isError && result.structuredContent.data.length === 1, brief(result));
  });
  console.log(tally.line());
}
await display.stop();
rmSync(home, { recursive: true, force: true });
finish("inspector.mjs", tallies);
