// The life of a view in a host that we did not write: handshake, input, result, context, size, end.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { TestBrowser, versions } from "./host";
import { until } from "./patience";
import { result } from "./tree";

let testBrowser: TestBrowser;
before(async () => {
  testBrowser = await TestBrowser.open();
});
after(() => testBrowser?.close());

const card = (title: string) =>
  result({
    type: "Card",
    children: [
      { type: "Title", value: title },
      { type: "Text", value: "One line of text", color: "secondary" },
    ],
  });

for (const version of versions) {
  test(`a whole life with AppBridge ${version}, every message by the schema`, async () => {
    const host = await testBrowser.host({ version });
    const view = await host.open({ context: { theme: "light", locale: "en-GB" } });
    await host.wait("ui/notifications/initialized");
    const order = (await host.log())
      .map(({ from, message }) => `${from} ${message.method ?? "answer"}`)
      .slice(2, 5);
    assert.deepEqual(order, [
      "view ui/initialize",
      "host answer",
      "view ui/notifications/initialized",
    ]);

    await host.send("sendToolInputPartial", { arguments: { city: "Lis" } });
    await host.send("sendToolInputPartial", { arguments: { city: "Lisbon", days: [1] } });
    await host.send("sendToolInput", { arguments: { city: "Lisbon", days: [1, 2] } });
    await host.result(card("Lisbon"));
    await view.getByText("Lisbon", { exact: true }).waitFor();
    await host.send("setHostContext", { theme: "dark", locale: "en-GB" });
    await view.waitForFunction(
      () => getComputedStyle(document.documentElement).colorScheme === "dark",
    );
    await host.result(card("Porto"));
    await view.getByText("Porto", { exact: true }).waitFor();
    assert.equal(await view.getByText("Lisbon", { exact: true }).count(), 0);
    await host.wait("ui/notifications/size-changed");
    assert.deepEqual(await host.send("teardownResource", {}), {});
    assert.equal((await host.probe()).blank, 0);
    assert.deepEqual(await host.wrong(), []);
  });
}

test("something is shown while the model still writes", async () => {
  const host = await testBrowser.host();
  const view = await host.open();
  await host.send("sendToolInputPartial", { arguments: { city: "Lisbon" } });
  await view.waitForFunction(
    () =>
      document.body.getBoundingClientRect().height > 20 &&
      !!document.querySelector("[aria-busy=true], [role=status]"),
    null,
    { polling: 20 },
  );
  assert.deepEqual(await host.wrong(), []);
});

test("a cancelled call is told, and leaves no waiting sign", async () => {
  const host = await testBrowser.host();
  const view = await host.open({ input: { city: "Lisbon" } });
  await host.send("sendToolCancelled", { reason: "the user stopped it" });
  await view
    .getByText(/cancel|stopped/i)
    .first()
    .waitFor();
  assert.equal(await view.locator("[aria-busy=true]").count(), 0);
  assert.deepEqual(await host.wrong(), []);
});

test("theme: the host's word beats the system's, and a change repaints", async () => {
  const host = await testBrowser.host({ theme: "dark" });
  const view = await host.open({ context: { theme: "light" }, result: card("Theme") });
  const ink = () =>
    view.evaluate(() => {
      const title = [...document.querySelectorAll(".wc *")].find(
        (one) => one.textContent === "Theme" && !one.firstElementChild,
      );
      const [r = 0, g = 0, b = 0] =
        getComputedStyle(title as Element)
          .color.match(/[\d.]+/g)
          ?.map(Number) ?? [];
      return (r + g + b) / 3;
    });
  assert.ok((await ink()) < 100, "dark ink on a light card");
  await host.send("setHostContext", { theme: "dark" });
  await view.waitForFunction(
    () => getComputedStyle(document.documentElement).colorScheme === "dark",
  );
  assert.ok((await ink()) > 155, "light ink on a dark card");
});

test("the host's CSS variables reach the text, its ground and the font", async () => {
  const host = await testBrowser.host();
  const view = await host.open({
    context: {
      theme: "light",
      styles: {
        variables: {
          "--color-text-primary": "rgb(1, 2, 3)",
          "--color-text-secondary": "rgb(40, 50, 60)",
          "--color-background-primary": "rgb(200, 220, 240)",
          "--font-sans": "Georgia, serif",
        },
      },
    },
    result: card("Variables"),
  });
  const look = await view.evaluate(() => {
    const find = (text: string) =>
      [...document.querySelectorAll(".wc *")].find(
        (one) => one.textContent === text && !one.firstElementChild,
      ) as Element;
    const grounds: number[][] = [];
    const brush = new OffscreenCanvas(1, 1).getContext("2d") as OffscreenCanvasRenderingContext2D;
    for (let at: Element | null = find("Variables"); at; at = at.parentElement) {
      brush.clearRect(0, 0, 1, 1);
      brush.fillStyle = getComputedStyle(at).backgroundColor;
      brush.fillRect(0, 0, 1, 1);
      grounds.push([...brush.getImageData(0, 0, 1, 1).data]);
    }
    const { color, fontFamily } = getComputedStyle(find("Variables"));
    return { color, fontFamily, second: getComputedStyle(find("One line of text")).color, grounds };
  });
  assert.equal(look.color, "rgb(1, 2, 3)");
  assert.equal(look.second, "rgb(40, 50, 60)");
  assert.match(look.fontFamily, /^Georgia/);
  // A raised surface may be a shade lighter than the ground that the host gave.
  const near = look.grounds.some(
    ([r = 0, , b = 0, a]) => a === 255 && r >= 200 && r < 215 && b >= 240,
  );
  assert.ok(near, `grounds: ${JSON.stringify(look.grounds)}`);
});

