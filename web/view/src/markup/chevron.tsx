/** @jsxImportSource #jsx */

import { chevronRight } from "../../icon-drawings";
import { renderDrawing } from "./icon";

export function renderChevron() {
  return <span className="wc-down">{renderDrawing(chevronRight, 14)}</span>;
}
