// What a host answers to its views, within what it can do.

import {
  PROMPTS_LIST,
  RESOURCES_LIST,
  RESOURCES_READ,
  RESOURCES_TEMPLATES_LIST,
  STATE_TOOL,
  TOOLS_CALL,
} from "@widgetcast/client/wire";
import { type Dict, isDict, type Json } from "@widgetcast/schema";
import type { Theme } from "@widgetcast/theme";
import { type Consent, isForViews, isReadOnly } from "./consent";
import type { Host, Mode } from "./hosts";
import { type Log, McpError, mcp, toolInfo } from "./mcp";
import { type Conditions, insetsOf, localeOf } from "./play";
import type { Traffic } from "./traffic";

/** The host of a view, and how it is set. */
export interface Setting {
  host: Host;
  conditions: Conditions;
  theme: Theme;
  width: number;
  mode: Mode;
  tool: string;
}

/** What a view asked for that a person sees. */
export interface Asked {
  method: string;
  text: string;
  /** An address that it wants opened. A view cannot open anything by itself. */
  link?: string;
}

const VERSIONS = ["2026-01-26", "2025-11-21"];
/** The ability that a host needs for a method. */
const NEEDS: Record<string, string> = {
  [TOOLS_CALL]: "call",
  "ui/message": "message",
  "ui/update-model-context": "context",
  "ui/download-file": "download",
};
const PASSED_ON = [RESOURCES_READ, RESOURCES_LIST, RESOURCES_TEMPLATES_LIST, PROMPTS_LIST];

export function contextOf({ host, conditions, theme, width, mode }: Setting): Dict {
  const { variables } = host.look;
  return {
    theme,
    displayMode: mode,
    availableDisplayModes: host.modes,
    containerDimensions: { width, maxHeight: host.maxHeight },
    locale: localeOf(conditions),
    timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
    userAgent: "widgetcast-gallery",
    platform: conditions.area === "phone" ? "mobile" : "web",
    deviceCapabilities:
      conditions.area === "phone" ? { touch: true, hover: false } : { touch: false, hover: true },
    safeAreaInsets: insetsOf(conditions),
    ...(variables ? { styles: { variables } } : {}),
  };
}

function capabilitiesOf({ lacks }: Host): Dict {
  const all: [ability: string | undefined, name: string, value: Dict][] = [
    [undefined, "openLinks", {}],
    [undefined, "serverResources", {}],
    [undefined, "logging", {}],
    ["call", "serverTools", {}],
    ["message", "message", { text: {} }],
    ["context", "updateModelContext", { text: {}, structuredContent: {} }],
    ["download", "downloadFile", {}],
  ];
  const there = all.filter(([ability]) => !ability || !lacks.includes(ability));
  return Object.fromEntries(there.map(([, name, value]) => [name, value]));
}

const short = (value: Json | undefined): string => {
  const text = typeof value === "string" ? value : (JSON.stringify(value) ?? "");
  return text.length > 300 ? `${text.slice(0, 300)}…` : text;
};

/** What a view said, as text. */
function said(content: Json | undefined): string {
  const parts = Array.isArray(content) ? content : [content];
  const text = (part: Json | undefined) =>
    isDict(part) && typeof part.text === "string" ? part.text : short(part);
  return short(parts.map(text).join("\n"));
}

async function initialize(params: Dict, setting: Setting): Promise<Dict> {
  const asked = String(params.protocolVersion);
  const tool = await toolInfo(setting.tool).catch(() => undefined);
  return {
    protocolVersion: VERSIONS.includes(asked) ? asked : (VERSIONS[0] ?? ""),
    hostInfo: { name: `widgetcast-gallery-${setting.host.id}`, version: "1" },
    hostCapabilities: capabilitiesOf(setting.host),
    hostContext: { ...contextOf(setting), ...(tool ? { toolInfo: { tool } } : {}) },
  };
}

export interface Answering extends Setting {
  traffic: Traffic;
  consent: Consent;
  onAsk(asked: Asked): void;
}

/**
 * A tool that a view or a drawing may call: at once if it only reads, else when the person says so. Gives
 * the tool as hosts see it.
 */
export async function permitted(
  name: Json | undefined,
  input: Json,
  { consent, onAsk }: Pick<Answering, "consent" | "onAsk">,
): Promise<Dict> {
  const method = TOOLS_CALL;
  const words = `${short(name)} ${short(input)}`;
  try {
    const tool = typeof name === "string" ? await toolInfo(name) : undefined;
    if (!tool) throw new McpError(-32602, `Unknown tool: ${short(name)}`);
    if (!isForViews(tool)) throw new McpError(-32602, `${name} is not visible to views`);
    // The page keeps its state by this tool of ours; that is no action of a user.
    const isState = name === STATE_TOOL;
    if (!isState && !isReadOnly(tool) && !(await consent.ask(String(name), input)))
      throw new McpError(-32000, "The user denied the call");
    if (!isState) onAsk({ method, text: words });
    return tool;
  } catch (error) {
    onAsk({ method, text: `Refused: ${words}` });
    throw error;
  }
}

async function call(params: Dict, props: Answering, log: Log): Promise<Dict> {
  await permitted(params.name, params.arguments ?? {}, props);
  return mcp(TOOLS_CALL, params, log);
}

export async function answer(method: string, params: Dict, props: Answering): Promise<Dict> {
  const { host, traffic } = props;
  const need = NEEDS[method];
  if (need && host.lacks.includes(need))
    throw new McpError(-32601, `${host.label} does not support ${method}`);
  const log: Log = (direction, message) =>
    direction === "out"
      ? traffic.add(host.id, "host", "server", message)
      : traffic.add(host.id, "server", "host", message);
  if (method === TOOLS_CALL) return call(params, props, log);
  if (PASSED_ON.includes(method)) return mcp(method, params, log);
  switch (method) {
    case "ui/initialize":
      return initialize(params, props);
    case "ping":
      return {};
    case "ui/open-link": {
      const url = String(params.url);
      const isGood = /^(https?:|mailto:)/i.test(url);
      props.onAsk(
        isGood
          ? { method, text: short(url), link: url }
          : { method, text: `Refused: ${short(url)}` },
      );
      return isGood ? {} : { isError: true };
    }
    case "ui/message":
      props.onAsk({ method, text: said(params.content) });
      return {};
    case "ui/update-model-context":
      props.onAsk({
        method,
        text: params.content ? said(params.content) : short(params.structuredContent),
      });
      return {};
    case "ui/download-file":
      props.onAsk({ method, text: "The view requests a download" });
      return {};
    case "ui/request-display-mode": {
      const mode = String(params.mode);
      const isThere = host.modes.some((one) => one === mode);
      props.onAsk({ method, text: isThere ? mode : `${mode}: not available in ${host.label}` });
      return { mode: props.mode };
    }
  }
  throw new McpError(-32601, `Method not found: ${method}`);
}
