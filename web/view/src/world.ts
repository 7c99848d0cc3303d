// What every component can reach, and how its actions are fired.

import type { VNode } from "preact";
import { collect, merge } from "./form";
import type { IconNode } from "./icon";
import { match, type Props, record, text } from "./prop";
import type { Branch } from "./tree";

export interface Action {
  type: string;
  payload?: unknown;
  handler?: "client" | "server";
  loadingBehavior?: "auto" | "none" | "self" | "container";
  streaming?: boolean;
}

/** Where an action came from. */
export interface Origin {
  label?: string;
  type: string;
  /** Whether the payload may hold a password. */
  secret?: boolean;
}

/** What a tree needs from the world. */
export interface Stage {
  icons?: Record<string, IconNode>;
  locale?: string;
  /** Absent: actions are inert. */
  act?(action: Action, from: Origin): Promise<void>;
  /** Field values to start with, as `keep` gave them. */
  values?: Record<string, unknown>;
  /** Called with all values that differ from their defaults, whenever one changes. */
  keep?(values: Record<string, unknown>): void;
}

/** What a component passes on to those inside. */
export interface World {
  stage: Stage;
  /** The names of the fields that a Label names. */
  labels: Set<string>;
  dark: boolean;
  /** Value and the default it replaced, by form number and field name. */
  values: Map<string, [value: unknown, was: unknown]>;
  /** The same of passwords, which are not kept. */
  secrets: World["values"];
  /** A prefix for ids that no other drawing on the page shares. */
  id: string;
  /** The form around. */
  form?: Branch;
  /** Whether this is the head of a table. */
  head?: boolean;
  /** Shows that the root around waits. */
  hold(busy: boolean): void;
}

/** One component as it is drawn: a plain function gets this and returns what to show. */
export interface Part {
  branch: Branch;
  props: Props;
  world: World;
  /** What the component remembers, and a change of it. */
  // biome-ignore lint/suspicious/noExplicitAny: each component knows its own
  state: Record<string, any>;
  set(change: Props, then?: () => void): void;
  /** Elements that it needs again. */
  refs: Record<string, HTMLElement | null | undefined>;
  id: string;
  /** The children, in this world or in a changed one. */
  kids(change?: Partial<World>): VNode[];
}

/** Runs an action of a component with the values of the form around, or of the field alone. */
export function fire(
  part: Part,
  value: unknown,
  auto: "self" | "none" | "container",
  label?: string,
  busy = "busy",
): void {
  const { branch, world, state, set } = part;
  const given = record(value);
  if (state[busy] || !text(given?.type) || !world.stage.act) return;
  const action = { ...given } as unknown as Action;
  const payload = merge(action.payload ?? undefined, collect(world.form ?? branch, world));
  if (payload === undefined) delete action.payload;
  else action.payload = payload;
  const way = match(action.loadingBehavior, /^(none|self|container)$/) ?? auto;
  const show = (on: boolean) => {
    if (way === "self") set({ [busy]: on });
    if (way === "container") world.hold(on);
  };
  show(true);
  const from: Origin = { type: branch.type };
  if (label) from.label = label;
  if (world.secrets.size) from.secret = true;
  world.stage
    .act(action, from)
    .catch(() => {})
    .then(() => show(false));
}

// `submit` events never fire in a frame without allow-forms; this works there too.
export function valid(event: { currentTarget: Element }): boolean {
  return event.currentTarget.closest("form")?.reportValidity() !== false;
}
