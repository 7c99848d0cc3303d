// What a user does in the view, and what the host hears of it.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { type Host, TestBrowser } from "./host";
import { until } from "./patience";
import { result } from "./tree";

let testBrowser: TestBrowser;
before(async () => {
  testBrowser = await TestBrowser.open();
});
after(() => testBrowser?.close());

const all = {
  openLinks: {},
  serverTools: {},
  message: { text: {} },
  updateModelContext: { text: {}, structuredContent: {} },
};
const without = (...names: (keyof typeof all)[]) =>
  Object.fromEntries(
    Object.entries(all).filter(([name]) => !names.includes(name as keyof typeof all)),
  );

const button = (action: object, label = "Track order") => ({
  type: "Card",
  children: [
    { type: "Title", value: "Order" },
    { type: "Button", label, onClickAction: action },
  ],
});
const track = { type: "order.track", payload: { id: 7, express: true } };

/** The calls of the view's own making, without those that keep its state. */
async function calls(host: Host): Promise<Record<string, unknown>[]> {
  return (await host.sent("tools/call")).filter(({ name }) => name !== "widgetcast_state");
}
async function call(host: Host): Promise<Record<string, unknown>> {
  return until("tools/call", async () => (await calls(host))[0]);
}
/** The messages that an action can become, all of them. */
async function heard(host: Host): Promise<string[]> {
  const log = await host.log();
  return log
    .filter(({ from, message }) => from === "view" && message.id !== undefined && message.method)
    .filter(({ message }) => (message.params as { name?: string }).name !== "widgetcast_state")
    .map(({ message }) => message.method as string)
    .filter((method) => method !== "ui/initialize");
}
const notice = (host: Host) =>
  host.view.locator("[role=status], [role=alert]").filter({ hasText: /\S/ });

/** Into the frame as a person comes: by Tab from the page around it, until something has focus. */
async function enter(host: Host): Promise<void> {
  await host.page.evaluate(() => document.querySelector("iframe")?.focus());
  for (let tries = 0; tries < 4; tries += 1) {
    await host.page.keyboard.press("Tab");
    await host.page.waitForTimeout(50);
    if (await host.view.evaluate(() => document.activeElement !== document.body)) return;
  }
  throw new Error("Tab does not lead into the view");
}

test("with tools/call: the tool of the action's name, and its tree takes the place", async () => {
  const host = await testBrowser.host();
  const view = await host.open({
    capabilities: all,
    tools: {
      "order.track": result({ type: "Card", children: [{ type: "Title", value: "On its way" }] }),
    },
    result: result(button(track)),
  });
  await view.getByRole("button", { name: "Track order" }).click();
  assert.deepEqual(await call(host), { name: "order.track", arguments: { id: 7, express: true } });
  await view.getByText("On its way").waitFor();
  assert.equal(await view.getByRole("button", { name: "Track order" }).count(), 0);
  assert.deepEqual(await heard(host), ["tools/call"]);
  assert.equal((await host.probe()).blank, 0);
  assert.deepEqual(await host.wrong(), []);
});

test("`tool:` before the name is cut", async () => {
  const host = await testBrowser.host();
  const view = await host.open({
    capabilities: all,
    tools: { track: { content: [{ type: "text", text: "Noted" }] } },
    result: result(button({ type: "tool:track" })),
  });
  await view.getByRole("button").click();
  assert.equal((await call(host)).name, "track");
});

for (const [what, answer] of Object.entries({
  "a text": { content: [{ type: "text", text: "Parcel is in Porto" }] },
  "an error": { isError: true, content: [{ type: "text", text: "Parcel is in Porto" }] },
}))
  test(`${what} as answer is a notice, and the tree stays`, async () => {
    const host = await testBrowser.host();
    const view = await host.open({
      capabilities: all,
      tools: { "order.track": answer },
      result: result(button(track)),
    });
    await view.getByRole("button").click();
    await notice(host).filter({ hasText: "Parcel is in Porto" }).waitFor();
    assert.equal(await view.getByText("Order", { exact: true }).count(), 1);
    assert.deepEqual(await heard(host), ["tools/call"]);
    assert.deepEqual(await host.wrong(), []);
  });

