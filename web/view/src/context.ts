// What every component of a tree is given to draw itself with.

import type { ReactElement } from "react";
import type { Action, ComponentProps } from "./markup/component-props";
import type { IconNode } from "./markup/icon";
import type { Given, Props } from "./markup/prop";
import type { TreeNode } from "./tree";

export type { Action };

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
  /** Whether it is a document by itself, whose first title is its main heading. */
  isDocument?: boolean;
  /** Called with all values that differ from their defaults, whenever one changes. */
  onValues?(values: Record<string, unknown>): void;
}

/** What a component passes on to its children. */
export interface RenderContext {
  options: DrawOptions;
  /** The names of the fields that a Label names. */
  labels: Set<string>;
  /** The names of the fields that must be filled in. */
  required: Set<string>;
  /** The number of the component that is the main heading, if there is one. */
  heading?: number | undefined;
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

/** What a component of a tree is called with. */
export interface Part<P = Props> {
  node: TreeNode;
  /** The props of the node. */
  props: P;
  context: RenderContext;
  /** An id that nothing else on the page has. */
  id: string;
  /** The children, in this context or in a changed one. */
  renderChildren(change?: Partial<RenderContext>): ReactElement[];
}

export type PartOf<K extends keyof ComponentProps> = Part<Given<K>>;
