// The page in a real browser, used as a user uses it.

import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import {
  drawn,
  open,
  panel,
  screen,
  seenInAll,
  server,
  shot,
  start,
  tab,
  view,
  violations,
} from "./person";
import { largeFolder, serve } from "./serve";

/** Wide enough for form, JSON and result side by side. */
const WIDE = { width: 1700 };

start();

test("search, open, change a value, and every host changes", async () => {
  const { page, said } = await open();
  await drawn(page);
  const all = await page.locator(".card").count();
  assert.ok(all > 20);
  await page.getByRole("searchbox").fill("flight");
  await page.getByText(/^\d+ of \d+$/).waitFor();
  assert.ok((await page.locator(".card").count()) < all);
  await page.getByRole("link", { name: "Flight Tracker" }).click();
  await page.getByRole("heading", { level: 1, name: "Flight Tracker" }).waitFor();
  assert.match(page.url(), /#\/flight_tracker$/);
  assert.match(await page.title(), /^Flight Tracker/);

  await seenInAll(page, "Halcyon Air");
  await shot(page, "hosts-end");
  await page.getByLabel("airline", { exact: true }).fill("Gull Airways");
  await seenInAll(page, "Gull Airways");
  assert.equal(await page.locator(".drawing").getByText("Halcyon Air").count(), 0);
  for (const name of ["Model", "Source"]) {
    await tab(page, name).click();
    await panel(page).getByText("Gull Airways").first().waitFor();
  }
  assert.match(
    await page.getByLabel("Arguments as JSON").inputValue(),
    /"airline": "Gull Airways"/,
  );
  await page.getByText(/^Model sees/).waitFor();

  await page.goBack();
  await page.getByRole("searchbox").waitFor();
  assert.equal(await page.getByRole("searchbox").inputValue(), "flight");
  await page.goForward();
  await page.getByRole("heading", { level: 1, name: "Flight Tracker" }).waitFor();
  assert.deepEqual(said, []);
  await page.close();
});

test("pictures are short in the JSON, and stay whole when it is edited or copied", async () => {
  const { page, said } = await open("#/flight_tracker", WIDE);
  const json = page.getByLabel("Arguments as JSON");
  const picture = view(page).locator("img").first();
  await view(page).getByText("Halcyon Air").first().waitFor();
  const source = await picture.getAttribute("src");
  const shown = await json.inputValue();
  assert.match(source ?? "", /^data:image/);
  assert.match(shown, /"data:image[^"]*… \([\d,]+ characters\)"/);
  assert.ok(!shown.includes(source ?? ""));
  await json.fill(shown.replace("Halcyon Air", "Gull Airways"));
  await view(page).getByText("Gull Airways").first().waitFor();
  assert.equal(await picture.getAttribute("src"), source);
  const copied = await json.evaluate((area: HTMLTextAreaElement) => {
    area.select();
    const clipboardData = new DataTransfer();
    area.dispatchEvent(new ClipboardEvent("copy", { clipboardData, cancelable: true }));
    return clipboardData.getData("text/plain");
  });
  assert.ok(JSON.stringify(JSON.parse(copied)).includes(JSON.stringify(source)));
  assert.deepEqual(said, []);
  await page.close();
});

test("form and JSON are one, and errors are where they belong", async () => {
  const { page, said } = await open("#/poll", WIDE);
  const json = page.getByLabel("Arguments as JSON");
  await view(page).getByText("team days").first().waitFor();
  const value = JSON.parse(await json.inputValue());

  await page.getByRole("button", { name: "Add to options" }).click();
  await page.waitForFunction(() =>
    /"",?\n/.test((document.querySelector("#json") as HTMLTextAreaElement).value),
  );
  assert.equal(JSON.parse(await json.inputValue()).options.length, value.options.length + 1);
  await page.locator(".field .fault").first().waitFor();
  assert.ok((await page.locator(".editor .line.bad").count()) > 0);
  assert.ok((await page.locator("[aria-invalid=true]").count()) > 1);
  await page.getByText("This is the last valid result").waitFor();
  await view(page).getByText("team days").first().waitFor();
  await page.getByRole("button", { name: `Remove options ${value.options.length + 1}` }).click();
  await page.locator(".field .fault").first().waitFor({ state: "detached" });

  await page.getByRole("button", { name: "Move options 2 up" }).click();
  const moved = JSON.parse(await json.inputValue());
  assert.deepEqual(moved.options.slice(0, 2), [value.options[1], value.options[0]]);

  await json.fill(JSON.stringify({ ...value, question: "Tea or coffee?" }));
  await view(page).getByText("Tea or coffee?").first().waitFor();
  assert.equal(await page.getByLabel("question", { exact: true }).inputValue(), "Tea or coffee?");
  await json.fill('{\n  "poll_id": "x",\n  oops\n}');
  await page.getByRole("button", { name: "Line 3" }).waitFor();
  await page.getByRole("button", { name: "Reset" }).click();
  await view(page).getByText("team days").first().waitFor();
  assert.deepEqual(JSON.parse(await json.inputValue()), value);
  assert.deepEqual(said, []);
  await page.close();
});

test("a second widget of the same name is an error, not a broken file", async (t) => {
  const copy = join(server.dir, "zz_copy.widget");
  t.after(() => rmSync(copy, { force: true }));
  const { page, said } = await open();
  await drawn(page);
  writeFileSync(copy, readFileSync(join(server.dir, "flight_tracker.widget"), "utf8"));
  await page.getByText("1 error", { exact: true }).click();
  const words = "flight_tracker.widget and zz_copy.widget both define the tool flight_tracker";
  await page.locator(".findings .message").getByText(words).waitFor();
  assert.equal(await page.getByText("is broken").count(), 0);
  rmSync(copy);
  await page.locator(".trouble").waitFor({ state: "detached" });
  assert.deepEqual(said, []);
  await page.close();
});

test("a file is broken on disk, read about, and mended", async (t) => {
  const file = join(server.dir, "flight_tracker.widget");
  const good = readFileSync(file, "utf8");
  t.after(() => writeFileSync(file, good));
  const { page, said } = await open();
  await drawn(page);
  const card = page.locator(".card", { hasText: "Flight Tracker" });
  await card.scrollIntoViewIfNeeded();
  await card.getByText("Halcyon Air").first().waitFor();
  writeFileSync(file, good.replace('"template"', 'template"'));
  await page.getByText("1 file is broken").click();
  await page.locator(".findings").getByText("flight_tracker.widget").first().waitFor();
  await page.locator(".findings .message").getByText("this is not JSON").waitFor();
  const excerpt = await page.locator(".findings .excerpt").first().textContent();
  assert.match(excerpt ?? "", /\^/);
  const [marked = "", carets = ""] = (excerpt ?? "")
    .split("\n")
    .filter((line) => /^\s*\d+ \||\^/.test(line));
  assert.equal(marked.indexOf("|"), carets.indexOf("|"), excerpt ?? "");
  await card.getByText("broken on disk").waitFor();
  await card.getByText("Halcyon Air").first().waitFor();
  await shot(page, "broken");

  await page.getByRole("link", { name: "Flight Tracker" }).click();
  await page.getByText("The file is broken on disk").waitFor();
  const words = page.locator(".detail .findings .message");
  const size = await words.evaluate((node) => Number.parseFloat(getComputedStyle(node).fontSize));
  assert.ok(size >= 16, "the error is as large as other text");
  await view(page).getByText("Halcyon Air").first().waitFor();

  writeFileSync(file, good.replaceAll("Halcyon Air", "Mended Air"));
  await page.getByText("The file is broken on disk").waitFor({ state: "detached" });
  await view(page).getByText("Mended Air").first().waitFor();
  await page.getByRole("link", { name: "All widgets" }).click();
  await card.scrollIntoViewIfNeeded();
  await card.getByText("Mended Air").first().waitFor();
  writeFileSync(file, good);
  await card.getByText("Halcyon Air").first().waitFor();
  assert.equal(await page.getByText("is broken").count(), 0);
  assert.deepEqual(said, []);
  await page.close();
});

test("warnings leave the room to the widget, and a small phone cuts nothing off", async (t) => {
  const file = join(server.dir, "zz_warned.widget");
  t.after(() => rmSync(file, { force: true }));
  const tree = "{type: Card, children: [{type: Image, src: 'https://example.com/a.png'}]}";
  writeFileSync(file, `version: "1.0"\nname: Warned\nwidget: ${tree}\n`);
  const { page } = await open("#/warned", { width: 320 });
  await page.getByText("1 warning in this file").click();
  await page.locator(".findings .message").waitFor();
  const widths = await page.evaluate(() =>
    [...document.querySelectorAll(".top button, .findings code")].map(
      (one) => one.getBoundingClientRect().right,
    ),
  );
  assert.ok(widths.length > 3 && Math.max(...widths) <= 320, `${widths}`);
  await page.close();
});

test("on a phone, the picture of a wide table and of even boxes is whole", async (t) => {
  const dir = mkdtempSync(join(tmpdir(), "widgetcast-wide-"));
  const text = (value: string) => ({ type: "Text", value, size: "sm" });
  const cell = (value: string) => ({ type: "Table.Cell", children: [text(value)] });
  const row = (header: boolean, cells: string[]) => ({
    type: "Table.Row",
    header,
    children: cells.map(cell),
  });
  const heads = ["Payment", "Principal", "Interest", "Total interest", "Balance"];
  const boxes = ["Abastecimentos", "Significativas", "Autorizadas", "Estimativas"].map((value) => ({
    type: "Col",
    flex: 1,
    padding: 3,
    background: "surface-secondary",
    children: [text(value)],
  }));
  const amounts = heads.map(() => "$2,419,569.72");
  const children = [
    { type: "Row", children: boxes },
    { type: "Table", children: [row(true, heads), row(false, amounts)] },
  ];
  const template = JSON.stringify({ type: "Card", size: "lg", children });
  const widget = { version: "1.0", name: "Wide", template };
  writeFileSync(join(dir, "wide.widget"), JSON.stringify(widget));
  const served = await serve(dir);
  t.after(served.close);
  const { page } = await open("", { width: 390, url: served.url });
  const card = page.locator(".card");
  await card.locator(".wc-card").waitFor();
  const [stage, drawn, ...parts] = await card
    .locator(".stage,.wc-card,.wc-row>.wc-col")
    .evaluateAll((all) => all.map((one) => one.getBoundingClientRect().toJSON()));
  assert.ok(drawn.left >= stage.left && drawn.right <= stage.right, `${drawn.right}`);
  // Two in each line, which they fill although the page zooms them.
  assert.equal(parts.length, 4);
  assert.ok(parts[1].top < parts[0].bottom && parts[2].top >= parts[0].bottom);
  assert.ok(drawn.right - parts[1].right < 20, `${parts[1].right} of ${drawn.right}`);
  await page.close();
});

test("titles and descriptions are laid out by their first letter", async (t) => {
  const dir = mkdtempSync(join(tmpdir(), "widgetcast-rtl-"));
  const widget = {
    version: "1.0",
    name: "جلسهٔ دادگاه",
    tool: "court",
    description: "وقت جلسهٔ دادگاه را نشان می‌دهد.",
    widget: { type: "Card", children: [{ type: "Text", value: "x" }] },
  };
  writeFileSync(join(dir, "court.widget"), JSON.stringify(widget));
  const served = await serve(dir);
  t.after(served.close);
  const { page } = await open("", { url: served.url });
  const directions = async (words: string) => {
    // The second is the description, which comes with the widget.
    await page.locator(words).nth(1).waitFor();
    return page
      .locator(words)
      .evaluateAll((all) => all.map((one) => getComputedStyle(one).direction));
  };
  assert.deepEqual(await directions(".card .caption>*"), ["rtl", "rtl"]);
  await page.locator(".card a").click();
  assert.deepEqual(await directions(".head-line :is(h1,p)"), ["rtl", "rtl"]);
  await page.close();
});

test("a file that never was good has a page with its error", async (t) => {
  const file = join(server.dir, "zz_new.widget");
  t.after(() => rmSync(file, { force: true }));
  const { page, said } = await open();
  await drawn(page);
  writeFileSync(file, "{");
  await page.getByText("1 file is broken").click();
  await page.getByRole("link", { name: "zz_new.widget" }).click();
  await page.getByText("The file is broken and defines no widget.").waitFor();
  assert.match((await page.locator(".detail .excerpt").first().textContent()) ?? "", /\^/);
  const image = (name: string) => ({ type: "Image", src: `https://a.example/${name}.png` });
  const children = [image("a"), { ...image("b"), alt: "A lake" }];
  const template = JSON.stringify({ type: "Card", children });
  writeFileSync(file, JSON.stringify({ version: "1.0", name: "zz_new", template }));
  await page.getByText("1 warning in this file").waitFor();
  // Drawings of the page itself load no images from elsewhere, which the browser says.
  for (const host of ["slack", "teams", "chatkit"]) {
    const place = screen(page, host);
    await place.locator(".drawing").getByRole("img", { name: "A lake" }).waitFor();
    await place.getByText("2 images not shown here").waitFor();
    await place.getByText('image_origins = ["https://a.example"]').waitFor();
    assert.equal(await place.locator(".drawing img").count(), 0, host);
  }
  await screen(page, "teams").scrollIntoViewIfNeeded();
  await shot(page, "pictures");
  assert.deepEqual(await violations(page), []);
  assert.deepEqual(
    said.filter((line) => !/Loading the image 'https:\/\/a.example\/.\.png' violates/.test(line)),
    [],
  );
  await page.close();
});

test("the keyboard is enough", async () => {
  const { page, said } = await open("", WIDE);
  await drawn(page);
  const focused = () => page.evaluate(() => document.activeElement?.textContent ?? "");
  await page.keyboard.press("/");
  await page.keyboard.type("weather");
  await page.getByText(/^\d+ of \d+$/).waitFor();
  await page.keyboard.press("ArrowDown");
  const first = await focused();
  await page.keyboard.press("ArrowRight");
  assert.notEqual(await focused(), first);
  await page.keyboard.press("ArrowLeft");
  assert.equal(await focused(), first);
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { level: 1, name: first }).waitFor();
  await page.waitForFunction(() => document.activeElement?.tagName === "H1");

  const reach = async (what: string, selector: string, key = "Tab") => {
    for (let presses = 0; presses < 200; presses++) {
      if (await page.evaluate((css) => document.activeElement?.matches(css), selector)) return;
      await page.keyboard.press(key);
    }
    assert.fail(`${what} is not reached by Tab`);
  };
  await reach("a field", ".form input[type=text]");
  const ring = await page.evaluate(
    () => getComputedStyle(document.activeElement as Element).outlineStyle,
  );
  assert.equal(ring, "solid");
  await page.keyboard.press("End");
  await page.keyboard.type(" Typed");
  await reach("the JSON", "#json");
  assert.match(await page.getByLabel("Arguments as JSON").inputValue(), / Typed"/);
  await reach("the tabs", "[role=tab]");
  await page.keyboard.press("ArrowRight");
  assert.equal(await tab(page, "Timeline").getAttribute("aria-selected"), "true");
  await reach("a message", ".timeline summary");
  await page.keyboard.press("Enter");
  await reach("what is copied", "[aria-label='Copy as curl']");
  await reach("the tabs again", "[role=tab]", "Shift+Tab");
  await page.keyboard.press("End");
  assert.equal(await tab(page, "Source").getAttribute("aria-selected"), "true");
  await panel(page).getByText("Typed").first().waitFor();
  await page.keyboard.press("Home");
  await reach("the hosts", ".host-chip");
  await page.keyboard.press("Space");
  await screen(page, "claude").waitFor({ state: "detached" });
  await page.keyboard.press("Space");
  await screen(page, "claude").waitFor();
  await reach("the conditions", ".tools .button");
  await page.keyboard.press("Enter");
  await reach("a condition", ".conditions select");
  await reach("a picture", ".host-head .button");
  const saved = page.waitForEvent("download");
  await page.keyboard.press("Enter");
  assert.match((await saved).suggestedFilename(), /^weather_current-\w+\.png$/);
  await reach("the drawing of Slack", "[data-host=slack] .host-head .button");

  await page.goBack();
  await page.waitForFunction((name) => document.activeElement?.textContent === name, first);
  await page.keyboard.press("Escape");
  assert.equal(await page.evaluate(() => document.activeElement?.tagName), "INPUT");
  await page.keyboard.press("Escape");
  assert.equal(await page.getByRole("searchbox").inputValue(), "");
  assert.deepEqual(said, []);
  await page.close();
});

// In one document, because to load it and axe takes longer than what is looked at.
test("axe finds nothing", async (t) => {
  const { page, said } = await open();
  for (const dark of [false, true])
    for (const width of [1280, 390])
      await t.test(`${dark ? "dark" : "light"}, ${width} px`, async () => {
        const mode = `${dark ? "dark" : "light"}-${width}`;
        await page.setViewportSize({ width, height: width > 500 ? 860 : 844 });
        await page.emulateMedia({ colorScheme: dark ? "dark" : "light" });
        await page.goto(`${server.url}/#`);
        await drawn(page);
        await shot(page, `grid-${mode}`);
        assert.deepEqual(await violations(page), []);
        await page.goto(`${server.url}/#/flight_tracker`);
        await view(page).getByText("Halcyon Air").first().waitFor();
        await shot(page, `detail-${mode}`);
        assert.deepEqual(await violations(page), [], "view");
        await page.getByRole("button", { name: "Conditions" }).click();
        await shot(page, `conditions-${mode}`);
        assert.deepEqual(await violations(page), [], "conditions");
        // Each of these in light and in dark, wide and narrow, but not in all four ways.
        for (const name of dark === width < 700 ? ["Timeline", "Model", "Source"] : []) {
          await tab(page, name).click();
          await panel(page)
            .getByText(/Halcyon Air|all valid/)
            .first()
            .waitFor();
          await shot(page, `${name.toLowerCase()}-${mode}`);
          assert.deepEqual(await violations(page), [], name);
        }
        for (const name of width < 700 ? ["Form", "JSON"] : ["JSON"]) {
          await page.getByRole("button", { name, exact: true }).click();
          await shot(page, `${name.toLowerCase()}-${mode}`);
          assert.deepEqual(await violations(page), [], name);
        }
        const json = page.getByLabel("Arguments as JSON");
        const good = await json.inputValue();
        await json.fill("{}");
        await page.locator(".json-errors li").first().waitFor();
        await shot(page, `errors-${mode}`);
        assert.deepEqual(await violations(page), [], "errors");
        assert.ok(
          await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth),
          "nothing is wider than the screen",
        );
        // As it was, for the next.
        await json.fill(good);
      });
  assert.deepEqual(said, []);
  await page.close();
});

