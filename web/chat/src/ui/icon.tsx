// The page's own icons on a grid of 24, in the notation of the view. They are decoration: the words
// next to them, or a label, carry the sense.

import { Icon as NamedIcon, renderDrawing } from "@widgetcast/view";
import type { VNode } from "preact";

const PATHS = {
  menu: "M4 7h16M4 12h10M4 17h16",
  fold: "M7 10l5 5 5-5",
  plus: "M12 5v14M5 12h14",
  search: "M20 20l-4.5-4.5|o10.5 10.5 6.5",
  cross: "M6 6l12 12M18 6L6 18",
  pen: "M4 20l1-4.5L15.5 5l3.5 3.5L8.5 19zM13 7.5l3.5 3.5",
  bin: "M4.5 7h15M9.5 7V4.5h5V7M6.5 7l1 13h9l1-13M10.5 11v5.5M13.5 11v5.5",
  up: "M12 19V5.5M6 11.5l6-6 6 6",
  down: "M12 5v13.5M6 12.5l6 6 6-6",
  stop: "*r7 7 10 10 1.5",
  clip: "M19.5 11.5l-7.8 7.8a4.6 4.6 0 0 1-6.5-6.5l8-8a3.1 3.1 0 0 1 4.4 4.4l-7.9 7.9a1.5 1.5 0 0 1-2.2-2.2l7.2-7.1",
  file: "M13.5 3.5H6v17h12V8zM13.5 3.5V8H18",
  copy: "M15.5 8.5V4h-11v11h4|r8.5 8.5 11.5 11.5 1.5",
  check: "M5 12.5l4.5 4.5L19 7.5",
  good: "M7.5 11v9H4v-9zM7.5 11l4-7.5c1.8 0 2.6 1.2 2.2 2.9L13 9.5h5.2a1.8 1.8 0 0 1 1.8 2.2l-1.3 6.5a2.2 2.2 0 0 1-2.2 1.8h-9",
  bad: "M7.5 13V4H4v9zM7.5 13l4 7.5c1.8 0 2.6-1.2 2.2-2.9L13 14.5h5.2a1.8 1.8 0 0 0 1.8-2.2l-1.3-6.5a2.2 2.2 0 0 0-2.2-1.8h-9",
  again: "M19.5 12a7.5 7.5 0 1 1-2.4-5.5M19.5 4.5v4h-4",
  alert: "M12 4.5L3 19.5h18zM12 10v4.5M12 17v.2",
  info: "M12 11v5M12 8v.2|o12 12 8.5",
  sun: "M12 3v1.5M12 19.5V21M3 12h1.5M19.5 12H21M5.6 5.6l1 1M17.4 17.4l1 1M5.6 18.4l1-1M17.4 6.6l1-1|o12 12 4",
  moon: "M20 14.5A8.5 8.5 0 0 1 9.5 4a8.5 8.5 0 1 0 10.5 10.5z",
  screen: "M9 20h6M12 16v4|r4 5 16 11 1.5",
  slash: "M15.5 4.5l-7 15",
} as const;

export type IconName = keyof typeof PATHS;

// The view's markup is typed for React and compiled with Preact.
const asVNode = (element: unknown) => element as VNode;

export const Icon = ({ name, size = 18 }: { name: IconName; size?: number }) =>
  asVNode(renderDrawing(PATHS[name], size));

/** An icon that the server named, one of ChatKit's. */
export const ServerIcon = ({ name }: { name: string }) => asVNode(NamedIcon({ name, size: 16 }));
