// The official conformance suite, and what it runs against.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { here, node, root } from "./server.mjs";

const SUITE = join(here, "node_modules/@modelcontextprotocol/conformance/dist/index.js");
export const MODERN = "2026-07-28";
export const LEGACY = "2025-11-25";

/** The example, which `cargo test` builds along; it is not built here, where nobody would see it. */
export const EXAMPLE = resolve(process.env.WIDGETCAST_CONFORMANCE ?? join(root, "target/debug/examples/conformance"));

/** Runs the suite; gives back {code, output, scenarios: {name: checks}}. */
export async function suite(...options) {
  const out = mkdtempSync(join(tmpdir(), "widgetcast-conformance-"));
  const run = spawn(node, [SUITE, "server", ...options, "-o", out], { timeout: 300_000 });
  let output = "";
  for (const stream of [run.stdout, run.stderr]) stream.setEncoding("utf8").on("data", (text) => (output += text));
  const [code] = await once(run, "close");
  const scenarios = {};
  for (const name of readdirSync(out)) {
    const [, scenario] = /^server-(.+)-\d{4}-\d\d-\d\dT[\d-]+Z$/.exec(name) ?? [];
    if (scenario) scenarios[scenario] = JSON.parse(readFileSync(join(out, name, "checks.json"), "utf8"));
  }
  rmSync(out, { recursive: true, force: true });
  return { code, output, scenarios };
}
