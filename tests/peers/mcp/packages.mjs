// The npm packages and a bundle as they are packed: installed or unpacked into an empty directory, with an
// empty home and without a network, and driven by the official client.
//
//     node packages.mjs [binary]

import { execFileSync, spawn, spawnSync } from "node:child_process";
import { chmodSync, cpSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { Tally, binary, brief, finish, here, must, root, sleep, widget } from "./server.mjs";

const TOOL = "flight_tracker";
const PATIENCE = 60_000; // milliseconds that a server may take to end
const version = readFileSync(join(root, "Cargo.toml"), "utf8").match(/^version = "(.+)"$/m)[1];

const place = mkdtempSync(join(tmpdir(), "widgetcast-packages-"));
process.on("exit", () => rmSync(place, { recursive: true, force: true }));
const at = (...path) => join(place, ...path);
for (const dir of ["home", "packed", "user", "other"]) mkdirSync(at(dir));
cpSync(join(root, "crates/cli/widgets"), at("user/widgets"), { recursive: true });

/** Nothing of this machine but Node and the shell. */
const env = {
  HOME: at("home"),
  PATH: [dirname(process.execPath), "/usr/bin", "/bin"].join(delimiter),
  npm_config_offline: "true",
  npm_config_audit: "false",
  npm_config_fund: "false",
  npm_config_loglevel: "error",
};
const run = (command, args, options) => execFileSync(command, args, { encoding: "utf8", stdio: "pipe", env, ...options });

/** Starts a server as a client does, calls a tool, and ends it. */
async function drive(tally, command, args, cwd, reported = version) {
  const client = new Client({ name: "widgetcast-peers", version: "1.0.0" });
  const transport = new StdioClientTransport({ command, args, cwd, env, stderr: "pipe" });
  let log = "";
  transport.stderr.on("data", (bytes) => (log = (log + bytes).slice(-4_000)));
  await tally.check("initialize", async () => {
    await client.connect(transport);
    must(client.getServerVersion().version === reported, brief(client.getServerVersion()));
  });
  await tally.check("tools/list", async () => {
    const { tools } = await client.listTools();
    must(tools.some(({ name }) => name === TOOL), brief(tools.map(({ name }) => name)));
  });
  await tally.check("tools/call", async () => {
    const { sample } = widget(join(root, "crates/cli/widgets"), TOOL);
    const result = await client.callTool({ name: TOOL, arguments: sample });
    must(!result.isError && result.content[0].text.includes(sample.flight_number), brief(result));
  });
  await tally.check("close", () => client.close());
  if (tally.failed && log) console.error(log);
}

/** A copy without debug information, which is most of a debug build. */
function stripped() {
  run("strip", ["-o", at("widgetcast"), binary]);
  return at("widgetcast");
}

async function npm() {
  const tally = new Tally("npm");
  const build = (...args) => run(process.execPath, [join(root, "packaging/npm/build.mjs"), ...args], { env: process.env });
  const unpacked = (file) => JSON.parse(run("tar", ["-xzOf", at("packed", file), "package/package.json"]));

  await tally.check("pack", () => build("--binary", stripped(), "--out", at("packed")));
  const packed = readdirSync(at("packed"));
  await tally.check("install, offline and with an empty home", () => {
    must(packed.length === 2, brief(packed));
    run("npm", ["install", ...packed.map((file) => at("packed", file))], { cwd: at("user") });
  });
  await tally.check("the packages run nothing when installed", () => {
    for (const file of packed) must(!unpacked(file).scripts, file);
  });
  await tally.check("npx widgetcast --version", () => {
    const said = run("npx", ["widgetcast", "--version"], { cwd: at("user") });
    must(said.trim() === `widgetcast ${version}`, said);
  });
  await drive(tally, "npx", ["widgetcast", "serve", "--stdio", "./widgets"], at("user"));

  const launcher = at("user/node_modules/.bin/widgetcast");
  await tally.check("the exit code is passed on", () => {
    const { status, stderr } = spawnSync(launcher, ["list", "nowhere"], { cwd: at("user"), env, encoding: "utf8" });
    must(status === 2 && stderr.includes("nowhere"), `${status}: ${stderr}`);
  });
  await tally.check("the gallery is served, and SIGTERM ends it", async () => {
    // A group of its own, so that the binary can be ended if the launcher does not do it.
    const options = { cwd: at("user"), env, stdio: ["ignore", "ignore", "pipe"], detached: true };
    const child = spawn(launcher, ["serve", "--http", "127.0.0.1:0"], options);
    const exit = new Promise((done) => child.once("exit", (code, signal) => done(code ?? signal)));
    const address = await new Promise((served, failed) => {
      let said = "";
      child.stderr.on("data", (bytes) => {
        said += bytes;
        const found = /http:\/\/127\.0\.0\.1:\d+(?=\D)/.exec(said);
        if (found) served(found[0]);
      });
      exit.then((code) => failed(new Error(`ended with ${code}: ${said}`)));
    });
    const page = await (await fetch(address)).text();
    must(/^\s*<!doctype html>/i.test(page), brief(page));
    // Its standard error is closed once the binary has ended too.
    const closed = new Promise((done) => child.once("close", () => done(true)));
    child.kill("SIGTERM");
    const ended = await Promise.race([closed, sleep(PATIENCE)]);
    if (!ended) process.kill(-child.pid, "SIGKILL");
    must(ended && (await exit) === 0, `ended with ${await exit}`);
  });

  // What other machines get, with a script in the place of the binary.
  const stand = at("stand-in");
  writeFileSync(stand, '#!/bin/sh\n[ "$1" = die ] && kill -KILL $$\necho "stand-in $*"\nexit 7\n');
  chmodSync(stand, 0o755);
  await tally.check("a signal that ends the binary becomes the exit code", () => {
    const { status } = spawnSync(launcher, ["die"], { env: { ...env, WIDGETCAST_BINARY: stand } });
    must(status === 128 + 9, status);
  });
  await tally.check("WIDGETCAST_BINARY is started instead", () => {
    const { status, stdout } = spawnSync(launcher, ["a b", "c"], { env: { ...env, WIDGETCAST_BINARY: stand }, encoding: "utf8" });
    must(status === 7 && stdout === "stand-in a b c\n", `${status}: ${stdout}`);
  });
  const { platforms } = JSON.parse(readFileSync(join(root, "packaging/project.json"), "utf8"));
  const [main] = packed.filter((file) => !file.startsWith("widgetcast-cli-"));
  await tally.check("every platform has a package at this very version", () => {
    const { optionalDependencies, mcpName } = unpacked(main);
    must(mcpName, "no mcpName");
    must(Object.keys(optionalDependencies).length === platforms.length, brief(optionalDependencies));
    must(Object.values(optionalDependencies).every((one) => one === version), brief(optionalDependencies));
  });
  await tally.check("pack for another platform", () => {
    const target = "aarch64-unknown-linux-musl";
    const [same, file] = build("--binary", stand, "--out", at("other"), "--target", target).trim().split("\n");
    must(readFileSync(at("other", same)).equals(readFileSync(at("packed", main))), "another launcher");
    const { name, os, cpu, libc } = JSON.parse(run("tar", ["-xzOf", at("other", file), "package/package.json"]));
    must(brief([name, os, cpu, libc]) === '["@widgetcast/cli-linux-arm64-musl",["linux"],["arm64"],["musl"]]', brief([name, os, cpu, libc]));
  });
  for (const platform of platforms) {
    await tally.check(`the launcher on ${platform.target}`, () => {
      const { os, cpu, libc } = platform;
      const name = `@widgetcast/cli-${os}-${cpu}${libc === "musl" ? "-musl" : ""}`;
      must(name in unpacked(main).optionalDependencies, `${name} is not a dependency`);
      const modules = at("other", platform.target, "node_modules");
      cpSync(at("user/node_modules/widgetcast"), join(modules, "widgetcast"), { recursive: true });
      const missing = pretend(platform, join(modules, "widgetcast/bin/widgetcast"));
      must(missing.status === 2 && missing.stderr.includes(`${name} ${version} is not installed`), missing.stderr);
      cpSync(stand, join(modules, name, "bin", os === "win32" ? "widgetcast.exe" : "widgetcast"));
      const { status, stdout, stderr } = pretend(platform, join(modules, "widgetcast/bin/widgetcast"));
      must(status === 7 && stdout === "stand-in list\n", `${status}: ${stdout}${stderr}`);
    });
  }
  await tally.check("a platform without a binary is named", () => {
    const { status, stderr } = pretend({ os: "sunos", cpu: "mips" }, at("user/node_modules/widgetcast/bin/widgetcast"));
    must(status === 2 && stderr.includes("no binary for sunos-mips"), `${status}: ${stderr}`);
  });
  console.log(tally.line());
  return tally;
}

/** Runs the launcher as Node of another platform would. */
function pretend({ os, cpu, libc }, launcher) {
  const header = JSON.stringify(libc === "glibc" ? { glibcVersionRuntime: "2.36" } : {});
  const shim = at("pretend.cjs");
  writeFileSync(
    shim,
    `Object.defineProperty(process, "platform", { value: "${os}" });
Object.defineProperty(process, "arch", { value: "${cpu}" });
process.report.getReport = () => ({ header: ${header} });\n`,
  );
  return spawnSync(process.execPath, ["--require", shim, launcher, "list"], { env, encoding: "utf8" });
}

/** The bundle that `widgetcast bundle` makes, by the official tool, and started as its manifest says. */
async function mcpb() {
  const tally = new Tally("mcpb");
  const tool = (...args) => run(process.execPath, [join(here, "node_modules/@anthropic-ai/mcpb/dist/cli/cli.js"), ...args]);
  await tally.check("bundle", () => run(at("widgetcast"), ["bundle", "widgets", "-o", "shop.mcpb"], { cwd: at("user") }));
  await tally.check("mcpb unpack", () => tool("unpack", at("user/shop.mcpb"), at("bundle")));
  await tally.check("mcpb validate", () => {
    const said = tool("validate", at("bundle/manifest.json"));
    must(said.includes("Manifest schema validation passes"), said);
  });
  const { name, tools, server } = JSON.parse(readFileSync(at("bundle/manifest.json"), "utf8"));
  await tally.check("the manifest lists the tools", () => {
    must(name === "shop" && tools.some((tool) => tool.name === TOOL), brief({ name, tools }));
  });
  const inBundle = (text) => text.replaceAll("${__dirname}", at("bundle"));
  const { command, args } = server.mcp_config;
  await drive(tally, inBundle(command), args.map(inBundle), at("home"), "1.0.0");
  console.log(tally.line());
  return tally;
}

finish("packages.mjs", [await npm(), await mcpb()]);
