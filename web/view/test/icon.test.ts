import assert from "node:assert/strict";
import { test } from "node:test";
import { gzipSync } from "node:zlib";
import { h } from "preact";
import data from "../icon-data.json" with { type: "json" };
import { allIcons } from "../icons.mjs";
import { Icon } from "../src/icon";
import type { IconNode } from "../src/markup/icon";
import { DRAWN, LUCIDE } from "../src/markup/icon-name";
import { markup } from "./markup";

const NAMES =
  `agent analytics atom batch bolt book-clock book-closed book-open bug calendar chart check
  check-circle check-circle-filled chevron-left chevron-right circle-question clock compass confetti
  cube desktop document dot dots-horizontal dots-vertical empty-circle external-link globe images info
  keys lab lifesaver lightbulb mail map-pin maps mobile name notebook notebook-pencil page-blank phone
  play plus profile profile-card reload search settings-slider sparkle sparkle-double square-code
  square-image square-text star star-filled suitcase user wreath write write-alt write-alt2`.split(
    /\s+/,
  );

const draw = (name: unknown, more: object = {}): string =>
  markup(h(Icon, { name: name as string, ...more }));
const RING = '<circle cx="12" cy="12" r="8"></circle>';

test("every ChatKit name has a drawing, and no other", () => {
  assert.equal(NAMES.length, 64);
  assert.deepEqual(Object.keys({ ...LUCIDE, ...DRAWN }).sort(), [...NAMES].sort());
  assert.deepEqual(Object.keys(data).sort(), [...NAMES].sort());
});

test("every drawing lies in its box", () => {
  const seen = new Set<string>();
  for (const name of NAMES) {
    const svg = draw(name);
    assert.match(svg, /^<svg class="wc-icon/);
    assert.notEqual(svg.includes(RING), true, name);
    for (const [, path = ""] of svg.matchAll(/ d="([^"]*)"/g)) {
      assert.match(path, /^M[\d.\sa-zA-Z-]+$/, name);
      // Every subpath starts at an absolute place inside the box.
      for (const [, x, y] of path.matchAll(/M(-?[\d.]+) ?(-?[\d.]+)/g)) {
        assert.ok(
          Number(x) >= 0 && Number(x) <= 24 && Number(y) >= 0 && Number(y) <= 24,
          `${name} ${path}`,
        );
      }
      assert.doesNotMatch(path.slice(1), /m/, name);
    }
    seen.add(svg);
  }
  assert.equal(seen.size, 64);
});

test("outlines are open, filled ones are filled", () => {
  assert.match(draw("star"), /fill="none".*stroke="currentColor"/);
  assert.match(draw("star-filled"), /fill="currentColor".*stroke="currentColor"/);
  assert.match(draw("check-circle-filled"), /fill="currentColor" stroke="none"/);
  assert.match(draw("dots-horizontal"), /<circle cx="12" cy="12" r="1" fill="currentColor">/);
});

test("hidden without a label, an image with one", () => {
  assert.match(draw("mail"), / aria-hidden/);
  assert.doesNotMatch(draw("mail"), /role/);
  const labelled = draw("mail", { label: "Post", size: 18 });
  assert.match(labelled, /width="18" height="18".* role="img" aria-label="Post"/);
  assert.doesNotMatch(labelled, /aria-hidden/);
});

test("an icon that came with the tree is drawn without what is not a shape", () => {
  const plane: IconNode = [
    ["path", { d: "M1 2", onclick: "x", style: "fill:url(x)", href: "https://x.y" }],
    ["circle", { cx: "1", cy: "2", r: ".5" }],
    ["script", { d: "M1 2" }],
    [
      "rect",
      { x: "1", y: "2", width: "3", height: "url(#a)", rx: "2", transform: "rotate(4 5,6)" },
    ],
  ];
  const svg = draw("lucide:plane", { icons: { "lucide:plane": plane } });
  assert.ok(
    svg.endsWith(
      '><path d="M1 2"></path><circle cx="1" cy="2" r=".5" fill="currentColor"></circle>' +
        '<rect x="1" y="2" width="3" rx="2" transform="rotate(4 5,6)"></rect></svg>',
    ),
    svg,
  );
});

test("what nobody can draw is a quiet ring", () => {
  const odd = [
    undefined,
    null,
    3,
    {},
    [],
    "",
    "vendor:x",
    "lucide:nope",
    "wallet",
    "__proto__",
    "constructor",
  ];
  for (const name of odd) assert.ok(draw(name).includes(RING), String(name));
  for (const icon of [
    null,
    1,
    "x",
    {},
    [],
    [1],
    [[]],
    [["path"]].slice(1),
    [["a", {}]],
    [[null, null]],
  ]) {
    assert.ok(
      draw("lucide:a", { icons: { "lucide:a": icon } }).includes(RING),
      JSON.stringify(icon),
    );
  }
  assert.ok(draw("lucide:a", { icons: { "lucide:a": [["path", null]] } }).includes("<path>"));
});

test("the page's icons fit their budget", () => {
  const size = gzipSync(JSON.stringify(data), { level: 9 }).length;
  assert.ok(size <= 3200, `${size} bytes`);
});

test("icons.tsv has every icon on a line, sorted, with former names", () => {
  const text = allIcons();
  assert.ok(text.length <= 450_000);
  const lines = text.trimEnd().split("\n");
  const names = lines.map((line) => line.slice(0, line.indexOf("\t")));
  assert.deepEqual(names, [...names].sort());
  assert.equal(new Set(names).size, names.length);
  assert.ok(names.length > 2000, `${names.length}`);
  const found = new Map(lines.map((line) => line.split("\t") as [string, string]));
  for (const [name, value] of found) {
    assert.match(name, /^[a-z0-9-]+$/);
    if (!value.startsWith("[")) {
      assert.match(found.get(value) ?? "", /^\[/, `${name} → ${value}`);
      continue;
    }
    const node: IconNode = JSON.parse(value);
    const svg = draw(`lucide:${name}`, { icons: { [`lucide:${name}`]: node } });
    const shapes = svg.match(/<(path|circle|rect|line|polyline|polygon|ellipse) /g) ?? [];
    assert.equal(shapes.length, node.length, name);
    const given = node.flatMap(([, attributes]) => Object.values(attributes));
    for (const attribute of given)
      assert.ok(svg.includes(`="${attribute}"`), `${name} ${attribute}`);
  }
  assert.equal(found.get("home"), "house");
});
