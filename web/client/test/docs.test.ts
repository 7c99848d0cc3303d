// docs/client.md: its code compiles and runs, its methods are all there are, and its table of hosts says
// what the facts say.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";
import type { Ability } from "@widgetcast/client";
import { createMockHost, type MockCall } from "@widgetcast/client/mock";
import { build } from "esbuild";
import { routes } from "../src/route";
import { freshWindow, tick } from "./dom";

const WEB = fileURLToPath(new URL("../..", import.meta.url));
const FACTS = join(WEB, "../../shared/facts/hosts.json");
const page = readFileSync(join(WEB, "../docs/client.md"), "utf8");
const [registry = "", plain = "", ...more] = [...page.matchAll(/^```ts\n(.*?)^```/gms)].map(
  ([, code]) => code ?? "",
);

/** The rows of the table after a heading, as lists of cells without backquotes. */
function table(heading: string, index = 0): string[][] {
  const text = page.slice(page.indexOf(`## ${heading}`));
  const rows = [...text.matchAll(/(?:^\|.*\n)+/gm)][index]?.[0].trim().split("\n") ?? [];
  return rows
    .filter((row) => !/^\|[-|]+$/.test(row))
    .map((row) =>
      row
        .slice(1, -1)
        .split("|")
        .map((cell) => cell.trim().replaceAll("`", "")),
    );
}

