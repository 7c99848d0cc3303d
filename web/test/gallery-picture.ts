// The picture of README.md: one widget in six hosts, each as the gallery draws it.

import type { Browser } from "playwright-core";
import { hostOf } from "../gallery/src/hosts";
import { writeLink } from "../gallery/src/link";
import { DEFAULT_CONDITIONS } from "../gallery/src/play";
import { serve, folder as widgets } from "../gallery/test/serve";

const WIDGET = "flight_tracker";
const HOSTS = ["claude", "chatgpt", "slack", "teams", "vscode", "terminal"];
/** Of a phone, so that the text is large enough where a README is read. */
const WIDTH = 360;
const HEIGHT = 450;
const SCALE = 1.5;
/** The question is left out, and the lines of the terminal are made to fit. */
const FITTED = `
.screen { min-height: 470px }
.bubble, .called { display: none !important }
.in-terminal .drawing { width: 420px !important; zoom: 0.79 !important }`;

/** Draws coloured signs as Slack does: a machine that draws pictures may have no font for them. */
function paintSigns(): void {
  const paints: Record<string, string> = {
    "🔵": "#2f6fdd;border-radius:50%",
    "🟦": "#2f6fdd",
    "⬜": "#d8d8dc",
  };
  for (const { shadowRoot } of document.querySelectorAll(".drawing .picture")) {
    if (!shadowRoot) continue;
    const walk = document.createTreeWalker(shadowRoot, NodeFilter.SHOW_TEXT);
    const texts: Text[] = [];
    while (walk.nextNode()) texts.push(walk.currentNode as Text);
    for (const text of texts) {
      const parts = text.data.split(/(🔵|🟦|⬜)\uFE0F?/u);
      if (parts.length < 2) continue;
      const nodes = parts.map((part) => {
        if (!paints[part]) return part;
        const sign = document.createElement("i");
        sign.style.cssText = `display:inline-block;width:.9em;height:.9em;margin:0 1px;vertical-align:-.1em;background:${paints[part]}`;
        return sign;
      });
      text.replaceWith(...nodes);
    }
  }
}

const STYLE = `
body { display: grid; grid-template-columns: repeat(3, ${WIDTH}px); gap: 18px; width: max-content; margin: 0;
  padding: 16px; background: #fff; font: 600 17px Inter, system-ui, sans-serif; color: #1f2328 }
figure { margin: 0 }
figcaption { padding: 0 4px 8px }
img { display: block; box-sizing: border-box; width: ${WIDTH}px; height: ${HEIGHT}px; object-fit: cover;
  object-position: top; border: 1px solid #d1d9e0; border-radius: 12px }`;

/** One widget in six hosts. */
export async function galleryPicture(browser: Browser, path: string): Promise<void> {
  const served = await serve(widgets());
  const viewport = { width: WIDTH + 24, height: 900 };
  const page = await browser.newPage({
    viewport,
    reducedMotion: "reduce",
    deviceScaleFactor: SCALE,
  });
  try {
    const figures: string[] = [];
    for (const id of HOSTS) {
      const conditions = { ...DEFAULT_CONDITIONS, theme: "host", device: "320" } as const;
      const hash = writeLink(WIDGET, undefined, { hosts: [id], only: id, conditions });
      await page.goto("about:blank");
      await page.goto(`${served.url}/${hash}`);
      const host = page.locator(`[data-host=${id}]`);
      const view = host.frameLocator("iframe").frameLocator("iframe");
      const drawing = hostOf(id)?.isFrame ? view : host;
      await drawing.getByText("HA 218").first().waitFor();
      await page.addStyleTag({ content: FITTED });
      await page.evaluate(paintSigns);
      const label = hostOf(id)?.label;
      const screen = await host.locator(".screen").screenshot();
      const source = `data:image/png;base64,${screen.toString("base64")}`;
      figures.push(`<figure><figcaption>${label}</figcaption><img src="${source}"></figure>`);
    }
    await page.setContent(`<!doctype html><style>${STYLE}</style><body>${figures.join("")}`);
    await page.locator("body").screenshot({ path });
  } finally {
    await page.close();
    served.close();
  }
}
