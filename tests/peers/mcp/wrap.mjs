// Other people's servers, called directly and behind `widgetcast wrap`, over stdio and over HTTP, by the official
// TypeScript clients: every message must be the same but for what the relay adds. And all of them behind one
// `widgetcast wrap`, where each must be as it is alone but for the names of its tools and prompts; and one by its
// address, behind `wrap` and behind mcp-remote, which must pass on the same.
//
//     node wrap.mjs [binary] [--more]
//
// `--more`, by hand: those of third-party.mjs too, which npx and uvx install.
//
// One line per server and client; the last line is the sum.

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { Client as NewClient, StreamableHTTPClientTransport as NewHttp } from "@modelcontextprotocol/client";
import { StdioClientTransport as NewStdio } from "@modelcontextprotocol/client/stdio";
import { Client as OldClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport as OldStdio } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport as OldHttp } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { Tally, binary, finish, must, root, start } from "./server.mjs";
import { VOLATILE, fill, servePage, thirdParty } from "./third-party.mjs";

const require = createRequire(import.meta.url);
const script = (name) => {
  const path = require.resolve(`${name}/package.json`);
  const { bin } = require(path);
  return join(dirname(path), typeof bin === "string" ? bin : Object.values(bin)[0]);
};
const python = join(root, "target/venv/bin/python");
const info = { name: "widgetcast-peers", version: "1.0.0" };
const UI = "io.modelcontextprotocol/ui";

/** Where a server may write. Both runs begin with an empty one at the same place. */
const folder = mkdtempSync(join(tmpdir(), "widgetcast-wrap-"));
process.on("exit", () => [folder, `${folder}.toml`].forEach((path) => rmSync(path, { recursive: true, force: true })));
function empty() {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "there.txt"), "there\n");
  if (page) fill(folder);
}

const servers = [
  {
    name: "everything",
    start: [process.execPath, script("@modelcontextprotocol/server-everything")],
    calls: [
      ["echo", { message: "hé 1.50" }],
      ["get-sum", { a: 0.1, b: 0.2 }],
      ["get-structured-content", { location: "New York" }],
      ["get-tiny-image", {}],
      ["get-annotated-message", { messageType: "error", includeImage: true }],
      ["get-resource-links", { count: 3 }],
      ["get-resource-reference", { resourceType: "Text", resourceId: 1 }],
      ["trigger-long-running-operation", { duration: 0.2, steps: 2 }],
      ["no-such-tool", {}],
      ["get-sum", { a: "x" }],
    ],
  },
  {
    name: "memory",
    start: [process.execPath, script("@modelcontextprotocol/server-memory")],
    env: { MEMORY_FILE_PATH: join(folder, "memory.jsonl") },
    calls: [
      ["create_entities", { entities: [{ name: "Bern", entityType: "city", observations: ["rainy", "old"] }] }],
      ["read_graph", {}],
      ["search_nodes", { query: "rain" }],
    ],
  },
  {
    name: "filesystem",
    start: [process.execPath, script("@modelcontextprotocol/server-filesystem"), folder],
    calls: [
      ["list_directory", { path: folder }],
      ["write_file", { path: join(folder, "a.txt"), content: "one\ntwo" }],
      ["read_text_file", { path: join(folder, "a.txt") }],
      ["directory_tree", { path: folder }],
    ],
  },
  {
    name: "time",
    start: [python, "-m", "mcp_server_time", "--local-timezone", "UTC"],
    calls: [["convert_time", { source_timezone: "UTC", time: "12:00", target_timezone: "Asia/Tokyo" }]],
  },
];

const page = process.argv.includes("--more") ? await servePage() : undefined;
if (page) {
  const known = new Set([...servers.map(({ name }) => name), ...VOLATILE]);
  for (const [name, row] of Object.entries(thirdParty(folder, page.url)))
    if (row && !known.has(name)) servers.push({ name, start: row[0], calls: row.slice(1), isMore: true });
}

const clients = [
  { name: "typescript 1", Stdio: OldStdio, Http: OldHttp, make: () => new OldClient(info, { capabilities: { roots: {}, sampling: {}, elicitation: {} } }) },
  { name: "typescript 2", Stdio: NewStdio, Http: NewHttp, make: () => new NewClient(info, { capabilities: { roots: {} }, versionNegotiation: { mode: "auto" } }) },
];

/** Everything that passes between a client and a server that is started while the same things are asked. */
async function traffic(row, sdk, command) {
  empty();
  const [program, ...args] = command;
  const env = { ...process.env, ...row.env };
  const pipe = new sdk.Stdio({ command: program, args, env, stderr: "pipe", cwd: folder });
  let log = "";
  pipe.stderr?.on("data", (bytes) => (log = (log + bytes).slice(-4_000)));
  return converse(row, sdk, pipe, () => log);
}

