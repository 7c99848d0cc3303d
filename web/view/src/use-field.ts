// A field as its control sees it.

import { translate } from "@widgetcast/i18n";
import { your_answer } from "@widgetcast/i18n/host";
import { useReducer, useRef } from "#react";
import type { Part } from "./context";
import { current, fieldId, fieldName, initial, keyOf, storeOf } from "./form-value";
import { record, text, words } from "./markup/prop";
import { useAction } from "./use-action";

export interface Field<T> {
  value: T;
  set(value: T): void;
  /** Sets the value, and runs the action for a change. */
  change(value: T, label?: string): void;
  id: string;
  hint: string;
  /** Its id, and what names it for those who cannot see it. */
  naming: { id: string; "aria-label"?: string; "aria-labelledby"?: string };
}

export function useField<T extends string | boolean = string>(part: Part): Field<T> {
  const { node, context } = part;
  const { props } = node;
  const [, redraw] = useReducer((count: number) => count + 1, 0);
  const [, run] = useAction(part, "none");
  const name = fieldName(node);
  const id = name ? fieldId(context, name) : part.id;
  const hint = text((record(props.editable) ?? props).placeholder);
  const given = text(props.ariaLabel);
  const set = (value: T) => {
    const values = storeOf(node, context);
    const key = keyOf(name, context.form?.form);
    const first = initial(node);
    if (value === first) values.delete(key);
    else values.set(key, [value, first]);
    redraw();
    context.options.onValues?.(Object.fromEntries(context.values));
  };
  return {
    value: current(node, context.form?.form, context) as T,
    set,
    change(value, label) {
      set(value);
      run(props.onChangeAction, label || hint);
    },
    id,
    hint,
    naming:
      !given && context.labels.has(name)
        ? { id, "aria-labelledby": `${id}-label` }
        : {
            id,
            "aria-label":
              given || hint || words(name) || translate(your_answer, context.options.locale),
          },
  };
}

/** A reference that gives the focus once, without moving the page. */
export function useFocusOnce(wanted: unknown) {
  const done = useRef(false);
  return (element: HTMLElement | null) => {
    if (wanted !== true || done.current) return;
    done.current = true;
    element?.focus({ preventScroll: true });
  };
}
