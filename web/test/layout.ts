// What is wrong with the layout of a view at the widths of phones, chats and desktops: words broken in two, parts past the edge,
// and texts cut that a person needs.

export const WIDTHS = [280, 320, 360, 375, 390, 430, 480, 600, 768, 1000, 1200];

/** Authors who ask for more than there is at the smallest width, and what comes of it. */
const KNOWN: Record<string, RegExp> = {
  "expense_report/sample": /280: .* is cut: "Trade fair in Milan"/,
  "order_status/sample": /280: .* is cut: "Arrives today by 16:00"/,
  "player_card/sample": /280: .*Venturi"/,
  BecomeDamnGood: /280: a word is broken/,
  // Titles on one line, of any length.
  incursa: /wc-clip is cut/,
};

/** The lines of a report that are not known, and the known ones that it does not have. */
export function unknown(faults: string[]): { faults: string[]; gone: string[] } {
  const known = Object.entries(KNOWN);
  const isOf = (line: string, [start, what]: [string, RegExp]) =>
    line.startsWith(start) && what.test(line);
  return {
    faults: faults.filter((line) => !known.some((one) => isOf(line, one))),
    gone: known.filter((one) => !faults.some((line) => isOf(line, one))).map(([start]) => start),
  };
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
  // The first bold words of a card are its title, whatever they are written as.
  const isBold = (node: Element) => Number(getComputedStyle(node).fontWeight) >= 600;
  const head = [...card.querySelectorAll(".wc-words:not(.wc-edit)")].find(isBold);
  for (const node of card.querySelectorAll("*")) {
    const { left, right, width, height } = node.getBoundingClientRect();
    const hidden = width < 2 || height < 2 || scrolls(node);
    if (hidden) continue;
    if (right > edge.right + 1 || left < edge.left - 1)
      found.add(`${node.className || node.tagName} is past the edge: ${brief(node.textContent)}`);
    const needed = node === head || node.matches(".wc-title, .wc-btn .wc-clip");
    if (
      needed &&
      (node.scrollWidth > node.clientWidth + 1 || node.scrollHeight > node.clientHeight + 4)
    )
      found.add(`${node.className} is cut: ${brief(node.textContent)}`);
  }
  const texts = doc.createTreeWalker(card, NodeFilter.SHOW_TEXT);
  const range = doc.createRange();
  const partsOf = (text: Text, start: number, length: number) => {
    range.setStart(text, start);
    range.setEnd(text, start + length);
    // WebKit has an empty one at the end of the line before.
    return [...range.getClientRects()].filter(({ width }) => width > 0);
  };
  while (texts.nextNode()) {
    const text = texts.currentNode as Text;
    const parent = text.parentElement;
    if (!parent || scrolls(parent) || parent.closest(".wc-clip,textarea,select,option")) continue;
    for (const word of text.data.matchAll(/[\p{L}\p{N}]+/gu)) {
      const start = word.index - (/\S*$/.exec(text.data.slice(0, word.index))?.[0].length ?? 0);
      const whole = /^\S*/.exec(text.data.slice(start))?.[0] ?? "";
      // What is longer has to be broken somewhere, and some scripts break between any two signs.
      if (whole.length >= 24 || /[\p{sc=Han}\p{sc=Kana}]/u.test(word[0])) continue;
      const parts = partsOf(text, word.index, word[0].length);
      const lines = new Set(parts.map(({ top }) => Math.round(top)));
      if (lines.size < 2) continue;
      // So has what needs most of the card: inside of boxes there is less.
      const width = partsOf(text, start, whole.length).reduce((sum, part) => sum + part.width, 0);
      if (width < edge.width * 0.6) found.add(`a word is broken: ${brief(word[0])}`);
    }
  }
  return [...found];
}
