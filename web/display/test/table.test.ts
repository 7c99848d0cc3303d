import assert from "node:assert/strict";
import { test } from "node:test";
import { csv } from "../src/table/csv";
import { headOf } from "../src/table/head";
import { type Column, columnsOf, kindOf, numberOf, type Row, rowsOf } from "../src/table/kind";
import { shower } from "../src/table/show";
import { filtered, lines, rank, sorted } from "../src/table/sort";
import { spread } from "../src/table/width";
import { large } from "./sample";

const words = { yes: "Yes", no: "No" };

/** The values of a column in order. */
function order(values: unknown[], { locale = "en", isDown = false } = {}): unknown[] {
  const rows = values.map((value) => ({ value }));
  const [column] = columnsOf(["value"], rows) as [Column];
  return sorted(rows.length, rank(rows, column, locale), isDown).map((at) => values[at]);
}

test("a column may have the name of what objects inherit", () => {
  const rows = rowsOf(JSON.parse('[{"__proto__": "a"}, {"constructor": "b"}, {}]'));
  assert.equal(
    csv(["__proto__", "constructor"], rows),
    "__proto__,constructor\r\na,\r\n,b\r\n,\r\n",
  );
});

test("kinds come from the values", () => {
  const kinds: [unknown, string][] = [
    [12, "number"],
    ["12.50", "number"],
    ["$1,200.50", "number"],
    ["-3 %", "number"],
    ["2026-01-31", "date"],
    ["2026-01-31T09:30:00Z", "date"],
    ["2026-13-41", "text"],
    [true, "boolean"],
    ["https://example.com/", "link"],
    ["javascript:alert(1)", "text"],
    [{ a: 1 }, "json"],
    ["12 monkeys", "text"],
    ["1-2", "text"],
  ];
  for (const [value, kind] of kinds) assert.equal(kindOf(value), kind, String(value));
  const mixed = columnsOf(["a", "a", "b"], [{ a: 1 }, { a: "x", b: null }, { b: 2 }]);
  assert.deepEqual(
    mixed.map(({ name, kind }) => [name, kind]),
    [
      ["a", "text"],
      ["b", "number"],
    ],
  );
});

test("a column of links is as wide as the names of their sites", () => {
  const [column] = columnsOf(["at"], [{ at: "https://www.example.com/a/long/way/down" }]);
  assert.equal(column?.width, "example.com".length + 2);
});

test("numbers are read as they are written", () => {
  assert.equal(numberOf("$1,200.50"), 1200.5);
  assert.equal(numberOf("−3 %"), -3);
  assert.equal(numberOf("-€4"), -4);
  assert.equal(numberOf("1.850,00 €"), 1850);
  assert.equal(numberOf("1.234.567"), 1234567);
  assert.equal(numberOf("1,200"), 1200);
  assert.equal(numberOf("3,5 kg"), 3.5);
  assert.equal(numberOf("abc"), undefined);
});

test("numbers sort as numbers, dates as dates, text as people of the locale expect", () => {
  assert.deepEqual(order(["$9", "$100", "$20"]), ["$9", "$20", "$100"]);
  assert.deepEqual(order([3, null, 1, 2]), [1, 2, 3, null]);
  assert.deepEqual(order([3, null, 1, 2], { isDown: true }), [3, 2, 1, null]);
  assert.deepEqual(order(["2026-01-01T22:00:00Z", "2026-01-02T01:00:00+05:00"]), [
    "2026-01-02T01:00:00+05:00",
    "2026-01-01T22:00:00Z",
  ]);
  assert.deepEqual(order(["zebra", "Ärger", "apfel", "item 10", "item 2"], { locale: "de" }), [
    "apfel",
    "Ärger",
    "item 2",
    "item 10",
    "zebra",
  ]);
  assert.deepEqual(order(["ärlig", "zon"], { locale: "sv" }), ["zon", "ärlig"]);
});

test("equal rows keep their order, up and down", () => {
  const rows: Row[] = [1, 0, 1, 0].map((value, at) => ({ value, at }));
  const [column] = columnsOf(["value"], rows) as [Column];
  const ranks = rank(rows, column, "en");
  assert.deepEqual(sorted(4, ranks, false), [1, 3, 0, 2]);
  assert.deepEqual(sorted(4, ranks, true), [0, 2, 1, 3]);
});

