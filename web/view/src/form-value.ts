// Fields without their controls: what they are called, what they hold, and how their values join the
// payload of an action.

import type { RenderContext } from "./context";
import { day, number, type Props, payloadOf, record, text } from "./markup/prop";
import type { TreeNode } from "./tree";

export interface Entry {
  name: string;
  value: unknown;
}

/** A password: it goes to tools alone, never into a message, and is not saved. */
export const isSecret = ({ props }: TreeNode) => props.inputType === "password";

/** The name of a field; nothing else has one. */
export function fieldName({ type, props }: TreeNode): string {
  if (type === "Text") return text(record(props.editable)?.name);
  return /^(Input|Textarea|Select|DatePicker|Checkbox|RadioGroup)$/.test(type)
    ? text(props.name)
    : "";
}

export function initial({ type, props }: TreeNode): string | boolean {
  if (type === "Checkbox") return props.defaultChecked === true;
  if (type === "DatePicker") return day(props.defaultValue);
  return text(type === "Text" ? props.value : props.defaultValue);
}

/** What an action gets of a value. */
function sent({ type, props }: TreeNode, value: string | boolean): unknown {
  if (type === "Input" && props.inputType === "number") return number(value, -1e308, 1e308);
  if (/^(Input|Textarea|Text|Checkbox)$/.test(type)) return value;
  // A time in the default stays with the date that replaces it.
  const given = text(props.defaultValue);
  return value ? value + (type === "DatePicker" && day(given) ? given.slice(10) : "") : undefined;
}

export const keyOf = (name: string, form: number | undefined) => `${form ?? 0}:${name}`;
/** Where a field's value is held. */
export const storeOf = (node: TreeNode, context: RenderContext) =>
  isSecret(node) ? context.secrets : context.values;

export function current(
  node: TreeNode,
  form: number | undefined,
  context: RenderContext,
): string | boolean {
  const kept = storeOf(node, context).get(keyOf(fieldName(node), form));
  const first = initial(node);
  // A new default replaces what was typed; the same default keeps it, so that a second result does
  // not undo the reader's work.
  return kept?.[1] === first && typeof kept[0] === typeof first ? (kept[0] as string) : first;
}

/** The values in a form, or of a field that is in none. */
export function collect(top: TreeNode, context: RenderContext): Entry[] {
  const found: Entry[] = [];
  const visit = (node: TreeNode) => {
    const name = fieldName(node);
    if (name && node.props.disabled !== true) {
      const value = sent(node, current(node, top.form, context));
      if (value !== undefined) found.push({ name, value });
    }
    for (const child of node.children) if (!child.form) visit(child);
  };
  // What is no form and no field, such as a button outside, has no values.
  if (top.form || fieldName(top)) visit(top);
  return found;
}

/** The payload with the values of the fields; a key that the payload already has wins. */
export function merge(payload: unknown, entries: Entry[]): unknown {
  if (entries.length === 0) return payload;
  // A copy: the payload belongs to the tree.
  const root: Props = structuredClone(payloadOf(payload));
  next: for (const { name, value } of entries) {
    const path = name.split(".");
    const last = path.pop() as string;
    let at = root;
    if (/(^|\.)(__proto__|constructor|prototype|)(\.|$)/.test(name)) continue;
    for (const part of path) {
      if (!Object.hasOwn(at, part)) at[part] = {};
      const inner = record(at[part]);
      if (!inner) continue next;
      at = inner;
    }
    if (!Object.hasOwn(at, last)) at[last] = value;
  }
  return root;
}

export function fieldId(context: RenderContext, name: string): string {
  return `${context.id}-${keyOf(name, context.form?.form).replace(/[^\w.-]/g, "_")}`;
}
