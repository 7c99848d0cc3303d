// The official conformance suite in front of a server, and in front of the same server behind `widgetcast wrap`:
// every check must have the same outcome.
//
//     node relayed.mjs [binary]
//
// The server is the example of conformance.mjs, since it has what the suite asks for.

import { Tally, binary, brief, finish, must, start } from "./server.mjs";
import { EXAMPLE, LEGACY, MODERN, suite } from "./suite.mjs";

/** The outcomes of a scenario, whatever the order of its checks. */
const outcomes = (checks = []) => checks.map(({ id, status }) => `${id} ${status}`).sort();

/** Whether they are the same. The relay has sessions, so it passes what a server without them skips. */
const isSame = (want, got) =>
  want.length === got.length &&
  want.every((one, index) => one === got[index] || one.replace(/SKIPPED$/, "SUCCESS") === got[index]);

/** What a check that differs has to say. */
const faults = (checks = []) =>
  checks
    .filter(({ status }) => status !== "SUCCESS")
    .map(({ id, status, errorMessage }) => `${id} ${status}: ${brief(errorMessage ?? "")}`);

async function compare(revision) {
  const tally = new Tally(`relayed, ${revision}`);
  // Each side has a server of its own: some scenarios change it.
  const [alone, behind] = await Promise.all([0, 1].map(() => start([EXAMPLE, "--http", "127.0.0.1:PORT"])));
  const relay = await start([binary, "wrap", "--http", "127.0.0.1:PORT", behind.url]);
  const run = ({ url }) => suite("--url", url, "--requirements", revision);
  const [direct, wrapped] = await Promise.all([run(alone), run(relay)]);
  await Promise.all([relay.stop(), alone.stop(), behind.stop()]);
  must(Object.keys(direct.scenarios).length > 20, `the suite did not run: ${brief(direct.output)}`);
  for (const scenario of new Set([direct, wrapped].flatMap(({ scenarios }) => Object.keys(scenarios)))) {
    const [want, got] = [direct, wrapped].map(({ scenarios }) => outcomes(scenarios[scenario]));
    await tally.check(scenario, () =>
      must(isSame(want, got), `${faults(wrapped.scenarios[scenario]).join("; ")} instead of ${want.join(", ")}`),
    );
  }
  console.log(tally.line());
  return tally;
}

finish("relayed", await Promise.all([MODERN, LEGACY].map(compare)));
