// The page as a playground: links, conditions, the timeline, images, and views that mean no good.

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { promisify } from "node:util";
import type { Page } from "playwright-core";
import { asTypeScript } from "../src/copyable";
import {
  drawing,
  HOSTS,
  type Opened,
  open,
  screen,
  seenInAll,
  server,
  shot,
  start,
  tab,
  view,
  violations,
} from "./person";
import { binary } from "./serve";

start();

const choose = (page: Page, name: string, value: string) =>
  page.getByLabel(name, { exact: true }).selectOption(value);

async function copied(page: Page, label: string): Promise<string> {
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.getByRole("button", { name: label }).first().click();
  return page.evaluate(() => navigator.clipboard.readText());
}

const run = promisify(execFile);

/** What a command prints, with `widgetcast` as the binary that serves. */
async function shell(command: string): Promise<string> {
  const PATH = `${dirname(binary)}:${process.env.PATH}`;
  const { stdout } = await run("sh", ["-c", command], { env: { ...process.env, PATH } });
  return stdout;
}

/** What a program prints, in a folder where the official client is installed. */
async function typescript(program: string) {
  const web = new URL("../..", import.meta.url).pathname;
  const dir = mkdtempSync(join(web, "node_modules/.copied-"));
  try {
    writeFileSync(join(dir, "copied.mts"), program);
    const { stdout } = await run("node", ["--import", "tsx", join(dir, "copied.mts")], {
      cwd: web,
    });
    return JSON.parse(stdout);
  } finally {
    rmSync(dir, { recursive: true });
  }
}

/** What of a result is the same each time: its instance has an id of its own. */
const drawnOf = ({ content, structuredContent, _meta }: Record<string, unknown>) => ({
  content,
  structuredContent,
  tree: Object.values(_meta ?? {}).find((one) => one?.tree)?.tree,
});

test("a link restores the widget, the data, the hosts and the conditions", async () => {
  const first = await open("#/flight_tracker");
  await view(first.page).getByText("Halcyon Air").first().waitFor();
  await first.page.getByLabel("airline", { exact: true }).fill("Gull Airways");
  for (const name of ["Goose", "Terminal"])
    await first.page.getByRole("button", { name, exact: true }).click();
  await first.page.getByRole("button", { name: "Conditions" }).click();
  await choose(first.page, "Locale", "ar-EG");
  await choose(first.page, "Width", "390");
  await view(first.page).getByText("Gull Airways").first().waitFor();
  const link = await copied(first.page, "Copy a link to this setup");
  assert.ok(link.startsWith(`${server.url}/#/flight_tracker?play=`), link);
  await first.page.close();

  const { page, said } = await open(link.slice(link.indexOf("#")));
  await view(page).getByText("Gull Airways").first().waitFor();
  assert.equal(await page.getByLabel("airline", { exact: true }).inputValue(), "Gull Airways");
  assert.equal(await screen(page, "goose").count(), 0);
  assert.equal(await screen(page, "terminal").count(), 0);
  await screen(page, "claude").getByText("390 px").waitFor();
  assert.equal(await view(page).locator("html").getAttribute("dir"), "rtl");
  await page.getByRole("button", { name: "Conditions" }).click();
  await choose(page, "Direction", "ltr");
  await view(page).locator("html[dir=ltr]").waitFor();
  assert.deepEqual(said, []);
  await page.close();
});

test("a link that cannot be read says so, and shows the sample", async () => {
  const word = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");
  const cases: [string, RegExp][] = [
    ["%%%", /it is damaged/],
    [word({ hosts: ["nowhere"] }), /unknown host "nowhere"/],
    [word({ hosts: ["claude"], theme: "sepia" }), /theme cannot be "sepia"/],
    [word({ hosts: ["claude"], input: [1] }), /its data is not an object/],
    ["a".repeat(20_000), /it is too long/],
  ];
  const { page, said } = await open();
  for (const [play, words] of cases) {
    await page.goto(`${server.url}/#/flight_tracker?play=${play}`);
    await page.getByText(words).waitFor();
    await view(page).getByText("Halcyon Air").first().waitFor();
  }
  assert.deepEqual(said, []);
  await page.close();
});

