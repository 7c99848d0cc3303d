// The client in Chromium, in a sandboxed frame of another origin, against the official host side in
// both of its major versions. Every message goes both ways, and all of it fits the official schema.

import assert from "node:assert/strict";
import { createServer, type Server } from "node:http";
import { createRequire } from "node:module";
import type { AddressInfo } from "node:net";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import * as mcp from "@modelcontextprotocol/sdk/types.js";
import { Ajv2020 } from "ajv/dist/2020.js";
import { build } from "esbuild";
import { type Browser, chromium, type Frame, type Page } from "playwright-core";
import type { host } from "./page/host";
import type { view } from "./page/view";

declare global {
  interface Window {
    host: typeof host;
    view: typeof view;
  }
}

const VERSIONS = ["ext-apps-1", "ext-apps-2"];
const CSP = "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'";

const local = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const schemaOf = (version: string) => createRequire(import.meta.url)(`${version}/schema.json`);
const bundle = async (
  path: string,
  alias: Record<string, string> = {},
  define: Record<string, string> = {},
) => {
  const { outputFiles } = await build({
    entryPoints: [local(path)],
    bundle: true,
    write: false,
    format: "iife",
    alias,
    define,
    tsconfig: local("../../tsconfig.json"),
    logLevel: "error",
  });
  return outputFiles[0]?.text.replaceAll("</script", "<\\/script") ?? "";
};

let server: Server;
let browser: Browser;
let port: number;

before(async () => {
  const pages = new Map<string, string>();
  const page = (script: string, body: string) =>
    `<!doctype html><html lang="en"><body>${body}<script>${script}</script></body></html>`;
  // The view draws 120 pixels after it has heard its result, and nothing before.
  const draw = `view.client.onToolResult(() => {
    const box = document.createElement("div");
    box.style.height = "120px";
    document.body.style.margin = "0";
    document.body.replaceChildren(box);
  });`;
  pages.set("/view", page((await bundle("page/view.ts")) + draw, ""));
  for (const version of VERSIONS) {
    const alias = { "ext-apps-2/app-bridge": `${version}/app-bridge` };
    const frame = `<iframe sandbox="allow-scripts" data-src="http://localhost:PORT/view"></iframe>`;
    const names = schemaOf(version).$defs.McpUiStyleVariableKey.anyOf;
    const VARIABLES = JSON.stringify(names.map((name: { const: string }) => name.const));
    pages.set(`/${version}`, page(await bundle("page/host.ts", alias, { VARIABLES }), frame));
  }
  server = createServer(({ url = "" }, response) => {
    response.setHeader("content-type", "text/html; charset=utf-8");
    if (url === "/view") response.setHeader("content-security-policy", CSP);
    response.end(pages.get(url)?.replace("PORT", `${port}`));
  });
  await new Promise<void>((resolve) => server.listen(0, resolve));
  port = (server.address() as AddressInfo).port;
  browser = await chromium.launch({
    executablePath: "/usr/bin/chromium",
    args: ["--no-sandbox"],
  });
});

after(async () => {
  await browser?.close();
  server?.close();
});

async function open(version: string) {
  const page = await browser.newPage();
  const faults: string[] = [];
  page.on("pageerror", (error) => faults.push(`${error}`));
  page.on("console", (line) => {
    if (line.type() === "error") faults.push(line.text());
  });
  await page.goto(`http://127.0.0.1:${port}/${version}`);
  await page.waitForFunction(() => window.host.isInitialized);
  const frame = page.frames().find((one) => one.url().endsWith("/view")) as Frame;
  return { page, frame, faults };
}

const asked = (page: Page) => page.evaluate(() => window.host.asked);
const heard = (frame: Frame) => frame.evaluate(() => window.view.heard);

