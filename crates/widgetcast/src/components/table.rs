//! The types, made from the component table: `WIDGETCAST_BLESS=1 cargo test -p widgetcast-core` writes
//! this file.

use serde_json::{Map, Value, json};

use super::{Child, Color, Css, Node, Number, Root};
use super::{children, choice, from_plain, into_value, node, object, sealed};

choice! {
    /// A value of `align`.
    enum Align {
        Start = "start",
        Center = "center",
        End = "end",
        Baseline = "baseline",
        Stretch = "stretch",
    }
}

choice! {
    /// A value of `color`.
    enum BadgeColor {
        Secondary = "secondary",
        Success = "success",
        Danger = "danger",
        Warning = "warning",
        Info = "info",
        Discovery = "discovery",
    }
}

choice! {
    /// A value of `variant`.
    enum BadgeVariant {
        Solid = "solid",
        Soft = "soft",
        Outline = "outline",
    }
}

choice! {
    /// A value of `style`.
    enum BorderStyle {
        Solid = "solid",
        Dashed = "dashed",
        Dotted = "dotted",
        Double = "double",
        Groove = "groove",
        Ridge = "ridge",
        Inset = "inset",
        Outset = "outset",
    }
}

choice! {
    /// A value of `color`.
    enum ButtonColor {
        Primary = "primary",
        Secondary = "secondary",
        Info = "info",
        Discovery = "discovery",
        Success = "success",
        Caution = "caution",
        Warning = "warning",
        Danger = "danger",
    }
}

choice! {
    /// A value of `iconSize`.
    enum ButtonIconSize {
        Sm = "sm",
        Md = "md",
        Lg = "lg",
        Xl = "xl",
        Xl2 = "2xl",
    }
}

choice! {
    /// A value of `style`.
    enum ButtonStyle {
        Primary = "primary",
        Secondary = "secondary",
    }
}

choice! {
    /// A value of `size`.
    enum CardSize {
        Sm = "sm",
        Md = "md",
        Lg = "lg",
        Full = "full",
    }
}

choice! {
    /// A value of `size`.
    enum ControlSize {
        Xs3 = "3xs",
        Xs2 = "2xs",
        Xs = "xs",
        Sm = "sm",
        Md = "md",
        Lg = "lg",
        Xl = "xl",
        Xl2 = "2xl",
        Xl3 = "3xl",
    }
}

choice! {
    /// A value of `curveType`.
    enum CurveType {
        Basis = "basis",
        BasisClosed = "basisClosed",
        BasisOpen = "basisOpen",
        BumpX = "bumpX",
        BumpY = "bumpY",
        Bump = "bump",
        Linear = "linear",
        LinearClosed = "linearClosed",
        Natural = "natural",
        MonotoneX = "monotoneX",
        MonotoneY = "monotoneY",
        Monotone = "monotone",
        Step = "step",
        StepBefore = "stepBefore",
        StepAfter = "stepAfter",
    }
}

choice! {
    /// A value of `direction`.
    enum Direction {
        Row = "row",
        Col = "col",
    }
}

choice! {
    /// A value of `variant`.
    enum FieldVariant {
        Soft = "soft",
        Outline = "outline",
    }
}

choice! {
    /// A value of `fit`.
    enum Fit {
        Cover = "cover",
        Contain = "contain",
        Fill = "fill",
        ScaleDown = "scale-down",
        None = "none",
    }
}

choice! {
    /// A value of `gutterSize`.
    enum GutterSize {
        Xs2 = "2xs",
        Xs = "xs",
        Sm = "sm",
        Md = "md",
        Lg = "lg",
        Xl = "xl",
    }
}

choice! {
    /// A value of `handler`.
    enum Handler {
        Client = "client",
        Server = "server",
    }
}

choice! {
    /// A value of `size`.
    enum IconSize {
        Xs = "xs",
        Sm = "sm",
        Md = "md",
        Lg = "lg",
        Xl = "xl",
        Xl2 = "2xl",
        Xl3 = "3xl",
    }
}

choice! {
    /// A value of `inputType`.
    enum InputType {
        Number = "number",
        Email = "email",
        Text = "text",
        Password = "password",
        Tel = "tel",
        Url = "url",
    }
}

choice! {
    /// A value of `justify`.
    enum Justify {
        Start = "start",
        Center = "center",
        End = "end",
        Between = "between",
        Around = "around",
        Evenly = "evenly",
        Stretch = "stretch",
    }
}

choice! {
    /// A value of `loadingBehavior`.
    enum LoadingBehavior {
        Auto = "auto",
        None = "none",
        Itself = "self",
        Container = "container",
    }
}

choice! {
    /// A value of `side`.
    enum Placement {
        Top = "top",
        Bottom = "bottom",
        Left = "left",
        Right = "right",
    }
}

choice! {
    /// A value of `position`.
    enum Position {
        TopLeft = "top left",
        Top = "top",
        TopRight = "top right",
        Left = "left",
        Center = "center",
        Right = "right",
        BottomLeft = "bottom left",
        Bottom = "bottom",
        BottomRight = "bottom right",
    }
}

choice! {
    /// A value of `radius`.
    enum Radius {
        Xs2 = "2xs",
        Xs = "xs",
        Sm = "sm",
        Md = "md",
        Lg = "lg",
        Xl = "xl",
        Xl2 = "2xl",
        Xl3 = "3xl",
        Xl4 = "4xl",
        Full = "full",
        Percent100 = "100%",
        None = "none",
    }
}

choice! {
    /// A value of `type`.
    enum SeriesType {
        Bar = "bar",
        Area = "area",
        Line = "line",
    }
}

