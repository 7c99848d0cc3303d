// Builds the pages and writes each into the crate that embeds it: `node build.mjs`.
// They are committed, so that cargo needs no Node. `--out DIR` writes below DIR instead of the root
// of the repository; build.test.ts compares that with what is committed. The same sources give the
// same bytes: nothing here reads a clock, a path of this machine or the network.

import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";
import { minifySync } from "rolldown/utils";
import { PAGES as DISPLAY_PAGES, display } from "./display/build.mjs";
import { buildStats, HELPDESK } from "./example.mjs";
import { iconSheet } from "./view/icon-sheet.mjs";
import { allIcons, roundDrawing, writePageIcons } from "./view/icons.mjs";

const here = dirname(fileURLToPath(import.meta.url));
const { values } = parseArgs({ options: { out: { type: "string", default: dirname(here) } } });
const out = resolve(values.out);
const KB = 1024;
const TARGET = ["chrome123", "firefox121", "safari17.5"];
const { paths } = JSON.parse(readFileSync(join(here, "tsconfig.json"), "utf8")).compilerOptions;
const read = (path) => readFileSync(join(here, path), "utf8");

/** One minified script of a module and all it imports. */
async function script(entry, extra = {}) {
  const result = await build({
    entryPoints: [join(here, entry)],
    absWorkingDir: here,
    // Of the project's settings only the paths: `h(…)` is shorter than the automatic JSX runtime.
    tsconfigRaw: { compilerOptions: { paths, target: "ES2022", baseUrl: here } },
    jsx: "transform",
    jsxFactory: "h",
    jsxFragment: "Fragment",
    inject: [join(here, "view/h.js")],
    bundle: true,
    minify: true,
    write: false,
    format: "iife",
    target: TARGET,
    legalComments: "none",
    // The view names a runtime for its other build, by React; here JSX is `h(…)`.
    // Bare imports are there for their order.
    logOverride: { "unsupported-jsx-comment": "silent", "ignored-bare-import": "silent" },
    charset: "utf8",
    logLevel: "warning",
    ...extra,
  });
  return result.outputFiles[0].text;
}

/** The exports of a module that is written in TypeScript. */
async function exportsOf(entry, extra = {}) {
  const code = await script(entry, { format: "esm", minify: false, ...extra });
  return import(`data:text/javascript;base64,${Buffer.from(code).toString("base64")}`);
}

/** A minified style sheet, its imports included. */
async function sheet(css, folder = here) {
  const result = await build({
    stdin: { contents: css, loader: "css", resolveDir: folder },
    bundle: true,
    minify: true,
    write: false,
    target: TARGET,
    charset: "utf8",
    logLevel: "warning",
  });
  return result.outputFiles[0].text.trim();
}

/** Fills the two marks of a template, so that nothing inside can end its element. */
function page(template, style, code) {
  const safe = {
    "/*style*/": style,
    "/*script*/": code.replace(/<\/(script)/gi, "<\\/$1").replace(/<!--/g, "<\\!--"),
  };
  if (/<\/style/i.test(style)) throw new Error("a style sheet must not contain </style");
  let text = template.replace(/>\s*\n\s*</g, "><").trim();
  for (const [mark, content] of Object.entries(safe)) {
    if (text.split(mark).length !== 2) throw new Error(`the template needs one ${mark}`);
    // A function, because `$` in a replacement has a meaning.
    text = text.replace(mark, () => content.trim());
  }
  return text;
}

/** An esbuild plugin that gives the files that match other contents. */
const replaceFile = (filter, loader, contents) => ({
  name: String(filter),
  setup: ({ onLoad }) => onLoad({ filter }, ({ path }) => ({ contents: contents(path), loader })),
});

const roundIcons = replaceFile(/icon-data\.json$/, "json", (path) => {
  const icons = Object.entries(JSON.parse(readFileSync(path, "utf8")));
  return JSON.stringify(Object.fromEntries(icons.map(([k, v]) => [k, roundDrawing(v)])));
});

/** Gives the shortest names to what is named most often: 1,000 bytes less after gzip than by esbuild alone. */
async function smallScript(entry) {
  return minifySync("page.js", await script(entry, { plugins: [roundIcons] })).code;
}

async function view() {
  const { css, pageCss } = await exportsOf("view/src/markup/style.ts");
  const style = await sheet(css + pageCss);
  return page(read("view/page.html"), style, await smallScript("view/src/page.tsx"));
}

