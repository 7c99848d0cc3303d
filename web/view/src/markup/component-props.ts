// Generated from the component table by `WIDGETCAST_BLESS=1 cargo test -p widgetcast-core`.

/** A token, a colour of the palette or any CSS colour; or one for each theme. */
export type Color = string | { light: string; dark: string };

/** Such as `{ "type": "add.todo", "payload": { "id": 1 } }`. */
export interface Action {
  /** The name of the tool to call, or of an action that your host handles. */
  type: string;
  /** The payload: the arguments of the tool. */
  payload?: unknown;
  /** Who handles it: the server (the default), or the page that shows the widget. */
  handler?: "client" | "server" | undefined;
  /** What is disabled while it runs. */
  loadingBehavior?: "auto" | "none" | "self" | "container" | undefined;
  /** Whether the response may be streamed. */
  streaming?: boolean | undefined;
}

/** Such as `{ "dataKey": "month" }`. */
export interface Axis {
  /** The key of the values in the data points. */
  dataKey: string;
  /** Hides the axis. */
  hide?: boolean | undefined;
  /** An object that maps values of the data to labels. */
  labels?: unknown;
}

/** Such as `{ "size": 1, "color": "subtle" }`. */
export interface Border {
  /** The line width in pixels. */
  size?: number | undefined;
  /** The colour. */
  color?: Color | undefined;
  /** The line style. */
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
  /** The text of the button. */
  label: string;
  /** The action on click. */
  action: Action;
}

/** Such as `{ "size": 1, "color": "subtle" }`. */
export interface Edge {
  /** The line width in pixels. */
  size: number;
  /** The colour. */
  color?: Color | undefined;
  /** The line style. */
  style?: "solid" | "dashed" | "dotted" | "double" | "groove" | "ridge" | "inset" | "outset" | undefined;
}

/** Such as `{ "name": "title", "placeholder": "Title" }`. */
export interface EditableText {
  /** The name of the value in the submitted payload. */
  name: string;
  /** Focuses the field when the widget appears. */
  autoFocus?: boolean | undefined;
  /** Selects the text when the field gets the focus. */
  autoSelect?: boolean | undefined;
  /** The autocomplete hint for browsers, as in HTML. */
  autoComplete?: string | undefined;
  /** Whether password managers may fill it. */
  allowAutofillExtensions?: boolean | undefined;
  /** A regular expression that the value must match. */
  pattern?: string | undefined;
  /** Placeholder text. */
  placeholder?: string | undefined;
  /** Whether a value is required to submit the form. */
  required?: boolean | undefined;
}

/** Such as `{ "value": "s", "label": "Small" }`. */
export interface RadioOption {
  /** The text that users see. */
  label: string;
  /** The value that is submitted. */
  value: string;
  /** Disables the control. */
  disabled?: boolean | undefined;
}

/** Such as `{ "value": "s", "label": "Small" }`. */
export interface SelectOption {
  /** The value that is submitted. */
  value: string;
  /** The text that users see. */
  label: string;
  /** Disables the control. */
  disabled?: boolean | undefined;
  /** A second line below the label. */
  description?: string | undefined;
}

