// A second result changes what is there: same nodes, same place, same focus, never a blank frame.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { TestBrowser } from "./host";
import { until } from "./patience";
import { cases, result } from "./tree";

let testBrowser: TestBrowser;
before(async () => {
  testBrowser = await TestBrowser.open();
});
after(() => testBrowser?.close());

const board = (round: number) =>
  result({
    type: "Card",
    children: [
      { type: "Title", value: `Round ${round}` },
      { type: "Input", name: "note", placeholder: "Note" },
      ...Array.from({ length: 60 }, (_, row) => ({
        type: "Text",
        value: `Row ${row}: ${round * row}`,
      })),
    ],
  });

test("nodes, focus, typed text and scroll stay", async () => {
  const host = await testBrowser.host();
  const view = await host.open({ height: 300, fixed: true, result: board(1) });
  const note = view.getByPlaceholder("Note");
  await note.fill("half a sen");
  await view.evaluate(() => {
    const marked = [...document.querySelectorAll(".wc *")];
    (window as unknown as { marked: Element[] }).marked = marked;
    scrollTo(0, 400);
  });
  await host.page.waitForTimeout(50);
  const scroll = await view.evaluate(() => scrollY);
  assert.ok(scroll > 300, `scrolled to ${scroll}`);
  await host.result(board(2));
  await view.getByText("Row 59: 118").waitFor();
  const after = await view.evaluate(() => {
    const { marked } = window as unknown as { marked: Element[] };
    return {
      lost: marked.filter((one) => !one.isConnected).length,
      all: marked.length,
      scroll: scrollY,
      focus: document.activeElement?.tagName,
    };
  });
  assert.equal(after.lost, 0, `${after.lost} of ${after.all} nodes were replaced`);
  assert.equal(after.scroll, scroll);
  assert.equal(after.focus, "INPUT");
  assert.equal(await note.inputValue(), "half a sen");
  assert.equal((await host.probe()).blank, 0);
  assert.deepEqual(await host.wrong(), []);
});

test("another tree takes the place without a blank frame", async () => {
  const host = await testBrowser.host();
  const some = cases()
    .filter(({ name }) => name.endsWith("/sample"))
    .slice(0, 12);
  assert.equal(some.length, 12);
  await host.open({ input: {} });
  for (const { result } of some) await host.result(result);
  assert.equal((await host.probe()).blank, 0);
  assert.deepEqual(await host.wrong(), []);
});

test("a text grows while it streams, in the same node", async () => {
  const host = await testBrowser.host();
  const words = (value: string, streaming: boolean) =>
    result({
      type: "Card",
      children: [
        { type: "Text", id: "t", value, streaming },
        { type: "Markdown", id: "m", value: `**Now** ${value}`, streaming },
      ],
    });
  const view = await host.open({ result: words("One", true) });
  const node = await view.getByText("One", { exact: true }).elementHandle();
  await host.result(words("One two", true));
  await host.result(words("One two three", false));
  assert.equal(await node?.evaluate((one) => one.isConnected && one.textContent), "One two three");
});

test("what was typed survives a reload through the server's store", async () => {
  const host = await testBrowser.host();
  const stored = (state: unknown) => ({
    widgetcast_state: { content: [], structuredContent: { state } },
  });
  const view = await host.open({ tools: stored(null), result: board(1) });
  await view.getByPlaceholder("Note").fill("kept");
  const state = async () =>
    (await host.sent("tools/call"))
      .map((call) => call.arguments as { view: string; state?: unknown })
      .filter((given) => given.state !== undefined)
      .at(-1);
  const saved = await until("a saved state", state);
  assert.equal(saved.view, "0".repeat(24), "under the key of this result");
  assert.deepEqual(await host.wrong(), []);

  const again = await host.open({ tools: stored(saved.state), result: board(1) });
  await again.waitForFunction(() => document.querySelector("input")?.value === "kept", null, {
    polling: 20,
  });
  assert.deepEqual(await host.wrong(), []);
});
