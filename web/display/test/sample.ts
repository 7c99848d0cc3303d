// What the tools would have answered, for each page.

export interface Sample {
  input: Record<string, unknown>;
  result: { content: { type: "text"; text: string }[]; structuredContent: Record<string, unknown> };
  /** Words that the page must show. */
  shows: string;
}

const sample = (
  shows: string,
  output: Record<string, unknown>,
  input: Record<string, unknown> = {},
): Sample => ({
  input,
  result: { content: [{ type: "text", text: "Shown." }], structuredContent: output },
  shows,
});

const search = {
  query: "pizza ovens",
  results: [
    {
      id: 1,
      title: "How hot should a pizza oven be?",
      description:
        "Between 400 and 485 °C for Neapolitan style. We measured five ovens with a stone, with a steel and with a plain tray, and tell you what the difference is worth.",
      url: "https://www.example.com/ovens/heat",
      tags: ["Guide", "Ovens"],
    },
    {
      id: 2,
      title: "Gas or wood?",
      description: "Gas is even and quick. Wood smells better and asks for your whole evening.",
      url: "https://kitchen.example.org/gas-or-wood",
      tags: ["Comparison", "Ovens"],
    },
    {
      id: "c",
      title: "A baking steel for the kitchen oven",
      tags: ["Product"],
      url: "https://shop.example.net/steel?size=40",
    },
    {
      id: 4,
      title: "Notes from a class, not online",
      description: "Eleven pages of handwriting, scanned.",
      tags: ["Guide"],
    },
    {
      id: 5,
      title: "The manual of a 1974 oven",
      // No link comes of it.
      url: "javascript:alert(1)",
      description: "A scan of forty pages, in Italian.",
    },
    {
      id: 6,
      title: "Dough that waits for three days",
      url: "https://example.com/dough",
      tags: ["Guide", "Dough"],
    },
    {
      id: 7,
      title: "Flour types, compared",
      url: "https://example.com/flour",
      tags: ["Comparison", "Dough"],
    },
  ],
};

const table = {
  title: "Pizzerias near the office",
  columns: ["name", "rating", "price", "open", "since", "site"],
  rows: [
    {
      name: "Da Michele",
      rating: 4.8,
      price: 9.5,
      open: true,
      since: "2011-04-02",
      site: "https://example.com/michele",
    },
    { name: "Zia Lucia", rating: 4.5, price: 12, open: false, since: "2016-09-15", site: null },
    {
      name: "Årstiderne",
      rating: 4.1,
      price: 14.25,
      open: true,
      since: "2019-01-20",
      site: "https://example.com/a",
    },
    { name: "Émile", rating: 4.6, price: 11, open: true, since: "2008-11-30", site: null },
    {
      name: "Slice 2",
      rating: null,
      price: 4.5,
      open: true,
      since: "2024-05-05",
      site: "https://example.com/2",
    },
    { name: "Slice 10", rating: 3.9, price: 4, open: false, since: "2023-12-01", site: null },
    { name: "Officina", rating: 4.7, price: 13.5, open: true, since: "2014-06-18", site: null },
    {
      name: "Forno Nero",
      rating: 4.3,
      price: 10,
      open: true,
      since: "2020-02-29",
      site: "https://example.com/nero",
    },
    { name: "La Balena", rating: 4.4, price: 15.75, open: false, since: "2005-07-07", site: null },
  ],
};

export const SAMPLES: Record<string, Sample> = {
  "chat-view": sample("a good name for a pizzeria", {
    seedMessage: "What would be a good name for a pizzeria by the sea?",
    locale: "en",
  }),
  "search-results": sample("Gas or wood?", { ...search, locale: "en" }, search),
  "pizzaz-table": sample(
    "Zia Lucia",
    { title: table.title, columns: table.columns, data: table.rows, locale: "en" },
    table,
  ),
  "dashboard-widget": sample("Messages", {
    dashboard: true,
    headerText: "Your week",
    stats: [
      { label: "Messages", value: "1,284", change: "+12%" },
      { label: "Active chats", value: "37", change: "-3" },
      { label: "Answer time", value: "1.4 s", change: "0%" },
      { label: "Saved hours", value: "9.5", change: "+1.5" },
    ],
    recentChats: [
      { id: 1, title: "Names for a pizzeria by the sea", model: "gpt-5", time: "2 hours ago" },
      { id: 2, title: "Plan a trip to Naples in spring", model: "gpt-5-mini", time: "Yesterday" },
      { id: 3, title: "Why dough springs back", model: "o4", time: "2025-03-04T09:30:00Z" },
      { id: 4, title: "A menu for twelve guests", model: "gpt-5", time: "2025-03-03T18:05:00Z" },
      { id: 5, title: "Compare three pizza ovens", model: "gpt-5", time: "2025-03-02T11:20:00Z" },
      { id: 6, title: "Opening hours for the holidays", time: "2025-02-27T08:45:00Z" },
      { id: 7, title: "Answer a review politely", model: "o4", time: "2025-02-25T16:10:00Z" },
      {
        id: 8,
        title: "What basil needs indoors",
        model: "gpt-5-mini",
        time: "2025-02-21T20:00:00Z",
      },
    ],
  }),
  "kitchen-sink-lite": sample("Display mode", { demo: true }),
  "pizzaz-carousel": sample("Margherita", {}),
  "pizzaz-gallery": sample("Diavola", {}),
  "pizzaz-markdown": sample("Dough", {
    markdown: `# Dough\n\nA **good** dough is *slow*. See [the long version](https://example.com/dough), \`autolyse\` and ~~sugar~~.\n\n## Amounts\n\n| What | How much |\n|:--|--:|\n| Flour | 600 g |\n| Water | 390 g |\n\n1. Mix\n2. Wait\n   - two hours, or\n   - a day\n\n> It is not you, it is the gluten.\n\n- [x] Oven hot\n- [ ] Basil\n\n\`\`\`js\nconst ball = 1000 / 4; // grams\n\`\`\`\n\n<script>alert(1)</script>`,
  }),
  "solar-system": sample("Earth", {}),
};

/** Ten thousand rows, always the same. */
export function large(count = 10_000): Sample {
  const first = ["Margherita", "Öl", "zebra", "Ärger", "éclair", "Pizza"];
  const data = Array.from({ length: count }, (_, at) => ({
    id: at + 1,
    name: `${first[(at * 7919) % 6]} ${(at * 104_729) % 10_007}`,
    price: ((at * 31) % 9770) / 100,
    open: at % 3 === 0,
    when: new Date(1.7e12 + ((at * 7919) % 10_007) * 1e6).toISOString(),
  }));
  const columns = ["id", "name", "price", "open", "when"];
  return sample(
    "10,000",
    { title: "Orders", columns, data, locale: "en" },
    { columns, rows: data },
  );
}
