// Vnodes as HTML text, so that a test can read them without a browser. Components that are asked for have no
// hooks; those inside are rendered by Preact.

import { type ComponentChild, Fragment, isValidElement } from "preact";
import { renderToStaticMarkup } from "preact-render-to-string";

const VOID = /^(br|hr|input)$/;

function attribute([given, value]: [string, unknown]): string {
  const name = given === "className" ? "class" : given;
  if (name === "children" || typeof value === "function" || value == null || value === false) {
    return "";
  }
  // React and Preact write no style without a property.
  if (name === "style" && Object.keys(value).length === 0) return "";
  if (value === true) return ` ${name}`;
  const plain =
    typeof value === "object"
      ? Object.entries(value)
          .map(([key, part]) => `${key}:${part}`)
          .join(";")
      : String(value);
  return ` ${name}="${plain}"`;
}

export function markup(node: ComponentChild | ComponentChild[], isInside = false): string {
  if (Array.isArray(node)) return node.map((one) => markup(one, isInside)).join("");
  if (node == null || typeof node === "boolean") return "";
  if (!isValidElement(node)) return String(node).replace(/&/g, "&amp;").replace(/</g, "&lt;");
  const { type, props } = node;
  const { children } = props;
  if (type === Fragment) return markup(children as ComponentChild, isInside);
  if (typeof type === "function") {
    if (isInside) return renderToStaticMarkup(node);
    return markup((type as (props: object) => ComponentChild)(props), true);
  }
  const { ref: _, ...shown } = props as Record<string, unknown>;
  const open = `<${type}${Object.entries(shown).map(attribute).join("")}>`;
  return VOID.test(String(type))
    ? open
    : `${open}${markup(children as ComponentChild, true)}</${type}>`;
}
