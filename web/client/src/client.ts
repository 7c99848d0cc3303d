// The client: the bridge is the base, and `window.openai` overlays it method by method; see route.ts.

import { type Bridge, membersOf, openBridge, type Params } from "./bridge.js";
import { NotSupportedError, ToolCallError, textOf } from "./error.js";
import { contextOf, globalResult, openai, resultOf } from "./overlay.js";
import { routes } from "./route.js";
import { createSignal } from "./signal.js";
import { watchHeight } from "./size.js";
import { trusted } from "./trust.js";
import type {
  Ability,
  AppsClient,
  CallOptions,
  CallToolResult,
  ClientOptions,
  DisplayMode,
  HostContext,
  ToolRegistry,
  ToolState,
} from "./types.js";
import { CLOSE_WIDGET, META_TREE, STATE_TOOL, VERSION } from "./wire.js";

const APPS_VERSION = "2026-01-26";
const MODES: DisplayMode[] = ["inline", "fullscreen", "pip"];
/** The server's limit of a state, as JSON text: `crates/widgetcast/src/protocol/tools/state.rs`. */
const MAX_STATE = 65_536;

/** `window.openai` as it is called: what each member takes is in the type of it. */
type Methods = Record<string, (...args: unknown[]) => unknown>;
type Writable<T> = { -readonly [K in keyof T]: T[K] };

const differ = (a: unknown, b: unknown) => JSON.stringify(a) !== JSON.stringify(b);

/** What the host has announced about itself. */
interface Said extends Partial<HostContext> {
  /** Of `window.openai`. */
  maxHeight?: number;
  /** The size of the window, once it is newer than what the host has announced. */
  size?: { width: number; height: number };
}

const withDefaults = ({ maxHeight, size, platform = "web", ...said }: Said): HostContext => ({
  theme: "light",
  displayMode: "inline",
  availableDisplayModes: openai().requestDisplayMode ? MODES : ["inline"],
  locale: navigator.language,
  platform,
  deviceType: platform === "web" ? "unknown" : platform,
  ...said,
  viewport: {
    width: innerWidth,
    height: innerHeight,
    ...said.viewport,
    ...(maxHeight && { maxHeight }),
    ...said.containerDimensions,
    ...size,
  },
});

