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

test("code is not cut in two, and one block that is too long is whole", () => {
  const code = `\`\`\`js\n${lines(80).join("\n\n")}\n\`\`\``;
  assert.equal(beginning(`Before.\n\n${code}\n\nAfter.`), "Before.");
  assert.equal(beginning(`${code}\n\nAfter.`), code);
  const block = lines(200).join("\n");
  assert.equal(beginning(`${block}\n\nAfter.`), block);
});
