/** Writes ui.js and icons.js into a folder. */
export function bundleUi(outdir: string): Promise<void>;
