import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { Window } from "happy-dom";
import { h, render } from "preact";
import { renderToString } from "preact-render-to-string";
import { Chart } from "../src/markup/chart";
import { curve, type Point } from "../src/markup/chart/curve";
import { breadth, type ChartProps, read, scene, ticks } from "../src/markup/chart/model";

const bars = (data: unknown, more: object = {}): ChartProps => ({
  data,
  series: [{ type: "bar", dataKey: "v", label: "Value" }],
  xAxis: "x",
  ...more,
});
const html = (props: unknown): string =>
  renderToString(h(Chart, props as ChartProps)).replace(/;"/g, '"');
const BOX = { width: 400, height: 200, rtl: false };

// As d3-shape 3.2 draws them; only `monotoneY` differs over a level piece, where d3 divides by zero.
const CURVES: Record<string, string> = {
  basis:
    "M0 50C0 50 0 50 3.3 43.3C6.7 36.7 13.3 23.3 20 25C26.7 26.7 33.3 43.3 40 51.7C46.7 60 53.3 60 60 50.8C66.7 41.7 73.3 23.3 76.7 14.2C80 5 80 5 80 5",
  basisClosed:
    "M20 25C26.7 26.7 33.3 43.3 40 51.7C46.7 60 53.3 60 60 50.8C66.7 41.7 73.3 23.3 63.3 21.7C53.3 20 26.7 35 16.7 35.8C6.7 36.7 13.3 23.3 20 25Z",
  basisOpen: "M20 25C26.7 26.7 33.3 43.3 40 51.7C46.7 60 53.3 60 60 50.8",
  bumpX: "M0 50C10 50 10 10 20 10C30 10 30 60 40 60C50 60 50 60 60 60C70 60 70 5 80 5",
  bumpY: "M0 50C0 30 20 30 20 10C20 35 40 35 40 60C40 60 60 60 60 60C60 32.5 80 32.5 80 5",
  linear: "M0 50L20 10L40 60L60 60L80 5",
  linearClosed: "M0 50L20 10L40 60L60 60L80 5Z",
  natural:
    "M0 50C6.7 27.8 13.3 5.5 20 10C26.7 14.5 33.3 45.6 40 60C46.7 74.4 53.3 72 60 60C66.7 48 73.3 26.5 80 5",
  monotoneX:
    "M0 50C6.7 30 13.3 10 20 10C26.7 10 33.3 60 40 60C46.7 60 53.3 60 60 60C66.7 60 73.3 32.5 80 5",
  monotoneY:
    "M0 50C10 36.7 20 23.3 20 10C20 26.7 26.7 43.3 40 60C40 60 60 60 60 60C60 41.7 70 23.3 80 5",
  step: "M0 50H0V50H0H10V10H20H30V60H40H50V60H60H70V5H80",
  stepBefore: "M0 50H0V50H0H0V10H20H20V60H40H40V60H60H60V5H80",
  stepAfter: "M0 50H0V50H0H20V10H20H40V60H40H60V60H60H80V5H80",
};
const POINTS: Point[] = [
  [0, 50],
  [20, 10],
  [40, 60],
  [60, 60],
  [80, 5],
];
test("all fifteen curves", () => {
  for (const [name, path] of Object.entries(CURVES)) assert.equal(curve(name, POINTS), path, name);
  assert.equal(curve("bump", POINTS), CURVES.bumpX);
  assert.equal(curve("monotone", POINTS), CURVES.monotoneX);
  assert.equal(curve("nope", POINTS), CURVES.monotoneX);
});

test("every curve takes any number of points", () => {
  for (const name of [...Object.keys(CURVES), "bump", "monotone"]) {
    for (let n = 0; n <= 6; n++) {
      const points = Array.from({ length: n }, (_, i): Point => [i * 10, 5]);
      const path = curve(name, points);
      assert.equal(path === "", n === 0, name);
      assert.doesNotMatch(path, /NaN|Infinity|undefined/, `${name} ${n}`);
    }
  }
});

test("a monotone curve never leaves the range of its neighbours", () => {
  const points = Array.from({ length: 40 }, (_, i): Point => [i * 10, (i * i * 37) % 101]);
  const numbers =
    curve("monotone", points)
      .match(/-?[\d.]+/g)
      ?.map(Number) ?? [];
  for (let i = 1; i < points.length; i++) {
    const [y0, y1] = [points[i - 1]?.[1] ?? 0, points[i]?.[1] ?? 0];
    for (const at of [i * 6 - 3, i * 6 - 1]) {
      const y = numbers[at] ?? Number.NaN;
      assert.ok(y >= Math.min(y0, y1) - 0.1 && y <= Math.max(y0, y1) + 0.1, `${i}: ${y}`);
    }
  }
});

test("series without a colour have one that no other has", () => {
  const given = ["blue", undefined, "purple", ...Array(9).fill(undefined)];
  const series = given.map((color, n) => ({ type: "line", dataKey: `${n}`, color }));
  const { series: drawn } = read({ data: [{ x: "a" }], xAxis: "x", series });
  assert.equal(new Set(drawn.map(({ color }) => color)).size, given.length);
});

test("a plot is not half empty for the sake of round values", () => {
  const data = [14_800, -1_800].map((v, n) => ({ x: `${n}`, v }));
  const at = scene(read(bars(data)), bars(data), { width: 400, height: 96, rtl: false });
  assert.ok(at.y(-1_800) - at.y(14_800) > (at.foot - 8) / 1.5, `${at.y(-1_800)}`);
});

test("ticks are round, even, few, and hold the range", () => {
  const ranges = [
    [0, 1],
    [0, 980],
    [-42, 52],
    [0, 0.0047],
    [181, 190],
    [0, 1e12],
    [-1e-9, 0],
    [0, 3],
  ];
  for (const [low = 0, high = 0] of ranges) {
    for (const count of [1.5, 3, 5]) {
      const all = ticks(low, high, count);
      const step = (all[1] ?? 0) - (all[0] ?? 0);
      assert.ok(all.length >= 2 && all.length <= 10, `${low}…${high}: ${all}`);
      assert.ok(
        (all[0] ?? 0) <= low + step * 1e-5 && (all.at(-1) ?? 0) >= high - step * 1e-5,
        `${all}`,
      );
      assert.match(step.toExponential(3), /^[125]\.000e/);
    }
  }
  assert.deepEqual(ticks(0, 980, 4), [0, 200, 400, 600, 800, 1000]);
});

test("values that are missing or of another type are gaps, numbers in text are numbers", () => {
  const { series } = read(
    bars([{ v: 1 }, { v: null }, {}, { v: "2.5" }, { v: "x" }, { v: [] }, 7]),
  );
  assert.deepEqual(series[0]?.values, [
    1,
    undefined,
    undefined,
    2.5,
    undefined,
    undefined,
    undefined,
  ]);
});

test("bars stack away from zero, areas pile up", () => {
  const data = [{ a: 2, b: 3 }, { a: -1, b: -2 }, { a: 4, b: -1 }, { a: 1 }];
  const of = (type: string): [number[], number[]] => {
    const series = ["a", "b"].map((dataKey) => ({ type, dataKey, stack: "s" }));
    const [, top] = read({ data, series, xAxis: "x" }).series;
    return [top?.from ?? [], top?.to ?? []];
  };
  assert.deepEqual(of("bar"), [
    [2, -1, 0, 1],
    [5, -3, -1, 1],
  ]);
  assert.deepEqual(of("area"), [
    [2, -1, 4, 1],
    [5, -3, 3, 1],
  ]);
  assert.deepEqual(of("line"), [
    [0, 0, 0, 0],
    [3, -2, -1, 0],
  ]);
});

test("lengths start at zero, lines may come closer", () => {
  const range = (type: string, ...values: number[]): [number, number] => {
    const data = values.map((v) => ({ v }));
    const { low, high } = read({ data, series: [{ type, dataKey: "v" }], xAxis: "x" });
    return [low, high];
  };
  assert.deepEqual(range("bar", 180, 190), [0, 190]);
  assert.deepEqual(range("area", 180, 190), [0, 190]);
  assert.deepEqual(range("line", 180, 190), [180, 190]);
  assert.deepEqual(range("line", 100, 190), [100, 190]);
  assert.deepEqual(range("line", 90, 190), [0, 190]);
  assert.deepEqual(range("line", -5, 3), [-5, 3]);
  assert.deepEqual(range("line", 5, 5), [0, 5]);
  assert.deepEqual(range("bar", 0, 0), [0, 1]);
  assert.deepEqual(range("bar", -3, -1), [-3, 0]);
});

test("everything lies inside the plot, and mirrored when the script is", () => {
  const data = Array.from({ length: 7 }, (_, i) => ({ x: `L${i}`, v: i * 9 - 20, w: 30 - i }));
  for (const type of ["bar", "line", "area"]) {
    const props = {
      data,
      series: [
        { type, dataKey: "v" },
        { type, dataKey: "w" },
      ],
      xAxis: "x",
      showYAxis: true,
    };
    const model = read(props);
    const there = scene(model, props, BOX);
    const back = scene(model, props, { ...BOX, rtl: true });
    for (let i = 0; i < 7; i++) {
      assert.ok(there.x(i) >= there.left && there.x(i) <= there.right);
      assert.ok(Math.abs(there.x(i) + back.x(i) - BOX.width) < 1e-9);
      assert.ok(there.y(i * 9 - 20) >= 0 && there.y(i * 9 - 20) <= there.foot);
    }
    assert.ok(there.left > 0 && there.right === BOX.width);
    assert.ok(back.left === 0 && back.right < BOX.width);
    assert.equal(there.marks.length, 2);
  }
});

test("labels never touch, and a few long ones are cut, not dropped", () => {
  for (const [count, length] of [
    [5, 30],
    [12, 3],
    [12, 12],
    [100, 8],
    [1000, 4],
    [1, 90],
  ] as const) {
    const props = bars(
      Array.from({ length: count }, (_, i) => ({ x: `${i}`.padEnd(length, "w"), v: i })),
    );
    const { labels } = scene(read(props), props, BOX);
    assert.ok(labels.length >= Math.min(4, count), `${count}: ${labels.length}`);
    let end = Number.NEGATIVE_INFINITY;
    for (const { x, label } of labels) {
      const half = breadth(label) / 2;
      assert.ok(
        x - half >= end && x + half <= BOX.width + 7,
        `${count} × ${length}: ${label} at ${x}`,
      );
      end = x + half;
    }
    if (count === 5) assert.ok(labels.every(({ label }) => label.endsWith("…")));
  }
});

test("bars keep their gaps", () => {
  const widths = (more: object): number[] => {
    const props = { ...bars([{ v: 1 }, { v: 2 }]), ...more };
    const path = scene(read(props), props, BOX).marks[0]?.solid ?? "";
    const starts = [...path.matchAll(/M([\d.]+) [\d.]+V[^h]*h([\d.]+)/g)];
    return starts.map(([, x]) => Number(x));
  };
  const two = [
    { type: "bar", dataKey: "v" },
    { type: "bar", dataKey: "v" },
  ];
  assert.deepEqual(widths({ barCategoryGap: 180 }), [90, 290]);
  assert.deepEqual(widths({ barCategoryGap: "90%" }), [90, 290]);
  assert.deepEqual(widths({ barCategoryGap: 160, barGap: 10, series: two }), [80, 280]);
});

test("many bars in little room stay apart from their neighbours", () => {
  const series = Array.from({ length: 7 }, () => ({ type: "bar", dataKey: "v" }));
  const props = bars([{ v: 1 }, { v: 2 }], { series, barGap: 50, barCategoryGap: 90 });
  const { marks } = scene(read(props), props, { ...BOX, width: 60 });
  const starts = marks.map((mark) =>
    [...mark.solid.matchAll(/M([\d.]+) /g)].map(([, x]) => Number(x)),
  );
  assert.ok((starts[6]?.[0] ?? 99) < (starts[0]?.[1] ?? 0), JSON.stringify(starts));
});

test("only the end of a stack is round", () => {
  const props = {
    data: [{ a: 5, b: 5, c: 0 }],
    series: ["a", "b", "c"].map((dataKey) => ({ type: "bar", dataKey, stack: "s" })),
    xAxis: "x",
  };
  const [a, b, c] = scene(read(props), props, BOX).marks.map(({ solid }) => solid);
  assert.match(a ?? "", /q0 0 0 0h48q0 0 0 0/);
  assert.match(b ?? "", /q0 -4 4 -4h40q4 0 4 4/);
  assert.equal(c, "");
});

test("a gap breaks a line, and a lone point is a dot", () => {
  const data = [1, 2, null, 4, null, 5, 6].map((v) => ({ v }));
  const props = { data, series: [{ type: "line", dataKey: "v" }], xAxis: "x" };
  const [mark] = scene(read(props), props, BOX).marks;
  assert.equal(mark?.line.split("M").length, 3);
  assert.equal(mark?.solid.split("M").length, 2);
});

const SALES = {
  data: [
    { m: "sep", shop: 420, net: 210.5 },
    { m: "oct", shop: 12345, net: null },
  ],
  series: [
    { type: "bar", dataKey: "shop", label: "Shop", color: "blue" },
    { type: "line", dataKey: "net", label: null, color: { light: "#111111", dark: "#eeeeee" } },
  ],
  xAxis: { dataKey: "m", labels: { sep: "September" } },
  showYAxis: true,
  locale: "de",
};

test("who cannot see it gets the numbers", () => {
  const drawn = html(SALES);
  assert.match(drawn, /role="img" aria-label="Diagramm: Shop, net, September – oct"/);
  assert.match(drawn, /<svg aria-hidden="true">/);
  const table = /<table>.*<\/table>/.exec(drawn)?.[0];
  assert.equal(
    table,
    '<table><caption>Diagramm: Shop, net, September – oct</caption><thead><tr><td></td><th scope="col">Shop</th><th scope="col">net</th></tr></thead>' +
      '<tbody><tr><th scope="row">September</th><td>420</td><td>210,5</td></tr><tr><th scope="row">oct</th><td>12.345</td><td>–</td></tr></tbody></table>',
  );
  assert.match(html(bars([{ x: "a", v: 1 }])), /aria-label="Chart: Value"/);
});

test("colours are tokens, pairs or the palette, and nothing else", () => {
  assert.match(html(SALES), /style="color:var\(--wc-blue\)"/);
  assert.match(html(SALES), /style="color:light-dark\(#111111,#eeeeee\)"/);
  const bad = "red;background:url(https://x.y)";
  const drawn = html(bars([{ v: 1 }], { series: [{ type: "bar", dataKey: "v", color: bad }] }));
  assert.doesNotMatch(drawn, /x\.y/);
  assert.match(drawn, /style="color:var\(--wc-blue\)"/);
});

test("parts can be shown and hidden", () => {
  const one = bars([
    { x: "a", v: 1 },
    { x: "b", v: 2 },
  ]);
  const legend = (props: object): boolean => html(props).includes("wc-legend");
  assert.equal(legend(one), false);
  assert.equal(legend({ ...one, showLegend: true }), true);
  assert.equal(legend(SALES), true);
  assert.equal(legend({ ...SALES, showLegend: false }), false);
  assert.match(html(one), /tabindex="0"/);
  assert.doesNotMatch(html({ ...one, showTooltip: false }), /tabindex/);
  assert.match(html(one), /<text[^>]*>a<\/text>/);
  assert.doesNotMatch(html({ ...one, xAxis: { dataKey: "x", hide: true } }), /<text/);
});

test("its box takes the sizes of the tree", () => {
  const box = (more: object): string =>
    / style="([^"]*)"/.exec(html(bars([{ v: 1 }], more)))?.[1] ?? "";
  // At least as high as asked for: a long legend makes it higher, and leaves the plot its part.
  const least = (px: number) => `height:auto;min-height:${px}px;--plot:calc(${px}px*.6)`;
  assert.equal(box({}), least(220));
  assert.equal(box({ height: 140 }), least(140));
  assert.equal(box({ height: 140, aspectRatio: "16/9" }), least(140));
  assert.equal(box({ aspectRatio: "16/9" }), "aspect-ratio:16/9;height:auto;min-height:120px");
  assert.equal(box({ flex: 1, minHeight: 80 }), "min-height:80px;flex:1;height:auto");
  assert.equal(box({ size: "100%" }), "height:100%;width:100%;min-height:120px");
  assert.equal(box({ height: "expression(1)" }), least(220));
});

