// The page in a browser, used as a user uses it: against the double, or against the server at
// CHAT_URL, then without the tests that need answers of the double's own.

import assert from "node:assert/strict";
import { mkdirSync } from "node:fs";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { type Browser, type BrowserContextOptions, chromium, type Page } from "playwright-core";
import { audit } from "../../test/axe";
import { PATIENCE } from "../../test/patience";
import { Cutter } from "./cutter";
import { Double } from "./double";

const shots = fileURLToPath(new URL("../../../target/screenshots/chat/", import.meta.url));
const real = process.env.CHAT_URL;
const skip = real ? "needs answers of the double" : false;
const double = new Double();
let browser: Browser;
let line: Cutter;
let url: string;

before(async () => {
  mkdirSync(shots, { recursive: true });
  line = new Cutter(real ?? (await double.listen()));
  url = `${await line.listen()}/chat`;
  browser = await chromium.launch({
    executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
    args: ["--no-sandbox"],
  });
});
after(async () => {
  await browser?.close();
  line?.close();
  double.close();
});

const said: string[] = [];
async function open(options: BrowserContextOptions = {}, hash = ""): Promise<Page> {
  const context = await browser.newContext({
    viewport: { width: 1280, height: 800 },
    reducedMotion: "reduce",
    locale: "en-US",
    ...options,
  });
  // What tsx writes into functions that are sent to the page.
  await context.addInitScript("globalThis.__name = (one) => one");
  const page = await context.newPage();
  page.setDefaultTimeout(PATIENCE);
  page.on("console", (message) => {
    // The browser says by itself that a line was cut, and that an answer was a refusal.
    const isOurs = !/net::ERR_|the server responded with/.test(message.text());
    if (message.type() === "error" && isOurs) said.push(message.text());
  });
  page.on("pageerror", (error) => said.push(String(error)));
  await page.goto(url + hash);
  await field(page).waitFor();
  return page;
}
async function close(page: Page): Promise<void> {
  await page.context().close();
  assert.deepEqual(said.splice(0), []);
}

const field = (page: Page) => page.locator("#message");
const log = (page: Page) => page.getByRole("log");
const button = (page: Page, name: string | RegExp) =>
  page.getByRole("button", { name, exact: true });
const form = (page: Page, name: string) => page.getByRole("form", { name });
const remark = (page: Page, text: string) => page.locator(".remark", { hasText: text });

async function send(page: Page, text: string): Promise<void> {
  await field(page).fill(text);
  await field(page).press("Enter");
}

/** The page tries again by itself, so the button may be gone before it is pressed. */
async function reconnect(page: Page): Promise<void> {
  line.up();
  await button(page, "Try now")
    .click({ timeout: 2000 })
    .catch(() => {});
}

/** What is wrong with the page as it stands: for axe, and in its width. */
async function inspect(page: Page, name: string): Promise<void> {
  const { ours } = await audit(page.mainFrame());
  assert.deepEqual(ours, [], name);
  // Nothing scrolls sideways but what is made for it, so what sticks out would be lost.
  const lost = await page.evaluate(() =>
    [...document.querySelectorAll(".app *:not(.unseen, .skip, .wc-scroll *, pre *)")]
      .filter((one) => {
        const { left, right, width } = one.getBoundingClientRect();
        return width > 0 && (left < -1 || right > innerWidth + 1);
      })
      .map((one) => `${one.tagName}.${one.getAttribute("class")}`),
  );
  assert.deepEqual(lost, [], `${name}: outside of the window`);
  await page.screenshot({ path: `${shots}${name}.png` });
}

/** Asks for a flight by the form, and waits for its card. */
async function askForFlight(page: Page): Promise<void> {
  await send(page, "/flight_tracker");
  await form(page, "Flight Tracker").getByLabel("Flight").fill("HA 417");
  await form(page, "Flight Tracker").getByRole("button", { name: "Send" }).click();
  await log(page).locator(".widget").getByText("HA 417").waitFor();
}