choice! {
    /// A value of `textAlign`.
    enum Side {
        Start = "start",
        Center = "center",
        End = "end",
    }
}

choice! {
    /// A value of `size`.
    enum SmallSize {
        Sm = "sm",
        Md = "md",
        Lg = "lg",
    }
}

choice! {
    /// A value of `size`.
    enum TextSize {
        Xs = "xs",
        Sm = "sm",
        Md = "md",
        Lg = "lg",
        Xl = "xl",
    }
}

choice! {
    /// A value of `theme`.
    enum Theme {
        Light = "light",
        Dark = "dark",
    }
}

choice! {
    /// A value of `size`.
    enum TitleSize {
        Sm = "sm",
        Md = "md",
        Lg = "lg",
        Xl = "xl",
        Xl2 = "2xl",
        Xl3 = "3xl",
        Xl4 = "4xl",
        Xl5 = "5xl",
    }
}

choice! {
    /// A value of `variant`.
    enum Variant {
        Solid = "solid",
        Soft = "soft",
        Outline = "outline",
        Ghost = "ghost",
    }
}

choice! {
    /// A value of `weight`.
    enum Weight {
        Normal = "normal",
        Medium = "medium",
        Semibold = "semibold",
        Bold = "bold",
    }
}

choice! {
    /// A value of `wrap`.
    enum Wrap {
        Nowrap = "nowrap",
        Wrap = "wrap",
        WrapReverse = "wrap-reverse",
    }
}

object! {
    /// An action, such as `{ "type": "add.todo", "payload": { "id": 1 } }`.
    struct Action [] (kind: String = "type")
    /// The payload: the arguments of the tool.
    fn payload(Value) = "payload";
    /// Who handles it: the server (the default), or the page that shows the widget.
    fn handler(Handler) = "handler";
    /// What is disabled while it runs.
    fn loading_behavior(LoadingBehavior) = "loadingBehavior";
    /// Whether the response may be streamed.
    fn streaming(bool) = "streaming";
}

object! {
    /// An axis, such as `{ "dataKey": "month" }`.
    struct Axis [] (data_key: String = "dataKey")
    /// Hides the axis.
    fn hide(bool) = "hide";
    /// An object that maps values of the data to labels.
    fn labels(Value) = "labels";
}
from_plain!(Axis: text);

object! {
    /// A border, such as `{ "size": 1, "color": "subtle" }`.
    struct Border [] ()
    /// The line width in pixels.
    fn size(Number) = "size";
    /// The colour.
    fn color(Color) = "color";
    /// The line style.
    fn style(BorderStyle) = "style";
    /// At the top.
    fn top(Edge) = "top";
    /// At the right.
    fn right(Edge) = "right";
    /// At the bottom.
    fn bottom(Edge) = "bottom";
    /// At the left.
    fn left(Edge) = "left";
    /// At the left and the right.
    fn x(Edge) = "x";
    /// At the top and the bottom.
    fn y(Edge) = "y";
}
from_plain!(Border: number);

object! {
    /// A card action, such as `{ "label": "Save", "action": { "type": "save" } }`.
    struct CardAction [] (label: String = "label", action: Action = "action")
}

object! {
    /// A border, such as `{ "size": 1, "color": "subtle" }`.
    struct Edge [] (size: Number = "size")
    /// The colour.
    fn color(Color) = "color";
    /// The line style.
    fn style(BorderStyle) = "style";
}
from_plain!(Edge: number);

object! {
    /// An editable text, such as `{ "name": "title", "placeholder": "Title" }`.
    struct EditableText [] (name: String = "name")
    /// Focuses the field when the widget appears.
    fn auto_focus(bool) = "autoFocus";
    /// Selects the text when the field gets the focus.
    fn auto_select(bool) = "autoSelect";
    /// The autocomplete hint for browsers, as in HTML.
    fn auto_complete(String) = "autoComplete";
    /// Whether password managers may fill it.
    fn allow_autofill_extensions(bool) = "allowAutofillExtensions";
    /// A regular expression that the value must match.
    fn pattern(String) = "pattern";
    /// Placeholder text.
    fn placeholder(String) = "placeholder";
    /// Whether a value is required to submit the form.
    fn required(bool) = "required";
}
from_plain!(EditableText: bool);

object! {
    /// An option, such as `{ "value": "s", "label": "Small" }`.
    struct RadioOption [] (label: String = "label", value: String = "value")
    /// Disables the control.
    fn disabled(bool) = "disabled";
}

object! {
    /// An option, such as `{ "value": "s", "label": "Small" }`.
    struct SelectOption [] (value: String = "value", label: String = "label")
    /// Disables the control.
    fn disabled(bool) = "disabled";
    /// A second line below the label.
    fn description(String) = "description";
}

object! {
    /// A series, such as `{ "type": "bar", "dataKey": "sales", "label": "Sales" }`.
    struct Series [] (kind: SeriesType = "type", data_key: String = "dataKey")
    /// Its name in the legend.
    fn label(String) = "label";
    /// The colour.
    fn color(Color) = "color";
    /// Series with the same name are stacked.
    fn stack(String) = "stack";
    /// How points are connected.
    fn curve_type(CurveType) = "curveType";
}

object! {
    /// A spacing, such as `{ "x": 4, "y": 2 }`.
    struct Spacing [] ()
    /// At the top.
    fn top(Css) = "top";
    /// At the right.
    fn right(Css) = "right";
    /// At the bottom.
    fn bottom(Css) = "bottom";
    /// At the left.
    fn left(Css) = "left";
    /// At the left and the right.
    fn x(Css) = "x";
    /// At the top and the bottom.
    fn y(Css) = "y";
}
from_plain!(Spacing: css);

