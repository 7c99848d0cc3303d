// Every page in three hosts (the official AppBridge in a double frame, `window.openai` alone, and the
// client's mock), light and dark, narrow and wide; and what each page does, by the keyboard alone.

import assert from "node:assert/strict";
import { mkdirSync, readFileSync } from "node:fs";
import { after, afterEach, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import type { Frame, Page } from "playwright-core";
import { audit } from "../../test/axe";
import { type Host, type Options, TestBrowser } from "../../test/host";
import { faultsIn } from "../../test/layout";
import { until } from "../../test/patience";
import { PAGES } from "../build.mjs";
import { leaveMocks, openMock } from "./mock";
import { large, SAMPLES, type Sample } from "./sample";

const at = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const shots = at("../../../target/screenshots/display/");
const names = Object.keys(PAGES);
const html = (name: string) =>
  readFileSync(at(`../../../crates/display/pages/${name}.html`), "utf8");
const themes = ["light", "dark"] as const;
/** A page is opened at each width once, and resized to the other. */
const widthsOf = (theme: string) =>
  theme === "light" ? ([320, 1280] as const) : ([1280, 320] as const);
const modes = ["inline", "fullscreen", "pip"];
/** Those that are made for the full screen. */
const full = names.filter((name) => name !== "chat-view");
let testBrowser: TestBrowser;

before(async () => {
  mkdirSync(shots, { recursive: true });
  testBrowser = await TestBrowser.open();
});
after(() => testBrowser?.close());
afterEach(async () => {
  await testBrowser.rest();
  await leaveMocks();
});

/** A host whose page under test is this one. */
async function hostOf(name: string, kind: Parameters<TestBrowser["host"]>[0] = {}): Promise<Host> {
  const host = await testBrowser.host(kind);
  host.html = html(name);
  return host;
}

async function show(
  name: string,
  options: Options = {},
  sample = SAMPLES[name] as Sample,
): Promise<Host> {
  const theme = options.context?.theme as "light" | "dark" | undefined;
  const host = await hostOf(name, { theme: theme ?? "light" });
  await host.page.setViewportSize({
    width: Math.max(800, (options.width ?? 0) + 20),
    height: 1200,
  });
  await host.open({
    input: sample.input,
    result: sample.result,
    ...options,
    context: {
      theme: "light",
      displayMode: "inline",
      availableDisplayModes: modes,
      locale: "en-US",
      timeZone: "UTC",
      ...options.context,
    },
  });
  await host.view.getByText(sample.shows).first().waitFor();
  return host;
}

/** Waits until the frame has this width, and was laid out and drawn. */
async function settled(frame: Frame, width: number): Promise<void> {
  await frame.waitForFunction((wanted) => innerWidth === wanted, width);
  await frame.evaluate(async () => {
    for (let round = 0; round < 3; round += 1)
      await new Promise((done) => requestAnimationFrame(done));
  });
}

async function resize(host: Host, width: number): Promise<void> {
  await host.page.setViewportSize({ width: Math.max(800, width + 20), height: 1200 });
  await host.page.locator("iframe").evaluate((frame, wanted) => {
    frame.style.width = `${wanted}px`;
  }, width);
  await settled(host.view, width);
}

/** Documents in which axe found nothing. The same one at the same width is not audited again. */
const clean = new Set<string>();

/** What axe finds. */
async function barriers(frame: Frame): Promise<string[]> {
  const drawn = await frame.evaluate(() => {
    const { innerWidth, innerHeight } = window;
    const { lang, dir, className, style, dataset } = document.documentElement;
    const look = getComputedStyle(document.documentElement).colorScheme;
    const around = [lang, dir, className, style.cssText, Object.values(dataset), document.title];
    const dark = matchMedia("(prefers-color-scheme: dark)").matches;
    const content = document.querySelector("main")?.outerHTML;
    return JSON.stringify([innerWidth, innerHeight, look, dark, around, content]);
  });
  if (clean.has(drawn)) return [];
  const { ours } = await audit(frame);
  if (ours.length === 0) clean.add(drawn);
  return ours.map((line) => `axe: ${line}`);
}

/** What is wrong with a page as it stands. */
async function inspect(frame: Frame): Promise<string[]> {
  // A planet never stops to fade in.
  await frame.evaluate(() =>
    Promise.all(
      document
        .getAnimations()
        .filter((one) => one.effect?.getComputedTiming().iterations !== Number.POSITIVE_INFINITY)
        .map((one) => one.finished),
    ),
  );
  const found = await barriers(frame);
  const wide = await frame.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement;
    return scrollWidth > clientWidth ? [`${scrollWidth} px wide in ${clientWidth} px`] : [];
  });
  const nested = await frame.evaluate(() => {
    if (document.documentElement.dataset.mode === "fullscreen") return [];
    return [...document.querySelectorAll<HTMLElement>("main *")]
      .filter(
        (one) =>
          /auto|scroll/.test(getComputedStyle(one).overflowY) &&
          one.scrollHeight > one.clientHeight + 1,
      )
      .map((one) => `scrolls inside: ${one.tagName}.${one.className}`);
  });
  return [...found, ...wide, ...nested, ...(await frame.evaluate(faultsIn, undefined))];
}

