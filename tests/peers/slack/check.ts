// A second opinion on Block Kit output: the types of Slack's own TypeScript package.
//
// Usage: npx tsx slack/check.ts <file>, a JSON list whose entries are block lists or {"name", "blocks"},
// in `tests/peers`.

import { check, read } from "../literals";

// @slack/types 3.2.0 has no data_visualization; its documented shape stands in.
const PRELUDE = `
import type { KnownBlock } from "@slack/types";
type Point = { label: string; value: number };
type Visualization = {
  type: "data_visualization"; block_id?: string; title: string;
  chart: {
    type: "bar" | "line" | "area"; series: { name: string; data: Point[] }[];
    axis_config: { categories: string[]; x_label?: string; y_label?: string };
  } | { type: "pie"; segments: Point[] };
};
type Wanted = (KnownBlock | Visualization)[];
`;

const cases = read(process.argv[2], "blocks");
const faults = check(PRELUDE, cases);
faults.forEach((fault) => console.error(fault));
const blocks = cases.reduce((sum, { value }) => sum + (value as unknown[]).length, 0);
console.log(`@slack/types: ${cases.length} cases, ${blocks} blocks, ${faults.length} faults`);
process.exitCode = faults.length ? 1 : 0;
