// The page's own icons, one stroke each.

const PATHS = {
  search: "M11 18a7 7 0 1 0 0-14 7 7 0 0 0 0 14ZM20 20l-4-4",
  copy: "M9 9h11v11H9zM15 9V4H4v11h5",
  check: "M5 12.5l4.5 4.5L19 7.5",
  sun: "M12 16a4 4 0 1 0 0-8 4 4 0 0 0 0 8ZM12 3v1.5M12 19.5V21M3 12h1.5M19.5 12H21M5.6 5.6l1 1M17.4 17.4l1 1M5.6 18.4l1-1M17.4 6.6l1-1",
  moon: "M20 14.5A8.5 8.5 0 0 1 9.5 4a8.5 8.5 0 1 0 10.5 10.5Z",
  screen: "M4 5h16v11H4zM9 20h6M12 16v4",
  back: "M14.5 6l-6 6 6 6",
  next: "M9.5 6l6 6-6 6",
  fold: "M6 9.5l6 6 6-6",
  plus: "M12 5.5v13M5.5 12h13",
  cross: "M6.5 6.5l11 11M17.5 6.5l-11 11",
  up: "M12 19V6M6.5 11L12 5.5l5.5 5.5",
  down: "M12 5v13M6.5 13l5.5 5.5 5.5-5.5",
  alert: "M12 4L2.8 19.5h18.4zM12 10v4.5M12 17v.2",
  play: "M8 5.5v13l10.5-6.5z",
  out: "M13.5 5H19v5.5M19 5l-8.5 8.5M17 14v5H5V7h5",
  reset: "M4.5 12a7.5 7.5 0 1 0 2.4-5.5M4.5 4.5v4h4",
  link: "M10 14a4 4 0 0 0 6 .4l3-3a4.2 4.2 0 0 0-6-6l-1.5 1.5M14 10a4 4 0 0 0-6-.4l-3 3a4.2 4.2 0 0 0 6 6l1.5-1.5",
  picture: "M4 5h16v14H4zM4 16l5-5 4 4 3-3 4 4M15.5 9.5v.01",
  large: "M14 5h5v5M19 5l-6 6M10 19H5v-5M5 19l6-6",
  grid: "M4.5 4.5h6v6h-6zM13.5 4.5h6v6h-6zM4.5 13.5h6v6h-6zM13.5 13.5h6v6h-6z",
  sliders:
    "M4 8h9M17 8h3M4 16h3M11 16h9M15 10.5a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5ZM9 18.5a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5Z",
  book: "M5 4.5h10.5a3 3 0 0 1 3 3V19.5H8a3 3 0 0 1-3-3zM5 16.5a3 3 0 0 1 3-3h10.5",
  plug: "M9 3.5V8M15 3.5V8M6.5 8h11v3a5.5 5.5 0 0 1-11 0zM12 16.5v4",
} as const;

export type Sign = keyof typeof PATHS;

export function Icon({ name, size = 16 }: { name: Sign; size?: number }) {
  return (
    <svg class="icon" width={size} height={size} viewBox="0 0 24 24" aria-hidden="true">
      <path d={PATHS[name]} />
    </svg>
  );
}

export function Mark() {
  return (
    <svg class="mark" width="22" height="22" viewBox="0 0 24 24" aria-hidden="true">
      <rect x="2" y="4" width="14" height="16" rx="4" />
      <path d="M19 8.5c1.3 2.2 1.3 4.8 0 7M21.7 6.5c2 3.5 2 7.5 0 11" transform="translate(-1)" />
      <path class="line" d="M5.5 9.5h7M5.5 13h7M5.5 16.5H9" />
    </svg>
  );
}
