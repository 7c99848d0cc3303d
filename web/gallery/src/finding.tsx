// What is wrong with files: in few words, and as a list.

import type { Finding } from "./api";
import { classes, plural, Scroll } from "./part";

/** How many files are broken, and what else there is. */
export function summary(findings: Finding[]): string {
  const files = new Set(findings.filter((one) => one.broken).map((one) => one.file)).size;
  const rest = findings.filter((one) => !one.broken);
  const parts = files > 0 ? [`${plural(files, "file is", "files are")} broken`] : [];
  for (const severity of ["error", "warning", "note"] as const) {
    const count = rest.filter((one) => one.severity === severity).length;
    const word = severity === "error" && files > 0 ? "other error" : severity;
    if (count > 0) parts.push(plural(count, word));
  }
  return parts.join(", ");
}

/** The lines that a finding is about, and what to do: the excerpt without place and message. */
export function excerpt({ excerpt, message }: Finding): string {
  const at = excerpt.indexOf(message);
  return at < 0 ? excerpt : excerpt.slice(at + message.length).replace(/^\n/, "");
}

const place = ({ file, line }: Finding): string => (line ? `${file}:${line}` : file);

/** With `links`, each names the page of its tool. */
export function Findings({ findings, links }: { findings: Finding[]; links?: boolean }) {
  return (
    <ul class="findings">
      {findings.map((finding) => (
        <li key={`${finding.file}\n${finding.message}\n${finding.excerpt}`}>
          <p>
            <span class={classes("tag", finding.severity)}>{finding.severity}</span>
            <code>
              {links && finding.tool ? (
                <a href={`#/${encodeURIComponent(finding.tool)}`}>{place(finding)}</a>
              ) : (
                place(finding)
              )}
            </code>
            <code class="finding-code">{finding.code}</code>
          </p>
          <p class={classes("message", finding.severity)}>{finding.message}</p>
          {excerpt(finding) && (
            <Scroll label={`Excerpt of ${finding.file}`} kind="excerpt">
              {excerpt(finding)}
            </Scroll>
          )}
        </li>
      ))}
    </ul>
  );
}
