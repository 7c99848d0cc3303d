// From any JSON to a tree that can be drawn: bounded, with unique keys, children always a list.

import { isFromRight, type Props, record, text } from "./markup/prop";
import { FIRST_ROWS } from "./markup/table";

export interface TreeNode {
  type: string;
  key: string;
  props: Props;
  children: TreeNode[];
  /** Its number in the tree, from 1. */
  index: number;
  /** The number of the form that it is, from 1; 0 for all else. */
  form: number;
}

export interface ReadTree {
  root?: TreeNode | undefined;
  labels: Set<string>;
  /** The names of the fields that must be filled in. */
  required: Set<string>;
  /** The number of the first title. */
  title?: number;
  /** Whether its first letter is of a script that is written from right to left. */
  isRtl?: boolean | undefined;
  /** Whether parts were left out because the tree is too large or too deep. */
  cut: boolean;
}

export const MAX_NODES = 4000;
export const MAX_DEPTH = 60;

export function readTree(tree: unknown): ReadTree {
  const result: ReadTree = { labels: new Set(), required: new Set(), cut: false };
  let numbered = 0;
  // What is drawn at once.
  let count = 0;
  let forms = 0;

  function read(value: unknown, depth: number): TreeNode | undefined {
    const props = record(typeof value === "string" && depth ? { type: "Text", value } : value);
    const type = text(props?.type);
    if (!props || !type) return undefined;
    const index = ++numbered;
    count += 1;
    // Options and the points of a chart are drawn too.
    for (const list of [props.options, props.data]) if (Array.isArray(list)) count += list.length;
    if (count > MAX_NODES || depth > MAX_DEPTH) {
      result.cut = true;
      return undefined;
    }
    if (type === "Title" && props.value) result.title ??= index;
    result.isRtl ??= isFromRight(text(record(props.status)?.text) || text(props.value));
    if (type === "Label") result.labels.add(text(props.fieldName));
    const field = record(props.editable) ?? props;
    if (field.required === true) result.required.add(text(field.name));
    const form = type === "Form" || (type === "Card" && props.asForm === true) ? ++forms : 0;
    const children: TreeNode[] = [];
    const taken = new Set<string>();
    for (const child of [props.children].flat(4)) {
      const before = count;
      const node = read(child, depth + 1);
      if (!node) continue;
      // Further rows of a table are drawn when someone asks for them.
      if (type === "Table" && children.length > FIRST_ROWS) count = before + 1;
      node.key ||= `${node.type}:${children.length}`;
      while (taken.has(node.key)) node.key += "+";
      taken.add(node.key);
      children.push(node);
    }
    return { type, key: text(props.key) || text(props.id), props, children, index, form };
  }

  result.root = read(tree, 0);
  return result;
}
