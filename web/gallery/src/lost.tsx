// What is missing from a drawing, below it: what a policy refused, images, and what the host does not show.

import type { Json } from "@widgetcast/schema";
import type { Loss } from "./api";
import type { Host } from "./hosts";
import type { Missing } from "./image";
import { linesOf } from "./loss";
import { plural } from "./part";
import { type Declaration, imageOrigin } from "./policy";

export function Refusals({ refused }: { refused: Declaration[] }) {
  if (refused.length === 0) return null;
  return (
    <section class="refused" aria-label="Blocked by the policy">
      <h4>{plural(refused.length, "request")} blocked by the declared policy</h4>
      <ul>
        {refused.map(({ text, line, member }) => (
          <li key={text}>
            {text}
            {line && (
              <>
                : add <code>{line}</code>, which hosts receive as <code>_meta.ui.csp.{member}</code>
              </>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}

/** The pictures that are missing from a drawing, by origin. */
export function Pictures({ missing, host }: { missing: Missing[]; host: Host }) {
  if (missing.length === 0) return null;
  const origins = new Map<string, boolean>();
  for (const { address, isRefused } of missing) origins.set(new URL(address).origin, isRefused);
  return (
    <section class="refused" aria-label="Blocked images">
      <h4>{plural(missing.length, "image")} not shown here</h4>
      <ul>
        {[...origins].map(([origin, isRefused]) => (
          <li key={origin}>
            {isRefused ? (
              <>
                {host.label} would load them from {origin}. To load them here, set{" "}
                <code>{imageOrigin(origin)}</code>
              </>
            ) : (
              `No response from ${origin}`
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}

export function Losses({ losses, tree }: { losses: Loss[]; tree: Json }) {
  if (losses.length === 0) return <p class="whole">Nothing is lost.</p>;
  const lines = linesOf(losses, tree);
  return (
    <details class="losses" open={lines.length < 4}>
      <summary>{plural(losses.length, "thing")} lost here</summary>
      <ul>
        {lines.map(({ what, reason, paths }) => (
          <li key={reason}>
            {what && (
              <>
                <strong title={paths.join("\n")}>{what}</strong>:{" "}
              </>
            )}
            {reason}
          </li>
        ))}
      </ul>
    </details>
  );
}
