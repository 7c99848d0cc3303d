// dist/ui.js and dist/icons.js: the markup of the view, compiled for React. After `tsc` has written
// their types, which name other files without an extension, it adds that.

import { copyFileSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { writePageIcons } from "../view/icons.mjs";

const here = dirname(fileURLToPath(import.meta.url));
const common = {
  absWorkingDir: here,
  tsconfig: join(here, "../tsconfig.json"),
  bundle: true,
  format: "esm",
  charset: "utf8",
  // With its white space: without it the marks go by which a bundler leaves out what is not used.
  minifyIdentifiers: true,
  minifySyntax: true,
};

/** The style sheet without its line breaks and what else a browser does not need. */
async function smallCss(path) {
  const source = await build({ ...common, entryPoints: [path], write: false });
  const code = Buffer.from(source.outputFiles[0].text).toString("base64");
  const { css } = await import(`data:text/javascript;base64,${code}`);
  const stdin = { contents: css, loader: "css" };
  const small = await build({ stdin, charset: "utf8", minify: true, write: false });
  return small.outputFiles[0].text.trim();
}

const smallStyle = {
  name: "style",
  setup: ({ onLoad }) =>
    onLoad({ filter: /view\/src\/markup\/style\.ts$/ }, async ({ path }) => ({
      contents: `export const css = ${JSON.stringify(await smallCss(path))};`,
      loader: "ts",
    })),
};

/** Writes ui.js and icons.js into a folder. */
export async function bundleUi(outdir) {
  await writePageIcons();
  await build({
    ...common,
    entryPoints: { ui: join(here, "src/ui/index.ts"), icons: join(here, "src/icons.ts") },
    outdir,
    // What the pages of the view take from Preact.
    alias: { "#react": "react", "#jsx": "react" },
    external: ["react", "@widgetcast/client", "@widgetcast/react"],
    plugins: [smallStyle],
  });
}

function finishTypes(folder) {
  for (const name of readdirSync(folder, { recursive: true })) {
    if (!name.endsWith(".d.ts")) continue;
    const path = join(folder, name);
    const text = readFileSync(path, "utf8");
    const relative = /((?:from |import\()"\.{1,2}\/[^"]+?)(?:\.js)?"/g;
    writeFileSync(path, text.replace(relative, '$1.js"'));
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await bundleUi(join(here, "dist"));
  finishTypes(join(here, "dist/types"));
  // The licences of the icons and of the colours.
  copyFileSync(join(here, "../view/NOTICE"), join(here, "dist/NOTICE"));
}
