// Rows in a real browser, in views too narrow for them: what shares a row or a column still does so.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { TestBrowser } from "./host";
import { result } from "./tree";

let browser: TestBrowser;
before(async () => {
  browser = await TestBrowser.open();
});
after(() => browser?.close());

type Tree = Record<string, unknown>;
const text = (value: string, more: Tree = {}) => ({ type: "Text", value, size: "sm", ...more });
const caption = (value: string) => ({ type: "Caption", value });
const row = (...children: Tree[]) => ({ type: "Row", children });
const col = (more: Tree, ...children: Tree[]) => ({ type: "Col", ...more, children });
const button = (label: string, more: Tree = {}) => ({ type: "Button", label, ...more });
const card = (...children: Tree[]) => ({ type: "Card", children });

interface Place {
  left: number;
  right: number;
  top: number;
  bottom: number;
  width: number;
  height: number;
}

/** Shows a tree and measures what the selector finds. */
async function places(tree: Tree, width: number, selector: string): Promise<Place[]> {
  const host = await browser.host({ motion: "reduce", picture: true });
  await host.page.setViewportSize({ width: Math.max(800, width + 40), height: 900 });
  const csp = { resourceDomains: ["https://example.com"] };
  await host.open({ input: {}, result: result(tree), width, csp });
  await host.view.locator("main .wc > *").waitFor();
  // What is measured is measured again after a change of size.
  await host.view.evaluate(
    () => new Promise((done) => requestAnimationFrame(() => setTimeout(done, 0))),
  );
  const found = await host.view
    .locator(selector)
    .evaluateAll((parts) => parts.map((part) => part.getBoundingClientRect().toJSON()));
  assert.ok(found.length > 0, `nothing is ${selector}`);
  return found;
}

const isClose = (one: number, other: number) => Math.abs(one - other) < 1.5;

/** How many of these are in each line. */
function lines(parts: Place[]): number[] {
  const counts: number[] = [];
  let bottom = Number.NEGATIVE_INFINITY;
  for (const part of parts) {
    if (part.top >= bottom - 1) counts.push(0);
    bottom = part.top >= bottom - 1 ? part.bottom : Math.max(bottom, part.bottom);
    counts.push((counts.pop() ?? 0) + 1);
  }
  return counts;
}

const figures = (name: string, cells: string[]) => ({
  type: "Row",
  gap: 2,
  children: [
    col({ flex: 1 }, text(name)),
    ...cells.map((value) => ({ type: "Box", width: 44, align: "end", children: [text(value)] })),
  ],
});

const TABLE = card(
  figures("Medicine", ["8", "12", "18", "22"]),
  figures("Levothyroxine 75 µg", ["1", "–", "–", "–"]),
  figures("Metformin", ["1", "1", "1", "–"]),
);

test("the columns of rows get narrower and stay in line", async () => {
  const parts = await places(TABLE, 310, ".wc-row>*");
  assert.deepEqual(
    lines(parts).filter((count) => count !== 5),
    [],
  );
  for (const [at, { right }] of parts.entries())
    if (at % 5) assert.ok(isClose(right, parts[at % 5]?.right ?? 0), `column ${at % 5}`);
});

test("columns that have no room are below what grows, all of them, at the end", async () => {
  const long = card(
    figures("Medicine", ["8:00", "12:00", "18:00", "22:00"]),
    figures("Enalapril/Hydrochlorothiazide", ["10.5 mg", "20.25 mg", "–", "–"]),
  );
  const parts = await places(long, 280, ".wc-row>*");
  assert.deepEqual(lines(parts), [1, 4, 1, 4]);
  for (const at of [1, 2, 3, 4])
    assert.ok(isClose(parts[at]?.right ?? 0, parts[at + 5]?.right ?? 1), `column ${at}`);
});

const tile = (value: string, more: Tree) =>
  col({ padding: 3, background: "surface-secondary", ...more }, text(value), caption("a note"));

