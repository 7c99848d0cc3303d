// Reads the arguments of a call from standard input, and prints the data of the widget.
import { text } from "node:stream/consumers";
import { pathToFileURL } from "node:url";

const TAX = 0.081;

export function answer({ amount }) {
  return { label: "Total with tax", value: Number((amount * (1 + TAX)).toFixed(2)) };
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  process.stdout.write(JSON.stringify(answer(JSON.parse(await text(process.stdin)))));
}
