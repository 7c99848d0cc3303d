// Items as the page shows them: a question, and all that answers it.

import { type Block, readMarkdown, textOf } from "@widgetcast/markdown";
import type { Item, UserMessage } from "./protocol";

export interface Turn {
  key: string;
  question?: UserMessage;
  answers: Item[];
}

const SILENT = /^(end_of_turn|hidden_context_item|sdk_hidden_context|client_tool_call)$/;

export function turnsOf(items: readonly Item[]): Turn[] {
  const turns: Turn[] = [];
  for (const item of items) {
    if (SILENT.test(item.type)) continue;
    if (item.type === "user_message") turns.push({ key: item.id, question: item, answers: [] });
    else if (turns.length) turns.at(-1)?.answers.push(item);
    else turns.push({ key: item.id, answers: [item] });
  }
  return turns;
}

/** An item as plain text, for the clipboard and for screen readers; empty if it has none. */
export function plainText(item: Item): string {
  switch (item.type) {
    case "assistant_message":
      return item.content.map(({ text }) => text).join("\n\n");
    case "user_message":
      return item.content.map(({ text }) => text).join("");
    case "widget":
      return item.copy_text ?? widgetText(item.widget);
    default:
      return "";
  }
}

/** The same without the marks of Markdown, which nobody wants to hear. */
export function spokenText(item: Item): string {
  const text = plainText(item);
  return item.type === "user_message" ? text : wordsOf(readMarkdown(text)).join("\n");
}

function wordsOf(blocks: Block[]): string[] {
  return blocks.flatMap((block): string[] => {
    switch (block.type) {
      case "code":
        return [block.text];
      case "quote":
        return wordsOf(block.children);
      case "list":
        return block.items.flatMap((item) => wordsOf(item.children));
      case "table":
        return [block.head, ...block.rows].map((row) => row.map(textOf).join(", "));
      case "rule":
        return [];
      default:
        return [textOf(block.children)];
    }
  });
}

/** The texts of a tree, in their order. */
function widgetText(tree: unknown, depth = 0): string {
  if (typeof tree !== "object" || tree === null || depth > 60) return "";
  const { value, label, children } = tree as Record<string, unknown>;
  const own = [value, label].filter((one) => typeof one === "string");
  const inner = [children].flat().map((child) => widgetText(child, depth + 1));
  return [...own, ...inner].filter(Boolean).join("\n");
}