test("the example without a framework compiles", () => {
  assert.deepEqual(more, []);
  const folder = mkdtempSync(join(WEB, "client/.docs-"));
  try {
    writeFileSync(join(folder, "tools.ts"), registry);
    writeFileSync(join(folder, "main.ts"), plain);
    const config = { extends: "../../tsconfig.json", include: ["*.ts"] };
    writeFileSync(join(folder, "tsconfig.json"), JSON.stringify(config));
    const { stdout } = spawnSync(join(WEB, "node_modules/.bin/tsc"), ["-p", folder], {
      encoding: "utf8",
    });
    assert.equal(stdout, "");
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test("… and runs", async () => {
  const folder = mkdtempSync(join(tmpdir(), "widgetcast-docs-"));
  const calls: (MockCall & { end(): void })[] = [];
  freshWindow();
  const host = createMockHost({
    tools: {
      assign: (_, call) =>
        new Promise((resolve) => {
          const end = () => resolve({ content: [], structuredContent: { title: "Printer" } });
          calls.push({ ...call, end });
        }),
    },
  });
  const outfile = join(folder, "page.mjs");
  await build({
    stdin: { contents: plain, resolveDir: WEB, loader: "ts" },
    outfile,
    bundle: true,
    format: "esm",
    tsconfig: join(WEB, "tsconfig.json"),
    logLevel: "error",
  });
  await import(pathToFileURL(outfile).href);
  rmSync(folder, { recursive: true });
  const line = () => document.querySelector("p")?.textContent;
  const [take, stop] = document.querySelectorAll("button");
  await host.partial({ days: 1 });
  assert.equal(line(), "The last 1 days");
  await host.result({ structuredContent: { open: 3, oldest: 7 } });
  assert.equal(line(), "3 open");

  take?.click();
  await host.heard("tools/call");
  await tick();
  await calls[0]?.progress({ progress: 1, message: "asking" });
  assert.equal(line(), "asking");
  assert.equal(stop?.hidden, false);
  stop?.click();
  await host.heard("notifications/cancelled");
  take?.click();
  await host.heard("tools/call", 2);
  await tick();
  calls[1]?.end();
  for (let round = 0; round < 100 && line() !== "Printer is yours"; round++) await tick(10);
  assert.equal(line(), "Printer is yours");
  host.close();
});

test("every ability is in the table of methods", () => {
  const PERMISSIONS: Ability[] = ["camera", "microphone", "geolocation", "clipboardWrite"];
  const rows = table("All methods").slice(1);
  const named = rows.flatMap(([can = ""]) => can.split(", "));
  assert.deepEqual(named.sort(), [...Object.keys(routes), ...PERMISSIONS].sort());
  for (const [can = "", , message = "", , member = ""] of rows) {
    const [method = "", , own = ""] = routes[can.split(", ")[0] as Ability] ?? [];
    if (method) assert.ok(message.includes(method), `${can}: ${method}`);
    if (own) assert.ok(member.includes(own), `${can}: ${own}`);
    else assert.match(member, /^–/, can);
  }
});

const HOSTS: Record<string, string> = {
  Claude: "claude",
  ChatGPT: "chatgpt",
  "Le Chat": "mistral",
  Goose: "goose",
  Slack: "slack",
  Cursor: "cursor",
  Codex: "codex",
  Copilot: "copilot",
  "VS Code": "vscode",
};
interface Facts {
  mcpProfile: {
    apps: {
      mcpAppsOverrides: Record<string, unknown> & { availableDisplayModes: string[] };
      compatRuntime?: { openaiApps?: boolean; openaiAppsOverrides?: Record<string, unknown> };
      sandbox?: { permissions?: { allow?: Record<string, unknown> } };
    };
  };
}

/** Whether a host has what a row is about, by the facts. */
function hasIt(row: string, { mcpProfile: { apps } }: Facts): boolean {
  const { mcpAppsOverrides: bridge, compatRuntime, sandbox } = apps;
  const own = (member: string) =>
    compatRuntime?.openaiApps === true && compatRuntime.openaiAppsOverrides?.[member] !== false;
  const files = ["uploadFile", "selectFiles", "getFileDownloadUrl"];
  const rows: Record<string, () => unknown> = {
    callTool: () => bridge.serverTools || own("callTool"),
    sendMessage: () => bridge.message || own("sendFollowUpMessage"),
    updateModelContext: () => bridge.updateModelContext,
    openLink: () => bridge.openLinks || own("openExternal"),
    downloadFile: () => bridge.downloadFile,
    readResource: () => bridge.serverResources,
    log: () => bridge.logging,
    fullscreen: () => bridge.availableDisplayModes.includes("fullscreen"),
    pip: () => bridge.availableDisplayModes.includes("pip"),
    // Of Copilot's nothing is known.
    requestClose: () =>
      bridge.requestTeardown ||
      (own("requestClose") && !("callTool" in (compatRuntime?.openaiAppsOverrides ?? {}))),
    "partial input": () => bridge.toolInputPartial,
    "cancelled notification": () => bridge.toolCancelled,
    "context changes": () => bridge.hostContextChanged,
    "teardown notification": () => bridge.resourceTeardown,
    toolName: () => bridge.toolInfo,
    "setState by the host": () => own("setWidgetState"),
    setOpenInAppUrl: () => own("setOpenInAppUrl"),
    requestModal: () => own("requestModal"),
    [files.join(", ")]: () => files.slice(0, 1).every(own),
    clipboardWrite: () => sandbox?.permissions?.allow?.clipboardWrite,
    microphone: () => sandbox?.permissions?.allow?.microphone,
  };
  assert.ok(rows[row], row);
  return !!rows[row]();
}

const skip = existsSync(FACTS) ? false : "there is no ../shared/facts/hosts.json";
test("the table of hosts says what the facts say", { skip }, () => {
  const { hosts } = JSON.parse(readFileSync(FACTS, "utf8")) as { hosts: Record<string, Facts> };
  const [head = [], ...rows] = table("Host support");
  assert.deepEqual(head.slice(1), Object.keys(HOSTS));
  assert.equal(rows.length, 21);
  for (const [row = "", ...cells] of rows)
    for (const [index, cell] of cells.entries()) {
      const name = head[index + 1] ?? "";
      const facts = hosts[HOSTS[name] ?? ""] as Facts;
      assert.equal(cell, hasIt(row, facts) ? "yes" : "–", `${row} of ${name}`);
    }
});
