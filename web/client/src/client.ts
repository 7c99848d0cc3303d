// The client: the bridge is the base, and `window.openai` lies over it method by method.
//
// Where a capability of the host vouches for a message, the bridge is used, because there it is
// known what comes back. What no capability covers (closing, display mode, size, state, files) is
// asked of `window.openai` first. Nothing asks which host this is: hosts have any part of either.

import { type Bridge, openBridge, type Params } from "./bridge.js";
import { NotSupportedError, ToolCallError, textOf } from "./error.js";
import { contextOf, globalResult, openai, resultOf } from "./overlay.js";
import { watchHeight } from "./size.js";
import type {
  Ability,
  AppsClient,
  ClientOptions,
  ContentBlock,
  HostCapabilities,
  HostContext,
  OpenAi,
  ToolRegistry,
} from "./types.js";

const VERSION = "2026-01-26";
const MODES = ["inline", "fullscreen", "pip"];

// biome-ignore lint/suspicious/noExplicitAny: the interface types them
type Pack = (...args: any[]) => [params: object, ...args: unknown[]];

/**
 * The message of the bridge, the capability that vouches for it, how the arguments of the client's
 * method become the parameters of the message and the arguments of the member of `window.openai`,
 * and the name of that member where it is another.
 */
type Way = [method?: string, need?: keyof HostCapabilities | "", pack?: Pack, own?: keyof OpenAi];

const same: Pack = (value) => [value, value];

const WAYS: Record<Ability, Way> = {
  callTool: [
    "tools/call",
    "serverTools",
    (name, args = {}) => [{ name, arguments: args }, name, args],
  ],
  sendMessage: [
    "ui/message",
    "message",
    (block: ContentBlock | ContentBlock[], content = [block].flat()) => [
      { role: "user", content },
      { prompt: textOf(content) },
    ],
    "sendFollowUpMessage",
  ],
  openLink: ["ui/open-link", "openLinks", (url) => [{ url }, { href: url }], "openExternal"],
  requestDisplayMode: ["ui/request-display-mode", "", (mode) => same({ mode })],
  requestClose: ["ui/notifications/request-teardown"],
  reportSize: [
    "ui/notifications/size-changed",
    "",
    (size) => [size, size.height],
    "notifyIntrinsicHeight",
  ],
  setState: ["", "", same, "setWidgetState"],
  uploadFile: [],
  getFileDownloadUrl: ["", "", (fileId) => same({ fileId })],
  readResource: ["resources/read", "serverResources", (uri) => [{ uri }]],
  log: ["notifications/message", "logging", (level, data) => [{ level, data }]],
  updateModelContext: ["ui/update-model-context", "updateModelContext"],
  downloadFile: ["ui/download-file", "downloadFile", (contents) => [{ contents }]],
};

const EVENTS =
  "ToolInput ToolInputPartial ToolResult ToolCancelled HostContextChange StateChange Teardown Notification";

type Handler = (value: never) => unknown;

