// Builds the pages of the display tools: one HTML file each, with preact/compat in place of React.

import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));

/** The pages and their titles, which a screen reader says before the page has drawn anything. */
export const PAGES = {
  "chat-view": "Chat",
  "dashboard-widget": "Dashboard",
  "search-results": "Search results",
  "pizzaz-table": "Table",
  "kitchen-sink-lite": "Demo",
  "pizzaz-carousel": "Carousel",
  "pizzaz-gallery": "Gallery",
  "pizzaz-markdown": "Document",
  "solar-system": "Solar system",
};

const extra = {
  jsx: "automatic",
  jsxImportSource: "react",
  inject: [],
  alias: {
    react: "preact/compat",
    "react/jsx-runtime": "preact/jsx-runtime",
    "react-dom/client": "preact/compat/client",
  },
};

const read = (path) => readFileSync(join(here, path), "utf8");

/**
 * The page of that name. `script(entry, extra)` gives the minified script of an entry below `web`,
 * `sheet(css)` a smaller style sheet, `page(template, style, script)` the whole file, and
 * `smallStyle()` what makes the sheet smaller that the components have in their script.
 */
export async function display({ script, sheet, page, smallStyle }, name) {
  const own = `src/page/${name}.css`;
  const css = read("src/style.css") + (existsSync(join(here, own)) ? read(own) : "");
  return page(
    read("page.html").replace("TITLE", PAGES[name]),
    await sheet(css),
    await script(`display/src/page/${name}.tsx`, { ...extra, plugins: [await smallStyle()] }),
  );
}
