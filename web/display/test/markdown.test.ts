import assert from "node:assert/strict";
import { test } from "node:test";
import { type Block, markdown } from "../src/markdown/block";
import { type Inline, inline } from "../src/markdown/inline";

/** A tree as short text: `strong(a em(b))`. */
function brief(parts: readonly Inline[]): string {
  return parts
    .map((part) => {
      if (typeof part === "string") return part;
      if (part.type === "code") return `code(${part.text})`;
      if (part.type === "break") return "⏎";
      if (part.type === "image") return `image(${part.alt}→${part.url ?? "none"})`;
      if (part.type === "link") return `link(${brief(part.kids)}→${part.url})`;
      return `${part.type}(${brief(part.kids)})`;
    })
    .join("");
}

function outline(blocks: readonly Block[]): string {
  return blocks
    .map((block): string => {
      switch (block.type) {
        case "heading":
          return `h${block.level}(${brief(block.kids)})`;
        case "paragraph":
          return `p(${brief(block.kids)})`;
        case "code":
          return `code:${block.language}(${block.text})`;
        case "quote":
          return `quote(${outline(block.kids)})`;
        case "rule":
          return "rule";
        case "list":
          return `${block.start === undefined ? "ul" : `ol${block.start}`}(${block.items
            .map(
              ({ done, kids }) => `${done === undefined ? "" : done ? "☑" : "☐"}${outline(kids)}`,
            )
            .join("|")})`;
        default:
          return `table[${block.aligns}](${[block.head, ...block.rows]
            .map((row) => row.map(brief).join("|"))
            .join("/")})`;
      }
    })
    .join(" ");
}

test("inline", () => {
  const cases: [string, string][] = [
    ["a **b** *c* ~~d~~ `e*f*`", "a strong(b) em(c) del(d) code(e*f*)"],
    ["***a***", "strong(em(a))"],
    ["*a **b** c*", "em(a strong(b) c)"],
    ["snake_case_name and _em_", "snake_case_name and em(em)"],
    ["2 * 3 * 4", "2 * 3 * 4"],
    ["a \\*b\\*", "a *b*"],
    ["``a ` b``", "code(a ` b)"],
    ["open **bold", "open **bold"],
    ['[a [b]](https://x.io/p_(q) "t")', "link(a [b]→https://x.io/p_(q))"],
    ["[a](javascript:alert(1))", "a"],
    ["[a](data:text/html,x)", "a"],
    ["![cat](https://x.io/c.png)", "image(cat→https://x.io/c.png)"],
    ["![cat](http://x.io/c.png)", "image(cat→none)"],
    ["<https://x.io/a>", "link(https://x.io/a→https://x.io/a)"],
    ["see https://x.io/a_b.", "see link(https://x.io/a_b→https://x.io/a_b)."],
    ["<img src=x onerror=alert(1)>", "<img src=x onerror=alert(1)>"],
    ["a  \nb", "a⏎b"],
    ["[not a link]", "[not a link]"],
  ];
  for (const [text, want] of cases) assert.equal(brief(inline(text)), want, text);
});

test("blocks", () => {
  const cases: [string, string][] = [
    ["# A\ntext\nmore\n\n---\n## B ##", "h1(A) p(text\nmore) rule h2(B)"],
    ["```js\na\n\n# b\n```\nc", "code:js(a\n\n# b) p(c)"],
    ["```\nstill open", "code:(still open)"],
    ["> a\n> > b", "quote(p(a) quote(p(b)))"],
    ["- a\n- b\n  - c\n  - d\n- e", "ul(p(a)|p(b) ul(p(c)|p(d))|p(e))"],
    ["3. a\n4. b", "ol3(p(a)|p(b))"],
    ["1. a\n   - b\n2. c", "ol1(p(a) ul(p(b))|p(c))"],
    ["- [x] a\n- [ ] b", "ul(☑p(a)|☐p(b))"],
    ["- a\n\n- b\n\ntext", "ul(p(a)|p(b)) p(text)"],
    ["- a\n1. b", "ul(p(a)) ol1(p(b))"],
    ["|a|b|\n|:-:|--:|\n|1|2|\n|x\\|y|", "table[center,end](a|b/1|2/x|y|)"],
    ["a | b\n--- | ---\n1 | 2", "table[start,start](a|b/1|2)"],
    ["<b>x</b>", "p(<b>x</b>)"],
    ["", ""],
  ];
  for (const [text, want] of cases) assert.equal(outline(markdown(text)), want, text);
});

test("hostile text costs no more than its length", () => {
  const start = performance.now();
  for (const piece of [
    "[",
    "![",
    "*a ",
    "**a ",
    "_a ",
    "`",
    "<",
    "~~a",
    "> ",
    "- ",
    "[a](",
    "\\",
    "|",
    "* a *b",
  ])
    markdown(piece.repeat(20_000));
  markdown(`${"> ".repeat(500)}deep\n`.repeat(20));
  markdown(Array.from({ length: 300 }, (_, at) => `${" ".repeat(at * 2)}- x`).join("\n"));
  const time = performance.now() - start;
  assert.ok(time < 5000, `${time} ms`);
});
