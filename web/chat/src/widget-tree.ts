// Changes inside the tree of a widget. A tree is never changed itself: what is on the way to a change
// is copied, and all else is shared, so that a drawing can tell what is new.

import type { Widget } from "./protocol";

const isWidget = (value: unknown): value is Widget =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Deeper trees are not drawn either. */
const MAX_DEPTH = 60;

/** The tree with the component of that id changed; the same tree if there is none. */
export function changeComponent(
  tree: Widget,
  id: string,
  change: (component: Widget) => Widget,
  depth = 0,
): Widget {
  if (tree.id === id) return change(tree);
  if (depth > MAX_DEPTH) return tree;
  const visit = (child: unknown) =>
    isWidget(child) ? changeComponent(child, id, change, depth + 1) : child;
  const { children } = tree;
  if (Array.isArray(children)) {
    const next = children.map(visit);
    return next.some((child, at) => child !== children[at]) ? { ...tree, children: next } : tree;
  }
  const next = visit(children);
  return next === children ? tree : { ...tree, children: next };
}

/** The tree after more text of a component that is still written. */
export const appendText = (tree: Widget, id: string, delta: string, done: boolean): Widget =>
  changeComponent(tree, id, (component) => ({
    ...component,
    value: `${component.value ?? ""}${delta}`,
    streaming: !done,
  }));
