import assert from "node:assert/strict";
import { test } from "node:test";
import * as token from "../src/markup/token";

const ATTACKS = [
  "url(javascript:alert(1))",
  "red;position:fixed",
  "red}body{display:none",
  "expression(alert(1))",
  "var(--wc-text)",
  "attr(data-x)",
  "image-set('a.png' 1x)",
  "rgb(0 0 0);background:url(https://x.example)",
  "red/*",
  "\\75 rl(x)",
  'red" onload="x',
  "<style>",
  "rgb(url(x))",
  "env(x)",
  "__proto__",
  "constructor",
  "red\n;",
  "x".repeat(9999),
];
const WRONG = [null, undefined, true, [], {}, Number.NaN, Number.POSITIVE_INFINITY, () => 1];

test("no attack passes for a colour, a background or a length", () => {
  for (const value of [...ATTACKS, ...WRONG]) {
    assert.equal(token.color(value), undefined, String(value));
    assert.equal(token.color(value, true), undefined, String(value));
    assert.equal(token.color({ light: value, dark: value }), undefined, String(value));
    assert.equal(token.background(value, false), undefined, String(value));
    assert.equal(token.length(value), undefined, String(value));
    assert.equal(token.flex(value), undefined, String(value));
    assert.deepEqual(token.border(value), {}, String(value));
    assert.deepEqual(token.spacing(value, "padding"), {}, String(value));
    assert.deepEqual(token.block({ width: value, radius: value, aspectRatio: value }), {});
  }
});

test("colours: tokens, palette, CSS and pairs", () => {
  const known: [unknown, string][] = [
    ["secondary", "var(--wc-text-2)"],
    ["surface-elevated", "var(--wc-raised)"],
    ["blue", "var(--wc-blue)"],
    ["blue-400", "#0285ff"],
    ["pink-1000", "#1a0a11"],
    ["gray-0", "light-dark(#ffffff,#0d0d0d)"],
    ["gray-900", "light-dark(#181818,#ededed)"],
    ["gray-975", "light-dark(#101010,#f9f9f9)"],
    ["alpha-10", "light-dark(rgb(13 13 13/10%),rgb(255 255 255/10%))"],
    [" #FF7B00 ", "#FF7B00"],
    ["rgb(1 2 3 / 50%)", "rgb(1 2 3 / 50%)"],
    ["color-mix(in oklab, #fff 50%, #000)", "color-mix(in oklab, #fff 50%, #000)"],
    [{ light: "blue-50", dark: "#123" }, "light-dark(#e5f3ff,#123)"],
    [{ light: "blue-50" }, "#e5f3ff"],
  ];
  for (const [given, want] of known) assert.equal(token.color(given), want);
  for (const unknown of ["gray-925x", "blue-401", "alpha-101", "teal-400", "#12", "accent"]) {
    assert.equal(token.color(unknown), undefined, unknown);
  }
});

test("border tokens are colours for borders only", () => {
  assert.equal(token.color("default"), undefined);
  assert.equal(token.color("default", true), "var(--wc-border)");
  assert.deepEqual(token.border({ size: 2, color: "strong", style: "dashed" }), {
    border: "2px dashed var(--wc-border-strong)",
  });
  assert.deepEqual(token.border({ left: 1, y: { size: 2, style: "url(x)" } }), {
    borderBlockStart: "2px solid var(--wc-border)",
    borderBlockEnd: "2px solid var(--wc-border)",
    borderInlineStart: "1px solid var(--wc-border)",
  });
});

test("backgrounds: gradients, pictures from https, and pairs by theme", () => {
  const gradient = "linear-gradient(135deg, #378CD1 0%, rgb(43 103 172) 100%)";
  assert.equal(token.background(gradient, false), gradient);
  assert.equal(
    token.background("url(https://x.example/a.png) no-repeat center / cover", false),
    'url("https://x.example/a.png") no-repeat center / cover',
  );
  const pair = { light: gradient, dark: "#000" };
  assert.equal(token.background(pair, false), gradient);
  assert.equal(token.background(pair, true), "#000");
  for (const bad of [
    "url(http://x.example/a.png)",
    "url(data:text/html,x)",
    'url(https://x.example/"),url(javascript:1)',
    "linear-gradient(red, expression(1))",
    "cross-fade(url(https://x.example/a.png))",
  ]) {
    assert.equal(token.background(bad, false), undefined, bad);
  }
});

test("lengths count pixels, spaces count fours", () => {
  const known: [unknown, string | undefined][] = [
    [12, "12px"],
    ["12", "12px"],
    ["50%", "50%"],
    ["1.5rem", "1.5rem"],
    ["calc(100% - 8px)", "calc(100% - 8px)"],
    ["max-content", "max-content"],
    [1e9, "10000px"],
    ["99999vw", undefined],
    ["calc(1px);x", undefined],
    ["attr(x px)", undefined],
    ["", undefined],
  ];
  for (const [given, want] of known) assert.equal(token.length(given), want, String(given));
  assert.equal(token.space(3), "12px");
  assert.deepEqual(token.spacing({ x: 2, left: 1, top: "1em" }, "padding"), {
    paddingBlockStart: "1em",
    paddingInlineStart: "4px",
    paddingInlineEnd: "8px",
  });
});

test("addresses pass by their scheme", () => {
  for (const good of [
    "https://a.example/?q=1#x",
    "http://a.example",
    "mailto:a@b.example",
    "tel:+4930901820",
  ]) {
    assert.equal(token.url(good), good);
  }
  for (const bad of [
    "javascript:alert(1)",
    "JAVASCRIPT:alert(1)",
    "java\nscript:alert(1)",
    "https:\n//a.example",
    "data:text/html,x",
    "//a.example",
    "/a",
    "https://",
    "file:///etc/passwd",
    "vbscript:x",
    "\u0001javascript:x",
    7,
  ]) {
    assert.equal(token.url(bad), undefined, String(bad));
  }
  const svg = "data:image/svg+xml,%3Csvg/%3E";
  assert.equal(token.image(svg), svg);
  assert.equal(token.image("https://a.example/a.png"), "https://a.example/a.png");
  for (const bad of [
    "http://a.example/a.png",
    "data:text/html,x",
    "javascript:x",
    "/a.png",
    null,
  ]) {
    assert.equal(token.image(bad), undefined, String(bad));
  }
});