test("boxes that share a row evenly have as many in each line", async () => {
  for (const width of [320, 340]) {
    const four = ["1", "Abastecimento", "Significativo", "2"];
    const tree = card({ type: "Row", children: four.map((one) => tile(one, { flex: 1 })) });
    const parts = await places(tree, width, ".wc-row>*");
    assert.deepEqual(lines(parts), [2, 2], `${width}`);
    for (const part of parts) assert.ok(isClose(part.width, parts[0]?.width ?? 0), `${width}`);
  }
});

test("boxes of one width that go on in more lines keep one width, whatever is in them", async () => {
  const names = ["Monty", "Opuntia microdasys var. albispina forma monstrosa", "Fern", "Spike"];
  const plants = names.map((name) =>
    col(
      { width: 160, padding: 2, border: 1 },
      { type: "Caption", value: name, maxLines: 1 },
      row({ type: "Badge", label: "overdue 2 days" }, { type: "Badge", label: "bright indirect" }),
    ),
  );
  const tree = card({ type: "Row", wrap: "wrap", gap: 3, children: plants });
  for (const width of [320, 390, 440]) {
    const parts = await places(tree, width, ".wc-row>.wc-col");
    assert.deepEqual(lines(parts), [2, 2], `${width}`);
    for (const part of parts) assert.ok(isClose(part.width, parts[0]?.width ?? 0), `${width}`);
  }
});

test("buttons below each other are as wide as each other, the first choice on top", async () => {
  const action = { type: "go" };
  const tree = {
    ...card(text("Send?")),
    confirm: { label: "Refer this patient to the study team", action },
    cancel: { label: "Not suitable", action },
  };
  const [cancel, confirm] = await places(tree, 390, ".wc-foot>*");
  assert.ok(cancel && confirm && confirm.bottom <= cancel.top);
  assert.ok(isClose(cancel.width, confirm.width), `${cancel.width} and ${confirm.width}`);
});

test("a button is not so narrow that its label has three lines", async () => {
  const label = "Ask for all of the prescriptions to be renewed";
  const tree = card(
    row(button(label, { block: true }), button("Share it with others", { block: true })),
  );
  const [first, second] = await places(tree, 320, ".wc-btn");
  assert.ok(first && second && second.top >= first.bottom);
});

test("square pictures stay square where a row of them has no room", async () => {
  const picture = { type: "Image", src: "https://example.com/a.png", alt: "A", size: 72 };
  const tree = card(row(...Array.from({ length: 5 }, () => picture)));
  for (const { width, height } of await places(tree, 320, ".wc-image"))
    assert.ok(width < 72 && isClose(width, height), `${width} x ${height}`);
});

test("a bar between words keeps a width that shows something", async () => {
  const track = {
    type: "Box",
    flex: 1,
    height: 12,
    background: "alpha-10",
    children: [{ type: "Box", height: 12, width: "40%", background: "blue-500" }],
  };
  const level = (name: string) =>
    row(text(name, { width: 120 }), track, text("44%", { width: 40 }), {
      type: "Badge",
      label: "−0.3 points",
    });
  const tree = card(row(col({ flex: 1 }, level("Jaguari"), level("Cachoeira, the other side"))));
  for (const width of [280, 320, 390]) {
    const bars = await places(tree, width, ".wc-box:has(>.wc-box)");
    for (const bar of bars) assert.ok(bar.width >= 48, `${bar.width} at ${width}`);
    assert.ok(isClose(bars[0]?.width ?? 0, bars[1]?.width ?? 1), `${width}`);
  }
});

test("fields side by side stand on one line and have room for what is typed", async () => {
  const field = (name: string, label: string) =>
    col(
      { flex: 1, gap: 1 },
      { type: "Label", value: label, fieldName: name },
      { type: "Input", name },
    );
  const fields = row(
    field("amount", "Amount"),
    field("rate", "Interest rate per year in percent"),
    button("Recalculate", { submit: true }),
  );
  for (const width of [320, 390, 600]) {
    const parts = await places(card(fields), width, "input,.wc-btn");
    const [amount, rate] = parts;
    assert.ok(amount && rate && isClose(amount.bottom, rate.bottom), `${width}`);
    assert.ok(amount.width > 100 && rate.width > 100, `${amount.width} at ${width}`);
  }
});

