/** Writes `icon-data.json`, and `icons.tsv` in `outDir` if there is one. */
export function buildIcons(outDir?: string): Promise<void>;
