// The ways in which a result can be shown, best first.

type Json = unknown;

interface Page {
  uri: string;
  /** The type, if the view is embedded. */
  mime?: string;
  /** The page, if the view is embedded; else the server has it under the URI. */
  html?: string;
  /** The resource's own `_meta`, with its content security policy. */
  meta?: Json;
}

export type Part =
  | { kind: "chatkit_widget"; uri: string; widget: Json; copyText?: string }
  | { kind: "meta_tree"; key: string; tree: Json; copyText?: string }
  | { kind: "slack_blocks"; uri?: string; blocks: Json[] }
  | { kind: "slack_work_object"; uri: string; eventType?: string; entity: Json }
  | ({ kind: "mcp_app" } & Page)
  | ({ kind: "skybridge" } & Page)
  | { kind: "mcp_ui"; uri: string; mime: string; text: string; meta?: Json }
  | { kind: "html"; uri: string; mime: string; text: string }
  | { kind: "markdown"; uri: string; mime: string; text: string }
  | { kind: "image"; uri?: string; mime: string; data: string }
  | { kind: "audio"; mime: string; data: string }
  | { kind: "resource"; uri: string; mime?: string; text?: string; blob?: string }
  | {
      kind: "resource_link";
      uri: string;
      name?: string;
      title?: string;
      description?: string;
      mime?: string;
    }
  | { kind: "text"; text: string }
  | { kind: "data"; data: Json };

const ORDER: Part["kind"][] = [
  "chatkit_widget",
  "meta_tree",
  "slack_blocks",
  "slack_work_object",
  "mcp_app",
  "skybridge",
  "mcp_ui",
  "html",
  "markdown",
  "image",
  "audio",
  "resource",
  "resource_link",
  "text",
  "data",
];

export const rank = (part: Part): number => ORDER.indexOf(part.kind);

/** A part without the fields that are absent. */
export const part = <K extends Part["kind"]>(
  kind: K,
  fields: { [F in keyof Omit<Extract<Part, { kind: K }>, "kind">]: unknown },
): Part =>
  ({
    kind,
    ...Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)),
  }) as Part;
