// The page of a view in two frames, as hosts run it: the outer one at another origin of the same server,
// with the policy of the page as a header; the inner one without an origin.

import { type Dict, isDict, type Json } from "@widgetcast/schema";
import { useEffect, useRef, useState } from "preact/hooks";
import { framePath } from "./address";
import { type Asked, answer, contextOf, type Setting } from "./answer";
import { Consent, type Question } from "./consent";
import { McpError, type Page, page } from "./mcp";
import { feed } from "./outcome";
import type { Conditions } from "./play";
import type { Traffic } from "./traffic";

export interface FrameProps extends Setting {
  uri: string;
  input: Json;
  result: Dict;
  traffic: Traffic;
  /** What the view asked for that a person sees. */
  onAsk(asked: Asked): void;
  /** What the person has to decide; nothing when that is done. */
  onQuestion(question: Question | undefined): void;
  /** Blocked by the policy. */
  onRefused(refused: Refused): void;
}

export interface Refused {
  directive: string;
  address: string;
}

const MIN_HEIGHT = 40;
/**
 * How long the other origin has to answer, in milliseconds, before this one is used: at all, and once the
 * browser has loaded the frame, which may be a page of its own that says that there was no answer.
 */
const PATIENCE = 4000;
const PATIENCE_LOADED = 500;
const OTHER: Record<string, string> = { localhost: "127.0.0.1", "127.0.0.1": "localhost" };

/** The same server under its other name; a server that is not on this machine has none. */
function otherOrigin(): string {
  const name = OTHER[location.hostname];
  return name ? `${location.protocol}//${name}${location.port && `:${location.port}`}` : "";
}

/** The address of the outer frame, which names what the page declares. */
function addressOf(origin: string, { csp }: Page): string {
  const lists: [string, Json | undefined][] = [
    ["connect", csp.connectDomains],
    ["resource", csp.resourceDomains],
    ["frame", csp.frameDomains],
  ];
  const query = lists.map(([name, list]) => `${name}=${Array.isArray(list) ? list.join(",") : ""}`);
  return `${origin}${framePath()}?${query.join("&")}`;
}

/** The page, with what no message can tell it. */
function prepared({ html }: Page, { motion }: Conditions): string {
  if (motion === "full") return html;
  const style =
    "<style>*,::before,::after{animation:none!important;transition:none!important}</style>";
  const script = `<script>{const was=matchMedia.bind(window);window.matchMedia=q=>/prefers-reduced-motion/.test(q)?was(/no-preference/.test(q)?"not all":"all"):was(q)}</script>`;
  const doctype = /^\s*<!doctype[^>]*>/i.exec(html)?.[0] ?? "";
  return doctype + script + style + html.slice(doctype.length);
}

export function Frame(props: FrameProps) {
  const frame = useRef<HTMLIFrameElement>(null);
  const now = useRef(props);
  now.current = props;
  const send = useRef<(method: string, params: Dict) => void>(undefined);
  const stop = useRef<() => void>(undefined);
  const [found, setFound] = useState<Page>();
  const [origin, setOrigin] = useState(otherOrigin);
  const [problem, setProblem] = useState<string>();
  const [height, setHeight] = useState(160);
  const [isDrawn, setDrawn] = useState(false);
  const { uri, host, conditions } = props;

  useEffect(() => {
    let alive = true;
    page(uri).then(
      (read) => alive && setFound(read),
      (error: Error) => alive && setProblem(error.message),
    );
    return () => {
      alive = false;
    };
  }, [uri]);

  useEffect(() => {
    if (!found) return;
    let isReady = false;
    const consent = new Consent((question) => now.current.onQuestion(question));
    const giveUp = () => {
      if (!isReady && origin) setOrigin("");
    };
    const timers = [setTimeout(giveUp, PATIENCE)];
    const loaded = () => timers.push(setTimeout(giveUp, PATIENCE_LOADED));
    const element = frame.current;
    element?.addEventListener("load", loaded);
    const post = (message: Dict) => {
      const data = { jsonrpc: "2.0", ...message };
      now.current.traffic.add(host.id, "host", "view", data);
      frame.current?.contentWindow?.postMessage(data, "*");
    };
    const listen = ({ source, data: message }: MessageEvent<unknown>) => {
      const view = frame.current?.contentWindow;
      if (!view || source !== view || !isDict(message) || message.jsonrpc !== "2.0") return;
      const params = isDict(message.params) ? message.params : {};
      const { method, id } = message;
      if (method === "ui/notifications/sandbox-proxy-ready") {
        if (isReady) return;
        isReady = true;
        // A page that never speaks is shown all the same.
        timers.push(setTimeout(() => setDrawn(true), PATIENCE));
        const html = prepared(found, now.current.conditions);
        const ready = "ui/notifications/sandbox-resource-ready";
        view.postMessage(
          { jsonrpc: "2.0", method: ready, params: { html, theme: now.current.theme } },
          "*",
        );
        return;
      }
      if (method === "widgetcast/refused") {
        const { directive, address } = params;
        now.current.onRefused({ directive: String(directive), address: String(address) });
        return;
      }
      setDrawn(true);
      now.current.traffic.add(host.id, "view", "host", message);
      if (typeof method !== "string") return;
      if (id === undefined) heard(method, params);
      else
        answer(method, params, { ...now.current, consent }).then(
          (result) => post({ id, result }),
          (error: Error) => {
            const code = error instanceof McpError ? error.code : -32603;
            post({ id, error: { code, message: error.message } });
          },
        );
    };
    const heard = (method: string, params: Dict) => {
      if (method === "ui/notifications/initialized") {
        send.current = (name, data) => post({ method: name, params: data });
        stop.current?.();
        stop.current = feed(send.current, now.current);
      } else if (method === "ui/notifications/size-changed") {
        const tall = Number(params.height);
        // A hidden frame reports no height; that is not followed.
        if (tall > 1) setHeight(Math.max(MIN_HEIGHT, Math.ceil(tall)));
      } else if (method === "ui/notifications/request-teardown")
        now.current.onAsk({ method: "close", text: "The view requested to be closed" });
    };
    addEventListener("message", listen);
    return () => {
      for (const timer of timers) clearTimeout(timer);
      element?.removeEventListener("load", loaded);
      removeEventListener("message", listen);
      stop.current?.();
      consent.drop();
    };
  }, [found, origin, host]);

  const { result, input } = props;
  useEffect(() => {
    if (!send.current) return;
    stop.current?.();
    stop.current = feed(send.current, now.current);
  }, [result, input]);
  useEffect(() => {
    send.current?.("ui/notifications/host-context-changed", contextOf(now.current));
  }, [props.theme, props.width, props.mode, conditions]);

  if (problem) return <p class="hint">The view's page could not be loaded: {problem}</p>;
  if (!found) return <div class="skeleton" />;
  const most = props.mode === "inline" ? host.maxHeight : 560;
  const tall = props.mode === "inline" ? Math.min(height, most) : most;
  return (
    <div class={isDrawn ? undefined : "skeleton"} style={{ height: `${tall}px` }}>
      <iframe
        ref={frame}
        key={origin}
        title={`${host.label}: ${props.tool}`}
        sandbox="allow-scripts"
        src={addressOf(origin, found)}
      />
    </div>
  );
}