/** Such as `{ "type": "bar", "dataKey": "sales", "label": "Sales" }`. */
export interface Series {
  /** The type of chart. */
  type: "bar" | "area" | "line";
  /** The key of the values in the data points. */
  dataKey: string;
  /** Its name in the legend. */
  label?: string | undefined;
  /** The colour. */
  color?: Color | undefined;
  /** Series with the same name are stacked. */
  stack?: string | undefined;
  /** How points are connected. */
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
  /** The URL of a small image before the line. */
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
    /** Font weight. */
    weight?: "normal" | "medium" | "semibold" | "bold" | undefined;
    /** Horizontal alignment of the text. */
    textAlign?: "start" | "center" | "end" | undefined;
    /** Truncates the text at the end of the line. */
    truncate?: boolean | undefined;
    /** Truncates the text after this many lines. */
    maxLines?: number | undefined;
    /** Whether the text is still being streamed. */
    streaming?: boolean | undefined;
    /** Italic text. */
    italic?: boolean | undefined;
    /** Strikethrough text. */
    lineThrough?: boolean | undefined;
    /** The maximum width of the text. */
    width?: number | string | undefined;
    /** Font size. */
    size?: "xs" | "sm" | "md" | "lg" | "xl" | undefined;
    /** Reserves space for this many lines. */
    minLines?: number | undefined;
    /** Makes the text a form field: an object with its `name`. */
    editable?: boolean | EditableText | undefined;
    /** A stable key among its siblings, as in React. */
    key?: string | undefined;
    /** A unique id in the tree; text with an id can be streamed. */
    id?: string | undefined;
  };
  /** Children side by side. */
  Row: {
    /** Alignment of the children on the cross axis. */
    align?: "start" | "center" | "end" | "baseline" | "stretch" | undefined;
    /** Alignment of the children on the main axis. */
    justify?: "start" | "center" | "end" | "between" | "around" | "evenly" | "stretch" | undefined;
    /** Whether children wrap to the next line. */
    wrap?: "nowrap" | "wrap" | "wrap-reverse" | undefined;
    /** Its share of the free space, such as 1. */
    flex?: number | string | undefined;
    /** The space between children; numbers are in steps of 4 pixels. */
    gap?: number | string | undefined;
    /** The space inside; numbers are in steps of 4 pixels. */
    padding?: number | string | Spacing | undefined;
    /** The border: its width in pixels, or an object. */
    border?: number | Border | undefined;
    /** The background colour. */
    background?: Color | undefined;
    /** The height, in pixels or as a CSS length. */
    height?: number | string | undefined;
    /** The width, in pixels or as a CSS length. */
    width?: number | string | undefined;
    /** Width and height at once, in pixels or as a CSS length. */
    size?: number | string | undefined;
    /** The minimum height, in pixels or as a CSS length. */
    minHeight?: number | string | undefined;
    /** The minimum width, in pixels or as a CSS length. */
    minWidth?: number | string | undefined;
    /** The minimum width and height, in pixels or as a CSS length. */
    minSize?: number | string | undefined;
    /** The maximum height, in pixels or as a CSS length. */
    maxHeight?: number | string | undefined;
    /** The maximum width, in pixels or as a CSS length. */
    maxWidth?: number | string | undefined;
    /** The maximum width and height, in pixels or as a CSS length. */
    maxSize?: number | string | undefined;
    /** Width divided by height, such as 1.5 or "16 / 9". */
    aspectRatio?: number | string | undefined;
    /** The corner radius. */
    radius?: "2xs" | "xs" | "sm" | "md" | "lg" | "xl" | "2xl" | "3xl" | "4xl" | "full" | "100%" | "none" | undefined;
    /** The space around it; numbers are in steps of 4 pixels. */
    margin?: number | string | Spacing | undefined;
    /** A stable key among its siblings, as in React. */
    key?: string | undefined;
    /** A unique id in the tree; text with an id can be streamed. */
    id?: string | undefined;
  };
  /** Children one below the other. */
  Col: {
    /** Alignment of the children on the cross axis. */
    align?: "start" | "center" | "end" | "baseline" | "stretch" | undefined;
    /** Alignment of the children on the main axis. */
    justify?: "start" | "center" | "end" | "between" | "around" | "evenly" | "stretch" | undefined;
    /** Whether children wrap to the next line. */
    wrap?: "nowrap" | "wrap" | "wrap-reverse" | undefined;
    /** Its share of the free space, such as 1. */
    flex?: number | string | undefined;
    /** The space between children; numbers are in steps of 4 pixels. */
    gap?: number | string | undefined;
    /** The space inside; numbers are in steps of 4 pixels. */
    padding?: number | string | Spacing | undefined;
    /** The border: its width in pixels, or an object. */
    border?: number | Border | undefined;
    /** The background colour. */
    background?: Color | undefined;
    /** The height, in pixels or as a CSS length. */
    height?: number | string | undefined;
    /** The width, in pixels or as a CSS length. */
    width?: number | string | undefined;
    /** Width and height at once, in pixels or as a CSS length. */
    size?: number | string | undefined;
    /** The minimum height, in pixels or as a CSS length. */
    minHeight?: number | string | undefined;
    /** The minimum width, in pixels or as a CSS length. */
    minWidth?: number | string | undefined;
    /** The minimum width and height, in pixels or as a CSS length. */
    minSize?: number | string | undefined;
    /** The maximum height, in pixels or as a CSS length. */
    maxHeight?: number | string | undefined;
    /** The maximum width, in pixels or as a CSS length. */
    maxWidth?: number | string | undefined;
    /** The maximum width and height, in pixels or as a CSS length. */
    maxSize?: number | string | undefined;
    /** Width divided by height, such as 1.5 or "16 / 9". */
    aspectRatio?: number | string | undefined;
    /** The corner radius. */
    radius?: "2xs" | "xs" | "sm" | "md" | "lg" | "xl" | "2xl" | "3xl" | "4xl" | "full" | "100%" | "none" | undefined;
    /** The space around it; numbers are in steps of 4 pixels. */
    margin?: number | string | Spacing | undefined;
    /** A stable key among its siblings, as in React. */
    key?: string | undefined;
    /** A unique id in the tree; text with an id can be streamed. */
    id?: string | undefined;
  };
  /** A container with a border, a background or a fixed size. */
  Box: {
    /** Alignment of the children on the cross axis. */
    align?: "start" | "center" | "end" | "baseline" | "stretch" | undefined;
    /** Alignment of the children on the main axis. */
    justify?: "start" | "center" | "end" | "between" | "around" | "evenly" | "stretch" | undefined;
    /** Whether children wrap to the next line. */
    wrap?: "nowrap" | "wrap" | "wrap-reverse" | undefined;
    /** Its share of the free space, such as 1. */
    flex?: number | string | undefined;
    /** The space between children; numbers are in steps of 4 pixels. */
    gap?: number | string | undefined;
    /** The space inside; numbers are in steps of 4 pixels. */
    padding?: number | string | Spacing | undefined;
    /** The border: its width in pixels, or an object. */
    border?: number | Border | undefined;
    /** The background colour. */
    background?: Color | undefined;
    /** The height, in pixels or as a CSS length. */
    height?: number | string | undefined;
    /** The width, in pixels or as a CSS length. */
    width?: number | string | undefined;
    /** Width and height at once, in pixels or as a CSS length. */
    size?: number | string | undefined;
    /** The minimum height, in pixels or as a CSS length. */
    minHeight?: number | string | undefined;
    /** The minimum width, in pixels or as a CSS length. */
    minWidth?: number | string | undefined;
    /** The minimum width and height, in pixels or as a CSS length. */
    minSize?: number | string | undefined;
    /** The maximum height, in pixels or as a CSS length. */
    maxHeight?: number | string | undefined;
    /** The maximum width, in pixels or as a CSS length. */
    maxWidth?: number | string | undefined;
    /** The maximum width and height, in pixels or as a CSS length. */
    maxSize?: number | string | undefined;
    /** Width divided by height, such as 1.5 or "16 / 9". */
    aspectRatio?: number | string | undefined;
    /** The corner radius. */
    radius?: "2xs" | "xs" | "sm" | "md" | "lg" | "xl" | "2xl" | "3xl" | "4xl" | "full" | "100%" | "none" | undefined;
    /** The space around it; numbers are in steps of 4 pixels. */
    margin?: number | string | Spacing | undefined;
    /** Whether the children are laid out in a row or a column. */
    direction?: "row" | "col" | undefined;
    /** A stable key among its siblings, as in React. */
    key?: string | undefined;
    /** A unique id in the tree; text with an id can be streamed. */
    id?: string | undefined;
  };
  /** Takes the free space of a Row or Col and pushes its neighbours apart. */
  Spacer: {
    /** The minimum space. */
    minSize?: number | string | undefined;
    /** A stable key among its siblings, as in React. */
    key?: string | undefined;
    /** A unique id in the tree; text with an id can be streamed. */
    id?: string | undefined;
  };
  /** An image from an https or data URL. */
  Image: {
    /** The height, in pixels or as a CSS length. */
    height?: number | string | undefined;
    /** The width, in pixels or as a CSS length. */
    width?: number | string | undefined;
    /** Width and height at once, in pixels or as a CSS length. */
    size?: number | string | undefined;
    /** The minimum height, in pixels or as a CSS length. */
    minHeight?: number | string | undefined;
    /** The minimum width, in pixels or as a CSS length. */
    minWidth?: number | string | undefined;
    /** The minimum width and height, in pixels or as a CSS length. */
    minSize?: number | string | undefined;
    /** The maximum height, in pixels or as a CSS length. */
    maxHeight?: number | string | undefined;
    /** The maximum width, in pixels or as a CSS length. */
    maxWidth?: number | string | undefined;
    /** The maximum width and height, in pixels or as a CSS length. */
    maxSize?: number | string | undefined;
    /** Width divided by height, such as 1.5 or "16 / 9". */
    aspectRatio?: number | string | undefined;
    /** The corner radius. */
    radius?: "2xs" | "xs" | "sm" | "md" | "lg" | "xl" | "2xl" | "3xl" | "4xl" | "full" | "100%" | "none" | undefined;
    /** The space around it; numbers are in steps of 4 pixels. */
    margin?: number | string | Spacing | undefined;
    /** The URL of the image: https or data. */
    src: string;
    /** Alternative text for screen readers. */
    alt?: string | undefined;
    /** How the image fills its box. */
    fit?: "cover" | "contain" | "fill" | "scale-down" | "none" | undefined;
    /** Which part of the image stays visible. */
    position?: "top left" | "top" | "top right" | "left" | "center" | "right" | "bottom left" | "bottom" | "bottom right" | undefined;
    /** Draws a thin frame around the image. */
    frame?: boolean | undefined;
    /** Extends it through the padding of the card. */
    flush?: boolean | undefined;
    /** The background colour. */
    background?: Color | undefined;
    /** Its share of the free space, such as 1. */
    flex?: number | string | undefined;
    /** A stable key among its siblings, as in React. */
    key?: string | undefined;
    /** A unique id in the tree; text with an id can be streamed. */
    id?: string | undefined;
  };
  /** A button: it runs its action, or submits the form around it. */
  Button: {
    /** Submits the form around it. */
    submit?: boolean | undefined;
    /** The text of the button. */
    label?: string | undefined;
    /** The action on click. */
    onClickAction?: Action | undefined;
    /** An icon before the label. */
    iconStart?: string | undefined;
    /** An icon after the label. */
    iconEnd?: string | undefined;
    /** Whether it is the primary button. */
    style?: "primary" | "secondary" | undefined;
    /** The size of the icons. */
    iconSize?: "sm" | "md" | "lg" | "xl" | "2xl" | undefined;
    /** The semantic colour of the action. */
    color?: "primary" | "secondary" | "info" | "discovery" | "success" | "caution" | "warning" | "danger" | undefined;
    /** The visual variant. */
    variant?: "solid" | "soft" | "outline" | "ghost" | undefined;
    /** The height of the control. */
    size?: "3xs" | "2xs" | "xs" | "sm" | "md" | "lg" | "xl" | "2xl" | "3xl" | undefined;
    /** Fully rounded ends. */
    pill?: boolean | undefined;
    /** Square, for a button with only an icon. */
    uniform?: boolean | undefined;
    /** Takes the full width. */
    block?: boolean | undefined;
    /** Disables the control. */
    disabled?: boolean | undefined;
    /** A stable key among its siblings, as in React. */
    key?: string | undefined;
    /** A unique id in the tree; text with an id can be streamed. */
    id?: string | undefined;
  };
  /** A heading. */
  Title: {
    /** The text. */
    value: string;
    /** The colour. */
    color?: Color | undefined;
    /** Font weight. */
    weight?: "normal" | "medium" | "semibold" | "bold" | undefined;
    /** Horizontal alignment of the text. */
    textAlign?: "start" | "center" | "end" | undefined;
    /** Truncates the text at the end of the line. */
    truncate?: boolean | undefined;
    /** Truncates the text after this many lines. */
    maxLines?: number | undefined;
    /** Font size. */
    size?: "sm" | "md" | "lg" | "xl" | "2xl" | "3xl" | "4xl" | "5xl" | undefined;
    /** A stable key among its siblings, as in React. */
    key?: string | undefined;
    /** A unique id in the tree; text with an id can be streamed. */
    id?: string | undefined;
  };
  /** Small, secondary text. */
  Caption: {
    /** The text. */
    value: string;
    /** The colour. */
    color?: Color | undefined;
    /** Font weight. */
    weight?: "normal" | "medium" | "semibold" | "bold" | undefined;
    /** Horizontal alignment of the text. */
    textAlign?: "start" | "center" | "end" | undefined;
    /** Truncates the text at the end of the line. */
    truncate?: boolean | undefined;
    /** Truncates the text after this many lines. */
    maxLines?: number | undefined;
    /** Font size. */
    size?: "sm" | "md" | "lg" | undefined;
    /** A stable key among its siblings, as in React. */
    key?: string | undefined;
    /** A unique id in the tree; text with an id can be streamed. */
    id?: string | undefined;
  };
  /** A short label in a coloured pill, such as a status. */
  Badge: {
    /** The text of the badge. */
    label: string;
    /** The semantic colour of the status. */
    color?: "secondary" | "success" | "danger" | "warning" | "info" | "discovery" | undefined;
    /** The visual variant. */
    variant?: "solid" | "soft" | "outline" | undefined;
    /** The size of the badge. */
    size?: "sm" | "md" | "lg" | undefined;
    /** Fully rounded ends. */
    pill?: boolean | undefined;
    /** A stable key among its siblings, as in React. */
    key?: string | undefined;
    /** A unique id in the tree; text with an id can be streamed. */
    id?: string | undefined;
  };
  /** An icon, by name. */
  Icon: {
    /** The name of the icon; see docs/icons.md. */
    name: string;
    /** The colour. */
    color?: Color | undefined;
    /** The size of the icon. */
    size?: "xs" | "sm" | "md" | "lg" | "xl" | "2xl" | "3xl" | undefined;
    /** A stable key among its siblings, as in React. */
    key?: string | undefined;
    /** A unique id in the tree; text with an id can be streamed. */
    id?: string | undefined;
  };
  /** A thin line between two parts. */
  Divider: {
    /** The colour. */
    color?: Color | undefined;
    /** The width of the line. */
    size?: number | string | undefined;
    /** The space before and after the line; numbers are in steps of 4 pixels. */
    spacing?: number | string | undefined;
    /** Extends the line through the padding of the card. */
    flush?: boolean | undefined;
    /** A stable key among its siblings, as in React. */
    key?: string | undefined;
    /** A unique id in the tree; text with an id can be streamed. */
    id?: string | undefined;
  };
  /** An entry of a ListView, which can be clickable as a whole. */
  ListViewItem: {
    /** The action on click. */
    onClickAction?: Action | undefined;
    /** The space between children; numbers are in steps of 4 pixels. */
    gap?: number | string | undefined;
    /** Alignment of the children on the cross axis. */
    align?: "start" | "center" | "end" | "baseline" | "stretch" | undefined;
    /** A stable key among its siblings, as in React. */
    key?: string | undefined;
    /** A unique id in the tree; text with an id can be streamed. */
    id?: string | undefined;
  };
  /** Text in Markdown: headings, lists, tables, links, code. */
  Markdown: {
    /** The Markdown text. */
    value: string;
    /** Whether the text is still being streamed. */
    streaming?: boolean | undefined;
    /** A stable key among its siblings, as in React. */
    key?: string | undefined;
    /** A unique id in the tree; text with an id can be streamed. */
    id?: string | undefined;
  };
  /** The visible name of a form field. */
  Label: {
    /** The label text. */
    value: string;
    /** The colour. */
    color?: Color | undefined;
    /** Font weight. */
    weight?: "normal" | "medium" | "semibold" | "bold" | undefined;
    /** Horizontal alignment of the text. */
    textAlign?: "start" | "center" | "end" | undefined;
    /** The `name` of the labelled field. */
    fieldName: string;
    /** Font size. */
    size?: "xs" | "sm" | "md" | "lg" | "xl" | undefined;
    /** A stable key among its siblings, as in React. */
    key?: string | undefined;
    /** A unique id in the tree; text with an id can be streamed. */
    id?: string | undefined;
  };
  /** Groups fields, and submits their values with one action. */
  Form: {
    /** Alignment of the children on the cross axis. */
    align?: "start" | "center" | "end" | "baseline" | "stretch" | undefined;
    /** Alignment of the children on the main axis. */
    justify?: "start" | "center" | "end" | "between" | "around" | "evenly" | "stretch" | undefined;
    /** Whether children wrap to the next line. */
    wrap?: "nowrap" | "wrap" | "wrap-reverse" | undefined;
    /** Its share of the free space, such as 1. */
    flex?: number | string | undefined;
    /** The space between children; numbers are in steps of 4 pixels. */
    gap?: number | string | undefined;
    /** The space inside; numbers are in steps of 4 pixels. */
    padding?: number | string | Spacing | undefined;
    /** The border: its width in pixels, or an object. */
    border?: number | Border | undefined;
    /** The background colour. */
    background?: Color | undefined;
    /** The height, in pixels or as a CSS length. */
    height?: number | string | undefined;
    /** The width, in pixels or as a CSS length. */
    width?: number | string | undefined;
    /** Width and height at once, in pixels or as a CSS length. */
    size?: number | string | undefined;
    /** The minimum height, in pixels or as a CSS length. */
    minHeight?: number | string | undefined;
    /** The minimum width, in pixels or as a CSS length. */
    minWidth?: number | string | undefined;
    /** The minimum width and height, in pixels or as a CSS length. */
    minSize?: number | string | undefined;
    /** The maximum height, in pixels or as a CSS length. */
    maxHeight?: number | string | undefined;
    /** The maximum width, in pixels or as a CSS length. */
    maxWidth?: number | string | undefined;
    /** The maximum width and height, in pixels or as a CSS length. */
    maxSize?: number | string | undefined;
    /** Width divided by height, such as 1.5 or "16 / 9". */
    aspectRatio?: number | string | undefined;
    /** The corner radius. */
    radius?: "2xs" | "xs" | "sm" | "md" | "lg" | "xl" | "2xl" | "3xl" | "4xl" | "full" | "100%" | "none" | undefined;
    /** The space around it; numbers are in steps of 4 pixels. */
    margin?: number | string | Spacing | undefined;
    /** The action on submit. */
    onSubmitAction?: Action | undefined;
    /** Whether the children are laid out in a row or a column. */
    direction?: "row" | "col" | undefined;
    /** A stable key among its siblings, as in React. */
    key?: string | undefined;
    /** A unique id in the tree; text with an id can be streamed. */
    id?: string | undefined;
  };
  /** A field for one line of text, a number, a URL or a password. */
  Input: {
    /** The name of the value in the submitted payload; dots create nested objects. */
    name: string;
    /** The initial value. */
    defaultValue?: string | undefined;
    /** Whether a value is required to submit the form. */
    required?: boolean | undefined;
    /** A regular expression that the whole text must match. */
    pattern?: string | undefined;
    /** Placeholder text. */
    placeholder?: string | undefined;
    /** Whether password managers may fill it. */
    allowAutofillExtensions?: boolean | undefined;
    /** Selects the text when the field gets the focus. */
    autoSelect?: boolean | undefined;
    /** Focuses the field when the widget appears. */
    autoFocus?: boolean | undefined;
    /** Disables the control. */
    disabled?: boolean | undefined;
    /** The visual variant. */
    variant?: "soft" | "outline" | undefined;
    /** The height of the control. */
    size?: "3xs" | "2xs" | "xs" | "sm" | "md" | "lg" | "xl" | "2xl" | "3xl" | undefined;
    /** The space between the edge of the field and its text. */
    gutterSize?: "2xs" | "xs" | "sm" | "md" | "lg" | "xl" | undefined;
    /** The input type, as in HTML. */
    inputType?: "number" | "email" | "text" | "password" | "tel" | "url" | undefined;
    /** Fully rounded ends. */
    pill?: boolean | undefined;
    /** A stable key among its siblings, as in React. */
    key?: string | undefined;
    /** A unique id in the tree; text with an id can be streamed. */
    id?: string | undefined;
  };
  /** A field for several lines of text. */
  Textarea: {
    /** The name of the value in the submitted payload; dots create nested objects. */
    name: string;
    /** The initial value. */
    defaultValue?: string | undefined;
    /** Whether a value is required to submit the form. */
    required?: boolean | undefined;
    /** A regular expression that the whole text must match. */
    pattern?: string | undefined;
    /** Placeholder text. */
    placeholder?: string | undefined;
    /** Whether password managers may fill it. */
    allowAutofillExtensions?: boolean | undefined;
    /** Selects the text when the field gets the focus. */
    autoSelect?: boolean | undefined;
    /** Focuses the field when the widget appears. */
    autoFocus?: boolean | undefined;
    /** Disables the control. */
    disabled?: boolean | undefined;
    /** The visual variant. */
    variant?: "soft" | "outline" | undefined;
    /** The height of the control. */
    size?: "3xs" | "2xs" | "xs" | "sm" | "md" | "lg" | "xl" | "2xl" | "3xl" | undefined;
    /** The space between the edge of the field and its text. */
    gutterSize?: "2xs" | "xs" | "sm" | "md" | "lg" | "xl" | undefined;
    /** The initial height in lines. */
    rows?: number | undefined;
    /** Grows with the text. */
    autoResize?: boolean | undefined;
    /** The maximum height in lines. */
    maxRows?: number | undefined;
    /** A stable key among its siblings, as in React. */
    key?: string | undefined;
    /** A unique id in the tree; text with an id can be streamed. */
    id?: string | undefined;
  };
  /** A dropdown to choose one option from. */
  Select: {
    /** The name of the value in the submitted payload; dots create nested objects. */
    name: string;
    /** The action on change. */
    onChangeAction?: Action | undefined;
    /** Placeholder text. */
    placeholder?: string | undefined;
    /** The value of the initially selected option. */
    defaultValue?: string | undefined;
    /** The visual variant. */
    variant?: "solid" | "soft" | "outline" | "ghost" | undefined;
    /** The height of the control. */
    size?: "3xs" | "2xs" | "xs" | "sm" | "md" | "lg" | "xl" | "2xl" | "3xl" | undefined;
    /** Fully rounded ends. */
    pill?: boolean | undefined;
    /** Takes the full width. */
    block?: boolean | undefined;
    /** Whether the selection can be cleared. */
    clearable?: boolean | undefined;
    /** Disables the control. */
    disabled?: boolean | undefined;
    /** The options. */
    options: readonly SelectOption[];
    /** Adds a search field to the list. */
    searchable?: boolean | undefined;
    /** A stable key among its siblings, as in React. */
    key?: string | undefined;
    /** A unique id in the tree; text with an id can be streamed. */
    id?: string | undefined;
  };
  /** A field for a date. */
  DatePicker: {
    /** The name of the value in the submitted payload; dots create nested objects. */
    name: string;
    /** The action on change. */
    onChangeAction?: Action | undefined;
    /** Placeholder text. */
    placeholder?: string | undefined;
    /** The initial date, as YYYY-MM-DD. */
    defaultValue?: string | undefined;
    /** The visual variant. */
    variant?: "solid" | "soft" | "outline" | "ghost" | undefined;
    /** The height of the control. */
    size?: "3xs" | "2xs" | "xs" | "sm" | "md" | "lg" | "xl" | "2xl" | "3xl" | undefined;
    /** Fully rounded ends. */
    pill?: boolean | undefined;
    /** Takes the full width. */
    block?: boolean | undefined;
    /** Whether the selection can be cleared. */
    clearable?: boolean | undefined;
    /** Disables the control. */
    disabled?: boolean | undefined;
    /** The earliest date, as YYYY-MM-DD. */
    min?: string | undefined;
    /** The latest date, as YYYY-MM-DD. */
    max?: string | undefined;
    /** On which side the calendar opens. */
    side?: "top" | "bottom" | "left" | "right" | undefined;
    /** Which edge of the field the calendar is aligned with. */
    align?: "start" | "center" | "end" | undefined;
    /** A stable key among its siblings, as in React. */
    key?: string | undefined;
    /** A unique id in the tree; text with an id can be streamed. */
    id?: string | undefined;
  };
  /** A field that is on or off. */
  Checkbox: {
    /** The name of the value in the submitted payload; dots create nested objects. */
    name: string;
    /** The text next to the box. */
    label?: string | undefined;
    /** Whether it is initially checked. */
    defaultChecked?: boolean | undefined;
    /** The action on change. */
    onChangeAction?: Action | undefined;
    /** Disables the control. */
    disabled?: boolean | undefined;
    /** Whether a value is required to submit the form. */
    required?: boolean | undefined;
    /** A stable key among its siblings, as in React. */
    key?: string | undefined;
    /** A unique id in the tree; text with an id can be streamed. */
    id?: string | undefined;
  };
  /** A field with a few options, all visible, of which one is chosen. */
  RadioGroup: {
    /** The name of the value in the submitted payload; dots create nested objects. */
    name: string;
    /** The options. */
    options?: readonly RadioOption[] | undefined;
    /** Accessible name of the group. */
    ariaLabel?: string | undefined;
    /** The action on change. */
    onChangeAction?: Action | undefined;
    /** The value of the initially selected option. */
    defaultValue?: string | undefined;
    /** Whether the children are laid out in a row or a column. */
    direction?: "row" | "col" | undefined;
    /** Disables the control. */
    disabled?: boolean | undefined;
    /** Whether a value is required to submit the form. */
    required?: boolean | undefined;
    /** A stable key among its siblings, as in React. */
    key?: string | undefined;
    /** A unique id in the tree; text with an id can be streamed. */
    id?: string | undefined;
  };
  /** Fades its child in when the child is replaced. */
  Transition: {
    /** A stable key among its siblings, as in React. */
    key?: string | undefined;
    /** A unique id in the tree; text with an id can be streamed. */
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
    /** The minimum height, in pixels or as a CSS length. */
    minHeight?: number | string | undefined;
    /** The minimum width, in pixels or as a CSS length. */
    minWidth?: number | string | undefined;
    /** The minimum width and height, in pixels or as a CSS length. */
    minSize?: number | string | undefined;
    /** The maximum height, in pixels or as a CSS length. */
    maxHeight?: number | string | undefined;
    /** The maximum width, in pixels or as a CSS length. */
    maxWidth?: number | string | undefined;
    /** The maximum width and height, in pixels or as a CSS length. */
    maxSize?: number | string | undefined;
    /** Width divided by height, such as 1.5 or "16 / 9". */
    aspectRatio?: number | string | undefined;
    /** The data points, each an object with the keys that the series name. */
    data: readonly unknown[];
    /** The series: one for each group of bars, line or area. */
    series: readonly Series[];
    /** The key of the labels on the x-axis, or an object. */
    xAxis: string | Axis;
    /** Shows the y-axis with the values. */
    showYAxis?: boolean | undefined;
    /** Shows a legend with the names of the series. */
    showLegend?: boolean | undefined;
    /** Shows a tooltip with the values of the point under the pointer. */
    showTooltip?: boolean | undefined;
    /** The space between bars of the same data point, in pixels. */
    barGap?: number | undefined;
    /** The space between the bars of adjacent data points, in pixels. */
    barCategoryGap?: number | undefined;
    /** Its share of the free space. */
    flex?: number | string | undefined;
    /** A stable key among its siblings, as in React. */
    key?: string | undefined;
    /** A unique id in the tree; text with an id can be streamed. */
    id?: string | undefined;
  };
  /** Rows of cells; the first row may be a header. */
  Table: {
    /** A stable key among its siblings, as in React. */
    key?: string | undefined;
    /** A unique id in the tree; text with an id can be streamed. */
    id?: string | undefined;
  };
  /** A row of a Table. */
  "Table.Row": {
    /** Whether it is the header of the table. */
    header?: boolean | undefined;
    /** A stable key among its siblings, as in React. */
    key?: string | undefined;
    /** A unique id in the tree; text with an id can be streamed. */
    id?: string | undefined;
  };
  /** A cell of a Table.Row. */
  "Table.Cell": {
    /** The width, in pixels or as a CSS length. */
    width?: number | string | undefined;
    /** The space inside; numbers are in steps of 4 pixels. */
    padding?: number | string | Spacing | undefined;
    /** The number of columns it spans. */
    colSpan?: number | undefined;
    /** The number of rows it spans. */
    rowSpan?: number | undefined;
    /** Horizontal alignment of the content. */
    align?: "start" | "center" | "end" | undefined;
    /** Vertical alignment of the content. */
    vAlign?: "start" | "center" | "end" | undefined;
    /** The width of the column. */
    colSize?: "xs" | "sm" | "md" | "lg" | "xl" | undefined;
    /** A stable key among its siblings, as in React. */
    key?: string | undefined;
    /** A unique id in the tree; text with an id can be streamed. */
    id?: string | undefined;
  };
  /** A root component: a framed card, with optional buttons at the bottom. */
  Card: {
    /** Makes the card a form, which `confirm` submits. */
    asForm?: boolean | undefined;
    /** The background colour. */
    background?: Color | undefined;
    /** The border of the card. */
    border?: number | Border | undefined;
    /** The maximum width of the card; `full` takes all available space. */
    size?: "sm" | "md" | "lg" | "full" | undefined;
    /** The space inside; numbers are in steps of 4 pixels. */
    padding?: number | string | Spacing | undefined;
    /** A status line above the card. */
    status?: Status | undefined;
    /** Initially collapsed. */
    collapsed?: boolean | undefined;
    /** The primary button at the bottom. */
    confirm?: CardAction | undefined;
    /** The secondary button at the bottom. */
    cancel?: CardAction | undefined;
    /** Forces light or dark colours. */
    theme?: "light" | "dark" | undefined;
    /** A stable key among its siblings, as in React. */
    key?: string | undefined;
    /** A unique id in the tree; text with an id can be streamed. */
    id?: string | undefined;
  };
  /** A root component: a list of entries. */
  ListView: {
    /** How many entries are shown before "show more". */
    limit?: number | "auto" | undefined;
    /** A status line above the card. */
    status?: Status | undefined;
    /** Forces light or dark colours. */
    theme?: "light" | "dark" | undefined;
    /** A stable key among its siblings, as in React. */
    key?: string | undefined;
    /** A unique id in the tree; text with an id can be streamed. */
    id?: string | undefined;
  };
  /** A root component without a frame. */
  Basic: {
    /** Alignment of the children on the cross axis. */
    align?: "start" | "center" | "end" | "baseline" | "stretch" | undefined;
    /** Alignment of the children on the main axis. */
    justify?: "start" | "center" | "end" | "between" | "around" | "evenly" | "stretch" | undefined;
    /** Whether children wrap to the next line. */
    wrap?: "nowrap" | "wrap" | "wrap-reverse" | undefined;
    /** Its share of the free space, such as 1. */
    flex?: number | string | undefined;
    /** The space between children; numbers are in steps of 4 pixels. */
    gap?: number | string | undefined;
    /** The space inside; numbers are in steps of 4 pixels. */
    padding?: number | string | Spacing | undefined;
    /** The border: its width in pixels, or an object. */
    border?: number | Border | undefined;
    /** The background colour. */
    background?: Color | undefined;
    /** The height, in pixels or as a CSS length. */
    height?: number | string | undefined;
    /** The width, in pixels or as a CSS length. */
    width?: number | string | undefined;
    /** Width and height at once, in pixels or as a CSS length. */
    size?: number | string | undefined;
    /** The minimum height, in pixels or as a CSS length. */
    minHeight?: number | string | undefined;
    /** The minimum width, in pixels or as a CSS length. */
    minWidth?: number | string | undefined;
    /** The minimum width and height, in pixels or as a CSS length. */
    minSize?: number | string | undefined;
    /** The maximum height, in pixels or as a CSS length. */
    maxHeight?: number | string | undefined;
    /** The maximum width, in pixels or as a CSS length. */
    maxWidth?: number | string | undefined;
    /** The maximum width and height, in pixels or as a CSS length. */
    maxSize?: number | string | undefined;
    /** Width divided by height, such as 1.5 or "16 / 9". */
    aspectRatio?: number | string | undefined;
    /** The corner radius. */
    radius?: "2xs" | "xs" | "sm" | "md" | "lg" | "xl" | "2xl" | "3xl" | "4xl" | "full" | "100%" | "none" | undefined;
    /** The space around it; numbers are in steps of 4 pixels. */
    margin?: number | string | Spacing | undefined;
    /** Forces light or dark colours. */
    theme?: "light" | "dark" | undefined;
    /** Whether the children are laid out in a row or a column. */
    direction?: "row" | "col" | undefined;
    /** A stable key among its siblings, as in React. */
    key?: string | undefined;
    /** A unique id in the tree; text with an id can be streamed. */
    id?: string | undefined;
  };
}
