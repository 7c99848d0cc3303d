// Builds the pages that the binary embeds: `node build.mjs [--out DIR] [PAGE …]`, all pages by default.
// No network, no clock: the same sources give the same bytes.

import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { gzipSync } from "node:zlib";
import { build, transform } from "esbuild";
import { minify } from "terser";
import { PAGES as DISPLAY, display } from "./display/build.mjs";
import { buildIcons } from "./view/icons.mjs";

const here = dirname(fileURLToPath(import.meta.url));
const { values, positionals: wanted } = parseArgs({
  options: { out: { type: "string", default: join(here, "dist") } },
  allowPositionals: true,
});
const out = resolve(values.out);
const KB = 1024;
const TARGET = ["chrome123", "firefox121", "safari17.5"];
// Properties of the view that no host, no tree and no element has: they get short names.
const OURS =
  /^(branch|world|stage|kids|naming|refs|hold|held|act|keep|marks|stacked|slot|drawn|told|still|hint)$/;
const { paths } = JSON.parse(readFileSync(join(here, "tsconfig.json"), "utf8")).compilerOptions;

/** The numbers of a drawing to a tenth: on a grid of 24 nobody sees more, and gzip does. */
function coarse(drawing) {
  return drawing.replace(/([a-z])([^a-z|]*)/gi, (_, command, rest) => {
    // The flags of an arc, its fourth and fifth numbers, may stand without a space.
    const arc = /a/i.test(command);
    const numbers = [];
    for (let at = 0, n = 0; at < rest.length; n++) {
      const next =
        arc && n % 7 > 2 && n % 7 < 5 ? /[\s,]*([01])/y : /[\s,]*(-?(?:\d+\.?\d*|\.\d+))/y;
      next.lastIndex = at;
      const found = next.exec(rest);
      if (!found) break;
      at = next.lastIndex;
      numbers.push(String(Math.round(found[1] * 10) / 10 || 0).replace(/^(-?)0\./, "$1."));
    }
    const text = numbers.join(" ");
    // Circles and rectangles, which are split at their spaces, stay as they are.
    if (/[or]/.test(command)) return command + text;
    return command + text.replace(/ -/g, "-").replace(/(\.\d+) (?=\.)/g, "$1");
  });
}

const coarseIcons = {
  name: "icons",
  setup: ({ onLoad }) =>
    onLoad({ filter: /icon-data\.json$/ }, ({ path }) => {
      const icons = Object.entries(JSON.parse(readFileSync(path, "utf8")));
      const contents = JSON.stringify(Object.fromEntries(icons.map(([k, v]) => [k, coarse(v)])));
      return { contents, loader: "json" };
    }),
};

/** One script of a module and all it imports. */
async function bundle(entry, extra = {}) {
  const result = await build({
    entryPoints: [join(here, entry)],
    absWorkingDir: here,
    // Not the project's settings but for its paths: `h(…)` is shorter than what they ask for.
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
    charset: "utf8",
    logLevel: "warning",
    ...extra,
  });
  return result.outputFiles[0].text;
}

/** The exported strings of a module that is written in TypeScript. */
async function strings(entry) {
  const code = await bundle(entry, { format: "esm", minify: false });
  return import(`data:text/javascript;base64,${Buffer.from(code).toString("base64")}`);
}

async function script(entry, extra, ours) {
  // A second minifier finds another kilobyte after gzip.
  const { code } = await minify(await bundle(entry, extra), {
    ecma: 2020,
    compress: {
      passes: 3,
      pure_getters: true,
      unsafe: true,
      unsafe_arrows: true,
      unsafe_methods: true,
    },
    mangle: ours ? { properties: { regex: ours } } : {},
    format: { comments: false },
  });
  return code;
}

async function sheet(css) {
  const { code } = await transform(css, {
    loader: "css",
    minify: true,
    target: TARGET,
    charset: "utf8",
  });
  return code.trim();
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

const read = (path) => readFileSync(join(here, path), "utf8");

async function view() {
  const { css, pageCss } = await strings("view/src/style.ts");
  return page(
    read("view/page.html"),
    await sheet(css + pageCss),
    await script("view/src/page.tsx", { plugins: [coarseIcons] }, OURS),
  );
}

async function gallery() {
  // It puts the view's style sheet into the script, so that one is minified on its way.
  const css = await sheet((await strings("view/src/style.ts")).css);
  const small = {
    name: "style",
    setup: ({ onLoad }) =>
      onLoad({ filter: /view\/src\/style\.ts$/ }, () => ({
        contents: `export const css = ${JSON.stringify(css)};`,
      })),
  };
  return page(
    read("gallery/index.html"),
    await sheet(read("gallery/src/style.css")),
    await script("gallery/src/main.tsx", { plugins: [small] }),
  );
}

/** How each page is made, and the most that it may have after gzip. */
const pages = { "view.html": [view, 35 * KB], "gallery.html": [gallery, Number.POSITIVE_INFINITY] };
for (const name of Object.keys(DISPLAY)) {
  pages[`${name}.html`] = [() => display({ script, sheet, page }, name), 60 * KB];
}
const shows = (name) => wanted.length === 0 || wanted.includes(name);

mkdirSync(out, { recursive: true });
// First: the script of the view holds icons that this writes.
await buildIcons(shows("icons.tsv") ? out : undefined);
for (const [name, [make, most]] of Object.entries(pages)) {
  if (!shows(name)) continue;
  const text = await make();
  const packed = gzipSync(text, { level: 9 }).length;
  const size = (bytes) => `${(bytes / KB).toFixed(1)} KB`;
  const of = most < Number.POSITIVE_INFINITY ? ` of ${size(most)}` : "";
  console.log(`${name}: ${size(Buffer.byteLength(text))}, gzipped ${size(packed)}${of}`);
  writeFileSync(join(out, name), text);
  if (packed > most) {
    console.error(`${name} is over its budget`);
    process.exitCode = 1;
  }
}
