// Runs in the view before the page's own script, and notes what a test must know afterwards.

export interface Probe {
  violations: { directive: string; blocked: string }[];
  errors: string[];
  /** How often the page was empty again after something was drawn. */
  blank: number;
  /** How many results have changed the document. */
  draws: number;
}

declare global {
  interface Window {
    probe: Probe;
  }
}

export function probe(): void {
  const seen: Probe = { violations: [], errors: [], blank: 0, draws: 0 };
  window.probe = seen;
  addEventListener("securitypolicyviolation", ({ effectiveDirective, blockedURI }) => {
    seen.violations.push({ directive: effectiveDirective, blocked: blockedURI });
  });
  addEventListener("error", ({ message }) => {
    if (message) seen.errors.push(message);
  });
  addEventListener("unhandledrejection", ({ reason }) => {
    seen.errors.push(`unhandled rejection: ${reason}`);
  });

  const filled = () => !!document.querySelector("main")?.textContent.trim();
  let drawn = false;
  new MutationObserver(() => {
    const now = filled();
    if (drawn && !now) seen.blank += 1;
    drawn ||= now;
  }).observe(document, { childList: true, subtree: true, characterData: true });

  addEventListener("message", ({ data }) => {
    if (data?.method !== "ui/notifications/tool-result") return;
    const watch = new MutationObserver(() => {
      watch.disconnect();
      seen.draws += 1;
    });
    watch.observe(document.body, { childList: true, subtree: true, characterData: true });
  });
}