for (const name of names) {
  test(`${name} in the AppBridge`, async () => {
    const faults: string[] = [];
    const look = async (theme: (typeof themes)[number]) => {
      const [first, second] = widthsOf(theme);
      const host = await show(name, { width: first, context: { theme } });
      for (const width of [first, second]) {
        if (width === second) await resize(host, width);
        const found = [...(await inspect(host.view)), ...(await host.wrong())];
        faults.push(...found.map((one) => `${theme} ${width}: ${one}`));
        await host.page
          .locator("iframe")
          .screenshot({ path: `${shots}${name}-${theme}-${width}.png` });
      }
    };
    await Promise.all(themes.map(look));
    assert.deepEqual(faults, []);
  });

  test(`${name} full screen and in a picture`, async () => {
    const faults: string[] = [];
    const look = async ([displayMode, width, height]: readonly [string, number, number]) => {
      const theme = displayMode === "pip" ? "dark" : "light";
      const host = await show(name, {
        width,
        height,
        fixed: true,
        context: { theme, displayMode },
      });
      const found = [...(await inspect(host.view)), ...(await host.wrong())];
      faults.push(...found.map((one) => `${displayMode}: ${one}`));
      await host.page.locator("iframe").screenshot({ path: `${shots}${name}-${displayMode}.png` });
    };
    await Promise.all([
      full.includes(name) && look(["fullscreen", 1280, 800]),
      look(["pip", 320, 240]),
    ]);
    assert.deepEqual(faults, []);
  });

  test(`${name} in window.openai, and in the mock host`, async () => {
    const { input, result, shows } = SAMPLES[name] as Sample;
    const faults: string[] = [];
    const look = async (kind: "openai" | "mock", theme: (typeof themes)[number]) => {
      const [first, second] = widthsOf(theme);
      const isGlobal = kind === "openai";
      const { page, faults: own } = await openMock(testBrowser.browser, html(name), {
        window: kind,
        width: first,
        theme,
        ...(isGlobal
          ? {
              bridge: false,
              openai: {
                globals: {
                  theme,
                  toolInput: input,
                  toolOutput: result.structuredContent,
                  toolResponseMetadata: {},
                },
              },
            }
          : { context: { theme, locale: "en-US", displayMode: "inline" } }),
      });
      if (!isGlobal)
        await page.evaluate(
          async ([given, answer]) => {
            await window.mock.input(given);
            await window.mock.result(answer);
          },
          [input, result] as const,
        );
      await page.getByText(shows).first().waitFor();
      // The bridge is known to be silent after a second; meanwhile the other kind of host is looked at.
      if (isGlobal) await page.waitForTimeout(1100);
      for (const width of [first, second]) {
        if (width === second) await page.setViewportSize({ width, height: 900 });
        await settled(page.mainFrame(), width);
        const found = [...(await inspect(page.mainFrame())), ...own.splice(0)];
        faults.push(...found.map((one) => `${kind} ${theme} ${width}: ${one}`));
      }
    };
    await Promise.all(themes.flatMap((theme) => [look("openai", theme), look("mock", theme)]));
    assert.deepEqual(faults, []);
  });

  test(`${name}: the keyboard reaches everything, and one sees where it is`, async () => {
    const host = await show(name, { width: 720 });
    const tabbable = await host.view.evaluate(() => {
      const all = [
        ...document.querySelectorAll<HTMLElement>(
          "a[href],button,input,select,textarea,[tabindex]",
        ),
      ];
      // A check box of a text is disabled, and its tabIndex 0 all the same.
      return all.filter(
        (one) => one.tabIndex >= 0 && one.checkVisibility() && !one.matches(":disabled"),
      ).length;
    });
    const wide = await host.view.evaluate(async () => {
      const { style } = document.documentElement;
      const drawn = async () => {
        for (let round = 0; round < 4; round += 1)
          await new Promise((done) => requestAnimationFrame(done));
      };
      style.fontSize = "200%";
      await drawn();
      const { scrollWidth, clientWidth } = document.documentElement;
      style.fontSize = "";
      await drawn();
      return scrollWidth - clientWidth;
    });
    assert.ok(wide <= 0, `text of twice the size is ${wide} px too wide`);
    await host.view.evaluate(() => {
      document.documentElement.tabIndex = -1;
      document.documentElement.focus();
      document.documentElement.removeAttribute("tabindex");
    });
    const faults: string[] = [];
    let reached = 0;
    for (; reached < tabbable; reached += 1) {
      await host.page.keyboard.press("Tab");
      const fault = await host.view.evaluate(() => {
        const one = document.activeElement as HTMLElement;
        if (!one || one === document.body || one === document.documentElement)
          return "the focus was lost";
        const { outlineStyle, outlineWidth } = getComputedStyle(one);
        const isSeen = outlineStyle !== "none" && Number.parseFloat(outlineWidth) >= 2;
        const { width, height } = one.getBoundingClientRect();
        if (!isSeen) return `no ring on ${one.outerHTML.slice(0, 80)}`;
        if (one.tagName !== "A" && Math.min(width, height) < 24)
          return `${width}×${height} is too small: ${one.outerHTML.slice(0, 80)}`;
        return undefined;
      });
      if (fault) faults.push(`${reached + 1} of ${tabbable}: ${fault}`);
    }
    assert.deepEqual(faults, []);
  });

  test(`${name} from right to left, and where the host can do nothing`, async () => {
    const sample = SAMPLES[name] as Sample;
    // Where the words of the page are its own, they are Arabic now.
    const shows = { "kitchen-sink-lite": "النتيجة", "solar-system": "الأرض" }[name] ?? sample.shows;
    const host = await show(
      name,
      {
        width: 360,
        capabilities: {},
        context: { locale: "ar", availableDisplayModes: ["inline"] },
      },
      { ...sample, shows },
    );
    assert.equal(await host.view.evaluate(() => document.documentElement.dir), "rtl");
    assert.deepEqual([...(await inspect(host.view)), ...(await host.wrong())], []);
    const offers = await host.view.getByRole("button", { name: /ملء الشاشة|اسأل عن هذا/ }).count();
    assert.equal(offers, 0, "it offers what the host cannot do");
    await host.page.locator("iframe").screenshot({ path: `${shots}${name}-rtl.png` });
  });
}

test("a page says which modes it is made for", async () => {
  for (const name of names) {
    const [said] = await (await show(name)).sent("ui/initialize");
    const wanted = modes.filter((mode) => mode !== "fullscreen" || full.includes(name));
    assert.deepEqual(said?.appCapabilities, { availableDisplayModes: wanted }, name);
  }
});

/** The one way of a card to the full screen, where there is more to show with these samples. */
const WAYS: Record<string, string> = {
  "dashboard-widget": "Full screen",
  "search-results": "2 more",
  "pizzaz-table": "All 9 rows",
  "kitchen-sink-lite": "Try everything",
  "pizzaz-gallery": "Full screen",
  "solar-system": "Full screen",
};

test("in a conversation: one primary action of at most two, no tabs, no text field, no taller than a phone", async () => {
  const faults: string[] = [];
  for (const name of names) {
    const host = await show(name, { width: 390 });
    await settled(host.view, 390);
    const seen = await host.view.evaluate(() => {
      const count = (what: string) => document.querySelectorAll(`main ${what}`).length;
      return {
        primary: count(".wc-btn.wc-v-solid"),
        // An item of a carousel may have one of its own.
        actions: count(".wc-btn:not(.wc-uniform, .tile *)"),
        tabs: count("[role=tab]"),
        fields: count("input:not([type=radio], [type=checkbox]), textarea, [contenteditable]"),
        height: document.documentElement.offsetHeight,
      };
    });
    if (seen.primary > 1) faults.push(`${name}: ${seen.primary} primary actions`);
    if (seen.actions > 2) faults.push(`${name}: ${seen.actions} actions`);
    if (seen.tabs || seen.fields) faults.push(`${name}: tabs or fields`);
    if (seen.height > 844) faults.push(`${name}: ${seen.height} px high`);
    const ways: string[] = [];
    for (const way of new Set(Object.values(WAYS)))
      if (await host.view.getByRole("button", { name: way }).count()) ways.push(way);
    if (`${ways}` !== (WAYS[name] ?? "")) faults.push(`${name}: full screen by ${ways}`);
  }
  assert.deepEqual(faults, []);
});

test("in a picture nothing is cut and nothing scrolls, and what is there fills it", async () => {
  const faults: string[] = [];
  // A text is read by scrolling; it fades at the edge.
  for (const name of names.filter((one) => one !== "pizzaz-markdown"))
    for (const [width, height] of [
      [320, 240],
      [390, 300],
      [600, 400],
    ] as const) {
      const context = { displayMode: "pip" };
      const host = await show(name, { width, height, fixed: true, context });
      await settled(host.view, width);
      const seen = await host.view.evaluate(() => {
        const { scrollHeight, clientHeight } = document.documentElement;
        const leaves = [...document.querySelectorAll("main :is(svg, :not(:has(*), svg *))")]
          .filter((one) => one.checkVisibility() && !one.matches(".hidden, .notice, .leave"))
          .map((one) => one.getBoundingClientRect());
        return {
          over: scrollHeight - clientHeight,
          top: Math.min(...leaves.map((one) => one.top)),
          bottom: Math.max(...leaves.map((one) => one.bottom)),
        };
      });
      const place = `${name} ${width} × ${height}`;
      if (seen.over > 0 || seen.bottom > height) faults.push(`${place}: ${seen.over} px are cut`);
      const spare = height - seen.bottom - (name === "chat-view" ? seen.top : 0);
      if (spare > 90) faults.push(`${place}: ${Math.round(spare)} px are empty`);
    }
  assert.deepEqual(faults, []);
});

