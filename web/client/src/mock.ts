// A host for tests: it drives a client in this window or in a frame, answers or refuses each request,
// and records all traffic.

import { installOpenAi, type OpenAiDouble, type OpenAiOptions } from "./mock/openai.js";
import type {
  CallToolResult,
  DisplayMode,
  HostCapabilities,
  HostContext,
  ResourceContent,
} from "./types.js";
import { RESOURCES_READ, STATE_TOOL, TOOLS_CALL } from "./wire.js";

export { LACKS, type OpenAiDouble, type OpenAiOptions } from "./mock/openai.js";

type Params = Record<string, unknown>;

export interface Message {
  jsonrpc: "2.0";
  id?: number | string;
  method?: string;
  params?: Params;
  result?: Params;
  error?: { code: number; message: string; data?: unknown };
}

export interface MockOptions {
  /** All capabilities by default. */
  capabilities?: HostCapabilities;
  context?: Partial<HostContext>;
  info?: { name: string; version: string };
  protocolVersion?: string;
  /** False for a host that never answers, as older ones that have `window.openai` alone. */
  bridge?: boolean;
  /** Puts a double of `window.openai` in place. */
  openai?: boolean | OpenAiOptions;
  /** The frame that the client runs in; without one it runs in this window. */
  frame?: HTMLIFrameElement;
  tools?: Record<string, (args: Params) => CallToolResult | Promise<CallToolResult>>;
  resources?: Record<string, ResourceContent>;
  /** Whether the server keeps the state of views. */
  store?: boolean;
}

export interface MockHost {
  readonly traffic: { from: "host" | "view"; message: Message }[];
  /** Resolves when the client has finished the handshake. */
  readonly initialized: Promise<void>;
  readonly openai?: OpenAiDouble;
  /** What the server keeps, by view. */
  readonly states: Map<string, unknown>;
  /** The parameters of all messages of this method that the client sent. */
  sent(method: string): Params[];
  /** Waits until the client has sent this method, and gives its last parameters. */
  heard(method: string, count?: number): Promise<Params>;
  answer(method: string, answer: (params: Params) => unknown): void;
  /** Answers with an error, by default that the method is unknown. */
  refuse(method: string, code?: number, message?: string): void;
  input(args: Params): Promise<void>;
  partial(args: Params): Promise<void>;
  result(result: Partial<CallToolResult>): Promise<void>;
  cancel(reason?: string): Promise<void>;
  context(change: Partial<HostContext>): Promise<void>;
  teardown(): Promise<unknown>;
  notify(method: string, params?: Params): Promise<void>;
  request(method: string, params?: Params): Promise<unknown>;
  /** Posts anything, at once. */
  post(message: unknown): void;
  close(): void;
}

const ALL: HostCapabilities = {
  openLinks: {},
  downloadFile: {},
  serverTools: {},
  serverResources: {},
  logging: {},
  message: { text: {} },
  updateModelContext: { text: {}, structuredContent: {} },
};

const NEEDS: Record<string, keyof HostCapabilities> = {
  [TOOLS_CALL]: "serverTools",
  [RESOURCES_READ]: "serverResources",
  "ui/message": "message",
  "ui/open-link": "openLinks",
  "ui/download-file": "downloadFile",
  "ui/update-model-context": "updateModelContext",
};

class Refusal extends Error {
  constructor(
    readonly code: number,
    message: string,
  ) {
    super(message);
  }
}

