// The client: the bridge is the base, and `window.openai` overlays it method by method; see route.ts.

import { type Bridge, membersOf, openBridge, type Params } from "./bridge.js";
import { NotSupportedError, ToolCallError, textOf } from "./error.js";
import { contextOf, globalResult, openai, resultOf } from "./overlay.js";
import { ROUTES } from "./route.js";
import { createSignal } from "./signal.js";
import { watchHeight } from "./size.js";
import type {
  Ability,
  AppsClient,
  CallToolResult,
  ClientOptions,
  HostContext,
  OpenAi,
  ResourceContent,
  ToolArguments,
  ToolName,
  ToolOutput,
  ToolRegistry,
} from "./types.js";
import { META_TREE, STATE_TOOL, VERSION } from "./wire.js";

const APPS_VERSION = "2026-01-26";
const MODES = ["inline", "fullscreen", "pip"];

type Writable<T> = { -readonly [K in keyof T]: T[K] };

const differ = (a: unknown, b: unknown) => JSON.stringify(a) !== JSON.stringify(b);

const withDefaults = (said: Partial<HostContext>): HostContext => ({
  theme: "light",
  displayMode: "inline",
  availableDisplayModes: openai().requestDisplayMode ? MODES : ["inline"],
  locale: navigator.language,
  platform: "web",
  ...said,
  viewport: {
    width: innerWidth,
    height: innerHeight,
    ...said.viewport,
    ...said.containerDimensions,
  },
});

