// What is wrong with the layout of a view at the widths of phones, chats and desktops: words broken in two,
// parts past the edge, texts cut that a user needs, and room that is given away.

export const WIDTHS = [280, 320, 360, 375, 390, 430, 480, 600, 768, 1000, 1200];

/** Authors who ask for more than there is at the smallest width, and what comes of it. */
const KNOWN: Record<string, RegExp> = {
  // Titles on one line, of any length.
  incursa: /wc-clip is cut/,
};

/** What authors may ask for: lines that end with an ellipsis, and columns as narrow as they like. */
export const isAsked = (line: string) => /: a (line is shortened|text is squeezed): /.test(line);

/** The lines of a report that are not known, and the known ones that it does not have. */
export function unknown(faults: string[]): { faults: string[]; gone: string[] } {
  const known = Object.entries(KNOWN);
  const isOf = (line: string, [start, what]: [string, RegExp]) =>
    line.startsWith(start) && what.test(line);
  return {
    // Ours ask for neither on any phone in use.
    faults: faults.filter(
      (line) =>
        !known.some((one) => isOf(line, one)) && !(isAsked(line) && /^\S*__| 280: /.test(line)),
    ),
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
  const range = doc.createRange();
  const boxOf = (node: Node) => {
    range.selectNodeContents(node);
    return range.getBoundingClientRect();
  };
  const lineOf = (node: Element) => Number.parseFloat(getComputedStyle(node).lineHeight);
  const brief = (text: string | null) => JSON.stringify((text ?? "").trim().slice(0, 40));
  // Parts that scroll, drawings, and what is there for screen readers alone.
  const scrolls = (node: Element) =>
    node.closest(
      ".wc-scroll,.wc-panel,.wc-list,.wc-chart-sr,.strip,.scroll,.hidden,.notice,.wc-cards thead,pre,svg",
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
      (node.scrollWidth > node.clientWidth + 1 ||
        // The letters of some fonts are higher than the line.
        node.scrollHeight > node.clientHeight + 4 + lineOf(node) * 0.2)
    )
      found.add(`${node.className} is cut: ${brief(node.textContent)}`);
  }
  if (!page && edge.width > 720 && !card.matches(".wc-card-full"))
    found.add(`it stretches to ${Math.round(edge.width)} px`);
  for (const node of card.querySelectorAll<HTMLElement>(".wc-clip,.wc-badge")) {
    const text = node.firstChild;
    if (scrolls(node) || node.scrollWidth <= node.clientWidth + 1 || text?.nodeType !== 3) continue;
    // The ellipsis is about as wide as a letter is high.
    range.setStart(text, 0);
    range.setEnd(text, Math.min(3, text.textContent?.length ?? 0));
    const em = Number.parseFloat(getComputedStyle(node).fontSize);
    if (range.getBoundingClientRect().width > node.clientWidth - em)
      found.add(`fewer than 3 characters are shown: ${brief(node.textContent)}`);
  }
  for (const table of card.querySelectorAll(".wc-scroll"))
    if (table.scrollWidth > table.clientWidth + 1 && getComputedStyle(table).boxShadow === "none")
      found.add(`a table goes on without a sign of it: ${brief(table.textContent)}`);
  for (const plot of card.querySelectorAll(".wc-plot:has(+.wc-legend)"))
    if (plot.clientHeight < 30)
      found.add(`the legend takes the place of the plot: ${brief(plot.ariaLabel)}`);
  for (const row of card.querySelectorAll(".wc-row")) {
    if (scrolls(row) || row.matches(".wc-tight")) continue;
    const parts = [...row.children].filter((node) => !node.matches(".wc-spacer"));
    const lines: Element[][] = [];
    let edgeOfLine = Number.NEGATIVE_INFINITY;
    for (const part of parts) {
      const { top, bottom } = part.getBoundingClientRect();
      if (top >= edgeOfLine - 1) lines.push([]);
      lines.at(-1)?.push(part);
      edgeOfLine = top >= edgeOfLine - 1 ? bottom : Math.max(edgeOfLine, bottom);
    }
    // Tags and buttons flow like words; what shares a row evenly should not be left alone below.
    const isOfTiles = edge.width >= 300 && [...row.children].every((one) => one.matches(".wc-col"));
    const isTile = (part: Element) => isOfTiles || Number(getComputedStyle(part).flexGrow) > 0;
    const [lone, ...more] = lines.at(-1) ?? [];
    if (lone && !more.length && isTile(lone) && (lines.at(-2)?.filter(isTile).length ?? 0) > 2)
      found.add(`alone in the last line of a row: ${brief(lone.textContent)}`);
    const { columnGap, paddingLeft, paddingRight } = getComputedStyle(row);
    const [gap = 0, ...sides] = [columnGap, paddingLeft, paddingRight].map(Number.parseFloat);
    for (const line of lines) {
      const used = line.reduce((sum, part) => sum + part.getBoundingClientRect().width + gap, -gap);
      const free = row.clientWidth - used - sides.reduce((sum, side) => sum + side, 0);
      for (const part of free > 24 ? line : []) {
        const words = part.matches(".wc-words") ? [part] : part.querySelectorAll(".wc-words");
        for (const one of words)
          if (!one.matches("textarea") && boxOf(one).height > lineOf(one) * 3.5)
            found.add(`more than 3 lines beside free space: ${brief(one.textContent)}`);
      }
    }
  }
  for (const row of card.querySelectorAll<HTMLElement>(".wc-row")) {
    if (scrolls(row)) continue;
    const box = row.getBoundingClientRect();
    const [first, second, third] = [...row.children] as HTMLElement[];
    const [one, other] = [first, second].map((node) => node?.getBoundingClientRect());
    const last = row.lastElementChild;
    const { paddingInlineEnd } = getComputedStyle(row);
    // A row that flows is as long as its words and sides where nothing makes it flow.
    if (row.matches(".wc-wraps,.wc-tight") && row.querySelector("select")) {
      const written = row.style.cssText;
      const { clientWidth } = row;
      row.style.cssText += ";flex-flow:row nowrap;width:max-content;max-width:none;flex:none";
      if (row.clientWidth <= clientWidth)
        found.add(`a row has room for one line: ${brief(row.textContent)}`);
      row.style.cssText = written;
    }
    const end = last?.getBoundingClientRect();
    const rest = end && (row.matches(":dir(rtl)") ? end.left - box.left : box.right - end.right);
    if (
      last?.matches(".wc-spacer+:not(.wc-spacer)") &&
      Number(rest) > Number.parseFloat(paddingInlineEnd) + 2
    )
      found.add(`what follows a spacer is not at the end: ${brief(last.textContent)}`);
    if (!first || !one || !second || !other || third) continue;
    const isName = first.matches("[style^=width]:not([style*=height])");
    if (isName && one.width < box.width * 0.4 && other.top >= one.bottom)
      found.add(`a value is parted from its name: ${brief(row.textContent)}`);
    if (first.matches(".wc-glyph:has(+.wc-text-sm)")) {
      const icon = first.querySelector("svg")?.getBoundingClientRect() ?? one;
      const middle = (icon.top + icon.bottom) / 2 - other.top;
      if (other.height > 32 && Math.abs(middle - lineOf(second) / 2) > 3)
        found.add(`an icon is not beside the first line: ${brief(row.textContent)}`);
    }
  }
  for (const title of card.querySelectorAll<HTMLElement>(".wc-row>:first-child>.wc-title")) {
    const row = title.closest<HTMLElement>(".wc-row");
    const badge = title.parentElement?.nextElementSibling;
    if (!row || !badge?.matches(".wc-badge") || scrolls(row)) continue;
    const isBeside = badge.getBoundingClientRect().top < title.getBoundingClientRect().bottom;
    const isOneLine = (width: string) => {
      title.style.width = width;
      const { height } = boxOf(title);
      title.style.width = "";
      return height < lineOf(title) * 1.5;
    };
    if (isBeside && !isOneLine("") && isOneLine(`${row.clientWidth}px`))
      found.add(`a title is broken for its badge: ${brief(title.textContent)}`);
  }
  for (const row of page ? [] : card.querySelectorAll(".wc-row,.wc-foot")) {
    const buttons = [...row.children].map((one) => one.getBoundingClientRect());
    if (buttons.length > 3 || [...row.children].some((one) => !one.matches(".wc-btn"))) continue;
    const [first, ...more] = buttons;
    if (
      more.some(
        (one) =>
          first &&
          (one.top >= first.bottom || one.bottom <= first.top) &&
          Math.abs(one.width - first.width) > 1,
      )
    )
      found.add(`buttons below each other differ in width: ${brief(row.textContent)}`);
  }
  // What has no ground and ends a row ends where its words do.
  for (const button of page ? [] : card.querySelectorAll(".wc-row>*+.wc-v-ghost:last-child")) {
    const face = button.querySelector(".wc-face")?.getBoundingClientRect();
    const isOther = button.matches(".wc-block,.wc-uniform,.wc-tight>*,[dir=rtl] *");
    if (face && !isOther && button.getBoundingClientRect().right - face.right > 2)
      found.add(`a button ends after its words: ${brief(button.textContent)}`);
  }
  for (const label of card.querySelectorAll(".wc-plot text:not([dy])")) {
    const plot = label.closest(".wc-plot")?.getBoundingClientRect();
    const { left, right } = label.getBoundingClientRect();
    const isShort = (label.textContent ?? "").length < 5;
    if (plot && plot.width > 60 && isShort && (left < plot.left - 3 || right > plot.right + 3))
      found.add(`a label overhangs its chart: ${brief(label.textContent)}`);
  }
  if (CSS.supports("field-sizing", "content"))
    for (const area of card.querySelectorAll("textarea.wc-edit"))
      if (area.scrollHeight > area.clientHeight + 4 || area.scrollWidth > area.clientWidth + 1)
        found.add(`a text to edit is cut: ${brief((area as HTMLTextAreaElement).value)}`);
  const texts = doc.createTreeWalker(card, NodeFilter.SHOW_TEXT);
  const partsOf = (text: Text, start: number, length: number) => {
    range.setStart(text, start);
    range.setEnd(text, start + length);
    // WebKit has an empty one at the end of the line before.
    return [...range.getClientRects()].filter(({ width }) => width > 0);
  };
  while (texts.nextNode()) {
    const text = texts.currentNode as Text;
    const parent = text.parentElement;
    if (!parent || parent.closest(".wc-clip,.wc-chart-sr,.hidden,textarea,select,option,svg"))
      continue;
    const rows = new Set(partsOf(text, 0, text.data.length).map(({ top }) => Math.round(top))).size;
    // A figure with its unit is one word to a reader, in a table as well.
    if (rows > 1 && edge.width > 300 && /^(?=.*\d).{2,8}$/.test(text.data.trim()))
      found.add(`a figure is broken: ${brief(text.data)}`);
    if (scrolls(parent)) continue;
    if (!parent.closest(".wc-badge,.wc-lines") && boxOf(text).right > edge.right + 1)
      found.add(`a text is past the edge: ${brief(text.data)}`);
    const { width: room } = parent.getBoundingClientRect();
    const words = text.data.trim().split(/\s+/);
    const longest = Math.max(...words.map((word) => word.length));
    if (
      !page &&
      rows > 2 &&
      words.length < rows * 2 &&
      longest < 16 &&
      room < edge.width * 0.3 &&
      edge.width > 300
    )
      found.add(`a text is squeezed: ${brief(text.data)}`);
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
  // The heads of a page's table are buttons, which fill their cells.
  for (const row of page ? [] : card.querySelectorAll("tr:not(.wc-chart-sr *, .wc-cards *)")) {
    const cells = [...row.children].filter((cell) => cell.textContent?.trim());
    const bounds = cells.map(boxOf);
    const isEven = (side: "top" | "bottom") =>
      Math.max(...bounds.map((one) => one[side])) - Math.min(...bounds.map((one) => one[side])) < 5;
    if (cells.every(({ tagName }) => tagName === "TH") && !isEven("top") && !isEven("bottom"))
      found.add(`the heads of a table are at different heights: ${brief(row.textContent)}`);
    for (const [at, cell] of cells.entries()) {
      const [one, next] = [bounds[at], bounds[at + 1]];
      // Figures at the end of their column need more room before the words of the next; on a phone cells
      // have less around them.
      const isAtEnd = (one?: Element) => !!one && getComputedStyle(one).textAlign === "end";
      const isEnd = isAtEnd(cell) && !isAtEnd(cells[at + 1]);
      const least = edge.width < 340 ? 5 : isEnd ? 20 : 10;
      if (one && next && next.left > one.left && next.left - one.right < least)
        found.add(`two columns touch: ${brief(cell.textContent)}`);
    }
  }
  for (const node of page ? [] : card.querySelectorAll(".wc-words.wc-clip"))
    if (node.clientWidth > 2 && node.scrollWidth > node.clientWidth + 1)
      found.add(`a line is shortened: ${brief(node.textContent)}`);
  return [...found];
}
