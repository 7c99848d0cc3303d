import type { CallToolResult, ContentBlock } from "./types.js";

/** Thrown if neither the host's bridge nor its `window.openai` supports a method. */
export class NotSupportedError extends Error {
  declare readonly method: string;
  constructor(method: string) {
    super(`the host has no ${method}`);
    this.name = "NotSupportedError";
    this.method = method;
  }
}

/** Thrown if the tool returned an error. */
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
