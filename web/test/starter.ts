// What `widgetcast new --app` writes, in an empty directory and with the packages as they are packed:
// it builds, passes its own tests, and an edit of its page shows in the gallery without losing state.

import assert from "node:assert/strict";
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";

const root = resolve(dirname(fileURLToPath(import.meta.url)), "../..");
const binary = resolve(process.env.WIDGETCAST_BIN ?? join(root, "target/debug/widgetcast"));
const executablePath = process.env.CHROMIUM ?? "/usr/bin/chromium";
const target = resolve(process.env.CARGO_TARGET_DIR ?? join(root, "target"));
const env = {
  ...process.env,
  CARGO_TARGET_DIR: target,
  CARGO_NET_OFFLINE: "true",
  CHROMIUM: executablePath,
};

let dir: string;
const started: ChildProcess[] = [];
const at = (...path: string[]) => join(dir, ...path);

function run(command: string, args: string[], cwd: string): string {
  try {
    return execFileSync(command, args, { cwd, env, encoding: "utf8", stdio: "pipe" });
  } catch (error) {
    const { stdout, stderr } = error as { stdout: string; stderr: string };
    throw new Error(`${command} ${args.join(" ")} failed:\n${stdout}\n${stderr}`);
  }
}

/** Starts a program, and gives what it says once that matches. */
function start(command: string, args: string[], cwd: string, more: object, wanted: RegExp) {
  // A group of its own, so that what npm starts ends with it.
  const child = spawn(command, args, { cwd, env: { ...env, ...more }, detached: true });
  started.push(child);
  return new Promise<string>((found, failed) => {
    let said = "";
    const listen = (bytes: Buffer) => {
      said += bytes;
      const match = wanted.exec(said);
      if (match) found(match[1] ?? "");
    };
    child.stdout.on("data", listen);
    child.stderr.on("data", listen);
    child.on("exit", () => failed(new Error(`${command} ended: ${said}`)));
  });
}

const freePort = () =>
  new Promise<number>((found) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const { port } = server.address() as { port: number };
      server.close(() => found(port));
    });
  });

before(() => {
  dir = mkdtempSync(join(tmpdir(), "widgetcast-app-"));
  // With the settings by which most of their dependencies are built already.
  mkdirSync(at(".cargo"));
  writeFileSync(at(".cargo/config.toml"), '[profile.dev]\ndebug = "line-tables-only"\n');
  run("npm", ["run", "pack"], join(root, "web"));
});
after(() => {
  for (const { pid } of started)
    try {
      if (pid) process.kill(-pid);
    } catch {
      // It has ended.
    }
  rmSync(dir, { recursive: true, force: true });
});

/** Everything that no author would put into a project: paths of this machine, marks of the starter. */
const strange = (text: string) =>
  text.includes(dir) || text.includes(root) || /\bAPP_(SDK|NPM|NAME|CRATE|EXT)/.test(text);

test("it is written", () => {
  mkdirSync(at("released"));
  for (const [name, page] of [
    ["orders", "react"],
    ["plain-orders", "plain"],
  ] as const) {
    const args = ["new", "--app", name, "--page", page];
    run(binary, args, at("released"));
    const files = readdirSync(at("released", name), { recursive: true, withFileTypes: true });
    for (const file of files.filter((one) => one.isFile()))
      assert.ok(!strange(readFileSync(join(file.parentPath, file.name), "utf8")), file.name);
    // Nothing is published while this runs, so what is built has its packages from here.
    run(binary, [...args, "--from-checkout", root], dir);
    copyFileSync(join(root, "Cargo.lock"), at(name, "Cargo.lock"));
  }
});

test("the server passes its own tests, before npm has run", () => {
  assert.match(run("cargo", ["test", "--quiet"], at("orders")), /2 passed/);
});

test("the packages install, the page is built and passes its own tests", () => {
  const types = readFileSync(at("orders/web/tools.d.ts"), "utf8");
  const install = ["install", "--no-audit", "--no-fund", "--prefer-offline", "--loglevel=error"];
  run("npm", install, at("orders/web"));
  assert.match(run("npm", ["test"], at("orders/web")), /3 passed/);
  assert.equal(readFileSync(at("orders/web/tools.d.ts"), "utf8"), types, "those that were written");
});

test("so is the page without a framework", () => {
  // Its packages are some of those that the other has.
  symlinkSync(at("orders/web/node_modules"), at("plain-orders/web/node_modules"));
  assert.match(run("npm", ["test"], at("plain-orders/web")), /3 passed/);
});

test("an edit of the page shows in the gallery, and its state stays", async () => {
  const port = await freePort();
  const vite = ["run", "dev", "--", "--port", String(port)];
  const dev = await start("npm", vite, at("orders/web"), {}, /\.dev\("([^"]+)"\)/);
  assert.equal(dev, `http://localhost:${port}`);
  const more = { PAGES_DEV: dev, WIDGETCAST_HTTP: "127.0.0.1:0" };
  const open = /in a browser: (\S+)/;
  const address = await start(join(target, "debug/orders"), [], at("orders"), more, open);

  const browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] });
  try {
    const page = await browser.newPage();
    const refused: string[] = [];
    page.on("console", (message) => {
      if (/Content Security Policy|CORS/.test(message.text())) refused.push(message.text());
    });
    await page.goto(`${address}#/stats`);
    await page.getByRole("button", { name: "Run" }).first().click();
    await page.getByRole("button", { name: "Show only Claude" }).click();
    const view = page.frameLocator("iframe").frameLocator("iframe");
    const count = async (wanted: number) => {
      const rows = `tbody:has(> tr:nth-child(${wanted})):not(:has(> tr:nth-child(${wanted + 1})))`;
      await view.locator(rows).waitFor({ state: "attached" });
    };
    // The tool is called for real, and the state goes to the server.
    await view.getByLabel("Days").selectOption("14");
    await count(14);
    await view.getByLabel("Closed").uncheck();
    await view.getByRole("columnheader", { name: "Closed" }).waitFor({ state: "detached" });

    const file = at("orders/web/pages/stats.tsx");
    const code = readFileSync(file, "utf8");
    writeFileSync(file, code.replace('title="Tickets per day"', 'title="Tickets, edited"'));
    await view.getByRole("heading", { name: "Tickets, edited" }).waitFor();
    await count(14);
    assert.equal(await view.getByLabel("Closed").isChecked(), false);

    // A style of its own wins over those of the components, and is replaced in its place too.
    const css = at("orders/web/pages/stats.css");
    const size = () =>
      view.getByRole("heading").evaluate((heading) => getComputedStyle(heading).fontSize);
    for (const wanted of ["31px", "30px"]) {
      writeFileSync(css, `h1, h2 { font-size: ${wanted} }\n`);
      if (!readFileSync(file, "utf8").startsWith('import "./stats.css"'))
        writeFileSync(file, `import "./stats.css";\n${readFileSync(file, "utf8")}`);
      for (let tries = 0; tries < 3000 && (await size()) !== wanted; tries += 1)
        await page.waitForTimeout(20);
      assert.equal(await size(), wanted);
    }
    await count(14);
    assert.deepEqual(refused, []);
  } finally {
    await browser.close();
  }
});
