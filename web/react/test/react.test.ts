// The hooks on React 18, on React 19 and on Preact, in a mock host.

import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";
import { type CallToolResult, createClient } from "@widgetcast/client";
import { createMockHost, type MockCall } from "@widgetcast/client/mock";
import { build } from "esbuild";
import { freshWindow, tick } from "../../client/test/dom";
import type * as Program from "./page/program";

const FRAMEWORKS: { name: string; version: string; alias: Record<string, string> }[] = [
  {
    name: "React 18",
    version: "18.",
    alias: { react: "react-18", "react-dom": "react-dom-18" },
  },
  { name: "React 19", version: "19.", alias: {} },
  {
    name: "Preact",
    version: "19.",
    alias: { react: "preact/compat", "react-dom": "preact/compat" },
  },
];

const local = (path: string) => fileURLToPath(new URL(path, import.meta.url));
let folder: string;
before(async () => {
  folder = await mkdtemp(join(tmpdir(), "widgetcast-react-"));
});
after(() => rm(folder, { recursive: true }));

/** The page, bundled anew, so that it has its own framework and its own shared client. */
async function load({ name, alias }: (typeof FRAMEWORKS)[number], run: string) {
  const outfile = join(folder, `${name} ${run}.mjs`);
  await build({
    entryPoints: [local("page/program.ts")],
    outfile,
    bundle: true,
    format: "esm",
    alias,
    define: { "process.env.NODE_ENV": '"development"' },
    tsconfig: local("../../tsconfig.json"),
    nodePaths: [local("../../node_modules")],
    logLevel: "error",
  });
  return import(pathToFileURL(outfile).href) as Promise<typeof Program>;
}

const until = async (isDone: () => unknown) => {
  for (let round = 0; round < 200 && !isDone(); round++) await tick(10);
  assert.ok(isDone());
};