test("the safe area is kept clear in every mode", async () => {
  const safeAreaInsets = { top: 59, right: 21, bottom: 34, left: 47 };
  for (const name of names)
    for (const displayMode of modes) {
      const host = await show(name, {
        width: 480,
        height: 600,
        fixed: true,
        context: { displayMode, safeAreaInsets },
      });
      await settled(host.view, 480);
      const seen = await host.view.evaluate(() => {
        const leaves = [...document.querySelectorAll("main :is(svg, :not(:has(*), svg *))")]
          .filter((one) => one.checkVisibility() && !one.matches(".hidden, .notice"))
          .map((one) => one.getBoundingClientRect());
        const { scrollHeight, clientHeight } = document.documentElement;
        return {
          top: Math.min(...leaves.map((one) => one.top)),
          left: Math.min(...leaves.map((one) => one.left)),
          over: scrollHeight - clientHeight,
        };
      });
      const place = `${name}, ${displayMode}: ${JSON.stringify(seen)}`;
      assert.ok(seen.top >= 59 && seen.left >= 47, place);
      if (displayMode === "pip" && name !== "pizzaz-markdown") assert.equal(seen.over, 0, place);
    }
});

test("search results say how many more tags there are", async () => {
  const tags = ["a", "b", "c", "d", "e", "f", "g"];
  const structuredContent = { query: "x", results: [{ title: "One", tags }] };
  const host = await show(
    "search-results",
    {},
    {
      input: {},
      result: { content: [], structuredContent },
      shows: "One",
    },
  );
  assert.equal(
    await host.view
      .locator(".tags")
      .innerText()
      .then((text) => text.replace(/\s+/g, " ")),
    "a b c d +3",
  );
});

test("data of another shape is reported, never replaced by a sample", async () => {
  const wrong = { products: [{ name: "Lamp" }] };
  const strange: Record<string, object> = {
    "pizzaz-carousel": wrong,
    "pizzaz-gallery": { items: ["Lamp"] },
    "solar-system": { planet: "Tatooine" },
    "dashboard-widget": { stats: wrong },
  };
  const more: [string, object][] = [
    ["pizzaz-carousel", { items: [{ price: 5 }] }],
    ["search-results", { results: [1, { price: 5 }] }],
    ["dashboard-widget", { metrics: [1] }],
  ];
  for (const [name, structuredContent] of [...Object.entries(strange), ...more]) {
    const result = { content: [], structuredContent } as unknown as Sample["result"];
    const shows = "The tool returned data that this view does not support.";
    const host = await show(name, {}, { input: {}, result, shows });
    assert.match(await host.view.locator("code").innerText(), /^\{ .+ \}$/);
  }
});

test("what a tool gives without a picture has none invented, and no title of the samples", async () => {
  for (const name of ["pizzaz-carousel", "pizzaz-gallery"]) {
    const items = [{ title: "Lamp", description: "Brass" }, { title: "Chair" }];
    const result = { content: [], structuredContent: { items } } as unknown as Sample["result"];
    const host = await show(name, {}, { input: {}, result, shows: "Lamp" });
    const drawn = await host.view
      .locator(".pizza")
      .evaluateAll((all) => all.map((one) => one.textContent));
    assert.deepEqual(drawn, ["L", "C"]);
    assert.doesNotMatch(await host.view.locator("h1").innerText(), /pizza/i);
  }
});

test("a document that begins with its title has it once", async () => {
  const markdown = "# Report\n\nAll is well.";
  const result = {
    content: [],
    structuredContent: { title: "Report", markdown },
  } as unknown as Sample["result"];
  const host = await show("pizzaz-markdown", {}, { input: {}, result, shows: "All is well." });
  assert.equal(await host.view.getByRole("heading", { name: "Report" }).count(), 1);
});

test("in a picture what does not fit is left out, and is back when there is room", async () => {
  const context = { displayMode: "pip" };
  const host = await show("search-results", { width: 320, height: 240, fixed: true, context });
  const shown = (count: number) =>
    host.view.waitForFunction((wanted) => {
      const all = [...document.querySelectorAll(".result")];
      return all.filter((one) => one.checkVisibility()).length === wanted;
    }, count);
  const heighten = (height: number) =>
    host.page.locator("iframe").evaluate((frame, wanted) => {
      frame.style.height = `${wanted}px`;
    }, height);
  await shown(2);
  await heighten(320);
  await shown(3);
  await heighten(240);
  await shown(2);
  await host.send("setHostContext", { displayMode: "inline" });
  await shown(5);
});

test("full screen: the way back is at the top, at the end of the line", async () => {
  const faults: string[] = [];
  for (const name of full)
    for (const width of [390, 1280]) {
      const context = { displayMode: "fullscreen" };
      const host = await show(name, { width, height: 800, fixed: true, context });
      await settled(host.view, width);
      const leave = host.view.getByRole("button", { name: "Leave full screen" });
      const box = await leave.evaluate((one) => one.getBoundingClientRect().toJSON());
      // A text is no wider than one reads.
      const most = name === "pizzaz-markdown" ? 720 : 1152;
      const end = width - Math.max(20, (width - most) / 2);
      if (box.top > 24 || Math.abs(box.right - end) > 8)
        faults.push(`${name} ${width}: ${box.right}, ${box.top}`);
    }
  assert.deepEqual(faults, []);
});

const press = async (
  frame: Frame,
  page: Page,
  role: "button" | "link" | "radio" | "tab",
  name: string | RegExp,
  key = "Enter",
) => {
  await frame.getByRole(role, { name }).first().focus();
  await page.keyboard.press(key);
};

test("chat: it does not imitate the chat, and the question is sent once, in the user's name", async () => {
  const host = await show("chat-view");
  const imitated = host.view.locator("textarea, input, ol, .bubble");
  assert.equal(await imitated.count(), 0, "it imitates the chat");
  await press(host.view, host.page, "button", "Continue in chat");
  const [message] = await host.wait("ui/message");
  const text = "What would be a good name for a pizzeria by the sea?";
  assert.deepEqual(message, { role: "user", content: [{ type: "text", text }] });
  await host.view.getByText("The answer appears in the conversation").waitFor();
  assert.equal(await host.view.getByRole("button").count(), 0, "it offers to send it again");
});

test("chat: without a question one picks one; a host that refuses is told of, and one may try again", async () => {
  const { page } = await openMock(testBrowser.browser, html("chat-view"), {
    width: 400,
    theme: "light",
    capabilities: { message: {} },
  });
  await page.evaluate(async () => {
    window.mock.refuse("ui/message", -32000, "no");
    await window.mock.result({ structuredContent: { seedMessage: "", locale: "de" } });
  });
  await page.getByRole("radio", { name: "Wobei kannst du mir helfen?" }).focus();
  await page.keyboard.press("ArrowDown");
  await page.getByRole("button", { name: "Im Chat fortfahren" }).press("Enter");
  await page.getByText("Die Nachricht ließ sich nicht senden").waitFor();
  await page.evaluate(() => window.mock.answer("ui/message", () => ({})));
  await page.getByRole("button", { name: "Nochmals versuchen" }).press("Enter");
  await page.getByText("Die Antwort erscheint im Gespräch").waitFor();
  await page.getByText("Hilf mir, meine Woche zu planen").waitFor();
});

test("chat: where views cannot send, the question is there to copy", async () => {
  const host = await show("chat-view", { capabilities: {} });
  await host.view.getByText("Views cannot send messages here").waitFor();
  await press(host.view, host.page, "button", "Copy the question");
  await host.view.getByText("Copied").waitFor();
});