test("ask, see the card, press its button, reload", async () => {
  const page = await open();
  await askForFlight(page);
  await log(page).getByText("On time").waitFor();
  await log(page).getByRole("button", { name: "Refresh" }).click();
  await log(page).getByText("Landed").waitFor();
  assert.equal(await log(page).getByText("On time").count(), 0);
  assert.match(page.url(), /#thr_/);
  const before = await log(page).innerText();
  await page.reload();
  await log(page).getByText("Landed").waitFor();
  assert.equal(await log(page).innerText(), before);
  await close(page);
});

test("actions that do not stream, and those that are for another page", { skip }, async () => {
  const page = await open();
  await askForFlight(page);
  const { params } = double.requests.findLast(({ type }) => type === "threads.create");
  assert.equal(params.input.content[0].text, '/flight_tracker {"flight":"HA 417"}');
  const count = () => double.requests.length;
  const before = count();
  await log(page).getByRole("button", { name: "Seat" }).click();
  await page.getByText("This only works in the app that the widget was made for.").waitFor();
  assert.equal(count(), before, "it is not sent to the server");
  await send(page, "slow three");
  await page.getByText(/word1/).first().waitFor();
  await log(page).getByRole("button", { name: "Follow" }).click();
  await log(page).getByText("Followed").waitFor();
  assert.ok(await button(page, "Stop").isVisible(), "while the answer is written");
  await field(page).press("Escape");
  await remark(page, "Stopped").waitFor();
  await close(page);
});

test("a command that lacks values asks for them in rows, or takes the sample", {
  skip,
}, async () => {
  const page = await open();
  await send(page, "/expense_report");
  const asked = form(page, "Expense Report");
  await asked.getByLabel("Trip").fill("Oslo");
  await asked.getByLabel("What").fill("Hotel");
  await asked.getByLabel("Amount").fill("402");
  await asked.getByRole("button", { name: "Add Expense" }).click();
  await asked.getByRole("group", { name: "Expense 2" }).getByLabel("What").fill("Tram");
  assert.equal(await asked.locator("textarea").count(), 0, "nobody writes JSON");
  await inspect(page, "values");
  await asked.getByRole("button", { name: "Remove Expense 2" }).click();
  await asked.getByRole("button", { name: "Send" }).click();
  await page.getByText("That is all.", { exact: true }).waitFor();
  const sent = () =>
    double.requests.findLast(({ type }) => type === "threads.create").params.input.content[0].text;
  const values = { trip: "Oslo", expenses: [{ what: "Hotel", amount: 402 }] };
  assert.equal(sent(), `/expense_report ${JSON.stringify(values)}`);
  await page.getByRole("link", { name: "Expense Report: Oslo" }).waitFor();

  await button(page, "New conversation").click();
  await button(page, /^Expense Report/).click();
  await button(page, "Try with sample data").click();
  await page.getByText("That is all.", { exact: true }).waitFor();
  assert.match(sent(), /"trip":"Milan"/);
  await page.getByRole("link", { name: "Expense Report: Milan" }).waitFor();
  assert.match(await log(page).locator("summary").first().innerText(), /expense_report\s+Milan/);
  await close(page);
});

test("a name that is nearly a command is not sent, and offers those it may be", {
  skip,
}, async () => {
  const page = await open();
  const before = double.requests.length;
  await field(page).fill("/fligt");
  await page.getByRole("option", { name: "/flight_tracker" }).waitFor();
  await field(page).press("Escape");
  await field(page).press("Enter");
  await page.getByText("Unknown command /fligt. Did you mean:").waitFor();
  await page.getByRole("button", { name: "/flight_tracker" }).click();
  await form(page, "Flight Tracker").waitFor();
  assert.equal(await field(page).inputValue(), "/flight_tracker ");
  assert.equal(
    double.requests.slice(before).filter(({ type }) => type === "threads.create").length,
    0,
  );
  await close(page);
});

test("a button that nothing handles says what it would have sent", { skip }, async () => {
  const page = await open();
  await askForFlight(page);
  await log(page).getByRole("button", { name: "Rate" }).click();
  const told = remark(page, "No action is connected to this button. It would have sent:");
  await told.waitFor();
  assert.match(await told.innerText(), /flight\.rate \{\s*"stars": 5\s*\}/);
  assert.equal(await page.locator(".remark.is-danger").count(), 0);
  await close(page);
});

test("text streams, and is said once when it is finished", { skip }, async () => {
  const page = await open();
  const live = page.locator("[aria-live=polite]");
  await send(page, "hello");
  await page.getByText("That is all.", { exact: true }).waitFor();
  await log(page).getByText("Looked it up").waitFor();
  assert.equal(await log(page).getByRole("listitem").last().innerText(), "two");
  assert.equal(await log(page).locator("strong").innerText(), "hello");
  const answer = "Answer: You wrote hello. Here is a list: one two That is all.";
  assert.equal(await live.innerText(), answer);
  assert.equal(await field(page).inputValue(), "");
  assert.match(await page.title(), /^hello/);
  await send(page, "slow answer");
  await log(page).getByText(/word3/).waitFor();
  const isWhole = await log(page)
    .getByText(/word59/)
    .isVisible();
  assert.ok(!isWhole, "it appears in pieces");
  assert.equal(await live.innerText(), "", "which are not said");
  await live.getByText(/word0 .* word59/).waitFor();
  await close(page);
});

test("a line cut in the middle of an answer: note, reconnect, try again", { skip }, async () => {
  const page = await open();
  line.cutAfter("word5 ");
  await send(page, "slow one");
  await remark(page, "Connection lost").waitFor();
  await log(page)
    .getByText(/word0 word1/)
    .waitFor();
  await field(page).fill("next thing");
  await reconnect(page);
  await remark(page, "may be incomplete").waitFor();
  await log(page)
    .getByText(/word0 word1/)
    .waitFor();
  assert.equal(await page.locator(".ask").count(), 1, "the question is there once");
  assert.equal(await field(page).inputValue(), "next thing");
  await remark(page, "may be incomplete").getByRole("button", { name: "Try again" }).click();
  await log(page)
    .getByText(/word59/)
    .waitFor();
  assert.equal(await page.locator(".ask").count(), 1);
  assert.equal(await page.locator(".prose").count(), 1);
  await close(page);
});

test("a message that never arrived stays in the field", async () => {
  const page = await open();
  line.down();
  await send(page, "hello out there");
  await remark(page, "Connection lost").waitFor();
  assert.equal(await field(page).inputValue(), "hello out there");
  await reconnect(page);
  await remark(page, "was not sent").waitFor();
  assert.equal(await field(page).inputValue(), "hello out there");
  assert.equal(await page.locator(".ask").count(), 0);
  await field(page).press("Enter");
  await page.locator(".ask").waitFor();
  assert.equal(await field(page).inputValue(), "");
  await close(page);
});

test("a question, stop, an error, try again", { skip }, async () => {
  const page = await open();
  await send(page, "may I");
  const ask = page.getByRole("group", { name: "May I book it?" });
  assert.ok(await button(page, "Send answer").isDisabled());
  await ask.getByRole("radio", { name: "Yes, this once" }).check();
  await button(page, "Send answer").click();
  await page.locator(".answered", { hasText: "Yes, this once" }).waitFor();
  await page.locator("strong", { hasText: "booked" }).waitFor();
  await send(page, "slow two");
  await log(page).getByText(/word3/).waitFor();
  await button(page, "Stop").click();
  await remark(page, "Stopped").waitFor();
  const text = await page.locator(".prose").last().innerText();
  assert.ok(!text.includes("word59"));
  await send(page, "break");
  await remark(page, "The tool failed.").getByRole("button").click();
  await log(page).getByText("mended").waitFor();
  assert.equal(await page.locator(".remark").count(), 0);
  const good = page.locator(".tools.is-last").getByRole("button", { name: "Good response" });
  await good.click();
  await page.getByText("Thanks for your feedback.").waitFor();
  assert.equal(await good.getAttribute("aria-pressed"), "true");
  const { params } = double.requests.findLast(({ type }) => type === "items.feedback");
  assert.equal(params.kind, "positive");
  await close(page);
});

test("a command that is sent at once leaves no list behind", { skip }, async () => {
  const page = await open();
  let answer: () => void = () => {};
  const sent = new Promise<void>((resolve) => {
    answer = resolve;
  });
  await page.route("**/commands?q=f*", async (route) => {
    await sent;
    await route.continue();
  });
  const answered = page.waitForEvent("requestfinished", (one) => /commands\?q=f/.test(one.url()));
  await send(page, "/flight_tracker");
  await form(page, "Flight Tracker").waitFor();
  answer();
  await answered;
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(done)));
  assert.equal(await page.getByRole("listbox").count(), 0);
  await close(page);
});