export function createClient<T = ToolRegistry>({
  name = "widgetcast",
  version = VERSION,
  displayModes = MODES,
  autoResize = true,
  timeout = 60_000,
}: ClientOptions = {}): AppsClient<T> {
  let bridge: Bridge | undefined;
  let hasBridgeResult = false;
  const said: Said & Params = {};
  /** What `window.openai` announced last: what it only repeats may be older than the bridge's. */
  let seen: { context?: Params; input?: unknown; result?: unknown; state?: unknown } = {};
  let toolState: ToolState<T, string> = { status: "waiting" };

  const toolInput = createSignal<Params>();
  const toolInputPartial = createSignal<Params>();
  const toolResult = createSignal<CallToolResult>();
  const toolCancelled = createSignal<string | undefined>();
  const toolChange = createSignal<ToolState<T, string>>();
  const hostContextChange = createSignal<HostContext>();
  const stateChange = createSignal<unknown>();
  const teardown = createSignal<string | undefined>();
  const notification = createSignal<{ method: string; params?: unknown }>();

  /** What serves an ability now, if anything does. */
  const routeOf = (ability: Ability): "bridge" | "openai" | undefined => {
    const [method, capability, member] = routes[ability] ?? [];
    const isMember = member && openai()[member];
    const isCovered = capability
      ? capability in client.hostCapabilities
      : !isMember &&
        (ability === "requestDisplayMode"
          ? said.availableDisplayModes?.some((mode) => mode !== client.hostContext.displayMode)
          : method);
    if (bridge && isCovered) return "bridge";
    return isMember ? "openai" : undefined;
  };

  /** Sends the parameters by the bridge, or calls the member of `window.openai` with the others. */
  const send = (ability: Ability, params: object, own: unknown[] = [], options?: CallOptions) => {
    const route = routeOf(ability);
    const [method = "", , member = "", isNotification] = routes[ability] ?? [];
    if (route === "openai") return trusted<Methods>(openai())[member]?.(...own);
    if (!bridge || !route) throw new NotSupportedError(ability);
    return bridge[isNotification ? "notify" : "request"](method, params, options);
  };

  /** The same once the host is known; an answer that is an error throws. */
  const use = async <V>(...args: Parameters<typeof send>): Promise<V> => {
    await client.ready;
    return accept(args[0], await send(...args));
  };
  const accept = <V>(what: string, answer: unknown): V => {
    if (membersOf(answer).isError) throw Error(`the host refused ${what}`);
    return trusted(answer);
  };

  const callToolResult = async (
    tool: string,
    args: object = {},
    options: CallOptions = {},
  ): Promise<CallToolResult> => {
    await client.ready;
    const { signal } = options;
    signal?.throwIfAborted();
    const answer = send("callTool", { name: tool, arguments: args }, [tool, args], options);
    const answered = new AbortController();
    // `window.openai` cannot take a call back, but no one waits for it any longer.
    const aborted = new Promise((_, reject) =>
      signal?.addEventListener("abort", () => reject(signal.reason), { signal: answered.signal }),
    );
    const result = resultOf(await Promise.race([answer, aborted]).finally(() => answered.abort()));
    closeIfTold(result);
    return result;
  };
  const callTool = async (tool: string, args?: object, options?: CallOptions) => {
    const result = await callToolResult(tool, args, options);
    if (result.isError) throw new ToolCallError(result);
    return result.structuredContent;
  };
  const closeIfTold = ({ _meta }: CallToolResult) => {
    if (_meta?.[CLOSE_WIDGET] === true) client.requestClose().catch(() => {});
  };

  // State: the host's if it keeps one, else the server's, else it lives as long as the page.

  let state: unknown = null;
  /** The server's key of the last result, if it has one. */
  let stateKey: string | undefined;
  /** Whether the server took or gave a state when it was last asked to. */
  let isKept = false;
  /** Set while a change is not saved. */
  let saveTimer: ReturnType<typeof setTimeout> | undefined;

  const receiveState = (value: unknown) => {
    // A host repeats what it was told; a page that saves what it receives would loop forever.
    if (differ(value, state)) {
      state = value;
      stateChange.emit(value);
    }
  };
  const store = async (write?: object) => {
    try {
      const kept = await callTool(STATE_TOOL, { view: stateKey, ...write });
      isKept = true;
      return kept?.state;
    } catch (error) {
      isKept = false;
      // The next change is another attempt, except in hosts that call no tools.
      if (!(error instanceof NotSupportedError)) client.log("error", `state not kept: ${error}`);
    }
  };
  const save = async () => {
    clearTimeout(saveTimer);
    if (saveTimer && stateKey) {
      saveTimer = undefined;
      await store({ state });
    }
  };

  // What the host says.

  /**
   * Takes what is new compared with what the same source announced before; null takes a value back. The
   * values are not validated.
   */
  const receiveContext = (patch: Params, before: Params = {}) => {
    // Whoever spoke last knows the size: the host, or the window after a resize.
    if (patch.containerDimensions) delete said.size;
    for (const key in patch)
      if (differ(patch[key], before[key])) {
        if (patch[key] == null) delete said[key];
        else said[key] = patch[key];
      }
    const context = withDefaults(said);
    if (!differ(context, client.hostContext)) return;
    const { toolInfo } = context;
    client.hostContext = context;
    client.toolInfo = toolInfo;
    client.toolName = toolInfo?.tool?.name;
    hostContextChange.emit(context);
  };

  const setTool = (state: ToolState<T, string>) => {
    toolState = state;
    toolChange.emit(state);
  };

  // A result stays until the next one: input that is late or repeated only completes it.
  const receiveInput = (input: Params) => {
    const isNew = differ(input, client.toolInput);
    client.toolInput = input;
    if (isNew && toolState.status !== "failed") {
      const base = toolState.status === "done" ? toolState : { status: "waiting" };
      setTool(trusted({ ...base, input }));
    }
    toolInput.emit(input);
  };

  const receiveResult = async (result: CallToolResult) => {
    const { structuredContent, _meta } = result;
    client.toolResult = result;
    client.toolOutput = structuredContent;
    client.toolMeta = _meta;
    setTool(
      result.isError
        ? { status: "failed", error: new ToolCallError(result), result }
        : {
            status: "done",
            input: trusted(client.toolInput),
            output: trusted(structuredContent),
            meta: _meta ?? {},
            result,
          },
    );
    toolResult.emit(result);
    closeIfTold(result);
    // Each result has its own key: what one user typed is not for another who sees the same card.
    const key = trusted<string | undefined>(membersOf(_meta?.[META_TREE]).state);
    if (key === stateKey || openai().setWidgetState) return;
    save();
    stateKey = key;
    if (!key || saveTimer) return save();
    const kept = await store();
    if (key === stateKey && !saveTimer && kept != null) receiveState(kept);
  };

  const receiveGlobals = () => {
    const globals = openai();
    const result = globalResult(globals);
    const { widgetState: state, toolInput: input } = globals;
    const context = contextOf(globals);
    const before = seen;
    seen = { context, input, result, state };
    receiveContext(context, before.context);
    if (state !== undefined && differ(state, before.state)) receiveState(state);
    // What came by the bridge is whole; the globals only repeat it.
    if (hasBridgeResult) return;
    if (input && differ(input, before.input)) receiveInput(input);
    if (result && differ(result, before.result)) receiveResult(result);
  };

  /** Takes a message of the host; undefined if it is of no known method. */
  const receive = async (method: string, params: Params): Promise<object | undefined> => {
    const kind = method.replace("ui/notifications/", "");
    const input = membersOf(params.arguments);
    const reason = trusted<string | undefined>(params.reason);
    if (kind === "tool-input") receiveInput(input);
    else if (kind === "tool-input-partial") {
      client.toolInputPartial = input;
      if (toolState.status === "waiting" && !client.toolInput)
        setTool({ status: "waiting", input: trusted(input) });
      toolInputPartial.emit(input);
    } else if (kind === "tool-result") {
      hasBridgeResult = true;
      receiveResult(resultOf(params));
    } else if (kind === "tool-cancelled") {
      if (!client.toolResult) setTool({ status: "cancelled", reason });
      toolCancelled.emit(reason);
    } else if (kind === "host-context-changed") receiveContext(params);
    else if (kind === "ui/resource-teardown")
      await Promise.allSettled([...teardown.emit(reason), save()]);
    else if (kind !== "ping") {
      notification.emit({ method, params });
      return;
    }
    return {};
  };

  const initialize = async () => {
    // A page of its own is its own parent, and has no host.
    if (parent === window) return;
    const opened = openBridge(timeout, receive);
    const answer = membersOf(
      await opened.request("ui/initialize", {
        appInfo: { name, version },
        appCapabilities: { availableDisplayModes: displayModes },
        protocolVersion: APPS_VERSION,
      }),
    );
    bridge = opened;
    client.hostInfo = trusted(answer.hostInfo);
    // Before this version hosts took messages without saying so.
    const isOld = trusted<string>(answer.protocolVersion) < APPS_VERSION;
    client.hostCapabilities = {
      ...(isOld && { message: {} }),
      ...membersOf(answer.hostCapabilities),
    };
    receiveContext(membersOf(answer.hostContext));
    bridge.notify("ui/notifications/initialized");
  };

  const client: Writable<AppsClient<T>> = {
    ready: new Promise((resolve) => {
      const done = () => resolve();
      initialize().then(done, done);
      // Older hosts have `window.openai` alone; a bridge that answers later is still used.
      setTimeout(done, 1000);
    }),
    can: (ability) =>
      !!(
        routeOf(ability) ||
        ability in membersOf(client.hostCapabilities.sandbox?.permissions) ||
        (ability === "setState" && isKept)
      ),

    callToolResult,
    callTool: (tool, ...[args, options]) => trusted(callTool(tool, args, options)),
    tool: () => trusted(toolState),
    onTool(_, handler) {
      handler(trusted(toolState));
      return toolChange.on(trusted(handler));
    },

    async sendMessage(block, options) {
      const content = [block].flat();
      const own = { prompt: textOf(content), ...options };
      await client.ready;
      // `window.openai` takes text alone.
      if (!own.prompt.trim() && routeOf("sendMessage") === "openai")
        throw new NotSupportedError("messages without text");
      return use("sendMessage", { role: "user", content }, [own]);
    },
    sendFollowUpMessage: (text, options) => client.sendMessage({ type: "text", text }, options),
    updateModelContext: (context) => use("updateModelContext", context),

    openLink: (url, options) => use("openLink", { url }, [{ href: url, ...options }]),
    async requestDisplayMode(mode) {
      const answer = membersOf(await use("requestDisplayMode", { mode }, [{ mode }]));
      // A host may say so in its answer alone, or not in its answer.
      if (answer.mode) receiveContext({ displayMode: answer.mode });
      return { mode: trusted(answer.mode ?? mode) };
    },
    requestClose: () => use("requestClose", {}),
    requestModal: (modal = {}) => use("requestModal", {}, [modal]),
    setOpenInAppUrl: (href) => use("setOpenInAppUrl", {}, [{ href }]),
    downloadFile: (contents) => use("downloadFile", { contents }),
    reportSize: (size) => use("reportSize", size, [size.height ?? 0]),

    getState: () => trusted(state),
    setState(value) {
      const globals = openai();
      if (!globals.setWidgetState && new Blob([JSON.stringify(value)]).size > MAX_STATE)
        throw RangeError("a state has at most 64 KB");
      receiveState(value);
      if (globals.setWidgetState) globals.setWidgetState(value);
      else {
        clearTimeout(saveTimer);
        saveTimer = setTimeout(save, 300);
      }
    },

    uploadFile: (...own) => use("uploadFile", {}, own),
    selectFiles: () => use("selectFiles", {}),
    getFileDownloadUrl: (fileId) => use("getFileDownloadUrl", {}, [{ fileId }]),
    readResource: (uri) => use("readResource", { uri }),
    log(level, data) {
      use("log", { level, data }).catch(() => console.log(level, data));
    },
    async request(method, params) {
      await client.ready;
      if (!bridge) throw new NotSupportedError(method);
      return accept(method, await bridge.request(method, params));
    },

    onToolInput: trusted(toolInput.on),
    onToolInputPartial: trusted(toolInputPartial.on),
    onToolResult: trusted(toolResult.on),
    onToolCancelled: toolCancelled.on,
    onHostContextChange: hostContextChange.on,
    onStateChange: stateChange.on,
    onTeardown: teardown.on,
    onNotification: notification.on,

    hostCapabilities: {},
    hostContext: withDefaults({}),
  };

  addEventListener("openai:set_globals", receiveGlobals);
  addEventListener("openai:tool_response", receiveGlobals);
  addEventListener("pagehide", save);
  addEventListener("resize", () =>
    receiveContext({ size: { width: innerWidth, height: innerHeight } }),
  );
  receiveGlobals();

  if (autoResize)
    client.ready.then(() =>
      toolResult.on(
        watchHeight((height) => routeOf("reportSize") && client.reportSize({ height })),
      ),
    );
  return client;
}
