// A document for tests that run in Node: each call of `freshWindow` is a page that was just opened.

import { Window } from "happy-dom";

const NAMES = [
  "addEventListener",
  "removeEventListener",
  "dispatchEvent",
  "document",
  "navigator",
  "parent",
  "innerWidth",
  "innerHeight",
  "ResizeObserver",
  "MutationObserver",
  "CustomEvent",
  "MessageEvent",
  "Event",
  "File",
  "HTMLElement",
  "HTMLIFrameElement",
  "Node",
];

export function freshWindow(): Window {
  const page = new Window({ url: "https://view.example/", width: 640, height: 480 });
  // A page whose parent is another one, as in a frame; a mock host puts itself in its place.
  Object.defineProperty(page, "parent", {
    value: new Window(),
    configurable: true,
    writable: true,
  });
  define("window", () => page);
  for (const name of NAMES)
    define(name, () => {
      const value = (page as unknown as Record<string, unknown>)[name];
      return /^[a-z]/.test(name) && typeof value === "function" ? value.bind(page) : value;
    });
  return page;
}

const define = (name: string, get: () => unknown) =>
  Object.defineProperty(globalThis, name, { get, configurable: true });

export const tick = (milliseconds = 5) =>
  new Promise<void>((resolve) => setTimeout(resolve, milliseconds));
