// A tree drawn inside this page, in a shadow root: neither the style nor the ids of one drawing
// reach another, or the page.

import type { Json } from "@widgetcast/schema";
import type { Theme } from "@widgetcast/theme";
import { clear, css, draw, fitCss } from "@widgetcast/view";
import { useEffect, useRef } from "preact/hooks";
import type { Drawing } from "./api";

let sheet: CSSStyleSheet | undefined;

function style(): CSSStyleSheet {
  if (!sheet) {
    sheet = new CSSStyleSheet();
    sheet.replaceSync(css + fitCss);
  }
  return sheet;
}

export function Picture(props: { tree: Json; icons: Drawing["icons"]; theme: Theme }) {
  const host = useRef<HTMLDivElement>(null);
  const inner = useRef<HTMLElement>(undefined);
  useEffect(() => {
    const element = host.current;
    if (!element) return;
    if (!inner.current) {
      const shadow = element.shadowRoot ?? element.attachShadow({ mode: "open" });
      shadow.adoptedStyleSheets = [style()];
      inner.current = document.createElement("div");
      // Centred by its place, it would be as wide as its longest row.
      inner.current.style.maxWidth = "100%";
      shadow.append(inner.current);
    }
    draw(inner.current, props.tree, props.icons ? { icons: props.icons } : {});
  }, [props.tree, props.icons, props.theme]);
  useEffect(
    () => () => {
      if (inner.current) clear(inner.current);
    },
    [],
  );
  return <div class="picture" ref={host} />;
}
