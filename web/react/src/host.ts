// Hooks about the host, and the state that it or the server keeps.

import type { Ability, DisplayMode, HostContext, Insets, Theme } from "@widgetcast/client";
import { useCallback, useMemo, useSyncExternalStore } from "react";
import { useClient, useValue } from "./client.js";

export const useHostContext = (): HostContext =>
  useValue("onHostContextChange", (client) => client.hostContext);

export const useTheme = (): Theme => useHostContext().theme;
export const useLocale = (): string => useHostContext().locale;

/** Whether the host can do this; `client.can`, asked again once the host has answered. */
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

/** The mode, and how to ask for another one; see `availableDisplayModes` of the host's context. */
export function useDisplayMode(): [
  mode: DisplayMode,
  request: (mode: DisplayMode) => Promise<{ mode: DisplayMode }>,
] {
  const { requestDisplayMode } = useClient();
  return [useHostContext().displayMode, requestDisplayMode];
}

/** How high the view may become; without a number as high as it likes. */
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

/** Which of its views the host shows, such as a modal, and with what. */
export const useView = (): NonNullable<HostContext["view"]> => useHostContext().view ?? INLINE;

type SetState<S> = (next: S | ((before: S) => S)) => void;

/**
 * State that outlives a reload where the host or the server keeps it. It is read late: until then,
 * and where there is none, it is the initial one.
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
