// The official TypeScript clients, old and new, against our server: every way to open a connection.
//
//     node clients.mjs [binary]
//
// One line per combination of client, revision and transport; the last line is the sum.

import {
  Client as NewClient,
  StreamableHTTPClientTransport as NewHttp,
  ResourceNotFoundError,
} from "@modelcontextprotocol/client";
import { StdioClientTransport as NewStdio } from "@modelcontextprotocol/client/stdio";
import { Client as OldClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport as OldStdio } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport as OldHttp } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { ToolListChangedNotificationSchema } from "@modelcontextprotocol/sdk/types.js";
import { Tally, binary, brief, describe, finish, gallery, must, serve, sleep, stdio, widget } from "./server.mjs";

const MODERN = "2026-07-28";
const LEGACY = "2025-11-25";
const PAGE = "text/html;profile=mcp-app";
const WIDGET = "application/vnd.ui.widget+json";
const UI = "io.modelcontextprotocol/ui";
const TOOL = "flight_tracker";
const PATIENCE = 60_000; // milliseconds that an edited file may take to be served
const TEMPLATE = "ui://widgets/{name}/{instance_id}";

const info = { name: "widgetcast-peers", version: "1.0.0" };
const capabilities = { extensions: { [UI]: { mimeTypes: [PAGE] } } };

/** One generation of the SDK: how it is made, and the two calls that differ. */
const v1 = {
  name: "typescript 1",
  Http: OldHttp,
  Stdio: OldStdio,
  client: () => new OldClient(info, { capabilities }),
  call: (client, params, options) => client.callTool(params, undefined, options),
  onChange: (client, run) => client.setNotificationHandler(ToolListChangedNotificationSchema, run),
};
const v2 = {
  name: "typescript 2",
  Http: NewHttp,
  Stdio: NewStdio,
  client: (mode) => new NewClient(info, { capabilities, versionNegotiation: { mode } }),
  call: (client, params, options) => client.callTool(params, options),
  onChange: (client, run) => client.setNotificationHandler("notifications/tools/list_changed", run),
};

const matrix = [
  { sdk: v1, label: "legacy", version: LEGACY },
  { sdk: v2, label: "auto", mode: "auto", version: MODERN },
  { sdk: v2, label: MODERN, mode: { pin: MODERN }, version: MODERN },
  { sdk: v2, label: "legacy", mode: "legacy", version: LEGACY },
].flatMap((row) => ["http", "stdio"].map((transport) => ({ ...row, transport })));

/** The error that a request must end with. */
async function refusal(promise) {
  let value;
  try {
    value = await promise;
  } catch (error) {
    return error;
  }
  throw new Error(`no error, but ${brief(value)}`);
}

const same = (got, want, what) =>
  must(JSON.stringify(got) === JSON.stringify(want), `${what}: ${brief(got)} instead of ${brief(want)}`);

async function combination({ sdk, label, mode, version, transport }, shared) {
  const tally = new Tally(`${sdk.name}, ${label}, ${transport}`);
  const dir = shared?.dir ?? gallery();
  const file = widget(dir, TOOL);
  const modern = version === MODERN;
  const client = sdk.client(mode);
  const pipe = shared
    ? new sdk.Http(new URL(shared.url))
    : new sdk.Stdio({ command: binary, args: stdio(dir), stderr: "pipe" });
  let log = "";
  pipe.stderr?.on("data", (bytes) => (log = (log + bytes).slice(-4_000)));

  let changed = () => {};
  // Codes as they arrive: the newer client turns the older "not found" into its own.
  const wire = { code: undefined };
  const connected = await tally.check("connect", async () => {
    sdk.onChange(client, () => changed());
    await client.connect(pipe);
    const pass = pipe.onmessage;
    pipe.onmessage = (message, extra) => {
      if (message.error) wire.code = message.error.code;
      pass(message, extra);
    };
    return true;
  });
  if (connected) {
    await checks(tally, { sdk, client, dir, file, modern, version, wire, pipe, transport, onChange: (run) => (changed = run) });
    await tally.check("close", () => client.close());
  }
  if (tally.failed && log) console.error(log);
  console.log(tally.line());
  return tally;
}

