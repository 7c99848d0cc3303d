// A right and a wrong use of every hook that knows tools, as the compiler sees them; what it says to a
// wrong one names the tool.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

const WEB = fileURLToPath(new URL("../..", import.meta.url));

const HEAD = `import { createClient } from "@widgetcast/client";
import { createCall } from "@widgetcast/client/call";
import * as hooks from "@widgetcast/react";
declare module "@widgetcast/client" {
  interface ToolRegistry {
    stats: { input: { days: number }; output: { open: number; byDay: { day: string }[] } };
    assign: { input: { ticket: number; to?: string }; output: { title: string } };
    now: { input: {}; output: unknown };
  }
}
export const client = createClient();
export const { useTool, useToolOutput, useToolInput, useToolInputPartial, useCallTool } = hooks;
export const { useDisplayMode, useTheme, useLocale, useViewState, useCan, useHostContext } = hooks;
`;

/** What the compiler says to each of these functions' bodies; related places are part of it. */
function compile(bodies: string[]): string[] {
  // Inside the workspace, where the imports resolve; a dot keeps it out of other globs.
  const folder = mkdtempSync(join(WEB, "react/.type-"));
  try {
    const lines = bodies.map((body, index) => `export async function use${index}() { ${body} }`);
    writeFileSync(join(folder, "main.ts"), HEAD + lines.join("\n"));
    const config = { extends: "../../tsconfig.json", include: ["main.ts"] };
    writeFileSync(join(folder, "tsconfig.json"), JSON.stringify(config));
    const tsc = join(WEB, "node_modules/.bin/tsc");
    const run = spawnSync(tsc, ["-p", folder, "--pretty", "true"], { encoding: "utf8" });
    const said = bodies.map(() => "");
    const first = HEAD.split("\n").length;
    // biome-ignore lint/suspicious/noControlCharactersInRegex: the colours of the compiler
    const text = run.stdout.replaceAll(/\u001b\[[0-9;]*m/g, "");
    for (const part of text.split(/^(?=\S*:\d+:\d+ - error)/m)) {
      const line = Number(/^\S*main\.ts:(\d+):/.exec(part)?.[1]);
      // The line of code is shown, too: only what the compiler says counts.
      const words = part.replaceAll(/^\s*\d+ .*$/gm, "");
      if (line >= first) said[line - first] += words;
      else if (/error/.test(part)) assert.doesNotMatch(part, /- error/, part);
    }
    return said;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const RIGHT = [
  `const tool = useTool("stats");
   if (tool.status === "waiting") return tool.input?.days?.toFixed();
   if (tool.status === "failed") return tool.error.message + tool.result.content.length;
   if (tool.status === "cancelled") return tool.reason ?? "";
   return tool.output.byDay.map(({ day }) => day).join() + tool.input?.days + tool.meta.a;`,
  `const tool = useTool<"stats">(); return tool.status === "done" ? tool.output.open : 0;`,
  `const tool = useTool(); return tool.status;`,
  `return useToolOutput<"stats">()?.open.toFixed();`,
  `return useToolOutput("stats")?.byDay[0]?.day.length;`,
  `return useToolInput<"stats">()?.days.toFixed();`,
  `return useToolInputPartial("stats")?.days?.toFixed();`,
  `const { call, cancel, reset, pending, error, output, progress } = useCallTool("assign");
   cancel(); reset();
   const given = await call({ ticket: 1 }, { signal: AbortSignal.timeout(1), onProgress: ({ progress }) => progress });
   return [given?.title.length, output?.title.length, pending, error?.message, progress?.total];`,
  `return useCallTool("now").call();`,
  `const [mode, request] = useDisplayMode(); return mode === (await request("pip")).mode;`,
  `const [state, set] = useViewState({ row: 0 }); set((before) => ({ row: before.row + state.row }));`,
  `return useTheme() === "dark" && useLocale().length > 0 && useCan("cancel") && useHostContext().deviceType === "tablet";`,
  `const off = client.onTool("stats", (tool) => { if (tool.status === "done") tool.output.open.toFixed(); }); off();`,
  `client.onToolResult<"stats">((result) => result.structuredContent?.open.toFixed());
   client.onToolInput<"stats">((input) => input.days.toFixed());
   client.onToolInputPartial<"stats">((input) => input.days?.toFixed());`,
  `const tool = client.tool("stats"); return tool.status === "done" ? tool.output.open.toFixed() : "";`,
  `return (await client.callTool("assign", { ticket: 1 }, { signal: AbortSignal.timeout(1) })).title.length;`,
  `return (await createCall(client, "assign").call({ ticket: 1 }))?.title.length;`,
].map((body) => body.replaceAll(/\s*\n\s*/g, " "));

test("right uses compile", () => {
  assert.deepEqual(
    compile(RIGHT).filter((said) => said),
    [],
  );
});

/** What is wrong, and the tool that the message names: as it is called, or as it was misspelt. */
const WRONG: [body: string, names: RegExp][] = [
  [`useTool("stat");`, /"stat"/],
  [`useTool<"stat">();`, /"stat"/],
  [`const tool = useTool("stats"); return tool.output;`, /"stats"/],
  [`const tool = useTool("stats"); if (tool.status === "done") return tool.output.opn;`, /"stats"/],
  [
    `const tool = useTool("stats"); if (tool.status === "waiting") return tool.input?.dayz;`,
    /"stats"/,
  ],
  [`useToolOutput<"stat">();`, /"stat"/],
  [`return useToolOutput<"stats">()?.opn;`, /"stats"/],
  [`useToolInput("stat");`, /"stat"/],
  [`return useToolInput<"stats">()?.day;`, /"stats"/],
  [`return useToolInputPartial<"stats">()?.day;`, /"stats"/],
  [`useCallTool("asign");`, /"asign"/],
  [`useCallTool("assign").call({ ticket: "7" });`, /"assign"/],
  [`useCallTool("assign").call({ tiket: 7 });`, /"assign"/],
  [`useCallTool("assign").call({});`, /"assign"/],
  [`return useCallTool("assign").output?.titel;`, /"assign"/],
  [`return (await useCallTool("assign").call({ ticket: 7 }))?.titel;`, /"assign"/],
  [`client.tool("stat");`, /"stat"/],
  [`client.onToolResult<"stats">((result) => result.structuredContent?.opn);`, /"stats"/],
  [`client.onToolInput<"stats">((input) => input.dayz);`, /"stats"/],
  [`client.onToolInputPartial<"stats">((input) => input.dayz);`, /"stats"/],
  [`client.onTool("stats", (tool) => tool.status === "done" && tool.output.opn);`, /"stats"/],
  [`client.callTool("assign", { tiket: 7 });`, /"assign"/],
  [`createCall(client, "asign");`, /"asign"/],
  [`createCall(client, "assign").call({ ticket: "7" });`, /"assign"/],
];

/** Hooks that know no tool. */
const WRONG_ELSEWHERE: [body: string, names: RegExp][] = [
  [`useCallTool("assign").call();`, /Expected 1-2 arguments/],
  [`const [, request] = useDisplayMode(); request("window");`, /"window"/],
  [`return useTheme() === "blue";`, /"blue"/],
  [`return useLocale().language;`, /language/],
  [`return useHostContext().colour;`, /colour/],
  [`return useCan("fly");`, /"fly"/],
  [`const [state, set] = useViewState({ row: 0 }); set({ rows: state.row });`, /rows/],
];

test("wrong uses do not, and the message names the tool", () => {
  const all = [...WRONG, ...WRONG_ELSEWHERE];
  const said = compile(all.map(([body]) => body));
  for (const [index, [body, names]] of all.entries())
    assert.match(said[index] ?? "", names, `${body}\n${said[index]}`);
});