test("a card is wider than its size for a table that needs it, if the host has room", async () => {
  const columns = ["Payment", "Principal", "Interest", "Total interest", "Balance"];
  const cells = (values: string[], header = false) => ({
    type: "Table.Row",
    header,
    children: values.map((value) => ({ type: "Table.Cell", children: [text(value)] })),
  });
  const amounts = columns.map(() => "$419,569.72");
  const tree = card({ type: "Table", children: [cells(columns, true), cells(amounts)] });
  const [wide, table] = await places(tree, 760, ".wc-card,.wc-table");
  assert.ok(wide && table && wide.width > 440 && wide.width <= 720, `${wide?.width}`);
  assert.ok(table.right < wide.right);
  // A little too narrow, it has smaller words.
  const [cut, small] = await places(tree, 500, ".wc-scroll,.wc-table");
  assert.ok(cut && small && small.width < cut.width + 1, `${small?.width} in ${cut?.width}`);
});

test("columns of rows do not touch: they have their gap, or are below each other", async () => {
  const fact = (name: string, value: string) => row(text(name), { type: "Spacer" }, text(value));
  const tree = card({
    type: "Row",
    gap: 6,
    align: "start",
    children: [
      col({ flex: 1 }, fact("時間外勤務手当", "¥298,000"), fact("通勤手当", "¥12,430")),
      col({ flex: 1 }, fact("厚生年金保険料", "¥34,770"), fact("雇用保険料", "¥2,230")),
    ],
  });
  for (const width of [320, 360, 390, 440]) {
    const [one, other] = await places(tree, width, ".wc-row>.wc-col");
    assert.ok(one && other);
    assert.ok(other.top >= one.bottom || other.left - one.right > 20, `${width}`);
  }
});

test("words get the line of a button that leaves them a few letters", async () => {
  const place = col(
    { flex: 1 },
    text("St. Bartholomew's Comprehensive Thoracic Oncology Centre"),
    caption("14 km away"),
  );
  const tree = card(row({ type: "Icon", name: "map-pin" }, place, button("Directions")));
  const [icon, words, last] = await places(tree, 280, ".wc-row>*");
  assert.ok(icon && words && last && last.top >= words.bottom);
  assert.ok(words.left > icon.right && isClose(words.right, last.right));
});

test("a text as wide as its row gives way to what is beside it", async () => {
  const one = (value: string, label: string) =>
    row(
      { type: "Icon", name: "check" },
      text(value, { width: "100%" }),
      { type: "Spacer" },
      { type: "Badge", label },
    );
  const tree = card(one("ECOG performance status", "0"), one("Stage II–IIIB", "IIIA"));
  const parts = await places(tree, 390, ".wc-row>:not(.wc-spacer)");
  assert.deepEqual(lines(parts), [3, 3]);
});

test("what is at the end of a row is there in another line, too", async () => {
  const tree = card(
    row(
      col({ flex: 1 }, { type: "Title", value: "Konstantinos Papadimitriou-Weatherby" }),
      col({ align: "end" }, { type: "Title", value: "3:12:47", size: "xl" }, caption("net")),
    ),
  );
  const [line, , time] = await places(tree, 280, ".wc-row,.wc-row>*");
  assert.ok(line && time && isClose(line.right, time.right), `${line?.right} ${time?.right}`);
});

test("a text that may be shortened is not a letter or two, and entries break alike", async () => {
  const entry = (name: string, team: string) =>
    row(
      text(name, { truncate: true }),
      { type: "Spacer" },
      { type: "Badge", label: team },
      text("5h 41:07", { width: 64 }),
    );
  const tree = card(
    entry("Giulio Tiberi-Castellani", "Team Dolomiti Energia Internazionale"),
    entry("Lars Vanderbruggen", "Lotto"),
  );
  const parts = await places(tree, 390, ".wc-row>:not(.wc-spacer)");
  const [one, , , other] = parts;
  assert.ok(one && other && one.width > 90 && other.width > 90, `${one?.width} ${other?.width}`);
  const squeezed = (name: string, note: string) =>
    row(
      { type: "Icon", name: "map-pin" },
      col({ flex: 1 }, text(name), caption(note)),
      button("Directions"),
    );
  const list = card(
    squeezed("St. Bartholomew's Comprehensive Thoracic Oncology Centre", "14 km away"),
    squeezed("Clinic", "2 km"),
  );
  const all = await places(list, 280, ".wc-row>*");
  assert.deepEqual(lines(all), [2, 1, 2, 1]);
});

