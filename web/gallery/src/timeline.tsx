// Every message between views, hosts and the server, with what is wrong with it.

import { write } from "@widgetcast/schema";
import { useEffect, useState } from "preact/hooks";
import { endpointOf } from "./base";
import { Code } from "./code";
import { asCommand, asCurl, asTypeScript } from "./copyable";
import { hostOf } from "./hosts";
import { Copy, classes, plural } from "./part";
import { type Entry, loadCheck, shortened, type Traffic, useEntries } from "./traffic";

type Check = (entry: Entry) => string | undefined;

function useCheck(isOpen: boolean): { check: Check | undefined; problem: string | undefined } {
  const [check, setCheck] = useState<Check>();
  const [problem, setProblem] = useState<string>();
  useEffect(() => {
    if (!isOpen) return;
    loadCheck().then(
      (loaded) => setCheck(() => loaded),
      (error: Error) => setProblem(error.message),
    );
  }, [isOpen]);
  return { check, problem };
}

const nameOf = ({ message, answers }: Entry): string =>
  typeof message.method === "string"
    ? message.method
    : `${message.error === undefined ? "result" : "error"}${answers ? ` of ${answers}` : ""}`;

const url = (): string => new URL(endpointOf(location.pathname, "/mcp"), location.href).href;

export function Timeline({ traffic, isOpen }: { traffic: Traffic; isOpen: boolean }) {
  const entries = useEntries(traffic);
  const { check, problem } = useCheck(isOpen);
  const [host, setHost] = useState("");
  const ids = [...new Set(entries.map((entry) => entry.host))];
  const some = entries.filter((entry) => host === "" || entry.host === host);
  const messages = some.filter((entry) => !entry.isInteraction).length;
  const bad = check ? some.filter((entry) => check(entry) !== undefined).length : 0;
  if (!isOpen) return null;
  return (
    <>
      <div class="bar">
        <div class="pick">
          <select
            aria-label="Host"
            value={host}
            onChange={(event) => setHost(event.currentTarget.value)}
          >
            <option value="">All hosts</option>
            {ids.map((id) => (
              <option key={id} value={id}>
                {labelOf(id)}
              </option>
            ))}
          </select>
        </div>
        <span class={classes("quiet", bad > 0 && "bad")} role="status">
          {problem ??
            (check
              ? `${plural(messages, "message")}, ${bad === 0 ? "all valid" : `${bad} invalid`}`
              : "Loading the schemas…")}
        </span>
        <span class="space" />
        <button type="button" class="button bare small" onClick={() => traffic.clear()}>
          Clear
        </button>
      </div>
      <ol class="timeline">
        {some.map((entry) => (
          <Line key={entry.number} entry={entry} fault={check?.(entry)} isChecked={!!check} />
        ))}
      </ol>
    </>
  );
}

const labelOf = (id: string): string => hostOf(id)?.label ?? "This page";

/** Why an entry is not judged. */
const noteOf = ({ host, isInteraction, isCut }: Entry): string | undefined =>
  isInteraction
    ? `interaction of ${labelOf(host)}, not an MCP message`
    : isCut
      ? "too long to store and validate"
      : undefined;

function Line(props: { entry: Entry; fault: string | undefined; isChecked: boolean }) {
  const { entry, fault } = props;
  const [open, setOpen] = useState(false);
  const verdict = fault ?? noteOf(entry) ?? (props.isChecked ? "valid" : "");
  return (
    <li>
      <details onToggle={(event) => setOpen(event.currentTarget.open)}>
        <summary>
          <time>{(entry.at / 1000).toFixed(2)} s</time>
          <span class="who">{labelOf(entry.host)}</span>
          <span class="way">
            {entry.from} → {entry.to}
          </span>
          <code>{nameOf(entry)}</code>
          <span class={classes("verdict", fault ? "bad" : !noteOf(entry) && "good")}>
            {verdict}
          </span>
        </summary>
        {open && <Message entry={entry} />}
      </details>
    </li>
  );
}

/** Requests that a person can repeat outside of this page. */
const isRequest = ({ to, message, isCut }: Entry): boolean =>
  !isCut && to === "server" && typeof message.method === "string";

function Message({ entry }: { entry: Entry }) {
  const { message } = entry;
  const command = isRequest(entry) ? asCommand(url(), message) : undefined;
  return (
    <div class="message">
      <div class="bar">
        <Copy text={write(message)} label="Copy as JSON" words="JSON" wide />
        {isRequest(entry) && (
          <>
            <Copy text={asCurl(url(), message)} label="Copy as curl" words="curl" wide />
            {command && (
              <Copy text={command} label="Copy as widgetcast call" words="widgetcast call" wide />
            )}
            <Copy
              text={asTypeScript(url(), message)}
              label="Copy as TypeScript"
              words="TypeScript"
              wide
            />
          </>
        )}
      </div>
      <Code text={write(JSON.parse(shortened(message)))} label={nameOf(entry)} />
    </div>
  );
}