test("markup in the data of a link is text in every host", async () => {
  const airline = '<img src=x onerror="top.harmed=1">';
  const { page } = await open("#/flight_tracker");
  await view(page).getByText("Halcyon Air").first().waitFor();
  await page.getByLabel("airline", { exact: true }).fill(airline);
  await view(page).getByText("onerror").first().waitFor();
  const link = await copied(page, "Copy a link to this setup");
  await page.goto("about:blank");
  await page.goto(link);
  await seenInAll(page, airline);
  assert.equal(await page.evaluate(() => "harmed" in window), false);
  await page.close();
});

test("one host at a time, in its own width", async () => {
  const { page, said } = await open("#/flight_tracker");
  await page.getByRole("button", { name: "Show only VS Code" }).click();
  await view(page, "vscode").getByText("Halcyon Air").first().waitFor();
  assert.equal(await page.locator("[data-host]").count(), 1);
  const width = await page
    .frames()
    .find((frame) => frame.parentFrame()?.parentFrame())
    ?.evaluate(() => innerWidth);
  assert.equal(width, 494);
  await page.getByRole("button", { name: "Slack", exact: true }).click();
  await drawing(page, "slack").getByText("Halcyon Air").first().waitFor();
  await shot(page, "one-slack");
  await page.getByRole("button", { name: "Side by side" }).first().click();
  assert.equal(await page.locator("[data-host]").count(), HOSTS.length);
  assert.deepEqual(said, []);
  await page.close();
});

test("Slack lays out text by its first strong character", async () => {
  const tree =
    '{type: Card, children: [{type: Text, value: "مرحبا 14:20"}, {type: Caption, value: "شكرا"}]}';
  writeFileSync(join(server.dir, "salam.widget"), `version: "1.0"\nname: Salam\nwidget: ${tree}\n`);
  const { page } = await open("#/salam");
  await screen(page, "slack").scrollIntoViewIfNeeded();
  for (const words of ["مرحبا", "شكرا"]) {
    const gap = await drawing(page, "slack")
      .getByText(words)
      .first()
      .evaluate((text) => {
        const range = document.createRange();
        range.selectNodeContents(text);
        const block = text.closest(".slack-body > *") as Element;
        return block.getBoundingClientRect().right - range.getBoundingClientRect().right;
      });
    assert.ok(gap < 2, `${words}: ${gap}`);
  }
  await page.close();
});

test("what is lost is counted beside the name of the host, and not over the drawing", async () => {
  const { page } = await open("#/sales_chart");
  for (const id of ["goose", "slack", "teams"]) {
    await screen(page, id).scrollIntoViewIfNeeded();
    await screen(page, id).locator("header .lost").waitFor();
  }
  assert.equal(await page.locator(".screen .lost").count(), 0);
  await page.close();
});

test("until a view speaks there is a skeleton in its place", async () => {
  let release = () => {};
  const held = new Promise<void>((done) => {
    release = done;
  });
  const prepare = async (page: Page) => {
    await page.route("**/gallery/frame*", async (route) => {
      await held;
      await route.continue();
    });
  };
  const { page } = await open("#/flight_tracker", { prepare });
  const skeleton = screen(page, "claude").locator(".drawing .skeleton");
  await skeleton.locator("iframe").waitFor();
  release();
  await view(page).getByText("Halcyon Air").first().waitFor();
  assert.equal(await skeleton.count(), 0);
  await page.close();
});

