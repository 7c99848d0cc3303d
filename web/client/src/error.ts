import type { CallToolResult, ContentBlock } from "./types.js";

/** Neither the host's bridge nor its `window.openai` can do this. */
export class NotSupportedError extends Error {
  declare readonly method: string;
  constructor(method: string) {
    super(`the host has no ${method}`);
    this.name = "NotSupportedError";
    this.method = method;
  }
}

/** The tool answered that it failed. */
export class ToolCallError extends Error {
  declare readonly result: CallToolResult;
  constructor(result: CallToolResult) {
    super(textOf(result.content));
    this.name = "ToolCallError";
    this.result = result;
  }
}

export const textOf = (content: ContentBlock[]): string =>
  content.map((block) => block.text ?? "").join("\n");
