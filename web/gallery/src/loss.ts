// What a host does not show of a result, or does not do.

import type { Drawing, Loss } from "./api";
import { type Host, missing } from "./hosts";
import { shownBy } from "./paint";
import { type Conditions, modeOf } from "./play";

const ACTIONS = /"on\w+Action":\{/;

/** What of the result this host does not show, or not do. */
export function lossesOf(
  host: Host,
  drawing: Drawing,
  conditions: Conditions,
  hasPage: boolean,
): Loss[] {
  const losses = [...(shownBy(host, drawing)?.losses ?? [])];
  if (hasPage && !host.isFrame && !drawing.tree)
    losses.push({ path: "", reason: "The tool's own page is not shown here, only its text" });
  const acts = ACTIONS.test(JSON.stringify(drawing.tree) ?? "");
  const [cannotCall, cannotSay] = ["call", "message"].map((one) => host.lacks.includes(one));
  if (host.isFrame && acts && cannotCall && cannotSay)
    losses.push({
      path: "",
      reason: "Buttons do nothing: views here neither call tools nor write",
    });
  else if (host.isFrame && acts && (cannotCall || cannotSay))
    losses.push({ path: "", reason: `Views here lack ${missing(host).join(" and ")}` });
  if (host.isFrame && conditions.mode !== modeOf(host, conditions))
    losses.push({ path: "", reason: `There is no ${conditions.mode} mode here` });
  if (host.surface === "slack-blocks" && conditions.meta === "stripped")
    losses.push({ path: "/_meta", reason: "Blocks travel in _meta: without it the text is shown" });
  return losses;
}
