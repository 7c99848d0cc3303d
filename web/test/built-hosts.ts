// `@widgetcast/test` as its users have it: built, in a directory of its own, because other tests build the
// package at the same time.

import { mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build } from "esbuild";
import type { Hosts } from "../playwright/src/index";

/** The hosts, in a browser of their own. `close` takes both away. */
export async function builtHosts(): Promise<{ hosts: Hosts; close(): Promise<void> }> {
  const root = fileURLToPath(new URL("../playwright", import.meta.url));
  const outdir = mkdtempSync(join(root, ".built-"));
  const common = { absWorkingDir: root, bundle: true, outdir, logLevel: "error" as const };
  await build({
    ...common,
    entryPoints: ["src/index.ts"],
    platform: "node",
    format: "esm",
    packages: "external",
  });
  await build({ ...common, entryPoints: ["src/host-page.ts"], minify: true, format: "iife" });
  process.env.CHROMIUM ??= "/usr/bin/chromium";
  const module = (await import(
    pathToFileURL(join(outdir, "index.js")).href
  )) as typeof import("../playwright/src/index");
  const hosts = await module.Hosts.start();
  return {
    hosts,
    async close() {
      await hosts.close();
      rmSync(outdir, { recursive: true, force: true });
    },
  };
}
