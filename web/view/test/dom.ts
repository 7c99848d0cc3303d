// A document for tests that draw. Layout and style sheets are for the tests in a real browser.

import { Window } from "happy-dom";

const window = new Window({ url: "https://view.example/" });

Object.assign(globalThis, {
  document: window.document,
  getComputedStyle: window.getComputedStyle.bind(window),
  matchMedia: window.matchMedia.bind(window),
  ResizeObserver: window.ResizeObserver,
});

export function newRoot(): HTMLElement {
  const root = document.createElement("div");
  document.body.append(root);
  return root;
}

/** State changes are drawn after the current task. */
export function settle(): Promise<void> {
  return new Promise((done) => setTimeout(done, 10));
}

export function one<T extends HTMLElement = HTMLElement>(root: HTMLElement, css: string): T {
  const found = root.querySelector<T>(css);
  if (!found) throw new Error(`no ${css} in ${root.innerHTML}`);
  return found;
}

export function all(root: HTMLElement, css: string): HTMLElement[] {
  return [...root.querySelectorAll<HTMLElement>(css)];
}

export function send(element: HTMLElement, type: string, more: object = {}): void {
  const event = new window.Event(type, { bubbles: true, cancelable: true });
  element.dispatchEvent(Object.assign(event, more) as unknown as Event);
}

export function type(field: HTMLElement, value: string): void {
  (field as HTMLInputElement).value = value;
  send(field, "input");
}
