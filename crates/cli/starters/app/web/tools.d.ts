// Written by `widgetcast types`; write it again when the tools change.
import "@widgetcast/client";

declare module "@widgetcast/client" {
  interface ToolRegistry {
    /** Shows how many tickets were opened and closed on each of the last days */
    stats: { input: {
      /** How many days, up to today: 1 to 14 */
      days: number;
    }; output: {
      /** The oldest first */
      days: {
        /** How many days ago */
        ago: number;
        /** Tickets that came in */
        opened: number;
        /** Tickets that were done */
        closed: number;
      }[];
    } };
    /** Shows one ticket with its number, title and status. */
    ticket: { input: {
      /** The number of the ticket */
      number: number;
      /** What it is about */
      title: string;
      /** How far it is */
      status: "open" | "closed";
    }; output: unknown };
  }
}
