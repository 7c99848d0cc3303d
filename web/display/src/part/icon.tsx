/** @jsxImportSource react */
// Outlines on a grid of 24, in the notation of @widgetcast/react/icons: `~` mirrors one where text
// runs from right to left. Icons are decoration: the words next to them, or a label, carry the sense.

import { Icon as Drawn } from "@widgetcast/react/ui";

const PATHS = {
  up: "M12 19V5m-6 6 6-6 6 6",
  down: "M12 5v14m6-6-6 6-6-6",
  flat: "M5 12h14",
  plus: "M12 5v14M5 12h14",
  back: "~m14 6-6 6 6 6",
  forth: "~m10 6 6 6-6 6",
  sort: "m8 10 4-4 4 4M8 14l4 4 4-4",
  expand: "M14 4h6v6M10 20H4v-6M20 4l-7 7M4 20l7-7",
  shrink: "M20 10h-6V4M4 14h6v6M14 10l6-6M10 14l-6 6",
  pip: "M4 5h16v14H4zM13 12h5v5h-5z",
  search: "M10.5 4a6.5 6.5 0 1 0 0 13 6.5 6.5 0 0 0 0-13M20 20l-4.8-4.8",
  copy: "M9 9h11v11H9zM5 15H4V4h11v1",
  check: "m5 12.5 4.5 4.5L19 7.5",
  cross: "m6 6 12 12M18 6 6 18",
  out: "~M14 4h6v6M20 4l-9 9M18 14v5H5V6h5",
  chat: "M4 5h16v11H11l-5 4v-4H4z",
  play: "M8 5.5v13l10-6.5z",
  pause: "M8 5v14M16 5v14",
  info: "M12 3.5a8.5 8.5 0 1 0 0 17 8.5 8.5 0 0 0 0-17M12 11v5M12 7.8v.2",
  alert: "M12 4 2.8 19.5h18.4zM12 10v4M12 16.8v.2",
  clock: "M12 3.5a8.5 8.5 0 1 0 0 17 8.5 8.5 0 0 0 0-17M12 7v5l3.2 2",
  table: "M4 5h16v14H4zM4 10h16M10 10v9",
  spark: "M12 4c.7 4.6 3.4 7.3 8 8-4.6.7-7.3 3.4-8 8-.7-4.6-3.4-7.3-8-8 4.6-.7 7.3-3.4 8-8",
  grid: "M4 4h7v7H4zM13 4h7v7h-7zM4 13h7v7H4zM13 13h7v7h-7z",
  star: "m12 4 2.5 5.2 5.5.8-4 4 1 5.7-5-2.8-5 2.8 1-5.7-4-4 5.5-.8z",
};

export type IconName = keyof typeof PATHS;
export const ICONS = Object.keys(PATHS) as IconName[];

export const drawingOf = (name: IconName): string => PATHS[name];

export const Icon = ({ name }: { name: IconName }) => <Drawn drawing={PATHS[name]} />;
