// Where the tree comes from, and what is shown when there is none or a bad one.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { TestBrowser } from "./host";
import { type Result, result } from "./tree";

let testBrowser: TestBrowser;
before(async () => {
  testBrowser = await TestBrowser.open();
});
after(() => testBrowser?.close());

const tree = { type: "Card", children: [{ type: "Title", value: "From the tree" }] };
const plain: Result = { content: [{ type: "text", text: "**Bold** as text" }] };
const info = (readOnlyHint: boolean) => ({
  toolInfo: {
    id: 3,
    tool: {
      name: "show_order",
      inputSchema: { type: "object" as const },
      annotations: { readOnlyHint },
    },
  },
});

test("without _meta, the embedded resource", async () => {
  const host = await testBrowser.host();
  const view = await host.open({
    result: {
      content: [
        { type: "text", text: "As text" },
        {
          type: "resource",
          resource: {
            uri: "ui://widgets/test/1",
            mimeType: "application/vnd.ui.widget+json",
            text: JSON.stringify({ widget: tree, copy_text: "As text" }),
          },
        },
      ],
    },
  });
  await view.getByText("From the tree").waitFor();
  assert.deepEqual(await host.wrong(), []);
});

test("without both, a tool that only reads is asked again", async () => {
  const host = await testBrowser.host();
  const view = await host.open({
    context: info(true),
    tools: { show_order: result(tree) },
    input: { id: 7 },
    result: plain,
  });
  await view.getByText("From the tree").waitFor();
  const calls = (await host.sent("tools/call")).filter(({ name }) => name !== "widgetcast_state");
  assert.deepEqual(calls, [{ name: "show_order", arguments: { id: 7 } }]);
  assert.deepEqual(await host.wrong(), []);
});

test("asked again in vain, the text stays and the question is not repeated", async () => {
  const host = await testBrowser.host();
  const view = await host.open({
    context: info(true),
    tools: { show_order: plain },
    input: { id: 7 },
    result: plain,
  });
  await view.getByText("Bold", { exact: true }).waitFor();
  await host.page.waitForTimeout(150);
  const calls = (await host.sent("tools/call")).filter(({ name }) => name === "show_order");
  assert.equal(calls.length, 1);
});

test("a tool that writes is never asked again: the text is shown, as Markdown", async () => {
  for (const context of [info(false), {}]) {
    const host = await testBrowser.host();
    const view = await host.open({
      context,
      tools: { show_order: result(tree) },
      input: { id: 7 },
      result: plain,
    });
    await view.locator("strong", { hasText: "Bold" }).waitFor();
    await host.page.waitForTimeout(100);
    assert.deepEqual(await host.sent("tools/call"), []);
    assert.deepEqual(await host.wrong(), []);
  }
});

test("an error result shows its words, and says that it is one", async () => {
  const host = await testBrowser.host();
  const view = await host.open({
    result: { isError: true, content: [{ type: "text", text: "The city is unknown" }] },
  });
  await view.getByText("The city is unknown").waitFor();
  assert.equal(await view.getByRole("alert").count(), 1);
  assert.deepEqual(await host.wrong(), []);
});

const broken: Record<string, unknown> = {
  "a text": "Card",
  "a number": 7,
  "a list": [tree],
  "an object without type": { children: [] },
  "an unknown root": { type: "Spaceship", children: [] },
  "a leaf as root": { type: "Text", value: "alone" },
};
test("a broken tree is an honest card that says what is wrong", async () => {
  const host = await testBrowser.host();
  for (const [what, bad] of Object.entries(broken)) {
    const view = await host.open({ result: result(bad, "Words of the result") });
    const shown = (await view.textContent("main")) ?? "";
    assert.match(shown, /Not shown here|alone/, `${what}: ${shown}`);
    if (/Not shown here(?!:)/.test(shown)) assert.match(shown, /Words of the result/, what);
    assert.deepEqual(await host.wrong(), [], what);
  }
});

test("one broken part does not take the rest with it", async () => {
  const host = await testBrowser.host();
  const view = await host.open({
    result: result({
      type: "Card",
      children: [
        { type: "Title", value: "Still here" },
        { type: "Spaceship", value: 1 },
        { type: "Chart", data: "none", series: 7, xAxis: null },
        null,
        "words",
        [[]],
        { type: "Select", name: 1, options: [null, 1, { label: {}, value: [] }] },
        { type: "Table", children: [{ type: "Table.Row", children: 7 }] },
        { type: "Text", value: "And here" },
      ],
    }),
  });
  assert.equal(await view.getByText("Still here").isVisible(), true);
  assert.equal(await view.getByText("And here").isVisible(), true);
  assert.deepEqual(await host.wrong(), []);
});

// The policy is as wide as it gets here, so that only the page itself can refuse.
const wide = { resourceDomains: ["*"], connectDomains: ["*"], frameDomains: ["*"] };
const evil = "https://evil.example/x";
const injections = [
  `red;background:url(${evil})`,
  `red}body{background:url(${evil})}`,
  `url(${evil})`,
  `image-set("${evil}" 1x)`,
  `var(--x, url(${evil}))`,
  `expression(alert(1))`,
  `\\75 rl(${evil})`,
  `red/**/;background-image:url(//evil.example/y)`,
];
const scripts = [
  "javascript:alert(1)",
  " javascript:alert(1)",
  "java\nscript:alert(1)",
  "JaVaScRiPt:alert(1)",
  "data:text/html,<script>parent.hit=1</script>",
  "vbscript:x",
  "//evil.example/x",
  "http://evil.example/x",
  "file:///etc/passwd",
];

