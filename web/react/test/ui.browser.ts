// The components on React 18, React 19 and Preact next to the view's own drawing of the same: the same
// markup and the same computed styles, in light and dark; and what they do.

import assert from "node:assert/strict";
import { mkdirSync, readFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { type BuildOptions, build } from "esbuild";
import { type Browser, chromium, type Page } from "playwright-core";
import { audit } from "../../test/axe";
import { PATIENCE } from "../../test/patience";
import { roundDrawing } from "../../view/icons.mjs";

const local = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const shots = local("../../../target/screenshots/ui/");
const FRAMEWORKS: Record<string, Record<string, string>> = {
  "React 18": { react: "react-18", "react-dom": "react-dom-18" },
  "React 19": { react: "react", "react-dom": "react-dom" },
  Preact: { react: "preact/compat", "react-dom": "preact/compat" },
};
const themes = ["light", "dark"] as const;

// As build.mjs does it for the page.
const roundIcons = {
  name: "icons",
  setup: ({ onLoad }: Parameters<NonNullable<BuildOptions["plugins"]>[number]["setup"]>[0]) =>
    onLoad({ filter: /icon-data\.json$/ }, ({ path }) => {
      const icons = Object.entries<string>(JSON.parse(readFileSync(path, "utf8")));
      const round = icons.map(([name, drawing]) => [name, roundDrawing(drawing)]);
      return { contents: JSON.stringify(Object.fromEntries(round)), loader: "json" };
    }),
};

async function bundle(contents: string, alias: Record<string, string>): Promise<string> {
  const { outputFiles } = await build({
    stdin: { contents, loader: "tsx", resolveDir: local("page") },
    bundle: true,
    write: false,
    format: "iife",
    jsx: "automatic",
    tsconfig: local("../../tsconfig.json"),
    define: { "process.env.NODE_ENV": '"development"' },
    nodePaths: [local("../../node_modules")],
    alias,
    // The page has effects, whatever the package says.
    ignoreAnnotations: true,
    plugins: [roundIcons],
    logLevel: "error",
  });
  return outputFiles[0]?.text ?? "";
}

let browser: Browser;
before(async () => {
  mkdirSync(shots, { recursive: true });
  browser = await chromium.launch({
    executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
    args: ["--no-sandbox"],
  });
});
after(() => browser?.close());

interface Opened {
  page: Page;
  faults: string[];
}

let shared: Page | undefined;

/** The window of all tests: a new one takes longer than what is done in it. */
async function emptyPage(theme: "light" | "dark"): Promise<Page> {
  if (!shared) {
    const context = await browser.newContext({ reducedMotion: "reduce" });
    context.setDefaultTimeout(PATIENCE);
    shared = await context.newPage();
    await shared.addInitScript("globalThis.__name = (value) => value");
  }
  shared.removeAllListeners("pageerror");
  shared.removeAllListeners("console");
  await shared.unrouteAll();
  await shared.emulateMedia({ colorScheme: theme });
  await shared.setViewportSize({ width: 700, height: 900 });
  return shared;
}

/**
 * A page with a script, in the place of the one before. Its policy is that of MCP Apps, unless another
 * is given.
 */
async function open(script: string, theme: "light" | "dark", policy = INLINE): Promise<Opened> {
  const page = await emptyPage(theme);
  const faults: string[] = [];
  page.on("pageerror", (error) => faults.push(String(error)));
  page.on("console", (message) => {
    if (/error|warning/.test(message.type())) faults.push(message.text());
  });
  const head = `<!doctype html><html lang="en"><meta charset="utf-8"><title>Components</title>`;
  const host = `window.openai={theme:"${theme}",locale:"en-US"}`;
  await page.route("**/*", (route) => {
    const { pathname, hostname } = new URL(route.request().url());
    if (hostname !== "ui.test") return route.abort();
    if (pathname === "/page.js")
      return route.fulfill({ contentType: "text/javascript", body: `${host};${script}` });
    return route.fulfill({
      contentType: "text/html",
      headers: { "content-security-policy": policy },
      body: `${head}<body><main id="root"></main><script src="/page.js"></script>`,
    });
  });
  await page.goto("http://ui.test/");
  return { page, faults };
}
const INLINE =
  "default-src 'none'; script-src 'self' 'unsafe-inline' 'unsafe-eval'; style-src 'self' 'unsafe-inline'; img-src data:";
const STRICT = "default-src 'none'; script-src 'self' 'unsafe-eval'";

/**
 * Every element below the root: its tag, its attributes and how it looks. Styles are megabytes: unless
 * they are wanted `whole`, a number stands for them.
 */
const drawn = (page: Page, whole: boolean) =>
  page.evaluate((isWhole) => {
    const brief = (text: string) => {
      let [one, other] = [5381, 52711];
      for (let at = 0; at < text.length; at += 1) {
        one = Math.imul(one, 33) ^ text.charCodeAt(at);
        other = Math.imul(other, 31) ^ text.charCodeAt(at);
      }
      return isWhole ? text : `${one} ${other}`;
    };
    const ids = new Map<string, string>();
    const known = (id: string) => {
      if (!ids.has(id)) ids.set(id, `#${ids.size}`);
      return ids.get(id) as string;
    };
    const attribute = ({ name, value }: Attr): string[] => {
      // Written as properties by one and as attributes by the other: read below.
      if (/^(style|value|checked|selected)$/.test(name) || (name === "class" && !value)) return [];
      if (/^(id|for|name|aria-(labelledby|controls))$/.test(name))
        return [`${name}=${known(value)}`];
      return [`${name}=${value.replace(/url\(#.*?\)/, "url(#)")}`];
    };
    const styles = (element: Element, pseudo?: string) => {
      const all = getComputedStyle(element, pseudo);
      return pseudo && all.content === "none"
        ? ""
        : all.cssText.replace(/url\("#.*?"\)/g, "url(#)");
    };
    const one = (element: Element) => {
      const { value, checked } = element as HTMLInputElement;
      const text = [...element.childNodes]
        .map((child) => (child.nodeType === Node.TEXT_NODE ? child.textContent : ""))
        .join("");
      return {
        tag: element.tagName,
        attributes: [...element.attributes].flatMap(attribute).sort(),
        text,
        state: [value, checked],
        styles: brief(
          [undefined, "::before", "::after"].map((part) => styles(element, part)).join(" "),
        ),
      };
    };
    return [...document.querySelectorAll<HTMLElement>("[data-case]")].map((part) => {
      ids.clear();
      return {
        name: part.dataset.case,
        elements: [...part.querySelectorAll(".wc-root, .wc-root *")].map(one),
      };
    });
  }, whole);
type Drawn = Awaited<ReturnType<typeof drawn>>;

type Elements = Drawn[number]["elements"];

/** Where two drawings differ, a line each. */
function differences(ours: Elements, theirs: Elements): string[] {
  const lines: string[] = [];
  for (let at = 0; at < Math.max(ours.length, theirs.length) && lines.length < 12; at += 1) {
    const [a, b] = [ours[at], theirs[at]];
    if (!a || !b || a.tag !== b.tag || a.text !== b.text)
      return [...lines, `${at}: ${a?.tag} “${a?.text}” and ${b?.tag} “${b?.text}”`];
    for (const part of ["attributes", "state", "styles"] as const) {
      if (String(a[part]) === String(b[part])) continue;
      const [left, right] = [a[part], b[part]].map((one) =>
        (typeof one === "string" ? one.split("; ") : one).map(String),
      ) as [string[], string[]];
      const only = [
        ...left.filter((one) => !right.includes(one)).map((one) => `view ${one}`),
        ...right.filter((one) => !left.includes(one)).map((one) => `React ${one}`),
      ];
      if (only.length > 0)
        lines.push(`${at} ${a.tag} ${a.attributes}: ${only.slice(0, 6).join(" | ")}`);
    }
  }
  return lines;
}

const settled = (page: Page) =>
  page.evaluate(async () => {
    for (let round = 0; round < 2; round += 1)
      await new Promise((done) => requestAnimationFrame(() => setTimeout(done, 10)));
  });

const forReact = (alias: Record<string, string>) =>
  bundle(`import "./components";`, {
    ...alias,
    "#react": alias.react as string,
    "#jsx": alias.react as string,
  });

const VIEW = `
  import { css, draw } from "@widgetcast/view";
  import { CASES } from "./cases";
  const style = document.head.appendChild(document.createElement("style"));
  style.textContent = css;
  document.documentElement.style.colorScheme = window.openai.theme;
  window.show = () => {
    for (const { name, tree } of CASES) {
      const part = document.getElementById("root").appendChild(document.createElement("div"));
      part.dataset.case = name;
      draw(part, tree, { locale: "en-US", onAction: async () => {} });
    }
  };`;

async function drawAll({ page }: Opened, whole = false): Promise<Drawn> {
  await page.evaluate(() => window.show("cases"));
  await settled(page);
  return drawn(page, whole);
}

let scripts: (readonly [framework: string, script: string])[];
before(async () => {
  scripts = await Promise.all(
    Object.entries(FRAMEWORKS).map(async ([name, alias]) => [name, await forReact(alias)] as const),
  );
});

test("the view and React draw the same, in light and dark", async () => {
  const view = await bundle(VIEW, {});
  const faults: string[] = [];
  for (const theme of themes) {
    const ours = await open(view, theme);
    const expected = await drawAll(ours);
    assert.ok(expected.length > 8 && expected.every(({ elements }) => elements.length > 4));
    for (const [framework, script] of scripts) {
      const opened = await open(script, theme);
      const { page } = opened;
      const given = await drawAll(opened);
      assert.equal(given.length, expected.length);
      if (JSON.stringify(given) !== JSON.stringify(expected)) {
        const whole = await drawAll(await open(view, theme), true);
        const theirs = await drawAll(await open(script, theme), true);
        whole.forEach(({ name, elements }, at) => {
          const found = differences(elements, theirs[at]?.elements ?? []);
          faults.push(...found.map((line) => `${framework} ${theme}, ${name}: ${line}`));
        });
        assert.ok(faults.length > 0, `${framework} ${theme}: a difference that cannot be told`);
      }
      if (framework === "React 19") {
        const { ours: barriers } = await audit(page.mainFrame());
        faults.push(...barriers.map((line) => `${theme}: axe: ${line}`));
        for (const width of [700, 320]) {
          await page.setViewportSize({ width, height: 900 });
          await settled(page);
          await page.screenshot({ path: `${shots}${theme}-${width}.png`, fullPage: true });
          const wide = await page.evaluate(() => document.documentElement.scrollWidth);
          if (wide > width) faults.push(`${theme}: ${wide} px wide in ${width} px`);
        }
      }
      faults.push(...opened.faults.map((line) => `${framework} ${theme}: ${line}`));
    }
  }
  assert.deepEqual(faults, []);
});

for (const framework of Object.keys(FRAMEWORKS)) {
  const script = () => scripts.find(([name]) => name === framework)?.[1] ?? "";

  test(`a form on ${framework}: its values, its button, the keyboard`, async () => {
    const { page, faults } = await open(script(), "light");
    await page.evaluate(() => window.show("form"));
    const sent = () => page.evaluate(() => window.sent);
    await page.getByRole("button", { name: "Send" }).click();
    assert.deepEqual(await sent(), [], "a required field is empty");
    await page.getByLabel("Name").fill("Ada");
    assert.equal(await page.locator("output").textContent(), "Ada");
    await page.getByLabel("Age").fill("36");
    await page.getByLabel("Agree").check();
    await page.getByLabel("blue").check();
    await page.getByRole("button", { name: "Leeren" }).click();
    await page.getByText("Tag wählen").waitFor();
    await page.getByLabel("Day").fill("2026-03-09");
    const select = page.getByRole("combobox", { name: "Value" });
    const focused = () => page.evaluate(() => document.activeElement?.tagName);
    await page.getByRole("button", { name: "Send" }).click();
    assert.deepEqual([await focused(), await sent()], ["BUTTON", []], "nothing is chosen");
    await select.focus();
    await page.keyboard.press("ArrowDown");
    await page.getByPlaceholder("Suche").waitFor();
    await page.keyboard.type("value 1");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    assert.equal(await select.textContent(), "Value 10");
    // Whoever leaves the list closes it.
    await select.click();
    await page.getByLabel("Age").focus();
    assert.equal(await page.getByRole("listbox").count(), 0);
    await page.keyboard.press("Enter");
    assert.deepEqual([await focused(), await sent()], ["SELECT", []], "nor here");
    await page.getByLabel("Size").selectOption("l");
    await page.getByLabel("Age").press("Enter");
    const values = {
      name: "Ada",
      age: 36,
      agree: true,
      colour: "blue",
      value: "v10",
      size: "l",
      day: "2026-03-09",
    };
    assert.deepEqual(await sent(), [values]);
    const button = page.getByRole("button", { name: "Send" });
    await page.locator("button[data-submit][aria-busy=true]").waitFor();
    await button.click();
    assert.equal((await sent()).length, 1, "it is sent once while it is pending");
    await page.evaluate(() => window.finish());
    await page.locator("button[data-submit]:not([aria-busy])").waitFor();
    assert.deepEqual((await audit(page.mainFrame())).ours, []);
    assert.deepEqual(faults, []);
  });

  test(`a card on ${framework} shows how its call stands`, async () => {
    const { page, faults } = await open(script(), "dark");
    const shows = async (state: Parameters<typeof window.showState>[0], text: RegExp) => {
      await page.evaluate((given) => window.showState(given), state);
      await page.getByText(text).waitFor();
    };
    await shows({ status: "waiting", input: { order_id: "A 7" } }, /The call/);
    assert.equal(await page.locator("[aria-busy=true]").textContent(), "The call");
    await shows({ status: "failed", error: { message: "No such order" } }, /No such order/);
    assert.equal(await page.getByRole("alert").count(), 1);
    await shows({ status: "cancelled", reason: "by you" }, /Cancelled: by you/);
    await shows({ status: "done" }, /It is done\./);
    await page.getByRole("heading", { name: "The call" }).waitFor();
    assert.deepEqual(faults, []);
  });

  test(`on ${framework} a policy without inline styles changes nothing, and links go to the host`, async () => {
    const { page, faults } = await open(script(), "light", STRICT);
    await page.evaluate(() => {
      const calls: unknown[] = [];
      Object.assign(window, { calls });
      Object.assign(window.openai as object, {
        openExternal: (link: unknown) => calls.push(link),
      });
      window.show("parts");
    });
    const button = page.getByRole("button", { name: "Wait" });
    await button.click();
    await page.locator("button[aria-busy=true]").waitFor();
    const { radius, display } = await button.evaluate((one) => ({
      radius: getComputedStyle(one).borderRadius,
      display: getComputedStyle(one.parentElement as Element).display,
    }));
    assert.deepEqual([radius, display], ["9px", "contents"]);
    await page.getByRole("button", { name: "Mehr" }).click();
    await page.getByRole("button", { name: "Weniger", expanded: true }).waitFor();
    await page.getByRole("link").click();
    await page.waitForFunction(() => (window as unknown as { calls: unknown[] }).calls.length);
    const calls = await page.evaluate(() => (window as unknown as { calls: unknown[] }).calls);
    assert.deepEqual(calls, [{ href: "https://example.com/x" }]);
    assert.ok(
      faults.every((line) => /Content Security Policy/.test(line)),
      faults.join("\n"),
    );
  });
}
