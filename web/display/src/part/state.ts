// What a page keeps between its openings: by the host, else by the server, else for as long as it is
// open. It comes late, and what comes is untrusted.

import { useClient } from "@widgetcast/react";
import { useCallback, useSyncExternalStore } from "react";
import { type Fields, isRecord } from "./list";

/** The members that are kept, and a function that changes some of them. */
export function useKept(): [kept: Fields, keep: (change: Fields) => void] {
  const client = useClient();
  const read = () => client.getState<unknown>();
  const kept = useSyncExternalStore(
    useCallback((listener) => client.onStateChange(listener), [client]),
    read,
    read,
  );
  const keep = useCallback(
    (change: Fields) => {
      const before = client.getState<unknown>();
      client.setState({ ...(isRecord(before) ? before : {}), ...change });
    },
    [client],
  );
  return [isRecord(kept) ? kept : {}, keep];
}
