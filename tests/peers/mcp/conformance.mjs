// The official conformance suite, for the current revision and the last one with sessions.
//
//     node conformance.mjs [binary]
//
// The suite calls tools, prompts and resources with fixed names, so it runs against an example that
// is written with the SDK (crates/widgetcast/examples/conformance.rs): $WIDGETCAST_CONFORMANCE, or
// target/debug/examples/conformance. What needs no such names is asked of the product too, with the
// gallery.
//
// expected-failures.yml lists what we do not offer, with reasons. The suite looks only at scenarios
// that count for its score; here every scenario that it runs counts, a listed failure that does not
// happen is a fault, and so is an entry that names nothing.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Tally, brief, finish, gallery, here, must, serve, start } from "./server.mjs";
import { EXAMPLE, LEGACY, MODERN, suite } from "./suite.mjs";

const EXPECTED = join(here, "expected-failures.yml");

/** What the suite can ask of any server. */
const ANY = [
  [MODERN, "tools-list"],
  [MODERN, "resources-list"],
  [MODERN, "sep-2164-resource-not-found"],
  [MODERN, "completion-complete"],
  [MODERN, "dns-rebinding-protection"],
  [MODERN, "caching"],
  [MODERN, "http-header-validation"],
  [MODERN, "server-sse-multiple-streams"],
  [MODERN, "input-required-result-unsupported-methods"],
  [LEGACY, "server-initialize"],
  [LEGACY, "ping"],
  [LEGACY, "tools-list"],
  [LEGACY, "resources-list"],
  [LEGACY, "completion-complete"],
  [LEGACY, "dns-rebinding-protection"],
];
/** What a folder of widgets cannot pass: it has no prompts, and says so. */
const PRODUCT = ["caching:sep-2549-prompts-list-caching-hints"];

/** The entries of the list: a scenario, or `scenario:check`. */
const expected = readFileSync(EXPECTED, "utf8")
  .split("\n")
  .map((line) => /^\s+- ([^\s#]+)/.exec(line)?.[1])
  .filter(Boolean);
const met = new Set();

const failing = ({ status }) => status === "FAILURE" || status === "WARNING";

/** Compares what happened with the list, check by check. */
function judge(tally, scenarios, list) {
  let known = 0;
  for (const [scenario, checks] of Object.entries(scenarios)) {
    for (const check of checks) {
      // A scenario on the list may fail, but what is sent must fit the schema all the same.
      const excuses = [`${scenario}:${check.id}`, ...(check.id === "wire-schema-valid" ? [] : [scenario])];
      const entry = excuses.find((entry) => list.includes(entry));
      if (check.status === "SUCCESS") tally.passed += 1;
      else if (failing(check) && entry) known += 1;
      else if (failing(check)) tally.fail(scenario, `${check.id}: ${brief(check.errorMessage ?? check.description)}`);
    }
    for (const entry of list.filter((entry) => entry.split(":")[0] === scenario)) {
      met.add(entry);
      const own = checks.filter(({ id }) => id !== "wire-schema-valid");
      const about = entry === scenario ? own : checks.filter(({ id }) => entry === `${scenario}:${id}`);
      const done = about.some(({ status }) => status === "SUCCESS") && !about.some(failing);
      if (done) tally.fail(entry, "passes now; take it off the list");
    }
  }
  return known;
}

const tallies = [];
async function part(title, run) {
  const tally = new Tally(title);
  tallies.push(tally);
  const known = await run(tally);
  console.log(tally.line() + (known ? `, ${known} as listed` : ""));
}

const example = await start([EXAMPLE, "--http", "127.0.0.1:PORT"]);
for (const revision of [MODERN, LEGACY]) {
  await part(`conformance, ${revision}`, async (tally) => {
    const options = ["--url", example.url, "--requirements", revision, "--expected-failures", EXPECTED];
    const { code, output, scenarios } = await suite(...options);
    await tally.check("the suite's own verdict", () =>
      must(code === 0, `exit ${code}\n${output.slice(output.lastIndexOf("Total:"))}`),
    );
    return judge(tally, scenarios, expected);
  });
}
await part("expected-failures.yml", (tally) => {
  for (const entry of expected) {
    if (met.has(entry)) tally.passed += 1;
    else tally.fail(entry, "there is no such scenario");
  }
});
await example.stop();

const product = await serve(gallery());
await part("conformance, the product", async (tally) => {
  let known = 0;
  for (const [revision, scenario] of ANY) {
    const { output, scenarios } = await suite("--url", product.url, "--scenario", scenario, "--spec-version", revision);
    await tally.check(`${scenario}, ${revision}`, () => must(scenarios[scenario]?.length, `it did not run: ${brief(output)}`));
    known += judge(tally, scenarios, PRODUCT);
  }
  return known;
});
await product.stop();
finish("conformance.mjs", tallies);