test("on a phone hosts that are cut off fade, and the last one does not", async () => {
  const { page } = await open("#/flight_tracker", { width: 390 });
  const chips = page.locator(".host-chips");
  await chips.waitFor({ state: "attached" });
  await page.getByRole("button", { name: "Result" }).click();
  const seen = await chips.evaluate((list) => {
    const isCut = list.scrollWidth > list.clientWidth;
    list.scrollLeft = list.scrollWidth;
    const last = (list.lastElementChild as Element).getBoundingClientRect();
    const room = list.getBoundingClientRect().right - last.right;
    return { isCut, room, mask: getComputedStyle(list).maskImage };
  });
  assert.ok(seen.isCut, "all of them fit");
  assert.ok(seen.room >= 40, `${seen.room} px`);
  assert.match(seen.mask, /gradient/);
  await page.close();
});

test("a terminal has one size of letters", async () => {
  const { page } = await open("#/flight_tracker");
  await screen(page, "terminal").scrollIntoViewIfNeeded();
  const sizes = ["pre.terminal", ".prompt"].map((part) =>
    screen(page, "terminal")
      .locator(part)
      .evaluate((one) => Number.parseFloat(getComputedStyle(one).fontSize) * one.currentCSSZoom),
  );
  const [drawn, prompt] = await Promise.all(sizes);
  assert.ok(drawn && drawn < 13, "it is not made smaller");
  assert.equal(drawn, prompt);
  await page.close();
});

test("a call that is slow, fails, is cancelled or half written, and a host without _meta", async () => {
  const { page, said } = await open("#/flight_tracker");
  await view(page).getByText("Halcyon Air").first().waitFor();
  await page.getByRole("button", { name: "Conditions" }).click();
  await choose(page, "Tool call", "failing");
  await view(page).getByText("The service did not respond").first().waitFor();
  await drawing(page, "slack").getByText("The service did not respond").waitFor();
  await choose(page, "Tool call", "cancelled");
  await drawing(page, "teams").getByText("cancelled").waitFor();
  await choose(page, "Tool call", "partial");
  await drawing(page, "teams").locator(".skeleton").waitFor();
  await view(page).getByText("Flight Tracker").first().waitFor();
  await choose(page, "Tool call", "slow");
  await drawing(page, "teams").locator(".skeleton").waitFor();
  await drawing(page, "teams").getByText("Halcyon Air").first().waitFor();
  await view(page).getByText("Halcyon Air").first().waitFor();
  await choose(page, "Tool call", "result");
  await choose(page, "_meta", "stripped");
  await screen(page, "slack").getByText("Blocks are sent in _meta").waitFor();
  // The view asks again for what the host took away.
  await view(page).getByText("Halcyon Air").first().waitFor();
  await choose(page, "Display mode", "pip");
  await screen(page, "vscode").getByText("This host has no pip mode").waitFor();
  assert.deepEqual(said, []);
  await page.close();
});

