//! What every component and prop is for, in one sentence: editors show it, and `docs/components.md`.
//!
//! Apart from the component table, because one sentence serves all components that share a prop.

/// What a component is for. Empty for a name that is not in the component table.
pub fn describe_component(name: &str) -> &'static str {
    match name {
        "Text" => "A line or paragraph of plain text.",
        "Row" => "Children side by side.",
        "Col" => "Children one below the other.",
        "Box" => "A container with a border, a background or a fixed size.",
        "Spacer" => "Takes the free space of a Row or Col and pushes its neighbours apart.",
        "Image" => "An image from an https or data URL.",
        "Button" => "A button: it runs its action, or submits the form around it.",
        "Title" => "A heading.",
        "Caption" => "Small, secondary text.",
        "Badge" => "A short label in a coloured pill, such as a status.",
        "Icon" => "An icon, by name.",
        "Divider" => "A thin line between two parts.",
        "ListViewItem" => "An entry of a ListView, which can be clickable as a whole.",
        "Markdown" => "Text in Markdown: headings, lists, tables, links, code.",
        "Label" => "The visible name of a form field.",
        "Form" => "Groups fields, and submits their values with one action.",
        "Input" => "A field for one line of text, a number, a URL or a password.",
        "Textarea" => "A field for several lines of text.",
        "Select" => "A dropdown to choose one option from.",
        "DatePicker" => "A field for a date.",
        "Checkbox" => "A field that is on or off.",
        "RadioGroup" => "A field with a few options, all visible, of which one is chosen.",
        "Transition" => "Fades its child in when the child is replaced.",
        "Chart" => "Bars, lines or areas over a list of data points.",
        "Table" => "Rows of cells; the first row may be a header.",
        "Table.Row" => "A row of a Table.",
        "Table.Cell" => "A cell of a Table.Row.",
        "Card" => "A root component: a framed card, with optional buttons at the bottom.",
        "ListView" => "A root component: a list of entries.",
        "Basic" => "A root component without a frame.",
        _ => "",
    }
}

/// What a prop is for, of a component or (by the name that messages use, such as `an action`) of a
/// nested object. Empty for one that is not in the component table.
pub fn describe_prop(of: &str, prop: &str) -> &'static str {
    match own(of, prop) {
        "" => common(prop),
        own => own,
    }
}

/// Where a prop means something special to its component.
fn own(of: &str, prop: &str) -> &'static str {
    match (of, prop) {
        ("Text" | "Title" | "Caption" | "Label", "size") => "Font size.",
        ("Text", "width") => "The maximum width of the text.",
        ("Markdown", "value") => "The Markdown text.",
        ("Label", "value") => "The label text.",
        ("Icon", "name") => "The name of the icon; see docs/icons.md.",
        ("Icon", "size") => "The size of the icon.",
        ("Button" | "Input" | "Textarea" | "Select" | "DatePicker", "size") => {
            "The height of the control."
        }
        ("Badge", "size") => "The size of the badge.",
        ("Card", "size") => "The maximum width of the card; `full` takes all available space.",
        ("Divider", "size") => "The width of the line.",
        ("Divider", "flush") => "Extends the line through the padding of the card.",
        ("Spacer", "minSize") => "The minimum space.",
        ("Button", "label") => "The text of the button.",
        ("Button", "color") => "The semantic colour of the action.",
        ("Badge", "label") => "The text of the badge.",
        ("Badge", "color") => "The semantic colour of the status.",
        ("Checkbox", "label") => "The text next to the box.",
        ("Table.Cell", "align") => "Horizontal alignment of the content.",
        ("DatePicker", "align") => "Which edge of the field the calendar is aligned with.",
        ("DatePicker", "defaultValue") => "The initial date, as YYYY-MM-DD.",
        ("Select" | "RadioGroup", "defaultValue") => "The value of the initially selected option.",
        ("Input" | "Textarea", "pattern") => "A regular expression that the whole text must match.",
        ("Card", "border") => "The border of the card.",
        ("Card" | "ListView" | "Basic", "theme") => "Forces light or dark colours.",
        ("Chart", "flex") => "Its share of the free space.",
        ("an action", "type") => {
            "The name of the tool to call, or of an action that your host handles."
        }
        ("an action", "streaming") => "Whether the response may be streamed.",
        ("a card action", "label") => "The text of the button.",
        ("a status", "text") => "The line above the card.",
        ("a status", "icon") => "An icon before the line.",
        ("a status", "frame") => "Draws a frame around the favicon.",
        ("an option", "label") => "The text that users see.",
        ("an option", "value") => "The value that is submitted.",
        ("a series", "type") => "The type of chart.",
        ("a series", "label") => "Its name in the legend.",
        ("a series" | "an axis", "dataKey") => "The key of the values in the data points.",
        ("a border", "size") => "The line width in pixels.",
        ("a border", "style") => "The line style.",
        ("an editable text", "name") => "The name of the value in the submitted payload.",
        _ => "",
    }
}