object! {
    /// A status, such as `{ "text": "Up to date", "icon": "check" }`.
    struct Status [] (text: String = "text")
    /// The URL of a small image before the line.
    fn favicon(String) = "favicon";
    /// Draws a frame around the favicon.
    fn frame(bool) = "frame";
    /// An icon before the line.
    fn icon(String) = "icon";
}

object! {
    /// A line or paragraph of plain text.
    struct Text ["type": json!("Text")] (value: String = "value")
    /// The colour.
    fn color(Color) = "color";
    /// Font weight.
    fn weight(Weight) = "weight";
    /// Horizontal alignment of the text.
    fn text_align(Side) = "textAlign";
    /// Truncates the text at the end of the line.
    fn truncate(bool) = "truncate";
    /// Truncates the text after this many lines.
    fn max_lines(Number) = "maxLines";
    /// Whether the text is still being streamed.
    fn streaming(bool) = "streaming";
    /// Italic text.
    fn italic(bool) = "italic";
    /// Strikethrough text.
    fn line_through(bool) = "lineThrough";
    /// The maximum width of the text.
    fn width(Css) = "width";
    /// Font size.
    fn size(TextSize) = "size";
    /// Reserves space for this many lines.
    fn min_lines(Number) = "minLines";
    /// Makes the text a form field: an object with its `name`.
    fn editable(EditableText) = "editable";
    /// A stable key among its siblings, as in React.
    fn key(String) = "key";
    /// A unique id in the tree; text with an id can be streamed.
    fn id(String) = "id";
}
node!(Text: Child);

object! {
    /// Children side by side.
    struct Row ["type": json!("Row"), "children": json!([])] ()
    /// Alignment of the children on the cross axis.
    fn align(Align) = "align";
    /// Alignment of the children on the main axis.
    fn justify(Justify) = "justify";
    /// Whether children wrap to the next line.
    fn wrap(Wrap) = "wrap";
    /// Its share of the free space, such as 1.
    fn flex(Css) = "flex";
    /// The space between children; numbers are in steps of 4 pixels.
    fn gap(Css) = "gap";
    /// The space inside; numbers are in steps of 4 pixels.
    fn padding(Spacing) = "padding";
    /// The border: its width in pixels, or an object.
    fn border(Border) = "border";
    /// The background colour.
    fn background(Color) = "background";
    /// The height, in pixels or as a CSS length.
    fn height(Css) = "height";
    /// The width, in pixels or as a CSS length.
    fn width(Css) = "width";
    /// Width and height at once, in pixels or as a CSS length.
    fn size(Css) = "size";
    /// The minimum height, in pixels or as a CSS length.
    fn min_height(Css) = "minHeight";
    /// The minimum width, in pixels or as a CSS length.
    fn min_width(Css) = "minWidth";
    /// The minimum width and height, in pixels or as a CSS length.
    fn min_size(Css) = "minSize";
    /// The maximum height, in pixels or as a CSS length.
    fn max_height(Css) = "maxHeight";
    /// The maximum width, in pixels or as a CSS length.
    fn max_width(Css) = "maxWidth";
    /// The maximum width and height, in pixels or as a CSS length.
    fn max_size(Css) = "maxSize";
    /// Width divided by height, such as 1.5 or "16 / 9".
    fn aspect_ratio(Css) = "aspectRatio";
    /// The corner radius.
    fn radius(Radius) = "radius";
    /// The space around it; numbers are in steps of 4 pixels.
    fn margin(Spacing) = "margin";
    /// A stable key among its siblings, as in React.
    fn key(String) = "key";
    /// A unique id in the tree; text with an id can be streamed.
    fn id(String) = "id";
}
node!(Row: Child);
children!(Row: impl Child);

object! {
    /// Children one below the other.
    struct Col ["type": json!("Col"), "children": json!([])] ()
    /// Alignment of the children on the cross axis.
    fn align(Align) = "align";
    /// Alignment of the children on the main axis.
    fn justify(Justify) = "justify";
    /// Whether children wrap to the next line.
    fn wrap(Wrap) = "wrap";
    /// Its share of the free space, such as 1.
    fn flex(Css) = "flex";
    /// The space between children; numbers are in steps of 4 pixels.
    fn gap(Css) = "gap";
    /// The space inside; numbers are in steps of 4 pixels.
    fn padding(Spacing) = "padding";
    /// The border: its width in pixels, or an object.
    fn border(Border) = "border";
    /// The background colour.
    fn background(Color) = "background";
    /// The height, in pixels or as a CSS length.
    fn height(Css) = "height";
    /// The width, in pixels or as a CSS length.
    fn width(Css) = "width";
    /// Width and height at once, in pixels or as a CSS length.
    fn size(Css) = "size";
    /// The minimum height, in pixels or as a CSS length.
    fn min_height(Css) = "minHeight";
    /// The minimum width, in pixels or as a CSS length.
    fn min_width(Css) = "minWidth";
    /// The minimum width and height, in pixels or as a CSS length.
    fn min_size(Css) = "minSize";
    /// The maximum height, in pixels or as a CSS length.
    fn max_height(Css) = "maxHeight";
    /// The maximum width, in pixels or as a CSS length.
    fn max_width(Css) = "maxWidth";
    /// The maximum width and height, in pixels or as a CSS length.
    fn max_size(Css) = "maxSize";
    /// Width divided by height, such as 1.5 or "16 / 9".
    fn aspect_ratio(Css) = "aspectRatio";
    /// The corner radius.
    fn radius(Radius) = "radius";
    /// The space around it; numbers are in steps of 4 pixels.
    fn margin(Spacing) = "margin";
    /// A stable key among its siblings, as in React.
    fn key(String) = "key";
    /// A unique id in the tree; text with an id can be streamed.
    fn id(String) = "id";
}
node!(Col: Child);
children!(Col: impl Child);

