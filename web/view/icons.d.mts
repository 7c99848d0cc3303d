/** Writes `icon-data.json`. */
export function writePageIcons(): Promise<void>;
/** The contents of `icons.tsv`. */
export function allIcons(): string;
