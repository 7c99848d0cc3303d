// Hooks about the host, and the state that it or the server keeps.

import type { Ability, DisplayMode, HostContext, Insets, Theme } from "@widgetcast/client";
import { useCallback, useMemo, useSyncExternalStore } from "react";
import { useClient, useValue } from "./client.js";

export const useHostContext = (): HostContext =>
  useValue("onHostContextChange", (client) => client.hostContext);

export const useTheme = (): Theme => useHostContext().theme;
export const useLocale = (): string => useHostContext().locale;

/** Whether the host supports this: `client.can`, updated once the host has responded. */
export function useCan(ability: Ability): boolean {
  const client = useClient();
  const subscribe = useCallback(
    (listener: () => void) => {
      let isOver = false;
      const tell = () => isOver || listener();
      client.ready.then(tell);
      // The server's state is known with the first result.
      const offs = [
        client.onHostContextChange(tell),
        client.onTool(undefined, () => queueMicrotask(tell)),
      ];
      return () => {
        isOver = true;
        for (const off of offs) off();
      };
    },
    [client],
  );
  const snapshot = () => client.can(ability);
  return useSyncExternalStore(subscribe, snapshot, snapshot);
}

/** The display mode, and a function that requests another; `HostContext` lists the available ones. */
export function useDisplayMode(): [
  mode: DisplayMode,
  request: (mode: DisplayMode) => Promise<{ mode: DisplayMode }>,
] {
  const { requestDisplayMode } = useClient();
  return [useHostContext().displayMode, requestDisplayMode];
}

/** The maximum height of the view in pixels; `undefined` if there is no limit. */
export const useMaxHeight = (): number | undefined => useHostContext().viewport.maxHeight;

const NO_INSETS: Insets = { top: 0, right: 0, bottom: 0, left: 0 };

export function useSafeArea(): { insets: Insets } {
  const { safeAreaInsets: insets = NO_INSETS } = useHostContext();
  return useMemo(() => ({ insets }), [insets]);
}

export interface UserAgent {
  device: { type: HostContext["deviceType"] };
  capabilities: { hover?: boolean; touch?: boolean };
}

export function useUserAgent(): UserAgent {
  const { deviceType: type, deviceCapabilities: capabilities } = useHostContext();
  return useMemo(
    () => ({ device: { type }, capabilities: capabilities ?? {} }),
    [type, capabilities],
  );
}

const INLINE: NonNullable<HostContext["view"]> = { mode: "inline" };

/** The kind of view that the host shows, such as a modal, and its parameters. */
export const useView = (): NonNullable<HostContext["view"]> => useHostContext().view ?? INLINE;

type SetState<S> = (next: S | ((before: S) => S)) => void;

/**
 * State that survives a reload if the host or the server stores it. Until the stored state is loaded,
 * and if there is none, it is the initial one.
 */
export function useViewState<S>(initial: S): [state: S, set: SetState<S>];
export function useViewState<S>(): [state: S | null, set: SetState<S | null>];
export function useViewState<S>(
  initial: S | null = null,
): [state: S | null, set: SetState<S | null>] {
  const client = useClient();
  const state = useValue("onStateChange", () => client.getState<S>());
  const set: SetState<S | null> = useCallback(
    (next) => {
      const before = client.getState<S>() ?? initial;
      client.setState(isUpdate(next) ? next(before) : next);
    },
    [client, initial],
  );
  return [state ?? initial, set];
}

const isUpdate = <S>(next: S | ((before: S) => S)): next is (before: S) => S =>
  typeof next === "function";