test("by the keyboard alone: commands, drafts, threads, rename, delete", { skip }, async () => {
  const page = await open();
  const focused = () => page.evaluate(() => document.activeElement?.id);
  assert.equal(await focused(), "message");
  await page.keyboard.type("/");
  await page.getByRole("option").first().waitFor();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("ArrowUp");
  await page.keyboard.press("ArrowUp");
  const active = await field(page).getAttribute("aria-activedescendant");
  assert.equal(await page.locator(`#${active}`).getAttribute("aria-selected"), "true");
  await page.keyboard.press("Enter");
  assert.equal(await field(page).inputValue(), "/poll ");
  await page.keyboard.press("ControlOrMeta+a");
  await page.keyboard.type("/fl");
  await page.getByRole("option", { name: "/flight_tracker" }).waitFor();
  await page.keyboard.press("Escape");
  await page.getByRole("listbox").waitFor({ state: "detached" });
  assert.equal(await field(page).inputValue(), "/fl", "Escape closes the list alone");
  await page.keyboard.press("ControlOrMeta+a");
  await page.keyboard.type("one");
  await page.keyboard.press("Shift+Enter");
  await page.keyboard.type("two");
  await page.keyboard.press("Enter");
  await log(page).getByText("one two").first().waitFor();

  await page.keyboard.type("a draft");
  await page.reload();
  await log(page).getByText("one two").first().waitFor();
  assert.equal(await field(page).inputValue(), "a draft");
  await button(page, "New conversation").press("Enter");
  assert.equal(await field(page).inputValue(), "", "each conversation has its own draft");
  await page.goBack();
  await log(page).getByText("one two").first().waitFor();
  assert.equal(await field(page).inputValue(), "a draft");

  await button(page, /^Rename one/).press("Enter");
  await page.keyboard.press("ControlOrMeta+a");
  await page.keyboard.type("My ferry");
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { level: 1, name: "My ferry" }).waitFor();
  await page.getByRole("searchbox").fill("one");
  await page.getByText("…one…").first().waitFor();
  await page.getByRole("searchbox").fill("nobody wrote this");
  await page.getByText("No results for “nobody wrote this”").waitFor();
  await page.getByRole("searchbox").fill("");
  await button(page, "Delete My ferry").press("Enter");
  await page.getByRole("dialog").waitFor();
  await page.keyboard.press("Escape");
  await page.getByRole("dialog").waitFor({ state: "detached" });
  await button(page, "Delete My ferry").press("Enter");
  const focus = page.getByRole("dialog").locator(":focus");
  await focus.and(button(page, "Cancel")).waitFor();
  await page.keyboard.press("Tab");
  await focus.and(button(page, "Delete")).waitFor();
  await page.keyboard.press("Enter");
  await page.getByText("What would you like to do?").waitFor();
  assert.equal(await page.getByRole("link", { name: "My ferry" }).count(), 0);
  assert.equal(await focused(), "message");
  await close(page);
});

