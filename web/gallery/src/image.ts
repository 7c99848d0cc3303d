// Pictures of drawings that are not loaded. The page loads pictures of the origins in `image_origins` alone:
// any other would tell its server that the data was looked at.

/** More are not remembered. */
const MOST = 200;
const blocked = new Set<string>();
let isListening = false;

/** An address as a policy reports it. */
const reported = (address: string): string => address.replace(/#.*/, "");

function listen(): void {
  if (isListening) return;
  isListening = true;
  document.addEventListener("securitypolicyviolation", ({ effectiveDirective, blockedURI }) => {
    if (effectiveDirective === "img-src" && blocked.size < MOST) blocked.add(blockedURI);
  });
}

/** What became of a picture. */
export interface Missing {
  address: string;
  /** Whether the policy of this page refused it; else it was not there. */
  isRefused: boolean;
}

/** Tells of each picture that is not loaded in the drawing, and puts its alternative text in its place. */
export function watchImages(root: ShadowRoot, onMissing: (missing: Missing) => void): void {
  listen();
  // Errors of pictures do not bubble.
  const failed = (event: Event) => {
    const { target } = event;
    if (!(target instanceof HTMLImageElement) || !/^https?:/.test(target.src)) return;
    const address = target.src;
    if (!isOwn(target)) {
      // The renderer of Adaptive Cards would take it away.
      event.stopPropagation();
      target.replaceWith(placeholder(target));
    }
    // The violation may be told after the error.
    setTimeout(() => onMissing({ address, isRefused: blocked.has(reported(address)) }));
  };
  root.addEventListener("error", failed, true);
}

/** Views have placeholders of their own. */
const isOwn = (image: HTMLImageElement): boolean => image.closest(".wc") !== null;

/** The least side, in pixels, with room for words. */
const ROOM = 64;

/** The alternative text of a picture that is in the document, in a box of the size that its style gives it. */
export function placeholder(image: HTMLImageElement): HTMLElement {
  // Of what is not displayed the computed size is the one of its style, and not that of a broken picture.
  image.style.display = "none";
  const { width, height, maxWidth, borderRadius } = getComputedStyle(image);
  const isSmall = [width, height].some(
    (side) => /px$/.test(side) && Number.parseFloat(side) < ROOM,
  );
  const words = image.alt || "Picture";
  const made = document.createElement("span");
  made.setAttribute("role", "img");
  made.setAttribute("aria-label", words);
  if (!isSmall) made.textContent = words;
  Object.assign(made.style, {
    display: "inline-flex",
    alignItems: "center",
    justifyContent: "center",
    boxSizing: "border-box",
    flex: "none",
    overflow: "hidden",
    width: width === "auto" ? "240px" : width,
    height,
    minHeight: height === "auto" ? "96px" : "0",
    maxWidth: maxWidth === "none" ? "100%" : maxWidth,
    padding: isSmall ? "0" : "4px 8px",
    border: "1px dashed color-mix(in srgb, currentcolor 45%, transparent)",
    borderRadius: borderRadius === "0px" ? "6px" : borderRadius,
    background: "color-mix(in srgb, currentcolor 6%, transparent)",
    fontSize: "12px",
    lineHeight: "16px",
    textAlign: "center",
    overflowWrap: "anywhere",
  });
  return made;
}
