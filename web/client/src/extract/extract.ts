// The way through a result: its content, what is next to it, and the messages that applications store.

import { readContent, readFailure } from "./content.js";
import { type Extraction, Found } from "./found.js";
import { readMeta, readWidgetData } from "./meta.js";
import { part } from "./part.js";
import { checkBounds } from "./payload.js";
import { isMessage, readMessage, storedMessages } from "./stored.js";
import { get, isObject, member } from "./value.js";

/** What a result has, or a response in place of one. */
const MEMBERS = [
  "content",
  "structuredContent",
  "structured_content",
  "_meta",
  "meta",
  "isError",
  "is_error",
  "error",
];

const isForeign = (body: unknown): boolean =>
  isObject(body) &&
  Object.keys(body).length > 0 &&
  !MEMBERS.some((name) => Object.hasOwn(body, name));

/**
 * Finds all parts of a tool result that a host can show. Accepts a result (also in snake case), a bare
 * content list, or a JSON-RPC response with one of them. Also accepts a message as an application stores it
 * (`{"role": "tool_result", "metadata": {"mcp_content": […]}}`), and `{"messages": […]}`, of which only
 * tool results are searched.
 */
export const extract = (result: unknown): Extraction => {
  const found = new Found();
  const [body, at] = bodyOf(result);
  let isError = false;
  const messages = storedMessages(body);
  if (messages)
    for (const [index, message] of messages[1].entries())
      readMessage(found, message, `${at}${messages[0]}/${index}`);
  else if (isMessage(body)) readMessage(found, body, at);
  else if (Array.isArray(body)) readContent(found, body, at);
  else if (isForeign(body))
    found.fault(at, "this is not a tool result: it has neither content nor data");
  else if (isObject(body)) {
    const content = get(body, "content");
    if (Array.isArray(content)) readContent(found, content, `${at}/content`);
    else if (content !== undefined) found.fault(`${at}/content`, "content is not a list");
    else isError = readFailure(found, body);

    const [metaName, meta] = member(body, "_meta", "meta");
    if (metaName !== undefined) readMeta(found, meta, `${at}/${metaName}`);

    const [dataName, data] = member(body, "structuredContent", "structured_content");
    if (dataName !== undefined)
      found.attempt(() => {
        checkBounds(data, `${at}/${dataName}`);
        if (!readWidgetData(found, data, dataName)) found.parts.push(part("data", { data }));
      });
    isError ||= member(body, "isError", "is_error")[1] === true;
  } else found.fault(at, "the result is not an object or a list");
  return found.finish(at, isError);
};

/** The first ChatKit widget, with its copy text. */
export const widgetOf = (
  extraction: Extraction,
): { widget: unknown; copyText?: string } | undefined =>
  extraction.parts.find((one) => one.kind === "chatkit_widget");

/** The result itself, taken out of a JSON-RPC response if it is in one, and where it is. */
export const bodyOf = (result: unknown): [body: unknown, at: string] => {
  const inner = get(result, "result");
  return inner !== undefined && get(result, "content") === undefined
    ? [inner, "/result"]
    : [result, ""];
};