object! {
    /// A container with a border, a background or a fixed size. In widgets it is `Box`.
    struct Container ["type": json!("Box"), "children": json!([])] ()
    /// Alignment of the children on the cross axis.
    fn align(Align) = "align";
    /// Alignment of the children on the main axis.
    fn justify(Justify) = "justify";
    /// Whether children wrap to the next line.
    fn wrap(Wrap) = "wrap";
    /// Its share of the free space, such as 1.
    fn flex(Css) = "flex";
    /// The space between children; numbers are in steps of 4 pixels.
    fn gap(Css) = "gap";
    /// The space inside; numbers are in steps of 4 pixels.
    fn padding(Spacing) = "padding";
    /// The border: its width in pixels, or an object.
    fn border(Border) = "border";
    /// The background colour.
    fn background(Color) = "background";
    /// The height, in pixels or as a CSS length.
    fn height(Css) = "height";
    /// The width, in pixels or as a CSS length.
    fn width(Css) = "width";
    /// Width and height at once, in pixels or as a CSS length.
    fn size(Css) = "size";
    /// The minimum height, in pixels or as a CSS length.
    fn min_height(Css) = "minHeight";
    /// The minimum width, in pixels or as a CSS length.
    fn min_width(Css) = "minWidth";
    /// The minimum width and height, in pixels or as a CSS length.
    fn min_size(Css) = "minSize";
    /// The maximum height, in pixels or as a CSS length.
    fn max_height(Css) = "maxHeight";
    /// The maximum width, in pixels or as a CSS length.
    fn max_width(Css) = "maxWidth";
    /// The maximum width and height, in pixels or as a CSS length.
    fn max_size(Css) = "maxSize";
    /// Width divided by height, such as 1.5 or "16 / 9".
    fn aspect_ratio(Css) = "aspectRatio";
    /// The corner radius.
    fn radius(Radius) = "radius";
    /// The space around it; numbers are in steps of 4 pixels.
    fn margin(Spacing) = "margin";
    /// Whether the children are laid out in a row or a column.
    fn direction(Direction) = "direction";
    /// A stable key among its siblings, as in React.
    fn key(String) = "key";
    /// A unique id in the tree; text with an id can be streamed.
    fn id(String) = "id";
}
node!(Container: Child);
children!(Container: impl Child);

object! {
    /// Takes the free space of a Row or Col and pushes its neighbours apart.
    struct Spacer ["type": json!("Spacer")] ()
    /// The minimum space.
    fn min_size(Css) = "minSize";
    /// A stable key among its siblings, as in React.
    fn key(String) = "key";
    /// A unique id in the tree; text with an id can be streamed.
    fn id(String) = "id";
}
node!(Spacer: Child);

object! {
    /// An image from an https or data URL.
    struct Image ["type": json!("Image")] (src: String = "src")
    /// The height, in pixels or as a CSS length.
    fn height(Css) = "height";
    /// The width, in pixels or as a CSS length.
    fn width(Css) = "width";
    /// Width and height at once, in pixels or as a CSS length.
    fn size(Css) = "size";
    /// The minimum height, in pixels or as a CSS length.
    fn min_height(Css) = "minHeight";
    /// The minimum width, in pixels or as a CSS length.
    fn min_width(Css) = "minWidth";
    /// The minimum width and height, in pixels or as a CSS length.
    fn min_size(Css) = "minSize";
    /// The maximum height, in pixels or as a CSS length.
    fn max_height(Css) = "maxHeight";
    /// The maximum width, in pixels or as a CSS length.
    fn max_width(Css) = "maxWidth";
    /// The maximum width and height, in pixels or as a CSS length.
    fn max_size(Css) = "maxSize";
    /// Width divided by height, such as 1.5 or "16 / 9".
    fn aspect_ratio(Css) = "aspectRatio";
    /// The corner radius.
    fn radius(Radius) = "radius";
    /// The space around it; numbers are in steps of 4 pixels.
    fn margin(Spacing) = "margin";
    /// Alternative text for screen readers.
    fn alt(String) = "alt";
    /// How the image fills its box.
    fn fit(Fit) = "fit";
    /// Which part of the image stays visible.
    fn position(Position) = "position";
    /// Draws a thin frame around the image.
    fn frame(bool) = "frame";
    /// Extends it through the padding of the card.
    fn flush(bool) = "flush";
    /// The background colour.
    fn background(Color) = "background";
    /// Its share of the free space, such as 1.
    fn flex(Css) = "flex";
    /// A stable key among its siblings, as in React.
    fn key(String) = "key";
    /// A unique id in the tree; text with an id can be streamed.
    fn id(String) = "id";
}
node!(Image: Child);

object! {
    /// A button: it runs its action, or submits the form around it.
    struct Button ["type": json!("Button")] ()
    /// Submits the form around it.
    fn submit(bool) = "submit";
    /// The text of the button.
    fn label(String) = "label";
    /// The action on click.
    fn on_click_action(Action) = "onClickAction";
    /// An icon before the label.
    fn icon_start(String) = "iconStart";
    /// An icon after the label.
    fn icon_end(String) = "iconEnd";
    /// Whether it is the primary button.
    fn style(ButtonStyle) = "style";
    /// The size of the icons.
    fn icon_size(ButtonIconSize) = "iconSize";
    /// The semantic colour of the action.
    fn color(ButtonColor) = "color";
    /// The visual variant.
    fn variant(Variant) = "variant";
    /// The height of the control.
    fn size(ControlSize) = "size";
    /// Fully rounded ends.
    fn pill(bool) = "pill";
    /// Square, for a button with only an icon.
    fn uniform(bool) = "uniform";
    /// Takes the full width.
    fn block(bool) = "block";
    /// Disables the control.
    fn disabled(bool) = "disabled";
    /// A stable key among its siblings, as in React.
    fn key(String) = "key";
    /// A unique id in the tree; text with an id can be streamed.
    fn id(String) = "id";
}
node!(Button: Child);

