import type { HostContext } from "./types.js";

let sheet: HTMLStyleElement | undefined;

/**
 * Lets the document look like its host: `data-theme` and `color-scheme`, `lang`, the host's CSS
 * variables and fonts, and the safe area as `--safe-area-top` and so on.
 */
export const applyHostContext = ({ theme, locale, styles, safeAreaInsets }: HostContext): void => {
  const root = document.documentElement;
  const { style } = root;
  root.lang = locale;
  root.dataset.theme = theme;
  style.colorScheme = theme;
  const insets = safeAreaInsets as Record<string, unknown> | undefined;
  for (const side in insets) style.setProperty(`--safe-area-${side}`, `${insets?.[side]}px`);
  const variables = styles?.variables;
  for (const name in variables) style.setProperty(name, variables[name] ?? "");
  const fonts = styles?.css?.fonts;
  if (!fonts) return;
  sheet ??= document.head.appendChild(document.createElement("style"));
  // Setting the same text again would load the fonts again.
  if (sheet.textContent !== fonts) sheet.textContent = fonts;
};
