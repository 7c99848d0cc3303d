export { createClient } from "./client.js";
export { NotSupportedError, ToolCallError } from "./error.js";
export { applyHostContext } from "./style.js";
export type * from "./types.js";