test("search: a card opens through the host and asks once; full screen filters, walks with arrows, asks", async () => {
  const host = await show("search-results");
  assert.equal(await host.view.getByRole("button", { name: /^Guide|Ask about/ }).count(), 0);
  await press(host.view, host.page, "button", "Help me choose");
  assert.match(JSON.stringify(await host.wait("ui/message")), /pizza ovens.*Gas or wood/);
  await press(host.view, host.page, "button", "2 more");
  assert.deepEqual(await host.wait("ui/request-display-mode"), [{ mode: "fullscreen" }]);
  await press(host.view, host.page, "button", /^Guide/);
  await host.view.getByText("3 of 7").waitFor();
  await host.view.getByRole("link", { name: /How hot/ }).focus();
  await host.page.keyboard.press("End");
  await host.page.keyboard.press("Enter");
  const [link] = await host.wait("ui/open-link");
  assert.deepEqual(link, { url: "https://example.com/dough" });
  await press(host.view, host.page, "button", "Ask about this: How hot should a pizza oven be?");
  const [, message] = await host.wait("ui/message", 2);
  assert.match(JSON.stringify(message), /How hot should a pizza oven be/);
  await press(host.view, host.page, "button", "All");
  assert.equal(
    await host.view.getByRole("link", { name: /manual/ }).count(),
    0,
    "javascript: is no link",
  );
});

test("search: full screen the cards of a row are as high as each other, and so are their actions", async () => {
  const context = { displayMode: "fullscreen" };
  const host = await show("search-results", { width: 1280, height: 800, fixed: true, context });
  const rows = await host.view.evaluate(() => {
    const found = new Map<number, Set<number>[]>();
    for (const card of document.querySelectorAll(".result")) {
      const { top, bottom } = card.getBoundingClientRect();
      const [ends, actions] = found.get(top) ?? [new Set(), new Set()];
      ends?.add(Math.round(bottom));
      actions?.add(Math.round(card.querySelector(".wc-btn")?.getBoundingClientRect().bottom ?? 0));
      found.set(top, [ends ?? new Set(), actions ?? new Set()]);
    }
    return [...found.values()].map((sets) => sets.map(({ size }) => size));
  });
  assert.deepEqual(rows, [
    [1, 1],
    [1, 1],
    [1, 1],
    [1, 1],
  ]);
});

test("search: full screen a phone has all words of a result, and its action on a line of its own", async () => {
  for (const width of [320, 390]) {
    const context = { displayMode: "fullscreen" };
    const host = await show("search-results", { width, height: 800, fixed: true, context });
    await settled(host.view, width);
    const cut = await host.view
      .locator(".clamp")
      .evaluateAll((all) => all.filter((one) => one.scrollHeight > one.clientHeight + 1).length);
    assert.equal(cut, 0, `${width} px`);
    if (width > 320) continue;
    const aside = await host.view.locator(".under").evaluateAll((all) =>
      all.map((one) => {
        const action = one.querySelector(".wc-btn") as HTMLElement;
        const icon = action.querySelector("svg") as Element;
        const tags = one.querySelector(".tags")?.getBoundingClientRect();
        const isBelow = !tags || action.getBoundingClientRect().top >= tags.bottom;
        const left = icon.getBoundingClientRect().left - one.getBoundingClientRect().left;
        return isBelow && Math.abs(left) < 2;
      }),
    );
    assert.deepEqual([aside.length, new Set(aside)], [7, new Set([true])]);
  }
});

test("search: a wide card has one column, no wider than one reads", async () => {
  const host = await show("search-results", { width: 1280 });
  await settled(host.view, 1280);
  const boxes = await host.view.locator(".result").evaluateAll((all) =>
    all.map((one) => {
      const { left, width } = one.getBoundingClientRect();
      return `${left} ${width}`;
    }),
  );
  assert.deepEqual([...new Set(boxes)], ["16 720"]);
});

test("search: without a full screen it filters and goes on in its place", async () => {
  const host = await show("search-results", { context: { availableDisplayModes: ["inline"] } });
  await press(host.view, host.page, "button", "2 more");
  await host.view.getByText("Flour types, compared").waitFor();
  await press(host.view, host.page, "button", /^Guide/);
  await host.view.getByText("3 of 7").waitFor();
});

/** The sample of the table with this many rows; those after its own have a name alone. */
function tableOf(count: number): Sample {
  const sample = SAMPLES["pizzaz-table"] as Sample;
  const content = sample.result.structuredContent as { data: unknown[] };
  const data = Array.from({ length: count }, (_, at) => content.data[at] ?? { name: "Zzz" });
  return { ...sample, result: { ...sample.result, structuredContent: { ...content, data } } };
}

test("table: a card holds back no fewer than three rows, says how many, and has one way to all or to the filter", async () => {
  for (const [width, count, shown, note, way] of [
    [320, 9, 3, "3 of 9 rows", "All 9 rows"],
    [390, 9, 3, "3 of 9 rows", "All 9 rows"],
    [700, 5, 5, "5 rows", undefined],
    [700, 8, 8, "8 rows", "Full screen"],
    [700, 10, 10, "10 rows", "Full screen"],
    [700, 11, 8, "8 of 11 rows", "All 11 rows"],
    [1280, 9, 9, "9 rows", "Full screen"],
  ] as const) {
    const host = await show("pizzaz-table", { width }, tableOf(count));
    await settled(host.view, width);
    const rows = host.view.locator("tbody tr");
    assert.equal(await rows.count(), shown, `${count} rows in ${width} px`);
    assert.equal(await host.view.locator(".header .note").textContent(), note);
    const ways = host.view.getByRole("button", { name: /^All|Full screen/ });
    const names = await ways.evaluateAll((all) =>
      all.map((one) => one.ariaLabel ?? one.textContent),
    );
    assert.deepEqual(names, way ? [way] : [], `${count} rows in ${width} px`);
  }
});

test("table: sorts, filters, pages and copies", async () => {
  const context = { availableDisplayModes: ["inline"] };
  const host = await show("pizzaz-table", { context }, tableOf(11));
  const first = () => host.view.locator("tbody td:first-child").first().textContent();
  const names = async () => host.view.locator("tbody td:first-child").allTextContents();
  await press(host.view, host.page, "button", "Name");
  assert.equal(await host.view.locator("th").first().getAttribute("aria-sort"), "ascending");
  const sorted = await names();
  assert.deepEqual(sorted.slice(0, 4), ["Årstiderne", "Da Michele", "Émile", "Forno Nero"]);
  assert.ok(sorted.indexOf("Slice 2") < sorted.indexOf("Slice 10"), String(sorted));
  await press(host.view, host.page, "button", "Price");
  assert.equal(await first(), "Slice 10");
  await press(host.view, host.page, "button", "Price");
  assert.equal(await first(), "La Balena");
  await press(host.view, host.page, "button", "Next");
  assert.deepEqual(await names(), ["Slice 10", "Zzz", "Zzz"]);
  await host.view.getByRole("searchbox").focus();
  await host.page.keyboard.type("slice");
  await host.view.getByText("2 of 11 rows").waitFor();
  await press(host.view, host.page, "button", "Copy as CSV");
  await host.view.getByText("Copied").waitFor();
  assert.deepEqual(await host.wrong(), []);
});

