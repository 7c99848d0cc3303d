/** @jsxImportSource #jsx */
// The page that hosts show: it finds the tree of a result, draws it, and passes actions on.

// In this order the page is 250 bytes smaller after gzip: no texts and drawings are in the midst of what
// is alike.
import "@widgetcast/i18n/host";
import "@widgetcast/i18n/view";
import "../icon-data.json" with { type: "json" };
import "./markup/markdown";
import "./node";
import { applyHostContext, type CallToolResult, createClient } from "@widgetcast/client";
import { VERSION } from "@widgetcast/client/wire";
import { directionOf, type Text, translate } from "@widgetcast/i18n";
import { empty, not_shown } from "@widgetcast/i18n/host";
import * as words from "@widgetcast/i18n/view";
import { perform, resultText } from "./action";
import type { Action, DrawOptions, Origin } from "./context";
import { draw, drawFault } from "./draw";
import { type Found, find, isBlank } from "./find";
import { fit } from "./fit";
import { renderWait } from "./markup/card";
import { type Props, record, words as spaced, text } from "./markup/prop";
import { render } from "./render";

const root = document.getElementById("root") as HTMLElement;
const foot = document.getElementById("notice") as HTMLElement;
const client = createClient({ name: "widgetcast-view", version: VERSION });
const unknownTools = new Set<string>();

let shown: Found | undefined;
let settled = false;
let asked = false;
let values: Props | undefined;

const speak = (text: Text) => translate(text, client.hostContext.locale);

function optionsFor(found: Found): DrawOptions {
  return {
    icons: found.icons,
    locale: client.hostContext.locale,
    isDocument: true,
    onAction: act,
    onValues: (all) => {
      values = all;
      try {
        client.setState({ ...record(client.getState()), fields: all });
      } catch (error) {
        // Too large to keep: the form still works, but does not outlive a reload.
        client.log("warning", `${error}`);
      }
    },
    ...(values ? { values } : {}),
  };
}

function show(found: Found): void {
  shown = found;
  settled = true;
  draw(root, found.tree, optionsFor(found));
}

function notice(message: string, bad = false): void {
  const line = message.trim().slice(0, 400);
  foot.dataset.tone = bad ? "bad" : "";
  foot.textContent = line;
}

function markdown(value: string): void {
  const tree = { type: "Card", size: "lg", children: [{ type: "Markdown", value }] };
  show({ tree, icons: {} });
}

function title(): string {
  const tool = record(client.toolInfo?.tool);
  return text(tool?.title) || spaced(text(tool?.name) || text(client.toolName));
}

function wait(): void {
  if (settled) return;
  render(<div className="wc">{renderWait(title() || "…")}</div>, root);
}

async function receive(result: CallToolResult): Promise<void> {
  const found = find(result);
  const said = resultText(result);
  if (found && text(record(found.tree)?.type)) return show(found);
  if (found || result.isError) {
    settled = true;
    return drawFault(root, speak(found ? not_shown : words.failed), said);
  }
  const again = await ask();
  if (again) return show(again);
  const data = result.structuredContent;
  // A list without entries, and no text but its JSON.
  if (data && isBlank(data) && !/^[^[{]/.test(said)) return markdown(speak(empty));
  markdown(said || (data ? `\`\`\`json\n${JSON.stringify(data, null, 2)}\n\`\`\`` : speak(empty)));
}

/** Some hosts strip everything but the text: a tool that changes nothing can be asked again. */
async function ask(): Promise<Found | undefined> {
  const tool = client.toolInfo?.tool;
  const name = client.toolName ?? tool?.name;
  if (asked || !name || tool?.annotations?.readOnlyHint !== true) return undefined;
  if (!client.can("callTool")) return undefined;
  asked = true;
  try {
    return find(await client.callToolResult(name, client.toolInput ?? {}));
  } catch {
    return undefined;
  }
}

async function act(action: Action, from: Origin): Promise<void> {
  notice("");
  const outcome = await perform(client, action, from, unknownTools);
  if (outcome.kind === "stuck") return notice(outcome.text, true);
  if (outcome.kind === "link") return;
  if (outcome.kind !== "result") return notice(speak(words.done));
  const { result } = outcome;
  const found = result.isError ? undefined : find(result);
  if (found) return show(found);
  notice(resultText(result) || speak(result.isError ? words.failed : words.done), result.isError);
}

function applyContext(): void {
  const { displayMode, locale } = client.hostContext;
  applyHostContext(client.hostContext);
  document.documentElement.dataset.mode = displayMode;
  document.documentElement.dir = directionOf(locale);
  if (shown) draw(root, shown.tree, optionsFor(shown));
  else if (root.firstChild) wait();
}

function restore(state: unknown): void {
  values = record(record(state)?.fields) ?? values;
  if (shown) show(shown);
}

addEventListener("resize", () => fit(root));
client.onToolInputPartial(wait);
client.onToolInput(wait);
client.onToolResult(receive);
client.onHostContextChange(applyContext);
client.onStateChange(restore);
client.onToolCancelled((reason) => {
  const cancelled = speak(words.cancelled);
  if (shown) return notice(reason || cancelled);
  settled = true;
  const value = reason ? `${cancelled}: ${reason}` : cancelled;
  draw(root, { type: "Card", children: [{ type: "Text", value, size: "sm", color: "secondary" }] });
});

client.ready.then(() => {
  applyContext();
  values = record(record(client.getState())?.fields) ?? values;
  if (client.toolResult && !settled) receive(client.toolResult);
  // Most results come at once; a placeholder that flashes before them looks broken.
  setTimeout(wait, 120);
});
