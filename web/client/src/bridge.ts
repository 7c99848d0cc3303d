// JSON-RPC 2.0 with the parent frame. It knows no method by name.

import { NotSupportedError } from "./error.js";

const METHOD_NOT_FOUND = -32601;

/** An object whose members are not validated. */
export type Params = Record<string, unknown>;

/** The members of a value, none if it is no object. */
export const membersOf = (value: unknown): Params =>
  typeof value === "object" && value ? (value as Params) : {};

export interface Bridge {
  /** Sends a request and gives its result. */
  request(method: string, params?: object): Promise<unknown>;
  /** Sends a notification: a message without an id, which is not answered. */
  notify(method: string, params?: object): void;
}

/**
 * Opens the bridge. `receive` takes what the host sends; for a request it gives the result, or
 * nothing if it does not know the method.
 */
export const openBridge = (
  timeout: number,
  receive: (method: string, params: Params) => Promise<object | undefined>,
): Bridge => {
  const host = parent;
  /** What to do with the answer, by the id of a request that is not answered yet. */
  const pending = new Map<unknown, (answer: Params) => void>();
  let lastId = 0;

  // Frames may have an opaque origin and hosts do not name theirs, so the target is any.
  const post = (message: object) => host.postMessage({ jsonrpc: "2.0", ...message }, "*");

  addEventListener("message", async ({ source, data }) => {
    const { jsonrpc, id, method, params } = membersOf(data);
    if (source !== host || jsonrpc !== "2.0") return;
    if (typeof method !== "string") {
      pending.get(id)?.(data);
      return;
    }
    const result = await receive(method, membersOf(params));
    if (id !== undefined)
      post({
        id,
        ...(result ? { result } : { error: { code: METHOD_NOT_FOUND, message: method } }),
      });
  });

  return {
    notify: (method, params = {}) => post({ method, params }),
    request: (method, params = {}) =>
      new Promise((resolve, reject) => {
        const id = ++lastId;
        const settle = ({ result, error }: Params) => {
          pending.delete(id);
          clearTimeout(timer);
          if (!error) resolve(result);
          else if (membersOf(error).code === METHOD_NOT_FOUND)
            reject(new NotSupportedError(method));
          else reject(Object.assign(Error(), error));
        };
        pending.set(id, settle);
        const timer = setTimeout(settle, timeout, { error: { message: `${method}: no answer` } });
        post({ id, method, params });
      }),
  };
};
