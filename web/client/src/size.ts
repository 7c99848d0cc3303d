// Reports the height of the document when it changes.

/**
 * Gives what to call when something may have been drawn. A frame that is out of sight or a few
 * pixels high is not painted: neither animation frames nor observers run in it, but timers do.
 */
export const watchHeight = (report: (height: number) => void): (() => void) => {
  const { body, documentElement: html } = document;
  let last = 0;
  const measure = () => {
    // Nothing is drawn yet: a host would shrink the frame to the margins of the page.
    if (!body.offsetHeight) return;
    // A page of `height: 100%` would else only ever repeat the height of its frame.
    const { style } = html;
    const { height } = style;
    style.height = "max-content";
    const now = html.offsetHeight;
    style.height = height;
    if (now !== last) report(now);
    last = now;
  };
  const later = () => setTimeout(measure, 50);
  // Documents that are not drawn, as in tests, have none.
  if (typeof ResizeObserver === "function") new ResizeObserver(later).observe(body);
  later();
  return later;
};
