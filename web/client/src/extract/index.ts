// Extraction: from a tool result back to everything in it that a host could show, best first.
//
// Results come from any server, so nothing in them is trusted: a payload over 4 MiB, nested over 100
// levels, or broken in any other way becomes a reason, and the next best part is used. This is the
// counterpart of `widgetcast_core::extract`; both run on `fixtures/results` and must agree.

export { META_TREE } from "../wire.js";
export { extract, widgetOf } from "./extract.js";
export type { Extraction } from "./found.js";
export type { Part } from "./part.js";
export { type Message, threadItems, toolResultMessage } from "./thread.js";
export type { Reason } from "./value.js";