for (const version of VERSIONS) {
  test(`every message, with ${version}`, async (context) => {
    const { page, frame, faults } = await open(version);

    // The host's part of the handshake.
    const known = await frame.evaluate(() => {
      const { hostInfo, hostContext, toolName, hostCapabilities } = window.view.client;
      return { hostInfo, hostContext, toolName, hostCapabilities };
    });
    assert.deepEqual(known.hostInfo, { name: "host", version: "1.0.0" });
    assert.equal(known.toolName, "ferry");
    assert.ok("serverTools" in known.hostCapabilities);
    const { theme, locale, platform, viewport, safeAreaInsets } = known.hostContext;
    assert.deepEqual([theme, locale, platform], ["dark", "de-DE", "desktop"]);
    assert.deepEqual([viewport.width, viewport.maxHeight], [400, 800]);
    assert.deepEqual(safeAreaInsets, { top: 1, right: 2, bottom: 3, left: 4 });

    // From the host: notifications.
    await page.evaluate(async () => {
      const { bridge } = window.host;
      await bridge.sendToolInputPartial({ arguments: { to: "V" } });
      await bridge.sendToolInput({ arguments: { to: "Vis" } });
      await bridge.sendToolCancelled({ reason: "stopped" });
      await bridge.sendToolResult({
        content: [{ type: "text", text: "a" }],
        structuredContent: { a: 1 },
        _meta: { b: 2 },
      });
      bridge.setHostContext({ theme: "light", displayMode: "inline", locale: "ar" });
      await bridge.sendToolListChanged();
      await bridge.sendResourceListChanged();
      await bridge.sendPromptListChanged();
    });
    await frame.waitForFunction(() =>
      window.view.heard.at(-1)?.[1]?.toString().includes("prompts"),
    );
    const events = await heard(frame);
    const of = (kind: string) => events.filter(([event]) => event === kind).map(([, one]) => one);
    assert.deepEqual(of("partial"), [{ to: "V" }]);
    assert.deepEqual(of("input"), [{ to: "Vis" }]);
    assert.deepEqual(of("cancelled"), ["stopped"]);
    assert.deepEqual(of("result"), [
      { content: [{ type: "text", text: "a" }], structuredContent: { a: 1 }, _meta: { b: 2 } },
    ]);
    assert.deepEqual(of("notification"), [
      "notifications/tools/list_changed",
      "notifications/resources/list_changed",
      "notifications/prompts/list_changed",
    ]);
    const look = await frame.evaluate(() => {
      const root = document.documentElement;
      return [root.dataset.theme, root.lang, root.style.getPropertyValue("--color-text-primary")];
    });
    assert.deepEqual(look, ["light", "ar", "rgb(1, 2, 3)"]);

    // From the view: its requests.
    const answers = await frame.evaluate(async () => {
      const { client, fault } = window.view;
      const file = { uri: "file:///a.csv", mimeType: "text/csv", text: "a" };
      await client.sendMessage({ type: "text", text: "Hi" });
      await client.sendFollowUpMessage("Go on");
      await client.updateModelContext({
        content: [{ type: "text", text: "b" }],
        structuredContent: { row: 1 },
      });
      await client.openLink("https://a.example/");
      await client.downloadFile([
        { type: "resource", resource: file },
        { type: "resource_link", uri: "https://a.example/b.csv", name: "b" },
      ]);
      client.log("warning", { c: 1 });
      return {
        tool: await client.callTool("ferry", { to: "Vis" }),
        whole: await client.callToolResult("ferry", {}),
        broken: await fault(client.callTool("broken", {})),
        refused: await fault(client.openLink("https://refuse.example/")),
        mode: await client.requestDisplayMode("fullscreen"),
        read: await client.readResource("data://a"),
        resources: await client.request("resources/list"),
        templates: await client.request("resources/templates/list"),
        prompts: await client.request("prompts/list"),
        sampled: await client.request("sampling/createMessage", {
          messages: [{ role: "user", content: { type: "text", text: "a" } }],
          maxTokens: 10,
        }),
        ping: await client.request("ping"),
        unknown: await fault(client.request("ui/unheard-of")),
        closed: await fault(client.requestClose()),
        sized: await fault(client.reportSize({ width: 300, height: 77 })),
      };
    });
    assert.deepEqual(answers.tool, { args: { to: "Vis" } });
    assert.deepEqual(answers.whole, {
      content: [{ type: "text", text: "ok" }],
      structuredContent: { args: {} },
      _meta: { hidden: 1 },
    });
    assert.equal(answers.broken, "ToolCallError: no such port");
    assert.match(answers.refused, /refused openLink/);
    assert.deepEqual(answers.mode, { mode: "fullscreen" });
    assert.deepEqual(answers.read, { contents: [{ uri: "data://a", text: "a" }] });
    assert.deepEqual(answers.resources, { resources: [{ uri: "data://a", name: "a" }] });
    assert.match(answers.unknown, /^NotSupportedError/);
    assert.deepEqual([answers.closed, answers.sized], ["none", "none"]);

    // A call with progress, which is then cancelled.
    const stopped = await frame.evaluate(() => window.view.stopAfter(2));
    assert.deepEqual(stopped, {
      fault: "Error: enough",
      heard: [
        [1, 2, "writing"],
        [2, 2, "writing"],
      ],
      can: [true, true],
    });
    await page.waitForFunction(() => window.host.asked.some(([name]) => name === "cancelled"));

    await page.waitForFunction(() => window.host.asked.some(([, one]) => one?.height === 77));
    const reached = new Map((await asked(page)) as [string, unknown][]);
    assert.equal(reached.get("cancelled"), "Error: enough");
    assert.deepEqual([...reached.keys()].sort(), [
      "cancelled",
      "oncalltool",
      "oncreatesamplingmessage",
      "ondownloadfile",
      "onlistprompts",
      "onlistresources",
      "onlistresourcetemplates",
      "onloggingmessage",
      "onmessage",
      "onopenlink",
      "onping",
      "onreadresource",
      "onrequestdisplaymode",
      "onrequestteardown",
      "onsizechange",
      "onupdatemodelcontext",
    ]);
    assert.deepEqual(reached.get("onloggingmessage"), { level: "warning", data: { c: 1 } });

    // From the host: requests.
    const replies = await page.evaluate(async () => {
      const { bridge, raw, code } = window.host;
      raw({ id: "ping-1", method: "ping", params: {} });
      return {
        list: await code(bridge.listTools({})),
        call: await code(bridge.callTool({ name: "a", arguments: {} })),
        teardown: await bridge.teardownResource({}),
      };
    });
    assert.deepEqual([replies.list, replies.call], [-32601, -32601]);
    assert.deepEqual(replies.teardown, {});
    assert.equal((await heard(frame)).at(-1)?.[0], "teardown");

    const traffic = (await page.evaluate(() => window.host.traffic)) as Entry[];
    const pong = traffic.find(({ from, message }) => from === "view" && message.id === "ping-1");
    assert.deepEqual(pong?.message.result, {});
    const checked = validate(version, traffic);
    context.diagnostic(`${traffic.length} messages, ${checked} checked against the schema`);
    // Nine notifications, nine requests, and the eight of their results that have a definition.
    assert.equal(checked, 26);
    assert.deepEqual(faults, []);
    await page.close();
  });

  test(`size reports, with ${version}`, async () => {
    const { page, frame } = await open(version);
    const sizes = () =>
      page.evaluate(() =>
        window.host.asked.filter(([name]) => name === "onsizechange").map(([, size]) => size),
      );
    await page.waitForTimeout(100);
    assert.deepEqual(await sizes(), [], "nothing is drawn yet");

    // In a frame of two pixels that is out of sight, too.
    await page.evaluate(() => {
      const { style } = document.querySelector("iframe") as HTMLIFrameElement;
      Object.assign(style, { height: "2px", border: "0", marginTop: "5000px" });
      return window.host.bridge.sendToolResult({ content: [] });
    });
    await page.waitForFunction(() => window.host.asked.length > 0);
    assert.deepEqual(await sizes(), [{ height: 120 }]);

    // The host does as it is told, and the page need not tell it again.
    await page.evaluate(() => {
      const { style } = document.querySelector("iframe") as HTMLIFrameElement;
      Object.assign(style, { height: "120px", marginTop: "0" });
    });
    await page.waitForTimeout(100);
    assert.equal((await sizes()).length, 1);

    // Growing, and shrinking again though the page is as high as its frame.
    await frame.evaluate(() => {
      document.documentElement.style.height = "100%";
      (document.body.firstElementChild as HTMLElement).style.height = "300.5px";
    });
    await page.waitForFunction(() => window.host.asked.length > 1);
    await frame.evaluate(() => {
      (document.body.firstElementChild as HTMLElement).style.height = "50px";
    });
    await page.waitForFunction(() => window.host.asked.length > 2);
    const [, high, low] = (await sizes()) as { height: number }[];
    assert.ok(high && Math.abs(high.height - 301) < 1, `${high?.height}`);
    assert.deepEqual(low, { height: 50 });
    await page.close();
  });
}

