// Generated from the component table by `WIDGETCAST_BLESS=1 cargo test -p widgetcast-core`.

/** A token, a colour of the palette or any CSS colour; or one for each theme. */
export type Color = string | { light: string; dark: string };

/** Such as `{ "type": "add.todo", "payload": { "id": 1 } }`. */
export interface Action {
  /** Which action: the name of a tool to call, or one that your host handles. */
  type: string;
  /** What is sent along: the arguments of the tool. */
  payload?: unknown;
  /** Who handles it: the server (the default), or the page that shows the widget. */
  handler?: "client" | "server" | undefined;
  /** What is locked while it runs. */
  loadingBehavior?: "auto" | "none" | "self" | "container" | undefined;
  /** Whether the answer may arrive in parts. */
  streaming?: boolean | undefined;
}

/** Such as `{ "dataKey": "month" }`. */
export interface Axis {
  /** Which member of the data points to show. */
  dataKey: string;
  /** Hides the axis. */
  hide?: boolean | undefined;
  /** An object from a value of the data to the label for it. */
  labels?: unknown;
}

/** Such as `{ "size": 1, "color": "subtle" }`. */
export interface Border {
  /** How thick the line is, in pixels. */
  size?: number | undefined;
  /** The colour. */
  color?: Color | undefined;
  /** How the line is drawn. */
  style?: "solid" | "dashed" | "dotted" | "double" | "groove" | "ridge" | "inset" | "outset" | undefined;
  /** At the top. */
  top?: number | Edge | undefined;
  /** At the right. */
  right?: number | Edge | undefined;
  /** At the bottom. */
  bottom?: number | Edge | undefined;
  /** At the left. */
  left?: number | Edge | undefined;
  /** At the left and the right. */
  x?: number | Edge | undefined;
  /** At the top and the bottom. */
  y?: number | Edge | undefined;
}

/** Such as `{ "label": "Save", "action": { "type": "save" } }`. */
export interface CardAction {
  /** What is written on the button. */
  label: string;
  /** What happens on a click. */
  action: Action;
}

/** Such as `{ "size": 1, "color": "subtle" }`. */
export interface Edge {
  /** How thick the line is, in pixels. */
  size: number;
  /** The colour. */
  color?: Color | undefined;
  /** How the line is drawn. */
  style?: "solid" | "dashed" | "dotted" | "double" | "groove" | "ridge" | "inset" | "outset" | undefined;
}

/** Such as `{ "name": "title", "placeholder": "Title" }`. */
export interface EditableText {
  /** The name of the value in the submitted payload. */
  name: string;
  /** Puts the focus here when the widget appears. */
  autoFocus?: boolean | undefined;
  /** Selects the text when the field gets the focus. */
  autoSelect?: boolean | undefined;
  /** What a browser may fill in, as in HTML. */
  autoComplete?: string | undefined;
  /** Whether password managers may fill it. */
  allowAutofillExtensions?: boolean | undefined;
  /** A regular expression that the value must match. */
  pattern?: string | undefined;
  /** What is shown while it is empty. */
  placeholder?: string | undefined;
  /** Whether the form can only be submitted with a value. */
  required?: boolean | undefined;
}

/** Such as `{ "value": "s", "label": "Small" }`. */
export interface RadioOption {
  /** What the person reads. */
  label: string;
  /** What is submitted. */
  value: string;
  /** Shows it greyed out; it cannot be used. */
  disabled?: boolean | undefined;
}

/** Such as `{ "value": "s", "label": "Small" }`. */
export interface SelectOption {
  /** What is submitted. */
  value: string;
  /** What the person reads. */
  label: string;
  /** Shows it greyed out; it cannot be used. */
  disabled?: boolean | undefined;
  /** A second line below the label. */
  description?: string | undefined;
}

/** Such as `{ "type": "bar", "dataKey": "sales", "label": "Sales" }`. */
export interface Series {
  /** How it is drawn. */
  type: "bar" | "area" | "line";
  /** Which member of the data points to show. */
  dataKey: string;
  /** Its name in the legend. */
  label?: string | undefined;
  /** The colour. */
  color?: Color | undefined;
  /** Series with the same name are drawn on top of each other. */
  stack?: string | undefined;
  /** How points are joined. */
  curveType?: "basis" | "basisClosed" | "basisOpen" | "bumpX" | "bumpY" | "bump" | "linear" | "linearClosed" | "natural" | "monotoneX" | "monotoneY" | "monotone" | "step" | "stepBefore" | "stepAfter" | undefined;
}

/** Such as `{ "x": 4, "y": 2 }`. */
export interface Spacing {
  /** At the top. */
  top?: number | string | undefined;
  /** At the right. */
  right?: number | string | undefined;
  /** At the bottom. */
  bottom?: number | string | undefined;
  /** At the left. */
  left?: number | string | undefined;
  /** At the left and the right. */
  x?: number | string | undefined;
  /** At the top and the bottom. */
  y?: number | string | undefined;
}

