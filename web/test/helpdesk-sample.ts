// What the tools of examples/helpdesk give, with days that stay the same.

export const ticket = (id: number, title: string, assignee?: string) => ({
  id,
  title,
  body: `All about ${title.toLowerCase()}.`,
  status: "open",
  ...(assignee && { assignee }),
});
export const stats = (days: number, printer?: string) => ({
  open: 3,
  closed: 1,
  unassigned: 2,
  days: Array.from({ length: days }, (_, at) => ({
    day: `2026-03-${String(at + 1).padStart(2, "0")}`,
    opened: (at * 5) % 7,
    closed: (at * 3) % 5,
  })),
  people: [{ open: 2 }, { name: "bob", open: 1 }],
  waiting: [
    ticket(6, "Slow laptop", "bob"),
    ticket(7, "Printer on fire", printer),
    ticket(8, "New chair"),
  ],
});
