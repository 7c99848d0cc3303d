// A double of `window.openai`, whole as in the vendor's reference and in parts as others have it.

export interface Double {
  globals: Record<string, unknown>;
  methods: string[];
  /** What every `callTool` resolves to; without it the test is asked. */
  answer?: unknown;
}

declare global {
  interface Window {
    /** Every call of a method, with its arguments. */
    calls: [string, ...unknown[]][];
    openai?: Record<string, unknown>;
  }
}

/** All methods of ChatGPT. */
export const METHODS = [
  "callTool",
  "sendFollowUpMessage",
  "requestDisplayMode",
  "requestModal",
  "requestClose",
  "notifyIntrinsicHeight",
  "openExternal",
  "setOpenInAppUrl",
  "setWidgetState",
  "uploadFile",
  "selectFiles",
  "getFileDownloadUrl",
  "requestCheckout",
];

/** What every page finds there. */
export const LOOK = {
  theme: "dark",
  locale: "en-US",
  displayMode: "inline",
  maxHeight: 600,
  safeArea: { insets: { top: 0, right: 0, bottom: 0, left: 0 } },
  userAgent: { device: { type: "desktop" }, capabilities: { hover: true, touch: false } },
  view: { mode: "inline", params: null },
  widgetState: null,
};

/** The metadata of a result as ChatGPT hands it to a page. */
export const envelope = (result: unknown) => ({
  status: "completed",
  call_tool_result: result,
  mcp_tool_result: result,
});

/** Runs in the frame: makes `window.openai`. */
export function install({ globals, methods, answer }: Double): void {
  window.calls = [];
  const made: Record<string, unknown> = { ...globals };
  for (const name of methods)
    made[name] = (...args: unknown[]) => {
      window.calls.push([name, ...args]);
      if (name === "setWidgetState") made.widgetState = args[0];
      if (name === "callTool" && answer === undefined)
        return window.answerTool?.(args[0] as string, args[1] as Record<string, unknown>);
      return name === "notifyIntrinsicHeight" || name === "setWidgetState"
        ? undefined
        : Promise.resolve(name === "callTool" ? answer : {});
    };
  window.openai = made;
}

/** Runs in the frame: changes globals as ChatGPT does. */
export function change(globals: Record<string, unknown>): void {
  Object.assign(window.openai as object, globals);
  dispatchEvent(new CustomEvent("openai:set_globals", { detail: { globals } }));
}
