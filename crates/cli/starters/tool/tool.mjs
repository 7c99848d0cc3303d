// Reads the arguments of a call from stdin, and prints the data of the widget.
import { realpathSync } from "node:fs";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";

const TAX = 0.081;

export function answer({ amount }) {
  return { label: "Total with tax", value: Number((amount * (1 + TAX)).toFixed(2)) };
}

// Skipped when a test imports this file.
if (fileURLToPath(import.meta.url) === realpathSync(process.argv[1])) {
  process.stdout.write(JSON.stringify(answer(JSON.parse(await text(process.stdin)))));
}
