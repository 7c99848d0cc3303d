// Drawings of a result inside this page, each with a style of its own: a tree as views draw it, a Slack
// message, an Adaptive Card, a terminal, Markdown. The same drawing is shown and saved as an image.

import { type Dict, isDict, type Json } from "@widgetcast/schema";
import type { Theme } from "@widgetcast/theme";
import { type Action, clear, css, draw, fitCss } from "@widgetcast/view";
import { cardsPath } from "./address";
import type { Drawing, Shown } from "./api";
import type { Host } from "./hosts";
import { type CardAction, cardPress, linkPress, type Press, slackPress, treePress } from "./press";
import { loadScript } from "./script";
import { drawSlack, slackStyle } from "./slack";
import { drawTerminal, terminalStyle } from "./terminal";

export interface Subject {
  host: Host;
  drawing: Drawing;
  theme: Theme;
  locale: string;
  /** The name of the server, as Slack and Teams show who wrote. */
  sender: string;
  /** Does what a person asks for in the drawing; without it nothing happens. */
  onPress?(press: Press): Promise<void>;
}

/** A drawing: its style, and what puts it into an element. */
export interface Painter {
  css: string;
  paint(root: HTMLElement): void;
  clear(root: HTMLElement): void;
}

interface Cards {
  draw(card: Json, dark: boolean, pressed: (action: CardAction) => void): HTMLElement | undefined;
  style: string;
}
declare global {
  var widgetcastCards: Cards | undefined;
}

const parsed = (text: string): Json => {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
};

const replace = (root: HTMLElement, ...nodes: (Node | string)[]) => root.replaceChildren(...nodes);
const empty = (root: HTMLElement) => replace(root);

function treePainter({ drawing, locale, onPress }: Subject, tree: Json): Painter {
  const act = onPress && { onAction: (action: Action) => onPress(treePress(action)) };
  return {
    css: css + fitCss,
    paint: (root) => draw(root, tree, { icons: drawing.icons ?? {}, locale, ...act }),
    clear,
  };
}

export const markdownTree = (value: string): Json => ({
  type: "Basic",
  children: [{ type: "Markdown", value }],
});

function slackPainter({ theme, sender, onPress }: Subject, text: string): Painter {
  const value = parsed(text);
  const blocks = isDict(value) ? value.blocks : value;
  return {
    css: slackStyle,
    paint(root) {
      root.className = theme === "dark" ? "slack-dark" : "";
      const message = drawSlack(blocks, sender, (action, values) =>
        onPress?.(slackPress(action as Dict, values as Dict)),
      );
      // A link must not take the page away.
      message.addEventListener("click", (event) => {
        const link = event.target instanceof Element ? event.target.closest("a") : null;
        if (!link) return;
        event.preventDefault();
        onPress?.(linkPress(link.href));
      });
      replace(root, message);
    },
    clear: empty,
  };
}

function cardPainter({ theme, onPress }: Subject, text: string, cards: Cards): Painter {
  return {
    css: cards.style,
    paint(root) {
      const frame = document.createElement("div");
      frame.className = "cards-frame";
      const card = cards.draw(parsed(text), theme === "dark", (action) =>
        onPress?.(cardPress(action)),
      );
      frame.append(card ?? "The card is empty.");
      replace(root, frame);
    },
    clear: empty,
  };
}

/** What the surface of a host made of the result. */
export const shownBy = (host: Host, { surfaces }: Drawing): Shown | undefined =>
  surfaces.find(({ name }) => name === host.surface);

/** A text as a host shows it that draws neither the tool's page nor a tree. */
const AS_TEXT: Record<string, (text: string) => Json> = {
  "slack-blocks": (text) => ({ blocks: [{ type: "markdown", text }] }),
  "adaptive-card": (text) => ({
    type: "AdaptiveCard",
    version: "1.5",
    body: [{ type: "TextBlock", text, wrap: true }],
  }),
};

/** How a host shows a result; without a drawing of its own, as the text. */
export async function painterOf(subject: Subject): Promise<Painter> {
  const { host, drawing } = subject;
  const shown = shownBy(host, drawing);
  const hasTree = host.isFrame || host.surface === "chatkit";
  if (hasTree && drawing.tree !== null && drawing.tree !== undefined)
    return treePainter(subject, drawing.tree);
  const asText = AS_TEXT[host.surface]?.(drawing.text);
  const message = shown?.text ?? JSON.stringify(asText);
  if (host.surface === "slack-blocks") return slackPainter(subject, message);
  if (host.surface === "adaptive-card") {
    await loadScript(cardsPath());
    if (globalThis.widgetcastCards)
      return cardPainter(subject, message, globalThis.widgetcastCards);
  }
  if (host.surface === "terminal")
    return {
      css: terminalStyle,
      paint: (root) => replace(root, drawTerminal(shown?.text ?? drawing.text)),
      clear: empty,
    };
  return treePainter(
    subject,
    markdownTree(shown?.format === "markdown" ? shown.text : drawing.text),
  );
}
