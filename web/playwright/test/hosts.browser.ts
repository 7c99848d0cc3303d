// The package as its users have it: built, and with a browser of its own.

import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { builtHosts } from "../../test/built-hosts";
import type { Hosts, Options } from "../src/index";

const dir = mkdtempSync(join(tmpdir(), "widgetcast-hosts-"));
let hosts: Hosts;
let close: () => Promise<void>;

before(async () => {
  ({ hosts, close } = await builtHosts());
});
after(async () => {
  await close?.();
  rmSync(dir, { recursive: true, force: true });
});

/** A page that speaks both languages, in few words. */
const PAGE = `<!doctype html><meta charset="utf-8"><p></p><button>Call</button><script>
const say = (words) => { document.querySelector("p").textContent = words; };
const post = (message) => parent.postMessage({ jsonrpc: "2.0", ...message }, "*");
const button = document.querySelector("button");
const show = (output) => say("n = " + (output ? output.n : "…") + " " + (window.openai ? openai.theme : ""));
if (window.openai) {
  show(openai.toolOutput);
  addEventListener("openai:set_globals", () => show(openai.toolOutput));
  button.onclick = async () => show((await openai.callTool("add", { to: 7 })).structuredContent);
} else {
  addEventListener("message", ({ data }) => {
    if (data.id === 1) post({ method: "ui/notifications/initialized" });
    if (data.id === 2) show(data.result.structuredContent);
    if (data.method === "ui/notifications/tool-result") show(data.params.structuredContent);
  });
  post({ id: 1, method: "ui/initialize", params: { appInfo: { name: "a", version: "1" },
    appCapabilities: {}, protocolVersion: "2026-01-26" } });
  button.onclick = () => post({ id: 2, method: "tools/call", params: { name: "add", arguments: { to: 7 } } });
}
</script>`;

function page(name: string, html: string): string {
  const file = join(dir, `${name}.html`);
  writeFileSync(file, html);
  return file;
}

const options = (): Options => ({
  file: page("plain", PAGE),
  output: { n: 1 },
  tools: { add: ({ to }) => ({ n: Number(to) + 1 }) },
});

for (const kind of ["appBridge", "openai"] as const)
  test(`a page gets its data and calls a tool: ${kind}`, async () => {
    const view = await hosts[kind](options());
    await view.frame.getByText("n = 1").waitFor();
    await view.frame.getByRole("button").click();
    await view.frame.getByText("n = 8").waitFor();
    await view.output({ n: 9 });
    await view.frame.getByText("n = 9").waitFor();
    assert.deepEqual(await view.problems(), []);
  });

test("what a page has sent can be read", async () => {
  const app = await hosts.appBridge(options());
  await app.frame.getByRole("button").click();
  assert.deepEqual(await app.wait("tools/call"), [{ name: "add", arguments: { to: 7 } }]);
  assert.deepEqual(await app.sent("ui/message"), []);

  const chat = await hosts.openai({ ...options(), context: { theme: "light" } });
  await chat.frame.getByText("light").waitFor();
  await chat.change({ theme: "dark" });
  await chat.frame.getByText("dark").waitFor();
  await chat.frame.getByRole("button").click();
  assert.deepEqual(await chat.calls("callTool"), [["add", { to: 7 }]]);
});

test("what goes wrong is told", async () => {
  const script = `<script>fetch("https://api.example.com/x").catch(() => {}); nowhere();</script>`;
  const file = page("wrong", PAGE + script);
  for (const kind of ["appBridge", "openai"] as const) {
    const problems = await (await hosts[kind]({ ...options(), file })).problems();
    assert.ok(
      problems.some((words) => words.includes("connect-src refused https://api.example.com")),
    );
    assert.ok(
      problems.some((words) => words.includes("nowhere is not defined")),
      String(problems),
    );
  }
});

test("a page that breaks before it answers is an error with the page's own", async () => {
  const file = page("broken", `<!doctype html><meta charset="utf-8"><script>nowhere();</script>`);
  await assert.rejects(hosts.appBridge({ file, timeout: 10_000 }), (error: Error) => {
    assert.match(
      error.message,
      /sent no ui\/initialize within 10000 ms:\n.*nowhere is not defined/,
    );
    return true;
  });
  assert.equal((await hosts.openai({ file })).frame.isDetached(), false);
});
