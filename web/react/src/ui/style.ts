// The style sheet of the view, put into the document once.

import { css } from "../../../view/src/markup/style";

// Before all other styles, so that a page's own win where they are as specific.
const own = `
.wc-bare{display:contents}
.wc-page{display:flex;flex-direction:column;gap:12px;padding:var(--safe-area-top,0px) var(--safe-area-right,0px) var(--safe-area-bottom,0px) var(--safe-area-left,0px)}
body:has(.wc-page){margin:0}
`;

let isThere = false;

export function insertStyle(): void {
  if (isThere || typeof document === "undefined") return;
  isThere = true;
  const element = document.createElement("style");
  element.textContent = css + own;
  document.head.prepend(element);
  if (element.sheet) return;
  // A policy that forbids inline styles lets a script have sheets of its own.
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(css + own);
  document.adoptedStyleSheets = [sheet, ...document.adoptedStyleSheets];
}
