// A page that writes what every hook gives. The test bundles it once for each framework.

import {
  ClientProvider,
  useCallTool,
  useCan,
  useClient,
  useDisplayMode,
  useHostContext,
  useLocale,
  useMaxHeight,
  useSafeArea,
  useTheme,
  useTool,
  useToolInput,
  useToolInputPartial,
  useToolOutput,
  useToolResponseMetadata,
  useToolResult,
  useUserAgent,
  useView,
  useViewState,
} from "@widgetcast/react";
import { createElement, StrictMode, version } from "react";
import { createRoot } from "react-dom/client";

type Actions = Pick<ReturnType<typeof useCallTool<string>>, "call" | "cancel" | "reset"> & {
  request: ReturnType<typeof useDisplayMode>[1];
};

let renders = 0;
const actions = {} as Actions;
/** The states of the tool that were drawn. */
const tools = new Set<unknown>();
const clients = new Set<unknown>();

/** Three hooks, whatever their values. */
function useEachCan() {
  const can = {
    callTool: useCan("callTool"),
    uploadFile: useCan("uploadFile"),
    setState: useCan("setState"),
  };
  return (ability: keyof typeof can) => can[ability];
}

function Hooks() {
  renders++;
  const client = useClient();
  clients.add(client);
  const [state, setState] = useViewState({ row: 0 });
  const tool = useTool();
  const { call, cancel, reset, error, ...last } = useCallTool("book");
  const [mode, request] = useDisplayMode();
  Object.assign(actions, { call, cancel, reset, request });
  tools.add(tool);
  const values = {
    tool: tool.status === "failed" ? [tool.status, tool.error.message] : tool,
    call: error ? { ...last, error: error.message } : last,
    can: (["callTool", "uploadFile", "setState"] as const).filter(useEachCan()),
    input: useToolInput(),
    partial: useToolInputPartial(),
    output: useToolOutput(),
    meta: useToolResponseMetadata(),
    result: useToolResult(),
    theme: useTheme(),
    mode,
    maxHeight: useMaxHeight(),
    locale: useLocale(),
    userAgent: useUserAgent(),
    safeArea: useSafeArea(),
    view: useView(),
    platform: useHostContext().platform,
    state,
  };
  const next = () => setState((before) => ({ row: before.row + 1 }));
  return createElement("button", { type: "button", onClick: next }, JSON.stringify(values));
}

/** Mounts the page; gives how to read it and how to take it down. */
export function mount(given?: Parameters<typeof ClientProvider>[0]["client"]) {
  const root = createRoot(document.body.appendChild(document.createElement("main")));
  const hooks = createElement(Hooks);
  const page = given ? createElement(ClientProvider, { client: given }, hooks) : hooks;
  root.render(createElement(StrictMode, null, page));
  return {
    version,
    clients,
    actions,
    tools,
    renders: () => renders,
    values: () => JSON.parse(document.querySelector("button")?.textContent || "null"),
    click: () => document.querySelector("button")?.click(),
    unmount: () => root.unmount(),
  };
}
