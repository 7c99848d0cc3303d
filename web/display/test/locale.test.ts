import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { transformSync } from "esbuild";
import { words as chat } from "../src/i18n/chat";
import { common } from "../src/i18n/common";
import { words as dashboard, nameOf } from "../src/i18n/dashboard";
import { words as document } from "../src/i18n/document";
import { words as item } from "../src/i18n/item";
import { words as search } from "../src/i18n/search";
import { words as sink } from "../src/i18n/sink";
import { words as solar } from "../src/i18n/solar";
import { words as table } from "../src/i18n/table";
import { records, textOf, texts } from "../src/part/list";
import {
  agoText,
  chooseLocale,
  dateText,
  directionOf,
  LANGUAGES,
  languageOf,
  safeLocale,
  speaker,
  type Words,
} from "../src/part/locale";
import { trendOf } from "../src/part/trend";
import { pictureUrl, siteOf, webUrl } from "../src/part/url";

const at = (path: string) => fileURLToPath(new URL(path, import.meta.url));

test("languages", () => {
  assert.equal(LANGUAGES[languageOf("de-AT")], "de");
  assert.equal(LANGUAGES[languageOf("iw")], "he");
  assert.equal(LANGUAGES[languageOf("pl-PL")], "en");
  assert.equal(LANGUAGES[languageOf("")], "en");
  assert.equal(safeLocale("pt_BR"), "pt-BR");
  assert.equal(safeLocale("not a locale"), "en");
  assert.equal(safeLocale(undefined), "en");
  assert.equal(directionOf("he-IL"), "rtl");
  assert.equal(directionOf("arn"), "ltr");
  assert.equal(directionOf("fr"), "ltr");
  assert.equal(chooseLocale("en", "de-DE"), "de-DE");
  assert.equal(chooseLocale("fr", "de-DE"), "fr");
  assert.equal(chooseLocale(7, "de-DE"), "de-DE");
});

test("phrases count, fill in and fall back", () => {
  const say = speaker(table, "en");
  assert.equal(say("rows", { n: 1 }), "1 row");
  assert.equal(say("rows", { n: 12_345 }), "12,345 rows");
  assert.equal(speaker(table, "de")("rows", { n: 12_345 }), "12.345 Zeilen");
  assert.equal(speaker(table, "pl")("none"), "There are no rows");
  assert.equal(speaker(table, "fr")("rows", { n: 0 }), "0 ligne", "0 is singular in French");
  assert.equal(say("unfound", { filter: "$&{n}" }), "No row has “$&{n}”");
});

test("every phrase is there in every language, with the same places to fill", () => {
  const all: Record<string, Words> = {
    chat,
    common,
    dashboard,
    document,
    item,
    search,
    sink,
    solar,
    table,
  };
  const marks = (text: string) => [...new Set(text.match(/\{\w+\}/g))].sort().join();
  for (const [name, words] of Object.entries(all))
    for (const [key, row] of Object.entries(words)) {
      assert.equal(row.length, LANGUAGES.length, `${name}.${key}`);
      for (const text of row) {
        assert.ok(text.trim(), `${name}.${key} is empty`);
        assert.equal(marks(text), marks(row[0]), `${name}.${key}: ${text}`);
      }
    }
});

test("what a tool of ours names in English is said in the reader's language", () => {
  const say = speaker(dashboard, "de-CH");
  assert.equal(nameOf("Chats opened", say), "Geöffnete Chats");
  assert.equal(nameOf("What was shown here", say), "Was hier gezeigt wurde");
  assert.equal(nameOf("Orders", say), "Orders");
  // The English is what the server has; it is written in Rust.
  const server = ["usage", "dashboard"]
    .map((name) => readFileSync(at(`../../../crates/display/src/${name}.rs`), "utf8"))
    .join("");
  for (const key of ["shown", "opened", "searches", "tables"] as const)
    assert.ok(server.includes(`"${dashboard[key][0]}"`), dashboard[key][0]);
});

test("no page has words of its own: all are in i18n", () => {
  const found: string[] = [];
  for (const folder of ["item", "page", "part", "solar", "table"])
    for (const name of readdirSync(at(`../src/${folder}`))) {
      if (!name.endsWith(".tsx")) continue;
      const source = readFileSync(at(`../src/${folder}/${name}`), "utf8");
      const { code } = transformSync(source, { loader: "tsx", jsx: "automatic", charset: "utf8" });
      // Children and attributes that are read out; names of code and addresses are no words.
      const texts = code.matchAll(
        /(?:children: (?:\[\s*)?|(?:label|title|alt|placeholder|note|"aria-label"): )"([^"]*)"/g,
      );
      for (const [, text = ""] of texts)
        if (/\p{L}{2}/u.test(text) && !/^\w+\.\w+$/.test(text)) found.push(`${name}: ${text}`);
    }
  assert.deepEqual(found, []);
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

test("trends", () => {
  const cases: [string, string | undefined][] = [
    ["+12%", "up"],
    ["12%", "up"],
    ["▲ 4", "up"],
    ["-3", "down"],
    ["−3.5 %", "down"],
    ["↓2", "down"],
    ["0", "flat"],
    ["+0.0%", "flat"],
    ["±0", "flat"],
    ["unchanged", "flat"],
    ["new", undefined],
  ];
  for (const [change, trend] of cases) assert.equal(trendOf(change), trend, change);
});

test("addresses", () => {
  assert.equal(webUrl("javascript:alert(1)"), undefined);
  assert.equal(webUrl(" https://a.b/c ")?.href, "https://a.b/c");
  assert.equal(webUrl("//a.b"), undefined);
  assert.equal(webUrl(5), undefined);
  assert.equal(pictureUrl("data:text/html,x"), undefined);
  assert.equal(pictureUrl("data:image/png;base64,AA"), "data:image/png;base64,AA");
  assert.equal(siteOf(new URL("https://www.example.com/x")), "example.com");
});

test("data of another shape is left out", () => {
  assert.deepEqual(records([{ a: 1 }, null, 3, [1]]), [{ a: 1 }]);
  assert.deepEqual(records("x"), []);
  assert.deepEqual(texts(["a", 1, null, {}, ""]), ["a", "1"]);
  assert.equal(textOf("  "), undefined);
});
