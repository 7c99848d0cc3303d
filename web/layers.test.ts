// The layers of the web packages, read from their imports and compared with DESIGN.md, as
// crates/cli/tests/architecture.rs does for Rust. Imports of types count like all others.

import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

const web = dirname(fileURLToPath(import.meta.url));
const read = (path: string) => readFileSync(join(web, path), "utf8");
const { compilerOptions } = JSON.parse(read("tsconfig.json"));
const paths = Object.entries(compilerOptions.paths as Record<string, [string]>);

const [, block = ""] = /```web-rooms\n(.*?)```/s.exec(read("../DESIGN.md")) ?? [];
/** The rooms of a folder in groups from left to right, by its name in DESIGN.md. */
const picture = new Map(
  block
    .trim()
    .split("\n")
    .map((line): [string, string[][]] => {
      const [folder = "", rooms = ""] = line.split(": ");
      return [folder, rooms.split("|").map((group) => group.trim().split(/\s+/))];
    }),
);
const packages = picture.get("web")?.flat() ?? [];
const shared = picture.get("shared")?.flat() ?? [];

/** The part of a path below a folder that names its room; empty if it is elsewhere. */
function roomOf(folder: string, path: string): string {
  const top = `${folder}/`;
  const [room = ""] = `web/${path}`.startsWith(top)
    ? `web/${path}`.slice(top.length).split("/")
    : [];
  return room.replace(/\.tsx?$/, "");
}
const packageOf = (path: string) => roomOf("web", path);

/** The files of all packages, without tests, as paths below web. */
const files = packages.flatMap((name) =>
  readdirSync(join(web, name, "src"), { recursive: true, encoding: "utf8" })
    .filter((path) => /\.tsx?$/.test(path))
    .map((path) => `${name}/src/${path}`),
);
const known = new Set(files);

interface Import {
  from: string;
  /** As it is written. */
  name: string;
  /** A path below web; without the ending if it is none of `files`. */
  to: string;
}

/** The path that a name leads to; none if it is a package of others. */
function target(from: string, name: string): string | undefined {
  let path: string | undefined;
  if (name.startsWith(".")) path = join(dirname(from), name.replace(/\.js$/, ""));
  for (const [alias, [to]] of paths) {
    const [head = "", tail] = alias.split("*");
    if (tail === undefined ? name === alias : name.startsWith(head))
      path = join(to.replace("*", name.slice(head.length)));
  }
  const endings = ["", ".ts", ".tsx", "/index.ts"];
  return path && (endings.map((ending) => path + ending).find((one) => known.has(one)) ?? path);
}

const STATEMENT = /^(?:import|export)\s(?:[^"';]*?\sfrom\s)?"([^"]+)"|\bimport\("([^"]+)"\)/gm;
const imports = files.flatMap((from): Import[] =>
  [...read(from).matchAll(STATEMENT)].flatMap(([, plain, dynamic]) => {
    const name = plain ?? dynamic ?? "";
    const to = target(from, name);
    return to ? [{ from, name, to }] : [];
  }),
);
const show = (found: Import[]) => found.map(({ from, name }) => `${from} -> ${name}`);

test("imports were read", () => {
  assert.ok(files.length > 150 && imports.length > 500, `${files.length}, ${imports.length}`);
});

test("DESIGN.md lists every package and every room", () => {
  const { workspaces } = JSON.parse(read("package.json"));
  assert.deepEqual([...packages].sort(), [...workspaces].sort());
  for (const name of packages) assert.ok(picture.has(`web/${name}/src`), `web/${name}/src`);
  for (const [folder, groups] of picture) {
    if (!folder.startsWith("web/")) continue;
    const rooms = new Set(files.map((path) => roomOf(folder, path)).filter(Boolean));
    assert.deepEqual(groups.flat().sort(), [...rooms].sort(), folder);
  }
});

test("a room uses nothing to its right", () => {
  const found: Import[] = [];
  for (const [folder, groups] of picture) {
    const rank = (path: string) =>
      groups.findIndex((group) => group.includes(roomOf(folder, path)));
    found.push(...imports.filter(({ from, to }) => rank(from) >= 0 && rank(to) > rank(from)));
  }
  assert.deepEqual(show(found), []);
});

test("packages of the same group do not import each other", () => {
  const groupOf = (path: string) =>
    picture.get("web")?.find((group) => group.includes(packageOf(path)));
  const found = imports.filter(
    ({ from, to }) => packageOf(from) !== packageOf(to) && groupOf(from) === groupOf(to),
  );
  assert.deepEqual(show(found), []);
});

test("packages import each other through their entry points, or a shared module", () => {
  const found = imports.filter(
    ({ from, name, to }) =>
      name.startsWith(".") &&
      packages.includes(packageOf(to)) &&
      packageOf(from) !== packageOf(to) &&
      !shared.some((path) => to === path || to.startsWith(`${path}/`)),
  );
  assert.deepEqual(show(found), []);
});

test("no files import each other in a circle", () => {
  const reachable = (from: string) => {
    const seen = new Set<string>();
    const next = [from];
    for (let at = next.pop(); at; at = next.pop())
      for (const { to } of imports.filter((one) => one.from === at))
        if (!seen.has(to)) {
          seen.add(to);
          next.push(to);
        }
    return seen;
  };
  const reaches = new Map(files.map((file) => [file, reachable(file)]));
  const found = imports.filter(({ from, to }) => reaches.get(to)?.has(from));
  assert.deepEqual(show(found), []);
});