const LONG = "Rechtsschutzversicherungsgesellschaften";
const icon = { type: "Icon", name: "play" };
const spacer = { type: "Spacer" };

test("an icon stays beside words that are broken, and a spacer leaves no line free", async () => {
  const words = text(`2. ${LONG} und Pflichten`, { weight: "semibold", size: "md" });
  const tree = card(row(icon, words, spacer, caption("2 Std. 10 Min.")));
  const [glyph, title, time] = await places(tree, 320, ".wc-row>:is(.wc-glyph,.wc-words)");
  assert.ok(glyph && title && time);
  assert.ok(glyph.right <= title.left && glyph.top < title.bottom, "the icon is above the words");
  assert.ok(time.top - title.bottom < 12, `${time.top - title.bottom} pixels are empty`);
});

test("entries that differ in colour alone break alike", async () => {
  const entry = (name: string, label: string, color: string) =>
    row(text(name), spacer, { type: "Badge", label, color });
  const list = col({}, entry("Begriffe", "Fertig", "success"), entry(LONG, "Gesperrt", "danger"));
  const [short, done, long, locked] = await places(card(list), 320, ".wc-row>:not(.wc-spacer)");
  assert.ok(short && done && long && locked);
  assert.ok(locked.top >= long.bottom, "the long one has room");
  assert.ok(done.top >= short.bottom, "the short one is laid out otherwise");
  assert.ok(isClose(done.right, locked.right));
});

test("words between what keeps its width are not squeezed to a few letters", async () => {
  const note = "所要2時間54分・乗換なし・車内販売サービスは終了しました";
  const tree = card(
    row(
      col({ width: 56 }, text("08:33")),
      col({ flex: 1 }, text("ひかり505号 岡山行（各駅停車）"), caption(note)),
      { type: "Badge", label: "残りわずか" },
      text("14,400円"),
    ),
  );
  const [words] = await places(tree, 320, ".wc-row>:nth-child(2)");
  assert.ok(words && words.width > 180, `${words?.width}`);
});

test("even columns are below each other before one has a word in each line", async () => {
  const tree = card(
    row(
      col({ flex: 1 }, text("Al Nakheel Trading and General Contracting Company")),
      col({ flex: 1 }, text("accounts@alwaha-establishment.example.com")),
    ),
  );
  const [one, other] = await places(tree, 320, ".wc-row>.wc-col");
  assert.ok(one && other);
  assert.ok(other.top >= one.bottom && one.width > 200, `${one.width}`);
  const [left, right] = await places(tree, 700, ".wc-row>.wc-col");
  assert.ok(left && right && isClose(left.top, right.top));
});

test("grounds that share a row are as high as each other", async () => {
  const tile = (label: string) =>
    col({ flex: 1, background: "surface-secondary", padding: 3 }, caption(label), text("12"));
  const tree = card(row(tile("Requests per second"), tile("p99"), tile("Budget")));
  const [one, ...others] = await places(tree, 400, ".wc-row>.wc-col");
  for (const { top, height } of others) assert.ok(one?.top === top && one.height === height);
});

test("what is pushed to the end of a row ends there in every line", async () => {
  const fact = row(
    text("Account"),
    text("payment-reconciliation@prod-eu.iam.example.com is disabled"),
  );
  const tree = card({ ...fact, justify: "between" });
  const host = await browser.host({ motion: "reduce", picture: true });
  await places(tree, 320, ".wc-words");
  const align = await host.view
    .locator(".wc-words")
    .last()
    .evaluate((words) => getComputedStyle(words).textAlign);
  assert.equal(align, "end");
});