export function createClient<T = ToolRegistry>({
  name = "widgetcast",
  version = "0.1.0",
  autoResize = true,
  timeout = 60_000,
}: ClientOptions = {}): AppsClient<T> {
  let bridge: Bridge | undefined;
  let isBridged: boolean | undefined;
  const said: Partial<HostContext> = {};

  const handlers: Record<string, Set<Handler>> = {};
  /** Calls at once; `async` keeps one handler's fault from the next, and the browser reports it. */
  const emit = (event: string, value: unknown) =>
    [...(handlers[event] as Set<Handler>)].map(async (handler) => handler(value as never));

  /** How this host does it, if it can. What is no ability is a method of the protocol itself. */
  const find = (ability: string) => {
    const [method = "", need, pack = same, own = ability] = WAYS[ability as Ability] ?? [ability];
    const globals: Params = openai();
    const isVouched = need
      ? need in client.hostCapabilities
      : !globals[own] &&
        (ability === "requestDisplayMode" ? said.availableDisplayModes?.[1] : method);
    if (bridge && isVouched)
      return (...args: unknown[]) => (bridge as Bridge)(method, pack(...args)[0]);
    if (globals[own]) return (...args: unknown[]) => globals[own](...pack(...args).slice(1));
  };

  const use = async (ability: string, ...args: unknown[]) => {
    await client.ready;
    const call = find(ability);
    if (!call) throw new NotSupportedError(ability);
    const answer = await call(...args);
    if (ability !== "callTool" && answer?.isError) throw Error(`the host refused ${ability}`);
    return answer;
  };

  // State: the host's if it keeps one, else the server's, else it lives as long as the page.

  let state: unknown = null;
  /** Undefined until a result names one, null if the server keeps no state for it. */
  let view: string | undefined | null;
  /** Set while a change is not saved. */
  let timer: ReturnType<typeof setTimeout> | undefined;

  const differ = (a: unknown, b: unknown) => JSON.stringify(a) !== JSON.stringify(b);
  const hearState = (value: unknown) => {
    // A host repeats what it was told; a page that saves what it hears would go round.
    if (differ(value, state)) {
      state = value;
      emit("StateChange", value);
    }
  };
  const store = (write?: object) =>
    client.callTool("widgetcast_state", { view, ...write }).catch(() => {
      view = null;
    });
  const save = async () => {
    clearTimeout(timer);
    if (timer && view) {
      timer = undefined;
      await store({ state });
    }
  };

  // What the host says.

  const hearContext = (patch: Params) => {
    // What is null or undefined must not hide a default.
    for (const name in patch) if (patch[name] != null) (said as Params)[name] = patch[name];
    const { toolInfo, viewport, containerDimensions } = said;
    const hostContext = {
      theme: "light",
      displayMode: "inline",
      availableDisplayModes: openai().requestDisplayMode ? MODES : ["inline"],
      locale: navigator.language,
      platform: "web",
      ...said,
      viewport: { width: innerWidth, height: innerHeight, ...viewport, ...containerDimensions },
    };
    Object.assign(client, { hostContext, toolInfo, toolName: toolInfo?.tool?.name });
    emit("HostContextChange", hostContext);
  };

  const hearInput = (toolInput: object = {}) => {
    client.toolInput = toolInput;
    emit("ToolInput", toolInput);
  };

  const hearResult = async (toolResult: Params) => {
    const { structuredContent: toolOutput, _meta: toolMeta } = toolResult;
    Object.assign(client, { toolResult, toolOutput, toolMeta });
    emit("ToolResult", toolResult);
    if (view !== undefined || openai().setWidgetState) return;
    // Each result has its own key: what one person typed is not for another who sees the same card.
    view = toolMeta?.["widgetcast/view"]?.state;
    if (!view || timer) return save();
    const kept = await store();
    if (!timer && kept?.state != null) hearState(kept.state);
  };

  const hearGlobals = () => {
    const globals = openai();
    const result = globalResult(globals);
    const { widgetState, toolInput } = globals;
    hearContext(contextOf(globals));
    if (widgetState !== undefined) hearState(widgetState);
    // What came by the bridge is whole; the globals only repeat it.
    if (isBridged) return;
    if (toolInput && differ(toolInput, client.toolInput)) hearInput(toolInput);
    if (result && differ(result, client.toolResult)) hearResult(result);
  };

  const hear = async (method: string, params: Params) => {
    const kind = method.replace("ui/notifications/", "");
    const { arguments: input, reason } = params;
    if (kind === "tool-input") hearInput(input);
    else if (kind === "tool-input-partial") {
      client.toolInputPartial = input;
      emit("ToolInputPartial", input);
    } else if (kind === "tool-result") {
      isBridged = true;
      hearResult(resultOf(params));
    } else if (kind === "tool-cancelled") emit("ToolCancelled", reason);
    else if (kind === "host-context-changed") hearContext(params);
    else if (kind === "ui/resource-teardown")
      await Promise.allSettled([...emit("Teardown", reason), save()]);
    else if (kind !== "ping") {
      emit("Notification", { method, params });
      return;
    }
    return {};
  };

  const client: Params = {
    hostCapabilities: {},
    ready: new Promise<void>((resolve) => {
      // A page of its own is its own parent, and has no host.
      if (parent === window) return resolve();
      const line = openBridge(timeout, hear);
      line("ui/initialize", {
        appInfo: { name, version },
        appCapabilities: { availableDisplayModes: MODES },
        protocolVersion: VERSION,
      })
        .then(({ protocolVersion, hostInfo, hostCapabilities, hostContext }: Params) => {
          bridge = line;
          Object.assign(client, {
            hostInfo,
            // Before this version hosts took messages without saying so.
            hostCapabilities: {
              ...(protocolVersion < VERSION && { message: {} }),
              ...hostCapabilities,
            },
          });
          hearContext(hostContext);
          line("ui/notifications/initialized");
        })
        .then(resolve, resolve);
      // Older hosts have `window.openai` alone; a bridge that answers later is still used.
      setTimeout(resolve, 1000);
    }),
    can: (ability: Ability) => !!(find(ability) || (ability === "setState" && view)),
    callToolResult: (...args: unknown[]) => use("callTool", ...args).then(resultOf),
    async callTool(...args: unknown[]) {
      const result = resultOf(await use("callTool", ...args));
      if (result.isError) throw new ToolCallError(result);
      return result.structuredContent;
    },
    sendFollowUpMessage: (text: string) => client.sendMessage({ type: "text", text }),
    getState: () => state,
    setState(value: unknown) {
      hearState(value);
      const globals = openai();
      if (globals.setWidgetState) globals.setWidgetState(value);
      else {
        clearTimeout(timer);
        timer = setTimeout(save, 300);
      }
    },
    log: (...args: unknown[]) => use("log", ...args).catch(() => console.log(...args)),
    request: use,
  };
  for (const ability in WAYS) client[ability] ??= (...args: unknown[]) => use(ability, ...args);
  for (const event of EVENTS.split(" ")) {
    const set = new Set<Handler>();
    handlers[event] = set;
    client[`on${event}`] = (handler: Handler) => {
      set.add(handler);
      return () => set.delete(handler);
    };
  }

  addEventListener("openai:set_globals", hearGlobals);
  addEventListener("openai:tool_response", hearGlobals);
  addEventListener("pagehide", save);
  hearGlobals();

  if (autoResize)
    client.ready.then(() =>
      client.onToolResult(watchHeight((height) => find("reportSize")?.({ height }))),
    );
  return client as AppsClient<T>;
}
