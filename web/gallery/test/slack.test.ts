import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
// @ts-expect-error: it comes without types
import { JSDOM } from "jsdom";
import { drawSlack } from "../src/slack";
import { coloured } from "../src/slack-part";

const { document: page, HTMLInputElement: Input, Event: Change } = new JSDOM("<body>").window;
Object.assign(globalThis, { document: page, HTMLInputElement: Input, Event: Change });

const plain = (text: string) => ({ type: "plain_text", text });
const option = (value: string) => ({ text: plain(value.toUpperCase()), value });
const input = (element: object, label: string) => ({ type: "input", label: plain(label), element });
const blocks = [
  input(
    {
      type: "static_select",
      action_id: "input:room",
      options: [option("a"), option("b")],
      initial_option: option("b"),
    },
    "Room",
  ),
  input(
    {
      type: "radio_buttons",
      action_id: "input:bed",
      options: [option("one"), option("two")],
      initial_option: option("one"),
    },
    "Beds",
  ),
  input({ type: "checkboxes", action_id: "input:ok", options: [option("true")] }, "Fine"),
  input({ type: "datepicker", action_id: "input:day", initial_date: "2027-03-09" }, "Day"),
  input({ type: "plain_text_input", action_id: "input:note", multiline: true }, "Note"),
  {
    type: "actions",
    block_id: "end",
    elements: [
      { type: "button", action_id: "tool:book", text: plain("Book"), value: '{"id":7}' },
      {
        type: "static_select",
        action_id: "tool:pick",
        placeholder: plain("More"),
        options: [option("x"), option("y")],
      },
    ],
  },
];

function draw() {
  const told: [Record<string, unknown>, Record<string, unknown>][] = [];
  const message = drawSlack(blocks, "A", (action, values) => told.push([action, values]));
  document.body.replaceChildren(message);
  const named = (label: string) => {
    const found = message.querySelector<HTMLInputElement>(`[aria-label="${label}"]`);
    assert.ok(found, label);
    return found;
  };
  return { message, told, named };
}

test("a button of a message tells what every field holds, as it starts and as it is filled in", () => {
  const { message, told, named } = draw();
  const button = message.querySelector<HTMLButtonElement>("button");
  button?.click();
  const at = (index: number, block: number) => told[index]?.[1][`block-${block}`];
  assert.deepEqual(told[0]?.[0], {
    type: "button",
    action_id: "tool:book",
    block_id: "end",
    text: plain("Book"),
    value: '{"id":7}',
    url: undefined,
  });
  const chosen = { type: "static_select", selected_option: option("b") };
  assert.deepEqual(at(0, 0), { "input:room": chosen });
  const bed = { type: "radio_buttons", selected_option: option("one") };
  assert.deepEqual(at(0, 1), { "input:bed": bed });
  assert.deepEqual(at(0, 2), { "input:ok": { type: "checkboxes", selected_options: [] } });
  assert.deepEqual(at(0, 3), {
    "input:day": { type: "datepicker", selected_date: "2027-03-09" },
  });
  assert.deepEqual(at(0, 4), { "input:note": { type: "plain_text_input", value: null } });

  named("Note").value = "Quiet, please";
  named("Fine").querySelector<HTMLInputElement>("input")?.click();
  button?.click();
  assert.deepEqual(at(1, 4), {
    "input:note": { type: "plain_text_input", value: "Quiet, please" },
  });
  const ticked = { type: "checkboxes", selected_options: [option("true")] };
  assert.deepEqual(at(1, 2), { "input:ok": ticked });
});

test("a menu outside of a form acts when something is chosen, and one in a form does not", () => {
  const { told, named } = draw();
  const choose = (label: string, value: string) => {
    const select = named(label);
    select.value = value;
    select.dispatchEvent(new Event("change"));
  };
  choose("Room", "0");
  assert.equal(told.length, 0);
  choose("More", "1");
  assert.deepEqual(told[0]?.[0], {
    type: "static_select",
    action_id: "tool:pick",
    block_id: "end",
    selected_option: option("y"),
  });
  choose("More", "");
  assert.equal(told.length, 1);
});

test("code between fences is a block, in mrkdwn and in Markdown", () => {
  const fenced = "Before\n```\na &lt; *b*\n\n- c\n```\nAfter `d`";
  const section = { type: "section", text: { type: "mrkdwn", text: fenced } };
  const markdown = { type: "markdown", text: "Before\n```sh\na *b*\n\n- c\n```\nAfter" };
  const [first, second] = [section, markdown].map((block) => drawSlack([block]));
  assert.equal(first?.querySelector("pre")?.textContent, "a < *b*\n\n- c");
  assert.equal(second?.querySelector("pre")?.textContent, "a *b*\n\n- c");
  for (const message of [first, second]) {
    assert.equal(message?.querySelectorAll("pre").length, 1);
    assert.match(message?.textContent ?? "", /Before.*After/s);
    assert.doesNotMatch(message?.textContent ?? "", /```/);
  }
});

test("emoji are drawn by their short names: all that the printer of messages writes", () => {
  const signs = readFileSync(
    new URL("../../../crates/engine/src/signs.rs", import.meta.url),
    "utf8",
  );
  const names = [...signs.matchAll(/", "([a-z0-9_]+)", (?:true|false)\)/g)].map(([, name]) => name);
  assert.ok(names.length > 60);
  for (const name of names) assert.doesNotMatch(coloured(`:${name}:`), /:/, name);
  assert.equal(coloured("at 10:30:00, :shipit:"), "at 10:30:00, :shipit:");
  const [line] = [
    drawSlack([{ type: "section", text: { type: "mrkdwn", text: ":x: *no*" } }], "A"),
  ];
  assert.match(line?.textContent ?? "", /❌/);
});

test("links to mail and telephone are links, in text, in Markdown and in the cell of a table", () => {
  const rich = (...elements: object[]) => ({
    type: "rich_text",
    elements: [{ type: "rich_text_section", elements }],
  });
  const message = drawSlack([
    {
      type: "section",
      text: { type: "mrkdwn", text: "Call <tel:+4930|+49 30>, <javascript:x|no>" },
    },
    { type: "markdown", text: "[Write](mailto:a@b.example) or ~~wait~~" },
    {
      type: "table",
      rows: [
        [{ type: "raw_text", text: "Price" }],
        [
          rich(
            { type: "text", text: "$20", style: { strike: true, bold: true } },
            { type: "emoji", name: "x" },
            { type: "link", url: "https://a.example/", text: "More" },
            { type: "link", url: "javascript:x", text: "never" },
          ),
        ],
      ],
    },
  ]);
  const links = [...message.querySelectorAll("a")].map((one) => [one.href, one.textContent]);
  assert.deepEqual(links, [
    ["tel:+4930", "+49 30"],
    ["mailto:a@b.example", "Write"],
    ["https://a.example/", "More"],
  ]);
  assert.deepEqual(
    [...message.querySelectorAll("s")].map((one) => one.textContent),
    ["wait", "$20"],
  );
  assert.equal(message.querySelector("td b")?.textContent, "$20");
  assert.match(message.querySelector("td")?.textContent ?? "", /^\$20❌\uFE0F?Morenever$/);
});
