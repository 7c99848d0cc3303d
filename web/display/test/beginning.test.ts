import assert from "node:assert/strict";
import { test } from "node:test";
import { beginning } from "../src/part/beginning";

const lines = (count: number) => Array.from({ length: count }, (_, at) => `Line ${at} of a text.`);

test("a short text is whole, of a long one there are its first blocks", () => {
  const short = lines(40).join("\n\n");
  assert.equal(beginning(short), short);
  const long = `# Head\n\n${lines(400).join("\n\n")}`;
  const start = beginning(long);
  assert.ok(start.length > 500 && start.length < 1000, String(start.length));
  assert.ok(long.startsWith(`${start}\n\n`), "a block is cut");
});

test("a title is not all: lists, tables and paragraphs are cut too", () => {
  const list = lines(90).map((line) => `- ${line}`);
  const table = ["| a | b |", "|---|---|", ...lines(90).map((line) => `| ${line} | 1 |`)];
  for (const block of [list, table, lines(90)]) {
    const text = `# Head\n\n${block.join("\n")}\n\nAfter.`;
    const start = beginning(text);
    assert.ok(start.length > 450 && start.length < 901, String(start.length));
    assert.ok(text.startsWith(`${start}\n`), "a line is cut");
  }
  const paragraph = beginning(`# Head\n\n${lines(200).join(" ")}`);
  assert.ok(paragraph.length < 903 && paragraph.endsWith(" …"), paragraph.slice(-20));
  const japanese = beginning("𠮷".repeat(2000));
  assert.ok(!/[\uD800-\uDBFF] …$/.test(japanese) && japanese.length < 903);
});

test("code that is cut is closed again", () => {
  const code = lines(80).join("\n");
  for (const fence of ["```", "~~~~"]) {
    const start = beginning(`Before.\n\n${fence}js\n${code}\n${fence}\n\nAfter.`);
    assert.ok(start.endsWith(`\n${fence}`) && start.length > 450, start.slice(-40));
  }
  const closed = `\`\`\`\n${lines(30).join("\n")}\n\`\`\`\n\n${lines(80).join("\n\n")}`;
  assert.equal(beginning(closed).match(/```/g)?.length, 2);
});