test("table: of 10,000 rows it draws few, sorts them and scrolls without a gap", async () => {
  const sample = large();
  const host = await show(
    "pizzaz-table",
    { width: 1280, height: 800, fixed: true, context: { displayMode: "fullscreen" } },
    sample,
  );
  const { view } = host;
  for (const name of ["ID", "Name", "Price", "When"]) {
    const head = view.getByRole("columnheader", { name, exact: true });
    await head.getByRole("button").click();
    await view.locator(`th[aria-sort="ascending"]`, { hasText: name }).waitFor();
    assert.ok((await view.locator("tbody tr").count()) < 80, "it draws all rows");
  }

  // Every stop of a fast scroll shows rows over the whole height.
  const { gaps, last } = await view.evaluate(async () => {
    const region = document.querySelector(".scroll") as HTMLElement;
    const frame = () => new Promise<number>((done) => requestAnimationFrame(done));
    let gaps = 0;
    for (let step = 0; step <= 120; step += 1) {
      region.scrollTop = (step / 120) ** 2 * region.scrollHeight;
      await frame();
      await new Promise((done) => setTimeout(done));
      const { left, top, bottom } = region.getBoundingClientRect();
      for (const y of [top + 60, (top + bottom) / 2, bottom - 20])
        if (!document.elementFromPoint(left + 40, y)?.closest("tr[role], th")) gaps += 1;
    }
    return { gaps, last: region.textContent?.length };
  });
  assert.equal(gaps, 0);
  assert.ok(last);
  await view.getByRole("searchbox").fill("margherita 77");
  await view.getByText(/of 10,000 rows/).waitFor();
  assert.deepEqual([...(await inspect(view)), ...(await host.wrong())], []);
});

test("table: full screen it is as high as its rows, and says that columns go on", async () => {
  // As many columns as fit with the widest letters that a test machine has.
  for (const [width, least] of [
    [1280, 6],
    [640, 6],
    [390, 3],
    [320, 2],
  ] as const) {
    const context = { displayMode: "fullscreen" };
    const host = await show("pizzaz-table", { width, height: 800, fixed: true, context });
    await settled(host.view, width);
    const seen = await host.view.evaluate(() => {
      const region = document.querySelector(".scroll") as HTMLElement;
      const table = region.querySelector("table") as HTMLElement;
      const edge = region.getBoundingClientRect().right;
      const heads = [...region.querySelectorAll("th")];
      const texts = heads.map((one) => one.querySelector("span") as HTMLElement);
      return {
        spare: region.clientHeight - table.offsetHeight,
        isCut: getComputedStyle(region).maskImage !== "none",
        whole: heads.filter((one) => one.getBoundingClientRect().right <= edge).length,
        peeks: texts.map((one) => edge - one.getBoundingClientRect().left),
        icons: new Set(
          heads.map((one) => getComputedStyle(one.querySelector(".wc-icon") as Element).opacity),
        ).size,
        icon: getComputedStyle(region.querySelector("th .wc-icon") as Element).opacity,
      };
    });
    assert.ok(seen.spare < 4, `${seen.spare} px of an empty box`);
    assert.ok(seen.whole >= least, `${width} px: ${seen.whole} whole columns`);
    assert.equal(seen.isCut, width < 640, `${width} px`);
    const peek = seen.peeks[seen.whole] ?? 24;
    assert.ok(peek > 16 && peek < 40, `${width} px: ${peek} px of the next column`);
    assert.deepEqual([seen.icons, seen.icon], [1, "0.4"], "one sees that it can be sorted");
  }
});

test("table: a picture says how many rows it shows, and has the way to all", async () => {
  for (const [width, height, note] of [
    [320, 240, "3 of 9 rows"],
    [600, 640, "9 rows"],
  ] as const) {
    const context = { displayMode: "pip" };
    const host = await show("pizzaz-table", { width, height, fixed: true, context });
    await host.view.getByText(note, { exact: true }).waitFor();
    const expand = host.view.getByRole("button", { name: "Full screen" });
    assert.equal(await expand.count(), note === "9 rows" ? 0 : 1, note);
  }
});

test("table: on a phone both buttons of a card are on one line", async () => {
  const host = await show("pizzaz-table", { width: 320 });
  await settled(host.view, 320);
  const tops = await host.view
    .locator(".foot .wc-btn")
    .evaluateAll((all) => all.map((one) => one.getBoundingClientRect().top));
  assert.equal(tops.length, 2);
  assert.equal(tops[0], tops[1]);
});

test("table: there is room between what stands in two columns", async () => {
  const faults: string[] = [];
  for (const [displayMode, width] of [
    ["inline", 600],
    ["inline", 1280],
    ["fullscreen", 390],
    ["fullscreen", 1280],
    ["pip", 320],
    ["pip", 390],
  ] as const) {
    const size = displayMode === "inline" ? {} : { height: 400, fixed: true };
    const host = await show("pizzaz-table", { width, ...size, context: { displayMode } });
    await settled(host.view, width);
    const least = await host.view.evaluate(() => {
      const range = document.createRange();
      const rows = [...document.querySelectorAll("table:not(.wc-cards *) tr[role]")];
      const gaps = rows.flatMap((row) => {
        if (!row.checkVisibility()) return [];
        const boxes = [...row.children].map((cell) => {
          range.selectNodeContents(cell.querySelector("button > span, .answer, bdi") ?? cell);
          return range.getBoundingClientRect();
        });
        return boxes.slice(1).map((box, at) => box.left - (boxes[at]?.right ?? 0));
      });
      return Math.min(...gaps);
    });
    // Infinity where there is no table.
    if (!(least >= 24 && least < 1000)) faults.push(`${displayMode} ${width}: ${least} px`);
  }
  assert.deepEqual(faults, []);
});

test("dashboard: says where numbers go in words, and is empty with grace", async () => {
  const host = await show("dashboard-widget");
  assert.match((await host.view.locator(".stat").nth(1).textContent()) ?? "", /−3.*down/);
  await press(host.view, host.page, "button", /Naples/);
  assert.match(JSON.stringify(await host.wait("ui/message")), /Naples/);
  const empty = {
    input: {},
    shows: "Nothing to show yet",
    result: { content: [], structuredContent: { dashboard: true } },
  };
  assert.deepEqual(await inspect((await show("dashboard-widget", {}, empty)).view), []);
  const zero = { label: "Chats opened", value: "0", change: "0" };
  const zeros = {
    ...empty,
    result: { content: [], structuredContent: { dashboard: true, stats: [zero, zero, zero] } },
  };
  await show("dashboard-widget", {}, zeros);
});

test("dashboard: tiles are in a line where there is room, as high as their words, above the chats", async () => {
  for (const [displayMode, width] of [
    ["inline", 600],
    ["inline", 1280],
    ["fullscreen", 600],
    ["fullscreen", 1280],
  ] as const) {
    const size = displayMode === "inline" ? {} : { height: 800, fixed: true };
    const host = await show("dashboard-widget", { width, ...size, context: { displayMode } });
    await settled(host.view, width);
    const boxes = (what: string) =>
      host.view
        .locator(what)
        .evaluateAll((all) => all.map((one) => one.getBoundingClientRect().toJSON() as DOMRect));
    const place = `${displayMode} ${width}`;
    const tiles = await boxes(".stat");
    const [first, last] = [tiles[0], tiles.at(-1)] as [DOMRect, DOMRect];
    assert.deepEqual([tiles.length, last.top], [4, first.top], place);
    const isWide = width === 1280;
    assert.ok(first.height < (isWide ? 100 : 130), `${place}: ${first.height} px high`);
    const room = displayMode === "inline" ? width - 32 : Math.min(1152, width - 40);
    assert.equal(last.right - first.left, room, place);

    const chats = await boxes(".chats li");
    assert.equal(chats.length, displayMode === "inline" ? 5 : 8);
    assert.ok(
      chats.every((one) => one.top > first.bottom && one.width === room),
      place,
    );
    const titles = await boxes(".what > bdi");
    const notes = await boxes(".what small");
    const isBeside = notes.map((one, at) => one.left > (titles[at]?.right ?? 0));
    assert.deepEqual([...new Set(isBeside)], [isWide], place);
    const ends = new Set(notes.map((one) => Math.round(one.right)));
    if (isWide) assert.deepEqual([...ends], [Math.round(last.right)], place);
  }
  const host = await show("dashboard-widget");
  const chevrons = host.view.locator(".chats li button > .wc-icon:last-child");
  assert.equal(await chevrons.count(), 0, "it promises another page");
});

