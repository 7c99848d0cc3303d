// Fluent's icons by the page's own drawings: the names that the surface writes, and what is drawn for each.

import data from "../../../../view/icon-data.json" with { type: "json" };
import { svg } from "../../svg";

const DRAWN: Record<string, string> = {
  Add: "plus",
  ArrowClockwise: "reload",
  Beaker: "lab",
  Book: "book-closed",
  BookClock: "book-clock",
  BookOpen: "book-open",
  Bot: "agent",
  Briefcase: "suitcase",
  Bug: "bug",
  Calendar: "calendar",
  Call: "phone",
  Checkmark: "check",
  CheckmarkCircle: "check-circle",
  ChevronLeft: "chevron-left",
  ChevronRight: "chevron-right",
  Circle: "empty-circle",
  Clock: "clock",
  Code: "square-code",
  CompassNorthwest: "compass",
  ContactCard: "profile-card",
  Cube: "cube",
  DataBarVertical: "chart",
  DataTrending: "analytics",
  Desktop: "desktop",
  Document: "document",
  DocumentText: "square-text",
  Edit: "write",
  Flash: "bolt",
  Globe: "globe",
  Image: "square-image",
  ImageMultiple: "images",
  Info: "info",
  Key: "keys",
  Layer: "batch",
  Lightbulb: "lightbulb",
  Location: "map-pin",
  Mail: "mail",
  Map: "maps",
  MoreHorizontal: "dots-horizontal",
  MoreVertical: "dots-vertical",
  Note: "notebook-pencil",
  Notebook: "notebook",
  Open: "external-link",
  Options: "settings-slider",
  Person: "user",
  PersonSupport: "lifesaver",
  Phone: "mobile",
  Play: "play",
  QuestionCircle: "circle-question",
  Search: "search",
  Sparkle: "sparkle",
  Star: "star",
  Trophy: "wreath",
};

// Those that the page has no drawing of, or a plainer one.
const OWN: Record<string, string> = {
  ArrowDown: "M12 5v14M5 12l7 7 7-7",
  ArrowLeft: "M19 12H5M12 5l-7 7 7 7",
  ArrowRight: "M5 12h14M12 5l7 7-7 7",
  ArrowUp: "M12 19V5M5 12l7-7 7 7",
  Dismiss: "M6 6l12 12M18 6L6 18",
  DismissCircle: "M15 9l-6 6M9 9l6 6|o12 12 10",
  Payment: "M2 10h20|r2 5 20 14 2",
  Speaker2: "M4 9v6h4l5 4V5L8 9z|M16.5 8.5a5 5 0 0 1 0 7M19 6a9 9 0 0 1 0 12",
  Subtract: "M5 12h14",
  SubtractCircle: "M8 12h8|o12 12 10",
  Tag: "M12.6 2.6A2 2 0 0 0 11.2 2H4a2 2 0 0 0-2 2v7.2a2 2 0 0 0 .6 1.4l8.7 8.7a2.4 2.4 0 0 0 3.4 0l6.6-6.6a2.4 2.4 0 0 0 0-3.4z|o7.5 7.5 .5",
  Warning:
    "M12 9v4M12 17h.01M10.3 3.9 1.8 18a2 2 0 0 0 1.7 3h17a2 2 0 0 0 1.7-3L13.7 3.9a2 2 0 0 0-3.4 0z",
};

const FILLED: Record<string, string> = {
  CheckmarkCircle: "check-circle-filled",
  Star: "star-filled",
};

// As large as the other filled circles; the page's own is a small dot.
const DISC = "!o12 12 10";

function shape(part: string): SVGElement {
  const [a = "", b = "", c = "", d = "", e = ""] = part.slice(1).split(" ");
  if (part[0] === "o") return svg("circle", { cx: a, cy: b, r: c });
  if (part[0] === "r") return svg("rect", { x: a, y: b, width: c, height: d, rx: e });
  return svg("path", { d: part });
}

/** The drawing of an icon, in the page's notation; none if there is none. */
export function drawingOf(name: string, filled: boolean): string | undefined {
  if (filled && name === "Circle") return DISC;
  const own = (filled && FILLED[name]) || DRAWN[name];
  return OWN[name] ?? (own ? (data as Record<string, string>)[own] : undefined);
}

/** An icon as SVG, in the colour of the text around it. */
export function iconSvg(drawing: string, size: number): SVGElement {
  const bare = drawing.replace(/^~/, "");
  const solid = bare[0] === "!";
  const filled = bare[0] === "*";
  const icon = svg("svg", {
    width: String(size),
    height: String(size),
    viewBox: "0 0 24 24",
    fill: solid || filled ? "currentColor" : "none",
    stroke: solid ? "none" : "currentColor",
    "stroke-width": "1.75",
    "stroke-linecap": "round",
    "stroke-linejoin": "round",
    "fill-rule": "evenodd",
    "aria-hidden": "true",
  });
  icon.append(
    ...bare
      .slice(solid || filled ? 1 : 0)
      .split("|")
      .map(shape),
  );
  return icon;
}
