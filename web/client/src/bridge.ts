// JSON-RPC 2.0 with the parent frame. It knows no method by name, only that a notification has
// "notifications" in it.

import { NotSupportedError } from "./error.js";

const UNKNOWN = -32601;

// biome-ignore lint/suspicious/noExplicitAny: what a host sends is read with care where it is used
export type Params = Record<string, any>;

/** Sends a request and gives its result, or sends a notification. */
// biome-ignore lint/suspicious/noExplicitAny: each caller knows the shape it asked for
export type Bridge = (method: string, params?: object) => any;

/**
 * Opens the bridge. `hear` takes what the host sends; for a request it gives the result, or nothing
 * if it does not know the method.
 */
export const openBridge = (
  timeout: number,
  hear: (method: string, params: Params) => Promise<object | undefined>,
): Bridge => {
  const host = parent;
  const waiting = new Map<unknown, (message: Params) => void>();
  let last = 0;

  // Frames may have an opaque origin and hosts do not name theirs, so the target is any.
  const post = (message: object) => host.postMessage({ jsonrpc: "2.0", ...message }, "*");

  addEventListener("message", async ({ source, data }) => {
    if (source !== host || data?.jsonrpc !== "2.0") return;
    const { id, method, params } = data;
    if (!method) return waiting.get(id)?.(data);
    const result = await hear(method, params ?? {});
    if (id !== undefined)
      post({ id, ...(result ? { result } : { error: { code: UNKNOWN, message: method } }) });
  });

  return (method, params = {}) =>
    /notif/.test(method)
      ? post({ method, params })
      : new Promise((resolve, reject) => {
          post({ id: ++last, method, params });
          const settle = ({ result, error }: Params) => {
            clearTimeout(timer);
            if (!error) resolve(result);
            else if (error.code === UNKNOWN) reject(new NotSupportedError(method));
            else reject(Object.assign(Error(), error));
          };
          waiting.set(last, settle);
          const timer = setTimeout(settle, timeout, {
            error: { message: `${method}: no answer` },
          });
        });
};
