// Runs in a browser: shows one case after the other in a frame, at every width, and notes what is wrong
// with its layout and what failed in it. Any engine can run it, so the engines are compared by it.

import { createMockHost } from "@widgetcast/client/mock";
import { faultsIn } from "./layout";
import type { Probe } from "./probe";

export interface Shown {
  name: string;
  /** The page that shows it, at this address. */
  page: string;
  input: Record<string, unknown>;
  result: Record<string, unknown>;
}

export interface Report {
  count: number;
  /** A line each: the case, the width, what is wrong. */
  faults: string[];
}

declare global {
  interface Window {
    report?: Report;
  }
}

const wait = (time: number) => new Promise((done) => setTimeout(done, time));

async function until(isThere: () => unknown, what: string): Promise<void> {
  for (let tries = 0; tries < 500; tries += 1) {
    if (isThere()) return;
    await wait(10);
  }
  throw new Error(`${what} within 5 s`);
}

/** Until the frame was laid out and drawn with its present width. */
async function settled(view: Window, width: number): Promise<void> {
  await until(() => view.innerWidth === width, `not ${width} px wide`);
  for (let round = 0; round < 3; round += 1)
    await new Promise((done) => view.requestAnimationFrame(() => setTimeout(done)));
}

async function faultsOf(one: Shown, widths: readonly number[]): Promise<string[]> {
  const frame = document.createElement("iframe");
  frame.title = one.name;
  frame.style.cssText = `position:absolute;top:0;left:0;border:0;width:${widths[0]}px;height:800px`;
  const context = { locale: "en-US", displayMode: "inline", theme: "light" } as const;
  const host = createMockHost({ frame, context });
  frame.src = one.page;
  document.body.append(frame);
  const faults: string[] = [];
  try {
    const view = frame.contentWindow as Window;
    await host.initialized;
    await host.input(one.input);
    await host.result(one.result);
    const isDrawn = () =>
      view.document.querySelector("main .wc > *, main .wc-page > :not(.skeleton)");
    await until(isDrawn, "nothing drawn");
    for (const width of widths) {
      frame.style.width = `${width}px`;
      await settled(view, width);
      faults.push(...faultsIn(view.document).map((fault) => `${width}: ${fault}`));
    }
    const { errors, violations } = (view as Window & { probe: Probe }).probe;
    const refused = violations.filter(({ directive }) => directive !== "img-src");
    faults.push(...errors, ...refused.map(({ directive, blocked }) => `${directive}: ${blocked}`));
  } catch (error) {
    faults.push(String(error));
  }
  host.close();
  frame.remove();
  return faults;
}

async function run(): Promise<void> {
  const answer = await fetch("/cases");
  const { cases, widths } = (await answer.json()) as { cases: Shown[]; widths: number[] };
  const faults: string[] = [];
  // A few at a time: most of it is waiting for the next frame of the screen.
  const rest = [...cases];
  const next = async () => {
    for (let one = rest.shift(); one; one = rest.shift()) {
      const { name } = one;
      faults.push(...(await faultsOf(one, widths)).map((fault) => `${name} ${fault}`));
    }
  };
  await Promise.all([next(), next(), next(), next(), next(), next()]);
  window.report = { count: cases.length, faults };
}

void run();
