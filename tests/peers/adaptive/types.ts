// A second opinion on the elements that are newer than the renderer (Icon, Badge, ProgressBar, charts):
// the types of Microsoft's own package for Teams, which has the whole current schema.
//
// Usage: npx tsx adaptive/types.ts <file>, a JSON list of {"name", "card"}, in `tests/peers`.

import { check, read } from "../literals";

const PRELUDE = `
import type { IAdaptiveCard } from "@microsoft/teams.cards";
type Wanted = IAdaptiveCard;
`;

const cases = read(process.argv[2], "card");
const faults = check(PRELUDE, cases);
faults.forEach((fault) => console.error(fault));
console.log(`@microsoft/teams.cards: ${cases.length} cards, ${faults.length} faults`);
process.exitCode = faults.length ? 1 : 0;
