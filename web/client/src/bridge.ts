// JSON-RPC 2.0 with the parent frame. Of the methods it knows only those of MCP that are about other
// requests: progress and cancellation.

import { NotSupportedError } from "./error.js";
import { trusted } from "./trust.js";
import type { CallOptions } from "./types.js";

const METHOD_NOT_FOUND = -32601;

/** An object whose members are not validated. */
export type Params = Record<string, unknown>;

/** The members of a value, none if it is no object. */
export const membersOf = (value: unknown): Params =>
  trusted(typeof value === "object" && value ? value : {});

export interface Bridge {
  /** Sends a request and gives its result. */
  request(method: string, params?: object, options?: CallOptions): Promise<unknown>;
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
  /** What to do with an answer or with progress, by the id of a request that is not answered yet. */
  const pending = new Map<unknown, (message: Params) => void>();
  let lastId = 0;

  // Frames may have an opaque origin and hosts do not name theirs, so the target is any.
  const post = (message: object) => host.postMessage({ jsonrpc: "2.0", ...message }, "*");
  const notify = (method: string, params: object = {}) => post({ method, params });

  addEventListener("message", async ({ source, data }) => {
    const { jsonrpc, id, method, params: given } = membersOf(data);
    if (source !== host || jsonrpc !== "2.0") return;
    const params = membersOf(given);
    const isProgress = method === "notifications/progress";
    // A response has no method, and a notification has no id.
    if (isProgress || typeof method !== "string") {
      pending.get(isProgress ? params.progressToken : id)?.(data);
      return;
    }
    const result = await receive(method, params);
    if (id !== undefined)
      post({
        id,
        ...(result ? { result } : { error: { code: METHOD_NOT_FOUND, message: method } }),
      });
  });

  return {
    notify,
    request: (method, params = {}, { signal, onProgress } = {}) =>
      new Promise((resolve, reject) => {
        const id = ++lastId;
        let timer: ReturnType<typeof setTimeout>;
        const wait = () => {
          clearTimeout(timer);
          timer = setTimeout(settle, timeout, { error: { message: `${method}: no answer` } });
        };
        const end = () => {
          pending.delete(id);
          clearTimeout(timer);
          signal?.removeEventListener("abort", cancel);
        };
        // Whoever gave the signal does not wait: the promise stays as it is.
        const cancel = () => {
          end();
          notify("notifications/cancelled", { requestId: id, reason: `${signal?.reason}` });
        };
        const settle = ({ params: progress, result, error }: Params) => {
          if (progress) {
            wait();
            onProgress?.(trusted(progress));
            return;
          }
          end();
          if (!error) resolve(result);
          else if (membersOf(error).code === METHOD_NOT_FOUND)
            reject(new NotSupportedError(method));
          else reject(Object.assign(Error(), error));
        };
        pending.set(id, settle);
        signal?.addEventListener("abort", cancel);
        wait();
        post({
          id,
          method,
          params: onProgress ? { ...params, _meta: { progressToken: id } } : params,
        });
      }),
  };
};
