import type { Off } from "./types.js";

/** An event with its handlers. */
export interface Signal<V> {
  on(handler: (value: V) => unknown): Off;
  /** Calls all handlers at once, and gives what they return. */
  emit(value: V): Promise<unknown>[];
}

export const createSignal = <V>(): Signal<V> => {
  const handlers = new Set<(value: V) => unknown>();
  return {
    on: (handler) => {
      handlers.add(handler);
      return () => handlers.delete(handler);
    },
    // `async` keeps one handler's error from the next handler, and the browser reports it.
    emit: (value) => [...handlers].map(async (handler) => handler(value)),
  };
};
