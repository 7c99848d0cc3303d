// The client that the hooks share: made when the first hook runs, unless a provider gives another.

import { type AppsClient, createClient } from "@widgetcast/client";
import {
  createContext,
  createElement,
  type ReactNode,
  useCallback,
  useContext,
  useSyncExternalStore,
} from "react";

const Context = createContext<AppsClient | undefined>(undefined);
let shared: AppsClient | undefined;

/** Provides a custom client to the hooks below it, such as one with a name or a mock. */
export function ClientProvider(props: { client: AppsClient; children?: ReactNode }): ReactNode {
  return createElement(Context.Provider, { value: props.client }, props.children);
}

export function useClient(): AppsClient {
  const given = useContext(Context);
  if (given) return given;
  shared ??= createClient();
  return shared;
}

type Event =
  | "onToolInput"
  | "onToolInputPartial"
  | "onToolResult"
  | "onHostContextChange"
  | "onStateChange";

/** A value of the client, read again after each such event. */
export function useValue<V>(event: Event, read: (client: AppsClient) => V): V {
  const client = useClient();
  const subscribe = useCallback((listener: () => void) => client[event](listener), [client, event]);
  const snapshot = () => read(client);
  return useSyncExternalStore(subscribe, snapshot, snapshot);
}