test("a filter needs all its words, without case and accents, raw or as shown", () => {
  const rows = [
    { name: "Café Zürich", price: 1234.5 },
    { name: "Cafe Bern", price: 2 },
  ];
  const columns = columnsOf(["name", "price"], rows);
  const texts = lines(rows, columns, shower(columns, rows, "en", words));
  const find = (filter: string) => filtered([0, 1], texts, filter);
  assert.deepEqual(find("cafe"), [0, 1]);
  assert.deepEqual(find("ZURICH caf"), [0]);
  assert.deepEqual(find("1,234.5"), [0]);
  assert.deepEqual(find("1234.5"), [0]);
  assert.deepEqual(find("basel"), []);
});

test("values are shown in the locale; a year is not grouped", () => {
  const rows = [{ price: 1234.5, year: 2026, day: "2026-03-04", open: false, other: { a: [1] } }];
  const columns = columnsOf(["price", "year", "day", "open", "other", "none"], rows);
  const show = shower(columns, rows, "de", words, "UTC");
  const shown = columns.map((column) => show((rows[0] as Row)[column.name], column));
  assert.deepEqual(shown, ["1.234,5", "2026", "04.03.2026", "No", '{"a":[1]}', "–"]);
});

test("CSV quotes what it must and disarms formulas, but not negative numbers", () => {
  const rows = [
    { a: 'say "hi"', b: "x,y", c: -1 },
    { a: "=1+1", b: "-5", c: "-cmd" },
    { a: null, b: "two\nlines", c: { k: 1 } },
    { a: "old\rMac", b: "", c: 0 },
  ];
  assert.equal(
    csv(["a", "b", "c"], rows),
    `a,b,c\r\n"say ""hi""","x,y",-1\r\n'=1+1,-5,'-cmd\r\n,"two\nlines","{""k"":1}"\r\n"old\rMac",,0\r\n`,
  );
});

test("twice as many rows are ranked and sorted with little more than twice the reads", () => {
  const all = large().result.structuredContent.data as Row[];
  const columns = columnsOf(["id", "name", "price", "open", "when"], all);
  let reads = 0;
  const counted = <T extends object>(target: T): T =>
    new Proxy(target, {
      get(of, name) {
        reads += 1;
        return Reflect.get(of, name);
      },
    });
  for (const column of columns) {
    const cost = (count: number): [ranking: number, sorting: number] => {
      reads = 0;
      const ranks = rank(all.slice(0, count).map(counted), column, "en");
      const ranking = reads;
      reads = 0;
      const list = sorted(count, counted(ranks), false);
      assert.equal(new Set(list).size, count);
      return [ranking, reads];
    };
    const [ranking, sorting] = cost(4000);
    const [rankingTwice, sortingTwice] = cost(8000);
    assert.ok(rankingTwice <= 2 * ranking, `${column.name}: ${ranking}, then ${rankingTwice}`);
    // n log n
    assert.ok(sortingTwice <= 2.5 * sorting, `${column.name}: ${sorting}, then ${sortingTwice}`);
  }
});

test("the head of a column is what people write", () => {
  const heads = {
    name: "Name",
    created_at: "Created at",
    createdAt: "Created at",
    "unit-price": "Unit price",
    orderID: "Order ID",
    user_ids: "User IDs",
    HTMLFile: "HTML file",
    os: "OS",
    "address.city": "Address city",
    "sold out": "Sold out",
    "Preis (€)": "Preis (€)",
    öffnung: "Öffnung",
    q3_2026: "Q3 2026",
    "1st": "1st",
    "": "",
  };
  for (const [name, head] of Object.entries(heads)) assert.equal(headOf(name), head, name);
});

test("columns fill the room, and where they go on beyond it the next one peeks out", () => {
  assert.deepEqual(spread([100, 50, 50], 400), [200, 100, 100]);
  assert.deepEqual(spread([100, 50, 50], 200), [100, 50, 50]);
  assert.deepEqual(spread([100, 100, 100], 244), [100, 100, 100]);
  assert.deepEqual(spread([50, 50, 100, 100], 194), [75, 75, 100, 100]);
  assert.deepEqual(spread([300, 100], 200), [300, 100], "not even one fits");
  assert.deepEqual(spread([], 200), []);
});
