//! The rules by which an outline is read, and nothing else decides what something is. Each is about
//! structure: component types, order, nesting, size, weight and alignment.
//!
//! `fixtures/outline/NAME.json` shows each of them on a tree, and `NAME.txt` what is read in it.

/// One rule.
#[derive(Debug)]
pub struct Rule {
    /// Its name, which is also that of its fixture.
    pub name: &'static str,
    /// What it recognises, and as what.
    pub reads: &'static str,
}

const fn rule(name: &'static str, reads: &'static str) -> Rule {
    Rule { name, reads }
}

/// Every rule, in the order in which they are tried.
pub const RULES: &[Rule] = &[
    rule(
        "author",
        "A component whose `id` is named under `outline` in the definition is what its author says.",
    ),
    rule(
        "meter",
        "Boxes with a colour and a share of their container as width or height are parts of a bar; three or more that grow alike are cells.",
    ),
    rule(
        "swatch",
        "An empty box with a colour is a sign if it is as high as it is wide or beside others; else a stroke. A border or a first stroke whose colour varies among siblings is one before what it belongs to.",
    ),
    rule("tag", "A text on a background of its own, beside others, is a badge."),
    rule(
        "signs",
        "Signs without text, one below the other, lead what stands beside them; one above a text of an item or above the title leads it.",
    ),
    rule(
        "line",
        "Texts and signs side by side are one line; a `Spacer`, `justify: between` or `flex` splits it in two.",
    ),
    rule("facts-across", "Labels over values, side by side, are facts."),
    rule(
        "item-trail",
        "A stack of lines and another one at the other end of the row are one item.",
    ),
    rule(
        "strong-button",
        "Of three buttons or more that do the same with other data, in one of two variants, those that stand out are primary.",
    ),
    rule(
        "item",
        "A stack of lines with signs, pictures, buttons, a chart or a line beside it is one item.",
    ),
    rule(
        "list-across",
        "Stacks of lines side by side are items of one list; in an entry of a list, each is a line.",
    ),
    rule("columns", "Anything else side by side is columns."),
    rule(
        "pair",
        "A small text over a larger one, alone in a container, is a label over its value.",
    ),
    rule(
        "rows",
        "Rows of cells with a width of their own, three or more of them a single line, are a table; a head may lack its corner, a row its last cells, and signs in the first column lead the second.",
    ),
    rule(
        "grid",
        "Rows of as many stacks of lines each are a table, with what they lack at the end and with a row of texts above them. Columns of as many lines each are read row by row, unless nothing tells them apart.",
    ),
    rule("table", "A `Table` is a table; its first row is the head if it says so."),
    rule(
        "field-label",
        "A line directly above or beside a field that has no label names the field; a small line between the two says more about it. Of several fields side by side, it names the first and those that say nothing themselves.",
    ),
    rule(
        "field-hint",
        "A small line directly below a field, above no more than a field, is its hint, and so is a line behind a check box.",
    ),
    rule(
        "facts",
        "Rows with something at each end, or of a label and a value, are facts: two of them, or one whose second end stands out more.",
    ),
    rule("remark", "A small line between facts is a remark on the one above it."),
    rule("framed-item", "A frame around two or three lines, pictures or buttons is an item."),
    rule(
        "list",
        "Containers of one kind that follow each other are items of one list, but for a first or a last one with other children.",
    ),
    rule(
        "heading",
        "The first `Title` outside of lists, tables and facts is the heading of the card, with what stands beside it.",
    ),
    rule(
        "strong-heading",
        "Where there is no such `Title`, the first line is the heading if it is bold or large.",
    ),
    rule(
        "subtitle",
        "A small line directly above or below the heading belongs to it, but above only where nothing stands beside the title.",
    ),
];

#[cfg(test)]
thread_local! {
    /// The rules that were used on this thread.
    pub(super) static FIRED: std::cell::RefCell<Vec<&'static str>> = const { std::cell::RefCell::new(Vec::new()) };
}

/// Notes that a rule was used, for the test that every rule has a fixture which uses it.
#[inline]
pub(super) fn fired(name: &'static str) {
    #[cfg(test)]
    FIRED.with_borrow_mut(|fired| fired.push(name));
    #[cfg(not(test))]
    let _ = name;
}
