import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { speaker } from "@widgetcast/i18n";
import { words as dashboard } from "@widgetcast/i18n/display/dashboard";
import { transformSync } from "esbuild";
import { records, textOf, texts } from "../src/part/list";
import { nameOf } from "../src/part/name";
import { trendOf } from "../src/part/trend";
import { pictureUrl, siteOf, webUrl } from "../src/part/url";

const at = (path: string) => fileURLToPath(new URL(path, import.meta.url));

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
