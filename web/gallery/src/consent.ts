// A user decides about what a view wants to run.

import type { Dict, Json } from "@widgetcast/schema";
import { McpError } from "./mcp";

/** A call that waits for the user. */
export interface Question {
  tool: string;
  /** The arguments, all of them: nobody agrees to what is not shown. */
  input: string;
  decide(run: boolean): void;
}

const MAX_INPUT = 20_000;

/** The questions of one frame: one at a time, so that a view cannot fill the page with them. */
export class Consent {
  private waiting: Question | undefined;

  /** `show` is told what is asked now, and of nothing once it is decided. */
  constructor(private readonly show: (question: Question | undefined) => void) {}

  /** Whether the person lets it run. */
  async ask(tool: string, args: Json): Promise<boolean> {
    if (this.waiting)
      throw new McpError(-32000, `Busy: ${this.waiting.tool} is waiting for the user`);
    const input = JSON.stringify(args, null, 2);
    if (input.length > MAX_INPUT)
      throw new McpError(-32602, "The arguments are too long to show to the user");
    return new Promise((done) => {
      const decide = (run: boolean) => {
        if (this.waiting !== question) return;
        this.waiting = undefined;
        this.show(undefined);
        done(run);
      };
      const question = { tool, input, decide };
      this.waiting = question;
      this.show(question);
    });
  }

  /** The view is gone, and with it what it asked. */
  drop(): void {
    this.waiting?.decide(false);
  }
}

/** Whether views may call the tool; one that says nothing is for models and for views. */
export function isForViews({ _meta }: Dict): boolean {
  const visibility = (_meta as Partial<Record<string, Dict>> | undefined)?.ui?.visibility;
  return !Array.isArray(visibility) || visibility.includes("app");
}

export const isReadOnly = ({ annotations }: Dict): boolean =>
  (annotations as Dict | undefined)?.readOnlyHint === true;
