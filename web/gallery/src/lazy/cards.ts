// Microsoft's renderer of Adaptive Cards with the sizes and colours of Teams. A script of its own, because
// it is larger than the rest of the page.

import { AdaptiveCard, HostConfig, OpenUrlAction, SubmitAction } from "adaptivecards";
import { newerStyle, registerNewer } from "./cards/elements";
import { markdownHtml } from "./cards/markdown";

/** The colours and sizes of Teams, as its documentation gives them. */
function config(dark: boolean): HostConfig {
  const color = (light: string, night: string) => {
    const one = dark ? night : light;
    return { default: one, subtle: one };
  };
  const foregroundColors = {
    default: {
      default: dark ? "#ffffff" : "#242424",
      subtle: dark ? "#adadad" : "#616161",
    },
    accent: color("#5b5fc7", "#9299f7"),
    good: color("#237b4b", "#92c353"),
    warning: color("#835c00", "#f8d22a"),
    attention: color("#c4314b", "#f9526b"),
  };
  // Grounds that have a meaning are as pale at night, with dark texts.
  const tint = (backgroundColor: string) => ({
    backgroundColor,
    foregroundColors: {
      ...foregroundColors,
      default: { default: "#242424", subtle: dark ? "#2d2c2c" : "#484644" },
    },
  });
  return new HostConfig({
    fontFamily: "Segoe UI, Inter, Arial, sans-serif",
    fontSizes: { small: 12, default: 14, medium: 14, large: 18, extraLarge: 24 },
    fontWeights: { lighter: 300, default: 400, bolder: 600 },
    lineHeights: { small: 16, default: 20, medium: 20, large: 24, extraLarge: 32 },
    spacing: { small: 4, default: 8, medium: 12, large: 16, extraLarge: 20, padding: 16 },
    separator: { lineThickness: 1, lineColor: dark ? "#3d3d3d" : "#e1e1e1" },
    containerStyles: {
      default: {
        backgroundColor: dark ? "#292929" : "#ffffff",
        // Of the grid of a table.
        borderColor: dark ? "#3d3d3d" : "#e1e1e1",
        foregroundColors,
      },
      emphasis: { backgroundColor: dark ? "#333333" : "#f5f5f5", foregroundColors },
      accent: tint("#c7def9"),
      good: tint("#ccffcc"),
      warning: tint("#ffe2b2"),
      attention: tint("#ffc5b2"),
    },
    imageSizes: { small: 32, medium: 52, large: 100 },
    actions: {
      maxActions: 6,
      spacing: "default",
      // By the style sheet, because sets of buttons wrap in Teams.
      buttonSpacing: 0,
      actionsOrientation: "horizontal",
      actionAlignment: "left",
    },
    // Below the name of the host, which is a heading of the third level.
    textBlock: { headingLevel: 4 },
    factSet: { spacing: 16, title: { weight: "bolder" }, value: {} },
    inputs: {
      label: { requiredInputs: { weight: "bolder" }, optionalInputs: { weight: "bolder" } },
    },
  });
}

registerNewer();

// The renderer sets this as HTML.
AdaptiveCard.onProcessMarkdown = (text, result) => {
  result.outputHtml = markdownHtml(text);
  result.didProcess = true;
};

/** An action, with the values of the inputs if it submits them. */
export interface Pressed {
  type: string;
  title: string;
  data: unknown;
  url: string;
}

function draw(
  json: unknown,
  dark: boolean,
  pressed: (action: Pressed) => void,
): HTMLElement | undefined {
  const card = new AdaptiveCard();
  card.hostConfig = config(dark);
  card.onExecuteAction = (action) =>
    pressed({
      type: action.getJsonTypeName(),
      title: action.title ?? "",
      data: (action instanceof SubmitAction && action.data) || null,
      url: (action instanceof OpenUrlAction && action.url) || "",
    });
  // This renderer would load the names of Fluent icons, which Teams draws, as images.
  const isName = (key: string, value: unknown) =>
    key === "iconUrl" && typeof value === "string" && value.startsWith("icon:");
  card.parse(
    JSON.parse(JSON.stringify(json), (key, value) => (isName(key, value) ? undefined : value)),
  );
  const drawn = card.render();
  for (const area of drawn?.querySelectorAll("textarea") ?? []) area.rows = rowsOf(area.value);
  return drawn;
}

/** The lines of a field that show its text, within reason. */
function rowsOf(text: string): number {
  const lines = text.split("\n").map((line) => 1 + Math.floor(line.length / 48));
  return Math.min(
    Math.max(
      lines.reduce((sum, line) => sum + line, 0),
      3,
    ),
    12,
  );
}

const style = `${newerStyle}
.ac-actionSet{flex-wrap:wrap;gap:8px}
textarea.ac-input{field-sizing:content;min-height:72px;max-height:320px}
.cards-frame{border-radius:6px;overflow:hidden;box-shadow:0 0 0 1px light-dark(#e0e0e0,#3d3d3d),0 1px 3px rgb(0 0 0/10%);font-family:"Segoe UI",Inter,Arial,sans-serif}
.ac-pushButton{padding:5px 12px;border-radius:4px;border:1px solid light-dark(#d1d1d1,#666);background:light-dark(#fff,#292929);color:light-dark(#242424,#fff);font:600 14px/20px "Segoe UI",Inter,Arial,sans-serif}
.ac-pushButton.primary,.ac-pushButton.style-positive{background:#5b5fc7;color:#fff;border-color:#5b5fc7}.ac-pushButton.style-destructive{color:light-dark(#c4314b,#f9526b)}
.ac-input{font:14px/20px "Segoe UI",Inter,Arial,sans-serif;padding:5px 8px;border:1px solid light-dark(#d1d1d1,#666);border-radius:4px;width:100%;box-sizing:border-box;background:light-dark(#fff,#1f1f1f);color:inherit}
.ac-toggleInput,.ac-choiceSetInput-expanded input{width:auto}.ac-input.ac-toggleInput,.ac-input.ac-choiceSetInput-expanded{border:0;padding:0;background:none}
.ac-selectable{cursor:pointer}a{color:light-dark(#5b5fc7,#9299f7)}
`;

Object.assign(globalThis, { widgetcastCards: { draw, style } });
