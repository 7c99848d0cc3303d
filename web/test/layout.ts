// What is wrong with the layout of a view at the widths of phones, chats and desktops: words broken in two, parts past the edge,
// and texts cut that a person needs.

export const WIDTHS = [280, 320, 360, 375, 390, 430, 480, 600, 768, 1000, 1200];

/** Authors who ask for more than there is at the smallest width, and what comes of it. */
const KNOWN: Record<string, RegExp> = {
  "expense_report/sample": /280: .* is cut: "Trade fair in Milan"/,
  "order_status/sample": /280: .* is cut: "Arrives today by 16:00"/,
  "player_card/sample": /280: .*Venturi"/,
  BecomeDamnGood: /280: a word is broken/,
  ShaojieJiang: /280: .* is past the edge: ("(54°)+"|"")/,
  // Titles on one line, of any length.
  incursa: /wc-clip is cut/,
};

/** Whether a line of a report is one of these. */
export function isKnown(line: string): boolean {
  return Object.entries(KNOWN).some(([start, known]) => line.startsWith(start) && known.test(line));
}

/**
 * What is wrong with the layout of a view or of a page as it stands, as lines. It runs in the browser, and
 * refers to nothing but its argument.
 */
export function faultsIn(given: Document | undefined): string[] {
  const doc = given ?? document;
  const page = doc.querySelector("main .wc-page");
  const card = page ?? doc.querySelector("main .wc > *");
  if (!card) return ["nothing is drawn"];
  // A page has padding around it, into which buttons without a ground reach.
  const edge = (page ? doc.body : card).getBoundingClientRect();
  const found = new Set<string>();
  const brief = (text: string | null) => JSON.stringify((text ?? "").trim().slice(0, 40));
  // Parts that scroll, drawings, and what is there for screen readers alone.
  const scrolls = (node: Element) =>
    node.closest(
      ".wc-scroll,.wc-panel,.wc-list,.wc-chart-sr,.strip,.scroll,.hidden,.notice,.stacked thead,pre,svg",
    );
  for (const node of card.querySelectorAll("*")) {
    const { left, right, width, height } = node.getBoundingClientRect();
    const hidden = width < 2 || height < 2 || scrolls(node);
    if (hidden) continue;
    if (right > edge.right + 1 || left < edge.left - 1)
      found.add(`${node.className || node.tagName} is past the edge: ${brief(node.textContent)}`);
    const needed = node.matches(".wc-title, .wc-btn .wc-clip");
    if (
      needed &&
      (node.scrollWidth > node.clientWidth + 1 || node.scrollHeight > node.clientHeight + 4)
    )
      found.add(`${node.className} is cut: ${brief(node.textContent)}`);
  }
  const texts = doc.createTreeWalker(card, NodeFilter.SHOW_TEXT);
  const range = doc.createRange();
  while (texts.nextNode()) {
    const text = texts.currentNode as Text;
    const parent = text.parentElement;
    if (!parent || scrolls(parent) || parent.closest(".wc-clip,textarea,select,option")) continue;
    for (const word of text.data.matchAll(/[\p{L}\p{N}]+/gu)) {
      range.setStart(text, word.index);
      range.setEnd(text, word.index + word[0].length);
      // WebKit has an empty one at the end of the line before.
      const parts = [...range.getClientRects()].filter(({ width }) => width > 0);
      const lines = new Set(parts.map(({ top }) => Math.round(top)));
      // A longer one has to be broken somewhere.
      if (lines.size > 1 && word[0].length < 24) found.add(`a word is broken: ${brief(word[0])}`);
    }
  }
  return [...found];
}