test("a button is pressed, and the timeline has every message, each of them valid", async () => {
  const { page, said } = await open("#/approval_request");
  // In its own size: the browser of the tests aims badly at frames that are shown smaller.
  await page.getByRole("button", { name: "Show only Claude" }).click();
  await view(page).getByRole("checkbox").check();
  await view(page).getByRole("button", { name: "Approve upgrade" }).click();
  await screen(page, "claude").locator(".asked li").first().waitFor();
  await tab(page, "Timeline").click();
  await page.getByText(/^\d+ messages, all valid$/).waitFor();
  await page.getByLabel("Host", { exact: true }).selectOption("Claude");
  const methods = await page.locator(".timeline summary code").allTextContents();
  for (const method of [
    "ui/initialize",
    "result of ui/initialize",
    "ui/notifications/initialized",
    "ui/notifications/tool-input",
    "ui/notifications/tool-result",
    "ui/message",
  ])
    assert.ok(methods.includes(method), `${method} in ${methods}`);
  await page.getByLabel("Host", { exact: true }).selectOption("All hosts");
  await page.locator(".timeline summary").first().click();
  await shot(page, "timeline-open");
  assert.deepEqual(await violations(page), []);
  const curl = await copied(page, "Copy as curl");
  const command = await copied(page, "Copy as widgetcast call");
  const program = await copied(page, "Copy as TypeScript");
  assert.match(command, /^widgetcast call approval_request /);
  assert.match(program, /client\.callTool\(\{/);
  await page.locator(".timeline summary").first().click();
  await page.locator(".timeline summary").nth(1).click();
  const told = JSON.parse(await copied(page, "Copy as JSON")).result;
  // What was copied does the same, pasted as it is.
  const outcomes = await Promise.all([
    shell(curl).then((text) => JSON.parse(text).result),
    shell(`${command} --json`).then((text) => JSON.parse(text)),
    typescript(program),
    typescript(asTypeScript(`${server.url}/mcp`, { method: "resources/list", params: {} })),
    shell(command),
  ]);
  const [byCurl, byCommand, byProgram, listed, text] = outcomes;
  assert.ok(drawnOf(told).tree, "the page's request says that it shows views");
  assert.deepEqual(drawnOf(byCurl), drawnOf(told));
  assert.deepEqual(drawnOf(byProgram), drawnOf(told));
  // This client is for terminals: it gets no view, and the same text and data.
  assert.deepEqual(byCommand.content[0], told.content[0]);
  assert.deepEqual(byCommand.structuredContent, told.structuredContent);
  assert.ok(listed.resources.length > 0);
  assert.ok(text.includes(told.content[0].text.slice(0, 40)), text);
  assert.deepEqual(said, []);
  await page.close();
});

test("what a view sends against the schemas is marked", async () => {
  const { page } = await hostile(`say({ id: 5, method: "ui/open-link", params: { address: 7 } });`);
  await screen(page, "claude").getByText("Refused").waitFor();
  await tab(page, "Timeline").click();
  await page.locator(".verdict.bad").getByText("params.url").first().waitFor();
  await page.close();
});

test("grounds of a card have the corners that it says", async () => {
  const { page } = await open("#/metrics_dashboard");
  const tiles = screen(page, "teams").locator(".cards-round");
  await tiles.first().waitFor();
  const radii = await tiles.evaluateAll((all) =>
    all.map((one) => getComputedStyle(one).borderRadius),
  );
  assert.deepEqual(radii, ["6px", "6px", "6px", "6px"]);
  await page.close();
});

test("drawings are saved as pictures", async () => {
  const { page, said } = await open("#/flight_tracker");
  await view(page).getByText("Halcyon Air").first().waitFor();
  for (const [host, label] of [
    ["claude", "Claude"],
    ["slack", "Slack"],
    ["teams", "Teams"],
    ["terminal", "Terminal"],
  ]) {
    const waiting = page.waitForEvent("download");
    await page.getByRole("button", { name: `Save ${label} as PNG` }).click();
    const download = await waiting;
    assert.equal(download.suggestedFilename(), `flight_tracker-${host}.png`);
    const bytes = readFileSync(await download.path());
    assert.equal(bytes.subarray(1, 4).toString(), "PNG");
    const [width = 0, height = 0] = [bytes.readUInt32BE(16), bytes.readUInt32BE(20)];
    assert.ok(width >= 1000 && height >= 300, `${host}: ${width} × ${height}`);
    const colours = await page.evaluate(async (text) => {
      const image = new Image();
      image.src = `data:image/png;base64,${text}`;
      await image.decode();
      const canvas = document.createElement("canvas");
      [canvas.width, canvas.height] = [image.width, image.height];
      const context = canvas.getContext("2d");
      context?.drawImage(image, 0, 0);
      const data = context?.getImageData(0, 0, image.width, image.height).data ?? [];
      const seen = new Set<number>();
      for (let at = 0; at < data.length; at += 4)
        seen.add(((data[at] ?? 0) << 16) | ((data[at + 1] ?? 0) << 8) | (data[at + 2] ?? 0));
      return seen.size;
    }, bytes.toString("base64"));
    assert.ok(colours > 100, `${host} is drawn: ${colours} colours`);
  }
  assert.deepEqual(said, []);
  await page.close();
});

/** A widget whose view is another page, in which `say` posts a message to its host. */
async function hostile(
  script: string,
  csp = {},
  prepare: (page: Page) => Promise<unknown> = async () => {},
): Promise<Opened> {
  const text = `<!doctype html><title>x</title><body><script>
    const say = (message) => parent.postMessage({ jsonrpc: "2.0", ...message }, "*");
    ${script}
  </script>`;
  const replaced = async (page: Page) => {
    await page.route("**/mcp", async (route) => {
      const asked = route.request().postDataJSON();
      if (asked.method !== "resources/read") return route.continue();
      const contents = [{ uri: asked.params.uri, text, _meta: { ui: { csp } } }];
      return route.fulfill({ json: { jsonrpc: "2.0", id: asked.id, result: { contents } } });
    });
    await prepare(page);
  };
  return open("#/flight_tracker", { prepare: replaced });
}

test("a hostile page reaches nothing but its host's answers", async () => {
  const { page } = await hostile(
    `(async () => {
      const got = {};
      const attempt = async (name, run) => {
        try { got[name] = String(await run()); } catch (error) { got[name] = "refused"; }
      };
      await attempt("parent", () => parent.document.title);
      await attempt("top", () => top.document.title);
      await attempt("sibling", () => top.frames[1].document.title);
      await attempt("navigate", () => { top.location.href = "https://evil.example/"; return "asked"; });
      await attempt("storage", () => localStorage.length);
      await attempt("session", () => sessionStorage.length);
      await attempt("cookie", () => document.cookie);
      await attempt("popup", () => window.open("https://evil.example/"));
      await attempt("dialog", () => confirm("Sure?"));
      await attempt("fetch", () => fetch("${server.url}/gallery/index.json").then((r) => r.status));
      await attempt("worker", () => new Worker("data:text/javascript,1"));
      await attempt("form", () => {
        const form = document.createElement("form");
        form.action = "https://evil.example/"; form.target = "_top";
        document.body.append(form); form.submit(); return "asked";
      });
      const frame = document.createElement("iframe");
      frame.src = "${server.url}/"; document.body.append(frame);
      const image = new Image(); image.src = "https://images.example.com/a.png";
      // As if it were the host's frame, or another view's.
      const forged = { jsonrpc: "2.0", method: "ui/message", params: { role: "user", content: [{ type: "text", text: "FORGED" }] } };
      top.postMessage({ ...forged, id: 91 }, "*");
      for (let i = 0; i < top.frames.length; i++)
        if (top.frames[i] !== parent) top.frames[i].postMessage({ ...forged, id: 92 }, "*");
      say({ method: "widgetcast/refused", params: { directive: "img-src", address: "https://FORGED.example" } });
      parent.postMessage({ jsonrpc: "2.0", method: "ui/notifications/sandbox-proxy-ready", params: {} }, "*");
      parent.postMessage({ jsonrpc: "2.0", method: "ui/notifications/sandbox-resource-ready", params: { html: "FORGED" } }, "*");
      say({ id: 1, method: "ui/open-link", params: { url: "javascript:alert(1)" } });
      say({ method: "ui/notifications/size-changed", params: { width: 1, height: 1e9 } });
      say({ id: 2, method: "ui/message", params: { role: "user", content: [{ type: "text", text: JSON.stringify(got) }] } });
    })();`,
  );
  const said = screen(page, "claude").locator(".asked .bubble").first();
  await said.waitFor();
  const got = JSON.parse((await said.textContent()) ?? "");
  for (const name of ["parent", "top", "sibling", "storage", "session", "cookie", "fetch"])
    assert.equal(got[name], "refused", name);
  assert.equal(got.popup, "null");
  assert.equal(got.dialog, "false");
  assert.equal(page.context().pages().length, 1, "no window was opened");
  assert.equal(page.url(), `${server.url}/#/flight_tracker`);
  await screen(page, "claude").getByText("Refused: javascript:alert(1)").waitFor();
  assert.equal(await page.getByText("FORGED").count(), 0);
  for (const frame of page.frames())
    assert.equal(await frame.getByText("FORGED").count(), 0, frame.url());
  // Each thing that the policy refused is listed with the line that would allow it.
  const refused = screen(page, "claude").getByRole("region", { name: "Blocked by the policy" });
  await refused.getByText('image_origins = ["https://images.example.com"]').waitFor();
  await refused.getByText(`.connect(["${server.url}"])`).waitFor();
  await refused.getByText(`.frame(["${server.url}"])`).waitFor();
  const tall = await screen(page, "claude")
    .locator("iframe")
    .evaluate((node) => node.clientHeight);
  assert.ok(tall <= 4000, `${tall}`);
  await page.close();
});

test("a view runs a tool that does more than read only when the person says so", async () => {
  const runs: unknown[] = [];
  const tools = (page: Page) =>
    page.route("**/mcp", async (route) => {
      const { id, method, params } = route.request().postDataJSON();
      const answer = (result: object) => route.fulfill({ json: { jsonrpc: "2.0", id, result } });
      const inputSchema = { type: "object" };
      const secret = { name: "secret", inputSchema, _meta: { ui: { visibility: ["model"] } } };
      if (method === "tools/list")
        return answer({ tools: [{ name: "erase", inputSchema }, secret] });
      if (method !== "tools/call") return route.fallback();
      runs.push([params.name, params.arguments]);
      return answer({ content: [] });
    });
  const { page, said } = await hostile(
    `addEventListener("message", ({ data }) => {
      if (data.id > 10) document.body.append(data.id + (data.error ? " " + data.error.message : " ran") + ". ");
    });
    const call = (id, name) => say({ id, method: "tools/call", params: { name, arguments: { which: "all" } } });
    // The first of them waits, and the second is one too many.
    const both = () => { call(11, "erase"); call(12, "erase"); };
    document.body.onclick = both;
    call(13, "secret");
    both();`,
    {},
    tools,
  );
  await page.getByRole("button", { name: "Show only Claude" }).click();
  const claude = screen(page, "claude");
  const bar = claude.locator(".question");
  await bar.getByRole("status").getByText("Run erase?").waitFor();
  await bar.getByText('"which": "all"').waitFor();
  await view(page).getByText("12 Busy: erase is waiting for the user").waitFor();
  await view(page).getByText("13 secret is not visible to views").waitFor();
  await claude.locator(".asked").getByText("Refused: secret").waitFor();
  assert.equal(await bar.getByRole("button").count(), 2, "one question");
  assert.deepEqual(await violations(page), []);
  await shot(page, "question");
  assert.deepEqual(runs, []);

  await bar.getByRole("button", { name: "Not now" }).click();
  await view(page).getByText("11 The user denied the call").waitFor();
  assert.equal(await bar.getByRole("button").count(), 0);
  assert.deepEqual(runs, []);

  await view(page).locator("body").click();
  await bar.getByRole("status").getByText("Run erase?").waitFor();
  // By keys alone: the arguments come first, then the two buttons.
  await claude.locator(".asked").focus();
  for (const label of ["Arguments of erase", "Run"]) {
    await page.keyboard.press("Tab");
    const focused = await page.evaluate(() => {
      const { ariaLabel, textContent } = document.activeElement ?? {};
      return ariaLabel ?? textContent;
    });
    assert.equal(focused, label);
  }
  await page.keyboard.press("Enter");
  await view(page).getByText("11 ran").waitFor();
  assert.deepEqual(runs, [["erase", { which: "all" }]]);
  assert.equal(await page.evaluate(() => document.activeElement?.className), "asked");
  assert.deepEqual(said, []);
  await page.close();
});

test("a press in Slack, Teams and ChatKit is told as theirs", async () => {
  const { page, said } = await open("#/approval_request");
  for (const host of ["slack", "teams", "chatkit"]) {
    const place = screen(page, host);
    await place.scrollIntoViewIfNeeded();
    const box = place.locator(".drawing").getByRole("checkbox");
    if (await box.count()) await box.first().check();
    await place.locator(".drawing").getByRole("button", { name: "Approve upgrade" }).click();
    await place.locator(".asked li").first().waitFor();
  }
  await tab(page, "Timeline").click();
  await page.getByText(/^\d+ messages, all valid$/).waitFor();
  for (const label of ["Slack", "Teams", "ChatKit"])
    await page.getByText(`interaction of ${label}, not an MCP message`).first().waitFor();
  assert.deepEqual(said, []);
  await page.close();
});

test("the frame of a view is at another origin, with its policy as a header", async () => {
  const answers: { url: string; policy: string }[] = [];
  const { page } = await hostile(
    "",
    { connectDomains: ["https://api.example.com"] },
    async (made) => {
      made.on("response", (answer) => {
        if (answer.url().includes("/gallery/frame"))
          answers.push({
            url: answer.url(),
            policy: answer.headers()["content-security-policy"] ?? "",
          });
      });
    },
  );
  await screen(page, "claude").locator("iframe").waitFor();
  await view(page).locator("body").waitFor({ state: "attached" });
  const [one] = answers;
  assert.equal(new URL(one?.url ?? "").hostname, "localhost");
  assert.match(one?.policy ?? "", /connect-src https:\/\/api\.example\.com;/);
  assert.match(one?.policy ?? "", /sandbox allow-scripts$/);
  await page.close();
});

test("without a second name the frame has this address, and still no origin", async () => {
  const prepare = async (made: Page) => {
    await made.route(/localhost:\d+\/gallery\/frame/, (one) => one.abort());
  };
  const { page } = await open("#/flight_tracker", { prepare });
  await view(page).getByText("Halcyon Air").first().waitFor();
  const element = await screen(page, "claude").locator("iframe").elementHandle();
  const outer = await element?.contentFrame();
  assert.ok(outer);
  assert.ok(outer.url().startsWith(`${server.url}/gallery/frame?`), outer.url());
  for (const frame of [outer, ...outer.childFrames()]) {
    const got = await frame.evaluate(() => {
      try {
        return [self.origin, top?.document.title];
      } catch {
        return [self.origin, "refused"];
      }
    });
    assert.deepEqual(got, ["null", "refused"]);
  }
  await page.close();
});

test("the catalogue has every component and icon", async () => {
  const { page, said } = await open();
  await page.getByRole("link", { name: "Catalogue" }).click();
  await page.getByText(/^30 components, 1,9\d\d icons$/).waitFor();
  await page.getByRole("searchbox").fill("badge");
  await page.locator(".components summary").getByText("Badge", { exact: true }).click();
  await page.locator(".components dt").getByText("label", { exact: true }).waitFor();
  await page.locator(".icons").getByText("badge-check", { exact: true }).waitFor();
  await shot(page, "catalogue");
  assert.deepEqual(await violations(page), []);
  assert.deepEqual(said, []);
  await page.close();
});

test("on a phone the first widget is on the first screen", async () => {
  const { page, said } = await open("", { width: 390 });
  const card = page.locator(".card").first();
  await card.locator(".picture").waitFor();
  const box = await card.boundingBox();
  assert.ok(box && box.y + box.height <= 844, JSON.stringify(box));
  assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
  assert.deepEqual(said, []);
  await page.close();
});