export function createClient<T = ToolRegistry>({
  name = "widgetcast",
  version = VERSION,
  autoResize = true,
  timeout = 60_000,
}: ClientOptions = {}): AppsClient<T> {
  let bridge: Bridge | undefined;
  let hasBridgeResult = false;
  /** What the host has said, without the defaults. */
  const said: Partial<HostContext> = {};

  const toolInput = createSignal<Params>();
  const toolInputPartial = createSignal<Params>();
  const toolResult = createSignal<CallToolResult>();
  const toolCancelled = createSignal<string | undefined>();
  const hostContextChange = createSignal<HostContext>();
  const stateChange = createSignal<unknown>();
  const teardown = createSignal<string | undefined>();
  const notification = createSignal<{ method: string; params?: unknown }>();

  /** What serves an ability now, if anything does. */
  const routeOf = (ability: Ability): "bridge" | "openai" | undefined => {
    const { method, capability, member } = ROUTES[ability];
    const isMember = member && openai()[member];
    const isCovered = capability
      ? capability in client.hostCapabilities
      : !isMember && (ability === "requestDisplayMode" ? said.availableDisplayModes?.[1] : method);
    if (bridge && isCovered) return "bridge";
    return isMember ? "openai" : undefined;
  };

  /** Sends the parameters by the bridge, or makes the call of `window.openai`. */
  const send = (ability: Ability, params: object, call?: (globals: OpenAi) => unknown): unknown => {
    const route = routeOf(ability);
    const { method = "", isNotification } = ROUTES[ability];
    if (route === "openai") return call?.(openai());
    if (!bridge || !route) throw new NotSupportedError(ability);
    return bridge[isNotification ? "notify" : "request"](method, params);
  };

  /** The same once the host is known; an answer that is an error throws. */
  const use = async (...args: Parameters<typeof send>): Promise<unknown> => {
    await client.ready;
    return accept(args[0], await send(...args));
  };
  const accept = (what: string, answer: unknown) => {
    if (membersOf(answer).isError) throw Error(`the host refused ${what}`);
    return answer;
  };

  const sendSize = (size: { width?: number; height?: number }) =>
    send("reportSize", size, (host) => host.notifyIntrinsicHeight?.(size.height ?? 0));

  const callToolResult = async (tool: string, args: object = {}): Promise<CallToolResult> => {
    await client.ready;
    const params = { name: tool, arguments: args };
    return resultOf(await send("callTool", params, (host) => host.callTool?.(tool, args)));
  };
  const callTool = async (tool: string, args?: object) => {
    const result = await callToolResult(tool, args);
    if (result.isError) throw new ToolCallError(result);
    return result.structuredContent;
  };

  // State: the host's if it keeps one, else the server's, else it lives as long as the page.

  let state: unknown = null;
  /** The server's key: undefined until a result names one, null if the server keeps none for it. */
  let stateKey: string | undefined | null;
  /** Set while a change is not saved. */
  let saveTimer: ReturnType<typeof setTimeout> | undefined;

  const receiveState = (value: unknown) => {
    // A host repeats what it was told; a page that saves what it receives would loop forever.
    if (differ(value, state)) {
      state = value;
      stateChange.emit(value);
    }
  };
  const store = (write?: object) =>
    callTool(STATE_TOOL, { view: stateKey, ...write }).catch(() => {
      stateKey = null;
    });
  const save = async () => {
    clearTimeout(saveTimer);
    if (saveTimer && stateKey) {
      saveTimer = undefined;
      await store({ state });
    }
  };

  // What the host says.

  const receiveContext = (patch: Params) => {
    // What is null or undefined must not hide a default. The values are not validated.
    for (const key in patch) if (patch[key] != null) Object.assign(said, { [key]: patch[key] });
    const { toolInfo } = said;
    client.hostContext = withDefaults(said);
    client.toolInfo = toolInfo;
    client.toolName = toolInfo?.tool?.name;
    hostContextChange.emit(client.hostContext);
  };

  const receiveInput = (input: Params) => {
    client.toolInput = input;
    toolInput.emit(input);
  };

  const receiveResult = async (result: CallToolResult) => {
    client.toolResult = result;
    client.toolOutput = result.structuredContent;
    client.toolMeta = result._meta;
    toolResult.emit(result);
    if (stateKey !== undefined || openai().setWidgetState) return;
    // Each result has its own key: what one person typed is not for another who sees the same card.
    const key = membersOf(result._meta?.[META_TREE]).state;
    stateKey = typeof key === "string" ? key : undefined;
    if (!stateKey || saveTimer) return save();
    const kept = await store();
    if (!saveTimer && kept?.state != null) receiveState(kept.state);
  };

  const receiveGlobals = () => {
    const globals = openai();
    const result = globalResult(globals);
    const { widgetState, toolInput: input } = globals;
    receiveContext(contextOf(globals));
    if (widgetState !== undefined) receiveState(widgetState);
    // What came by the bridge is whole; the globals only repeat it.
    if (hasBridgeResult) return;
    if (input && differ(input, client.toolInput)) receiveInput(input);
    if (result && differ(result, client.toolResult)) receiveResult(result);
  };

  /** Takes a message of the host; undefined if it is of no known method. */
  const receive = async (method: string, params: Params): Promise<object | undefined> => {
    const kind = method.replace("ui/notifications/", "");
    const input = membersOf(params.arguments);
    const reason = params.reason as string | undefined;
    if (kind === "tool-input") receiveInput(input);
    else if (kind === "tool-input-partial") {
      client.toolInputPartial = input;
      toolInputPartial.emit(input);
    } else if (kind === "tool-result") {
      hasBridgeResult = true;
      receiveResult(resultOf(params));
    } else if (kind === "tool-cancelled") toolCancelled.emit(reason);
    else if (kind === "host-context-changed") receiveContext(params);
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
        appCapabilities: { availableDisplayModes: MODES },
        protocolVersion: APPS_VERSION,
      }),
    );
    bridge = opened;
    client.hostInfo = answer.hostInfo as AppsClient["hostInfo"];
    // Before this version hosts took messages without saying so.
    const isOld =
      typeof answer.protocolVersion === "string" && answer.protocolVersion < APPS_VERSION;
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
    can: (ability) => !!(routeOf(ability) || (ability === "setState" && stateKey)),

    callToolResult,
    // Input and output have the types of the server's schemas; nothing checks them here.
    callTool: async <K extends ToolName<T>>(tool: K, ...[args]: ToolArguments<T, K>) =>
      (await callTool(tool, args as object | undefined)) as ToolOutput<T, K>,

    async sendMessage(block) {
      const content = [block].flat();
      await use("sendMessage", { role: "user", content }, (host) =>
        host.sendFollowUpMessage?.({ prompt: textOf(content) }),
      );
    },
    sendFollowUpMessage: (text) => client.sendMessage({ type: "text", text }),
    async updateModelContext(context) {
      await use("updateModelContext", context);
    },

    async openLink(url) {
      await use("openLink", { url }, (host) => host.openExternal?.({ href: url }));
    },
    requestDisplayMode: async (mode) =>
      (await use("requestDisplayMode", { mode }, (host) =>
        host.requestDisplayMode?.({ mode }),
      )) as {
        mode: string;
      },
    async requestClose() {
      await use("requestClose", {}, (host) => host.requestClose?.());
    },
    async downloadFile(contents) {
      await use("downloadFile", { contents });
    },
    async reportSize(size) {
      await client.ready;
      sendSize(size);
    },

    getState: <S>() => state as S | null,
    setState(value) {
      receiveState(value);
      const globals = openai();
      if (globals.setWidgetState) globals.setWidgetState(value);
      else {
        clearTimeout(saveTimer);
        saveTimer = setTimeout(save, 300);
      }
    },

    uploadFile: async (file) =>
      (await use("uploadFile", {}, (host) => host.uploadFile?.(file))) as { fileId: string },
    getFileDownloadUrl: async (fileId) =>
      (await use("getFileDownloadUrl", {}, (host) => host.getFileDownloadUrl?.({ fileId }))) as {
        downloadUrl: string;
      },
    readResource: async (uri) =>
      (await use("readResource", { uri })) as { contents: ResourceContent[] },
    log(level, data) {
      use("log", { level, data }).catch(() => console.log(level, data));
    },
    async request<R>(method: string, params?: object) {
      await client.ready;
      if (!bridge) throw new NotSupportedError(method);
      return accept(method, await bridge.request(method, params)) as R;
    },

    onToolInput: toolInput.on,
    onToolInputPartial: toolInputPartial.on,
    onToolResult: toolResult.on,
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
  receiveGlobals();

  if (autoResize)
    client.ready.then(() =>
      toolResult.on(watchHeight((height) => routeOf("reportSize") && sendSize({ height }))),
    );
  return client;
}