test("without numbers it says so quietly", () => {
  for (const props of [
    {},
    { data: [], series: [] },
    bars([]),
    bars([{ v: null }]),
    { data: [{ v: 1 }] },
  ]) {
    assert.match(
      html(props),
      /^<div class="wc-chart wc-chart-none" style="[^"]*">Nothing here<\/div>$/,
    );
  }
});

test("a thousand points are still one path a series", () => {
  const data = Array.from({ length: 1000 }, (_, i) => ({ x: i, v: Math.sin(i) * i, w: i }));
  const series = ["bar", "line", "area"].map((type) => ({
    type,
    dataKey: "v",
    curveType: "natural",
  }));
  const drawn = html({ data, series, xAxis: "x", showYAxis: true });
  // Grid and axis, and per series two paths, three for an area.
  assert.equal(drawn.match(/<path/g)?.length, 2 + 7);
});

test("no value makes it throw or draw nonsense", () => {
  let seed = 11;
  const next = (n: number): number => {
    seed = (seed * 48271) % 2147483647;
    return seed % n;
  };
  const odd: unknown[] = [
    null,
    undefined,
    true,
    "",
    "a",
    "12",
    "1e999",
    -1,
    0,
    7.5,
    1e300,
    -1e300,
    1e-320,
    Number.NaN,
    Number.POSITIVE_INFINITY,
    [],
    {},
    [1],
    { light: 1 },
    "50%",
    "__proto__",
    "bar",
    "stepAfter",
  ];
  const pick = (): unknown => odd[next(odd.length)];
  const some = (make: () => unknown): unknown =>
    next(8) === 0 ? pick() : Array.from({ length: next(6) }, make);
  const keys = ["a", "b", "__proto__", "constructor"];
  for (let round = 0; round < 4000; round++) {
    const props = {
      data: some(() => (next(8) === 0 ? pick() : { a: pick(), b: pick(), x: pick() })),
      series: some(() =>
        next(8) === 0
          ? pick()
          : {
              type: ["bar", "line", "area", pick()][next(4)],
              dataKey: [...keys, pick()][next(5)],
              label: pick(),
              color: pick(),
              stack: [undefined, "s", pick()][next(3)],
              curveType: [...Object.keys(CURVES), pick()][next(14)],
            },
      ),
      xAxis: ["x", pick(), { dataKey: pick(), hide: pick(), labels: pick() }][next(3)],
      showYAxis: pick(),
      showLegend: pick(),
      showTooltip: pick(),
      barGap: pick(),
      barCategoryGap: pick(),
      flex: pick(),
      height: pick(),
      width: pick(),
      size: pick(),
      aspectRatio: pick(),
      locale: pick(),
    };
    const drawn = html(props);
    assert.doesNotMatch(drawn, /undefined|\[object/, JSON.stringify(props));
    const numbers = / (d|x|y|rx|width|height|style)="[^"]*(NaN|Infinity)/;
    assert.doesNotMatch(drawn, numbers, JSON.stringify(props));
  }
});