test("kitchen sink: full screen its tries have outcomes, and its counter counts", async () => {
  const tools = { display_demo: { content: [{ type: "text", text: "Demo widget displayed" }] } };
  const host = await show("kitchen-sink-lite", { tools });
  assert.equal(await host.view.getByRole("button", { name: /callTool/ }).count(), 0);
  await press(host.view, host.page, "button", "Try everything");
  assert.deepEqual(await host.wait("ui/request-display-mode"), [{ mode: "fullscreen" }]);
  await press(host.view, host.page, "button", /callTool/);
  await host.view.getByText("Demo widget displayed").waitFor();
  await host.view.locator("li", { hasText: "uploadFile" }).getByText("missing").waitFor();
  const absent = host.view.locator(".abilities li", { hasText: "missing" }).getByRole("button");
  assert.equal(await absent.count(), 0, "it offers to try what the host cannot do");
  const others = host.view.getByRole("button", { name: /requestDisplayMode/ });
  assert.deepEqual(await others.allTextContents(), ["Inline", "PiP"]);
  await press(host.view, host.page, "button", /downloadFile/);
  await host.wait("ui/download-file");
  await press(host.view, host.page, "button", "One more");
  assert.equal(await host.view.locator("output").textContent(), "1");
  await host.page.locator("iframe").screenshot({ path: `${shots}kitchen-sink-lite-all.png` });
  assert.deepEqual([...(await inspect(host.view)), ...(await host.wrong())], []);
});

test("kitchen sink: full screen, whether an ability is there is in a column, before what the host is", async () => {
  for (const width of [320, 390, 1280]) {
    const context = { displayMode: "fullscreen" };
    const host = await show("kitchen-sink-lite", { width, height: 800, fixed: true, context });
    await settled(host.view, width);
    const lefts = await host.view
      .locator(".abilities .wc-badge")
      .evaluateAll((all) => all.map((one) => Math.round(one.getBoundingClientRect().left)));
    assert.equal(lefts.length, 22);
    assert.deepEqual([...new Set(lefts)].length, 1, `${width}: ${lefts}`);
    const drops = await host.view.locator(".abilities li").evaluateAll((all) =>
      all.filter((one) => {
        const [badge, action] = [".wc-badge", ".wc-btn"].map((what) =>
          one.querySelector(what)?.getBoundingClientRect(),
        );
        return badge && action && (action.top > badge.bottom || action.left < badge.right);
      }),
    );
    assert.equal(drops.length, 0, `${width}: the action is below`);
    const heads = await host.view.getByRole("heading", { level: 2 }).allTextContents();
    assert.deepEqual(heads, ["Capabilities", "Host", "Parts"]);
  }
});

test("kitchen sink: a narrow card counts abilities, and names what is missing", async () => {
  const host = await show("kitchen-sink-lite", { width: 320 });
  const names = async () =>
    (await host.view.getByRole("list", { name: "Capabilities" }).innerText()).match(
      /[a-z]\w+[A-Z]\w+/g,
    );
  await settled(host.view, 320);
  await host.view.getByText("12 of 22 capabilities").waitFor();
  assert.deepEqual(await names(), [
    "requestModal",
    "setState",
    "uploadFile",
    "selectFiles",
    "getFileDownloadUrl",
    "setOpenInAppUrl",
    "clipboardWrite",
  ]);
  await resize(host, 390);
  assert.equal(await host.view.getByText("12 of 22 capabilities").isVisible(), false);
  assert.ok(((await names())?.length ?? 0) > 9);
});

test("kitchen sink: the lines of abilities are as long as each other", async () => {
  const host = await show("kitchen-sink-lite", { width: 390 });
  for (const [width, columns] of [
    [390, 2],
    [600, 3],
    [800, 4],
    [1280, 6],
  ] as const) {
    await resize(host, width);
    const lefts = await host.view
      .locator(".can li")
      .evaluateAll((all) => all.map((one) => Math.round(one.getBoundingClientRect().left)));
    assert.equal(new Set(lefts).size, columns, `${width} px`);
  }
});

test("kitchen sink: in window.openai the counter goes on from what the host kept, and is kept", async () => {
  const { page } = await openMock(testBrowser.browser, html("kitchen-sink-lite"), {
    width: 500,
    theme: "light",
    bridge: false,
    openai: { globals: { toolOutput: { demo: true }, widgetState: { count: 41 } } },
  });
  await page.getByRole("button", { name: "Try everything" }).press("Enter");
  await page.getByRole("button", { name: "One more" }).press("Enter");
  assert.equal(await page.locator("output").textContent(), "42");
  assert.deepEqual(await page.evaluate(() => window.mock.openai?.globals.widgetState), {
    count: 42,
  });
});

test("carousel: it counts whole cards alone", async () => {
  const host = await show("pizzaz-carousel", { width: 390 });
  await host.view.getByText("1 of 6", { exact: true }).waitFor();
  await resize(host, 600);
  await host.view.getByText("1–2 of 6", { exact: true }).waitFor();
  await press(host.view, host.page, "button", "Next");
  await host.view.getByText("2–3 of 6", { exact: true }).waitFor();
});

test("carousel: a picture has the way to the full screen at the end of its line", async () => {
  for (const width of [320, 600]) {
    const context = { displayMode: "pip" };
    const host = await show("pizzaz-carousel", { width, height: 240, fixed: true, context });
    await host.view.getByRole("button", { name: "Next" }).waitFor();
    const tools = host.view.locator(".tools .wc-btn");
    assert.deepEqual(await tools.evaluateAll((all) => all.map((one) => one.ariaLabel)), [
      "Previous",
      "Next",
      "Full screen",
    ]);
    await press(host.view, host.page, "button", "Full screen");
    assert.deepEqual(await host.wait("ui/request-display-mode"), [{ mode: "fullscreen" }]);
  }
});

test("carousel: arrows scroll it, and it holds eight", async () => {
  const host = await show("pizzaz-carousel", { width: 480 });
  const note = host.view.locator(".header .note");
  const before = await note.textContent();
  await host.view.locator(".strip").focus();
  await host.page.keyboard.press("ArrowRight");
  await host.view.waitForFunction(
    (was) => document.querySelector(".header .note")?.textContent !== was,
    before,
  );
  const kinds = ["Margherita", "Marinara", "Diavola", "Funghi", "Capricciosa", "Bufala"];
  const items = [...kinds, "Napoli", "Norma", "Ortolana", "Prosciutto", "Tonno"].map((title) => ({
    id: title,
    title,
    url: `https://example.com/${title}`,
  }));
  const many = {
    input: {},
    shows: "Norma",
    result: { content: [], structuredContent: { items } },
  };
  const other = await show("pizzaz-carousel", {}, many);
  assert.equal(await other.view.locator(".tile").count(), 8);
  await press(other.view, other.page, "button", "Open: Margherita");
  const links = await other.wait("ui/open-link");
  assert.deepEqual(links[0], { url: "https://example.com/Margherita" });
  await press(other.view, other.page, "button", "Full screen");
  await other.view.getByText("Tonno").waitFor();
});

