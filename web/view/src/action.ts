// Decides how an action is carried out; ../README.md has the rules as a table.

import type { AppsClient, CallToolResult } from "@widgetcast/client";
import { translate } from "@widgetcast/i18n";
import { chose, failed, impossible } from "@widgetcast/i18n/view";
import type { Action, Origin } from "./context";
import { payloadOf, record, words } from "./markup/prop";
import { url } from "./markup/token";

export type Host = Pick<
  AppsClient,
  "can" | "openLink" | "callToolResult" | "sendMessage" | "updateModelContext"
> & { hostContext: { locale: string } };

export type Outcome =
  | { kind: "link" | "message" | "context" }
  | { kind: "result"; result: CallToolResult }
  /** Nothing could be done; `text` says why. */
  | { kind: "stuck"; text: string };

const UNKNOWN_TOOL =
  /unknown tool|no such tool|tool\b.{0,80}\b(not found|unknown|does not exist|not available)|method not found/i;

/** Carries out an action. `unknownTools` remembers the tools that the server does not know. */
export async function perform(
  host: Host,
  action: Action,
  from: Origin,
  unknownTools: Set<string>,
): Promise<Outcome> {
  const address = url(record(action.payload)?.url);
  if (address && /open|link|url/i.test(action.type)) return follow(host, address);
  const tool = action.type.replace(/^tool:/, "");
  if (action.handler === "client" || unknownTools.has(tool) || !host.can("callTool")) {
    return speak(host, action, from);
  }
  let fault: string;
  try {
    const result = await host.callToolResult(tool, payloadOf(action.payload));
    // Many servers say in a result, not by an error, that they do not know a tool.
    if (!result.isError || !UNKNOWN_TOOL.test(resultText(result)))
      return { kind: "result", result };
    fault = resultText(result);
  } catch (error) {
    const { name, message } = error as Error;
    fault = name === "NotSupportedError" ? "method not found" : message;
  }
  if (!UNKNOWN_TOOL.test(fault))
    return { kind: "stuck", text: fault || translate(failed, host.hostContext.locale) };
  unknownTools.add(tool);
  return speak(host, action, from);
}

/** An error names places as servers do, `/rows/0/amount`: people read words. */
export const inWords = (error: string): string =>
  error.replace(/^(.*: )?(- )?\/(\S+)(?=: )/gm, (_, before = "", mark = "", place: string) => {
    const counted = place.replace(/\/(\d+)/g, (_, at) => ` ${+at + 1}`);
    return before + mark + counted.split("/").map(words).join(", ");
  });

/** The text of a result. */
export function resultText(result: CallToolResult): string {
  const texts = (Array.isArray(result.content) ? result.content : []).map((block) =>
    block?.type === "text" && typeof block.text === "string" ? block.text : "",
  );
  const said = texts.filter(Boolean).join("\n\n");
  return result.isError ? inWords(said) : said;
}

async function follow(host: Host, address: string): Promise<Outcome> {
  try {
    if (host.can("openLink")) {
      await host.openLink(address);
      return { kind: "link" };
    }
  } catch {
    // Show the address instead.
  }
  return { kind: "stuck", text: address };
}

export function message(action: Action, { label }: Origin, locale: string): string {
  const said = label ? `${translate(chose, locale).replace("{label}", () => label)}\n\n` : "";
  const payload = action.payload === undefined ? "" : ` ${JSON.stringify(action.payload)}`;
  return `${said}${action.type}${payload}`;
}

async function speak(host: Host, action: Action, from: Origin): Promise<Outcome> {
  const { locale } = host.hostContext;
  const stuck: Outcome = { kind: "stuck", text: translate(impossible, locale) };
  if (from.secret) return stuck;
  const content = { type: "text" as const, text: message(action, from, locale) };
  // A host may declare a capability and still refuse; then try the next one.
  try {
    if (host.can("sendMessage")) {
      await host.sendMessage(content);
      return { kind: "message" };
    }
  } catch {}
  try {
    if (host.can("updateModelContext")) {
      await host.updateModelContext({ content: [content] });
      return { kind: "context" };
    }
  } catch {}
  return stuck;
}
