// Icons by name: the 64 names of ChatKit are in the page, those of lucide come with the tree.

import { ICON_PREFIX } from "@widgetcast/client/wire";
import data from "../icon-data.json" with { type: "json" };
import { type IconNode, renderDrawing } from "./markup/icon";
import { list, pick, text } from "./markup/prop";

export function Icon(props: {
  name: string;
  size?: number | undefined;
  icons?: Record<string, IconNode> | undefined;
  label?: string | undefined;
}) {
  const name = text(props.name);
  // What came with a tree is a list of nodes, which is checked; a text would be drawn as it is.
  const sent = list(pick(props.icons ?? {}, name)) as IconNode;
  const drawing = pick<string>(data, name) || sent;
  const turns = /^(chevron|arrow)-(left|right)$/.test(name.replace(ICON_PREFIX, ""));
  return renderDrawing(drawing, props.size, props.label, turns);
}
