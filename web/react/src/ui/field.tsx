/** @jsxImportSource react */
// Fields. Those with a control of the browser have its value and its events; a select, radio buttons
// and a date give their value itself.

import {
  type InputHTMLAttributes,
  type ReactNode,
  type TextareaHTMLAttributes,
  useId,
  useState,
} from "react";
import type { ComponentProps } from "../../../view/src/markup/component-props";
import * as markup from "../../../view/src/markup/field";
import {
  Select as SelectControl,
  type Words as SelectTexts,
} from "../../../view/src/markup/select";
import { renderLabel, renderMust } from "../../../view/src/markup/text";
import { rooted, useSurroundings } from "./root";
import { nativeOf } from "./token";

interface Labelled {
  /** Displayed above the field, and its accessible name. Without it, set `aria-label`. */
  label?: string | undefined;
}

type EntryLook = Labelled &
  Pick<ComponentProps["Input"], "variant" | "size" | "pill" | "gutterSize">;

/** A field below its label, if it has one. */
function labelled(
  label: string | undefined,
  required: boolean | undefined,
  id: string,
  field: ReactNode,
): ReactNode {
  if (!label) return field;
  const naming = { id: `${id}-label`, htmlFor: id };
  return (
    <div className="wc-col">
      {renderLabel({}, label, required && renderMust(label), naming)}
      {field}
    </div>
  );
}

/** What names a composed control for those who cannot see it. */
function naming(id: string, props: Chosen & Labelled) {
  const { label, "aria-label": said, "aria-labelledby": by } = props;
  return said
    ? { id, "aria-label": said }
    : { id, "aria-labelledby": by ?? (label && `${id}-label`) };
}

export interface InputProps
  extends EntryLook,
    Omit<InputHTMLAttributes<HTMLInputElement>, "size" | "color" | "type"> {
  type?: "text" | "number" | "email" | "password" | "tel" | "url" | "search" | "time" | undefined;
}

export const Input = /* @__PURE__ */ rooted<HTMLInputElement, InputProps>(
  "Input",
  ({ label, ...props }, ref) => {
    const own = useId();
    const id = props.id ?? own;
    const input = markup.renderInput({ ...props }, { ...nativeOf(props), id, ref });
    return labelled(label, props.required, id, input);
  },
);

export interface TextareaProps
  extends EntryLook,
    Pick<ComponentProps["Textarea"], "autoResize" | "maxRows">,
    Omit<TextareaHTMLAttributes<HTMLTextAreaElement>, "color"> {}

export const Textarea = /* @__PURE__ */ rooted<HTMLTextAreaElement, TextareaProps>(
  "Textarea",
  ({ label, ...props }, ref) => {
    const own = useId();
    const id = props.id ?? own;
    const area = markup.renderTextarea({ ...props }, { ...nativeOf(props), id, ref });
    return labelled(label, props.required, id, area);
  },
);

export interface CheckboxProps
  extends Omit<InputHTMLAttributes<HTMLInputElement>, "size" | "color" | "type"> {
  /** Displayed next to the checkbox. */
  label?: string | undefined;
}

export const Checkbox = /* @__PURE__ */ rooted<HTMLInputElement, CheckboxProps>(
  "Checkbox",
  ({ label, ...props }, ref) =>
    markup.renderTick(label, markup.renderMark(props.required, label), {
      ...nativeOf(props),
      ref,
    }),
);

interface Chosen {
  /** The value of a controlled field. */
  value?: string | undefined;
  defaultValue?: string | undefined;
  onChange?: ((value: string) => void) | undefined;
  /** The name of the value in the form. */
  name?: string | undefined;
  id?: string | undefined;
  disabled?: boolean | undefined;
  required?: boolean | undefined;
  "aria-label"?: string | undefined;
  "aria-labelledby"?: string | undefined;
}

/** The value of a field, its own or its user's. */
function useValue({
  value,
  defaultValue = "",
  onChange,
}: Chosen): [string, (next: string) => void] {
  const [own, setOwn] = useState(defaultValue);
  const set = (next: string) => {
    setOwn(next);
    onChange?.(next);
  };
  return [value ?? own, set];
}

export interface Option {
  value: string;
  label?: string | undefined;
  disabled?: boolean | undefined;
}

export interface RadioGroupProps
  extends Chosen,
    Labelled,
    Pick<ComponentProps["RadioGroup"], "direction"> {
  options: readonly Option[];
}

export const RadioGroup = /* @__PURE__ */ rooted<never, RadioGroupProps>("RadioGroup", (props) => {
  const own = useId();
  const { label, required, id = own, name = id } = props;
  const [value, set] = useValue(props);
  const tick = (option: Option) => ({
    name,
    checked: value === option.value,
    onChange: () => set(option.value),
  });
  const group = markup.renderRadios({ ...props }, tick, naming(id, props));
  return labelled(label, required, id, group);
});

type PickerLook = Labelled &
  Pick<
    ComponentProps["Select"],
    "variant" | "size" | "pill" | "block" | "clearable" | "placeholder"
  >;

export interface SelectProps
  extends Chosen,
    PickerLook,
    Pick<ComponentProps["Select"], "searchable"> {
  options: readonly (Option & { description?: string | undefined })[];
  /** Custom labels; by default, they are in the language of the page. */
  texts?: Partial<SelectTexts> | undefined;
}

export const Select = /* @__PURE__ */ rooted<never, SelectProps>("Select", (props) => {
  const own = useId();
  const { label, required, id = own, name, placeholder: hint = "", texts } = props;
  const [value, set] = useValue(props);
  const named = { ...naming(id, props), "aria-required": required || undefined };
  const field = { value, hint, id, name, naming: named };
  const { locale } = useSurroundings();
  const select = (
    <SelectControl
      props={{ ...props }}
      field={field}
      locale={locale}
      words={texts}
      onChoose={set}
    />
  );
  return labelled(label, required, id, select);
});

export interface DatePickerProps
  extends Chosen,
    PickerLook,
    Pick<ComponentProps["DatePicker"], "min" | "max"> {
  /** Custom labels; by default, they are in the language of the page. */
  texts?: Partial<DatePickerTexts> | undefined;
}

export interface DatePickerTexts {
  choose: string;
  clear: string;
}

/** A date; its value is `2026-03-09`. */
export const DatePicker = /* @__PURE__ */ rooted<never, DatePickerProps>("DatePicker", (props) => {
  const own = useId();
  const { label, required, id = own, name, placeholder, texts } = props;
  const { locale } = useSurroundings();
  const [value, set] = useValue(props);
  const hint = placeholder || texts?.choose || "";
  const date = { value, hint, locale, clear: () => set(""), label: texts?.clear };
  const input = markup.renderDate({ ...props }, date, {
    ...naming(id, props),
    name,
    required,
    onChange: (event: { currentTarget: { value: string } }) => set(event.currentTarget.value),
  });
  return labelled(label, required, id, input);
});
