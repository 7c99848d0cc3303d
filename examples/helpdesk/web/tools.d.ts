// Written by `widgetcast types`; write it again when the tools change.
import "@widgetcast/client";

declare module "@widgetcast/client" {
  interface ToolRegistry {
    /** Gives a ticket to the person who asks, and opens it again if it was closed */
    assign: { input: {
      /** The number of the ticket */
      ticket: number;
    }; output: {
      /** Its number */
      id: number;
      /** What it is about */
      title: string;
      /** What the person wrote */
      body: string;
      /** Whether there is still something to do */
      status: "open" | "closed";
      /** Who works on it */
      assignee?: string | null;
    } };
    /** Opens a ticket; the form new_ticket asks a person for what it needs */
    create_ticket: { input: {
      /** What it is about, in a few words */
      title: string;
      /** What happened */
      body?: string;
    }; output: {
      /** Its number */
      id: number;
      /** What it is about */
      title: string;
      /** What the person wrote */
      body: string;
      /** Whether there is still something to do */
      status: "open" | "closed";
      /** Who works on it */
      assignee?: string | null;
    } };
    /** Removes a ticket for good */
    delete_ticket: { input: {
      /** The number of the ticket */
      ticket: number;
    }; output: unknown };
    /** All tickets as CSV, after the person has agreed */
    export: { input: Record<string, never>; output: unknown };
    /** Tickets by words in their titles, the newest first */
    list_tickets: { input: {
      /** Words in the title */
      words?: string;
      /** Only those that are open or closed */
      status?: "open" | "closed" | null;
    }; output: {
      tickets: ({
        /** Its number */
        id: number;
        /** What it is about */
        title: string;
        /** What the person wrote */
        body: string;
        /** Whether there is still something to do */
        status: "open" | "closed";
        /** Who works on it */
        assignee?: string | null;
      })[];
    } };
    /** Asks a person for what a new ticket needs. Use it when somebody has a problem to report. */
    new_ticket: { input: {
      /** What it is about, if that is known */
      title?: string;
    }; output: unknown };
    /** Reminds everybody of the tickets that are open */
    remind: { input: Record<string, never>; output: {
      /** How many reminders were sent */
      sent: number;
    } };
    /** One ticket with all that is known of it */
    show_ticket: { input: {
      /** The number of the ticket */
      ticket: number;
    }; output: {
      /** Its number */
      id: number;
      /** What it is about */
      title: string;
      /** What the person wrote */
      body: string;
      /** Whether there is still something to do */
      status: "open" | "closed";
      /** Who works on it */
      assignee?: string | null;
    } };
    /** How many tickets are open, closed and without anybody, and the last days */
    stats: { input: {
      /** How many days, up to today */
      days?: number;
    }; output: {
      /** Tickets with something to do */
      open: number;
      /** Tickets that are done */
      closed: number;
      /** Open tickets that nobody works on */
      unassigned: number;
      /** The last days, the oldest first */
      days: {
        /** Such as 2026-03-09 */
        day: string;
        /** Tickets that came in */
        opened: number;
        /** Tickets that were done */
        closed: number;
      }[];
      /** Who works on how many open tickets, the busiest first */
      people: ({
        /** Nobody, where it is missing */
        name?: string | null;
        /** How many open tickets */
        open: number;
      })[];
      /** Open tickets, the oldest first */
      waiting: ({
        /** Its number */
        id: number;
        /** What it is about */
        title: string;
        /** What the person wrote */
        body: string;
        /** Whether there is still something to do */
        status: "open" | "closed";
        /** Who works on it */
        assignee?: string | null;
      })[];
    } };
  }
}
