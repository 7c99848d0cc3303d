// A host for tests: it drives a client in this window or in a frame, answers or refuses each request,
// and records all traffic.

import { frameLine, type Message, windowLine } from "./mock/line.js";
import { installOpenAi, type OpenAiDouble, type OpenAiOptions } from "./mock/openai.js";
import { trusted } from "./trust.js";
import type {
  CallToolResult,
  DisplayMode,
  HostCapabilities,
  HostContext,
  Progress,
  ResourceContent,
} from "./types.js";
import { RESOURCES_READ, STATE_TOOL, TOOLS_CALL } from "./wire.js";

export type { Message } from "./mock/line.js";
export { LACKS, type OpenAiDouble, type OpenAiOptions } from "./mock/openai.js";

type Params = Record<string, unknown>;

/** A call, as a mock tool receives it. */
export interface MockCall {
  /** Aborted when the client cancels the call. */
  signal: AbortSignal;
  /** Resolves when it is delivered; sends nothing if the client did not request progress. */
  progress(progress: Progress): Promise<void>;
}

export interface MockOptions {
  /** All capabilities by default. */
  capabilities?: HostCapabilities;
  context?: Partial<HostContext>;
  info?: { name: string; version: string };
  protocolVersion?: string;
  /** False for a host without a bridge, such as older ones that only have `window.openai`. */
  bridge?: boolean;
  /** Installs a fake `window.openai`. */
  openai?: boolean | OpenAiOptions;
  /** The frame that the client runs in; without one it runs in this window. */
  frame?: HTMLIFrameElement;
  tools?: Record<
    string,
    (args: Params, call: MockCall) => CallToolResult | Promise<CallToolResult>
  >;
  resources?: Record<string, ResourceContent>;
  /** Whether the server stores the state of views. */
  store?: boolean;
}

export interface MockHost {
  readonly traffic: { from: "host" | "view"; message: Message }[];
  /** Resolves when the client has finished the handshake. */
  readonly initialized: Promise<void>;
  readonly openai?: OpenAiDouble;
  /** The stored states, by view. */
  readonly states: Map<string, unknown>;
  /** The parameters of all messages of this method that the client sent. */
  sent(method: string): Params[];
  /** Waits until the client has sent this method `count` times; resolves to the last parameters. */
  heard(method: string, count?: number): Promise<Params>;
  answer(method: string, answer: (params: Params, call: MockCall) => unknown): void;
  /** Makes requests of this method fail, by default as an unknown method. */
  refuse(method: string, code?: number, message?: string): void;
  // These resolve when the client has taken the message, so that its values are the new ones.
  input(args: Params): Promise<void>;
  partial(args: Params): Promise<void>;
  result(result: Partial<CallToolResult>): Promise<void>;
  cancel(reason?: string): Promise<void>;
  /** Changes the host context; null resets a value. */
  context(change: { [K in keyof HostContext]?: HostContext[K] | null }): Promise<void>;
  teardown(): Promise<unknown>;
  notify(method: string, params?: Params): Promise<void>;
  request(method: string, params?: Params): Promise<unknown>;
  /** Posts anything, without waiting for the handshake. */
  post(message: unknown): Promise<void>;
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
        // `window.openai` has neither cancellation nor progress.
        callTool: (name, args) =>
          call(
            name,
            { ...args },
            { signal: new AbortController().signal, progress: async () => {} },
          ),
        ...(options.openai === true ? {} : options.openai),
      })
    : undefined;

  const call = async (name: string, args: Params, about: MockCall): Promise<CallToolResult> => {
    if (options.store && name === STATE_TOOL) {
      const view = String(args.view);
      if ("state" in args) states.set(view, args.state);
      return { content: [], structuredContent: { state: states.get(view) ?? null } };
    }
    const tool = tools[name];
    if (!tool) throw new Refusal(-32602, `Unknown tool: ${name}`);
    return tool(args, about);
  };

  const answers: Record<string, (params: Params, call: MockCall) => unknown> = {
    ping: () => ({}),
    "ui/message": () => ({}),
    "ui/open-link": () => ({}),
    "ui/download-file": () => ({}),
    "ui/update-model-context": () => ({}),
    "ui/request-display-mode": ({ mode }) => {
      const wanted = trusted<DisplayMode>(mode);
      if (context.availableDisplayModes?.includes(wanted)) host.context({ displayMode: wanted });
      return { mode: context.displayMode ?? "inline" };
    },
    [TOOLS_CALL]: (params, about) =>
      call(String(params.name), { ...trusted<object>(params.arguments) }, about),
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

  /** The calls that are not answered yet. */
  const running = new Map<unknown, AbortController>();

  const post = (message: unknown) => {
    traffic.push({ from: "host", message: trusted(structuredClone(message)) });
    return line.post(message);
  };

  const reply = async ({ id, method = "", params = {} }: Message): Promise<Message> => {
    const base = { jsonrpc: "2.0" as const, ...(id === undefined ? {} : { id }) };
    const need = NEEDS[method];
    const token = trusted<{ progressToken?: unknown } | undefined>(params._meta)?.progressToken;
    const controller = new AbortController();
    running.set(id, controller);
    const about: MockCall = {
      signal: controller.signal,
      progress: async (progress) => {
        if (token === undefined || !running.has(id)) return;
        await notify("notifications/progress", { progressToken: token, ...progress });
      },
    };
    try {
      const answer = answers[method];
      if (!answer || (need && !capabilities[need])) throw new Refusal(-32601, "Method not found");
      return { ...base, result: trusted(await answer(params, about)) };
    } catch (error) {
      const { code = -32603, message } = trusted<Refusal>(error);
      return { ...base, error: { code, message } };
    }
  };

  line.listen(async (message) => {
    const { id, method, params } = message;
    traffic.push({ from: "view", message });
    for (const watch of watchers) watch();
    if (options.bridge === false) return;
    if (!method) {
      pending.get(id)?.(message);
      pending.delete(id);
    } else if (id !== undefined) {
      const answer = await reply(message);
      // A request that was cancelled is not answered.
      if (running.delete(id)) post(answer);
    } else if (method === "ui/notifications/initialized") isOpen();
    else if (method === "notifications/cancelled") {
      const cancelled = params?.requestId;
      running.get(cancelled)?.abort(params?.reason);
      running.delete(cancelled);
    }
  });

  const sent = (method: string) =>
    traffic
      .filter(({ from, message }) => from === "view" && message.method === method)
      .map(({ message }) => message.params ?? {});

  const notify = async (method: string, params: Params = {}) => {
    await initialized;
    await post({ jsonrpc: "2.0", method, params });
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
          resolve(all.at(-1) ?? {});
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
      for (const [key, value] of Object.entries(change))
        if (value === null) Reflect.deleteProperty(context, key);
        else Object.assign(context, { [key]: value });
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
