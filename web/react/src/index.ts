// Hooks over the client. They share one client, made when the first hook runs, unless a provider
// gives another.

import {
  type AppsClient,
  type CallToolResult,
  createClient,
  type DisplayMode,
  type HostContext,
  type Insets,
  type Theme,
  type ToolRegistry,
} from "@widgetcast/client";
import {
  createContext,
  createElement,
  type ReactNode,
  useCallback,
  useContext,
  useMemo,
  useSyncExternalStore,
} from "react";

const Context = createContext<AppsClient | undefined>(undefined);
let shared: AppsClient | undefined;

/** Gives the hooks below it a client of your own, such as one with a name or one in a test. */
export function ClientProvider(props: { client: AppsClient; children?: ReactNode }): ReactNode {
  return createElement(Context.Provider, { value: props.client }, props.children);
}

export function useClient<T = ToolRegistry>(): AppsClient<T> {
  const given = useContext(Context);
  if (!given) shared ??= createClient();
  return (given ?? shared) as unknown as AppsClient<T>;
}

type Event =
  | "onToolInput"
  | "onToolInputPartial"
  | "onToolResult"
  | "onHostContextChange"
  | "onStateChange";

/** A value of the client, read again after each such event. */
function useValue<V>(event: Event, read: (client: AppsClient) => V): V {
  const client = useClient();
  const subscribe = useCallback((listener: () => void) => client[event](listener), [client, event]);
  const snapshot = () => read(client);
  return useSyncExternalStore(subscribe, snapshot, snapshot);
}

type Data = Record<string, unknown>;

/** The tool's arguments, once they are complete. */
export const useToolInput = <T = Data>(): T | undefined =>
  useValue("onToolInput", (client) => client.toolInput as T | undefined);

/** The tool's arguments as far as the model has written them. */
export const useToolInputPartial = <T = Data>(): Partial<T> | undefined =>
  useValue("onToolInputPartial", (client) => client.toolInputPartial as Partial<T> | undefined);

export const useToolResult = (): CallToolResult | undefined =>
  useValue("onToolResult", (client) => client.toolResult);

/** The structured content of the result. */
export const useToolOutput = <T = Data>(): T | undefined =>
  useValue("onToolResult", (client) => client.toolOutput as T | undefined);

/** The `_meta` of the result, which the model does not see. */
export const useToolResponseMetadata = <T = Data>(): T | undefined =>
  useValue("onToolResult", (client) => client.toolMeta as T | undefined);

export const useHostContext = (): HostContext =>
  useValue("onHostContextChange", (client) => client.hostContext);

export const useTheme = (): Theme => useHostContext().theme;
export const useDisplayMode = (): DisplayMode => useHostContext().displayMode;
export const useLocale = (): string => useHostContext().locale;

/** How high the view may become; without a number as high as it likes. */
export const useMaxHeight = (): number | undefined => useHostContext().viewport.maxHeight;

const NO_INSETS: Insets = { top: 0, right: 0, bottom: 0, left: 0 };

export function useSafeArea(): { insets: Insets } {
  const { safeAreaInsets: insets = NO_INSETS } = useHostContext();
  return useMemo(() => ({ insets }), [insets]);
}

export interface UserAgent {
  device: { type: HostContext["platform"] };
  capabilities: { hover?: boolean; touch?: boolean };
}

export function useUserAgent(): UserAgent {
  const { platform: type, deviceCapabilities: capabilities } = useHostContext();
  return useMemo(
    () => ({ device: { type }, capabilities: capabilities ?? {} }),
    [type, capabilities],
  );
}

const INLINE: NonNullable<HostContext["view"]> = { mode: "inline" };

/** Which of its views the host shows, such as a modal, and with what. */
export const useView = (): NonNullable<HostContext["view"]> => useHostContext().view ?? INLINE;

/**
 * State that outlives a reload where the host or the server keeps it. It is read late: until then,
 * and where there is none, it is the initial one.
 */
export function useWidgetState<S>(
  initial: S,
): [state: S, set: (next: S | ((before: S) => S)) => void];
export function useWidgetState<S>(): [
  state: S | null,
  set: (next: S | null | ((before: S | null) => S | null)) => void,
];
export function useWidgetState<S>(initial: S | null = null) {
  const client = useClient();
  const state = useValue("onStateChange", () => client.getState<S>());
  const set = useCallback(
    (next: S | ((before: S | null) => S)) => {
      const before = client.getState<S>() ?? initial;
      client.setState(
        typeof next === "function" ? (next as (one: typeof before) => S)(before) : next,
      );
    },
    [client, initial],
  );
  return [state ?? initial, set];
}
