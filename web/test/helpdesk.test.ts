// The page of examples/helpdesk in both kinds of hosts, and its types next to those of its server.

import assert from "node:assert/strict";
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import type { Frame } from "playwright-core";
import type { Hosts, Options } from "../playwright/src/index";
import { describe } from "../vite/src/server";
import { declare } from "../vite/src/types";
import { audit } from "./axe";
import { builtHosts } from "./built-hosts";
import { stats, ticket } from "./helpdesk-sample";

const web = fileURLToPath(new URL("..", import.meta.url));
const example = join(web, "../examples/helpdesk/web");
const shots = join(web, "../target/screenshots/helpdesk");
const KEY = "a-key-for-this-test-alone";

let hosts: Hosts;
let close: () => Promise<void>;
let server: ChildProcess | undefined;
before(async () => {
  mkdirSync(shots, { recursive: true });
  ({ hosts, close } = await builtHosts());
});
after(async () => {
  server?.kill();
  await close?.();
});

/** A host in which reminders never end by themselves. */
function options(more: Partial<Options> = {}): Options {
  let taker: string | undefined;
  return {
    file: join(example, "dist/stats.html"),
    input: {},
    output: stats(7),
    context: { locale: "en-US" },
    tools: {
      stats: ({ days }) => stats(Number(days), taker),
      assign: ({ ticket: id }) => {
        taker = "ada";
        return ticket(Number(id), "Printer on fire", taker);
      },
      remind: async (_, tell) => {
        await tell({ progress: 1, total: 3, message: "Printer on fire" });
        await new Promise(() => {});
      },
    },
    ...more,
  };
}

/** What axe has to say. */
async function barriers(frame: Frame): Promise<string[]> {
  // tsx names functions by a helper that the page does not have.
  await frame.evaluate("globalThis.__name = (value) => value");
  return (await audit(frame)).ours;
}

test("in the AppBridge it filters, reminds, is cancelled and shows a ticket in a dialog", async () => {
  const view = await hosts.appBridge(options());
  const { frame } = view;
  await frame.getByRole("img", { name: "Tickets per day" }).waitFor();
  await frame.getByLabel("Period").selectOption("14");
  await frame.getByText("Mar 14").first().waitFor();

  await frame.getByRole("button", { name: "Remind everybody" }).click();
  await frame.getByText("Reminding of Printer on fire …").waitFor();
  assert.equal(await frame.getByRole("progressbar").getAttribute("value"), "1");
  await frame.getByRole("button", { name: "Cancel" }).click();
  await frame.getByText("Reminding").waitFor({ state: "detached" });
  assert.equal((await view.wait("notifications/cancelled")).length, 1);

  const opener = frame.getByRole("button", { name: "Printer on fire" });
  await opener.click();
  const dialog = frame.getByRole("dialog", { name: "Printer on fire" });
  await dialog.getByText("All about printer on fire.").waitFor();
  assert.deepEqual(await barriers(frame), []);
  await frame.page().keyboard.press("Escape");
  await dialog.waitFor({ state: "detached" });
  assert.equal(await opener.evaluate((one) => one === document.activeElement), true);

  await frame.getByRole("button", { name: "Take it" }).first().click();
  await frame.getByRole("cell", { name: "ada" }).waitFor();
  assert.deepEqual(await view.problems(), []);
});

test("with window.openai the host has the modal, and keeps the period", async () => {
  const view = await hosts.openai(options());
  const { frame } = view;
  await frame.getByLabel("Period").selectOption("30");
  await frame.getByText("Mar 30").first().waitFor();
  assert.deepEqual(await view.calls("setWidgetState"), [[{ days: 30 }]]);
  await frame.getByRole("button", { name: "Remind everybody" }).click();
  await frame.getByText("Reminding …").waitFor();
  assert.equal(await frame.getByRole("button", { name: "Cancel" }).count(), 0);
  await frame.getByRole("button", { name: "New chair" }).click();
  assert.deepEqual(await view.calls("requestModal"), [[{ params: { ticket: 8 } }]]);
  // The host shows the page once more, in the modal.
  await view.change({ view: { mode: "modal", params: { ticket: 8 } } });
  await frame.getByText("All about new chair.").waitFor();
  assert.equal(await frame.getByRole("table").count(), 0);
  assert.deepEqual(await view.problems(), []);
});

test("it is legible in light and dark, wide and narrow", async () => {
  const faults: string[] = [];
  for (const theme of ["light", "dark"]) {
    const { frame } = await hosts.appBridge(options({ context: { theme, locale: "en-US" } }));
    const page = frame.page();
    await page.emulateMedia({ colorScheme: theme as "light", reducedMotion: "reduce" });
    for (const width of [720, 320]) {
      await page.locator("iframe").evaluate((one, px) => {
        one.style.width = `${px}px`;
      }, width);
      await frame.getByRole("img", { name: "Tickets per day" }).waitFor();
      await frame.waitForFunction((px) => innerWidth === px, width);
      const wide = await frame.evaluate(() => document.documentElement.scrollWidth);
      if (wide > width) faults.push(`${theme}: ${wide} px wide in ${width} px`);
      const found = await barriers(frame);
      faults.push(...found.map((line) => `${theme} ${width}: ${line}`));
      await page.locator("iframe").screenshot({ path: join(shots, `${theme}-${width}.png`) });
    }
    await page.close();
  }
  assert.deepEqual(faults, []);
});

test("its types are those of the server, and it compiles with them", async () => {
  const binary = join(web, "../target/debug/helpdesk");
  const env = {
    ...process.env,
    WIDGETCAST_HTTP: "127.0.0.1:0",
    HELPDESK_KEYS: `ada ${KEY} tickets:write tickets:admin`,
  };
  const started = spawn(binary, { env });
  server = started;
  const url = await new Promise<string>((found, failed) => {
    let said = "";
    started.on("error", failed);
    started.on("exit", () => failed(new Error(said)));
    started.stderr.on("data", (bytes) => {
      said += bytes;
      const [, at] = /serving at (\S+)/.exec(said) ?? [];
      if (at) found(at);
    });
  });
  const headers = { authorization: `Bearer ${KEY}` };
  const { tools, csp } = await describe({ url, headers }, web);
  const file = join(example, "tools.d.ts");
  if (process.env.WIDGETCAST_BLESS) writeFileSync(file, declare(tools));
  assert.equal(readFileSync(file, "utf8"), declare(tools), "WIDGETCAST_BLESS=1 writes it");
  assert.deepEqual(csp.get("stats"), {});

  // Inside of the workspace, where the packages are found.
  const folder = mkdtempSync(join(web, ".helpdesk-"));
  try {
    for (const name of ["pages", "tools.d.ts"])
      cpSync(join(example, name), join(folder, name), { recursive: true });
    const { compilerOptions } = JSON.parse(readFileSync(join(example, "tsconfig.json"), "utf8"));
    const { paths } = JSON.parse(readFileSync(join(web, "tsconfig.json"), "utf8")).compilerOptions;
    const up = Object.entries<string[]>(paths).map(([name, [path]]) => [name, [`../${path}`]]);
    const options = { ...compilerOptions, paths: Object.fromEntries(up) };
    const config = { compilerOptions: options, include: ["tools.d.ts", "pages"] };
    writeFileSync(join(folder, "tsconfig.json"), JSON.stringify(config));
    const tsc = join(web, "node_modules/.bin/tsc");
    assert.equal(spawnSync(tsc, ["-p", folder], { encoding: "utf8" }).stdout, "");
  } finally {
    rmSync(folder, { recursive: true });
  }
});
