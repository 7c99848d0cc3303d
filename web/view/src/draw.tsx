/** @jsxImportSource #jsx */
// Draws any tree into an element, and updates it in place.

import { directionOf, translate } from "@widgetcast/i18n";
import { empty, not_shown } from "@widgetcast/i18n/host";
import type { DrawOptions, RenderContext } from "./context";
import { fit } from "./fit";
import { renderFault } from "./markup/card";
import { Node } from "./node";
import { render } from "./render";
import { readTree } from "./tree";

interface Drawing {
  id: string;
  values: RenderContext["values"];
  secrets: RenderContext["values"];
  given?: DrawOptions["values"];
}

const drawings = new WeakMap<HTMLElement, Drawing>();
let count = 0;

export function draw(root: HTMLElement, tree: unknown, options: DrawOptions = {}): void {
  const drawing: Drawing = drawings.get(root) ?? {
    id: `wc${++count}`,
    values: new Map(),
    secrets: new Map(),
  };
  const { id, values, secrets } = drawing;
  drawings.set(root, drawing);
  if (options.values !== drawing.given) {
    drawing.given = options.values;
    for (const [key, pair] of Object.entries(options.values ?? {})) {
      if (Array.isArray(pair)) values.set(key, [pair[0], pair[1]]);
    }
  }
  const made = readTree(tree);
  const { locale } = options;
  const context = {
    options,
    labels: made.labels,
    required: made.required,
    heading: options.isDocument ? made.title : undefined,
    dark: isDark(root),
    values,
    secrets,
    id,
    setBusy() {},
  };
  render(
    <div className="wc" dir={made.isRtl ? "rtl" : directionOf(locale)} lang={locale || undefined}>
      {made.root ? (
        <Node key={made.root.type} node={made.root} context={context} top />
      ) : (
        renderFault(translate(not_shown, locale), "")
      )}
      {made.root?.type === "Basic" && !made.root.children[0] && (
        <div className="wc-quiet">{translate(empty, locale)}</div>
      )}
      {made.cut && <div className="wc-quiet">{translate(not_shown, locale)}: …</div>}
    </div>,
    root,
  );
  fit(root);
}

/** Draws a card that says what went wrong. */
export function drawFault(root: HTMLElement, title: string, detail: string): void {
  render(<div className="wc">{renderFault(title, detail)}</div>, root);
}

export function clear(root: HTMLElement): void {
  drawings.delete(root);
  render(null, root);
}

function isDark(root: HTMLElement): boolean {
  const { colorScheme = "" } = getComputedStyle(root);
  return /light/.test(colorScheme)
    ? /dark/.test(colorScheme) && matchMedia("(prefers-color-scheme: dark)").matches
    : /dark/.test(colorScheme);
}