test("lanes below each other are as high as what is in them", async () => {
  const lane = (...names: string[]) =>
    col(
      { flex: 1, padding: 2, background: "surface-secondary" },
      ...names.map((name) => text(name)),
    );
  const long = "InternationalizationConfigurationProviderFactory leaks";
  const lanes = row(lane("To do", long), lane("In progress", "Rotate keys"), lane("Done"));
  const tree = card({ ...lanes, align: "start" });
  const [first, , last] = await places(tree, 320, ".wc-row>.wc-col");
  assert.ok(first && last && last.top >= first.bottom);
  assert.ok(last.height < 60, `${last.height} pixels for a line`);
});

test("a bullet stays beside its words, and what follows is below them in all entries", async () => {
  const entry = (words: string) =>
    row(text("•"), text(words), { type: "Badge", label: "Practical work" });
  const tree = card(col({}, entry("Subnets"), entry("Adressierungsverfahrensordnung im Netz")));
  const all = await places(tree, 300, ".wc-row>*");
  const lefts = new Set<number>();
  for (let at = 0; at < all.length; at += 3) {
    const [bullet, words, badge] = all.slice(at, at + 3);
    assert.ok(bullet && words && badge);
    assert.ok(bullet.right <= words.left && bullet.bottom > words.top, "the bullet is alone");
    assert.ok(badge.top >= words.bottom && isClose(badge.left, words.left), `${badge.left}`);
    lefts.add(words.left);
  }
  assert.equal(lefts.size, 1);
});

test("a picture with room for words beside it is not alone in its line", async () => {
  const entry = {
    type: "ListViewItem",
    children: [
      { type: "Image", src: "https://example.com/a.png", size: 88 },
      col(
        { flex: 1 },
        text("Biscuit"),
        row(
          button("Meet", { size: "xs" }),
          button("Hold", { size: "xs" }),
          spacer,
          caption("Adoption fee $150"),
        ),
      ),
    ],
  };
  const [image, words] = await places({ type: "ListView", children: [entry] }, 300, ".wc-item>*>*");
  assert.ok(image && words && image.right <= words.left && words.top < image.bottom);
});

test("the columns of rows with shares are in line, or all below what names the row", async () => {
  const entry = (name: string, cells: unknown[]) =>
    row(
      { type: "Box", flex: 3, children: [text(name)] },
      ...cells.map((cell) => ({ type: "Box", flex: 1, align: "center", children: [cell] })),
    );
  const heads = ["Owner", "Admin", "Editor", "Billing", "Auditor", "Guest"];
  const tree = card(
    entry("Permission", heads.map(caption)),
    entry("Impersonate", Array(6).fill({ type: "Icon", name: "check" })),
  );
  for (const width of [320, 560]) {
    const cells = await places(tree, width, ".wc-row>*>*");
    for (let at = 1; at < 7; at += 1) {
      const [head, mark] = [cells[at], cells[at + 7]];
      assert.ok(head && mark && isClose(head.top, cells[1]?.top ?? 0), `${width}: ${at}`);
      const [one, other] = [head.left + head.right, mark.left + mark.right];
      assert.ok(Math.abs(one - other) < 16, `${width}: ${at}: ${one} and ${other}`);
    }
  }
});

test("a word that no line holds leaves the end of its row where it is in other rows", async () => {
  const entry = (word: string) => row(text(word), spacer, { type: "Badge", label: "noun" });
  const tree = card(entry("lentokonesuihkuturbiinimoottoriapumekaanikko"), entry("yö"));
  const all = await places(tree, 300, ".wc-row>:not(.wc-spacer)");
  const [long, noun, short, other] = all;
  assert.ok(long && noun && short && other);
  assert.ok(noun.top < long.bottom && other.top < short.bottom, "a badge is below");
  assert.ok(isClose(noun.right, other.right) && long.right <= noun.left);
});