test("gallery: one opens full screen, goes on with arrows, and Escape brings the focus back", async () => {
  const host = await show("pizzaz-gallery");
  await press(host.view, host.page, "button", /^Diavola/);
  assert.deepEqual(await host.wait("ui/request-display-mode"), [{ mode: "fullscreen" }]);
  await host.view.getByRole("heading", { name: "Diavola" }).waitFor();
  assert.deepEqual(await inspect(host.view), []);
  await host.page.locator("iframe").screenshot({ path: `${shots}pizzaz-gallery-open.png` });
  await host.page.keyboard.press("ArrowRight");
  await host.view.getByRole("heading", { name: "Funghi" }).waitFor();
  await host.page.keyboard.press("Escape");
  await host.view.getByRole("heading", { name: "Pizza gallery" }).waitFor();
  const focused = await host.view.evaluate(() => document.activeElement?.textContent);
  assert.match(focused ?? "", /^Funghi/);
});

test("gallery: full screen a phone has one column of large pictures", async () => {
  const context = { displayMode: "fullscreen" };
  const host = await show("pizzaz-gallery", { width: 320, height: 800, fixed: true, context });
  for (const [width, columns] of [
    [320, 1],
    [390, 1],
    [600, 2],
    [1280, 3],
  ] as const) {
    await resize(host, width);
    const lefts = await host.view
      .locator(".tiles li")
      .evaluateAll((all) => all.map((one) => one.getBoundingClientRect().left));
    assert.equal(new Set(lefts).size, columns, `${width} px`);
  }
});

test("gallery: where full screen is refused it says all in its place, and opens nothing", async () => {
  const { page } = await openMock(testBrowser.browser, html("pizzaz-gallery"), {
    width: 700,
    theme: "light",
    context: { availableDisplayModes: ["inline", "fullscreen"], displayMode: "inline" },
  });
  await page.evaluate(async () => {
    window.mock.answer("ui/request-display-mode", () => ({ mode: "inline" }));
    await window.mock.result({ content: [] });
  });
  await page.getByRole("button", { name: /^Diavola/ }).click();
  await page.getByRole("button", { name: /^Diavola/ }).waitFor({ state: "detached" });
  assert.equal(await page.locator(".figure .clamp").count(), 6);
  assert.equal(await page.getByRole("button", { name: "Full screen" }).count(), 0);
  await page.getByRole("heading", { name: "Pizza gallery" }).waitFor();
});

test("markdown: links go through the host, HTML is text, a long list of brackets is harmless", async () => {
  const host = await show("pizzaz-markdown");
  await press(host.view, host.page, "link", /long version/);
  assert.deepEqual((await host.wait("ui/open-link"))[0], { url: "https://example.com/dough" });
  await host.view.getByText("<script>alert(1)</script>").waitFor();
  assert.equal(await host.view.locator("main script").count(), 0);
});

test("markdown: a long text shows its beginning, and the whole full screen", async () => {
  const part = "## Water\n\nThe more of it, the larger the holes, and the harder to shape.\n\n";
  const markdown = `# Dough\n\n${part.repeat(40)}The last line.`;
  const long = { ...(SAMPLES["pizzaz-markdown"] as Sample), shows: "Dough" };
  long.result = { content: [], structuredContent: { markdown } };
  const host = await show("pizzaz-markdown", {}, long);
  assert.equal(await host.view.getByText("The last line.").count(), 0);
  await press(host.view, host.page, "button", "Read more");
  await host.view.getByText("The last line.").waitFor();
  const alone = await show(
    "pizzaz-markdown",
    { context: { availableDisplayModes: ["inline"] } },
    long,
  );
  await alone.view.getByText("The last line.").waitFor();
});

test("solar system: a phone's first screen has a picture as high as a card's, the planets, and the facts if they fit", async () => {
  for (const [width, height, first] of [
    [320, 640, "[data-planet], [role=radio]"],
    [390, 844, "[data-planet], [role=radio], .facts *"],
    [600, 800, "[data-planet], [role=radio], .facts *"],
  ] as const) {
    const context = { displayMode: "fullscreen" };
    const host = await show("solar-system", { width, height, fixed: true, context });
    await settled(host.view, width);
    const seen = await host.view.evaluate((what) => {
      const boxOf = (one: Element) => one.getBoundingClientRect();
      return {
        lowest: Math.max(...[...document.querySelectorAll(what)].map((one) => boxOf(one).bottom)),
        stage: boxOf(document.querySelector(".view") as Element).height,
      };
    }, first);
    assert.ok(seen.lowest <= height, `${width} px: they reach down to ${seen.lowest} px`);
    const card = await show("solar-system", { width });
    await settled(card.view, width);
    const { height: least } = (await card.view.locator(".view").boundingBox()) ?? { height: 0 };
    assert.ok(least > 200 && seen.stage >= least, `${width} px: ${seen.stage} of ${least} px`);
  }
});

test("solar system: a picture has the way to the full screen at its corner", async () => {
  for (const width of [320, 600]) {
    const context = { displayMode: "pip" };
    const host = await show("solar-system", { width, height: 240, fixed: true, context });
    await settled(host.view, width);
    const expand = host.view.getByRole("button", { name: "Full screen" });
    const box = await expand.evaluate((one) => one.getBoundingClientRect().toJSON() as DOMRect);
    assert.deepEqual([box.top, width - box.right], [8, 8]);
    await expand.press("Enter");
    assert.deepEqual(await host.wait("ui/request-display-mode"), [{ mode: "fullscreen" }]);
  }
});

test("solar system: names are as large as other text, within the picture, and apart", async () => {
  const faults: string[] = [];
  for (const [displayMode, width, height] of [
    ["inline", 320],
    ["inline", 600],
    ["inline", 1280],
    ["fullscreen", 320, 640],
    ["fullscreen", 1280, 800],
    ["pip", 320, 240],
    ["pip", 600, 400],
  ] as const) {
    const size = height ? { height, fixed: true } : {};
    const host = await show("solar-system", { width, ...size, context: { displayMode } });
    await settled(host.view, width);
    const place = `${displayMode} ${width}`;
    // At several dates, because the planets move.
    for (let round = 0; round < 3; round += 1) {
      const names = await host.view.evaluate(async () => {
        await new Promise((done) => requestAnimationFrame(done));
        const frame = document.querySelector(".sky") as SVGSVGElement;
        const scale = (frame.getScreenCTM() as DOMMatrix).a;
        return [...frame.querySelectorAll<SVGTextElement>(".planet text")]
          .filter((one) => one.getAttribute("visibility") === "visible")
          .map((one) => ({
            text: one.textContent ?? "",
            size: Math.round(Number.parseFloat(getComputedStyle(one).fontSize) * scale * 10) / 10,
            box: one.getBoundingClientRect().toJSON() as DOMRect,
            room: frame.getBoundingClientRect().toJSON() as DOMRect,
            sun: frame
              .querySelector("[fill='url(#glow)']")
              ?.getBoundingClientRect()
              .toJSON() as DOMRect,
            planet: one.previousElementSibling?.getBoundingClientRect().toJSON() as DOMRect,
          }));
      });
      if (names.length === 0) faults.push(`${place}: no names`);
      for (const [at, { text, size, box, room, sun, planet }] of names.entries()) {
        if (size !== (text === "Earth" ? 13 : 12)) faults.push(`${place}: ${text} has ${size} px`);
        if (box.left < room.left || box.right > room.right) faults.push(`${place}: ${text} is cut`);
        const [x, y] = [(sun.left + sun.right) / 2, (sun.top + sun.bottom) / 2];
        const across = Math.max(box.left - x, x - box.right, 0);
        // The box of a letter is higher than the letter.
        const down = Math.max(box.top + 3 - y, y - box.bottom + 3, 0);
        if (Math.hypot(across, down) < sun.width / 2 - 3)
          faults.push(`${place}: ${text} is on the sun`);
        const aside = Math.abs(box.left + box.right - planet.left - planet.right) / 2;
        if (text === "Neptune" && aside > 6) faults.push(`${place}: ${text} is ${aside} px beside`);
        const over = names
          .slice(at + 1)
          // The box of a letter is higher than the letter.
          .filter(({ box: other }) => box.left < other.right && other.left < box.right)
          .filter(({ box: other }) => Math.abs(box.top - other.top) < 11);
        for (const other of over) faults.push(`${place}: ${text} is over ${other.text}`);
      }
      await host.page.waitForTimeout(150);
    }
  }
  assert.deepEqual(faults, []);
});

