// The 64 icon names of ChatKit and what is drawn for each: a name of lucide, or, where lucide has
// nothing like it, a drawing of our own. Only the build reads this table; the page gets its result.

export const LUCIDE = {
  agent: "bot",
  analytics: "chart-no-axes-combined",
  atom: "atom",
  batch: "layers",
  bolt: "zap",
  "book-closed": "book",
  "book-open": "book-open",
  bug: "bug",
  calendar: "calendar",
  chart: "chart-column",
  check: "check",
  "check-circle": "circle-check",
  "chevron-left": "chevron-left",
  "chevron-right": "chevron-right",
  "circle-question": "circle-question-mark",
  clock: "clock",
  compass: "compass",
  confetti: "party-popper",
  cube: "box",
  desktop: "monitor",
  document: "file-text",
  "dots-horizontal": "ellipsis",
  "dots-vertical": "ellipsis-vertical",
  "external-link": "external-link",
  globe: "globe",
  images: "images",
  info: "info",
  keys: "key-round",
  lab: "flask-conical",
  lifesaver: "life-buoy",
  lightbulb: "lightbulb",
  mail: "mail",
  "map-pin": "map-pin",
  maps: "map",
  mobile: "smartphone",
  name: "id-card-lanyard",
  notebook: "notebook",
  "notebook-pencil": "notebook-pen",
  "page-blank": "file",
  phone: "phone",
  play: "play",
  plus: "plus",
  profile: "circle-user-round",
  "profile-card": "id-card",
  reload: "rotate-cw",
  search: "search",
  "settings-slider": "sliders-horizontal",
  sparkle: "sparkle",
  "sparkle-double": "sparkles",
  "square-code": "square-code",
  "square-image": "image",
  "square-text": "square-text",
  star: "star",
  "star-filled": "star",
  suitcase: "briefcase",
  user: "user",
  wreath: "award",
  write: "pencil",
  "write-alt": "square-pen",
  "write-alt2": "pencil-line",
} as const;

// In the page's notation, see icon.tsx.
export const DRAWN = {
  "book-clock":
    "M19 7V3a1 1 0 0 0-1-1H6.5A2.5 2.5 0 0 0 4 4.5v15A2.5 2.5 0 0 0 6.5 22H8M4 19.5A2.5 2.5 0 0 1 6.5 17H7M16 13.5v2.7l1.8 1|o16 16 6",
  "check-circle-filled":
    "!M12 2a10 10 0 1 0 0 20 10 10 0 0 0 0-20M8.7 11.3l1.8 1.8 4.8-4.8a1 1 0 0 1 1.4 1.4l-5.5 5.5a1 1 0 0 1-1.4 0l-2.5-2.5a1 1 0 0 1 1.4-1.4z",
  dot: "!M12 8a4 4 0 1 0 0 8 4 4 0 0 0 0-8",
  "empty-circle": "o12 12 9",
} as const;

/** Those of `LUCIDE` that are filled. */
export const FILLED: readonly string[] = ["star-filled"];

export type IconName = keyof typeof LUCIDE | keyof typeof DRAWN;
