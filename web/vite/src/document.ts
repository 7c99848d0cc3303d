// The documents of a page: one file with everything in it for hosts, and the module that a development
// server gives in its place.

export interface Page {
  name: string;
  /** Its module, as a path from the root of the project. */
  file: string;
}

/** Where the development server has the entry of a page. `Page::dev` in Rust knows it. */
export const ENTRY = "/@widgetcast/";

/** Whether a page is a React component that has to be mounted; other modules do so themselves. */
export const isReact = ({ file }: Page) => /\.[jt]sx$/.test(file);

/** The module that starts a page. */
export function entry(page: Page, preamble: string[]): string {
  const first = preamble.map((id) => `import ${JSON.stringify(id)};\n`).join("");
  const file = JSON.stringify(`/${page.file}`);
  if (!isReact(page)) return `${first}import ${file};\n`;
  return `${first}import { createElement } from "react";
import { createRoot } from "react-dom/client";
import Page from ${file};
createRoot(document.getElementById("root")).render(createElement(Page));
`;
}

/** The whole page. Nothing in the script or the style can end its element. */
export function html(name: string, script: string, style: string): string {
  if (/<\/style/i.test(style)) throw new Error(`page ${name}: a style sheet contains </style`);
  const code = script.replace(/<\/(script)/gi, "<\\/$1").replace(/<!--/g, "<\\!--");
  const title = name.replace(/[-_]+/g, " ");
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title.charAt(0).toUpperCase()}${title.slice(1)}</title>
${style && `<style>${style.trim()}</style>\n`}</head><body><div id="root"></div>
<script type="module">${code.trim()}</script></body></html>
`;
}