test("a tool that the server does not know becomes a message", async () => {
  const host = await testBrowser.host();
  const view = await host.open({ capabilities: all, result: result(button(track)) });
  await view.getByRole("button").click();
  const [message] = await host.wait("ui/message");
  const words = JSON.stringify(message);
  for (const part of ["Track order", "order.track", "express"])
    assert.ok(words.includes(part), words);
  assert.deepEqual(await host.wrong(), []);
});

test("without tools/call: a message in the user's name", async () => {
  const host = await testBrowser.host();
  const view = await host.open({
    capabilities: without("serverTools"),
    result: result(button(track)),
  });
  await view.getByRole("button").click();
  const [message] = await host.wait("ui/message");
  assert.equal(message?.role, "user");
  const content = (message?.content ?? []) as { type: string; text: string }[];
  const { type, text } = content[0] ?? { type: "", text: "" };
  assert.equal(type, "text");
  for (const part of ["Track order", "order.track", '"id":7', '"express":true'])
    assert.ok(text.replace(/\s/g, "").includes(part.replace(/\s/g, "")), text);
  assert.deepEqual(await heard(host), ["ui/message"]);
  assert.deepEqual(await host.wrong(), []);
});

test("an action for the client is a message even where tools can be called", async () => {
  const host = await testBrowser.host();
  const view = await host.open({
    capabilities: all,
    tools: { "order.track": { content: [] } },
    result: result(button({ ...track, handler: "client" })),
  });
  await view.getByRole("button").click();
  await host.wait("ui/message");
  assert.deepEqual(await heard(host), ["ui/message"]);
});

test("without messages: the model's context", async () => {
  const host = await testBrowser.host();
  const view = await host.open({
    capabilities: without("serverTools", "message"),
    result: result(button(track)),
  });
  await view.getByRole("button").click();
  const [update] = await host.wait("ui/update-model-context");
  assert.ok(JSON.stringify(update).includes("order.track"));
  assert.deepEqual(await heard(host), ["ui/update-model-context"]);
  assert.deepEqual(await host.wrong(), []);
});