test("hostile values: nothing is asked for, nothing runs, nothing throws", async () => {
  const host = await testBrowser.host();
  const view = await host.open({
    csp: wide,
    result: result({
      type: "Card",
      size: injections[0],
      children: [
        { type: "Title", value: "<img src=x onerror=alert(1)><script>alert(1)</script>" },
        ...injections.flatMap((bad) => [
          {
            type: "Text",
            value: bad,
            color: bad,
            width: bad,
            size: bad,
            weight: bad,
            textAlign: bad,
          },
          { type: "Caption", value: bad, color: { light: bad, dark: bad } },
          {
            type: "Box",
            width: bad,
            padding: bad,
            margin: { x: bad },
            gap: bad,
            radius: bad,
            flex: bad,
            border: { size: 1, color: bad, style: bad },
            aspectRatio: bad,
            children: [],
          },
          { type: "Icon", name: bad, color: bad, size: bad },
          { type: "Badge", label: bad, color: bad, variant: bad },
          { type: "Divider", color: bad, size: bad, spacing: bad },
        ]),
        ...scripts.flatMap((bad) => [
          { type: "Image", src: bad, alt: "picture" },
          { type: "Box", background: `url(${bad})`, children: [{ type: "Text", value: "ground" }] },
          {
            type: "Markdown",
            value: `[link](${bad}) <a href="${bad}">x</a> <img src="${evil}"><iframe src="${evil}"></iframe>`,
          },
          {
            type: "Button",
            label: "Go",
            onClickAction: { type: "open_link", payload: { url: bad } },
          },
        ]),
        { type: "Input", name: "__proto__.hit", defaultValue: "x", pattern: "(" },
        { type: "Input", name: "a", inputType: "file", pattern: "(a+)+$" },
        {
          type: "Chart",
          data: [
            { x: "a", y: 1e308 },
            { x: "b", y: -1e308 },
            { x: "c", y: "NaN" },
          ],
          series: [
            { type: "bar", dataKey: "y", color: injections[0], label: "y" },
            { type: "line", dataKey: "__proto__", label: "p" },
          ],
          xAxis: "x",
        },
      ],
    }),
  });
  for (const button of await view.getByRole("button", { name: "Go" }).all())
    await button.click({ timeout: 1000 }).catch(() => {});
  await host.page.waitForTimeout(150);
  assert.deepEqual(
    host.asked.filter((url) => !url.startsWith("data:")),
    [],
  );
  const marks = await view.evaluate(() => ({
    frames: document.querySelectorAll(
      "iframe, object, embed, script:not(head script, body > script)",
    ).length,
    events: [...document.querySelectorAll("*")].filter((one) =>
      [...one.attributes].some(({ name }) => name.startsWith("on")),
    ).length,
    links: [...document.querySelectorAll("[href], [src]")]
      .map((one) => one.getAttribute("href") ?? one.getAttribute("src") ?? "")
      .filter((url) => !/^(https?:\/\/|mailto:|tel:|data:image\/|#)/.test(url)),
    styles: [...document.querySelectorAll("[style]")]
      .map((one) => one.getAttribute("style") ?? "")
      .filter((style) => /url\(|evil|expression/.test(style)),
    polluted: "hit" in Object.prototype || "hit" in window,
  }));
  assert.deepEqual(marks, { frames: 0, events: 0, links: [], styles: [], polluted: false });
  assert.deepEqual(
    (await host.sent("ui/open-link")).filter(({ url }) => !/^https?:\/\//.test(String(url))),
    [],
  );
  assert.deepEqual((await host.probe()).errors, []);
  assert.deepEqual(await host.wrong(), []);
});

test("a tree of great depth or width is shown in part", async () => {
  const host = await testBrowser.host();
  let deep: unknown = { type: "Text", value: "bottom" };
  for (let level = 0; level < 1000; level += 1) deep = { type: "Box", children: [deep] };
  const wideTree = {
    type: "Card",
    children: Array.from({ length: 5000 }, (_, row) => ({ type: "Text", value: `Row ${row}` })),
  };
  for (const [what, bad] of Object.entries({
    deep: { type: "Card", children: [deep] },
    wide: wideTree,
  })) {
    const view = await host.open({ result: result(bad, "Words of the result") });
    const shown = ((await view.textContent("main")) ?? "").trim().length;
    assert.ok(shown > 0, `${what} shows something`);
    assert.deepEqual(await host.wrong(), [], what);
  }
});

test("messages from elsewhere than the parent are not believed", async () => {
  const host = await testBrowser.host();
  const view = await host.open({ result: result(tree) });
  await view.evaluate(
    (forged) => {
      window.postMessage(
        { jsonrpc: "2.0", method: "ui/notifications/tool-result", params: forged },
        "*",
      );
    },
    result({ type: "Card", children: [{ type: "Title", value: "Forged" }] }),
  );
  await host.page.waitForTimeout(100);
  assert.equal(await view.getByText("Forged").count(), 0);
});

test("a list without entries is said to be empty, unless the tool says so itself", async () => {
  const show = async (structuredContent: Record<string, unknown>, ...texts: string[]) => {
    const host = await testBrowser.host();
    const content = texts.map((text) => ({ type: "text", text }));
    const view = await host.open({ result: { content, structuredContent } });
    await view.locator("main .wc-card").waitFor();
    return (await view.locator("main").innerText()).trim();
  };
  const nothing = await show({ result: [] });
  assert.match(nothing, /^\p{L}[^[{]*$/u);
  assert.equal(await show({ items: [], next: null }, '{"items":[],"next":null}'), nothing);
  assert.equal(await show({ result: [] }, "No orders yet"), "No orders yet");
  assert.match(await show({ result: [0] }), /"result"/);
});