test("solar system: no planet is alone in its line", async () => {
  for (const width of [320, 390, 600, 1280]) {
    const host = await show("solar-system", { width });
    await settled(host.view, width);
    const lines = await host.view.evaluate(() => {
      const counts = new Map<number, number>();
      for (const one of document.querySelectorAll(".side [role=radio]")) {
        const { top } = one.getBoundingClientRect();
        counts.set(top, (counts.get(top) ?? 0) + 1);
      }
      return [...counts.values()];
    });
    assert.deepEqual(lines, width === 600 ? [8] : [4, 4], `${width} px`);
  }
});

test("solar system: moves, stops, is explored by arrows, and stands still where motion is unwanted", async () => {
  const host = await show("solar-system");
  const place = () => host.view.locator("[data-planet=mercury]").getAttribute("transform");
  const start = await place();
  await until("a planet that moves", async () => (await place()) !== start);
  await press(host.view, host.page, "button", "Pause");
  await host.view.getByRole("button", { name: "Play" }).waitFor();
  await host.page.waitForTimeout(100);
  const held = await place();
  await host.page.waitForTimeout(200);
  assert.equal(await place(), held);
  await press(host.view, host.page, "radio", "Earth", "ArrowRight");
  await host.view.getByRole("heading", { name: "Mars" }).waitFor();
  await host.view.locator("[data-planet=neptune]").click();
  await host.view.getByRole("heading", { name: "Neptune" }).waitFor();
  const still = await hostOf("solar-system", { motion: "reduce" });
  await still.open({ input: {}, result: { content: [] }, width: 720 });
  await still.view.getByRole("button", { name: "Play" }).waitFor();
});

test("a page closes when its result says so", async () => {
  const sample = SAMPLES["dashboard-widget"] as Sample;
  const host = await show("dashboard-widget");
  assert.equal((await host.sent("ui/notifications/request-teardown")).length, 0);
  await host.send("sendToolResult", { ...sample.result, _meta: { "openai/closeWidget": true } });
  await host.wait("ui/notifications/request-teardown");
});

test("before the result there is a skeleton, after an error its words", async () => {
  for (const name of ["pizzaz-table", "search-results", "dashboard-widget", "chat-view"]) {
    const host = await hostOf(name, { theme: "light" });
    const view = await host.open({});
    await view.locator(".skeleton").first().waitFor();
    await host.send("sendToolResult", {
      content: [{ type: "text", text: "The rows are lost." }],
      isError: true,
    });
    await view.getByText("The rows are lost.").waitFor();
    assert.deepEqual(await inspect(view), []);
  }
});

test("full screen is asked of the host, and the layout follows its answer", async () => {
  const host = await show("pizzaz-table", { width: 390 });
  await press(host.view, host.page, "button", "All 9 rows");
  assert.deepEqual(await host.wait("ui/request-display-mode"), [{ mode: "fullscreen" }]);
  await host.view.locator(".scroll").waitFor();
  await press(host.view, host.page, "button", "Leave full screen");
  await host.view.locator(".scroll").waitFor({ state: "detached" });
});

/** A page in a host without state of its own, where the server keeps it under this key. */
async function openKept(name: string, kept: unknown) {
  const { page, faults } = await openMock(testBrowser.browser, html(name), {
    width: 700,
    theme: "light",
    store: true,
    capabilities: { message: {}, serverTools: {} },
    context: { theme: "light", locale: "en-US", displayMode: "inline" },
  });
  const { input, result } = SAMPLES[name] as Sample;
  const key = `ui://widgetcast/${name}/1`;
  await page.evaluate(
    async ([view, state, given, answer]) => {
      if (state) window.mock.states.set(view, state);
      await window.mock.input(given);
      await window.mock.result({ ...answer, _meta: { "widgetcast/view": { state: view } } });
    },
    [key, kept, input, result] as const,
  );
  const state = async (isThere: (one: never) => unknown) => {
    for (let tries = 0; tries < 1200; tries += 1) {
      const now = await page.evaluate((view) => window.mock.states.get(view), key);
      if (now && isThere(now as never)) return now;
      await page.waitForTimeout(50);
    }
    return undefined;
  };
  return { page, faults, state };
}

test("the server keeps how a table is sorted, what was sent and how far was counted", async () => {
  const table = await openKept("pizzaz-table", undefined);
  await table.page.getByRole("button", { name: "Name" }).click();
  const sorted = await table.state((one: { sort?: unknown }) => one.sort);
  assert.deepEqual(sorted, { sort: { column: "name", isDown: false }, page: 0 });
  const again = await openKept("pizzaz-table", sorted);
  await again.page.locator('th[aria-sort="ascending"]', { hasText: "Name" }).waitFor();
  // What is of another shape is left out.
  const odd = await openKept("pizzaz-table", { sort: "x", filter: 7, page: "2" });
  await odd.page.getByText("9 rows").waitFor();

  const chat = await openKept("chat-view", undefined);
  await chat.page.getByRole("button", { name: "Continue in chat" }).click();
  const sent = await chat.state((one: { sent?: unknown }) => one.sent);
  assert.deepEqual(sent, { sent: ["What would be a good name for a pizzeria by the sea?"] });
  const back = await openKept("chat-view", sent);
  await back.page.getByText("The answer appears in the conversation").waitFor();

  const sink = await openKept("kitchen-sink-lite", { count: 6 });
  await sink.page.getByRole("button", { name: "One more" }).click();
  assert.equal(await sink.page.locator("output").textContent(), "7");
  assert.deepEqual(await sink.state((one: { count?: number }) => one.count === 7), { count: 7 });
  const all = [table, again, odd, chat, back, sink];
  assert.deepEqual(
    all.flatMap(({ faults }) => faults),
    [],
  );
});

test("dashboard: what its tool names in English is German in de-CH", async () => {
  const sample: Sample = {
    input: {},
    shows: "Geöffnete Chats",
    result: {
      content: [],
      structuredContent: {
        headerText: "What was shown here",
        stats: [{ label: "Chats opened", value: "3", change: "+3" }],
      },
    },
  };
  const host = await show("dashboard-widget", { context: { locale: "de-CH" } }, sample);
  const text = await host.view.locator("main").innerText();
  assert.match(text, /Was hier gezeigt wurde/);
  assert.doesNotMatch(text, /shown|opened|Explain/);
});
