// `window.openai` without a bridge, whole as in the vendor's reference and in parts as others have it.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import {
  change,
  type Double,
  envelope,
  install,
  LOOK as look,
  METHODS as methods,
} from "../playwright/src/openai";
import { type Host, TestBrowser } from "./host";
import { result } from "./tree";

let testBrowser: TestBrowser;
before(async () => {
  testBrowser = await TestBrowser.open();
});
after(() => testBrowser?.close());

const lacks = {
  codex: [
    "requestClose",
    "requestModal",
    "uploadFile",
    "selectFiles",
    "getFileDownloadUrl",
    "requestCheckout",
    "setOpenInAppUrl",
    "notifyIntrinsicHeight",
  ],
  copilot: [
    "requestModal",
    "uploadFile",
    "getFileDownloadUrl",
    "selectFiles",
    "requestCheckout",
    "requestClose",
  ],
};
const order = (action: object, title = "Order") =>
  result({
    type: "Card",
    children: [
      { type: "Title", value: title },
      { type: "Button", label: "Track order", onClickAction: action },
    ],
  });
const track = { type: "order.track", payload: { id: 7 } };

async function open(double: Double): Promise<Host> {
  const host = await testBrowser.host();
  await host.open({ bridge: false, before: { script: install, value: double } });
  return host;
}
const called = (host: Host, name: string) =>
  host.view.evaluate(
    (wanted) => window.calls.filter(([one]) => one === wanted).map(([, ...args]) => args),
    name,
  );
async function until(host: Host, name: string): Promise<unknown[]> {
  await host.view.waitForFunction((wanted) => window.calls.some(([one]) => one === wanted), name, {
    polling: 20,
  });
  return (await called(host, name))[0] ?? [];
}

for (const [who, own] of Object.entries({
  chatgpt: methods,
  codex: methods.filter((name) => !lacks.codex.includes(name)),
  copilot: methods.filter((name) => !lacks.copilot.includes(name)),
}))
  test(`${who}: draws from the globals, calls tools and opens links`, async () => {
    const given = order(track);
    const host = await open({
      methods: own,
      answer: result({
        type: "Card",
        children: [
          { type: "Title", value: "On its way" },
          {
            type: "Button",
            label: "Open",
            onClickAction: { type: "open_link", payload: { url: "https://example.com/7" } },
          },
        ],
      }),
      globals: {
        ...look,
        toolInput: { id: 7 },
        toolOutput: { id: 7 },
        toolResponseMetadata: envelope(given),
      },
    });
    const { view } = host;
    await view.getByText("Order", { exact: true }).waitFor();
    assert.equal(
      await view.evaluate(() => getComputedStyle(document.documentElement).colorScheme),
      "dark",
    );
    await view.getByRole("button", { name: "Track order" }).click();
    assert.deepEqual(await until(host, "callTool"), ["order.track", { id: 7 }]);
    await view.getByText("On its way").waitFor();
    await view.getByRole("button", { name: "Open" }).click();
    const [link] = (await until(host, "openExternal")) as [{ href: string }];
    assert.equal(link.href, "https://example.com/7");
    if (own.includes("notifyIntrinsicHeight")) {
      const heights = (await called(host, "notifyIntrinsicHeight")).flat() as number[];
      assert.ok((heights.at(-1) ?? 0) > 40, `heights ${heights}`);
    }
    assert.deepEqual(await host.wrong(), []);
  });

test("without callTool, a follow-up message", async () => {
  const host = await open({
    methods: ["sendFollowUpMessage"],
    globals: { ...look, toolOutput: {}, toolResponseMetadata: envelope(order(track)) },
  });
  await host.view.getByRole("button").click();
  const [message] = (await until(host, "sendFollowUpMessage")) as [{ prompt: string }];
  assert.match(message.prompt, /Track order[\s\S]*order\.track/);
});

test("globals alone, no method at all: drawn, and a notice instead of an action", async () => {
  const host = await open({
    methods: [],
    globals: { ...look, toolOutput: {}, toolResponseMetadata: envelope(order(track)) },
  });
  await host.view.getByRole("button").click();
  await host.view
    .locator("[role=status], [role=alert]")
    .filter({ hasText: /\S/ })
    .first()
    .waitFor();
  assert.deepEqual(await host.wrong(), []);
});

test("older metadata is the _meta itself", async () => {
  const given = order(track);
  const host = await open({
    methods,
    globals: { ...look, toolOutput: {}, toolResponseMetadata: given._meta },
  });
  await host.view.getByText("Order", { exact: true }).waitFor();
});

test("a result that comes later, by event, is drawn; the next one takes its place", async () => {
  const host = await open({
    methods,
    globals: { ...look, toolInput: null, toolOutput: null, toolResponseMetadata: null },
  });
  const { view } = host;
  const tell = (fresh: Record<string, unknown>) => view.evaluate(change, fresh);
  const titled = (title: string) =>
    tell({ toolOutput: { title }, toolResponseMetadata: envelope(order(track, title)) });
  await titled("First");
  await view.getByText("First").waitFor();
  await titled("Second");
  await view.getByText("Second").waitFor();
  assert.equal(await view.getByText("First").count(), 0);
  assert.equal((await host.probe()).blank, 0);
  await tell({ theme: "light" });
  await view.waitForFunction(
    () => getComputedStyle(document.documentElement).colorScheme === "light",
  );
  assert.deepEqual(await host.wrong(), []);
});
