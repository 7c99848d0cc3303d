import assert from "node:assert/strict";
import { test } from "node:test";
import { type Block, type Inline, readMarkdown } from "@widgetcast/markdown";
import { work } from "../../test/work";

/** Nodes as short text: `strong(a em(b))`. */
function brief(nodes: readonly Inline[]): string {
  return nodes
    .map((node) => {
      if (typeof node === "string") return node;
      if (node.type === "code") return `code(${node.text})`;
      if (node.type === "break") return "⏎";
      if (node.type === "image" || node.type === "link")
        return `${node.type}(${brief(node.children)}→${node.url})`;
      return `${node.type}(${brief(node.children)})`;
    })
    .join("");
}

function outline(blocks: readonly Block[]): string {
  return blocks
    .map((block): string => {
      switch (block.type) {
        case "heading":
          return `h${block.level}(${brief(block.children)})`;
        case "paragraph":
          return `p(${brief(block.children)})`;
        case "code":
          return `code:${block.language}(${block.text})`;
        case "quote":
          return `quote(${outline(block.children)})`;
        case "rule":
          return "rule";
        case "list": {
          const tag = block.start === undefined ? "ul" : `ol${block.start}`;
          const items = block.items.map(
            ({ done, children }) =>
              `${done === undefined ? "" : done ? "☑" : "☐"}${outline(children)}`,
          );
          return `${block.loose ? "loose " : ""}${tag}(${items.join("|")})`;
        }
        default:
          return `table[${block.aligns}](${[block.head, ...block.rows]
            .map((row) => row.map(brief).join("|"))
            .join("/")})`;
      }
    })
    .join(" ");
}

const CASES: [source: string, outline: string][] = [
  // Inline
  ["a **b** *c* ~~d~~ `e*f*`", "p(a strong(b) em(c) del(d) code(e*f*))"],
  ["***a***", "p(em(strong(a)))"],
  ["*a **b** c*", "p(em(a strong(b) c))"],
  ["snake_case_name and _em_", "p(snake_case_name and em(em))"],
  ["2 * 3 * 4", "p(2 * 3 * 4)"],
  ["a \\*b\\*", "p(a *b*)"],
  ["``a ` b``", "p(code(a ` b))"],
  ["open **bold", "p(open **bold)"],
  ['[a [b]](https://x.io/p_(q) "t")', "p(link(a [b]→https://x.io/p_(q)))"],
  ["[a](javascript:alert(1))", "p(a)"],
  ["[a](data:text/html,x)", "p(a)"],
  ["[a](ftp://x.io/) [b](file:///x) [c](tel:1)", "p(a b link(c→tel:1))"],
  ["[*[a](https://x.io)*](https://y.io)", "p(link(em(a)→https://y.io))"],
  ["![cat](https://x.io/c.png)", "p(image(cat→https://x.io/c.png))"],
  ["![cat](c.png)", "p(image(cat→c.png))"],
  [
    "[![cat](https://x.io/c.png)](https://y.io)",
    "p(link(image(cat→https://x.io/c.png)→https://y.io))",
  ],
  ["<https://x.io/a>", "p(link(https://x.io/a→https://x.io/a))"],
  ["see https://x.io/a_b.", "p(see link(https://x.io/a_b→https://x.io/a_b).)"],
  ["<img src=x onerror=alert(1)>", "p(<img src=x onerror=alert(1)>)"],
  ["a  \nb", "p(a  ⏎b)"],
  ["[not a link]", "p([not a link])"],
  // Blocks
  ["# A\ntext\nmore\n\n---\n## B ##", "h1(A) p(text\nmore) rule h2(B)"],
  ["A\n===\nB\n---", "h1(A) h2(B)"],
  ["```js\na\n\n# b\n```\nc", "code:js(a\n\n# b) p(c)"],
  ["```\nstill open", "code:(still open)"],
  ["> a\n> > b", "quote(p(a) quote(p(b)))"],
  ["- a\n- b\n  - c\n  - d\n- e", "ul(p(a)|p(b) ul(p(c)|p(d))|p(e))"],
  ["3. a\n4. b", "ol3(p(a)|p(b))"],
  ["0. a", "ol0(p(a))"],
  ["1. a\n   - b\n2. c", "ol1(p(a) ul(p(b))|p(c))"],
  ["- [x] a\n- [ ] b", "ul(☑p(a)|☐p(b))"],
  ["- a\n\n- b\n\ntext", "loose ul(p(a)|p(b)) p(text)"],
  ["- a\n1. b", "ul(p(a)) ol1(p(b))"],
  ["|a|b|\n|:-:|--:|\n|1|2|\n|x\\|y|", "table[center,end](a|b/1|2/x|y)"],
  ["a | b\n--- | :--\n1 | 2 | 3", "table[,start](a|b/1|2)"],
  ["<b>x</b>", "p(<b>x</b>)"],
  ["", ""],
];
for (const [source, expected] of CASES) {
  test(JSON.stringify(source), () => assert.equal(outline(readMarkdown(source)), expected));
}

