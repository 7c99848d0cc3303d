// A small MCP Apps host: the real page of a view in a frame without an origin, fed over
// postMessage as hosts do (wire version 2026-01-26).

import {
  PROMPTS_LIST,
  RESOURCES_LIST,
  RESOURCES_READ,
  RESOURCES_TEMPLATES_LIST,
  STATE_TOOL,
  TOOLS_CALL,
} from "@widgetcast/client/wire";
import { useEffect, useRef, useState } from "preact/hooks";
import { McpError, mcp, type Page, page, toolInfo } from "./mcp";
import type { Theme } from "./theme";
import { type Dict, isDict, type Json } from "./value";

export interface Note {
  method: string;
  detail: string;
}

const VERSIONS = ["2026-01-26", "2025-11-21"];
const PASSED_ON = [
  TOOLS_CALL,
  RESOURCES_READ,
  RESOURCES_LIST,
  RESOURCES_TEMPLATES_LIST,
  PROMPTS_LIST,
];
const TALLEST = 4000;

/** What a page may load: pictures, and what it declares. All else that it needs is in it. */
function policy(csp: Dict): string {
  const origins = (list: Json | undefined) =>
    (Array.isArray(list) ? list : []).filter((one) => /^[a-z]+:\/\/[\w.:*-]+$/i.test(String(one)));
  const resource = origins(csp.resourceDomains).join(" ");
  return [
    "default-src 'none'",
    `script-src 'unsafe-inline' ${resource}`,
    `style-src 'unsafe-inline' ${resource}`,
    `img-src https: data: ${resource}`,
    `font-src data: ${resource}`,
    `media-src data: ${resource}`,
    `connect-src ${origins(csp.connectDomains).join(" ") || "'none'"}`,
    `frame-src ${origins(csp.frameDomains).join(" ") || "'none'"}`,
  ].join("; ");
}

function locked({ html, csp }: Page): string {
  const meta = `<meta http-equiv="Content-Security-Policy" content="${policy(csp)}">`;
  // Before anything else in the page, so that the parser puts it into the head.
  const doctype = /^\s*<!doctype[^>]*>/i.exec(html)?.[0] ?? "";
  return doctype + meta + html.slice(doctype.length);
}

export interface FrameProps {
  uri: string;
  tool: string;
  input: Json;
  result: Dict;
  theme: Theme;
  width: number | undefined;
  onNote(note: Note): void;
}

type Send = (method: string, params: Dict) => void;

export function Frame(props: FrameProps) {
  const frame = useRef<HTMLIFrameElement>(null);
  const line = useRef<Send>(undefined);
  const now = useRef(props);
  now.current = props;
  const [html, setHtml] = useState<string>();
  const [problem, setProblem] = useState<string>();
  const [height, setHeight] = useState(160);

  useEffect(() => {
    let alive = true;
    page(props.uri).then(
      (found) => alive && setHtml(locked(found)),
      (error: Error) => alive && setProblem(error.message),
    );
    return () => {
      alive = false;
    };
  }, [props.uri]);

  useEffect(() => {
    const listen = (event: MessageEvent) => {
      const view = frame.current?.contentWindow;
      const message: unknown = event.data;
      if (!view || event.source !== view || !isDict(message) || message.jsonrpc !== "2.0") return;
      const params = isDict(message.params) ? message.params : {};
      const method = String(message.method ?? "");
      const post = (data: Dict) => view.postMessage({ jsonrpc: "2.0", ...data }, "*");
      if (method === "") return;
      if (message.id === undefined) {
        heard(method, params, post);
        return;
      }
      const id = message.id;
      answer(method, params, now.current).then(
        (result) => post({ id, result }),
        (error: Error) =>
          post({
            id,
            error: {
              code: error instanceof McpError ? error.code : -32603,
              message: error.message,
            },
          }),
      );
    };
    const heard = (method: string, params: Dict, post: (data: Dict) => void) => {
      if (method === "ui/notifications/initialized") {
        line.current = (name, data) => post({ method: name, params: data });
        feed(line.current, now.current);
      } else if (method === "ui/notifications/size-changed") {
        const tall = Number(params.height);
        // A hidden frame reports no height; ignore that.
        if (tall > 1) setHeight(Math.min(TALLEST, Math.max(40, Math.ceil(tall))));
      } else if (method === "notifications/message") {
        now.current.onNote({ method: `log ${params.level ?? ""}`, detail: short(params.data) });
      } else if (method === "ui/notifications/request-teardown") {
        now.current.onNote({ method: "close", detail: "The view asked to be closed" });
      }
    };
    addEventListener("message", listen);
    return () => removeEventListener("message", listen);
  }, []);

  const { result, input, theme, width } = props;
  useEffect(() => {
    if (line.current) feed(line.current, { result, input });
  }, [result, input]);
  useEffect(() => {
    const context: Dict = { theme, containerDimensions: dimensions(width) };
    line.current?.("ui/notifications/host-context-changed", context);
  }, [theme, width]);

  if (problem) return <p class="hint">The page of this view cannot be read: {problem}</p>;
  return html === undefined ? (
    <div class="skeleton" />
  ) : (
    <iframe
      ref={frame}
      title={`View of ${props.tool}`}
      sandbox="allow-scripts"
      srcdoc={html}
      style={{ height: `${height}px` }}
    />
  );
}

