// A double of `window.openai`, any part of which can be left out.

import { trusted } from "../trust.js";
import type { OpenAi } from "../types.js";

/** What hosts with a part of it are known to lack. */
export const LACKS = {
  codex: [
    "requestClose",
    "requestModal",
    "uploadFile",
    "selectFiles",
    "getFileDownloadUrl",
    "setOpenInAppUrl",
    "notifyIntrinsicHeight",
  ],
  copilot: ["requestClose", "requestModal", "uploadFile", "selectFiles", "getFileDownloadUrl"],
} satisfies Record<string, (keyof OpenAi)[]>;

export interface OpenAiOptions {
  globals?: Partial<OpenAi>;
  /** The members that this host does not have. */
  without?: readonly (keyof OpenAi)[];
  /** The result of `callTool`. */
  callTool?(name: string, args: object): unknown;
}

export interface OpenAiDouble {
  readonly globals: OpenAi;
  /** The calls of its methods, in order. */
  readonly calls: { method: string; args: unknown[] }[];
  /** Changes globals and dispatches `openai:set_globals`. */
  set(globals: Partial<OpenAi>): void;
  /** Dispatches the older event for a tool result. */
  toolResponse(globals: Partial<OpenAi>): void;
  remove(): void;
}

export function installOpenAi(target: Window, options: OpenAiOptions = {}): OpenAiDouble {
  const owner = trusted<{ openai?: OpenAi }>(target);
  const calls: OpenAiDouble["calls"] = [];
  const tell = (type: string, detail: object) =>
    target.dispatchEvent(new (target.document.defaultView ?? window).CustomEvent(type, { detail }));
  const set = (changed: Partial<OpenAi>) => {
    Object.assign(globals, changed);
    tell("openai:set_globals", { globals: changed });
  };
  const record =
    <A extends unknown[], R>(method: string, then: (...args: A) => R) =>
    (...args: A): R => {
      calls.push({ method, args });
      return then(...args);
    };
  const globals: OpenAi = {
    toolInput: null,
    toolOutput: null,
    toolResponseMetadata: null,
    widgetState: null,
    theme: "light",
    displayMode: "inline",
    maxHeight: null,
    safeArea: { insets: { top: 0, right: 0, bottom: 0, left: 0 } },
    view: { mode: "inline" },
    userAgent: { device: { type: "desktop" }, capabilities: { hover: true, touch: false } },
    locale: "en-US",
    setWidgetState: record("setWidgetState", (state) => set({ widgetState: copy(state) })),
    callTool: record("callTool", async (name, args) =>
      options.callTool ? options.callTool(name, args) : { content: [], structuredContent: {} },
    ),
    sendFollowUpMessage: record("sendFollowUpMessage", async () => {}),
    requestDisplayMode: record("requestDisplayMode", async ({ mode }) => {
      set({ displayMode: mode });
      return { mode };
    }),
    requestModal: record("requestModal", async () => {}),
    requestClose: record("requestClose", () => {}),
    notifyIntrinsicHeight: record("notifyIntrinsicHeight", () => {}),
    openExternal: record("openExternal", () => {}),
    setOpenInAppUrl: record("setOpenInAppUrl", () => {}),
    uploadFile: record("uploadFile", async (file: File) => ({ fileId: `file-${file.name}` })),
    selectFiles: record("selectFiles", async () => []),
    getFileDownloadUrl: record("getFileDownloadUrl", async ({ fileId }) => ({
      downloadUrl: `https://files.example/${fileId}`,
    })),
    ...options.globals,
  };
  for (const name of options.without ?? []) delete globals[name];
  owner.openai = globals;
  return {
    globals,
    calls,
    set,
    toolResponse(changed) {
      Object.assign(globals, changed);
      tell("openai:tool_response", { tool: { name: "tool", args: {} } });
    },
    remove() {
      delete owner.openai;
    },
  };
}

/** A host keeps a copy, never the page's own object. */
const copy = (value: unknown) => JSON.parse(JSON.stringify(value ?? null));