test("as many boxes are in a line as have room, whatever is left of a pixel", async () => {
  const days = { type: "Title", value: "41 days", size: "lg" };
  const tile = (label: string) => col({ flex: 1, padding: 3 }, caption(label), days);
  const tree = card(row(tile("Longest streak"), tile("Median session"), tile("Pieces learned")));
  for (const width of [310, 311, 312, 313])
    assert.deepEqual(lines(await places(tree, width, ".wc-row>*")), [2, 1], `${width}`);
});

test("an empty box with a ground is as high as its row", async () => {
  const bar = { type: "Box", width: 2, background: "orange-400" };
  const [box, words] = await places(card(row(bar, text("airman"))), 320, ".wc-row>*");
  assert.ok(box && words && box.height === words.height, `${box?.height}`);
});

test("a badge in a column is where the column says, and words that wrap end there, too", async () => {
  for (const align of ["end", "center"]) {
    const words = text("on 24 November 2026");
    const column = col({ width: 90, align }, { type: "Badge", label: "Due" }, words);
    const tree = card({ type: "Row", children: [text("Book"), column] });
    const [frame, badge] = await places(tree, 400, ".wc-col:has(>.wc-badge),.wc-badge");
    const at = ({ left = 0, right = 0 }: Partial<Place> = {}) =>
      align === "end" ? right : (left + right) / 2;
    assert.ok(isClose(at(frame), at(badge)), align);
    if (align === "center") continue;
    const side = await (await browser.host({ motion: "reduce", picture: true })).view
      .locator(".wc-col>.wc-words")
      .evaluate((one) => getComputedStyle(one).textAlign);
    assert.equal(side, "end");
  }
});

test("a word that its box is too narrow for is broken beside what follows it", async () => {
  const entry = (word: string) =>
    col(
      { padding: 3 },
      { type: "Row", justify: "between", children: [text(word), caption("Note")] },
    );
  const long = "Aardappelmeelverwerkingsmachinehandleiding";
  let broken = 0;
  for (let width = 300; width < 430; width += 10) {
    const parts = await places(card(entry("Beans"), entry(long)), width, ".wc-row>*");
    const isBroken = (parts[2]?.height ?? 0) > 30;
    broken += Number(isBroken);
    assert.deepEqual(lines(parts), isBroken ? [2, 2] : [1, 1, 1, 1], `${width}`);
    if (!isBroken) break;
  }
  assert.ok(broken > 0);
});

test("words beside a column that ends their row are not squeezed to a few letters", async () => {
  const entry = (name: string) => ({
    type: "Row",
    gap: 4,
    children: [
      { type: "Title", value: "08.45" },
      col({ flex: 1 }, text(name)),
      col({ align: "end" }, { type: "Badge", label: "12 min late" }, caption("88 % full")),
    ],
  });
  const name = "Kadıköy – Adalar (Kınalıada, Burgazada, Heybeliada, Büyükada)";
  const parts = await places(card(entry("Beşiktaş"), entry(name)), 300, ".wc-row>*");
  assert.deepEqual(lines(parts), [2, 1, 2, 1]);
});

test("words that are shortened lose their end, whatever the direction of the card", async () => {
  const cut = "Design Patterns: Elements of Reusable Object-Oriented Software for everyone";
  const title = (value: string, more: Tree = {}) => ({ type: "Title", value, ...more });
  const tree = card(
    title("نئی کتابیں"),
    title(cut, { truncate: true }),
    title("Short", { truncate: true }),
  );
  const [all, long, short] = await places(tree, 320, ".wc-card,.wc-clip");
  assert.ok(long && short);
  const host = await browser.host({ motion: "reduce", picture: true });
  const first = await host.view.locator(".wc-clip").evaluateAll((parts) =>
    parts.map((part) => {
      const range = document.createRange();
      range.setStart(part.firstChild as Text, 0);
      range.setEnd(part.firstChild as Text, 1);
      return range.getBoundingClientRect().toJSON();
    }),
  );
  // The first letter is there, and what fits stands where other words of the card do.
  assert.ok(first[0].left >= long.left - 1, `${first[0].left} ${long.left}`);
  assert.ok(first[1].left > (all?.left ?? 0) + (all?.width ?? 0) / 2, `${first[1].left}`);
});
