// The order of the first page: what shows best comes first.

import type { Tool } from "./api";

/** Of the bundled gallery those that show most of what a widget can be. */
const BEST = [
  "flight_tracker",
  "metrics_dashboard",
  "weather_forecast",
  "expense_report",
  "product_card",
  "ride_status",
  "sales_chart",
  "playlist",
  "booking_form",
  "comparison_table",
  "order_status",
  "poll",
];

/** The best first, then the other widgets, then tools, which are drawn only when they are run. */
export function ordered(tools: readonly Tool[]): Tool[] {
  const rank = ({ name, kind }: Tool) => {
    const at = BEST.indexOf(name);
    return kind === "tool" ? BEST.length + 1 : at < 0 ? BEST.length : at;
  };
  return [...tools].sort((one, other) => rank(one) - rank(other));
}
