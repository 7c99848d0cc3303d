// Writes the modules of src/text from words.json: `node i18n/generate.mjs`. One per group, so that a
// page bundles the groups it uses, without the notes for translators. Rust reads `host` from the JSON.

import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const LANGUAGES = ["en", "de", "fr", "es", "ar", "he", "ja"];
const HEAD = "// Generated from words.json by `node i18n/generate.mjs`.\n\n";

/** The contents of the modules, by their path in src/text. */
export function textModules() {
  const words = JSON.parse(readFileSync(join(here, "words.json"), "utf8"));
  // A string names the entry of another group with the same meaning.
  const find = (path) => path.split(".").reduce((at, key) => at?.[key], words);
  const row = (entry) => {
    const found = typeof entry === "string" ? find(entry) : entry;
    if (!found?.en) throw new Error(`words.json has no ${entry}`);
    return JSON.stringify(LANGUAGES.map((language) => found[language]));
  };
  const rows = (group, line) =>
    Object.entries(group).map(([key, entry]) => line(key, row(entry)).concat("\n"));
  // Constants, because a page of @widgetcast/react/ui contains only those of its components.
  const constants = (group) =>
    `${HEAD}import type { Text } from "../language";\n\n${rows(group, (key, text) => `export const ${key}: Text = ${text};`).join("")}`;
  // The other pages use all of their texts, some by a computed key.
  const table = (group, up) =>
    `${HEAD}import type { Words } from "${up}language";\n\nexport const words = {\n${rows(group, (key, text) => `  ${key}: ${text},`).join("")}} satisfies Words;\n`;
  return {
    "host.ts": constants(words.host),
    "view.ts": constants(words.view),
    "chat.ts": table(words.chat, "../"),
    ...Object.fromEntries(
      Object.entries(words.display).map(([name, group]) => [
        `display/${name}.ts`,
        table(group, "../../"),
      ]),
    ),
  };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  for (const [name, contents] of Object.entries(textModules())) {
    const path = join(here, "src/text", name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, contents);
  }
}
