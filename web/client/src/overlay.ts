// What `window.openai` says, as the bridge would say it. Any part of it may be missing.

import { membersOf, type Params } from "./bridge.js";
import { trusted } from "./trust.js";
import type { CallToolResult, OpenAi } from "./types.js";

export const openai = (): OpenAi => trusted<{ openai?: OpenAi }>(window).openai ?? {};

export const contextOf = (globals: OpenAi): Params => {
  const { theme, displayMode, locale, view, maxHeight, userAgent } = globals;
  const deviceType = userAgent?.device?.type;
  return {
    theme,
    displayMode,
    locale,
    view,
    maxHeight,
    safeAreaInsets: globals.safeArea?.insets,
    deviceType,
    // The protocol has no tablets.
    platform: deviceType?.replace("tablet", "mobile").replace("unknown", "web"),
    deviceCapabilities: userAgent?.capabilities,
  };
};

/** A result in any of the shapes that hosts have given it. */
export const resultOf = (given: unknown): CallToolResult => {
  const result = membersOf(given).result ?? given;
  if (typeof result === "string") return { content: [{ type: "text", text: result }] };
  return { content: [], ...membersOf(result) };
};

/** The result among the globals, if there is one yet. */
export const globalResult = ({ toolOutput, toolResponseMetadata: meta }: OpenAi) => {
  // Before 2026-05 the metadata was the result's `_meta`; now it is an envelope of the result.
  const whole =
    meta &&
    ("mcp_tool_result" in meta ? meta.mcp_tool_result || meta.call_tool_result : { _meta: meta });
  if (toolOutput || whole)
    return resultOf({ structuredContent: toolOutput ?? undefined, ...membersOf(whole) });
};