fn common(prop: &str) -> &'static str {
    match prop {
        "key" => "A stable key among its siblings, as in React.",
        "id" => "A unique id in the tree; text with an id can be streamed.",
        "height" => "The height, in pixels or as a CSS length.",
        "width" => "The width, in pixels or as a CSS length.",
        "size" => "Width and height at once, in pixels or as a CSS length.",
        "minHeight" => "The minimum height, in pixels or as a CSS length.",
        "minWidth" => "The minimum width, in pixels or as a CSS length.",
        "minSize" => "The minimum width and height, in pixels or as a CSS length.",
        "maxHeight" => "The maximum height, in pixels or as a CSS length.",
        "maxWidth" => "The maximum width, in pixels or as a CSS length.",
        "maxSize" => "The maximum width and height, in pixels or as a CSS length.",
        "aspectRatio" => "Width divided by height, such as 1.5 or \"16 / 9\".",
        "radius" => "The corner radius.",
        "margin" => "The space around it; numbers are in steps of 4 pixels.",
        "align" => "Alignment of the children on the cross axis.",
        "justify" => "Alignment of the children on the main axis.",
        "wrap" => "Whether children wrap to the next line.",
        "flex" => "Its share of the free space, such as 1.",
        "gap" => "The space between children; numbers are in steps of 4 pixels.",
        "padding" => "The space inside; numbers are in steps of 4 pixels.",
        "border" => "The border: its width in pixels, or an object.",
        "background" => "The background colour.",
        "value" => "The text.",
        "color" => "The colour.",
        "weight" => "Font weight.",
        "textAlign" => "Horizontal alignment of the text.",
        "truncate" => "Truncates the text at the end of the line.",
        "minLines" => "Reserves space for this many lines.",
        "maxLines" => "Truncates the text after this many lines.",
        "italic" => "Italic text.",
        "lineThrough" => "Strikethrough text.",
        "editable" => "Makes the text a form field: an object with its `name`.",
        "streaming" => "Whether the text is still being streamed.",
        "name" => "The name of the value in the submitted payload; dots create nested objects.",
        "defaultValue" => "The initial value.",
        "defaultChecked" => "Whether it is initially checked.",
        "required" => "Whether a value is required to submit the form.",
        "pattern" => "A regular expression that the value must match.",
        "placeholder" => "Placeholder text.",
        "allowAutofillExtensions" => "Whether password managers may fill it.",
        "autoComplete" => "The autocomplete hint for browsers, as in HTML.",
        "autoSelect" => "Selects the text when the field gets the focus.",
        "autoFocus" => "Focuses the field when the widget appears.",
        "disabled" => "Disables the control.",
        "variant" => "The visual variant.",
        "gutterSize" => "The space between the edge of the field and its text.",
        "onChangeAction" => "The action on change.",
        "onClickAction" => "The action on click.",
        "onSubmitAction" => "The action on submit.",
        "pill" => "Fully rounded ends.",
        "block" => "Takes the full width.",
        "uniform" => "Square, for a button with only an icon.",
        "clearable" => "Whether the selection can be cleared.",
        "searchable" => "Adds a search field to the list.",
        "direction" => "Whether the children are laid out in a row or a column.",
        "src" => "The URL of the image: https or data.",
        "alt" => "Alternative text for screen readers.",
        "fit" => "How the image fills its box.",
        "position" => "Which part of the image stays visible.",
        "frame" => "Draws a thin frame around the image.",
        "flush" => "Extends it through the padding of the card.",
        "submit" => "Submits the form around it.",
        "style" => "Whether it is the primary button.",
        "iconStart" => "An icon before the label.",
        "iconEnd" => "An icon after the label.",
        "iconSize" => "The size of the icons.",
        "spacing" => "The space before and after the line; numbers are in steps of 4 pixels.",
        "fieldName" => "The `name` of the labelled field.",
        "inputType" => "The input type, as in HTML.",
        "rows" => "The initial height in lines.",
        "maxRows" => "The maximum height in lines.",
        "autoResize" => "Grows with the text.",
        "options" => "The options.",
        "min" => "The earliest date, as YYYY-MM-DD.",
        "max" => "The latest date, as YYYY-MM-DD.",
        "side" => "On which side the calendar opens.",
        "ariaLabel" => "Accessible name of the group.",
        "data" => "The data points, each an object with the keys that the series name.",
        "series" => "The series: one for each group of bars, line or area.",
        "xAxis" => "The key of the labels on the x-axis, or an object.",
        "showYAxis" => "Shows the y-axis with the values.",
        "showLegend" => "Shows a legend with the names of the series.",
        "showTooltip" => "Shows a tooltip with the values of the point under the pointer.",
        "barGap" => "The space between bars of the same data point, in pixels.",
        "barCategoryGap" => "The space between the bars of adjacent data points, in pixels.",
        "header" => "Whether it is the header of the table.",
        "colSpan" => "The number of columns it spans.",
        "rowSpan" => "The number of rows it spans.",
        "vAlign" => "Vertical alignment of the content.",
        "colSize" => "The width of the column.",
        "asForm" => "Makes the card a form, which `confirm` submits.",
        "status" => "A status line above the card.",
        "collapsed" => "Initially collapsed.",
        "confirm" => "The primary button at the bottom.",
        "cancel" => "The secondary button at the bottom.",
        "theme" => "Light or dark colours.",
        "limit" => "How many entries are shown before \"show more\".",
        "type" => "The type.",
        "payload" => "The payload: the arguments of the tool.",
        "handler" => "Who handles it: the server (the default), or the page that shows the widget.",
        "loadingBehavior" => "What is disabled while it runs.",
        "action" => "The action on click.",
        "favicon" => "The URL of a small image before the line.",
        "icon" => "An icon.",
        "text" => "The text.",
        "label" => "The label.",
        "description" => "A second line below the label.",
        "light" => "The colour on a light background.",
        "dark" => "The colour on a dark background.",
        "top" => "At the top.",
        "right" => "At the right.",
        "bottom" => "At the bottom.",
        "left" => "At the left.",
        "x" => "At the left and the right.",
        "y" => "At the top and the bottom.",
        "dataKey" => "The key of the values in the data points.",
        "stack" => "Series with the same name are stacked.",
        "curveType" => "How points are connected.",
        "hide" => "Hides the axis.",
        "labels" => "An object that maps values of the data to labels.",
        _ => "",
    }
}

#[cfg(test)]
mod tests {
    use super::super::component::{COMPONENTS, Prop, Want};
    use super::*;

    fn props(of: &str, list: &mut dyn Iterator<Item = &'static Prop>) {
        for prop in list {
            assert!(!describe_prop(of, prop.name).is_empty(), "{of}.{} has no words", prop.name);
            prop.want.each(&mut |want| match want {
                Want::Shape(shape) => props(shape.name, &mut shape.props.iter()),
                Want::List(Want::Shape(shape)) => props(shape.name, &mut shape.props.iter()),
                _ => {}
            });
        }
    }

    #[test]
    fn everything_is_described() {
        for component in COMPONENTS {
            assert!(!describe_component(component.name).is_empty(), "{}", component.name);
            props(component.name, &mut component.all_props());
        }
    }
}