test("every kind of field, and a tool that runs only when told to", async () => {
  const { page, said } = await open();
  const inputSchema = {
    type: "object",
    properties: {
      name: { type: "string", description: "Who" },
      mail: { type: "string", format: "email" },
      day: { type: "string", format: "date" },
      at: { type: "string", format: "date-time" },
      count: { type: "integer", minimum: 2 },
      ratio: { type: ["number", "null"] },
      loud: { type: "boolean" },
      size: { enum: ["s", "m", "l"] },
      kind: { const: "visit" },
      place: { type: "object", properties: { city: { type: "string" } }, required: ["city"] },
      tags: { type: "array", items: { type: "string" } },
      pay: {
        oneOf: [
          {
            title: "Card",
            type: "object",
            properties: { by: { const: "card" }, digits: { type: "string" } },
            required: ["by", "digits"],
          },
          {
            title: "Cash",
            type: "object",
            properties: { by: { const: "cash" } },
            required: ["by"],
          },
        ],
      },
      extra: { type: "object", additionalProperties: true },
    },
    required: ["name", "count", "kind"],
  };
  const tool = {
    name: "visit",
    title: "Visit",
    description: "Books a visit",
    kind: "tool",
    readOnly: false,
    drawn: false,
  };
  const runs: unknown[] = [];
  await page.route("**/gallery/index.json", (route) =>
    route.fulfill({
      json: { name: "x", version: "1", endpoint: "/mcp", tools: [tool], findings: [] },
    }),
  );
  await page.route("**/gallery/tool/visit", (route) =>
    route.fulfill({ json: { ...tool, inputSchema, sample: null, findings: [] } }),
  );
  await page.route("**/gallery/draw", (route) => {
    const { tool: called, arguments: input } = route.request().postDataJSON();
    // A card of the gallery that was there before may still be drawn.
    if (called !== "visit") return route.continue();
    runs.push(input);
    const text = `Booked for ${input.name}`;
    return route.fulfill({
      json: {
        text,
        isError: false,
        tree: null,
        icons: null,
        errors: [],
        surfaces: [{ name: "text", format: "markdown", text, losses: [] }],
        result: { content: [{ type: "text", text }] },
        model: { bytes: text.length, text: text.length, data: 0 },
      },
    });
  });
  await page.setViewportSize({ width: 1700, height: 860 });
  await page.goto(`${server.url}/?fields`);
  await page.getByText("Runs only on request").waitFor();
  await page.getByRole("link", { name: "Visit" }).click();
  const json = page.getByLabel("Arguments as JSON");
  const value = async () => JSON.parse(await json.inputValue());
  await json.waitFor();
  assert.deepEqual(await value(), { name: "", count: 2, kind: "visit" });
  await page.getByText("may modify data").waitFor();

  const at = (name: string) => page.getByLabel(name, { exact: true });
  await at("name").fill("Ada");
  await at("mail").fill("ada@example.com");
  await at("day").fill("2027-03-09");
  await at("at").fill("2027-03-09T10:05:00");
  await at("count").fill("12");
  await at("ratio").fill("0.5");
  await at("loud").check();
  await at("size").selectOption("m");
  await page.getByRole("button", { name: "Add place" }).click();
  await at("city").fill("Lisbon");
  const add = page.getByRole("button", { name: "Add to tags" });
  await add.click();
  await at("tags 1").fill("one");
  await add.click();
  await at("tags 2").fill("two");
  await page.getByRole("button", { name: "Move tags 2 up" }).click();
  await at("pay").selectOption("Card");
  await at("digits").fill("42");
  await at("extra").fill('{"a": [1]}');
  const full = {
    name: "Ada",
    count: 12,
    kind: "visit",
    mail: "ada@example.com",
    day: "2027-03-09",
    at: "2027-03-09T10:05:00Z",
    ratio: 0.5,
    loud: true,
    size: "m",
    place: { city: "Lisbon" },
    tags: ["two", "one"],
    pay: { by: "card", digits: "42" },
    extra: { a: [1] },
  };
  assert.deepEqual(await value(), full);
  await at("pay").selectOption("Cash");
  assert.deepEqual((await value()).pay, { by: "cash" });
  await page.getByRole("button", { name: "ratio is null" }).click();
  assert.equal((await value()).ratio, null);
  for (const name of ["loud", "place", "tags", "pay", "extra"])
    await page.getByRole("button", { name: `Clear ${name}`, exact: true }).click();
  await at("mail").fill("");
  await at("size").selectOption("—");
  const { ratio, ...rest } = await value();
  assert.deepEqual(rest, { name: "Ada", count: 12, kind: "visit", day: full.day, at: full.at });
  assert.deepEqual(await violations(page), []);

  assert.deepEqual(runs, [], "nothing ran by itself");
  await page.locator(".form-pane").getByRole("button", { name: "Run" }).click();
  await screen(page, "markdown").getByText("Booked for Ada").first().waitFor();
  assert.deepEqual(runs, [{ ...rest, ratio }]);
  assert.deepEqual(said, []);
  await page.close();
});

