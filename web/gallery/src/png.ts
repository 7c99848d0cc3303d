// A drawing as a PNG: drawn again outside of the screen, written as XHTML into an SVG, and from there onto a
// canvas. In the place of images that are not part of the data is their alternative text: an SVG that is an
// image loads nothing.

import { placeholder } from "./image";
import type { Painter } from "./paint";

const SCALE = 2;
const PAD = 24;

export interface Sheet {
  width: number;
  theme: "light" | "dark";
  /** Any colour of CSS. */
  ground: string;
  variables: Record<string, string>;
}

/** The drawing in an element that nobody sees, and that element's style. */
async function measured(painter: Painter, sheet: Sheet, use: (root: HTMLElement) => Promise<Blob>) {
  const outer = document.createElement("div");
  outer.inert = true;
  outer.style.cssText = `position:absolute;left:-99999px;top:0;width:${sheet.width}px;color-scheme:${sheet.theme}`;
  for (const [name, value] of Object.entries(sheet.variables)) outer.style.setProperty(name, value);
  const shadow = outer.attachShadow({ mode: "open" });
  const style = document.createElement("style");
  style.textContent = painter.css;
  const root = document.createElement("div");
  shadow.append(style, root);
  document.body.append(outer);
  try {
    painter.paint(root);
    await document.fonts.ready;
    return await use(root);
  } finally {
    painter.clear(root);
    outer.remove();
  }
}

async function rasterise(root: HTMLElement, css: string, sheet: Sheet): Promise<Blob> {
  for (const image of root.querySelectorAll("img"))
    if (!image.src.startsWith("data:")) image.replaceWith(placeholder(image));
  const width = sheet.width + 2 * PAD;
  const height = Math.ceil(root.getBoundingClientRect().height) + 2 * PAD;
  const inside = document.createElement("div");
  inside.setAttribute("xmlns", "http://www.w3.org/1999/xhtml");
  inside.style.cssText = `box-sizing:border-box;width:${width}px;min-height:${height}px;padding:${PAD}px;color-scheme:${sheet.theme};background:${sheet.ground}`;
  for (const [name, value] of Object.entries(sheet.variables))
    inside.style.setProperty(name, value);
  const style = document.createElement("style");
  style.textContent = css;
  const copy = root.cloneNode(true) as HTMLElement;
  inside.append(style, copy);
  const text = new XMLSerializer().serializeToString(inside);
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><foreignObject width="100%" height="100%">${text}</foreignObject></svg>`;
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`;
  await image.decode();
  const canvas = document.createElement("canvas");
  canvas.width = width * SCALE;
  canvas.height = height * SCALE;
  const context = canvas.getContext("2d");
  context?.scale(SCALE, SCALE);
  context?.drawImage(image, 0, 0);
  return new Promise((done, failed) =>
    canvas.toBlob((blob) =>
      blob ? done(blob) : failed(new Error("This browser cannot render images")),
    ),
  );
}

export async function savePng(name: string, painter: Painter, sheet: Sheet): Promise<void> {
  const blob = await measured(painter, sheet, (root) => rasterise(root, painter.css, sheet));
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = `${name}.png`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
