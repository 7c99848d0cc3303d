/** Writes `src/icon-data.json`, and `icons.json` in `outDir` if there is one. */
export function buildIcons(outDir?: string): Promise<void>;