object! {
    /// A heading.
    struct Title ["type": json!("Title")] (value: String = "value")
    /// The colour.
    fn color(Color) = "color";
    /// Font weight.
    fn weight(Weight) = "weight";
    /// Horizontal alignment of the text.
    fn text_align(Side) = "textAlign";
    /// Truncates the text at the end of the line.
    fn truncate(bool) = "truncate";
    /// Truncates the text after this many lines.
    fn max_lines(Number) = "maxLines";
    /// Font size.
    fn size(TitleSize) = "size";
    /// A stable key among its siblings, as in React.
    fn key(String) = "key";
    /// A unique id in the tree; text with an id can be streamed.
    fn id(String) = "id";
}
node!(Title: Child);

object! {
    /// Small, secondary text.
    struct Caption ["type": json!("Caption")] (value: String = "value")
    /// The colour.
    fn color(Color) = "color";
    /// Font weight.
    fn weight(Weight) = "weight";
    /// Horizontal alignment of the text.
    fn text_align(Side) = "textAlign";
    /// Truncates the text at the end of the line.
    fn truncate(bool) = "truncate";
    /// Truncates the text after this many lines.
    fn max_lines(Number) = "maxLines";
    /// Font size.
    fn size(SmallSize) = "size";
    /// A stable key among its siblings, as in React.
    fn key(String) = "key";
    /// A unique id in the tree; text with an id can be streamed.
    fn id(String) = "id";
}
node!(Caption: Child);

object! {
    /// A short label in a coloured pill, such as a status.
    struct Badge ["type": json!("Badge")] (label: String = "label")
    /// The semantic colour of the status.
    fn color(BadgeColor) = "color";
    /// The visual variant.
    fn variant(BadgeVariant) = "variant";
    /// The size of the badge.
    fn size(SmallSize) = "size";
    /// Fully rounded ends.
    fn pill(bool) = "pill";
    /// A stable key among its siblings, as in React.
    fn key(String) = "key";
    /// A unique id in the tree; text with an id can be streamed.
    fn id(String) = "id";
}
node!(Badge: Child);

object! {
    /// An icon, by name.
    struct Icon ["type": json!("Icon")] (name: String = "name")
    /// The colour.
    fn color(Color) = "color";
    /// The size of the icon.
    fn size(IconSize) = "size";
    /// A stable key among its siblings, as in React.
    fn key(String) = "key";
    /// A unique id in the tree; text with an id can be streamed.
    fn id(String) = "id";
}
node!(Icon: Child);

object! {
    /// A thin line between two parts.
    struct Divider ["type": json!("Divider")] ()
    /// The colour.
    fn color(Color) = "color";
    /// The width of the line.
    fn size(Css) = "size";
    /// The space before and after the line; numbers are in steps of 4 pixels.
    fn spacing(Css) = "spacing";
    /// Extends the line through the padding of the card.
    fn flush(bool) = "flush";
    /// A stable key among its siblings, as in React.
    fn key(String) = "key";
    /// A unique id in the tree; text with an id can be streamed.
    fn id(String) = "id";
}
node!(Divider: Child);

object! {
    /// An entry of a ListView, which can be clickable as a whole.
    struct ListViewItem ["type": json!("ListViewItem"), "children": json!([])] ()
    /// The action on click.
    fn on_click_action(Action) = "onClickAction";
    /// The space between children; numbers are in steps of 4 pixels.
    fn gap(Css) = "gap";
    /// Alignment of the children on the cross axis.
    fn align(Align) = "align";
    /// A stable key among its siblings, as in React.
    fn key(String) = "key";
    /// A unique id in the tree; text with an id can be streamed.
    fn id(String) = "id";
}
node!(ListViewItem);
children!(ListViewItem: impl Child);

object! {
    /// Text in Markdown: headings, lists, tables, links, code.
    struct Markdown ["type": json!("Markdown")] (value: String = "value")
    /// Whether the text is still being streamed.
    fn streaming(bool) = "streaming";
    /// A stable key among its siblings, as in React.
    fn key(String) = "key";
    /// A unique id in the tree; text with an id can be streamed.
    fn id(String) = "id";
}
node!(Markdown: Child);

object! {
    /// The visible name of a form field.
    struct Label ["type": json!("Label")] (value: String = "value", field_name: String = "fieldName")
    /// The colour.
    fn color(Color) = "color";
    /// Font weight.
    fn weight(Weight) = "weight";
    /// Horizontal alignment of the text.
    fn text_align(Side) = "textAlign";
    /// Font size.
    fn size(TextSize) = "size";
    /// A stable key among its siblings, as in React.
    fn key(String) = "key";
    /// A unique id in the tree; text with an id can be streamed.
    fn id(String) = "id";
}
node!(Label: Child);