test("with nothing: a notice says so, and nothing is sent", async () => {
  const host = await testBrowser.host();
  const view = await host.open({ capabilities: {}, result: result(button(track)) });
  await view.getByRole("button").click();
  await notice(host).first().waitFor();
  assert.match((await notice(host).allTextContents()).join(" "), /host|app|cannot|can't|not/i);
  assert.deepEqual(await heard(host), []);
  assert.equal(await view.getByRole("button", { name: "Track order" }).isEnabled(), true);
  assert.deepEqual(await host.wrong(), []);
});

test("a link is opened by the host; a script in its place is not", async () => {
  const host = await testBrowser.host();
  const link = (url: string) => result(button({ type: "open_url", payload: { url } }, "Open"));
  const view = await host.open({ capabilities: all, result: link("https://example.com/a?b=c") });
  await view.getByRole("button").click();
  assert.deepEqual(await host.wait("ui/open-link"), [{ url: "https://example.com/a?b=c" }]);
  assert.deepEqual(await heard(host), ["ui/open-link"]);

  const again = await host.open({ capabilities: all, result: link("javascript:alert(1)") });
  await again.getByRole("button").click();
  await host.page.waitForTimeout(100);
  assert.deepEqual(await host.sent("ui/open-link"), []);
  assert.deepEqual(await host.wrong(), []);
});

test("a host that opens no links: the address is told", async () => {
  const host = await testBrowser.host();
  const action = { type: "open_url", payload: { url: "https://example.com/a" } };
  const view = await host.open({
    capabilities: without("openLinks"),
    result: result(button(action, "Open")),
  });
  await view.getByRole("button").click();
  await notice(host).filter({ hasText: "https://example.com/a" }).waitFor();
  assert.deepEqual(await host.wrong(), []);
});

test("a link in Markdown goes to the host too, and the frame stays", async () => {
  const host = await testBrowser.host();
  const view = await host.open({
    capabilities: all,
    result: result({
      type: "Card",
      children: [{ type: "Markdown", value: "See [the docs](https://example.com/docs)." }],
    }),
  });
  await view.getByRole("link", { name: "the docs" }).click();
  assert.deepEqual(await host.wait("ui/open-link"), [{ url: "https://example.com/docs" }]);
  assert.equal(view.url(), "about:srcdoc");
  assert.deepEqual(host.asked, []);
});

const slow = {
  capabilities: all,
  held: true,
  tools: { "order.track": { content: [{ type: "text", text: "Done" }] } },
};

test("while a tool runs the button waits, and a second click is not a second call", async () => {
  const host = await testBrowser.host();
  const view = await host.open({ ...slow, result: result(button(track)) });
  const target = view.locator("button");
  await target.click();
  assert.equal(await target.getAttribute("aria-busy"), "true");
  const named = await view.getByRole("button", { name: "Track order" }).count();
  assert.equal(named, 1, "a waiting button keeps its name");
  await target.dispatchEvent("click");
  await host.release();
  await notice(host).filter({ hasText: "Done" }).waitFor();
  assert.equal((await calls(host)).length, 1);
  assert.equal(await target.isEnabled(), true);
});

test("a card's confirm holds the whole card until the answer", async () => {
  const host = await testBrowser.host();
  const view = await host.open({
    ...slow,
    result: result({
      type: "Card",
      confirm: { label: "Send", action: track },
      cancel: { label: "Discard", action: { type: "order.discard" } },
      children: [{ type: "Text", value: "Really?" }],
    }),
  });
  await view.getByRole("button", { name: "Send" }).click();
  await view.waitForFunction(() => !!document.querySelector("[inert], [aria-busy=true]"), null, {
    polling: 10,
  });
  await host.release();
  await view.waitForFunction(() => !document.querySelector("[inert], [aria-busy=true]"), null, {
    polling: 10,
  });
  assert.deepEqual(
    (await calls(host)).map(({ name }) => name),
    ["order.track"],
  );
});

const form = {
  type: "Card",
  children: [
    {
      type: "Form",
      onSubmitAction: { type: "guest.save", payload: { source: "form" } },
      children: [
        { type: "Label", value: "Name", fieldName: "guest.name" },
        { type: "Input", name: "guest.name", required: true },
        { type: "Label", value: "Code", fieldName: "guest.code" },
        { type: "Input", name: "guest.code", pattern: "[A-Z]{3}" },
        { type: "Checkbox", name: "breakfast", label: "Breakfast" },
        {
          type: "RadioGroup",
          name: "bed",
          ariaLabel: "Bed",
          defaultValue: "one",
          options: [
            { label: "One bed", value: "one" },
            { label: "Two beds", value: "two" },
          ],
        },
        { type: "Label", value: "Wishes", fieldName: "wishes" },
        { type: "Textarea", name: "wishes" },
        { type: "Button", submit: true, label: "Save" },
      ],
    },
  ],
};
const saved = {
  capabilities: all,
  tools: { "guest.save": { content: [{ type: "text", text: "Saved" }] } },
};

test("a form validates and submits in a frame without allow-forms", async () => {
  const host = await testBrowser.host();
  const view = await host.open({ ...saved, result: result(form) });
  const save = view.getByRole("button", { name: "Save" });
  const name = view.getByLabel("Name");
  await save.click();
  await host.page.waitForTimeout(100);
  assert.deepEqual(await calls(host), []);
  assert.equal(
    await name.evaluate((one) => one === document.activeElement),
    true,
    "the fault has focus",
  );

  await name.fill("Ada");
  await view.getByLabel("Code").fill("abc");
  await save.click();
  await host.page.waitForTimeout(100);
  assert.deepEqual(await calls(host), [], "the pattern holds");

  await view.getByLabel("Code").fill("ABC");
  await view.getByLabel("Breakfast").check();
  await view.getByLabel("Two beds").check();
  await save.click();
  const sent = (await call(host)) as { name: string; arguments: Record<string, unknown> };
  assert.equal(sent.name, "guest.save");
  const { wishes, ...rest } = sent.arguments;
  assert.deepEqual(rest, {
    source: "form",
    guest: { name: "Ada", code: "ABC" },
    breakfast: true,
    bed: "two",
  });
  assert.ok(!wishes, "an empty field is empty or absent");
  assert.deepEqual(await host.wrong(), []);
});

test("a form by keyboard alone", async () => {
  const host = await testBrowser.host();
  const view = await host.open({ ...saved, result: result(form) });
  const { keyboard } = host.page;
  const on = () =>
    view.evaluate(() => {
      const one = document.activeElement as HTMLInputElement;
      const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(one);
      const ring = (outlineStyle !== "none" && outlineWidth !== "0px") || boxShadow !== "none";
      return { name: one.name ?? "", tag: one.tagName, type: one.type ?? "", ring };
    });
  const walk: string[] = [];
  const tab = async () => {
    if (walk.length) await keyboard.press("Tab");
    else await enter(host);
    const { name, tag, type, ring } = await on();
    assert.ok(ring, `${tag} ${name} shows its focus`);
    walk.push(`${tag} ${type}`.toLowerCase());
  };
  await tab();
  await keyboard.type("Ada");
  await tab();
  await keyboard.type("XYZ");
  await tab();
  await keyboard.press("Space");
  await tab();
  await keyboard.press("ArrowDown");
  await tab();
  await keyboard.type("Quiet room");
  await tab();
  await keyboard.press("Enter");
  assert.deepEqual(walk, [
    "input text",
    "input text",
    "input checkbox",
    "input radio",
    "textarea textarea",
    "button button",
  ]);
  const sent = await call(host);
  assert.deepEqual(sent.arguments, {
    source: "form",
    guest: { name: "Ada", code: "XYZ" },
    breakfast: true,
    bed: "two",
    wishes: "Quiet room",
  });
});

test("Enter in a text field submits, in a text area it does not", async () => {
  const host = await testBrowser.host();
  const view = await host.open({ ...saved, result: result(form) });
  await view.getByLabel("Name").fill("Ada");
  await view.getByLabel("Wishes").press("Enter");
  await host.page.waitForTimeout(100);
  assert.deepEqual(await calls(host), []);
  await view.getByLabel("Name").press("Enter");
  assert.equal((await call(host)).name, "guest.save");
});

test("a select and a checkbox of no form act on change, with their value", async () => {
  const host = await testBrowser.host();
  const view = await host.open({
    capabilities: all,
    tools: { "chart.period": { content: [] } },
    result: result({
      type: "Card",
      children: [
        {
          type: "Select",
          name: "period",
          placeholder: "Period",
          options: [
            { label: "Week", value: "week" },
            { label: "Month", value: "month" },
          ],
          onChangeAction: { type: "chart.period", payload: { chart: 1 } },
        },
      ],
    }),
  });
  await view.locator("select").selectOption("month");
  assert.deepEqual(await call(host), {
    name: "chart.period",
    arguments: { chart: 1, period: "month" },
  });
});

const list = {
  type: "ListView",
  limit: 2,
  children: Array.from({ length: 5 }, (_, row) => ({
    type: "ListViewItem",
    onClickAction: { type: "row.pick", payload: { row } },
    children: [{ type: "Text", value: `Row ${row}` }],
  })),
};

test("a list shows its limit, then all, and keeps the focus in it", async () => {
  const host = await testBrowser.host();
  const view = await host.open({ capabilities: all, result: result(list) });
  assert.equal(await view.getByText("Row 1").isVisible(), true);
  assert.equal(await view.getByText("Row 2").isVisible(), false);
  const more = view.getByRole("button", { name: /3 more/ });
  await more.press("Enter");
  await view.getByText("Row 4").waitFor();
  assert.equal(await more.count(), 0);
  const kept = await view.evaluate(() => document.activeElement !== document.body);
  assert.ok(kept, "focus is not lost with the button");
  assert.deepEqual(await heard(host), []);
});

test("a list by keyboard alone", async () => {
  const host = await testBrowser.host();
  await host.open({
    capabilities: all,
    tools: { "row.pick": { content: [] } },
    result: result(list),
  });
  const { keyboard } = host.page;
  await enter(host);
  await keyboard.press("Tab");
  await keyboard.press("Enter");
  assert.deepEqual(await call(host), { name: "row.pick", arguments: { row: 1 } });
  assert.deepEqual(await host.wrong(), []);
});
