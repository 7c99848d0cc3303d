// Light, dark, or as the system has it. What was chosen is kept in this browser.

import { useEffect, useLayoutEffect, useState } from "preact/hooks";

export type Choice = "system" | "light" | "dark";
export type Theme = "light" | "dark";
const KEY = "widgetcast.theme";
const dark = matchMedia("(prefers-color-scheme: dark)");

export function recall(key: string): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

export function remember(key: string, value: string): void {
  try {
    localStorage.setItem(key, value);
  } catch {
    // Storage may be switched off; the choice then lasts as long as the page.
  }
}

export function useTheme(): { choice: Choice; theme: Theme; choose(choice: Choice): void } {
  const [choice, setChoice] = useState<Choice>(() => {
    const kept = recall(KEY);
    return kept === "light" || kept === "dark" ? kept : "system";
  });
  const [system, setSystem] = useState<Theme>(dark.matches ? "dark" : "light");
  useEffect(() => {
    const follow = () => setSystem(dark.matches ? "dark" : "light");
    dark.addEventListener("change", follow);
    return () => dark.removeEventListener("change", follow);
  }, []);
  const theme = choice === "system" ? system : choice;
  // Before any drawing, which reads the colour scheme.
  useLayoutEffect(() => {
    document.documentElement.dataset.theme = theme;
  }, [theme]);
  return {
    choice,
    theme,
    choose(next) {
      remember(KEY, next);
      setChoice(next);
    },
  };
}
