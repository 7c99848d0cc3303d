//! The rules by which an outline is read; nothing else determines the role of a part. Each rule is about
//! structure: component types, order, nesting, size, weight and alignment.
//!
//! `fixtures/outline/NAME.json` shows each of them in a tree, and `NAME.txt` the resulting outline.

/// One rule.
#[derive(Debug)]
pub struct Rule {
    /// The name, which is also that of its fixture.
    pub name: &'static str,
    /// What it recognises, and the role it assigns.
    pub reads: &'static str,
}

const fn rule(name: &'static str, reads: &'static str) -> Rule {
    Rule { name, reads }
}

/// All rules, in the order in which they are tried.
pub const RULES: &[Rule] = &[
    rule(
        "author",
        "A component whose `id` is listed under `outline` in the definition has the role given there.",
    ),
    rule(
        "meter",
        "Coloured boxes whose width or height is a share of their container are segments of a bar; three or more that grow equally are cells.",
    ),
    rule(
        "swatch",
        "An empty coloured box is a swatch if it is square or next to others, and otherwise a stroke. A border or a first stroke whose colour varies among siblings becomes a swatch before its content.",
    ),
    rule("tag", "Text on a background, next to other parts, is a badge."),
    rule(
        "signs",
        "Symbols (icons and swatches), one below the other, lead the lines next to them; one above the text of an item or above the title leads it.",
    ),
    rule(
        "line",
        "Texts and symbols side by side are one line; a `Spacer`, `justify: between` or `flex` splits it in two.",
    ),
    rule("facts-across", "Labels over values, side by side, are facts."),
    rule(
        "item-trail",
        "A stack of lines and another one at the other end of the row are one item.",
    ),
    rule(
        "strong-button",
        "Of three or more buttons that run the same action with different payloads and use two variants, those with the stronger variant are primary.",
    ),
    rule(
        "item",
        "A stack of lines with symbols, images, buttons, a chart or a line next to it is one item.",
    ),
    rule(
        "list-across",
        "Stacks of lines side by side, possibly with facts, lists or tables below the lines, are the items of a list; in an entry of a list, each stack is a line.",
    ),
    rule("columns", "Any other parts side by side are columns."),
    rule("pair", "Small text over larger text, alone in a container, is a label over its value."),
    rule(
        "rows",
        "Rows of cells with fixed widths, three or more of them a single line, are a table. Below a header, cells may have buttons. A header may lack its corner, and a row its last cells.",
    ),
    rule(
        "grid",
        "Rows with the same number of stacks of lines are a table, even if some lack cells at the end, and with a row of texts above them. Columns with the same number of lines are read row by row, if something distinguishes them.",
    ),
    rule(
        "table",
        "A `Table` is a table; its first row is the header if it has `header`. Symbols and images in the first column of any table lead the second.",
    ),
    rule(
        "field-label",
        "A line directly above or next to a field without a label is its label, and a small line between the two is its hint. Above several fields side by side, it is the label of the first and of those without any text of their own. A field next to an item with more than its label belongs to the item.",
    ),
    rule(
        "field-hint",
        "A small line directly below a field, with at most another field below it, is its hint, and so are small lines between its `Label` and the field, and a line after a checkbox.",
    ),
    rule(
        "facts",
        "Rows with text at both ends, or with a label and a value, are facts, and so are labels over values: two or more, or one whose end stands out more than its start.",
    ),
    rule("remark", "A small line between facts is a remark on the one above it."),
    rule("framed-item", "A frame around two or three lines, images or buttons is an item."),
    rule(
        "list",
        "Adjacent containers of the same kind are the items of a list, except for a first or last one with other children.",
    ),
    rule(
        "heading",
        "The first `Title` outside lists, tables and facts is the heading of the card, with the parts next to it.",
    ),
    rule(
        "strong-heading",
        "Without such a `Title`, the first line is the heading if it is bold or large.",
    ),
    rule(
        "subtitle",
        "A small line directly above or below the heading belongs to it, but above only where nothing is next to the title.",
    ),
];

#[cfg(test)]
thread_local! {
    /// The rules that were applied on this thread.
    pub(super) static FIRED: std::cell::RefCell<Vec<&'static str>> = const { std::cell::RefCell::new(Vec::new()) };
}

/// Records that a rule was applied, for the test that every rule has a fixture that uses it.
#[inline]
pub(super) fn fired(name: &'static str) {
    #[cfg(test)]
    FIRED.with_borrow_mut(|fired| fired.push(name));
    #[cfg(not(test))]
    let _ = name;
}
