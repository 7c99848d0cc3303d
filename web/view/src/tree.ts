// From any JSON to a tree that can be drawn: bounded, with unique keys, children always a list.

import { type Props, record, text } from "./prop";

export interface Branch {
  type: string;
  key: string;
  props: Props;
  kids: Branch[];
  /** Its number in the tree. */
  at: number;
  /** The number of the form that it is, from 1; 0 for all else. */
  form: number;
}

export interface Plan {
  root?: Branch | undefined;
  labels: Set<string>;
  /** Whether parts were left out because the tree is too large or too deep. */
  cut: boolean;
}

export const MOST = 4000;
export const DEEPEST = 60;

export function plan(tree: unknown): Plan {
  const result: Plan = { labels: new Set(), cut: false };
  let count = 0;
  let forms = 0;

  function grow(value: unknown, depth: number): Branch | undefined {
    const props = record(typeof value === "string" && depth ? { type: "Text", value } : value);
    const type = text(props?.type);
    if (!props || !type) return undefined;
    const at = ++count;
    // Options and the points of a chart are drawn too.
    for (const list of [props.options, props.data]) if (Array.isArray(list)) count += list.length;
    if (count > MOST || depth > DEEPEST) {
      result.cut = true;
      return undefined;
    }
    if (type === "Label") result.labels.add(text(props.fieldName));
    const form = type === "Form" || (type === "Card" && props.asForm === true) ? ++forms : 0;
    const kids: Branch[] = [];
    const taken = new Set<string>();
    for (const kid of [props.children].flat(4)) {
      const grown = grow(kid, depth + 1);
      if (!grown) continue;
      grown.key ||= `${grown.type}:${kids.length}`;
      while (taken.has(grown.key)) grown.key += "+";
      taken.add(grown.key);
      kids.push(grown);
    }
    return { type, key: text(props.key) || text(props.id), props, kids, at, form };
  }

  result.root = grow(tree, 0);
  return result;
}
