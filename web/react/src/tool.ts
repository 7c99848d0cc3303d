// Hooks about tools, typed by what `widgetcast types` writes: the call that the page was opened for,
// and calls that the page makes.

import type {
  AppsClient,
  CallToolResult,
  ToolInput,
  ToolName,
  ToolOutput,
  ToolRegistry,
  ToolState,
} from "@widgetcast/client";
import { type CallState, createCall, type ToolCall } from "@widgetcast/client/call";
import { useCallback, useMemo, useRef, useSyncExternalStore } from "react";
import { useClient, useValue } from "./client.js";

type Tools = ToolRegistry;
type Name = ToolName<Tools>;

/** Input has the type of the server's schema; nothing checks it here. The one cast of the hooks. */
function trusted<V>(value: unknown): V {
  return value as V;
}

/**
 * The call that the page was opened for: waiting, done, failed or cancelled. The name only
 * sets the type; `useTool<"stats">()` is equivalent.
 */
export function useTool<K extends Name = Name>(name?: K): ToolState<Tools, K> {
  const client = useClient();
  const subscribe = useCallback(
    (listener: () => void) => client.onTool(undefined, listener),
    [client],
  );
  const snapshot = () => client.tool<K>(name);
  return useSyncExternalStore(subscribe, snapshot, snapshot);
}

/** The structured content of the result, once available; `undefined` for an error. */
export function useToolOutput<K extends Name = Name>(name?: K): ToolOutput<Tools, K> | undefined {
  const tool = useTool(name);
  return tool.status === "done" ? tool.output : undefined;
}

/** The tool's arguments, once they are complete. */
export function useToolInput<K extends Name = Name>(_name?: K): ToolInput<Tools, K> | undefined {
  return useValue("onToolInput", (client) => trusted(client.toolInput));
}

/** The tool's arguments as streamed so far. */
export function useToolInputPartial<K extends Name = Name>(
  _name?: K,
): Partial<ToolInput<Tools, K>> | undefined {
  return useValue("onToolInputPartial", (client) => trusted(client.toolInputPartial));
}

export const useToolResult = (): CallToolResult | undefined =>
  useValue("onToolResult", (client) => client.toolResult);

/** The `_meta` of the result, which the model does not see. */
export const useToolResponseMetadata = (): Record<string, unknown> | undefined =>
  useValue("onToolResult", (client) => client.toolMeta);

export type CallTool<K> = CallState<ToolOutput<Tools, K>> &
  Pick<ToolCall<Tools, K>, "call" | "cancel" | "reset">;

/**
 * Calls a tool, and re-renders when the last call has progress, an output or an error. `call` never
 * rejects, and may continue after the component is unmounted.
 */
export function useCallTool<K extends Name>(name: K): CallTool<K> {
  const client = useClient();
  // Not `useMemo`, which a hot reload runs again: the last call would be forgotten.
  const held = useRef<{ client: AppsClient; name: K; tool: ToolCall<Tools, K> }>(undefined);
  if (held.current?.client !== client || held.current.name !== name)
    held.current = { client, name, tool: createCall<Tools, K>(client, name) };
  const { tool } = held.current;
  const snapshot = () => tool.state;
  const state = useSyncExternalStore(tool.subscribe, snapshot, snapshot);
  return useMemo(() => {
    const { call, cancel, reset } = tool;
    return { ...state, call, cancel, reset };
  }, [tool, state]);
}
