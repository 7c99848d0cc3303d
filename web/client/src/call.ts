// Calls of one tool, and what the last of them has come to: for buttons and forms, in any framework.

import { createSignal } from "./signal.js";
import { trusted } from "./trust.js";
import type {
  AppsClient,
  Off,
  Progress,
  ToolArguments,
  ToolName,
  ToolOutput,
  ToolRegistry,
} from "./types.js";

/** The state of the last call. */
export interface CallState<O> {
  pending: boolean;
  /** The tool's output, if it succeeded. */
  output?: O;
  /** The error, if the call failed. Cancellation is not an error. */
  error?: Error;
  progress?: Progress;
}

export interface ToolCall<T, K> {
  /** The same object until something changes. */
  readonly state: CallState<ToolOutput<T, K>>;
  /** Calls the handler immediately, and after each change. */
  subscribe(handler: (state: CallState<ToolOutput<T, K>>) => void): Off;
  /**
   * Resolves to the tool's output, or to `undefined` if the call failed or was cancelled; never rejects.
   * With concurrent calls, the state is that of the last one; the others run to completion.
   */
  call(...args: ToolArguments<T, K>): Promise<ToolOutput<T, K> | undefined>;
  /** Cancels the last call, if it is pending. */
  cancel(): void;
  /** Resets the state; a pending call runs to completion. */
  reset(): void;
}

export function createCall<T = ToolRegistry, K extends ToolName<T> = ToolName<T>>(
  client: Pick<AppsClient<T>, "callTool">,
  name: K,
): ToolCall<T, K> {
  type State = CallState<ToolOutput<T, K>>;
  const change = createSignal<State>();
  let state: State = { pending: false };
  let last: AbortController | undefined;

  const set = (next: State) => {
    state = next;
    change.emit(next);
  };

  return {
    get state() {
      return state;
    },
    subscribe(handler) {
      handler(state);
      return change.on(handler);
    },
    async call(...[args, options = {}]) {
      const { signal, onProgress } = options;
      const own = new AbortController();
      const abort = () => own.abort(signal?.reason);
      const report = (next: State) => last === own && set(next);
      const wishes = {
        signal: own.signal,
        onProgress: (progress: Progress) => {
          report({ pending: true, progress });
          onProgress?.(progress);
        },
      };
      last = own;
      set({ pending: true });
      if (signal?.aborted) abort();
      signal?.addEventListener("abort", abort);
      try {
        const given = trusted<ToolArguments<T, K>>([args, wishes]);
        const output = await client.callTool(name, ...given);
        report({ pending: false, output });
        return output;
      } catch (error) {
        const isCancelled = own.signal.aborted;
        report({ pending: false, ...(!isCancelled && { error: trusted<Error>(error) }) });
        return undefined;
      } finally {
        signal?.removeEventListener("abort", abort);
      }
    },
    cancel: () => last?.abort(),
    reset() {
      last = undefined;
      set({ pending: false });
    },
  };
}