const HOSTILE: Record<string, string> = {
  stars: "*",
  "stars apart": "*a ",
  "stars both ways": "*a* **b",
  underscores: "_a",
  brackets: "[",
  images: "![",
  "closed brackets": "[]",
  "open links": "[a](b",
  "links with spaces": "[](  ",
  "link titles": '[a](b "',
  "nested links": "[![",
  "links in links": "[[a](https://b.c)",
  ticks: "`",
  "ticks apart": "`a``b```",
  quotes: ">",
  "quotes and lines": "> \n",
  dashes: "- ",
  rules: "-",
  numbers: "1. ",
  "deep list": "  - a\n",
  spaces: " ",
  "spaces and a letter": `${" ".repeat(999)}x`,
  "breaks with spaces": `a${" ".repeat(99)}\n`,
  tabs: "\t",
  hashes: "#",
  "heading ends": "# # #\n",
  pipes: "|",
  "table heads": "|a|b|\n|-|-|\n",
  "table rules": "|-",
  equals: "a\n=",
  tildes: "~~a ",
  escapes: "\\",
  entities: "&amp",
  angles: "<https:",
  "bare links": "https://a.b(",
  "link ends": "https://a.b).",
  mails: "a@b.c-",
  ats: "a@",
  fences: "```\n",
  colons: ":-",
};
for (const [name, part] of Object.entries(HOSTILE)) {
  test(`twice as much text is at most twice the work: ${name}`, () => {
    const once = part.repeat(Math.ceil(3000 / part.length));
    const frames = [
      (text: string) => text,
      (text: string) => `${text}x`,
      (text: string) => `a ${text} b`,
      (text: string) => `a|b\n${text}x`,
    ];
    for (const frame of frames)
      for (const streaming of [false, true]) {
        const one = work(() => readMarkdown(frame(once), streaming));
        const two = work(() => readMarkdown(frame(once + once), streaming));
        assert.ok(two <= 2.2 * one + 500, `${one} steps, then ${two}: ${frame("…")}`);
      }
  });
}

test("nesting costs no more than its bound", () => {
  const list = (depth: number) =>
    Array.from({ length: depth }, (_, at) => `${" ".repeat(at * 2)}- x`).join("\n");
  // Each line is as long as it is deep, so the text is four times as long.
  const one = work(() => readMarkdown(list(100)));
  const two = work(() => readMarkdown(list(200)));
  assert.ok(two <= 4.4 * one, `${one} steps, then ${two}`);
  const quotes = (lines: number) => `${"> ".repeat(200)}deep\n`.repeat(lines);
  const few = work(() => readMarkdown(quotes(10)));
  const many = work(() => readMarkdown(quotes(20)));
  assert.ok(many <= 2.2 * few, `${few} steps, then ${many}`);
});
