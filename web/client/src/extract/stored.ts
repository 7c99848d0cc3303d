// Messages as applications store them: the content of a tool result is kept in `metadata.mcp_content`.
//
// Only tool results are searched: a user or a model that writes something like a widget must not be
// able to show it.

import { readContent } from "./content.js";
import type { Found } from "./found.js";
import { checkSize } from "./payload.js";
import { get, textMember } from "./value.js";

/** The list of messages, if a value is one or has one in place of content, and where it is. */
export const storedMessages = (body: unknown): [string, unknown[]] | undefined => {
  if (Array.isArray(body)) {
    const isOne = body.length > 0 && body.every((one) => textMember(one, "role") !== undefined);
    return isOne ? ["", body] : undefined;
  }
  const messages = get(body, "messages");
  const isOne = Array.isArray(messages) && get(body, "content") === undefined;
  return isOne ? ["/messages", messages] : undefined;
};

/** Whether a value is a message: it says who speaks, or holds the content of a tool result. */
export const isMessage = (body: unknown): boolean =>
  contentOf(body) !== undefined ||
  (textMember(body, "role") !== undefined &&
    !(isToolResult(body) && Array.isArray(get(body, "content"))));

const contentOf = (message: unknown): unknown => get(get(message, "metadata"), "mcp_content");

const isToolResult = (message: unknown): boolean => {
  const role = textMember(message, "role");
  return role === "tool_result" || role === "tool";
};

/** Takes the content of a message that is a tool result. */
export const readMessage = (found: Found, message: unknown, at: string): void => {
  const hasRole = get(message, "role") !== undefined;
  if (hasRole && !isToolResult(message)) return;
  const texts = found.texts.length;
  const stored = contentOf(message);
  if (Array.isArray(stored)) readContent(found, stored, `${at}/metadata/mcp_content`);
  else if (stored !== undefined)
    found.fault(`${at}/metadata/mcp_content`, "mcp_content is not a list");
  else if (!hasRole) return;
  else if (typeof get(message, "metadata") === "string")
    found.fault(`${at}/metadata`, "metadata is a string, not an object");
  else if (!Array.isArray(get(message, "content")) && !textMember(message, "content"))
    found.fault(`${at}/metadata`, "mcp_content is missing");
  const content = get(message, "content");
  if (Array.isArray(content) && stored === undefined) readContent(found, content, `${at}/content`);
  else if (typeof content === "string" && content !== "" && found.texts.length === texts)
    // The text of a result whose content has none.
    found.attempt(() => {
      checkSize(content, `${at}/content`);
      found.texts.push(content);
    });
};
