// The host's side in the browser: the official AppBridge around a sandbox proxy of another origin.
// Bundled, for our own tests once per version of ext-apps. Tests steer it through `window.viewHost` and
// read the log back.

import { AppBridge, PostMessageTransport } from "ext-apps-2/app-bridge";

type Params = Record<string, unknown>;
type Bridge = ConstructorParameters<typeof AppBridge>;

export interface Setup {
  capabilities?: Params;
  context?: Params;
  /** What `tools/call` answers, by name: a result, or `{ error }` thrown as a protocol error. */
  tools?: Record<string, unknown>;
  /** True: answers to `tools/call` wait for `release`. */
  held?: boolean;
  /** False: no host listens, as on a page that knows `window.openai` alone. */
  bridge?: boolean;
  width?: number;
  /** The frame's height at the start. */
  height?: number;
  /** True: size reports are noted but not followed. */
  fixed?: boolean;
}

export interface Entry {
  from: "view" | "host";
  message: Params;
}

export interface Host {
  log: Entry[];
  sizes: { width?: number; height?: number }[];
  tools: Record<string, unknown>;
  /** Opens the page at an address of this host, with this script before its own. */
  open(page: string, proxy: string, early: string, setup: Setup): Promise<void>;
  send(method: string, params: unknown): Promise<unknown>;
  /** Sends the answers that are held. */
  release(): void;
  close(): Promise<void>;
}

const open: Required<Pick<Setup, "capabilities">>["capabilities"] = {
  openLinks: {},
  downloadFile: {},
  serverTools: {},
  serverResources: {},
  logging: {},
  updateModelContext: { text: {}, structuredContent: {} },
  message: { text: {} },
};

let bridge: AppBridge | undefined;
let frame: HTMLIFrameElement | undefined;
let listener: ((event: MessageEvent) => void) | undefined;

const pages = new Map<string, Promise<string>>();

/** The page at an address, read once. */
function read(address: string): Promise<string> {
  const found = pages.get(address) ?? fetch(address).then((answer) => answer.text());
  pages.set(address, found);
  return found;
}

/** What a tool answers: here if it was given, else in the test. */
async function callTool(name: string, args: Params, token: unknown): Promise<unknown> {
  const answer = (host.tools[name] ?? (await window.answerTool?.(name, args, token))) as
    | { error?: { code: number; message: string } }
    | undefined;
  const error = answer ? answer.error : { code: -32602, message: `Unknown tool: ${name}` };
  if (error) throw Object.assign(new Error(error.message), { code: error.code });
  return answer;
}

/** What lets the answers go that are held. */
let held: (() => void)[] = [];

const host: Host = {
  log: [],
  sizes: [],
  tools: {},
  async open(address, proxy, early, setup) {
    await host.close();
    const page = await read(address);
    const html = page.replace(
      /<meta charset=[^>]*>/i,
      (charset) => `${charset}<script>${early}</script>`,
    );
    if (html === page) throw new Error("the page has no <meta charset>");
    host.log = [];
    host.sizes = [];
    host.tools = setup.tools ?? {};
    const element = document.createElement("iframe");
    frame = element;
    element.title = "view";
    element.style.cssText = `width:${setup.width ?? 720}px;height:${setup.height ?? 150}px;border:0;display:block`;
    element.src = proxy;
    document.body.append(element);
    const target = element.contentWindow as Window;
    if (setup.bridge === false) {
      await new Promise<void>((resolve) => {
        listener = ({ source, data }) => {
          if (source !== target || data?.method !== "ui/notifications/sandbox-proxy-ready") return;
          target.postMessage(
            {
              jsonrpc: "2.0",
              method: "ui/notifications/sandbox-resource-ready",
              params: { html, mute: true },
            },
            "*",
          );
          element.style.height = "600px";
          resolve();
        };
        addEventListener("message", listener);
      });
      return;
    }
    const capabilities = setup.capabilities ?? open;
    const made = new AppBridge(
      null,
      { name: "test host", version: "1.0.0" },
      capabilities as Bridge[2],
      { hostContext: (setup.context ?? {}) as NonNullable<NonNullable<Bridge[3]>["hostContext"]> },
    );
    bridge = made;
    const has = (name: string) => name in capabilities;
    if (has("serverTools"))
      made.oncalltool = async ({ name, arguments: args, _meta }) => {
        if (setup.held) await new Promise<void>((resolve) => held.push(resolve));
        return (await callTool(name, args ?? {}, _meta?.progressToken)) as never;
      };
    if (has("serverResources"))
      made.onreadresource = async ({ uri }) => ({ contents: [{ uri, text: "read" }] });
    if (has("message")) made.onmessage = async () => ({});
    if (has("openLinks")) made.onopenlink = async () => ({});
    if (has("downloadFile")) made.ondownloadfile = async () => ({});
    if (has("updateModelContext")) made.onupdatemodelcontext = async () => ({});
    made.onrequestdisplaymode = async ({ mode }) => ({ mode });
    made.onsizechange = ({ width, height }) => {
      host.sizes.push({
        ...(width === undefined ? {} : { width }),
        ...(height === undefined ? {} : { height }),
      });
      if (height && !setup.fixed) element.style.height = `${height}px`;
    };
    made.onsandboxready = () => void made.sendSandboxResourceReady({ html });
    const ready = new Promise<void>((resolve) => {
      made.oninitialized = () => resolve();
    });
    const transport = new PostMessageTransport(target, target);
    const send = transport.send.bind(transport);
    transport.send = (message, ...rest) => {
      host.log.push({ from: "host", message: structuredClone(message) as Params });
      return send(message, ...rest);
    };
    // Read off the window, not off the transport: what the bridge would refuse is recorded too.
    listener = ({ source, data }) => {
      if (source === target) host.log.push({ from: "view", message: data });
    };
    addEventListener("message", listener);
    await made.connect(transport);
    await ready;
  },
  send(method, params) {
    const call = bridge as unknown as Record<string, (params: unknown) => Promise<unknown>>;
    return (call[method] as (params: unknown) => Promise<unknown>).call(bridge, params);
  },
  release() {
    for (const answer of held.splice(0)) answer();
  },
  async close() {
    held = [];
    if (listener) removeEventListener("message", listener);
    await bridge?.close();
    frame?.remove();
    bridge = undefined;
    frame = undefined;
    listener = undefined;
  },
};

declare global {
  interface Window {
    viewHost: Host;
    /** Asks the test, where that answers tools. */
    answerTool?(name: string, args: Params, token?: unknown): Promise<unknown>;
  }
}
window.viewHost = host;
