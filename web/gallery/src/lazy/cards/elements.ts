// Elements of the current schema that Microsoft's renderer does not know and Teams draws: icons, badges,
// progress bars, charts, and containers whose items flow or whose corners are round.

import {
  CardElement,
  ColumnSet,
  Container,
  GlobalRegistry,
  HorizontalAlignment,
  type SerializationContext,
} from "adaptivecards";
import { type Chart, chartStyle, drawChart } from "./chart";
import { drawingOf, iconSvg } from "./icons";

type Source = Record<string, unknown>;

const word = (value: unknown): string => (typeof value === "string" ? value : "");

/** An element that is drawn from its JSON. */
abstract class Newer extends CardElement {
  protected source: Source = {};

  protected override internalParse(source: Source, context: SerializationContext): void {
    super.internalParse(source, context);
    this.source = source;
  }

  protected override internalRender(): HTMLElement | undefined {
    const drawn = this.draw();
    if (!drawn) return undefined;
    const element = document.createElement("div");
    element.className = `cards-newer cards-${this.side()}`;
    element.append(drawn);
    return element;
  }

  private side(): string {
    const side = this.getEffectiveHorizontalAlignment();
    return HorizontalAlignment[side]?.toLowerCase() ?? "left";
  }

  protected abstract draw(): Element | undefined;
}

/** In pixels. */
const SIZES: Record<string, number> = {
  xxSmall: 12,
  xSmall: 16,
  Small: 20,
  Standard: 24,
  Medium: 28,
  Large: 32,
  xLarge: 40,
  xxLarge: 48,
};

class Icon extends Newer {
  getJsonTypeName(): string {
    return "Icon";
  }

  protected draw(): Element | undefined {
    const { name, size, style, color, fallback } = this.source;
    const drawing = drawingOf(word(name), style === "Filled");
    const element = document.createElement("span");
    element.className = `cards-icon cards-color-${word(color).toLowerCase()}`;
    // Without a colour of its own it has that of texts on the same ground.
    if (!color)
      element.style.color = this.getEffectiveStyleDefinition().foregroundColors.default.default;
    if (drawing) element.append(iconSvg(drawing, SIZES[word(size)] ?? 24));
    else element.textContent = word((fallback as Source | undefined)?.text);
    return element;
  }
}

class Badge extends Newer {
  getJsonTypeName(): string {
    return "Badge";
  }

  protected draw(): Element {
    const { text, style, shape } = this.source;
    const element = document.createElement("span");
    element.className = `cards-badge cards-tint-${word(style).toLowerCase()}`;
    if (shape === "Circular") element.style.borderRadius = "999px";
    element.textContent = word(text);
    return element;
  }
}

class ProgressBar extends Newer {
  getJsonTypeName(): string {
    return "ProgressBar";
  }

  protected draw(): Element {
    const { value, max, color } = this.source;
    const part = Math.min(Math.max(Number(value) / (Number(max) || 100), 0), 1);
    const element = document.createElement("div");
    element.className = `cards-progress cards-color-${word(color).toLowerCase() || "accent"}`;
    element.setAttribute("role", "progressbar");
    element.setAttribute("aria-valuenow", String(Math.round(part * 100)));
    element.setAttribute("aria-label", `${Math.round(part * 100)}%`);
    const inner = document.createElement("div");
    inner.style.width = `${part * 100}%`;
    element.append(inner);
    return element;
  }
}

const chartElement = (kind: string) =>
  class extends Newer {
    getJsonTypeName(): string {
      return kind;
    }

    protected draw(): Element | undefined {
      return drawChart(this.source as unknown as Chart);
    }
  };

/** A container with round corners, and whose items go to the next line where there is no room. */
class NewerContainer extends Container {
  private flows = false;
  private isRound = false;

  protected override internalParse(source: Source, context: SerializationContext): void {
    super.internalParse(source, context);
    const layouts = Array.isArray(source.layouts) ? source.layouts : [];
    this.flows = layouts.some((layout) => layout?.type === "Layout.Flow");
    this.isRound = source.roundedCorners === true;
  }

  protected override internalRender(): HTMLElement | undefined {
    const element = super.internalRender();
    if (this.flows) element?.classList.add("cards-flow");
    if (this.isRound) element?.classList.add("cards-round");
    return element;
  }
}

/** Columns of which some have round corners. */
class NewerColumnSet extends ColumnSet {
  private round: boolean[] = [];

  protected override internalParse(source: Source, context: SerializationContext): void {
    super.internalParse(source, context);
    const columns = Array.isArray(source.columns) ? source.columns : [];
    this.round = columns.map((column) => column?.roundedCorners === true);
  }

  protected override internalRender(): HTMLElement | undefined {
    const element = super.internalRender();
    for (let at = 0; at < this.getItemCount(); at += 1)
      if (this.round[at]) this.getColumnAt(at).renderedElement?.classList.add("cards-round");
    return element;
  }
}

export function registerNewer(): void {
  const registry = GlobalRegistry.elements;
  registry.register("Icon", Icon);
  registry.register("Badge", Badge);
  registry.register("ProgressBar", ProgressBar);
  for (const kind of ["Chart.Line", "Chart.VerticalBar", "Chart.VerticalBar.Grouped"]) {
    registry.register(kind, chartElement(kind));
  }
  registry.register("Container", NewerContainer);
  registry.register("ColumnSet", NewerColumnSet);
}

export const newerStyle = `${chartStyle}
.cards-newer{display:flex;width:100%}.cards-center{justify-content:center}.cards-right{justify-content:flex-end}
.cards-icon{display:flex;font-size:16px;line-height:20px}.cards-icon svg{display:block}.cards-icon svg[width="16"]{margin:2px 0}
.cards-color-accent{color:light-dark(#5b5fc7,#9299f7)}.cards-color-good{color:light-dark(#237b4b,#92c353)}.cards-color-warning{color:light-dark(#835c00,#f8d22a)}.cards-color-attention{color:light-dark(#c4314b,#f9526b)}
.cards-badge{display:inline-block;max-width:100%;overflow:hidden;text-overflow:ellipsis;box-sizing:border-box;padding:1px 5px;border-radius:4px;font-size:12px;line-height:16px;font-weight:600;white-space:nowrap;border:1px solid transparent}
.cards-tint-subtle,.cards-tint-default,.cards-tint-informative{background:light-dark(#fafafa,#333);color:light-dark(#424242,#d6d6d6);border-color:light-dark(#d1d1d1,#5c5c5c);font-weight:400}
.cards-tint-accent{background:light-dark(#e8ebfa,#2f2f4a);color:light-dark(#444791,#aab0f7)}.cards-tint-good{background:light-dark(#e7f2da,#1e3317);color:light-dark(#1c6239,#92c353)}.cards-tint-warning{background:light-dark(#fbf0c8,#3f3100);color:light-dark(#6b4b00,#f8d22a)}.cards-tint-attention{background:light-dark(#fbe4e8,#4a1820);color:light-dark(#a52a41,#f9929f)}
.cards-progress{flex:1;height:4px;margin:4px 0;border-radius:2px;overflow:hidden;background:light-dark(#e6e6e6,#4d4d4d)}.cards-progress>div{height:100%;background:currentColor;border-radius:2px}
.cards-round{border-radius:6px}.cards-flow{flex-flow:row wrap!important;justify-content:flex-start!important;gap:4px}.cards-flow>[aria-hidden]{display:none}.cards-flow>.cards-newer{width:auto;max-width:100%}
.cards-item{display:flex;gap:8px}.cards-item>span{flex:none;min-width:12px}
`;
