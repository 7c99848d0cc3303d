import assert from "node:assert/strict";
import { test } from "node:test";
import { type ComponentChild, h, isValidElement, type VNode } from "preact";
import { Markdown } from "../src/markup/markdown";
import { markup } from "./markup";

function html(value: string, streaming = false): string {
  return markup(h(Markdown, { value, streaming }))
    .replace(/^<div class="wc-md">|<\/div>$/g, "")
    .replace(/ target="_blank" rel="noopener noreferrer"/g, "")
    .replace(/ tabIndex="0"/g, "");
}

const CASES: [name: string, source: string, html: string][] = [
  ["paragraphs", "a\nb\n\nc", "<p>a\nb</p><p>c</p>"],
  [
    "bold and italic",
    "**a** *b* __c__ _d_",
    "<p><strong>a</strong> <em>b</em> <strong>c</strong> <em>d</em></p>",
  ],
  ["both at once", "***a***", "<p><em><strong>a</strong></em></p>"],
  ["nested", "**a *b* c**", "<p><strong>a <em>b</em> c</strong></p>"],
  ["a sign inside bold", "**2*3**", "<p><strong>2*3</strong></p>"],
  ["signs in a sum", "2 * 3 * 4", "<p>2 * 3 * 4</p>"],
  ["underscores in a word", "snake_case_name", "<p>snake_case_name</p>"],
  ["bold before a Japanese letter", "**「重要」**です", "<p><strong>「重要」</strong>です</p>"],
  ["strike-through", "~~a~~ ~5 to ~10", "<p><del>a</del> ~5 to ~10</p>"],
  ["unmatched", "**a", "<p>**a</p>"],
  ["escapes", "\\*a\\* \\[b\\]", "<p>*a* [b]</p>"],
  ["code", "`a*b*` and ``x ` y``", "<p><code>a*b*</code> and <code>x ` y</code></p>"],
  ["code with its padding", "`` `a` ``", "<p><code>`a`</code></p>"],
  ["code without an end", "`a", "<p>`a</p>"],
  ["hard breaks", "a  \nb\\\nc<br>d", "<p>a  <br>b<br>c<br>d</p>"],
  ["entities", "&lt;a&gt; &amp; &nope;", "<p>&lt;a> &amp; &amp;nope;</p>"],
  ["HTML is text", "<b onclick=x>a</b>", "<p>&lt;b onclick=x>a&lt;/b></p>"],
  ["headings", "# a\n### b ##\n#c", '<h3 class="wc-h1">a</h3><h5 class="wc-h3">b</h5><p>#c</p>'],
  ["underlined headings", "a\n===\nb\n---", '<h3 class="wc-h1">a</h3><h4 class="wc-h2">b</h4>'],
  ["rules", "---\n* * *", "<hr><hr>"],
  [
    "fence",
    "```rust\nlet *a* = 1;\n\n<b>\n```\nb",
    '<pre><code data-lang="rust">let *a* = 1;\n\n&lt;b></code></pre><p>b</p>',
  ],
  ["fence in a fence", "````\n```\na\n```\n````", "<pre><code>```\na\n```</code></pre>"],
  ["fence without an end", "```\na", "<pre><code>a</code></pre>"],
  [
    "quote",
    "> a\n> > b\n\nc",
    "<blockquote><p>a</p><blockquote><p>b</p></blockquote></blockquote><p>c</p>",
  ],
  ["list", "- a\n- b", "<ul><li><span>a</span></li><li><span>b</span></li></ul>"],
  [
    "numbered from",
    "3. a\n4. b",
    '<ol start="3"><li><span>a</span></li><li><span>b</span></li></ol>',
  ],
  [
    "nested lists",
    "1. a\n   - b\n     - c\n2. d",
    '<ol start="1"><li><span>a</span><ul><li><span>b</span><ul><li><span>c</span></li></ul></li></ul></li><li><span>d</span></li></ol>',
  ],
  ["a list ends a paragraph", "a\n- b", "<p>a</p><ul><li><span>b</span></li></ul>"],
  ["a year does not", "in\n1984. So", "<p>in\n1984. So</p>"],
  ["an item of two lines", "- a\nb", "<ul><li><span>a\nb</span></li></ul>"],
  [
    "loose",
    "- a\n\n- b",
    '<ul class="wc-loose"><li><span>a</span></li><li><span>b</span></li></ul>',
  ],
  [
    "a list after another",
    "1. a\n\n- b",
    '<ol start="1"><li><span>a</span></li></ol><ul><li><span>b</span></li></ul>',
  ],
  [
    "code in an item",
    "- a\n  ```\n  x\n  ```",
    "<ul><li><span>a</span><pre><code>x</code></pre></li></ul>",
  ],
  [
    "tasks",
    "- [x] a\n- [ ] b",
    '<ul><li class="wc-task"><label><input type="checkbox" disabled checked><span><span>a</span></span></label></li><li class="wc-task"><label><input type="checkbox" disabled><span><span>b</span></span></label></li></ul>',
  ],
  [
    "link",
    '[a **b**](https://x.y/z_(w) "t")',
    '<p><a href="https://x.y/z_(w)">a <strong>b</strong></a></p>',
  ],
  ["link without a label", "[](https://x.y/)", '<p><a href="https://x.y/">https://x.y/</a></p>'],
  [
    "address as its own label",
    "[https://x.y](https://x.y)",
    '<p><a href="https://x.y">https://x.y</a></p>',
  ],
  ["unsafe links", "[a](javascript:alert) [b](data:text/html,x) [c](/d)", "<p>a b c</p>"],
  [
    "unsafe in disguise",
    "[a](JaVaScRiPt:x) [b](&#106;avascript:x) [c](https:\\\\x)",
    "<p>a b c</p>",
  ],
  ["brackets", "a[0] [b]", "<p>a[0] [b]</p>"],
  ["picture", "![a](https://x.y/z.png)", '<p><a href="https://x.y/z.png">a</a></p>'],
  [
    "picture in a link",
    "[![a](https://p.q/z.png)](https://x.y)",
    '<p><a href="https://x.y">a</a></p>',
  ],
  [
    "bare links",
    "(see https://x.y/a_(b).) www.x.y, a@b.co",
    '<p>(see <a href="https://x.y/a_(b)">https://x.y/a_(b)</a>.) <a href="https://www.x.y">www.x.y</a>, <a href="mailto:a@b.co">a@b.co</a></p>',
  ],
  [
    "bare link in bold",
    "**https://x.y**",
    '<p><strong><a href="https://x.y">https://x.y</a></strong></p>',
  ],
  [
    "autolink",
    "<https://x.y/?a=1&amp;b=2>",
    '<p><a href="https://x.y/?a=1&b=2">https://x.y/?a=1&amp;amp;b=2</a></p>',
  ],
  [
    "table",
    "| a | b | c |\n|:-:|--:|---|\n| 1 | `x\\|y` | 3 | 4 |\nafter",
    '<div class="wc-scroll" tabindex="0"><table class="wc-table"><thead><tr><th scope="col" class="wc-short" style="text-align:center;">a</th><th scope="col" class="wc-short" style="text-align:end;">b</th><th scope="col" class="wc-short">c</th></tr></thead><tbody><tr><td class="wc-short" style="text-align:center;">1</td><td class="wc-short" style="text-align:end;"><code>x|y</code></td><td class="wc-short">3</td></tr><tr><td class="wc-short" style="text-align:center;">after</td></tr></tbody></table></div>',
  ],
  [
    "a table ends a paragraph",
    "So:\n|a|\n|-|",
    '<p>So:</p><div class="wc-scroll" tabindex="0"><table class="wc-table"><thead><tr><th scope="col" class="wc-short">a</th></tr></thead><tbody><tr><td colspan="1" class="wc-hint">Nothing here</td></tr></tbody></table></div>',
  ],
  ["no table", "a | b\n---|---|---", "<p>a | b\n---|---|---</p>"],
];