object! {
    /// Groups fields, and submits their values with one action.
    struct Form ["type": json!("Form"), "children": json!([])] ()
    /// Alignment of the children on the cross axis.
    fn align(Align) = "align";
    /// Alignment of the children on the main axis.
    fn justify(Justify) = "justify";
    /// Whether children wrap to the next line.
    fn wrap(Wrap) = "wrap";
    /// Its share of the free space, such as 1.
    fn flex(Css) = "flex";
    /// The space between children; numbers are in steps of 4 pixels.
    fn gap(Css) = "gap";
    /// The space inside; numbers are in steps of 4 pixels.
    fn padding(Spacing) = "padding";
    /// The border: its width in pixels, or an object.
    fn border(Border) = "border";
    /// The background colour.
    fn background(Color) = "background";
    /// The height, in pixels or as a CSS length.
    fn height(Css) = "height";
    /// The width, in pixels or as a CSS length.
    fn width(Css) = "width";
    /// Width and height at once, in pixels or as a CSS length.
    fn size(Css) = "size";
    /// The minimum height, in pixels or as a CSS length.
    fn min_height(Css) = "minHeight";
    /// The minimum width, in pixels or as a CSS length.
    fn min_width(Css) = "minWidth";
    /// The minimum width and height, in pixels or as a CSS length.
    fn min_size(Css) = "minSize";
    /// The maximum height, in pixels or as a CSS length.
    fn max_height(Css) = "maxHeight";
    /// The maximum width, in pixels or as a CSS length.
    fn max_width(Css) = "maxWidth";
    /// The maximum width and height, in pixels or as a CSS length.
    fn max_size(Css) = "maxSize";
    /// Width divided by height, such as 1.5 or "16 / 9".
    fn aspect_ratio(Css) = "aspectRatio";
    /// The corner radius.
    fn radius(Radius) = "radius";
    /// The space around it; numbers are in steps of 4 pixels.
    fn margin(Spacing) = "margin";
    /// The action on submit.
    fn on_submit_action(Action) = "onSubmitAction";
    /// Whether the children are laid out in a row or a column.
    fn direction(Direction) = "direction";
    /// A stable key among its siblings, as in React.
    fn key(String) = "key";
    /// A unique id in the tree; text with an id can be streamed.
    fn id(String) = "id";
}
node!(Form: Child);
children!(Form: impl Child);

object! {
    /// A field for one line of text, a number, a URL or a password.
    struct Input ["type": json!("Input")] (name: String = "name")
    /// The initial value.
    fn default_value(String) = "defaultValue";
    /// Whether a value is required to submit the form.
    fn required(bool) = "required";
    /// A regular expression that the whole text must match.
    fn pattern(String) = "pattern";
    /// Placeholder text.
    fn placeholder(String) = "placeholder";
    /// Whether password managers may fill it.
    fn allow_autofill_extensions(bool) = "allowAutofillExtensions";
    /// Selects the text when the field gets the focus.
    fn auto_select(bool) = "autoSelect";
    /// Focuses the field when the widget appears.
    fn auto_focus(bool) = "autoFocus";
    /// Disables the control.
    fn disabled(bool) = "disabled";
    /// The visual variant.
    fn variant(FieldVariant) = "variant";
    /// The height of the control.
    fn size(ControlSize) = "size";
    /// The space between the edge of the field and its text.
    fn gutter_size(GutterSize) = "gutterSize";
    /// The input type, as in HTML.
    fn input_type(InputType) = "inputType";
    /// Fully rounded ends.
    fn pill(bool) = "pill";
    /// A stable key among its siblings, as in React.
    fn key(String) = "key";
    /// A unique id in the tree; text with an id can be streamed.
    fn id(String) = "id";
}
node!(Input: Child);

object! {
    /// A field for several lines of text.
    struct Textarea ["type": json!("Textarea")] (name: String = "name")
    /// The initial value.
    fn default_value(String) = "defaultValue";
    /// Whether a value is required to submit the form.
    fn required(bool) = "required";
    /// A regular expression that the whole text must match.
    fn pattern(String) = "pattern";
    /// Placeholder text.
    fn placeholder(String) = "placeholder";
    /// Whether password managers may fill it.
    fn allow_autofill_extensions(bool) = "allowAutofillExtensions";
    /// Selects the text when the field gets the focus.
    fn auto_select(bool) = "autoSelect";
    /// Focuses the field when the widget appears.
    fn auto_focus(bool) = "autoFocus";
    /// Disables the control.
    fn disabled(bool) = "disabled";
    /// The visual variant.
    fn variant(FieldVariant) = "variant";
    /// The height of the control.
    fn size(ControlSize) = "size";
    /// The space between the edge of the field and its text.
    fn gutter_size(GutterSize) = "gutterSize";
    /// The initial height in lines.
    fn rows(Number) = "rows";
    /// Grows with the text.
    fn auto_resize(bool) = "autoResize";
    /// The maximum height in lines.
    fn max_rows(Number) = "maxRows";
    /// A stable key among its siblings, as in React.
    fn key(String) = "key";
    /// A unique id in the tree; text with an id can be streamed.
    fn id(String) = "id";
}
node!(Textarea: Child);

object! {
    /// A dropdown to choose one option from.
    struct Select ["type": json!("Select")] (name: String = "name", options: Vec<SelectOption> = "options")
    /// The action on change.
    fn on_change_action(Action) = "onChangeAction";
    /// Placeholder text.
    fn placeholder(String) = "placeholder";
    /// The value of the initially selected option.
    fn default_value(String) = "defaultValue";
    /// The visual variant.
    fn variant(Variant) = "variant";
    /// The height of the control.
    fn size(ControlSize) = "size";
    /// Fully rounded ends.
    fn pill(bool) = "pill";
    /// Takes the full width.
    fn block(bool) = "block";
    /// Whether the selection can be cleared.
    fn clearable(bool) = "clearable";
    /// Disables the control.
    fn disabled(bool) = "disabled";
    /// Adds a search field to the list.
    fn searchable(bool) = "searchable";
    /// A stable key among its siblings, as in React.
    fn key(String) = "key";
    /// A unique id in the tree; text with an id can be streamed.
    fn id(String) = "id";
}
node!(Select: Child);