for (const framework of FRAMEWORKS) {
  test(`every hook on ${framework.name}`, async () => {
    freshWindow();
    const host = createMockHost({
      store: true,
      context: { theme: "dark", availableDisplayModes: ["inline", "pip"] },
    });
    const uri = "ui://widgets/ferry/1";
    host.states.set(uri, { row: 3 });
    const page = (await load(framework, "hooks")).mount();
    assert.ok(page.version.startsWith(framework.version), page.version);

    await until(() => page.values()?.theme === "dark");
    await until(() => page.values().can.length > 0);
    assert.deepEqual(page.values(), {
      tool: { status: "waiting" },
      call: { pending: false },
      can: ["callTool"],
      theme: "dark",
      mode: "inline",
      locale: "en-US",
      userAgent: { device: { type: "unknown" }, capabilities: {} },
      safeArea: { insets: { top: 0, right: 0, bottom: 0, left: 0 } },
      view: { mode: "inline" },
      platform: "web",
      state: { row: 0 },
    });

    await host.partial({ to: "V" });
    await until(() => page.values().partial);
    assert.deepEqual(page.values().partial, { to: "V" });
    assert.deepEqual(page.values().tool, { status: "waiting", input: { to: "V" } });
    await host.input({ to: "Vis" });
    await until(() => page.values().input);
    assert.deepEqual(page.values().input, { to: "Vis" });

    const _meta = { "widgetcast/view": { state: uri } };
    await host.result({ structuredContent: { a: 1 }, _meta });
    await until(() => page.values().state.row === 3);
    assert.deepEqual(page.values().output, { a: 1 });
    const result = { content: [], structuredContent: { a: 1 }, _meta };
    const input = { to: "Vis" };
    assert.deepEqual(page.values().tool, {
      status: "done",
      input,
      output: { a: 1 },
      meta: _meta,
      result,
    });
    assert.deepEqual(page.values().can, ["callTool", "setState"]);
    assert.deepEqual(page.values().meta, _meta);
    assert.deepEqual(page.values().result, result);

    await page.actions.request("pip");
    await until(() => page.values().mode === "pip");

    page.click();
    await until(() => page.values().state.row === 4);
    await until(() => (host.states.get(uri) as { row: number }).row === 4);

    const insets = { top: 1, right: 2, bottom: 3, left: 4 };
    await host.context({
      displayMode: "fullscreen",
      locale: "ar",
      platform: "mobile",
      deviceCapabilities: { touch: true },
      safeAreaInsets: insets,
      containerDimensions: { maxHeight: 500 },
      view: { mode: "modal", params: { a: 1 } },
    });
    await until(() => page.values().mode === "fullscreen");
    const { maxHeight, locale, userAgent, safeArea, view } = page.values();
    assert.deepEqual([maxHeight, locale], [500, "ar"]);
    assert.deepEqual(userAgent, { device: { type: "mobile" }, capabilities: { touch: true } });
    assert.deepEqual(safeArea, { insets });
    assert.deepEqual(view, { mode: "modal", params: { a: 1 } });

    assert.equal(page.clients.size, 1);
    assert.equal(host.sent("ui/initialize").length, 1);

    // Values that did not change draw nothing; after the end nothing is drawn at all.
    const count = page.renders();
    await host.notify("notifications/tools/list_changed");
    await tick(50);
    assert.equal(page.renders(), count);
    page.unmount();
    await host.input({ to: "Hvar" });
    await tick(50);
    assert.equal(page.renders(), count);
    host.close();
  });

  test(`a call on ${framework.name}`, async () => {
    freshWindow();
    const calls: (MockCall & { end(result: object): void })[] = [];
    const book = (_: unknown, call: MockCall) =>
      new Promise<CallToolResult>((resolve) => {
        calls.push({ ...call, end: (result) => resolve({ content: [], ...result }) });
      });
    const host = createMockHost({ tools: { book } });
    const page = (await load(framework, "call")).mount();
    await until(() => page.values()?.can.length);
    const state = () => page.values().call;
    const start = async () => {
      const output = page.actions.call({ to: "Vis" });
      await until(() => state().pending);
      return output;
    };

    const done = start();
    await until(() => calls[0]);
    await calls[0]?.progress({ progress: 1, total: 2, message: "asking" });
    await until(() => state().progress?.message === "asking");
    calls[0]?.end({ structuredContent: { at: 9 } });
    assert.deepEqual(await done, { at: 9 });
    await until(() => !state().pending);
    assert.deepEqual(state(), { pending: false, output: { at: 9 } });

    const failed = start();
    await until(() => calls[1]);
    calls[1]?.end({ content: [{ type: "text", text: "full" }], isError: true });
    assert.equal(await failed, undefined);
    await until(() => state().error === "full");
    page.actions.reset();
    await until(() => !state().error);

    const cancelled = start();
    await until(() => calls[2]);
    page.actions.cancel();
    assert.equal(await cancelled, undefined);
    await until(() => calls[2]?.signal.aborted && !state().pending);
    assert.deepEqual(state(), { pending: false });

    // An error result is told, and the call of the page that was stopped.
    await host.cancel("stopped");
    await until(() => page.values().tool.status === "cancelled");
    assert.deepEqual(page.values().tool, { status: "cancelled", reason: "stopped" });
    await host.result({ content: [{ type: "text", text: "no port" }], isError: true });
    await until(() => page.values().tool[0] === "failed");
    assert.deepEqual(page.values().tool, ["failed", "no port"]);
    assert.equal(page.values().output, undefined);

    // A component that is gone is not drawn again, and its call goes on.
    const late = start();
    await until(() => calls[3]);
    page.unmount();
    const count = page.renders();
    calls[3]?.end({ structuredContent: { at: 10 } });
    assert.deepEqual(await late, { at: 10 });
    await tick(50);
    assert.equal(page.renders(), count);
    assert.equal(calls[3]?.signal.aborted, false);
    host.close();
  });

  test(`a client of one's own on ${framework.name}`, async () => {
    freshWindow();
    const host = createMockHost({ context: { locale: "de-DE" } });
    const client = createClient({ name: "mine", autoResize: false, timeout: 2000 });
    const page = (await load(framework, "provider")).mount(client);
    await until(() => page.values()?.locale === "de-DE");
    assert.deepEqual([...page.clients], [client]);
    assert.deepEqual(
      host.sent("ui/initialize").map(({ appInfo }) => (appInfo as { name: string }).name),
      ["mine"],
    );
    page.unmount();
    host.close();
  });
}
