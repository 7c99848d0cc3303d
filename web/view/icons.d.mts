/** Writes `icon-data.json`. */
export function writePageIcons(): Promise<void>;
/** The contents of `icons.tsv`. */
export function allIcons(): string;
/** The numbers of a drawing to a tenth. */
export function roundDrawing(drawing: string): string;
