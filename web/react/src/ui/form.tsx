/** @jsxImportSource react */
// A form. It works in a frame that lets no form submit: nothing here waits for that event.

import type { FormHTMLAttributes, ReactNode, RefAttributes } from "react";
import { boxLook, renderForm } from "../../../view/src/markup/box";
import type { ComponentProps } from "../../../view/src/markup/component-props";
import { usePending } from "./button";
import { FormContext } from "./form-context";
import { rooted } from "./root";
import { nativeOf } from "./token";

/** The values of a form's fields, by name. */
export type FormValues = Record<string, string | number | boolean>;

export interface FormProps<V = FormValues>
  extends Omit<FormHTMLAttributes<HTMLFormElement>, "onSubmit">,
    Pick<ComponentProps["Form"], "direction" | "gap"> {
  /**
   * Called with the values of all fields once they are valid. While a returned promise is pending, so is
   * the submit button. With the `call` of `useCallTool`, the values are the tool's input, which only the
   * server validates.
   */
  onSubmit?: ((values: V) => unknown) | undefined;
}

/** Checkboxes are booleans, number fields numbers; empty numbers and disabled fields are omitted. */
export function valuesOf(form: HTMLFormElement): FormValues {
  const values: FormValues = {};
  for (const field of form.elements) {
    const { name, type, value, checked, valueAsNumber, disabled } = field as HTMLInputElement;
    if (!name || disabled || (type === "radio" && !checked)) continue;
    if (type === "checkbox") values[name] = checked;
    else if (type !== "number") values[name] = value;
    else if (!Number.isNaN(valueAsNumber)) values[name] = valueAsNumber;
  }
  return values;
}

/** The first list that must have a value and has none. The browser checks its own controls alone. */
function unchosen(form: HTMLFormElement): HTMLElement | undefined {
  const wanted = "select[aria-required=true],button[aria-required=true]";
  return [...form.querySelectorAll<HTMLElement>(wanted)].find((list) => {
    // A list of ours keeps its value in the hidden field before it.
    const field = list.tagName === "SELECT" ? list : list.previousElementSibling;
    return !(field as HTMLInputElement | null)?.value;
  });
}

interface FormComponent {
  <V = FormValues>(props: FormProps<V> & RefAttributes<HTMLFormElement>): ReactNode;
  displayName?: string;
}

export const Form = /* @__PURE__ */ rooted<HTMLFormElement, FormProps>(
  "Form",
  ({ onSubmit, children, ...props }, ref) => {
    const [pending, run] = usePending();
    const submit = (form: HTMLFormElement) => {
      const empty = unchosen(form);
      if (empty) empty.focus();
      else if (!pending) run(() => onSubmit?.(valuesOf(form)));
    };
    return (
      <FormContext.Provider value={{ pending, submit }}>
        {renderForm(
          boxLook("Form", { ...props }, false),
          (event) => submit(event.currentTarget),
          children,
          { ...nativeOf(props), ref },
        )}
      </FormContext.Provider>
    );
  },
) as FormComponent;