test("the colours can be chosen, and the view follows", async () => {
  const { page } = await open("#/poll");
  await view(page).getByText("team days").first().waitFor();
  const frame = () => page.frames().find((one) => one.parentFrame()?.parentFrame());
  const scheme = () =>
    frame()?.evaluate(() => getComputedStyle(document.documentElement).colorScheme);
  assert.match((await scheme()) ?? "", /light/);
  await page.getByRole("button", { name: "Dark" }).click();
  await page.waitForFunction(() => document.documentElement.dataset.theme === "dark");
  await frame()?.waitForFunction(() =>
    /^dark/.test(getComputedStyle(document.documentElement).colorScheme),
  );
  // Frames that differ in this are not transparent, and would hide the host's own ground.
  await frame()
    ?.parentFrame()
    ?.waitForFunction(() => getComputedStyle(document.documentElement).colorScheme === "dark");
  await page.reload();
  await page.waitForFunction(() => document.documentElement.dataset.theme === "dark");
  await page.close();
});

test("a tool with a sample is drawn by its page before anybody runs it", async () => {
  const served = await serve(largeFolder(1), ["--display"]);
  try {
    const { page, said } = await open("", { url: served.url });
    const card = page.locator(".card", { has: page.getByRole("link", { name: "Table" }) });
    await card.scrollIntoViewIfNeeded();
    const shown = card.frameLocator("iframe").frameLocator("iframe");
    await shown.getByRole("table").waitFor();
    assert.equal(await page.getByText("Runs only on request").count(), 0);
    await shot(page, "pages");
    await page.goto(`${served.url}/#/display_table`);
    const drawn = page.locator(".result-pane").frameLocator("iframe").first();
    await drawn.frameLocator("iframe").getByRole("table").waitFor();
    // Hosts without views show its text, each in its own way.
    const terminal = screen(page, "terminal").locator("pre.terminal");
    await terminal.getByText("| --- |").waitFor();
    const ink = await terminal.evaluate((one) => getComputedStyle(one).color);
    assert.equal(ink, "rgb(228, 228, 234)", "light on dark, whatever the theme");
    for (const host of ["slack", "teams"]) {
      await screen(page, host).getByText("Breads: 3 rows").waitFor();
      assert.equal(await screen(page, host).locator(".wc").count(), 0, host);
    }
    assert.deepEqual(said, []);
  } finally {
    served.close();
  }
});

