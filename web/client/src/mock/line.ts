// How a mock host reaches the client: in a frame, or in its own window.

import { trusted } from "../trust.js";

export interface Message {
  jsonrpc: "2.0";
  id?: number | string;
  method?: string;
  params?: Record<string, unknown>;
  result?: Record<string, unknown>;
  error?: { code: number; message: string; data?: unknown };
}

export interface Line {
  target: Window;
  /** Resolves when the client has taken the message. */
  post(message: unknown): Promise<void>;
  listen(receive: (message: Message) => void): void;
  close(): void;
}

export function frameLine(frame: HTMLIFrameElement): Line {
  const life = new AbortController();
  const taken = new Map<unknown, () => void>();
  let last = 0;
  return {
    get target() {
      return trusted<Window>(frame.contentWindow);
    },
    // Messages are taken in order: a ping that is answered shows that the one before it was taken.
    post: (message) =>
      new Promise((resolve) => {
        const id = `taken-${++last}`;
        taken.set(id, resolve);
        frame.contentWindow?.postMessage(message, "*");
        frame.contentWindow?.postMessage({ jsonrpc: "2.0", id, method: "ping" }, "*");
      }),
    listen: (receive) =>
      addEventListener(
        "message",
        ({ source, data }) => {
          if (source !== frame.contentWindow || data?.jsonrpc !== "2.0") return;
          const isTaken = taken.get(data.id);
          if (!isTaken) return receive(data);
          taken.delete(data.id);
          isTaken();
        },
        { signal: life.signal },
      ),
    close: () => life.abort(),
  };
}

/** This window's parent is replaced. */
export function windowLine(): Line {
  const target = window;
  // The window that the document belongs to: some test environments copy its members elsewhere.
  const { MessageEvent } = document.defaultView ?? target;
  const before = Object.getOwnPropertyDescriptor(target, "parent");
  let receive: (message: Message) => void = () => {};
  const parent = {
    postMessage(message: unknown) {
      const data = trusted<Message>(structuredClone(message));
      setTimeout(() => receive(data));
    },
  };
  Object.defineProperty(target, "parent", { value: parent, configurable: true, writable: true });
  return {
    target,
    post: (message) => {
      const event = new MessageEvent("message", { data: structuredClone(message) });
      // The constructor takes windows and ports alone.
      Object.defineProperty(event, "source", { value: parent });
      return new Promise((resolve) =>
        setTimeout(() => {
          target.dispatchEvent(event);
          resolve();
        }),
      );
    },
    listen(handler) {
      receive = handler;
    },
    close() {
      receive = () => {};
      if (before) Object.defineProperty(target, "parent", before);
      else Reflect.deleteProperty(target, "parent");
    },
  };
}