test("a question that is asked again while it closes stays open", { skip }, async () => {
  const page = await open();
  await send(page, "ask twice");
  await button(page, "Delete ask twice").click();
  await page.getByRole("dialog").waitFor();
  // As Escape closes a dialog: its `close` event comes after the click.
  await page.evaluate(async () => {
    const dialog = document.querySelector("dialog");
    if (dialog?.dispatchEvent(new Event("cancel", { cancelable: true }))) dialog.close();
    document.querySelector<HTMLElement>("[aria-label='Delete ask twice']")?.click();
    await new Promise((done) => setTimeout(done));
    await new Promise((done) => requestAnimationFrame(done));
  });
  assert.equal(await page.getByRole("dialog").count(), 1);
  await close(page);
});

test("files: picked, dropped, too large, sent", { skip }, async () => {
  const page = await open();
  const file = (name: string, size: number) => ({
    name,
    mimeType: "text/plain",
    buffer: Buffer.alloc(size, "x"),
  });
  await page.setInputFiles("input[type=file]", [file("small.txt", 10), file("large.txt", 200_000)]);
  await page.getByText("large.txt is too large (200 kB).").waitFor();
  await page.locator(".file-name", { hasText: /^small.txt$/ }).waitFor();
  await page.evaluate(() => {
    const dataTransfer = new DataTransfer();
    dataTransfer.items.add(new File(["y"], "dropped.txt", { type: "text/plain" }));
    const options = { dataTransfer, bubbles: true, cancelable: true };
    document.body.dispatchEvent(new DragEvent("dragover", options));
    document.body.dispatchEvent(new DragEvent("drop", options));
  });
  await button(page, "Remove dropped.txt").click();
  await field(page).evaluate((target) => {
    const clipboardData = new DataTransfer();
    clipboardData.items.add(new File(["z"], "pasted.txt", { type: "text/plain" }));
    const options = { clipboardData, bubbles: true, cancelable: true };
    target.dispatchEvent(new ClipboardEvent("paste", options));
  });
  await page.locator(".file-name", { hasText: "pasted.txt" }).waitFor();
  await page.reload();
  await page.locator(".file-name", { hasText: "small.txt" }).waitFor();
  await send(page, "with a file");
  await log(page).getByRole("link", { name: "small.txt" }).waitFor();
  assert.equal(await page.locator(".composer .file").count(), 0);
  await close(page);
});