function feed(send: Send, { input, result }: Pick<FrameProps, "input" | "result">): void {
  send("ui/notifications/tool-input", { arguments: input });
  send("ui/notifications/tool-result", result);
}

const dimensions = (width: number | undefined): Dict =>
  width === undefined ? { maxHeight: TALLEST } : { width, maxHeight: TALLEST };

function context({ theme, width }: FrameProps): Dict {
  return {
    theme,
    displayMode: "inline",
    availableDisplayModes: ["inline"],
    containerDimensions: dimensions(width),
    locale: navigator.language,
    timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
    userAgent: "widgetcast-gallery",
    platform: "web",
    deviceCapabilities: {
      touch: matchMedia("(pointer: coarse)").matches,
      hover: matchMedia("(hover: hover)").matches,
    },
    safeAreaInsets: { top: 0, right: 0, bottom: 0, left: 0 },
  };
}

const short = (value: Json | undefined): string => {
  const text = typeof value === "string" ? value : (JSON.stringify(value) ?? "");
  return text.length > 300 ? `${text.slice(0, 300)}…` : text;
};

/** What the view said, as text. */
function said(content: Json | undefined): string {
  const parts = Array.isArray(content) ? content : [];
  const texts = parts.map((part) =>
    isDict(part) && typeof part.text === "string" ? part.text : short(part),
  );
  return short(texts.join("\n"));
}

async function answer(method: string, params: Dict, props: FrameProps): Promise<Dict> {
  if (PASSED_ON.includes(method)) {
    // The page keeps its state by this tool; that is no action of the user.
    if (method === TOOLS_CALL && params.name !== STATE_TOOL)
      props.onNote({ method, detail: `${params.name} ${short(params.arguments)}` });
    return mcp(method, params);
  }
  switch (method) {
    case "ui/initialize": {
      const asked = String(params.protocolVersion);
      const tool = await toolInfo(props.tool).catch(() => undefined);
      return {
        protocolVersion: VERSIONS.includes(asked) ? asked : (VERSIONS[0] ?? ""),
        hostInfo: { name: "widgetcast-gallery", version: "1" },
        hostCapabilities: {
          openLinks: {},
          serverTools: {},
          serverResources: {},
          logging: {},
          message: { text: {} },
          updateModelContext: { text: {}, structuredContent: {} },
        },
        hostContext: { ...context(props), ...(tool ? { toolInfo: { tool } } : {}) },
      };
    }
    case "ping":
      return {};
    case "ui/open-link": {
      const url = String(params.url);
      const good = /^(https?:|mailto:)/i.test(url);
      props.onNote({ method, detail: good ? url : `refused: ${short(url)}` });
      if (good) window.open(url, "_blank", "noopener,noreferrer");
      return good ? {} : { isError: true };
    }
    case "ui/message":
      props.onNote({ method, detail: said(params.content) });
      return {};
    case "ui/update-model-context":
      props.onNote({
        method,
        detail: params.content ? said(params.content) : short(params.structuredContent),
      });
      return {};
    case "ui/request-display-mode":
      return { mode: "inline" };
  }
  throw new McpError(-32601, `Method not found: ${method}`);
}