test("nothing to serve: it says how to begin", async () => {
  const empty = await serve(largeFolder(0));
  try {
    const { page, said } = await open("", { url: empty.url });
    await page.getByText("widgetcast new card").waitFor();
    await shot(page, "empty");
    assert.deepEqual(await violations(page), []);
    assert.deepEqual(said, []);
    await page.close();
  } finally {
    empty.close();
  }
});

test("with a thousand widgets it lists all and draws only what is near", async () => {
  const large = await serve(largeFolder(1000));
  try {
    const { page, said } = await open("", { url: large.url });
    await page.locator(".card:nth-child(1000)").waitFor();
    await drawn(page);
    assert.ok((await page.locator(".card .picture").count()) < 60, "only what is near is drawn");
    await page.getByRole("searchbox").fill("sales chart 97");
    await page.getByText(/^\d+ of 1000$/).waitFor();
    await page.getByRole("searchbox").fill("");
    const last = page.locator(".card").nth(999);
    await last.scrollIntoViewIfNeeded();
    await last.locator(".picture").waitFor();
    assert.deepEqual(said, []);
    await page.close();
  } finally {
    large.close();
  }
});

test("at first there is one widget in four hosts, with names of others on the screen", async () => {
  const { page, said } = await open();
  for (const [width, height] of [
    [1280, 900],
    [1024, 768],
  ] as const) {
    await page.setViewportSize({ width, height });
    await drawn(page);
    const hosts = page.getByRole("region", { name: "Flight Tracker, as four hosts render it" });
    assert.deepEqual(await hosts.locator("li > p").allInnerTexts(), [
      "Claude",
      "Slack",
      "Teams",
      "Terminal",
    ]);
    // Each has the flight, in its own drawing.
    for (const host of await hosts.locator("li").all()) await host.getByText("HA 218").waitFor();
    const card = await page.locator(".card").first().boundingBox();
    assert.ok(card && card.y < height - 40, `${width}: ${card?.y} px`);
  }
  await page.setViewportSize({ width: 1280, height: 900 });
  const name = await page.locator(".card h2").first().boundingBox();
  assert.ok(name && name.y + name.height < 900, `${name?.y} px`);
  await shot(page, "home");
  await page.getByRole("link", { name: /One file, rendered by every host/ }).click();
  await page.getByRole("heading", { name: "Flight Tracker" }).first().waitFor();
  assert.match(page.url(), /#\/flight_tracker$/);
  assert.deepEqual(said, []);
  await page.close();
});

test("connecting names the folder, for every client, and stays on the page", async () => {
  const { page, said } = await open("#/poll");
  await view(page).getByText("team days").first().waitFor();
  await page.getByRole("button", { name: "Connect" }).click();
  const start = page.getByRole("region", { name: "Connect a host" });
  const client = start.getByLabel("Add it to");
  const labels = await client.locator("option").allTextContents();
  assert.equal(labels.length, 9);
  for (const label of labels) {
    await client.selectOption({ label });
    const code = start.locator(".command code").nth(1);
    const text = (await code.textContent()) ?? "";
    assert.match(text, /^widgetcast install [a-z-]+ /);
    assert.ok(text.endsWith(` ${realpathSync(server.dir)} --write`), text);
    // All of it can be seen.
    assert.ok(await code.evaluate((node) => node.scrollWidth <= node.clientWidth), label);
  }
  assert.match(page.url(), /#\/poll$/);
  await shot(page, "connect");
  assert.deepEqual(await violations(page), []);
  await page.getByRole("button", { name: "Hide quick start" }).click();
  assert.equal(await start.count(), 0);
  assert.deepEqual(said, []);
  await page.close();
});

test("what was typed survives a reload, and a reset forgets it", async () => {
  const { page, said } = await open("#/flight_tracker", WIDE);
  const airline = page.getByLabel("airline", { exact: true });
  await airline.fill("Gull Airways");
  await view(page).getByText("Gull Airways").first().waitFor();
  await page.reload();
  await view(page).getByText("Gull Airways").first().waitFor();
  assert.equal(await airline.inputValue(), "Gull Airways");
  // What is not JSON yet survives too.
  const json = page.getByLabel("Arguments as JSON");
  await json.fill("{ half");
  await page.reload();
  assert.equal(await json.inputValue(), "{ half");
  await page.getByRole("button", { name: "Reset" }).click();
  await page.reload();
  await view(page).getByText("Halcyon Air").first().waitFor();
  assert.equal(await airline.inputValue(), "Halcyon Air");
  assert.deepEqual(said, []);
  await page.close();
});

test("the form of docs/widgets.md is filled in, sent and answered", async () => {
  const dir = mkdtempSync(join(tmpdir(), "widgetcast-lunch-"));
  const text = readFileSync(new URL("../../../docs/widgets.md", import.meta.url), "utf8");
  const files = [...text.matchAll(/```yaml\n# widgets\/(\w+\.widget)\n([\s\S]*?)```/g)];
  for (const [, name = "", body = ""] of files) writeFileSync(join(dir, name), body);
  const served = await serve(dir);
  try {
    const { page, said } = await open("#/lunch", { url: served.url });
    await page.getByRole("button", { name: "Show only Claude" }).click();
    await view(page).getByLabel("Dish").selectOption("soup");
    await view(page).getByLabel("Anything to add?").fill("Hot, please");
    await view(page).getByLabel("With cutlery").check();
    await view(page).getByRole("button", { name: "Order" }).click();
    await view(page).getByText("Ordered: soup from The Blue Door").waitFor();
    await view(page).getByText("Hot, please").waitFor();
    await view(page).getByText("With cutlery").waitFor();
    await shot(page, "lunch");

    // The same in the hosts that have no view, each with its own fields.
    const fill: [host: string, label: string, dish: string, note: string][] = [
      ["slack", "Slack", "Dish", "Anything to add?"],
      ["teams", "Teams", "Dish", "Anything to add?"],
      ["chatkit", "ChatKit", "Dish", "Anything to add?"],
    ];
    for (const [host, label, dish, note] of fill) {
      await page.getByRole("button", { name: label, exact: true }).click();
      const place = screen(page, host);
      const inside = place.locator(".drawing");
      await inside.getByLabel(dish).selectOption({ label: "Lentil soup, $5.50" });
      await inside.getByLabel(note).fill(`By ${label}`);
      await inside.getByLabel("With cutlery").check();
      await inside.getByRole("button", { name: "Order" }).focus();
      await page.keyboard.press("Enter");
      await inside.getByText("Ordered: soup from The Blue Door").waitFor();
      await inside.getByText(`By ${label}`).waitFor();
      await inside.getByText("With cutlery").waitFor();
      const input = { place: "The Blue Door", dish: "soup", note: `By ${label}` };
      const told = place.locator(".asked").getByText(`lunch_ordered {"place":"The Blue Door"`);
      assert.ok((await told.textContent())?.includes(JSON.stringify(input).slice(1, -1)), label);
      assert.equal(await page.evaluate(() => document.activeElement?.className), "asked", label);
      await shot(page, `lunch-${host}`);
      assert.deepEqual(await violations(page), [], label);

      await place.getByRole("button", { name: "Show the previous version" }).click();
      await inside.getByRole("button", { name: "Not today" }).click();
      await place.getByText("Unknown tool: lunch.skip").waitFor();
      await inside.getByRole("button", { name: "Order" }).waitFor();
    }
    await tab(page, "Timeline").click();
    await page.getByText(/^\d+ messages, all valid$/).waitFor();
    for (const label of ["Slack", "Teams", "ChatKit"]) {
      await page.getByLabel("Host", { exact: true }).selectOption(label);
      const lines = await page.locator(".timeline summary code").allTextContents();
      assert.deepEqual(lines.slice(1, 3), ["tools/call", "result of tools/call"], label);
    }
    assert.deepEqual(said, []);
    await page.close();
  } finally {
    served.close();
  }
});
