// Threads: a list of messages as the items that ChatKit shows.
//
// Only tool results are searched for widgets: a user or a model that writes something like one must
// not be able to show it.

import { WIDGET_MIME } from "../wire.js";
import { bodyOf, extract, widgetOf } from "./extract.js";
import { get } from "./value.js";

/** A message of a conversation, as an application stores it. */
export interface Message {
  /** A number becomes a string. */
  id: string | number;
  /** `user`, `assistant`, `tool_result` or `tool`; any other role is shown as the assistant. */
  role: string;
  /** The text; for a tool result, its first text. */
  content?: string | null;
  /** The time in RFC 3339, or in seconds since 1970; without it, the start of 1970. */
  created_at?: string | number | null;
  /** For a tool result `{"name": …, "mcp_content": […]}`, else any value. */
  metadata?: unknown;
}

/**
 * Turns messages into ChatKit thread items. A tool result with a ChatKit widget becomes a widget
 * item; other tool results, and messages without text, are omitted.
 */
export const threadItems = (messages: Message[], threadId: string): object[] =>
  messages.flatMap((message) => item(message, threadId) ?? []);

const item = (message: Message, thread_id: string): object | undefined => {
  const { role, content, metadata } = message;
  const id = String(message.id);
  const created_at = timeOf(message.created_at ?? 0);
  if (role === "tool_result" || role === "tool") {
    const stored = get(metadata, "mcp_content");
    const found = Array.isArray(stored) ? widgetOf(extract(stored)) : undefined;
    if (!found) return undefined;
    const { widget, copyText = null } = found;
    return { id, type: "widget", thread_id, created_at, copy_text: copyText, widget };
  }
  if (!content) return undefined;
  if (role === "user")
    return {
      id,
      type: "user_message",
      thread_id,
      created_at,
      content: [{ type: "input_text", text: content }],
      attachments: [],
      inference_options: {},
    };
  return {
    id,
    type: "assistant_message",
    thread_id,
    created_at,
    content: [{ type: "output_text", text: content, annotations: [] }],
  };
};

const timeOf = (time: string | number): string =>
  typeof time === "string"
    ? time
    : new Date(Math.trunc(time) * 1000).toISOString().replace(/\.\d+Z$/, "Z");

/**
 * The message that stores a tool result: its first text, and its whole content as `mcp_content`. A widget
 * found only in `_meta` is added to that content as a resource.
 */
export const toolResultMessage = (
  id: string,
  toolName: string,
  result: unknown,
  createdAt: string,
): Required<Message> & { id: string; content: string; created_at: string } => {
  const [body] = bodyOf(result);
  const content = Array.isArray(body) ? body : get(body, "content");
  const items = Array.isArray(content) ? [...content] : [];
  const found = extract(body);
  const inMeta = found.parts.find((one) => one.kind === "meta_tree");
  if (inMeta && !widgetOf(found)) {
    const { tree: widget, copyText } = inMeta;
    const shown = copyText === undefined ? { widget } : { widget, copy_text: copyText };
    const uri = `ui://widgets/${toolName}/stored`;
    const mimeType = WIDGET_MIME;
    items.push({ type: "resource", resource: { uri, mimeType, text: JSON.stringify(shown) } });
  }
  const text = get(
    items.find((one) => get(one, "type") === "text"),
    "text",
  );
  return {
    id,
    role: "tool_result",
    content: typeof text === "string" ? text : "",
    created_at: createdAt,
    metadata: { name: toolName, mcp_content: items },
  };
};
