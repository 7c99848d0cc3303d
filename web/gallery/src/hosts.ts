// The hosts that the page draws: what the server's own table of them says, read once.

import table from "../../../crates/core/src/surface/hosts.json";

export type Chrome = "chat" | "editor" | "channel" | "terminal" | "paper";
export type Mode = "inline" | "fullscreen" | "pip";

interface Look {
  /** Whether it is among those that are drawn at first. */
  shown?: boolean;
  /** What stands around a drawing. */
  chrome: Chrome;
  /** The theme that most of its people see. */
  theme: "light" | "dark";
  /** The width of a drawing, where the table has none. */
  width?: number;
  /** Colours, for both themes: the ground, the words, what a person said, lines, and the mark. */
  page: string;
  ink: string;
  bubble: string;
  line: string;
  accent: string;
  /** What it sets for the style of views. */
  variables?: Record<string, string>;
}

interface Row {
  id: string;
  label: string;
  surface: string;
  modes?: Mode[];
  width?: number;
  maxHeight?: number;
  lacks?: string[];
  look?: Look;
}

export interface Host {
  id: string;
  label: string;
  /** The surface by which it shows a result. */
  surface: string;
  /** Whether it runs the page of a view, in a frame. */
  isFrame: boolean;
  modes: Mode[];
  width: number;
  maxHeight: number;
  /** What its views cannot do: call, message, context, download. */
  lacks: string[];
  look: Look;
}

/** Shorter than in a sentence. */
const LABELS: Record<string, string> = {
  copilot: "Copilot",
  teams: "Teams",
  terminal: "Terminal",
};
const FRAMES = ["mcp-apps", "chatgpt"];
/** The tallest frame where a host says nothing. */
export const TALLEST = 4000;

const read = ({ id, label, surface, modes, width, maxHeight, lacks, look }: Row): Host[] =>
  look
    ? [
        {
          id,
          label: LABELS[id] ?? label,
          surface,
          isFrame: FRAMES.includes(surface),
          modes: modes ?? [],
          width: width ?? look.width ?? 640,
          maxHeight: Math.min(maxHeight ?? TALLEST, TALLEST),
          lacks: lacks ?? [],
          look,
        },
      ]
    : [];

const rows = (table as Row[]).flatMap(read);
/** Those that are drawn at first come first. */
export const HOSTS: Host[] = [
  ...rows.filter((host) => host.look.shown),
  ...rows.filter((host) => !host.look.shown),
];
export const FIRST_HOSTS: string[] = HOSTS.filter((host) => host.look.shown).map(({ id }) => id);
export const hostOf = (id: string): Host | undefined => HOSTS.find((host) => host.id === id);

const ABILITIES: Record<string, string> = {
  call: "calling tools",
  message: "sending chat messages",
  context: "updating the model's context",
  download: "downloading files",
};

/** What the views of a host cannot do, in words. */
export const missing = (host: Host): string[] =>
  host.lacks.map((ability) => ABILITIES[ability] ?? ability);