object! {
    /// A field for a date.
    struct DatePicker ["type": json!("DatePicker")] (name: String = "name")
    /// The action on change.
    fn on_change_action(Action) = "onChangeAction";
    /// Placeholder text.
    fn placeholder(String) = "placeholder";
    /// The initial date, as YYYY-MM-DD.
    fn default_value(String) = "defaultValue";
    /// The visual variant.
    fn variant(Variant) = "variant";
    /// The height of the control.
    fn size(ControlSize) = "size";
    /// Fully rounded ends.
    fn pill(bool) = "pill";
    /// Takes the full width.
    fn block(bool) = "block";
    /// Whether the selection can be cleared.
    fn clearable(bool) = "clearable";
    /// Disables the control.
    fn disabled(bool) = "disabled";
    /// The earliest date, as YYYY-MM-DD.
    fn min(String) = "min";
    /// The latest date, as YYYY-MM-DD.
    fn max(String) = "max";
    /// On which side the calendar opens.
    fn side(Placement) = "side";
    /// Which edge of the field the calendar is aligned with.
    fn align(Side) = "align";
    /// A stable key among its siblings, as in React.
    fn key(String) = "key";
    /// A unique id in the tree; text with an id can be streamed.
    fn id(String) = "id";
}
node!(DatePicker: Child);

object! {
    /// A field that is on or off.
    struct Checkbox ["type": json!("Checkbox")] (name: String = "name")
    /// The text next to the box.
    fn label(String) = "label";
    /// Whether it is initially checked.
    fn default_checked(bool) = "defaultChecked";
    /// The action on change.
    fn on_change_action(Action) = "onChangeAction";
    /// Disables the control.
    fn disabled(bool) = "disabled";
    /// Whether a value is required to submit the form.
    fn required(bool) = "required";
    /// A stable key among its siblings, as in React.
    fn key(String) = "key";
    /// A unique id in the tree; text with an id can be streamed.
    fn id(String) = "id";
}
node!(Checkbox: Child);

object! {
    /// A field with a few options, all visible, of which one is chosen.
    struct RadioGroup ["type": json!("RadioGroup")] (name: String = "name")
    /// The options.
    fn options(Vec<RadioOption>) = "options";
    /// Accessible name of the group.
    fn aria_label(String) = "ariaLabel";
    /// The action on change.
    fn on_change_action(Action) = "onChangeAction";
    /// The value of the initially selected option.
    fn default_value(String) = "defaultValue";
    /// Whether the children are laid out in a row or a column.
    fn direction(Direction) = "direction";
    /// Disables the control.
    fn disabled(bool) = "disabled";
    /// Whether a value is required to submit the form.
    fn required(bool) = "required";
    /// A stable key among its siblings, as in React.
    fn key(String) = "key";
    /// A unique id in the tree; text with an id can be streamed.
    fn id(String) = "id";
}
node!(RadioGroup: Child);

object! {
    /// Fades its child in when the child is replaced.
    struct Transition ["type": json!("Transition"), "children": Value::Null] ()
    /// A stable key among its siblings, as in React.
    fn key(String) = "key";
    /// A unique id in the tree; text with an id can be streamed.
    fn id(String) = "id";
}
node!(Transition: Child);

impl Transition {
    /// Sets the child.
    pub fn child(mut self, child: impl Child) -> Self {
        self.0["children"] = child.into();
        self
    }
}

object! {
    /// Bars, lines or areas over a list of data points.
    struct Chart ["type": json!("Chart")] (data: Vec<Value> = "data", series: Vec<Series> = "series", x_axis: Axis = "xAxis")
    /// The height, in pixels or as a CSS length.
    fn height(Css) = "height";
    /// The width, in pixels or as a CSS length.
    fn width(Css) = "width";
    /// Width and height at once, in pixels or as a CSS length.
    fn size(Css) = "size";
    /// The minimum height, in pixels or as a CSS length.
    fn min_height(Css) = "minHeight";
    /// The minimum width, in pixels or as a CSS length.
    fn min_width(Css) = "minWidth";
    /// The minimum width and height, in pixels or as a CSS length.
    fn min_size(Css) = "minSize";
    /// The maximum height, in pixels or as a CSS length.
    fn max_height(Css) = "maxHeight";
    /// The maximum width, in pixels or as a CSS length.
    fn max_width(Css) = "maxWidth";
    /// The maximum width and height, in pixels or as a CSS length.
    fn max_size(Css) = "maxSize";
    /// Width divided by height, such as 1.5 or "16 / 9".
    fn aspect_ratio(Css) = "aspectRatio";
    /// Shows the y-axis with the values.
    fn show_y_axis(bool) = "showYAxis";
    /// Shows a legend with the names of the series.
    fn show_legend(bool) = "showLegend";
    /// Shows a tooltip with the values of the point under the pointer.
    fn show_tooltip(bool) = "showTooltip";
    /// The space between bars of the same data point, in pixels.
    fn bar_gap(Number) = "barGap";
    /// The space between the bars of adjacent data points, in pixels.
    fn bar_category_gap(Number) = "barCategoryGap";
    /// Its share of the free space.
    fn flex(Css) = "flex";
    /// A stable key among its siblings, as in React.
    fn key(String) = "key";
    /// A unique id in the tree; text with an id can be streamed.
    fn id(String) = "id";
}
node!(Chart: Child);

