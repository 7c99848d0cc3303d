// What the protocol sends, as the types of the official component see it. That package has types for
// trees, contents of messages, attachments, effects and actions; it has none for items and events.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import type * as official from "@openai/chatkit";
import type {
  Attachment,
  InputContent,
  Item,
  SentAction,
  StreamEvent,
  Widget,
} from "../src/protocol";
import { Double } from "./double";
import { eventsOf, skip, transcript } from "./recorded";

const web = resolve(dirname(fileURLToPath(import.meta.url)), "../..");

// Checked by the compiler alone: a content as we type it is one of theirs.
export const content = (one: InputContent): official.UserMessageContent => one;

interface Found {
  widgets: Widget[];
  contents: InputContent[];
  attachments: Omit<Attachment, "upload_descriptor">[];
  effects: { name: string; data?: Record<string, unknown> }[];
  actions: SentAction[];
}

const nothing = (): Found => ({
  widgets: [],
  contents: [],
  attachments: [],
  effects: [],
  actions: [],
});

function collect(events: StreamEvent[], found: Found): void {
  const visit = (item: Item) => {
    if (item.type === "widget") found.widgets.push(item.widget);
    if (item.type !== "user_message") return;
    found.contents.push(...item.content);
    found.attachments.push(...(item.attachments ?? []));
  };
  for (const event of events) {
    if ("item" in event) visit(event.item);
    if (event.type === "client_effect") {
      const { type: _, ...effect } = event;
      found.effects.push(effect);
    }
    if (event.type === "thread.item.updated" && event.update.type === "widget.root.updated")
      found.widgets.push(event.update.widget);
  }
}

/** What the compiler says if these are given to the official types as literals. */
function compile({ widgets, contents, attachments, effects, actions }: Found): string {
  return compileLines([
    'import type { Attachment, ChatKitEvents, OpenAIChatKit, UserMessageContent, Widgets } from "@openai/chatkit";',
    `export const widgets: Widgets.WidgetRoot[] = ${JSON.stringify(widgets)};`,
    `export const contents: UserMessageContent[] = ${JSON.stringify(contents)};`,
    `export const attachments: Attachment[] = ${JSON.stringify(attachments)};`,
    `export const effects: ChatKitEvents["chatkit.effect"]["detail"][] = ${JSON.stringify(effects)};`,
    `export const actions: Parameters<OpenAIChatKit["sendCustomAction"]>[0][] = ${JSON.stringify(actions)};`,
  ]);
}

/** What the compiler says about a file beside the official types. */
function compileLines(lines: string[]): string {
  const dir = mkdtempSync(join(web, "chat/.types-"));
  try {
    writeFileSync(join(dir, "sent.ts"), lines.join("\n"));
    const config = { extends: "../../tsconfig.json", include: ["*.ts"] };
    writeFileSync(join(dir, "tsconfig.json"), JSON.stringify(config));
    const run = spawnSync(join(web, "node_modules/.bin/tsc"), ["-p", dir], { encoding: "utf8" });
    return run.stdout + run.stderr;
  } finally {
    rmSync(dir, { recursive: true });
  }
}

test("the official types accept the streams of the official server", { skip }, async () => {
  const found = nothing();
  for (const { content_type, body, request } of transcript()) {
    if (content_type === "text/event-stream") collect(await eventsOf(body), found);
    const { action } = request.params as { action?: SentAction };
    if (action) found.actions.push(action);
  }
  assert.ok(found.widgets.length > 4 && found.contents.length > 3);
  assert.ok(found.effects.length > 0 && found.actions.length > 0);
  assert.equal(compile(found), "");
});

test("… and those of the endpoint that the page is tested with", async () => {
  const double = new Double();
  const url = process.env.CHAT_URL ?? (await double.listen());
  const post = async (type: string, params: object) => {
    const body = JSON.stringify({ type, params });
    const headers = { "content-type": "application/json" };
    return (await fetch(`${url}/chatkit`, { method: "POST", headers, body })).text();
  };
  const found = nothing();
  try {
    const file = { name: "a.txt", size: 1, mime_type: "text/plain" };
    const { upload_descriptor: _, ...attachment } = JSON.parse(
      await post("attachments.create", file),
    );
    found.attachments.push(attachment);
    for (const text of ["hello", "/flight_tracker"]) {
      const content = [{ type: "input_text", text }];
      const input = { content, attachments: [], inference_options: {} };
      collect(await eventsOf(await post("threads.create", { input }), 1000), found);
    }
  } finally {
    double.close();
  }
  assert.ok(found.widgets.length > 0);
  assert.equal(compile(found), "");
});

test("… and nothing else", () => {
  const wrong = { ...nothing(), widgets: [{ type: "Card", children: [{ type: "Txt" }] }] };
  assert.match(compile(wrong), /Txt/);
});

/** The options of the page that mounts the official component, as the guide has them. */
function documentedOptions(): string {
  const guide = readFileSync(join(web, "../docs/chatkit.md"), "utf8");
  const options = /chat\.setOptions\((\{[\s\S]*?\n {2}\})\);/.exec(guide);
  assert.ok(options?.[1], "the guide sets options");
  // What is there as a comment must fit, too.
  return options[1].replace(/^( *)\/\/ (?=fetch\(|\}| {2})/gm, "$1");
}

test("the documented page sets options that the official component has", () => {
  const check = (options: string) =>
    compileLines([
      'import type { ChatKitOptions } from "@openai/chatkit";',
      "declare const key: string;",
      `export const options: ChatKitOptions = ${options};`,
    ]);
  const options = documentedOptions();
  assert.match(options, /^ *fetch\(url, init\) \{$/m);
  assert.equal(check(options), "");
  assert.match(check(options.replace("onClientTool", "onTool")), /onTool/);
});