test("a thread that is not there", async () => {
  const page = await open({}, "#thr_nobody");
  await page.getByText("This conversation does not exist, or is not yours.").waitFor();
  await page.getByRole("main").getByRole("button", { name: "New conversation" }).click();
  await page.getByText("What would you like to do?").waitFor();
  await close(page);
});

test("light and dark, narrow and wide, from right to left: axe, and nothing sticks out", async () => {
  const page = await open();
  await inspect(page, "welcome");
  await askForFlight(page);
  await send(page, "hello");
  await page.locator(".turn").nth(1).locator(".tools").waitFor();
  const hash = new URL(page.url()).hash;
  await page.screenshot({ path: `${shots}light.png` });
  await page.emulateMedia({ colorScheme: "dark" });
  await inspect(page, "dark");
  await page.emulateMedia({ colorScheme: "light" });
  await field(page).fill("/");
  await page.getByRole("listbox").waitFor();
  await inspect(page, "commands");
  await close(page);

  const phone = { viewport: { width: 320, height: 640 }, isMobile: true, hasTouch: true };
  const small = await open(phone, hash);
  await small.locator(".turn").nth(1).waitFor();
  await inspect(small, "phone");
  await button(small, "Conversations").click();
  await small.getByRole("dialog").waitFor();
  await inspect(small, "drawer");
  await small.keyboard.press("Escape");
  await small.getByRole("dialog").waitFor({ state: "detached" });
  await close(small);

  const arabic = await open({ locale: "ar", colorScheme: "dark" }, hash);
  await arabic.locator(".turn").nth(1).waitFor();
  assert.equal(await arabic.locator("html").getAttribute("dir"), "rtl");
  await inspect(arabic, "arabic");
  await close(arabic);
});