for (const [name, source, expected] of CASES) {
  test(name, () => assert.equal(html(source), expected));
}

test("a link calls onLink and nothing else", () => {
  const opened: string[] = [];
  const find = (node: ComponentChild | ComponentChild[]): VNode | undefined => {
    if (Array.isArray(node)) return node.map(find).find(Boolean);
    if (!isValidElement(node)) return undefined;
    return node.type === "a" ? node : find(node.props.children as ComponentChild);
  };
  const tree = Markdown({ value: "a [b](https://x.y)", onLink: (url) => opened.push(url) });
  const props = find(tree)?.props as unknown as { onClick(event: object): void };
  let stopped = false;
  props.onClick({ preventDefault: () => (stopped = true) });
  assert.deepEqual(opened, ["https://x.y"]);
  assert.ok(stopped);
});

const LIVE: [string, string][] = [
  ["a **", "<p>a </p>"],
  ["a **b", "<p>a <strong>b</strong></p>"],
  ["a **b*", "<p>a <strong>b</strong></p>"],
  ["a **b**", "<p>a <strong>b</strong></p>"],
  ["a **b *c", "<p>a <strong>b <em>c</em></strong></p>"],
  ["a `b", "<p>a <code>b</code></p>"],
  ["a [b", "<p>a b</p>"],
  ["a [b](https://x", "<p>a b</p>"],
  ["a [b](https://x)", '<p>a <a href="https://x">b</a></p>'],
  ["**a\n\nb", "<p>**a</p><p>b</p>"],
  ["- a\n- **b", "<ul><li><span>a</span></li><li><span><strong>b</strong></span></li></ul>"],
  ["Intro\n-", "<p>Intro\n-</p>"],
  ["```js\na = `", '<pre><code data-lang="js">a = `</code></pre>'],
];
for (const [source, expected] of LIVE) {
  test(`while it grows: ${JSON.stringify(source)}`, () => {
    assert.equal(html(source, true), expected);
  });
}

