import type { HostContext } from "./types.js";

let sheet: HTMLStyleElement | undefined;
/** What was set, so that what the host no longer names is removed. */
let applied: Record<string, string | undefined> = {};

/**
 * Applies the host's look to the document: `data-theme` and `color-scheme`, `lang`, the host's CSS
 * variables and fonts, and the safe area as `--safe-area-top` and so on.
 */
export const applyHostContext = ({ theme, locale, styles, safeAreaInsets }: HostContext): void => {
  const root = document.documentElement;
  const { style } = root;
  root.lang = locale;
  root.dataset.theme = theme;
  style.colorScheme = theme;
  const wanted: typeof applied = { ...styles?.variables };
  for (const [side, inset] of Object.entries(safeAreaInsets ?? {}))
    wanted[`--safe-area-${side}`] = `${inset}px`;
  for (const name in { ...applied, ...wanted }) style.setProperty(name, wanted[name] ?? "");
  applied = wanted;
  const fonts = styles?.css?.fonts ?? "";
  sheet ??= document.head.appendChild(document.createElement("style"));
  // Setting the same text again would load the fonts again.
  if (sheet.textContent !== fonts) sheet.textContent = fonts;
};