interface Entry {
  from: "host" | "view";
  message: {
    id?: number | string;
    method?: string;
    params?: Record<string, unknown>;
    result?: unknown;
  };
}

/** The name that the schema has for a method, such as `McpUiOpenLinkRequest`. */
const nameOf = (method: string, kind: string) => {
  const words = method.replace(/^ui\/(notifications\/)?/, "").split("-");
  const name = words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join("");
  return `McpUi${name}${kind}`;
};

/** The messages of plain MCP, which the schema of the apps does not have. */
const PLAIN: Record<string, { parse(message: unknown): unknown }> = {
  ping: mcp.PingRequestSchema,
  "tools/call": mcp.CallToolRequestSchema,
  "tools/list": mcp.ListToolsRequestSchema,
  "resources/read": mcp.ReadResourceRequestSchema,
  "resources/list": mcp.ListResourcesRequestSchema,
  "resources/templates/list": mcp.ListResourceTemplatesRequestSchema,
  "prompts/list": mcp.ListPromptsRequestSchema,
  "sampling/createMessage": mcp.CreateMessageRequestSchema,
  "notifications/cancelled": mcp.CancelledNotificationSchema,
  "notifications/progress": mcp.ProgressNotificationSchema,
  "notifications/message": mcp.LoggingMessageNotificationSchema,
  "notifications/tools/list_changed": mcp.ToolListChangedNotificationSchema,
  "notifications/resources/list_changed": mcp.ResourceListChangedNotificationSchema,
  "notifications/prompts/list_changed": mcp.PromptListChangedNotificationSchema,
};

