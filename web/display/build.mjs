// Builds the pages of the display tools: one HTML file each, with preact/compat in place of React.

import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";

const here = dirname(fileURLToPath(import.meta.url));
const KB = 1024;
const MOST = 60 * KB;

/** The pages and their titles, which a screen reader says before the page speaks for itself. */
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

/**
 * Writes the pages into `out`. `bundle(entry, extra)` gives the minified script of an entry below
 * `web`, `minifyCss(css)` a smaller style sheet, `page(template, style, script)` the whole file.
 */
export async function buildDisplay({ bundle, minifyCss, page }, out) {
  const read = (path) => readFileSync(join(here, path), "utf8");
  mkdirSync(out, { recursive: true });
  const template = read("page.html");
  const base = read("src/style.css");
  for (const [name, title] of Object.entries(PAGES)) {
    const own = `src/page/${name}.css`;
    const css = base + (existsSync(join(here, own)) ? read(own) : "");
    const code = await bundle(`display/src/page/${name}.tsx`, extra);
    const text = page(template.replace("TITLE", title), await minifyCss(css), code);
    const packed = gzipSync(text, { level: 9 }).length;
    const size = (bytes) => `${(bytes / KB).toFixed(1)} KB`;
    console.log(
      `${name}.html: ${size(Buffer.byteLength(text))}, gzipped ${size(packed)} of ${size(MOST)}`,
    );
    writeFileSync(join(out, `${name}.html`), text);
    if (packed > MOST) {
      console.error(`${name}.html is over its budget`);
      process.exitCode = 1;
    }
  }
}