const page = new Window();
before(() =>
  Object.assign(globalThis, {
    document: page.document,
    getComputedStyle: page.getComputedStyle.bind(page),
  }),
);
after(async () => {
  Reflect.deleteProperty(globalThis, "document");
  Reflect.deleteProperty(globalThis, "getComputedStyle");
  await page.happyDOM.close();
});

test("mouse, touch and keys walk along the points", async () => {
  const root = page.document.createElement("div");
  page.document.body.append(root);
  const data = ["Mon", "Tue", "Wed"].map((x, i) => ({ x, v: (i + 1) * 1000 }));
  render(h(Chart, bars(data, { locale: "en" })), root as unknown as HTMLElement);
  const plot = root.querySelector(".wc-plot");
  assert.ok(plot);
  const still = root.querySelector("svg g");
  const after = async (
    event: InstanceType<typeof page.Event>,
  ): Promise<[tip: string, told: string]> => {
    plot.dispatchEvent(event);
    await new Promise((done) => setTimeout(done, 5));
    const text = (selector: string): string => root.querySelector(selector)?.textContent ?? "";
    return [text(".wc-chart-tip"), text("[aria-live]")];
  };
  const key = (name: string) =>
    after(new page.KeyboardEvent("keydown", { key: name, cancelable: true }));
  const pointer = (type: string, clientX: number, pointerType: string) =>
    after(new page.PointerEvent(type, { clientX, pointerType }));

  assert.deepEqual(await key("ArrowRight"), ["MonValue1,000", "Mon: Value 1,000"]);
  assert.deepEqual(await key("End"), ["WedValue3,000", "Wed: Value 3,000"]);
  assert.deepEqual(await key("ArrowLeft"), ["TueValue2,000", "Tue: Value 2,000"]);
  assert.deepEqual(await key("Tab"), ["TueValue2,000", "Tue: Value 2,000"]);
  assert.deepEqual(await key("Escape"), ["", ""]);
  assert.deepEqual(await key("ArrowLeft"), ["WedValue3,000", "Wed: Value 3,000"]);
  assert.deepEqual(await key("ArrowRight"), ["MonValue1,000", "Mon: Value 1,000"]);
  // A pointer shows the tooltip but tells nothing aloud.
  assert.deepEqual(await pointer("pointermove", 240, "mouse"), ["TueValue2,000", ""]);
  assert.deepEqual(await pointer("pointerleave", 240, "mouse"), ["", ""]);
  assert.deepEqual(await pointer("pointerdown", 470, "touch"), ["WedValue3,000", ""]);
  assert.deepEqual(await pointer("pointerleave", 470, "touch"), ["WedValue3,000", ""]);
  assert.deepEqual(await after(new page.FocusEvent("blur")), ["", ""]);
  assert.equal(root.querySelector("svg g"), still);

  // New data in the same place: the frame stays, the numbers change.
  render(h(Chart, bars([{ x: "A", v: 5 }], { locale: "en" })), root as unknown as HTMLElement);
  assert.equal(root.querySelector(".wc-plot"), plot);
  assert.match(root.querySelector("table")?.textContent ?? "", /A5$/);
  render(null, root as unknown as HTMLElement);
});