/** Such as `{ "text": "Up to date", "icon": "check" }`. */
export interface Status {
  /** The line above the card. */
  text: string;
  /** The address of a small picture before the line. */
  favicon?: string | undefined;
  /** Draws a frame around the favicon. */
  frame?: boolean | undefined;
  /** An icon before the line. */
  icon?: string | undefined;
}

/** The props of every component, `children` excepted. */
export interface ComponentProps {
  /** A line or paragraph of plain text. */
  Text: {
    /** The text. */
    value: string;
    /** The colour. */
    color?: Color | undefined;
    /** How bold the letters are. */
    weight?: "normal" | "medium" | "semibold" | "bold" | undefined;
    /** Where the text stands in its line. */
    textAlign?: "start" | "center" | "end" | undefined;
    /** Cuts the text at the end of the line. */
    truncate?: boolean | undefined;
    /** Cuts the text after so many lines. */
    maxLines?: number | undefined;
    /** Whether more of the text is still to come. */
    streaming?: boolean | undefined;
    /** Slanted letters. */
    italic?: boolean | undefined;
    /** A line through the text. */
    lineThrough?: boolean | undefined;
    /** How wide the text may become. */
    width?: number | string | undefined;
    /** How large the letters are. */
    size?: "xs" | "sm" | "md" | "lg" | "xl" | undefined;
    /** Keeps room for so many lines. */
    minLines?: number | undefined;
    /** Makes the text a form field: an object with its `name`. */
    editable?: boolean | EditableText | undefined;
    /** A name among its siblings that stays the same when the list changes. */
    key?: string | undefined;
    /** A name in the whole tree; text with an id can be streamed. */
    id?: string | undefined;
  };
  /** Children side by side. */
  Row: {
    /** Where the children stand across the direction. */
    align?: "start" | "center" | "end" | "baseline" | "stretch" | undefined;
    /** Where the children stand along the direction. */
    justify?: "start" | "center" | "end" | "between" | "around" | "evenly" | "stretch" | undefined;
    /** Whether children that do not fit go to the next line. */
    wrap?: "nowrap" | "wrap" | "wrap-reverse" | undefined;
    /** How much of the free space it takes, such as 1. */
    flex?: number | string | undefined;
    /** The space between children; a number counts steps of 4 pixels. */
    gap?: number | string | undefined;
    /** The space inside; a number counts steps of 4 pixels. */
    padding?: number | string | Spacing | undefined;
    /** A border: its thickness in pixels, or an object. */
    border?: number | Border | undefined;
    /** What is painted behind it. */
    background?: Color | undefined;
    /** The height, in pixels or as a CSS length. */
    height?: number | string | undefined;
    /** The width, in pixels or as a CSS length. */
    width?: number | string | undefined;
    /** Width and height at once, in pixels or as a CSS length. */
    size?: number | string | undefined;
    /** The least height, in pixels or as a CSS length. */
    minHeight?: number | string | undefined;
    /** The least width, in pixels or as a CSS length. */
    minWidth?: number | string | undefined;
    /** The least width and height, in pixels or as a CSS length. */
    minSize?: number | string | undefined;
    /** The greatest height, in pixels or as a CSS length. */
    maxHeight?: number | string | undefined;
    /** The greatest width, in pixels or as a CSS length. */
    maxWidth?: number | string | undefined;
    /** The greatest width and height, in pixels or as a CSS length. */
    maxSize?: number | string | undefined;
    /** Width divided by height, such as 1.5 or "16 / 9". */
    aspectRatio?: number | string | undefined;
    /** How round the corners are. */
    radius?: "2xs" | "xs" | "sm" | "md" | "lg" | "xl" | "2xl" | "3xl" | "4xl" | "full" | "100%" | "none" | undefined;
    /** The space around it; a number counts steps of 4 pixels. */
    margin?: number | string | Spacing | undefined;
    /** A name among its siblings that stays the same when the list changes. */
    key?: string | undefined;
    /** A name in the whole tree; text with an id can be streamed. */
    id?: string | undefined;
  };
  /** Children one below the other. */
  Col: {
    /** Where the children stand across the direction. */
    align?: "start" | "center" | "end" | "baseline" | "stretch" | undefined;
    /** Where the children stand along the direction. */
    justify?: "start" | "center" | "end" | "between" | "around" | "evenly" | "stretch" | undefined;
    /** Whether children that do not fit go to the next line. */
    wrap?: "nowrap" | "wrap" | "wrap-reverse" | undefined;
    /** How much of the free space it takes, such as 1. */
    flex?: number | string | undefined;
    /** The space between children; a number counts steps of 4 pixels. */
    gap?: number | string | undefined;
    /** The space inside; a number counts steps of 4 pixels. */
    padding?: number | string | Spacing | undefined;
    /** A border: its thickness in pixels, or an object. */
    border?: number | Border | undefined;
    /** What is painted behind it. */
    background?: Color | undefined;
    /** The height, in pixels or as a CSS length. */
    height?: number | string | undefined;
    /** The width, in pixels or as a CSS length. */
    width?: number | string | undefined;
    /** Width and height at once, in pixels or as a CSS length. */
    size?: number | string | undefined;
    /** The least height, in pixels or as a CSS length. */
    minHeight?: number | string | undefined;
    /** The least width, in pixels or as a CSS length. */
    minWidth?: number | string | undefined;
    /** The least width and height, in pixels or as a CSS length. */
    minSize?: number | string | undefined;
    /** The greatest height, in pixels or as a CSS length. */
    maxHeight?: number | string | undefined;
    /** The greatest width, in pixels or as a CSS length. */
    maxWidth?: number | string | undefined;
    /** The greatest width and height, in pixels or as a CSS length. */
    maxSize?: number | string | undefined;
    /** Width divided by height, such as 1.5 or "16 / 9". */
    aspectRatio?: number | string | undefined;
    /** How round the corners are. */
    radius?: "2xs" | "xs" | "sm" | "md" | "lg" | "xl" | "2xl" | "3xl" | "4xl" | "full" | "100%" | "none" | undefined;
    /** The space around it; a number counts steps of 4 pixels. */
    margin?: number | string | Spacing | undefined;
    /** A name among its siblings that stays the same when the list changes. */
    key?: string | undefined;
    /** A name in the whole tree; text with an id can be streamed. */
    id?: string | undefined;
  };
  /** A container with a border, a background or a fixed size. */
  Box: {
    /** Where the children stand across the direction. */
    align?: "start" | "center" | "end" | "baseline" | "stretch" | undefined;
    /** Where the children stand along the direction. */
    justify?: "start" | "center" | "end" | "between" | "around" | "evenly" | "stretch" | undefined;
    /** Whether children that do not fit go to the next line. */
    wrap?: "nowrap" | "wrap" | "wrap-reverse" | undefined;
    /** How much of the free space it takes, such as 1. */
    flex?: number | string | undefined;
    /** The space between children; a number counts steps of 4 pixels. */
    gap?: number | string | undefined;
    /** The space inside; a number counts steps of 4 pixels. */
    padding?: number | string | Spacing | undefined;
    /** A border: its thickness in pixels, or an object. */
    border?: number | Border | undefined;
    /** What is painted behind it. */
    background?: Color | undefined;
    /** The height, in pixels or as a CSS length. */
    height?: number | string | undefined;
    /** The width, in pixels or as a CSS length. */
    width?: number | string | undefined;
    /** Width and height at once, in pixels or as a CSS length. */
    size?: number | string | undefined;
    /** The least height, in pixels or as a CSS length. */
    minHeight?: number | string | undefined;
    /** The least width, in pixels or as a CSS length. */
    minWidth?: number | string | undefined;
    /** The least width and height, in pixels or as a CSS length. */
    minSize?: number | string | undefined;
    /** The greatest height, in pixels or as a CSS length. */
    maxHeight?: number | string | undefined;
    /** The greatest width, in pixels or as a CSS length. */
    maxWidth?: number | string | undefined;
    /** The greatest width and height, in pixels or as a CSS length. */
    maxSize?: number | string | undefined;
    /** Width divided by height, such as 1.5 or "16 / 9". */
    aspectRatio?: number | string | undefined;
    /** How round the corners are. */
    radius?: "2xs" | "xs" | "sm" | "md" | "lg" | "xl" | "2xl" | "3xl" | "4xl" | "full" | "100%" | "none" | undefined;
    /** The space around it; a number counts steps of 4 pixels. */
    margin?: number | string | Spacing | undefined;
    /** Whether the children stand in a row or a column. */
    direction?: "row" | "col" | undefined;
    /** A name among its siblings that stays the same when the list changes. */
    key?: string | undefined;
    /** A name in the whole tree; text with an id can be streamed. */
    id?: string | undefined;
  };
  /** Takes the free space of a Row or Col and pushes its neighbours apart. */
  Spacer: {
    /** The least space that it takes. */
    minSize?: number | string | undefined;
    /** A name among its siblings that stays the same when the list changes. */
    key?: string | undefined;
    /** A name in the whole tree; text with an id can be streamed. */
    id?: string | undefined;
  };
  /** A picture from an https or data address. */
  Image: {
    /** The height, in pixels or as a CSS length. */
    height?: number | string | undefined;
    /** The width, in pixels or as a CSS length. */
    width?: number | string | undefined;
    /** Width and height at once, in pixels or as a CSS length. */
    size?: number | string | undefined;
    /** The least height, in pixels or as a CSS length. */
    minHeight?: number | string | undefined;
    /** The least width, in pixels or as a CSS length. */
    minWidth?: number | string | undefined;
    /** The least width and height, in pixels or as a CSS length. */
    minSize?: number | string | undefined;
    /** The greatest height, in pixels or as a CSS length. */
    maxHeight?: number | string | undefined;
    /** The greatest width, in pixels or as a CSS length. */
    maxWidth?: number | string | undefined;
    /** The greatest width and height, in pixels or as a CSS length. */
    maxSize?: number | string | undefined;
    /** Width divided by height, such as 1.5 or "16 / 9". */
    aspectRatio?: number | string | undefined;
    /** How round the corners are. */
    radius?: "2xs" | "xs" | "sm" | "md" | "lg" | "xl" | "2xl" | "3xl" | "4xl" | "full" | "100%" | "none" | undefined;
    /** The space around it; a number counts steps of 4 pixels. */
    margin?: number | string | Spacing | undefined;
    /** The address of the picture: https, or data. */
    src: string;
    /** What the picture shows, for those who do not see it. */
    alt?: string | undefined;
    /** How the picture fills its space. */
    fit?: "cover" | "contain" | "fill" | "scale-down" | "none" | undefined;
    /** Which part of the picture stays visible. */
    position?: "top left" | "top" | "top right" | "left" | "center" | "right" | "bottom left" | "bottom" | "bottom right" | undefined;
    /** Draws a thin frame around the picture. */
    frame?: boolean | undefined;
    /** Draws it across the padding of the card. */
    flush?: boolean | undefined;
    /** What is painted behind it. */
    background?: Color | undefined;
    /** How much of the free space it takes, such as 1. */
    flex?: number | string | undefined;
    /** A name among its siblings that stays the same when the list changes. */
    key?: string | undefined;
    /** A name in the whole tree; text with an id can be streamed. */
    id?: string | undefined;
  };
  /** A button: it runs its action, or submits the form around it. */
  Button: {
    /** Submits the form around it. */
    submit?: boolean | undefined;
    /** What is written on the button. */
    label?: string | undefined;
    /** What happens on a click. */
    onClickAction?: Action | undefined;
    /** An icon before the label. */
    iconStart?: string | undefined;
    /** An icon after the label. */
    iconEnd?: string | undefined;
    /** Which button is the main one. */
    style?: "primary" | "secondary" | undefined;
    /** How large the icons are. */
    iconSize?: "sm" | "md" | "lg" | "xl" | "2xl" | undefined;
    /** What kind of action it is, as a colour. */
    color?: "primary" | "secondary" | "info" | "discovery" | "success" | "caution" | "warning" | "danger" | undefined;
    /** How strongly it is drawn. */
    variant?: "solid" | "soft" | "outline" | "ghost" | undefined;
    /** How high the control is. */
    size?: "3xs" | "2xs" | "xs" | "sm" | "md" | "lg" | "xl" | "2xl" | "3xl" | undefined;
    /** Fully rounded ends. */
    pill?: boolean | undefined;
    /** As wide as it is high, for a button with an icon alone. */
    uniform?: boolean | undefined;
    /** Takes the whole width. */
    block?: boolean | undefined;
    /** Shows it greyed out; it cannot be used. */
    disabled?: boolean | undefined;
    /** A name among its siblings that stays the same when the list changes. */
    key?: string | undefined;
    /** A name in the whole tree; text with an id can be streamed. */
    id?: string | undefined;
  };
  /** A heading. */
  Title: {
    /** The text. */
    value: string;
    /** The colour. */
    color?: Color | undefined;
    /** How bold the letters are. */
    weight?: "normal" | "medium" | "semibold" | "bold" | undefined;
    /** Where the text stands in its line. */
    textAlign?: "start" | "center" | "end" | undefined;
    /** Cuts the text at the end of the line. */
    truncate?: boolean | undefined;
    /** Cuts the text after so many lines. */
    maxLines?: number | undefined;
    /** How large the letters are. */
    size?: "sm" | "md" | "lg" | "xl" | "2xl" | "3xl" | "4xl" | "5xl" | undefined;
    /** A name among its siblings that stays the same when the list changes. */
    key?: string | undefined;
    /** A name in the whole tree; text with an id can be streamed. */
    id?: string | undefined;
  };
  /** Small, secondary text. */
  Caption: {
    /** The text. */
    value: string;
    /** The colour. */
    color?: Color | undefined;
    /** How bold the letters are. */
    weight?: "normal" | "medium" | "semibold" | "bold" | undefined;
    /** Where the text stands in its line. */
    textAlign?: "start" | "center" | "end" | undefined;
    /** Cuts the text at the end of the line. */
    truncate?: boolean | undefined;
    /** Cuts the text after so many lines. */
    maxLines?: number | undefined;
    /** How large the letters are. */
    size?: "sm" | "md" | "lg" | undefined;
    /** A name among its siblings that stays the same when the list changes. */
    key?: string | undefined;
    /** A name in the whole tree; text with an id can be streamed. */
    id?: string | undefined;
  };
  /** A short label in a coloured pill, such as a status. */
  Badge: {
    /** What is written on the badge. */
    label: string;
    /** What the badge says, as a colour. */
    color?: "secondary" | "success" | "danger" | "warning" | "info" | "discovery" | undefined;
    /** How strongly it is drawn. */
    variant?: "solid" | "soft" | "outline" | undefined;
    /** How large the badge is. */
    size?: "sm" | "md" | "lg" | undefined;
    /** Fully rounded ends. */
    pill?: boolean | undefined;
    /** A name among its siblings that stays the same when the list changes. */
    key?: string | undefined;
    /** A name in the whole tree; text with an id can be streamed. */
    id?: string | undefined;
  };
  /** A small drawing, by name. */
  Icon: {
    /** Which icon; see docs/icons.md. */
    name: string;
    /** The colour. */
    color?: Color | undefined;
    /** How large the icon is. */
    size?: "xs" | "sm" | "md" | "lg" | "xl" | "2xl" | "3xl" | undefined;
    /** A name among its siblings that stays the same when the list changes. */
    key?: string | undefined;
    /** A name in the whole tree; text with an id can be streamed. */
    id?: string | undefined;
  };
  /** A thin line between two parts. */
  Divider: {
    /** The colour. */
    color?: Color | undefined;
    /** How thick the line is. */
    size?: number | string | undefined;
    /** The space before and after the line; a number counts steps of 4 pixels. */
    spacing?: number | string | undefined;
    /** Draws the line across the padding of the card. */
    flush?: boolean | undefined;
    /** A name among its siblings that stays the same when the list changes. */
    key?: string | undefined;
    /** A name in the whole tree; text with an id can be streamed. */
    id?: string | undefined;
  };
  /** An entry of a ListView, which may be clicked as a whole. */
  ListViewItem: {
    /** What happens on a click. */
    onClickAction?: Action | undefined;
    /** The space between children; a number counts steps of 4 pixels. */
    gap?: number | string | undefined;
    /** Where the children stand across the direction. */
    align?: "start" | "center" | "end" | "baseline" | "stretch" | undefined;
    /** A name among its siblings that stays the same when the list changes. */
    key?: string | undefined;
    /** A name in the whole tree; text with an id can be streamed. */
    id?: string | undefined;
  };
  /** Text in Markdown: headings, lists, tables, links, code. */
  Markdown: {
    /** The Markdown text. */
    value: string;
    /** Whether more of the text is still to come. */
    streaming?: boolean | undefined;
    /** A name among its siblings that stays the same when the list changes. */
    key?: string | undefined;
    /** A name in the whole tree; text with an id can be streamed. */
    id?: string | undefined;
  };
  /** The visible name of a form field. */
  Label: {
    /** What the field is called. */
    value: string;
    /** The colour. */
    color?: Color | undefined;
    /** How bold the letters are. */
    weight?: "normal" | "medium" | "semibold" | "bold" | undefined;
    /** Where the text stands in its line. */
    textAlign?: "start" | "center" | "end" | undefined;
    /** The `name` of the field that it labels. */
    fieldName: string;
    /** How large the letters are. */
    size?: "xs" | "sm" | "md" | "lg" | "xl" | undefined;
    /** A name among its siblings that stays the same when the list changes. */
    key?: string | undefined;
    /** A name in the whole tree; text with an id can be streamed. */
    id?: string | undefined;
  };
  /** Groups fields, and submits their values with one action. */
  Form: {
    /** Where the children stand across the direction. */
    align?: "start" | "center" | "end" | "baseline" | "stretch" | undefined;
    /** Where the children stand along the direction. */
    justify?: "start" | "center" | "end" | "between" | "around" | "evenly" | "stretch" | undefined;
    /** Whether children that do not fit go to the next line. */
    wrap?: "nowrap" | "wrap" | "wrap-reverse" | undefined;
    /** How much of the free space it takes, such as 1. */
    flex?: number | string | undefined;
    /** The space between children; a number counts steps of 4 pixels. */
    gap?: number | string | undefined;
    /** The space inside; a number counts steps of 4 pixels. */
    padding?: number | string | Spacing | undefined;
    /** A border: its thickness in pixels, or an object. */
    border?: number | Border | undefined;
    /** What is painted behind it. */
    background?: Color | undefined;
    /** The height, in pixels or as a CSS length. */
    height?: number | string | undefined;
    /** The width, in pixels or as a CSS length. */
    width?: number | string | undefined;
    /** Width and height at once, in pixels or as a CSS length. */
    size?: number | string | undefined;
    /** The least height, in pixels or as a CSS length. */
    minHeight?: number | string | undefined;
    /** The least width, in pixels or as a CSS length. */
    minWidth?: number | string | undefined;
    /** The least width and height, in pixels or as a CSS length. */
    minSize?: number | string | undefined;
    /** The greatest height, in pixels or as a CSS length. */
    maxHeight?: number | string | undefined;
    /** The greatest width, in pixels or as a CSS length. */
    maxWidth?: number | string | undefined;
    /** The greatest width and height, in pixels or as a CSS length. */
    maxSize?: number | string | undefined;
    /** Width divided by height, such as 1.5 or "16 / 9". */
    aspectRatio?: number | string | undefined;
    /** How round the corners are. */
    radius?: "2xs" | "xs" | "sm" | "md" | "lg" | "xl" | "2xl" | "3xl" | "4xl" | "full" | "100%" | "none" | undefined;
    /** The space around it; a number counts steps of 4 pixels. */
    margin?: number | string | Spacing | undefined;
    /** What happens when the form is submitted. */
    onSubmitAction?: Action | undefined;
    /** Whether the children stand in a row or a column. */
    direction?: "row" | "col" | undefined;
    /** A name among its siblings that stays the same when the list changes. */
    key?: string | undefined;
    /** A name in the whole tree; text with an id can be streamed. */
    id?: string | undefined;
  };
  /** A field for one line of text, a number, an address or a password. */
  Input: {
    /** The name of the value in the submitted payload; dots nest. */
    name: string;
    /** The value it starts with. */
    defaultValue?: string | undefined;
    /** Whether the form can only be submitted with a value. */
    required?: boolean | undefined;
    /** A regular expression that the whole text must match. */
    pattern?: string | undefined;
    /** What is shown while it is empty. */
    placeholder?: string | undefined;
    /** Whether password managers may fill it. */
    allowAutofillExtensions?: boolean | undefined;
    /** Selects the text when the field gets the focus. */
    autoSelect?: boolean | undefined;
    /** Puts the focus here when the widget appears. */
    autoFocus?: boolean | undefined;
    /** Shows it greyed out; it cannot be used. */
    disabled?: boolean | undefined;
    /** How strongly it is drawn. */
    variant?: "soft" | "outline" | undefined;
    /** How high the control is. */
    size?: "3xs" | "2xs" | "xs" | "sm" | "md" | "lg" | "xl" | "2xl" | "3xl" | undefined;
    /** The space between the edge of the field and its text. */
    gutterSize?: "2xs" | "xs" | "sm" | "md" | "lg" | "xl" | undefined;
    /** What kind of value is typed. */
    inputType?: "number" | "email" | "text" | "password" | "tel" | "url" | undefined;
    /** Fully rounded ends. */
    pill?: boolean | undefined;
    /** A name among its siblings that stays the same when the list changes. */
    key?: string | undefined;
    /** A name in the whole tree; text with an id can be streamed. */
    id?: string | undefined;
  };
  /** A field for several lines of text. */
  Textarea: {
    /** The name of the value in the submitted payload; dots nest. */
    name: string;
    /** The value it starts with. */
    defaultValue?: string | undefined;
    /** Whether the form can only be submitted with a value. */
    required?: boolean | undefined;
    /** A regular expression that the whole text must match. */
    pattern?: string | undefined;
    /** What is shown while it is empty. */
    placeholder?: string | undefined;
    /** Whether password managers may fill it. */
    allowAutofillExtensions?: boolean | undefined;
    /** Selects the text when the field gets the focus. */
    autoSelect?: boolean | undefined;
    /** Puts the focus here when the widget appears. */
    autoFocus?: boolean | undefined;
    /** Shows it greyed out; it cannot be used. */
    disabled?: boolean | undefined;
    /** How strongly it is drawn. */
    variant?: "soft" | "outline" | undefined;
    /** How high the control is. */
    size?: "3xs" | "2xs" | "xs" | "sm" | "md" | "lg" | "xl" | "2xl" | "3xl" | undefined;
    /** The space between the edge of the field and its text. */
    gutterSize?: "2xs" | "xs" | "sm" | "md" | "lg" | "xl" | undefined;
    /** How many lines high it starts. */
    rows?: number | undefined;
    /** Grows with the text. */
    autoResize?: boolean | undefined;
    /** How many lines high it may grow. */
    maxRows?: number | undefined;
    /** A name among its siblings that stays the same when the list changes. */
    key?: string | undefined;
    /** A name in the whole tree; text with an id can be streamed. */
    id?: string | undefined;
  };
  /** A field with a list to choose one option from. */
  Select: {
    /** The name of the value in the submitted payload; dots nest. */
    name: string;
    /** What happens when the value changes. */
    onChangeAction?: Action | undefined;
    /** What is shown while it is empty. */
    placeholder?: string | undefined;
    /** The value of the option it starts with. */
    defaultValue?: string | undefined;
    /** How strongly it is drawn. */
    variant?: "solid" | "soft" | "outline" | "ghost" | undefined;
    /** How high the control is. */
    size?: "3xs" | "2xs" | "xs" | "sm" | "md" | "lg" | "xl" | "2xl" | "3xl" | undefined;
    /** Fully rounded ends. */
    pill?: boolean | undefined;
    /** Takes the whole width. */
    block?: boolean | undefined;
    /** Whether the choice can be removed. */
    clearable?: boolean | undefined;
    /** Shows it greyed out; it cannot be used. */
    disabled?: boolean | undefined;
    /** What can be chosen. */
    options: readonly SelectOption[];
    /** Adds a search field to the list. */
    searchable?: boolean | undefined;
    /** A name among its siblings that stays the same when the list changes. */
    key?: string | undefined;
    /** A name in the whole tree; text with an id can be streamed. */
    id?: string | undefined;
  };
  /** A field for a date. */
  DatePicker: {
    /** The name of the value in the submitted payload; dots nest. */
    name: string;
    /** What happens when the value changes. */
    onChangeAction?: Action | undefined;
    /** What is shown while it is empty. */
    placeholder?: string | undefined;
    /** The date it starts with, as YYYY-MM-DD. */
    defaultValue?: string | undefined;
    /** How strongly it is drawn. */
    variant?: "solid" | "soft" | "outline" | "ghost" | undefined;
    /** How high the control is. */
    size?: "3xs" | "2xs" | "xs" | "sm" | "md" | "lg" | "xl" | "2xl" | "3xl" | undefined;
    /** Fully rounded ends. */
    pill?: boolean | undefined;
    /** Takes the whole width. */
    block?: boolean | undefined;
    /** Whether the choice can be removed. */
    clearable?: boolean | undefined;
    /** Shows it greyed out; it cannot be used. */
    disabled?: boolean | undefined;
    /** The first date that can be chosen, as YYYY-MM-DD. */
    min?: string | undefined;
    /** The last date that can be chosen, as YYYY-MM-DD. */
    max?: string | undefined;
    /** On which side the calendar opens. */
    side?: "top" | "bottom" | "left" | "right" | undefined;
    /** Which edge of the field the calendar is aligned with. */
    align?: "start" | "center" | "end" | undefined;
    /** A name among its siblings that stays the same when the list changes. */
    key?: string | undefined;
    /** A name in the whole tree; text with an id can be streamed. */
    id?: string | undefined;
  };
  /** A field that is on or off. */
  Checkbox: {
    /** The name of the value in the submitted payload; dots nest. */
    name: string;
    /** What is written beside the box. */
    label?: string | undefined;
    /** Whether it starts on. */
    defaultChecked?: boolean | undefined;
    /** What happens when the value changes. */
    onChangeAction?: Action | undefined;
    /** Shows it greyed out; it cannot be used. */
    disabled?: boolean | undefined;
    /** Whether the form can only be submitted with a value. */
    required?: boolean | undefined;
    /** A name among its siblings that stays the same when the list changes. */
    key?: string | undefined;
    /** A name in the whole tree; text with an id can be streamed. */
    id?: string | undefined;
  };
  /** A field with a few options, all visible, of which one is chosen. */
  RadioGroup: {
    /** The name of the value in the submitted payload; dots nest. */
    name: string;
    /** What can be chosen. */
    options?: readonly RadioOption[] | undefined;
    /** The name of the group for screen readers. */
    ariaLabel?: string | undefined;
    /** What happens when the value changes. */
    onChangeAction?: Action | undefined;
    /** The value of the option it starts with. */
    defaultValue?: string | undefined;
    /** Whether the children stand in a row or a column. */
    direction?: "row" | "col" | undefined;
    /** Shows it greyed out; it cannot be used. */
    disabled?: boolean | undefined;
    /** Whether the form can only be submitted with a value. */
    required?: boolean | undefined;
    /** A name among its siblings that stays the same when the list changes. */
    key?: string | undefined;
    /** A name in the whole tree; text with an id can be streamed. */
    id?: string | undefined;
  };
  /** Fades its child in when the child is replaced. */
  Transition: {
    /** A name among its siblings that stays the same when the list changes. */
    key?: string | undefined;
    /** A name in the whole tree; text with an id can be streamed. */
    id?: string | undefined;
  };
  /** Bars, lines or areas over a list of data points. */
  Chart: {
    /** The height, in pixels or as a CSS length. */
    height?: number | string | undefined;
    /** The width, in pixels or as a CSS length. */
    width?: number | string | undefined;
    /** Width and height at once, in pixels or as a CSS length. */
    size?: number | string | undefined;
    /** The least height, in pixels or as a CSS length. */
    minHeight?: number | string | undefined;
    /** The least width, in pixels or as a CSS length. */
    minWidth?: number | string | undefined;
    /** The least width and height, in pixels or as a CSS length. */
    minSize?: number | string | undefined;
    /** The greatest height, in pixels or as a CSS length. */
    maxHeight?: number | string | undefined;
    /** The greatest width, in pixels or as a CSS length. */
    maxWidth?: number | string | undefined;
    /** The greatest width and height, in pixels or as a CSS length. */
    maxSize?: number | string | undefined;
    /** Width divided by height, such as 1.5 or "16 / 9". */
    aspectRatio?: number | string | undefined;
    /** The data points, each an object with the keys that the series name. */
    data: readonly unknown[];
    /** What is drawn: one entry for each row of bars, line or area. */
    series: readonly Series[];
    /** The key of the labels below, or an object. */
    xAxis: string | Axis;
    /** Shows the values at the side. */
    showYAxis?: boolean | undefined;
    /** Shows the names of the series. */
    showLegend?: boolean | undefined;
    /** Shows the values of the point under the pointer. */
    showTooltip?: boolean | undefined;
    /** The space between bars of one point, in pixels. */
    barGap?: number | undefined;
    /** The space between the bars of two points, in pixels. */
    barCategoryGap?: number | undefined;
    /** How much of the free space it takes. */
    flex?: number | string | undefined;
    /** A name among its siblings that stays the same when the list changes. */
    key?: string | undefined;
    /** A name in the whole tree; text with an id can be streamed. */
    id?: string | undefined;
  };
  /** Rows of cells; the first row may be a header. */
  Table: {
    /** A name among its siblings that stays the same when the list changes. */
    key?: string | undefined;
    /** A name in the whole tree; text with an id can be streamed. */
    id?: string | undefined;
  };
  /** A row of a Table. */
  "Table.Row": {
    /** Whether it is the header of the table. */
    header?: boolean | undefined;
    /** A name among its siblings that stays the same when the list changes. */
    key?: string | undefined;
    /** A name in the whole tree; text with an id can be streamed. */
    id?: string | undefined;
  };
  /** A cell of a Table.Row. */
  "Table.Cell": {
    /** The width, in pixels or as a CSS length. */
    width?: number | string | undefined;
    /** The space inside; a number counts steps of 4 pixels. */
    padding?: number | string | Spacing | undefined;
    /** Over how many columns it goes. */
    colSpan?: number | undefined;
    /** Over how many rows it goes. */
    rowSpan?: number | undefined;
    /** Where the content stands in its column. */
    align?: "start" | "center" | "end" | undefined;
    /** Where the content stands in its row. */
    vAlign?: "start" | "center" | "end" | undefined;
    /** How wide the column is. */
    colSize?: "xs" | "sm" | "md" | "lg" | "xl" | undefined;
    /** A name among its siblings that stays the same when the list changes. */
    key?: string | undefined;
    /** A name in the whole tree; text with an id can be streamed. */
    id?: string | undefined;
  };
  /** A root: one framed card, with optional buttons at its foot. */
  Card: {
    /** Makes the card a form, which `confirm` submits. */
    asForm?: boolean | undefined;
    /** What is painted behind it. */
    background?: Color | undefined;
    /** The border of the card. */
    border?: number | Border | undefined;
    /** How wide the card may become; `full` takes all there is. */
    size?: "sm" | "md" | "lg" | "full" | undefined;
    /** The space inside; a number counts steps of 4 pixels. */
    padding?: number | string | Spacing | undefined;
    /** A line above the card that says where it comes from. */
    status?: Status | undefined;
    /** Starts folded. */
    collapsed?: boolean | undefined;
    /** The main button at the foot. */
    confirm?: CardAction | undefined;
    /** The other button at the foot. */
    cancel?: CardAction | undefined;
    /** Forces light or dark colours. */
    theme?: "light" | "dark" | undefined;
    /** A name among its siblings that stays the same when the list changes. */
    key?: string | undefined;
    /** A name in the whole tree; text with an id can be streamed. */
    id?: string | undefined;
  };
  /** A root: a list of entries. */
  ListView: {
    /** How many entries are shown before "show more". */
    limit?: number | "auto" | undefined;
    /** A line above the card that says where it comes from. */
    status?: Status | undefined;
    /** Forces light or dark colours. */
    theme?: "light" | "dark" | undefined;
    /** A name among its siblings that stays the same when the list changes. */
    key?: string | undefined;
    /** A name in the whole tree; text with an id can be streamed. */
    id?: string | undefined;
  };
  /** A root without a frame. */
  Basic: {
    /** Where the children stand across the direction. */
    align?: "start" | "center" | "end" | "baseline" | "stretch" | undefined;
    /** Where the children stand along the direction. */
    justify?: "start" | "center" | "end" | "between" | "around" | "evenly" | "stretch" | undefined;
    /** Whether children that do not fit go to the next line. */
    wrap?: "nowrap" | "wrap" | "wrap-reverse" | undefined;
    /** How much of the free space it takes, such as 1. */
    flex?: number | string | undefined;
    /** The space between children; a number counts steps of 4 pixels. */
    gap?: number | string | undefined;
    /** The space inside; a number counts steps of 4 pixels. */
    padding?: number | string | Spacing | undefined;
    /** A border: its thickness in pixels, or an object. */
    border?: number | Border | undefined;
    /** What is painted behind it. */
    background?: Color | undefined;
    /** The height, in pixels or as a CSS length. */
    height?: number | string | undefined;
    /** The width, in pixels or as a CSS length. */
    width?: number | string | undefined;
    /** Width and height at once, in pixels or as a CSS length. */
    size?: number | string | undefined;
    /** The least height, in pixels or as a CSS length. */
    minHeight?: number | string | undefined;
    /** The least width, in pixels or as a CSS length. */
    minWidth?: number | string | undefined;
    /** The least width and height, in pixels or as a CSS length. */
    minSize?: number | string | undefined;
    /** The greatest height, in pixels or as a CSS length. */
    maxHeight?: number | string | undefined;
    /** The greatest width, in pixels or as a CSS length. */
    maxWidth?: number | string | undefined;
    /** The greatest width and height, in pixels or as a CSS length. */
    maxSize?: number | string | undefined;
    /** Width divided by height, such as 1.5 or "16 / 9". */
    aspectRatio?: number | string | undefined;
    /** How round the corners are. */
    radius?: "2xs" | "xs" | "sm" | "md" | "lg" | "xl" | "2xl" | "3xl" | "4xl" | "full" | "100%" | "none" | undefined;
    /** The space around it; a number counts steps of 4 pixels. */
    margin?: number | string | Spacing | undefined;
    /** Forces light or dark colours. */
    theme?: "light" | "dark" | undefined;
    /** Whether the children stand in a row or a column. */
    direction?: "row" | "col" | undefined;
    /** A name among its siblings that stays the same when the list changes. */
    key?: string | undefined;
    /** A name in the whole tree; text with an id can be streamed. */
    id?: string | undefined;
  };
}
