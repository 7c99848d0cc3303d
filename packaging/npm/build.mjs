// Packs the npm packages: `widgetcast`, which starts the binary, and the one that holds it.
//
//     node build.mjs --binary PATH --out DIR [--target TRIPLE]
//
// The target is that of the Rust compiler, by default this machine's. `widgetcast` is the same for all
// targets, byte for byte. No package runs a script when it is installed.

import { execFileSync } from "node:child_process";
import { chmodSync, copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";

const here = import.meta.dirname;
const root = resolve(here, "../..");
const json = (path) => JSON.parse(readFileSync(path, "utf8"));
const { mcpName, platforms } = json(join(here, "../project.json"));

/** A value of a Cargo.toml that stands on a line of its own. */
const cargo = (path, key) => readFileSync(join(root, path), "utf8").match(new RegExp(`^${key} = "(.+)"$`, "m"))[1];
const common = {
  version: cargo("Cargo.toml", "version"),
  description: cargo("crates/cli/Cargo.toml", "description"),
  license: cargo("Cargo.toml", "license"),
};

const host = () => execFileSync("rustc", ["-vV"], { encoding: "utf8" }).match(/^host: (.+)$/m)[1];
const nameOf = ({ os, cpu, libc }) => `@widgetcast/cli-${os}-${cpu}${libc === "musl" ? "-musl" : ""}`;

/** Writes a package to a directory, with what `fill` adds to it. */
function write(dir, manifest, fill) {
  mkdirSync(join(dir, "bin"), { recursive: true });
  writeFileSync(join(dir, "package.json"), JSON.stringify(manifest, null, 2));
  for (const license of ["LICENSE-APACHE", "LICENSE-MIT"]) copyFileSync(join(root, license), join(dir, license));
  fill(dir);
}

const { values } = parseArgs({
  options: { binary: { type: "string" }, out: { type: "string" }, target: { type: "string" } },
});
const target = values.target ?? host();
const platform = platforms.find((row) => row.target === target);
if (!values.binary || !values.out || !platform) {
  const targets = platforms.map((row) => row.target).join(", ");
  console.error(`usage: build.mjs --binary PATH --out DIR [--target TRIPLE]\ntargets: ${targets}`);
  process.exit(2);
}
const out = resolve(values.out);
mkdirSync(out, { recursive: true });

const { os, cpu, libc } = platform;
const name = nameOf(platform);
const platformManifest = {
  name,
  ...common,
  description: `The binary of widgetcast for ${name.replace("@widgetcast/cli-", "")}`,
  files: ["bin"],
  os: [os],
  cpu: [cpu],
  ...(libc && { libc: [libc] }),
  preferUnplugged: true, // Yarn would leave it in an archive, from which nothing can be started.
};
const mainManifest = {
  name: "widgetcast",
  ...common,
  mcpName,
  keywords: ["mcp", "mcp-server", "mcp-apps", "chatkit", "widget"],
  bin: { widgetcast: "bin/widgetcast" },
  files: ["bin"],
  engines: { node: ">=20" },
  optionalDependencies: Object.fromEntries(platforms.map((row) => [nameOf(row), common.version])),
};

const staging = mkdtempSync(join(tmpdir(), "widgetcast-npm-"));
try {
  write(join(staging, "main"), mainManifest, (dir) => {
    copyFileSync(join(here, "bin/widgetcast"), join(dir, "bin/widgetcast"));
    copyFileSync(join(here, "../package.md"), join(dir, "README.md"));
  });
  write(join(staging, "platform"), platformManifest, (dir) => {
    const binary = join(dir, "bin", os === "win32" ? "widgetcast.exe" : "widgetcast");
    copyFileSync(values.binary, binary);
    chmodSync(binary, 0o755);
    const { description } = platformManifest;
    writeFileSync(join(dir, "README.md"), `# ${name}\n${description}: install \`widgetcast\`, which chooses it.\n`);
  });
  const pack = ["pack", "--silent", "--pack-destination", out, "./main", "./platform"];
  execFileSync("npm", pack, { cwd: staging, stdio: ["ignore", "inherit", "inherit"] });
} finally {
  rmSync(staging, { recursive: true, force: true });
}
