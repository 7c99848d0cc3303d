import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import {
  agoText,
  chooseLocale,
  dateText,
  directionOf,
  LANGUAGES,
  languageOf,
  safeLocale,
  say,
  speaker,
} from "@widgetcast/i18n";
import { words as table } from "@widgetcast/i18n/display/table";
import { more_rows } from "@widgetcast/i18n/host";
import { textModules } from "../generate.mjs";
import groups from "../words.json" with { type: "json" };

const at = (path: string) => fileURLToPath(new URL(path, import.meta.url));

test("languages", () => {
  assert.equal(LANGUAGES[languageOf("de-AT")], "de");
  assert.equal(LANGUAGES[languageOf("iw")], "he");
  assert.equal(LANGUAGES[languageOf("pl-PL")], "en");
  assert.equal(LANGUAGES[languageOf("")], "en");
  assert.equal(LANGUAGES[languageOf(null as never)], "en");
  assert.equal(safeLocale("pt_BR"), "pt-BR");
  assert.equal(safeLocale("not a locale"), "en");
  assert.equal(safeLocale(undefined), "en");
  assert.equal(chooseLocale("en", "de-DE"), "de-DE");
  assert.equal(chooseLocale("fr", "de-DE"), "fr");
  assert.equal(chooseLocale(7, "de-DE"), "de-DE");
});

test("directions", () => {
  for (const locale of ["ar", "he-IL", "iw", "fa-IR", "ur", "ckb", "en-Arab", "AR"])
    assert.equal(directionOf(locale), "rtl", locale);
  for (const locale of ["en", "fr", "arn", "ar-Latn", "", "de-AR", undefined])
    assert.equal(directionOf(locale), "ltr", locale);
});

test("texts count, fill in and fall back", () => {
  const speak = speaker(table, "en");
  assert.equal(speak("rows", { n: 1 }), "1 row");
  assert.equal(speak("rows", { n: 12_345 }), "12,345 rows");
  assert.equal(speaker(table, "de")("rows", { n: 12_345 }), "12.345 Zeilen");
  assert.equal(speaker(table, "pl")("none"), "No rows");
  assert.equal(speaker(table, "fr")("rows", { n: 0 }), "0 ligne", "0 is singular in French");
  assert.equal(speak("unfound", { filter: "$&{n}" }), "No rows match “$&{n}”");
  assert.equal(say(more_rows, "not a locale", { n: 3 }), "3 more rows");
});

type Entry = Record<string, string> | string;
const isEntry = (value: object | string) => typeof value === "string" || "en" in value;

/** Every entry of words.json, by its path. */
function entries(group: object, path = ""): [path: string, entry: Entry][] {
  return Object.entries(group).flatMap(([key, value]) =>
    isEntry(value) ? [[path + key, value as Entry]] : entries(value, `${path}${key}.`),
  );
}

test("every text is there in every language, with the same places to fill", () => {
  const marks = (text: string) => [...new Set(text.match(/\{\w+\}/g))].sort().join();
  const all = entries(groups);
  assert.ok(all.length > 200, `${all.length}`);
  for (const [path, entry] of all) {
    if (typeof entry === "string") continue;
    const { why, ...texts } = entry;
    assert.deepEqual(Object.keys(texts), [...LANGUAGES], path);
    if (path.startsWith("host.")) assert.match(why ?? "", /\.$/, `${path} has no reason`);
    for (const text of Object.values(texts)) {
      assert.ok(
        text.split("|").every((form) => form.trim()),
        `${path} is empty`,
      );
      assert.equal(marks(text), marks(texts.en ?? ""), `${path}: ${text}`);
    }
  }
});

test("no text is written twice", () => {
  const seen = new Map<string, string>();
  for (const [path, entry] of entries(groups)) {
    if (typeof entry === "string") continue;
    const { why: _, ...texts } = entry;
    const text = JSON.stringify(texts);
    assert.ok(!seen.has(text), `${path} should be "${seen.get(text)}"`);
    seen.set(text, path);
  }
});

test("the modules are generated from words.json", () => {
  const modules = textModules();
  const written = readdirSync(at("../src/text"), { recursive: true, encoding: "utf8" });
  assert.deepEqual(
    written.filter((name) => name.endsWith(".ts")).sort(),
    Object.keys(modules).sort(),
  );
  for (const [name, contents] of Object.entries(modules))
    assert.equal(
      readFileSync(at(`../src/text/${name}`), "utf8"),
      contents,
      `${name} is stale: run \`node i18n/generate.mjs\` in web/`,
    );
});

test("dates", () => {
  const now = Date.parse("2026-03-04T12:00:00Z");
  assert.equal(agoText("2026-03-04T10:00:00Z", "en", now), "2 hours ago");
  assert.equal(agoText("2026-03-03T11:00:00Z", "de", now), "gestern");
  assert.equal(agoText("Yesterday", "en", now), "Yesterday");
  assert.match(agoText("2025-01-01", "en", now), /Jan 1, 2025/);
  assert.equal(dateText("2026-03-04", "en-GB"), "4 Mar 2026");
  assert.match(dateText("2026-03-04T23:30:00Z", "en-US", "Asia/Tokyo"), /Mar 5, 2026/);
});