test("a growing text changes its last block alone", () => {
  const source = "# T\n\nOne **two**.\n\n- a\n- b\n\n| x |\n|---|\n| 1 |\n\n```\ncode\n```\n\nEnd.";
  const blocks = (text: string): [string, unknown][] => {
    const { props } = Markdown({ value: text, streaming: true }) as unknown as VNode;
    return (props.children as VNode[]).map((block) => [markup(block, true), block.key]);
  };
  let before: [string, unknown][] = [];
  for (let end = 1; end <= source.length; end++) {
    const now = blocks(source.slice(0, end));
    // The last one may turn into two, as when a table's head leaves its paragraph.
    const kept = before.slice(0, -1);
    assert.deepEqual(now.slice(0, kept.length), kept, source.slice(0, end));
    assert.deepEqual(
      now.map(([, key]) => key),
      now.map((_, n) => n),
    );
    before = now;
  }
  assert.equal(before.length, 6);
});

test("no nesting is too deep to draw", () => {
  const depth = (node: ComponentChild | ComponentChild[]): number => {
    if (Array.isArray(node)) return Math.max(0, ...node.map(depth));
    return isValidElement(node) ? 1 + depth(node.props.children as ComponentChild) : 0;
  };
  for (const part of ["*a ", "> ", "- ", "[", "**a *b "]) {
    const close = part.includes("a") ? "c* d** ".repeat(2000) : "x";
    const tree = Markdown({ value: part.repeat(2000) + close, streaming: true });
    assert.ok(depth(tree) < 120, part);
  }
});

test("any value draws", () => {
  for (const value of [undefined, null, 3, true, {}, [], [1], { toString: 1 }, "\0", "\ud800"]) {
    assert.doesNotThrow(() => html(value as string));
  }
  assert.equal(html(56 as unknown as string), "<p>56</p>");
});

test("random text draws", () => {
  const signs = "*_~`[]()<>!#-+|:.\\ \n\t1ahttps://&;=x";
  let seed = 7;
  const next = (n: number): number => {
    seed = (seed * 48271) % 2147483647;
    return seed % n;
  };
  for (let round = 0; round < 3000; round++) {
    const source = Array.from({ length: next(120) }, () => signs[next(signs.length)]).join("");
    for (const streaming of [false, true]) {
      const drawn = html(source, streaming);
      assert.doesNotMatch(drawn, /href="(?!https?:\/\/|mailto:|tel:)/, source);
      assert.doesNotMatch(drawn, /undefined|\[object/, source);
    }
  }
});
