// What every component is given to draw itself with, and how its actions run.

import type { VNode } from "preact";
import { collect, merge } from "./form";
import type { IconNode } from "./icon";
import { match, type Props, record, text } from "./prop";
import type { TreeNode } from "./tree";

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

/** What a page gives for the drawing of a tree. */
export interface DrawOptions {
  icons?: Record<string, IconNode>;
  locale?: string;
  /** Runs an action; without it actions are inert. */
  onAction?(action: Action, from: Origin): Promise<void>;
  /** Field values to start with, as `onValues` gave them. */
  values?: Record<string, unknown>;
  /** Called with all values that differ from their defaults, whenever one changes. */
  onValues?(values: Record<string, unknown>): void;
}

/** What a component passes on to its children. */
export interface RenderContext {
  options: DrawOptions;
  /** The names of the fields that a Label names. */
  labels: Set<string>;
  dark: boolean;
  /** Value and the default it replaced, by form number and field name. */
  values: Map<string, [value: unknown, was: unknown]>;
  /** The same for passwords, which are not saved. */
  secrets: RenderContext["values"];
  /** A prefix for ids that no other drawing on the page shares. */
  id: string;
  /** The form that this is in. */
  form?: TreeNode;
  /** Whether this is in the head of a table. */
  head?: boolean;
  /** Fades and locks the root that this is in. */
  setBusy(busy: boolean): void;
}

/** What a component remembers between two drawings. Each uses a few of these. */
export interface State {
  /** An action runs: of the component itself, of a card's buttons, or one that locks a root. */
  busy?: boolean;
  confirming?: boolean;
  cancelling?: boolean;
  locked?: boolean;
  /** A list, a card or a select is open. */
  open?: boolean;
  /** What was typed into the search of a select, and the option that the keys are at. */
  query?: string;
  active?: number;
  /** The address of an image that could not be loaded. */
  broken?: string;
  /** The key of the child that a transition last showed. */
  childKey?: string;
}

/** One component as it is drawn: a plain function gets this and returns what to show. */
export interface Part {
  node: TreeNode;
  props: Props;
  context: RenderContext;
  state: State;
  /** Changes the state; `then` runs when that is drawn. */
  set(change: Partial<State>, then?: () => void): void;
  /** Elements that it needs again. */
  refs: Record<string, HTMLElement | null | undefined>;
  id: string;
  /** The children, in this context or in a changed one. */
  renderChildren(change?: Partial<RenderContext>): VNode[];
}

/** Runs an action of a component with the values of the form around, or of the field alone. */
export function runAction(
  part: Part,
  value: unknown,
  auto: "self" | "none" | "container",
  label?: string,
  busy: "busy" | "confirming" | "cancelling" = "busy",
): void {
  const { node, context, state, set } = part;
  const given = record(value);
  if (state[busy] || !text(given?.type) || !context.options.onAction) return;
  const action = { ...given } as unknown as Action;
  const payload = merge(action.payload ?? undefined, collect(context.form ?? node, context));
  if (payload === undefined) delete action.payload;
  else action.payload = payload;
  const shownBy = match(action.loadingBehavior, /^(none|self|container)$/) ?? auto;
  const show = (on: boolean) => {
    if (shownBy === "self") set({ [busy]: on });
    if (shownBy === "container") context.setBusy(on);
  };
  show(true);
  const from: Origin = { type: node.type };
  if (label) from.label = label;
  if (context.secrets.size) from.secret = true;
  context.options
    .onAction(action, from)
    .catch(() => {})
    .then(() => show(false));
}

// `submit` events never fire in a frame without allow-forms; this works there too.
export function valid(event: { currentTarget: Element }): boolean {
  return event.currentTarget.closest("form")?.reportValidity() !== false;
}
