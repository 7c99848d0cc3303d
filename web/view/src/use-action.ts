// Runs the actions of a component and tracks whether one is running.

import { useState } from "#react";
import type { Action, Origin, Part } from "./context";
import { collect, merge } from "./form-value";
import { match, record, text } from "./markup/prop";

/**
 * Returns whether the component should show that its action is running, and a function that runs an
 * action. The payload gets the values of the form that the component is in, or of the field alone.
 * `auto` is the loading behaviour of actions that do not set one.
 */
export function useAction(
  { node, context }: Pick<Part, "node" | "context">,
  auto: "self" | "none" | "container",
): [busy: boolean, run: (action: unknown, label?: string) => void] {
  const [busy, setBusy] = useState(false);
  const run = (value: unknown, label?: string) => {
    const given = record(value);
    const { onAction } = context.options;
    if (busy || !text(given?.type) || !onAction) return;
    const action = { ...given } as unknown as Action;
    const payload = merge(action.payload ?? undefined, collect(context.form ?? node, context));
    if (payload === undefined) delete action.payload;
    else action.payload = payload;
    const shownBy = match(action.loadingBehavior, /^(none|self|container)$/) ?? auto;
    const show = (on: boolean) => {
      if (shownBy === "self") setBusy(on);
      if (shownBy === "container") context.setBusy(on);
    };
    show(true);
    const from: Origin = { type: node.type };
    if (label) from.label = label;
    if (context.secrets.size) from.secret = true;
    onAction(action, from)
      .catch(() => {})
      .then(() => show(false));
  };
  return [busy, run];
}