/** The same over HTTP. */
async function trafficOverHttp(row, sdk) {
  empty();
  const env = Object.entries(row.env ?? {}).map(([name, value]) => `${name}=${value}`);
  const server = await start(["env", ...env, binary, "wrap", "--http", "127.0.0.1:PORT", "--", ...row.start]);
  const pipe = new sdk.Http(new URL(server.url));
  try {
    return await converse(row, sdk, pipe, server.log);
  } finally {
    await server.stop();
  }
}

/** A server that is elsewhere, as a relay to its address shows it to these clients: mcp-remote's, and ours. */
async function compareWithMcpRemote(row) {
  const [program, ...args] = row.start;
  const url = (server) => server.url.replace("127.0.0.1", "localhost");
  const server = await start(["env", "PORT=PORT", program, ...args, "streamableHttp"], { path: "/mcp", status: 400 });
  const theirs = [process.execPath, script("mcp-remote"), url(server), "--transport", "http-only"];
  try {
    for (const sdk of clients) {
      const tally = new Tally(`${row.name}, ${sdk.name}, as mcp-remote's relay`);
      tallies.push(tally);
      const direct = await traffic({ ...row, env: { MCP_REMOTE_CONFIG_DIR: folder } }, sdk, theirs);
      await compare(tally, direct, await traffic(row, sdk, [binary, "wrap", url(server)]), row);
    }
  } finally {
    await server.stop();
  }
}

/** The same behind a relay of all servers. */
async function trafficOfAll(row, sdk) {
  empty();
  const file = `${folder}.toml`;
  // JSON writes strings and arrays as TOML does.
  const entry = ({ name, start, env = {} }) => {
    const set = Object.entries(env).map(([key, value]) => `${key} = ${JSON.stringify(value)}`);
    return `[servers.${name}]\nrun = ${JSON.stringify(start)}\nenv = { ${set.join(", ")} }\n`;
  };
  writeFileSync(file, servers.map(entry).join(""));
  const args = ["wrap", "--config", file];
  const pipe = new sdk.Stdio({ command: binary, args, env: process.env, stderr: "pipe", cwd: folder });
  let log = "";
  pipe.stderr?.on("data", (bytes) => (log = (log + bytes).slice(-4_000)));
  return converse(row, sdk, pipe, () => log, `${row.name}_`);
}

async function converse(row, sdk, pipe, log, prefix = "") {
  const heard = [];
  const client = sdk.make();
  client.fallbackRequestHandler = async () => ({ roots: [] });
  await client.connect(pipe);
  const passOn = pipe.onmessage;
  pipe.onmessage = (message, ...rest) => {
    heard.push(message);
    passOn(message, ...rest);
  };
  const outcome = async (run) => {
    try {
      return await run();
    } catch (error) {
      return { error: String(error.message), code: error.code };
    }
  };
  const results = [];
  const ask = async (what, run) => results.push([what, await outcome(run)]);
  results.push(["capabilities", client.getServerCapabilities()]);
  results.push(["instructions", client.getInstructions() ?? null]);
  await ask("tools", () => client.listTools());
  await ask("prompts", () => client.listPrompts());
  await ask("resources", () => client.listResources());
  await ask("templates", () => client.listResourceTemplates());
  await ask("missing", () => client.readResource({ uri: "demo://missing" }));
  await ask("level", () => client.setLoggingLevel?.("error"));
  for (const [own, values] of row.calls) {
    const name = prefix + own;
    const progress = [];
    const onprogress = (step) => progress.push(step);
    await ask(`call ${own}`, () =>
      sdk.Stdio === OldStdio
        ? client.callTool({ name, arguments: values }, undefined, { onprogress })
        : client.callTool({ name, arguments: values }, { onprogress }),
    );
    results.push([`progress ${own}`, progress]);
  }
  await pipe.terminateSession?.();
  await client.close();
  must(heard.length > 0, `nothing was heard:\n${log()}`);
  return results;
}

const ours = (key, direct) => !(key in (direct ?? {})) && /^(ui|ui\/resourceUri|widgetcast\/view|slack|openai\/.*)$/.test(key);

/** Takes what the relay adds out of a value, and counts it. */
function without(value, direct, count) {
  if (Array.isArray(value)) {
    const kept = value.filter((item) => !String(item?.uri).startsWith("ui://widgetcast/view-"));
    count.pages += value.length - kept.length;
    return kept.map((item, index) => without(item, direct?.[index], count));
  }
  if (typeof value !== "object" || value === null) return value;
  const out = {};
  for (const [key, member] of Object.entries(value)) {
    if (key === "_meta") {
      const kept = Object.entries(member).filter(([name]) => !ours(name, direct?._meta));
      if (Object.keys(member).includes("widgetcast/view")) count.views += 1;
      if (kept.length || direct?._meta) out._meta = Object.fromEntries(kept);
    } else if (key === "extensions" && !direct?.extensions?.[UI]) {
      const { [UI]: _, ...rest } = member;
      if (Object.keys(rest).length || direct?.extensions) out.extensions = rest;
    } else {
      out[key] = without(member, direct?.[key], count);
    }
  }
  return out;
}

