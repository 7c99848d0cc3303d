// Trees that no one would write and every data set can make: any nesting, long words, long numbers, many
// siblings. The same seed gives the same tree. Sizes in pixels are left out: who asks for 500 gets them.

import type { Tree } from "./tree";

type Random = () => number;

/** Mulberry32: small, and good enough to choose with. */
function randomOf(seed: number): Random {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const WORDS = [
  ["Order", "ready", "for", "pickup", "today", "at", "noon", "Anna", "in", "Lisbon", "paid"],
  ["Donaudampfschifffahrt", "internationalisation", "Geschwindigkeits", "approximately"],
  ["1,234,567,890.00", "€1,250,000.00", "SP8841207553GB", "+49 30 901820", "99.97 %"],
  ["ana.maria.fernandez@example.com", "https://example.com/a/long/path?with=query"],
  ["配送状況", "営業時間", "تتبع", "الرحلة", "הזמנה", "Überraschung"],
] as const;
const ICONS = ["calendar", "check", "user", "phone", "map-pin", "star", "bolt", "document"];
const COLORS = ["secondary", "success", "danger", "info", "warning", "discovery"];
const SIZES = ["xs", "sm", "md", "lg", "xl"];

class Generator {
  #names = 0;
  constructor(readonly random: Random) {}

  below(count: number): number {
    return Math.floor(this.random() * count);
  }
  one<T>(list: readonly T[]): T {
    return list[this.below(list.length)] as T;
  }
  chance(share: number): boolean {
    return this.random() < share;
  }
  words(most: number): string {
    const count = 1 + this.below(most);
    const kind = () => (this.chance(0.6) ? WORDS[0] : this.one(WORDS));
    return Array.from({ length: count }, () => this.one<string>(kind())).join(" ");
  }
  list(most: number, make: () => Tree): Tree[] {
    return Array.from({ length: 1 + this.below(most) }, make);
  }
  /** The prop in a share of all trees. */
  maybe(share: number, props: () => Tree): Tree {
    return this.chance(share) ? props() : {};
  }

  text(): Tree {
    const limit = () => this.one<Tree>([{ truncate: true }, { maxLines: 2 }]);
    return this.one<() => Tree>([
      () => ({
        type: "Text",
        value: this.words(9),
        ...this.maybe(0.5, () => ({ size: this.one(SIZES) })),
        // A title with a limit is cut by its author.
        ...this.one<() => Tree>([() => ({}), () => ({ weight: "semibold" }), limit])(),
        ...this.maybe(0.3, () => ({ textAlign: this.one(["start", "center", "end"]) })),
      }),
      () => ({ type: "Title", value: this.words(5), size: this.one(SIZES) }),
      () => ({
        type: "Caption",
        value: this.words(6),
        color: "secondary",
        ...this.maybe(0.3, limit),
      }),
      () => ({ type: "Badge", label: this.words(2), color: this.one(COLORS) }),
    ])();
  }

  leaf(): Tree {
    return this.one<() => Tree>([
      () => this.text(),
      () => this.text(),
      () => this.text(),
      () => ({ type: "Icon", name: this.one(ICONS), ...this.maybe(0.5, () => ({ size: "lg" })) }),
      () => ({
        type: "Button",
        label: this.words(3),
        onClickAction: { type: "go" },
        ...this.maybe(0.4, () => ({ iconStart: this.one(ICONS) })),
        ...this.maybe(0.3, () => ({ size: this.one(["sm", "lg"]) })),
        ...this.maybe(0.2, () => ({ block: true })),
      }),
      () => ({ type: "Divider" }),
      () => ({ type: "Spacer" }),
      () => ({ type: "Markdown", value: this.markdown() }),
      () => ({ type: "Image", src: PIXEL, alt: "Dot", size: this.one([24, 40, 64]) }),
    ])();
  }

  markdown(): string {
    const cell = () => this.words(3);
    return this.one([
      `**${this.words(3)}** ${this.words(12)}\n\n- ${this.words(5)}\n- ${this.words(5)}`,
      `| ${cell()} | ${cell()} | ${cell()} |\n|---|--:|---|\n| ${cell()} | ${cell()} | ${cell()} |`,
      `## ${this.words(4)}\n\n\`\`\`\n${this.words(12)}\n\`\`\``,
    ]);
  }

  field(): Tree {
    this.#names += 1;
    const name = `f${this.#names}`;
    const options = this.list(4, () => {
      this.#names += 1;
      return { value: `v${this.#names}`, label: this.words(3) };
    });
    const control = this.one<() => Tree>([
      () => ({ type: "Input", name, placeholder: this.words(4) }),
      () => ({ type: "Textarea", name, placeholder: this.words(6) }),
      () => ({ type: "Select", name, options, placeholder: this.words(2) }),
      () => ({ type: "DatePicker", name, placeholder: this.words(2) }),
      () => ({ type: "Checkbox", name, label: this.words(6) }),
      () => ({ type: "RadioGroup", name, options, direction: this.one(["row", "col"]) }),
    ])();
    const label = { type: "Label", fieldName: name, value: this.words(3) };
    return { type: "Col", gap: 1, children: [label, control] };
  }

  table(): Tree {
    const columns = 2 + this.below(4);
    const row = (header: boolean) => ({
      type: "Table.Row",
      ...(header && { header }),
      children: Array.from({ length: columns }, (_, at) => ({
        type: "Table.Cell",
        ...(at && this.chance(0.4) && { align: "end" }),
        children: [{ type: "Text", value: this.words(3), size: "sm" }],
      })),
    });
    return { type: "Table", children: [row(true), ...this.list(4, () => row(false))] };
  }

  chart(): Tree {
    const data = Array.from({ length: 2 + this.below(8) }, (_, at) => ({
      label: this.chance(0.3) ? this.words(2) : `Q${at + 1}`,
      amount: this.below(2_000_000),
    }));
    const type = this.one(["bar", "line", "area"]);
    const series = [{ type, dataKey: "amount", label: this.words(2) }];
    return {
      type: "Chart",
      data,
      series,
      xAxis: { dataKey: "label" },
      showLegend: this.chance(0.5),
    };
  }

  box(depth: number): Tree {
    const children = this.list(depth > 2 ? 4 : 3, () => this.node(depth - 1));
    const look = {
      ...this.maybe(0.6, () => ({ gap: this.below(5) })),
      ...this.maybe(0.25, () => ({ padding: 1 + this.below(4) })),
      ...this.maybe(0.2, () => ({ border: 1, radius: "lg" })),
      ...this.maybe(0.2, () => ({ background: "surface-secondary" })),
      ...this.maybe(0.3, () => ({ flex: 1 })),
    };
    const align = this.one(["start", "center", "end", "stretch"]);
    return this.one<() => Tree>([
      () => ({
        type: "Row",
        ...look,
        ...this.maybe(0.5, () => ({ align: this.one([align, "baseline"]) })),
        ...this.maybe(0.4, () => ({ justify: this.one(["between", "end", "center"]) })),
        ...this.maybe(0.2, () => ({ wrap: "wrap" })),
        children,
      }),
      () => ({ type: "Col", ...look, ...this.maybe(0.4, () => ({ align })), children }),
      () => ({ type: "Box", ...look, direction: this.one(["row", "col"]), children }),
    ])();
  }

  node(depth: number): Tree {
    if (depth <= 0) return this.leaf();
    const share = this.random();
    if (share < 0.5) return this.box(depth);
    if (share < 0.58) return this.field();
    if (share < 0.64) return this.table();
    if (share < 0.68) return this.chart();
    return this.leaf();
  }

  root(): Tree {
    if (this.chance(0.2)) {
      const item = () => ({
        type: "ListViewItem",
        onClickAction: { type: "go" },
        children: this.list(3, () => this.node(2)),
      });
      return { type: "ListView", children: this.list(6, item) };
    }
    const action = () => ({ label: this.words(2), action: { type: "go" } });
    return {
      type: "Card",
      ...this.maybe(0.5, () => ({ size: this.one(["sm", "md", "lg", "full"]) })),
      ...this.maybe(0.3, () => ({ status: { text: this.words(4) } })),
      ...this.maybe(0.3, () => ({ asForm: true, confirm: action(), cancel: action() })),
      children: this.list(5, () => this.node(3)),
    };
  }
}

const PIXEL = `data:image/svg+xml,${encodeURIComponent('<svg xmlns="http://www.w3.org/2000/svg" width="8" height="8"/>')}`;

/** The tree of a seed. */
export const generate = (seed: number): Tree => new Generator(randomOf(seed)).root();
