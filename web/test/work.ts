// How much work some code does, counted instead of timed, so that a busy machine changes nothing: each
// run of a regular expression and each search in a text with the characters that it went over, and the
// elements that searches, pushes and splices of arrays touched. What matters is how it grows.

export function work(run: () => unknown): number {
  let steps = 0;
  const { exec } = RegExp.prototype;
  const { findLastIndex, splice, push } = Array.prototype;
  const { indexOf } = String.prototype;
  RegExp.prototype.exec = function (this: RegExp, text: string) {
    const from = this.global || this.sticky ? this.lastIndex : 0;
    const match = exec.call(this, text);
    const isAnchored = this.sticky || this.source.startsWith("^");
    const end = match ? match.index + match[0].length : isAnchored ? from : text.length;
    steps += 1 + Math.max(0, end - from);
    return match;
  };
  Array.prototype.findLastIndex = function (this: unknown[], ...args) {
    steps += this.length;
    return findLastIndex.apply(this, args as never);
  };
  Array.prototype.splice = function (this: unknown[], ...args: unknown[]) {
    const removed = splice.apply(this, args as never);
    steps += removed.length;
    return removed;
  };
  Array.prototype.push = function (this: unknown[], ...items) {
    steps += items.length;
    return push.apply(this, items);
  };
  String.prototype.indexOf = function (this: string, part: string, from = 0) {
    const found = indexOf.call(this, part, from);
    steps += 1 + (found < 0 ? this.length : found) - from;
    return found;
  };
  try {
    run();
  } finally {
    RegExp.prototype.exec = exec;
    Object.assign(Array.prototype, { findLastIndex, splice, push });
    String.prototype.indexOf = indexOf;
  }
  return steps;
}