/** Validates every message, and says how many are in the schema of the apps. */
function validate(version: string, traffic: Entry[]): number {
  // It demands both a height and no other member of the dimensions, so nothing could fit.
  const schema = JSON.parse(JSON.stringify(schemaOf(version)), (key, value) => {
    if (key === "containerDimensions")
      for (const side of value.allOf) for (const one of side.anyOf) delete one.additionalProperties;
    return value;
  });
  // Some definitions bring their own, but refer to them as if they were at the root.
  for (const { $defs } of Object.values(schema.$defs) as { $defs?: object }[])
    Object.assign(schema.$defs, $defs);
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  ajv.addSchema(schema, "apps");
  const methods = new Map<string, string>();
  let count = 0;
  const check = (name: string, value: unknown) => {
    if (!(name in schema.$defs)) return;
    count++;
    const isValid = ajv.validate({ $ref: `apps#/$defs/${name}` }, value);
    assert.ok(isValid, `${name}: ${ajv.errorsText()} in ${JSON.stringify(value).slice(0, 200)}`);
  };
  for (const { from, message } of traffic) {
    mcp.JSONRPCMessageSchema.parse(message);
    const { id, method, params, result } = message;
    const other = from === "host" ? "view" : "host";
    if (method === undefined) {
      const asked = methods.get(`${other} ${id}`) ?? "";
      if (result !== undefined && asked.startsWith("ui/")) check(nameOf(asked, "Result"), result);
    } else {
      if (id !== undefined) methods.set(`${from} ${id}`, method);
      const kind = id === undefined ? "Notification" : "Request";
      if (method === "ui/unheard-of") continue;
      if (!method.startsWith("ui/")) {
        assert.ok(PLAIN[method], `${method} is not of MCP`);
        PLAIN[method].parse({ method, params });
        continue;
      }
      assert.ok(nameOf(method, kind) in schema.$defs, `${method} is not in the schema`);
      check(nameOf(method, kind), { method, params });
    }
  }
  return count;
}