const sorted = (value) =>
  Array.isArray(value)
    ? value.map(sorted)
    : typeof value === "object" && value !== null
      ? Object.fromEntries(Object.keys(value).sort().map((key) => [key, sorted(value[key])]))
      : value;
/** Ids and times that differ from run to run. */
const text = (value) =>
  JSON.stringify(sorted(value)).replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+(Z|[+-][\d:]+)?/g, "TIME").replaceAll(/\d{1,2}:\d{2}:\d{2}( [AP]M)?/g, "TIME");

/** Of what a client gets of all servers, the part of one. */
function partOf(row, direct, [what, value]) {
  const prefix = `${row.name}_`;
  const own = (entries) =>
    entries
      .filter(({ name }) => name.startsWith(prefix))
      .map((entry) => ({ ...entry, name: entry.name.slice(prefix.length) }));
  const listed = (entries, alone = [], key) => {
    const known = new Set(alone.map((entry) => entry[key]));
    return entries.filter((entry) => known.has(entry[key]) || entry.name === "view");
  };
  const { tools, prompts, resources, resourceTemplates } = value ?? {};
  const part = {
    tools: () => ({ ...value, tools: own(tools) }),
    prompts: () => ({ ...value, prompts: own(prompts) }),
    resources: () => ({ ...value, resources: listed(resources, direct?.resources, "uri") }),
    templates: () => ({
      ...value,
      resourceTemplates: listed(resourceTemplates, direct?.resourceTemplates, "uriTemplate"),
    }),
  }[what];
  return [what, part && !value.error ? part() : value];
}

/** What all servers together answer otherwise than one that lacks the capability. */
const OF_ALL = ["level", "prompts", "missing"];

/** Compares what a client gets behind the relay with what it gets without. */
async function compare(tally, direct, wrapped, row) {
  const { resources: hasResources } = direct[0][1];
  const count = { views: 0, pages: 0 };
  for (const [index, [what, value]] of wrapped.entries()) {
    await tally.check(what, () => {
      const expected = structuredClone(direct[index][1]);
      const given = without(value, expected, count);
      // A server without resources has those of the relay.
      if (what === "capabilities" && !hasResources) delete given.resources;
      if (!hasResources && ["resources", "templates", "missing"].includes(what)) return;
      // Nor does the relay say that it has no templates, if only those are missing.
      if (what === "templates" && expected.code === -32601 && given.resourceTemplates?.length === 0) return;
      // A client forgets progress that arrives after its response.
      if (what.startsWith("progress")) given.length = expected.length = Math.min(given.length, expected.length);
      must(text(given) === text(expected), `${text(given)}\n    instead of\n    ${text(expected)}`);
    });
  }
  // The calls of some return a line.
  if (!row.isMore)
    await tally.check("views are added", () => must(count.views > 0 && count.pages > 0, JSON.stringify(count)));
  console.log(tally.line());
}

const tallies = [];
for (const row of servers) {
  for (const sdk of clients) {
    const direct = await traffic(row, sdk, row.start);
    for (const [way, wrapped] of [
      ["stdio", () => traffic(row, sdk, [binary, "wrap", "--", ...row.start])],
      ["HTTP", () => trafficOverHttp(row, sdk)],
    ]) {
      const tally = new Tally(`${row.name}, ${sdk.name}, ${way}`);
      tallies.push(tally);
      await compare(tally, direct, await wrapped(), row);
    }
    // Alone, it may speak a revision that not all of them know.
    if (page || direct.some(([what, value]) => what === "tools" && value.cacheScope)) continue;
    const tally = new Tally(`${row.name}, ${sdk.name}, one of several`);
    tallies.push(tally);
    const all = await trafficOfAll(row, sdk);
    const parts = all.map((one, index) => partOf(row, direct[index][1], one));
    // The capabilities of one alone tell which answers it has; its instructions are under its name.
    const isSame = ([what]) =>
      !["capabilities", "instructions"].includes(what) && (row.name === "everything" || !OF_ALL.includes(what));
    const keep = (pairs) => [direct[0], ...pairs.filter(isSame)];
    await compare(tally, keep(direct), keep(parts), row);
  }
}
await compareWithMcpRemote(servers[0]);
page?.close();
finish("wrap", tallies);
