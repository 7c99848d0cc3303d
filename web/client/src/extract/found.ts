// What was found so far in a result, and what was broken in it.

import { type Part, part, rank } from "./part.js";
import { Fault, get, type Reason } from "./value.js";

/** The most parts, and the most reasons, that one extraction gives. */
const MOST = 100;

/** The parts of a tool result that a host can show. */
export interface Extraction {
  /** Every way to show the result, best first; only raw data comes after the text. */
  parts: Part[];
  /** What is invalid, and where. */
  reasons: Reason[];
  /** The text items, one per line; without any, the copy text of the best part. */
  text: string;
  /** Whether the tool returned an error. */
  isError: boolean;
}

/** What was found so far, in the order of the result. */
export class Found {
  parts: Part[] = [];
  reasons: Reason[] = [];
  texts: string[] = [];

  fault(pointer: string, message: string): void {
    if (this.reasons.length < MOST) this.reasons.push({ pointer, message });
  }

  /** Runs something; what is broken in it becomes a reason. */
  attempt<T>(run: () => T): T | undefined {
    try {
      return run();
    } catch (error) {
      if (!(error instanceof Fault)) throw error;
      this.fault(error.pointer, error.message);
      return undefined;
    }
  }

  /** The copy text, if it is a string; if not, the part is used without. */
  copyText(of: unknown, at: string): string | undefined {
    const text = get(of, "copy_text");
    if (text === undefined || typeof text === "string") return text;
    this.fault(`${at}/copy_text`, "copy_text is not a string");
    return undefined;
  }

  finish(at: string, isError: boolean): Extraction {
    this.parts.sort((a, b) => rank(a) - rank(b));
    const text = this.texts.length > 0 ? this.texts.join("\n") : firstCopyText(this.parts);
    if (text !== "") {
      const data = this.parts.findIndex(({ kind }) => kind === "data");
      this.parts.splice(data < 0 ? this.parts.length : data, 0, part("text", { text }));
    }
    if (this.parts.length > MOST) {
      this.parts.length = MOST;
      // Added even when the list of reasons is full, because good parts were dropped.
      this.reasons.splice(MOST - 1);
      this.fault(at, "more than 100 parts; the rest are ignored");
    }
    return { parts: this.parts, reasons: this.reasons, text, isError };
  }
}

const firstCopyText = (parts: Part[]): string => {
  for (const one of parts) if ("copyText" in one && one.copyText !== undefined) return one.copyText;
  return "";
};