export function createMockHost(options: MockOptions = {}): MockHost {
  const { capabilities = ALL, tools = {}, resources = {} } = options;
  const context: Partial<HostContext> = { ...options.context };
  const traffic: MockHost["traffic"] = [];
  const states = new Map<string, unknown>();
  const line = options.frame ? frameLine(options.frame) : windowLine();

  const openai = options.openai
    ? installOpenAi(line.target, {
        callTool: async (name, args) => call(name, { ...args }),
        ...(options.openai === true ? {} : options.openai),
      })
    : undefined;

  const call = async (name: string, args: Params): Promise<CallToolResult> => {
    if (options.store && name === STATE_TOOL) {
      const view = String(args.view);
      if ("state" in args) states.set(view, args.state);
      return { content: [], structuredContent: { state: states.get(view) ?? null } };
    }
    const tool = tools[name];
    if (!tool) throw new Refusal(-32602, `Unknown tool: ${name}`);
    return tool(args);
  };

  const answers: Record<string, (params: Params) => unknown> = {
    ping: () => ({}),
    "ui/message": () => ({}),
    "ui/open-link": () => ({}),
    "ui/download-file": () => ({}),
    "ui/update-model-context": () => ({}),
    "ui/request-display-mode": ({ mode }) => {
      const wanted = mode as DisplayMode;
      if (context.availableDisplayModes?.includes(wanted)) host.context({ displayMode: wanted });
      return { mode: context.displayMode ?? "inline" };
    },
    [TOOLS_CALL]: (params) => call(String(params.name), { ...(params.arguments as object) }),
    [RESOURCES_READ]: ({ uri }) => {
      const content = resources[String(uri)];
      if (!content) throw new Refusal(-32002, `Resource not found: ${uri}`);
      return { contents: [content] };
    },
    "ui/initialize": () => ({
      protocolVersion: options.protocolVersion ?? "2026-01-26",
      hostInfo: options.info ?? { name: "mock", version: "1.0.0" },
      hostCapabilities: capabilities,
      hostContext: context,
    }),
  };

  let isOpen: () => void = () => {};
  const initialized = new Promise<void>((resolve) => {
    isOpen = resolve;
  });
  const pending = new Map<unknown, (message: Message) => void>();
  const watchers = new Set<() => void>();
  let last = 0;

  const post = (message: unknown) => {
    traffic.push({ from: "host", message: structuredClone(message) as Message });
    line.post(message);
  };

  const reply = async ({ id, method = "", params = {} }: Message): Promise<Message> => {
    const base = { jsonrpc: "2.0" as const, ...(id === undefined ? {} : { id }) };
    const need = NEEDS[method];
    try {
      const answer = answers[method];
      if (!answer || (need && !capabilities[need])) throw new Refusal(-32601, "Method not found");
      return { ...base, result: (await answer(params)) as Params };
    } catch (error) {
      const { code = -32603, message } = error as Refusal;
      return { ...base, error: { code, message } };
    }
  };

  line.listen(async (message) => {
    traffic.push({ from: "view", message });
    for (const watch of watchers) watch();
    if (options.bridge === false) return;
    if (!message.method) {
      pending.get(message.id)?.(message);
      pending.delete(message.id);
    } else if (message.id !== undefined) post(await reply(message));
    else if (message.method === "ui/notifications/initialized") isOpen();
  });

  const sent = (method: string) =>
    traffic
      .filter(({ from, message }) => from === "view" && message.method === method)
      .map(({ message }) => message.params ?? {});

  const notify = async (method: string, params: Params = {}) => {
    await initialized;
    post({ jsonrpc: "2.0", method, params });
  };
  const say = (kind: string, params: Params) => notify(`ui/notifications/${kind}`, params);

  const host: MockHost = {
    traffic,
    initialized,
    states,
    sent,
    post,
    notify,
    ...(openai && { openai }),
    heard: (method, count = 1) =>
      new Promise((resolve) => {
        const watch = () => {
          const all = sent(method);
          if (all.length < count) return;
          watchers.delete(watch);
          resolve(all.at(-1) as Params);
        };
        watchers.add(watch);
        watch();
      }),
    answer(method, answer) {
      answers[method] = answer;
    },
    refuse(method, code = -32601, message = "Method not found") {
      answers[method] = () => {
        throw new Refusal(code, message);
      };
    },
    input: (args) => say("tool-input", { arguments: args }),
    partial: (args) => say("tool-input-partial", { arguments: args }),
    result: (result) => say("tool-result", { content: [], ...result }),
    cancel: (reason) => say("tool-cancelled", reason === undefined ? {} : { reason }),
    context(change) {
      Object.assign(context, change);
      return say("host-context-changed", change);
    },
    teardown: () => host.request("ui/resource-teardown"),
    async request(method, params = {}) {
      await initialized;
      return new Promise((resolve, reject) => {
        const id = `host-${++last}`;
        pending.set(id, ({ result, error }) =>
          error ? reject(new Refusal(error.code, error.message)) : resolve(result),
        );
        post({ jsonrpc: "2.0", id, method, params });
      });
    },
    close() {
      line.close();
      openai?.remove();
    },
  };
  return host;
}

interface Line {
  target: Window;
  post(message: unknown): void;
  listen(receive: (message: Message) => void): void;
  close(): void;
}

function frameLine(frame: HTMLIFrameElement): Line {
  const life = new AbortController();
  return {
    get target() {
      return frame.contentWindow as Window;
    },
    post: (message) => frame.contentWindow?.postMessage(message, "*"),
    listen: (receive) =>
      addEventListener(
        "message",
        ({ source, data }) => {
          if (source === frame.contentWindow && data?.jsonrpc === "2.0") receive(data);
        },
        { signal: life.signal },
      ),
    close: () => life.abort(),
  };
}

/**
 * This window's parent is replaced. It has to be something that a message event takes for its source,
 * and that is a window or a port.
 */
function windowLine(): Line {
  const target = window;
  const before = Object.getOwnPropertyDescriptor(target, "parent");
  const { port1: parent, port2 } = new MessageChannel();
  let receive: (message: Message) => void = () => {};
  parent.postMessage = (message: unknown) => {
    const data = structuredClone(message) as Message;
    setTimeout(() => receive(data));
  };
  Object.defineProperty(target, "parent", { value: parent, configurable: true, writable: true });
  return {
    target,
    post: (message) => {
      const data = structuredClone(message);
      const event = new MessageEvent("message", { data, source: parent });
      setTimeout(() => target.dispatchEvent(event));
    },
    listen(handler) {
      receive = handler;
    },
    close() {
      receive = () => {};
      parent.close();
      port2.close();
      if (before) Object.defineProperty(target, "parent", before);
    },
  };
}
