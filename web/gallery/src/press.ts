// What a press in a drawing says to the app behind the host, and what is to be done about it. Slack, Teams
// and ChatKit each have their own words for it; the server's surfaces put the tool and its arguments there.

import { type Dict, isDict, type Json } from "@widgetcast/schema";
import type { Action } from "@widgetcast/view";

/** What a press comes to. */
export type Meant =
  | { kind: "call"; tool: string; input: Dict }
  | { kind: "link"; url: string }
  /** Nothing is called; the text says what the host does instead. */
  | { kind: "nothing"; text: string };

export interface Press {
  /** As the host calls it. */
  name: string;
  /** What the host tells the app. */
  params: Dict;
  meant: Meant;
}

const text = (value: Json | undefined): string => (typeof value === "string" ? value : "");
const dict = (value: Json | undefined): Dict => (isDict(value) ? value : {});
const nothing = (words: string): Meant => ({ kind: "nothing", text: words });

/** An address as something to open; anything else than these is not followed. */
function linkTo(url: string): Meant {
  return /^(https?:|mailto:)/i.test(url)
    ? { kind: "link", url }
    : nothing(`Refused: ${url.slice(0, 300)}`);
}

export const linkPress = (url: string): Press => ({
  name: "link",
  params: { url },
  meant: linkTo(url),
});

const TOOL = "tool:";
const FIELD = "input:";

/** What a field of Slack holds; nothing if it is empty. */
function slackValue(state: Dict): Json | undefined {
  if (Array.isArray(state.selected_options)) {
    const chosen = state.selected_options.map((option) => text(dict(option).value));
    return chosen.length > 1 ? chosen : chosen[0];
  }
  const option = dict(state.selected_option).value;
  return [option, state.selected_date, state.value].find(
    (value) => value !== undefined && value !== null && value !== "",
  );
}

function slackMeant(action: Dict, values: Dict): Meant {
  if (text(action.url)) return linkTo(text(action.url));
  const id = text(action.action_id);
  if (!id.startsWith(TOOL))
    return nothing("Slackbot calls a tool only if the action_id starts with tool:");
  const given = text(action.value) || text(dict(action.selected_option).value) || "{}";
  let input: Json;
  try {
    input = JSON.parse(given);
  } catch {
    input = null;
  }
  if (!isDict(input)) return nothing("Slackbot calls no tool: the value is not a JSON object");
  // What was filled in takes precedence over what the button carries.
  const filled: Dict = {};
  for (const block of Object.values(values))
    for (const [name, state] of Object.entries(dict(block))) {
      const value = slackValue(dict(state));
      if (name.startsWith(FIELD) && value !== undefined) filled[name.slice(FIELD.length)] = value;
    }
  // Of several buttons of one tool, all but the first have a number.
  const tool = id.slice(TOOL.length).replace(/#\d+$/, "");
  return { kind: "call", tool, input: { ...input, ...filled } };
}

/** A button or a menu of a message; `values` is its state, by block and by id. */
export const slackPress = (action: Dict, values: Dict): Press => ({
  name: "block_actions",
  params: { actions: [action], state: { values } },
  meant: slackMeant(action, values),
});

/** Members by their dotted names; what the payload already has stays. */
function nested(payload: Dict, fields: Dict): Dict {
  const out = structuredClone(payload);
  next: for (const [name, value] of Object.entries(fields)) {
    const path = name.split(".");
    const last = path.pop() ?? "";
    if (/(^|\.)(__proto__|constructor|prototype|)(\.|$)/.test(name)) continue;
    let at = out;
    for (const part of path) {
      if (!Object.hasOwn(at, part)) at[part] = {};
      const inner = at[part];
      if (!isDict(inner)) continue next;
      at = inner;
    }
    if (!Object.hasOwn(at, last)) at[last] = value;
  }
  return out;
}

/** An action of an Adaptive Card, as the renderer prepares it: a submission holds the values of the inputs. */
export interface CardAction {
  type: string;
  title: string;
  data: Json;
  url: string;
}

function cardMeant({ type, data, url }: CardAction): Meant {
  if (type === "Action.OpenUrl") return linkTo(url);
  if (!isDict(data) || !text(data.action))
    return nothing("The bot receives this, but calls no tool: the data has no action");
  const { action, payload, ...fields } = data;
  return { kind: "call", tool: text(action), input: nested(dict(payload), fields) };
}

/** Teams sends a submission to the bot as a message with a value. */
export const cardPress = (action: CardAction): Press => ({
  name: action.type,
  params:
    action.type === "Action.OpenUrl"
      ? { title: action.title, url: action.url }
      : { type: "message", value: action.data },
  meant: cardMeant(action),
});

/** An action of a tree, with the values of its form in the payload. */
export function treePress({ type, payload, handler }: Action): Press {
  const given = (payload ?? null) as Json;
  const action: Dict = { type, payload: given, ...(handler ? { handler } : {}) };
  if (handler === "client")
    return {
      name: "onAction",
      params: { action },
      meant: nothing("Handled by the embedding page, because of handler: client"),
    };
  const url = text(dict(given).url);
  const opens = url !== "" && /open|link|url/i.test(type);
  return {
    name: opens ? "link" : "threads.custom_action",
    params: { action },
    meant: opens ? linkTo(url) : { kind: "call", tool: type, input: dict(given) },
  };
}