test("sizes: a frame of two pixels always grows to its content, and settles", async (t) => {
  const host = await testBrowser.host();
  const stuck: string[] = [];
  let most = 0;
  for (let load = 0; load < 12; load += 1) {
    const view = await host.open({ height: 2, input: {}, result: card(`Load ${load}`) });
    const grown = view.waitForFunction(
      () =>
        innerHeight >= 40 &&
        innerHeight >= (document.querySelector(".wc")?.getBoundingClientRect().bottom ?? 1e9),
      null,
      { polling: 20 },
    );
    await grown.catch(() => stuck.push(`load ${load}`));
    await host.page.waitForTimeout(150);
    most = Math.max(most, (await host.sent("ui/notifications/size-changed")).length);
  }
  t.diagnostic(`at most ${most} reports for one load`);
  assert.deepEqual(stuck, []);
  assert.ok(most <= 4, `${most} reports`);
});

test("sizes: less content is told too, and a host that does not follow is not flooded", async () => {
  const host = await testBrowser.host();
  const long = Array.from({ length: 30 }, (_, row) => ({ type: "Text", value: `Row ${row}` }));
  await host.open({ result: result({ type: "Card", children: long }) });
  const told = (what: string, fits: (height: number) => boolean) =>
    until(what, async () => {
      const sizes = await host.sent("ui/notifications/size-changed");
      return sizes.length > 0 && fits(sizes.at(-1)?.height as number);
    });
  await told("the long card", (height) => height > 600);
  await host.result(card("Short"));
  await told("the short card", (height) => height < 200);

  await host.open({ height: 300, fixed: true, result: result({ type: "Card", children: long }) });
  await host.wait("ui/notifications/size-changed");
  await host.page.waitForTimeout(400);
  const { length } = await host.sent("ui/notifications/size-changed");
  assert.ok(length >= 1 && length <= 3, `${length} reports`);
});

test("right to left: an Arabic locale turns the page around", async () => {
  const host = await testBrowser.host();
  const view = await host.open({
    context: { locale: "ar-EG" },
    result: result({
      type: "Card",
      children: [
        {
          type: "Row",
          children: [
            { type: "Text", value: "أول" },
            { type: "Spacer" },
            { type: "Text", value: "ثان" },
          ],
        },
      ],
    }),
  });
  const at = async (text: string) => (await view.getByText(text).boundingBox())?.x ?? 0;
  assert.ok((await at("أول")) > (await at("ثان")), "the first text stands on the right");
  assert.deepEqual(
    await view.evaluate(() => [
      document.documentElement.lang,
      getComputedStyle(document.querySelector(".wc") as Element).direction,
    ]),
    ["ar-EG", "rtl"],
  );
});

test("reduced motion: nothing moves, neither waiting nor drawn", async () => {
  const moving = () =>
    document.getAnimations().filter((one) => {
      const { duration, iterations } = one.effect?.getTiming() ?? {};
      return Number(duration) > 1 || iterations === Number.POSITIVE_INFINITY;
    }).length;
  const host = await testBrowser.host({ motion: "reduce" });
  const view = await host.open({ input: {} });
  await host.page.waitForTimeout(50);
  assert.equal(await view.evaluate(moving), 0);
  await host.result(
    result({
      type: "Card",
      children: [
        { type: "Transition", children: { type: "Text", value: "Moved" } },
        { type: "Button", label: "Go", onClickAction: { type: "go" } },
      ],
    }),
  );
  await view.getByRole("button", { name: "Go" }).hover();
  assert.equal(await view.evaluate(moving), 0);
  const slow = await view.evaluate(() =>
    [...document.querySelectorAll(".wc, .wc *")]
      .filter((one) => {
        const { transitionDuration } = getComputedStyle(one);
        return transitionDuration.split(",").some((time) => Number.parseFloat(time) > 0.01);
      })
      .map((one) => one.outerHTML.slice(0, 80)),
  );
  assert.deepEqual(slow, []);
});

test("a long word breaks before it pushes the other columns of a table away", async () => {
  const cell = (value: string) => ({ type: "Table.Cell", children: [{ type: "Text", value }] });
  const row = (...values: string[]) => ({ type: "Table.Row", children: values.map(cell) });
  const rows = [
    row("checkout-api-7c9d8f6b5-x2k4q-production", "1.850,00 €", "Running"),
    row("web", "9 €", "Up"),
  ];
  const tree = { type: "Card", children: [{ type: "Table", children: rows }] };
  const host = await testBrowser.host();
  const view = await host.open({ width: 320, result: result(tree) });
  const [over, high] = await view
    .locator(".wc-scroll")
    .evaluate((table) => [
      table.scrollWidth - table.clientWidth,
      table.querySelectorAll("td")[1]?.querySelector(".wc-words")?.clientHeight ?? 0,
    ]);
  assert.equal(over, 0);
  assert.ok((high ?? 99) < 30, "an amount is broken");
});

test("a card that waits shows no input, which may be data", async () => {
  const host = await testBrowser.host();
  const view = await host.open({ input: { logo: "data:image/svg+xml,<svg/>", city: "Lisbon" } });
  await view.locator("[aria-busy=true]").waitFor();
  assert.doesNotMatch(await view.locator("body").innerText(), /data:|Lisbon/);
});
