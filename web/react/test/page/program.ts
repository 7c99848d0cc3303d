// A page that writes what every hook gives. The test bundles it once for each framework.

import {
  ClientProvider,
  useClient,
  useDisplayMode,
  useHostContext,
  useLocale,
  useMaxHeight,
  useSafeArea,
  useTheme,
  useToolInput,
  useToolInputPartial,
  useToolOutput,
  useToolResponseMetadata,
  useToolResult,
  useUserAgent,
  useView,
  useWidgetState,
} from "@widgetcast/react";
import { createElement, StrictMode, version } from "react";
import { createRoot } from "react-dom/client";

let renders = 0;
const clients = new Set<unknown>();

function Hooks() {
  renders++;
  const client = useClient();
  clients.add(client);
  const [state, setState] = useWidgetState({ row: 0 });
  const values = {
    input: useToolInput(),
    partial: useToolInputPartial(),
    output: useToolOutput(),
    meta: useToolResponseMetadata(),
    result: useToolResult(),
    theme: useTheme(),
    mode: useDisplayMode(),
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
    renders: () => renders,
    values: () => JSON.parse(document.querySelector("button")?.textContent || "null"),
    click: () => document.querySelector("button")?.click(),
    unmount: () => root.unmount(),
  };
}
