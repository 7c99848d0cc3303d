// What shows while there is no result: the tool's title and the input as far as it has come.

import { type Props, text, words } from "./prop";

/** One line of an input value: enough to recognise it by. */
export function brief(value: unknown): string {
  const words = Array.isArray(value) ? value.map(text).filter(Boolean).join(", ") : text(value);
  return words.slice(0, 160);
}

export function Wait({ title, input }: { title: string; input: Props }) {
  const rows = Object.entries(input)
    .map(([key, value]) => [words(key), brief(value)])
    .filter(([, value]) => value)
    .slice(0, 8);
  return (
    <div class="wc">
      <section class="wc-root wc-card wc-wait" aria-busy="true">
        <div class="wc-pad">
          <p class="wc-strong">{title || "Loading"}</p>
          <div>
            {rows.map(([name, value]) => (
              <p key={name}>
                <span>{name}</span>
                {value}
              </p>
            ))}
            <i />
            <i />
          </div>
        </div>
      </section>
    </div>
  );
}