async function checks(tally, { sdk, client, dir, file, modern, version, wire, pipe, transport, onChange }) {
  const call = (args, name = TOOL, options) => sdk.call(client, { name, arguments: args }, options);
  const tool = async () => (await client.listTools()).tools.find(({ name }) => name === TOOL);

  await tally.check("revision", () =>
    same(client.getNegotiatedProtocolVersion?.() ?? pipe.protocolVersion ?? version, version, "negotiated"),
  );
  await tally.check("server says that it has views", () =>
    must(client.getServerCapabilities()?.extensions?.[UI]?.mimeTypes?.includes(PAGE), brief(client.getServerCapabilities())),
  );

  const listed = await tally.check("tools/list", async () => {
    const found = await tool();
    must(found, `no ${TOOL}`);
    return found;
  });
  await tally.check("tools/list: description", () => same(listed?.description, file.description, "description"));
  const page = listed?._meta?.ui?.resourceUri;
  await tally.check("tools/list: _meta.ui.resourceUri", () => must(page?.startsWith("ui://"), brief(listed?._meta)));
  await tally.check("tools/list: order of properties as in the file", () =>
    same(Object.keys(listed.inputSchema.properties), Object.keys(file.jsonSchema.properties), "properties"),
  );

  const result = await tally.check("tools/call", async () => {
    const result = await call(file.sample);
    must(!result.isError, `isError: ${brief(result.content)}`);
    const text = result.content.filter(({ type }) => type === "text").map(({ text }) => text);
    must(text.join("").trim(), `no text: ${brief(result.content)}`);
    return result;
  });
  const view = result?._meta?.["widgetcast/view"];
  await tally.check("tools/call: the text is about the flight", () =>
    must(result.content.some(({ text }) => text?.includes(file.sample.flight_number)), brief(result.content)),
  );
  await tally.check("tools/call: the tree", () => same(view?.tree?.type, "Card", "type"));

  await tally.check("tools/call: a wrong argument", async () => {
    const { isError, content } = await call({ ...file.sample, progress: "soon" });
    must(isError === true, `not isError: ${brief(content)}`);
    must(content[0]?.text?.includes("progress"), `the text does not name the field: ${brief(content)}`);
  });
  await tally.check("tools/call: a missing argument", async () => {
    const { airline, ...rest } = file.sample;
    const { isError, content } = await call(rest);
    must(isError === true, `not isError: ${brief(content)}`);
    must(content[0]?.text?.includes("airline"), `the text does not name the field: ${brief(content)}`);
  });
  await tally.check("tools/call: an unknown tool", async () =>
    same((await refusal(call({}, "no_such_tool"))).code, -32602, "code"),
  );

  await tally.check("resources/list", async () => {
    const { resources } = await client.listResources();
    const found = resources.find(({ uri }) => uri === page);
    same(found?.mimeType, PAGE, "type of the page");
  });
  await tally.check("resources/templates/list", async () => {
    const { resourceTemplates } = await client.listResourceTemplates();
    must(resourceTemplates.some(({ uriTemplate }) => uriTemplate === TEMPLATE), brief(resourceTemplates));
  });
  await tally.check("resources/read: the page", async () => {
    const [content] = (await client.readResource({ uri: page })).contents;
    same([content.uri, content.mimeType], [page, PAGE], "page");
    must(/^\s*<!doctype html>/i.test(content.text), `not a document: ${brief(content.text)}`);
  });
  await tally.check("resources/read: the view", async () => {
    must(view?.uri?.startsWith(`ui://widgets/${TOOL}/`), `uri of the view: ${brief(view?.uri)}`);
    const [content] = (await client.readResource({ uri: view.uri })).contents;
    same([content.uri, content.mimeType], [view.uri, WIDGET], "view");
    JSON.parse(content.text);
  });
  for (const uri of [`ui://widgets/${TOOL}/no-such-view`, "ui://widgetcast/no-such-page.html"]) {
    await tally.check(`resources/read: ${uri}`, async () => {
      const error = await refusal(client.readResource({ uri }));
      same(wire.code, modern ? -32602 : -32002, "code");
      // The newer client knows the error by its data, {uri}.
      must(sdk === v1 || error instanceof ResourceNotFoundError, `not known as "not found": ${brief(error)}`);
    });
  }
  await tally.check("completion/complete", async () => {
    const ref = { type: "ref/resource", uri: TEMPLATE };
    const { completion } = await client.complete({ ref, argument: { name: "name", value: "flight" } });
    must(completion.values.includes(TOOL), brief(completion));
    must(completion.values.every((value) => value.startsWith("flight")), `not only what fits: ${brief(completion)}`);
  });

  await tally.check("abort of calls", async () => {
    // Each is aborted once it is on its way, the first ones at once: some answers come before that.
    const send = pipe.send.bind(pipe);
    const sent = [];
    const stops = [];
    pipe.send = (message, options) => {
      sent.push(message.method);
      const done = send(message, options);
      if (message.method === "tools/call" && stops.length) {
        const { stop, delay } = stops.shift();
        const abort = () => stop.abort(new Error("changed my mind"));
        if (delay) setTimeout(abort, delay);
        else queueMicrotask(abort);
      }
      return done;
    };
    const calls = [0, 0, 0, 1, 2, 3, 5, 8].map((delay) => {
      const stop = new AbortController();
      stops.push({ stop, delay });
      return call(file.sample, TOOL, { signal: stop.signal });
    });
    const ends = await Promise.allSettled(calls);
    must(ends.slice(0, 3).every(({ status }) => status === "rejected"), `a call went on: ${brief(ends)}`);
    // Over HTTP, the newer revision closes the stream instead.
    const tells = transport === "stdio" || !modern;
    must(!tells || sent.includes("notifications/cancelled"), `nothing was aborted on the wire: ${brief(sent)}`);
    pipe.send = send;
    must(!(await call(file.sample)).isError, "the next call failed");
  });

  await tally.check("a file is edited", async () => {
    const description = `Edited for ${tally.title}.`;
    const how = modern ? "in place" : "by renaming";
    let subscription;
    if (modern) {
      subscription = await client.listen({ toolsListChanged: true });
      must(subscription.honoredFilter.toolsListChanged, `honoured: ${brief(subscription.honoredFilter)}`);
    }
    // The older revisions need no asking: over HTTP, both clients open a stream for it by themselves.
    let events = 0;
    const seen = new Promise((done) => {
      onChange(async () => {
        events += 1;
        if ((await tool())?.description === description) done(true);
      });
    });
    describe(dir, TOOL, description, how);
    const good = await Promise.race([seen, sleep(PATIENCE)]);
    onChange(() => {});
    await subscription?.close();
    must(good, `${events} events, and none after which the new description was listed`);
  });
}

const dir = gallery();
const server = await serve(dir);
const tallies = [];
for (const row of matrix) {
  tallies.push(await combination(row, row.transport === "http" ? { dir, url: server.url } : undefined));
}
await server.stop();
finish("clients.mjs", tallies);