/** For scripts that carry the view's style sheet as a string: minifies it there, too. */
async function smallStyle() {
  const { css, fitCss } = await exportsOf("view/src/markup/style.ts");
  const small = { css: await sheet(css), fitCss: await sheet(fitCss) };
  const contents = Object.entries(small)
    .map(([name, style]) => `export const ${name} = ${JSON.stringify(style)};`)
    .join("");
  return replaceFile(/view\/src\/markup\/style\.ts$/, "ts", () => contents);
}

async function gallery() {
  return page(
    read("gallery/index.html"),
    await sheet(read("gallery/src/style.css"), join(here, "gallery/src")),
    await script("gallery/src/main.tsx", { plugins: [await smallStyle()] }),
  );
}

/** The outer frame of a view in the gallery. */
async function frame() {
  const style =
    ":root{color-scheme:light dark}html,body,iframe{display:block;width:100%;height:100%;margin:0;border:0;overflow:hidden}";
  return page(read("gallery/frame.html"), style, await script("gallery/src/proxy.ts"));
}

async function example() {
  const { default: widgetcast } = await exportsOf("vite/src/index.ts", { platform: "node" });
  return buildStats(widgetcast, HELPDESK);
}

/** The page to talk in. What may run in it is named by hash; what it may load, by who serves it. */
async function chat() {
  const { css, fitCss } = await exportsOf("view/src/markup/style.ts");
  const own = await sheet(read("chat/src/style.css"), join(here, "chat/src"));
  const text = page(
    read("chat/index.html"),
    (await sheet(css + fitCss)) + own,
    await smallScript("chat/src/main.tsx"),
  );
  const hash = (tag) => {
    const inside = text.slice(
      text.indexOf(`<${tag}>`) + tag.length + 2,
      text.lastIndexOf(`</${tag}>`),
    );
    return `'sha256-${createHash("sha256").update(inside).digest("base64")}'`;
  };
  const policy = `script-src ${hash("script")};style-src ${hash("style")};object-src 'none';base-uri 'none'`;
  return text.replace("POLICY", policy);
}

// Whose work a script holds goes with it; gallery/NOTICE has the licences.
const CARDS_BANNER = {
  js: "/*! adaptivecards (c) 2017 Microsoft, swiper (c) 2019 Vladimir Kharlampidi; MIT; icons (c) 2026 Lucide, ISC */",
};
const SCHEMAS_BANNER = {
  js: "/*! zod (c) 2025 Colin McDonnell, MIT; schemas (c) the contributors of MCP, MIT and Apache-2.0 */",
};

/** What goes into which crate, and how many bytes it may have after gzip. */
const outputs = [
  ["crates/widgetcast/pages/icons.tsv", allIcons, Number.POSITIVE_INFINITY],
  ["docs/icons.svg", iconSheet, Number.POSITIVE_INFINITY],
  ["crates/widgetcast/pages/view.html", view, 46.25 * KB],
  ["crates/widgetcast/pages/gallery.html", gallery, Number.POSITIVE_INFINITY],
  ["crates/widgetcast/pages/frame.html", frame, 2 * KB],
  // It registers its elements as it is loaded, which its package denies.
  [
    "crates/widgetcast/pages/cards.js",
    () =>
      script("gallery/src/lazy/cards.ts", {
        ignoreAnnotations: true,
        banner: CARDS_BANNER,
        plugins: [roundIcons],
      }),
    100 * KB,
  ],
  [
    "crates/widgetcast/pages/schemas.js",
    () => script("gallery/src/lazy/schemas.ts", { banner: SCHEMAS_BANNER }),
    120 * KB,
  ],
  ["crates/chatkit/pages/chat.html", chat, 70 * KB],
  ...Object.keys(DISPLAY_PAGES).map((name) => [
    `crates/display/pages/${name}.html`,
    () => display({ script, sheet, page, smallStyle }, name),
    60 * KB,
  ]),
  ["examples/helpdesk/web/dist/stats.html", example, 100 * KB],
];

// First: the script of the view imports the file that this writes.
await writePageIcons();
for (const [path, make, budget] of outputs) {
  const text = await make();
  const size = gzipSync(text, { level: 9 }).length;
  const kb = (bytes) => `${(bytes / KB).toFixed(1)} KB`;
  const limit = Number.isFinite(budget) ? ` of at most ${kb(budget)}` : "";
  console.log(`${path}: ${kb(Buffer.byteLength(text))}, gzipped ${kb(size)}${limit}`);
  mkdirSync(dirname(join(out, path)), { recursive: true });
  writeFileSync(join(out, path), text);
  if (size > budget) {
    console.error(`${path} is over its budget`);
    process.exitCode = 1;
  }
}