object! {
    /// Rows of cells; the first row may be a header.
    struct Table ["type": json!("Table"), "children": json!([])] ()
    /// A stable key among its siblings, as in React.
    fn key(String) = "key";
    /// A unique id in the tree; text with an id can be streamed.
    fn id(String) = "id";
}
node!(Table: Child);
children!(Table: TableRow);

object! {
    /// A row of a Table. In widgets it is `Table.Row`.
    struct TableRow ["type": json!("Table.Row"), "children": json!([])] ()
    /// Whether it is the header of the table.
    fn header(bool) = "header";
    /// A stable key among its siblings, as in React.
    fn key(String) = "key";
    /// A unique id in the tree; text with an id can be streamed.
    fn id(String) = "id";
}
node!(TableRow);
children!(TableRow: TableCell);

object! {
    /// A cell of a Table.Row. In widgets it is `Table.Cell`.
    struct TableCell ["type": json!("Table.Cell"), "children": json!([])] ()
    /// The width, in pixels or as a CSS length.
    fn width(Css) = "width";
    /// The space inside; numbers are in steps of 4 pixels.
    fn padding(Spacing) = "padding";
    /// The number of columns it spans.
    fn col_span(Number) = "colSpan";
    /// The number of rows it spans.
    fn row_span(Number) = "rowSpan";
    /// Horizontal alignment of the content.
    fn align(Side) = "align";
    /// Vertical alignment of the content.
    fn v_align(Side) = "vAlign";
    /// The width of the column.
    fn col_size(TextSize) = "colSize";
    /// A stable key among its siblings, as in React.
    fn key(String) = "key";
    /// A unique id in the tree; text with an id can be streamed.
    fn id(String) = "id";
}
node!(TableCell);
children!(TableCell: impl Child);

object! {
    /// A root component: a framed card, with optional buttons at the bottom.
    struct Card ["type": json!("Card"), "children": json!([])] ()
    /// Makes the card a form, which `confirm` submits.
    fn as_form(bool) = "asForm";
    /// The background colour.
    fn background(Color) = "background";
    /// The border of the card.
    fn border(Border) = "border";
    /// The maximum width of the card; `full` takes all available space.
    fn size(CardSize) = "size";
    /// The space inside; numbers are in steps of 4 pixels.
    fn padding(Spacing) = "padding";
    /// A status line above the card.
    fn status(Status) = "status";
    /// Initially collapsed.
    fn collapsed(bool) = "collapsed";
    /// The primary button at the bottom.
    fn confirm(CardAction) = "confirm";
    /// The secondary button at the bottom.
    fn cancel(CardAction) = "cancel";
    /// Forces light or dark colours.
    fn theme(Theme) = "theme";
    /// A stable key among its siblings, as in React.
    fn key(String) = "key";
    /// A unique id in the tree; text with an id can be streamed.
    fn id(String) = "id";
}
node!(Card: Root);
children!(Card: impl Child);

object! {
    /// A root component: a list of entries.
    struct ListView ["type": json!("ListView"), "children": json!([])] ()
    /// How many entries are shown before "show more".
    fn limit(Css) = "limit";
    /// A status line above the card.
    fn status(Status) = "status";
    /// Forces light or dark colours.
    fn theme(Theme) = "theme";
    /// A stable key among its siblings, as in React.
    fn key(String) = "key";
    /// A unique id in the tree; text with an id can be streamed.
    fn id(String) = "id";
}
node!(ListView: Root);
children!(ListView: ListViewItem);

object! {
    /// A root component without a frame.
    struct Basic ["type": json!("Basic"), "children": json!([])] ()
    /// Alignment of the children on the cross axis.
    fn align(Align) = "align";
    /// Alignment of the children on the main axis.
    fn justify(Justify) = "justify";
    /// Whether children wrap to the next line.
    fn wrap(Wrap) = "wrap";
    /// Its share of the free space, such as 1.
    fn flex(Css) = "flex";
    /// The space between children; numbers are in steps of 4 pixels.
    fn gap(Css) = "gap";
    /// The space inside; numbers are in steps of 4 pixels.
    fn padding(Spacing) = "padding";
    /// The border: its width in pixels, or an object.
    fn border(Border) = "border";
    /// The background colour.
    fn background(Color) = "background";
    /// The height, in pixels or as a CSS length.
    fn height(Css) = "height";
    /// The width, in pixels or as a CSS length.
    fn width(Css) = "width";
    /// Width and height at once, in pixels or as a CSS length.
    fn size(Css) = "size";
    /// The minimum height, in pixels or as a CSS length.
    fn min_height(Css) = "minHeight";
    /// The minimum width, in pixels or as a CSS length.
    fn min_width(Css) = "minWidth";
    /// The minimum width and height, in pixels or as a CSS length.
    fn min_size(Css) = "minSize";
    /// The maximum height, in pixels or as a CSS length.
    fn max_height(Css) = "maxHeight";
    /// The maximum width, in pixels or as a CSS length.
    fn max_width(Css) = "maxWidth";
    /// The maximum width and height, in pixels or as a CSS length.
    fn max_size(Css) = "maxSize";
    /// Width divided by height, such as 1.5 or "16 / 9".
    fn aspect_ratio(Css) = "aspectRatio";
    /// The corner radius.
    fn radius(Radius) = "radius";
    /// The space around it; numbers are in steps of 4 pixels.
    fn margin(Spacing) = "margin";
    /// Forces light or dark colours.
    fn theme(Theme) = "theme";
    /// Whether the children are laid out in a row or a column.
    fn direction(Direction) = "direction";
    /// A stable key among its siblings, as in React.
    fn key(String) = "key";
    /// A unique id in the tree; text with an id can be streamed.
    fn id(String) = "id";
}
node!(Basic: Root);
children!(Basic: impl Node);
