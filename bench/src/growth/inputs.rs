//! Inputs that are expensive for a parser or a printer that is not careful, at any size.

use serde_json::{Value, json};

/// An input by its size, which is about the number of its characters, rows or members.
pub(crate) struct Input {
    pub name: String,
    /// Whether its size is that of a text.
    pub is_text: bool,
    pub tree: Box<dyn Fn(usize) -> Value>,
}

/// Pieces that are repeated to make a text: marks that open and are never closed, marks that nest, and
/// letters that take no column or two.
const PIECES: &[(&str, &str)] = &[
    ("letters", "a"),
    ("spaces", " "),
    ("lines", "a\n"),
    ("blank lines", "\n\n"),
    ("brackets", "["),
    ("closed brackets", "[]"),
    ("closing brackets", "]"),
    ("images", "!["),
    ("links", "[a]("),
    ("links in links", "[a](b"),
    ("references", "[a][b]\n"),
    ("definitions", "[a]: b\n\n"),
    ("footnotes", "[^a]"),
    ("stars", "*"),
    ("open stars", "*a "),
    ("stars and lines", "*a_ "),
    ("strong", "**a"),
    ("bars", "_"),
    ("tildes", "~"),
    ("open tildes", "~~a"),
    ("ticks", "`"),
    ("ticks apart", "` "),
    ("fences", "```\n"),
    ("bangs", "!"),
    ("backslashes", "\\"),
    ("less", "<"),
    ("tags", "<a "),
    ("closed tags", "<b>"),
    ("comments", "<!--"),
    ("instructions", "<?"),
    ("declarations", "<!A "),
    ("sections", "<![CDATA["),
    ("ampersands", "&"),
    ("entities", "&#1;"),
    ("pipes", "|"),
    ("table rows", "|a|\n|-|\n"),
    ("greater", ">"),
    ("quotations", "> "),
    ("lists", "- "),
    ("items", "- a\n"),
    ("numbers", "1. "),
    ("lists in quotations", "> - "),
    ("indented", "    a\n"),
    ("hashes", "#"),
    ("headings", "# a\n"),
    ("underlined", "a\n=\n"),
    ("dashes", "-"),
    ("tasks", "- [ ] a\n"),
    ("addresses", "https://a.b "),
    ("combining", "\u{301}"),
    ("accents", "e\u{301}"),
    ("joiners", "\u{200d}"),
    ("family", "👩\u{200d}"),
    ("flags", "\u{1f1e6}"),
    ("wide", "字"),
    ("overrides", "\u{202e}"),
    ("right to left", "ש"),
    ("tabs", "\t"),
    ("controls", "\u{1}"),
    ("quotes", "\""),
    ("no-break spaces", "\u{a0}"),
];

/// Every input.
pub(crate) fn inputs() -> Vec<Input> {
    let mut inputs = Vec::new();
    for (index, (name, piece)) in PIECES.iter().enumerate() {
        let text = |n: usize| piece.repeat(n.div_ceil(piece.len()));
        inputs.push(input(
            &format!("markdown: {name}"),
            move |n| json!({"type": "Card", "children": [{"type": "Markdown", "value": text(n)}]}),
        ));
        // Outside of Markdown most marks are letters as others are.
        if index < 4 || index % 4 == 0 || !piece.is_ascii() {
            inputs.push(input(&format!("text: {name}"), move |n| words(&text(n / 4))));
        }
    }
    for (name, make) in TEXTS {
        inputs.push(input(
            &format!("markdown: {name}"),
            move |n| json!({"type": "Card", "children": [{"type": "Markdown", "value": make(n)}]}),
        ));
    }
    for (name, make) in TREES {
        inputs.push(input(&format!("tree: {name}"), make));
    }
    inputs
}

fn input(name: &str, tree: impl Fn(usize) -> Value + 'static) -> Input {
    let is_text = !name.starts_with("tree");
    Input { name: name.to_owned(), is_text, tree: Box::new(tree) }
}

/// What makes an input of a size, by its name.
pub(crate) type Named<T> = (&'static str, fn(usize) -> T);

/// Texts that are no repetition of one piece.
const TEXTS: &[Named<String>] = &[
    ("ticks of every length", |n| {
        let runs = (1..).map(|length| "`".repeat(length) + " ");
        let mut text = String::new();
        runs.take_while(|run| {
            text.push_str(run);
            text.len() < n
        })
        .for_each(drop);
        text
    }),
    ("closed lists", |n| "- a\n".repeat(n / 8) + &"  - a\n".repeat(n / 12)),
    ("nested images", |n| "![".repeat(n / 8) + "a" + &"](u)".repeat(n / 8)),
    ("nested strong", |n| "**a ".repeat(n / 8) + &" b**".repeat(n / 8)),
    ("stars, then closed", |n| "*".repeat(n / 2) + "a" + &"*".repeat(n / 2)),
    ("a wide table", |n| {
        let row = "|a".repeat(n / 6);
        format!("{row}|\n{}|\n{row}|\n", "|-".repeat(n / 6))
    }),
    ("a ragged table", |n| {
        format!("{}|\n{}|\n{}", "|a".repeat(n / 8), "|-".repeat(n / 8), "|a\n".repeat(n / 6))
    }),
    ("a long link", |n| format!("[{}]({})", "a".repeat(n / 2), "b".repeat(n / 2))),
    ("a long definition", |n| format!("[a]: {}\n\n{}", "b".repeat(n / 2), "[a] ".repeat(n / 8))),
    ("quotations that end", |n| "> ".repeat(n / 8) + "a\n" + &"a\n".repeat(n / 4)),
];

/// A text in every place that a component has for one.
fn words(text: &str) -> Value {
    let action = json!({"type": "open", "payload": {"url": format!("https://a.example/{text}")}});
    json!({"type": "Card", "status": {"text": text}, "children": [
        {"type": "Title", "value": text},
        {"type": "Text", "value": text},
        {"type": "Caption", "value": text},
        {"type": "Badge", "label": text},
        {"type": "Button", "label": text, "onClickAction": action},
        {"type": "Image", "src": "a.png", "alt": text},
        {"type": "Row", "children": [
            {"type": "Text", "value": text}, {"type": "Spacer"}, {"type": "Text", "value": text}]},
        {"type": "Row", "children": [{"type": "Text", "value": text}, {"type": "Text", "value": text}]},
        {"type": "Input", "name": text, "placeholder": text, "defaultValue": text},
        {"type": "Select", "name": "b", "options": [{"label": text, "value": text}]},
        {"type": "Table", "children": [{"type": "Table.Row", "children": [
            {"type": "Table.Cell", "children": [{"type": "Text", "value": text}]}]}]}]})
}

/// `n` components, made by their index.
fn many(n: usize, make: impl Fn(usize) -> Value) -> Vec<Value> {
    (0..n).map(make).collect()
}

fn with_children(kind: &str, children: Vec<Value>) -> Value {
    let mut node = json!({"type": kind});
    node["children"] = children.into();
    node
}

fn list(children: Vec<Value>) -> Value {
    with_children("ListView", children)
}

fn card(children: Vec<Value>) -> Value {
    with_children("Card", children)
}

fn text(index: usize) -> Value {
    json!({"type": "Text", "value": format!("text {index}")})
}

fn row_of(children: Vec<Value>) -> Value {
    with_children("Row", children)
}

fn sized(mut node: Value) -> Value {
    node["width"] = 40.into();
    node
}

fn cell(children: Vec<Value>) -> Value {
    with_children("Table.Cell", children)
}

fn table_row(cells: Vec<Value>) -> Value {
    with_children("Table.Row", cells)
}

fn image(index: usize) -> Value {
    json!({"type": "Image", "src": "a.png", "alt": format!("image {index}")})
}

fn chart(data: Vec<Value>, series: Vec<Value>) -> Value {
    let mut chart = json!({"type": "Chart", "xAxis": "x"});
    chart["data"] = data.into();
    chart["series"] = series.into();
    card(vec![chart])
}

fn series(index: usize) -> Value {
    json!({"type": "bar", "dataKey": format!("s{index}")})
}

const TREES: &[Named<Value>] = &[
    ("list", |n| {
        list(many(n, |i| {
            json!({"type": "ListViewItem", "onClickAction": {"type": "pick", "payload": {"id": i}},
                "children": [text(i), {"type": "Caption", "value": "caption"}]})
        }))
    }),
    ("facts", |n| {
        card(many(
            n,
            |i| json!({"type": "Row", "children": [text(1), {"type": "Spacer"}, text(i)]}),
        ))
    }),
    ("texts", |n| card(many(n, text))),
    ("titles", |n| card(many(n, |i| json!({"type": "Title", "value": format!("Title {i}")})))),
    ("dividers", |n| card(many(n, |_| json!({"type": "Divider"})))),
    ("facts and items", |n| {
        let row = |i: usize| match i % 2 {
            0 => json!({"type": "Row", "children": [text(i), {"type": "Spacer"}, text(i)]}),
            _ => json!({"type": "Row", "children": [text(i), text(i)]}),
        };
        card(many(n, row))
    }),
    ("remarks and facts", |n| {
        let row = |i: usize| match i % 2 {
            0 => json!({"type": "Caption", "value": "remark"}),
            _ => json!({"type": "Row", "children": [text(i), {"type": "Spacer"}, text(i)]}),
        };
        card(many(n, row))
    }),
    ("rows of cells", |n| card(many(n / 4, |i| row_of(many(4, |_| sized(text(i))))))),
    ("rows of signs and cells", |n| {
        let row = |i| {
            row_of(vec![json!({"type": "Icon", "name": "check"}), sized(text(i)), sized(text(i))])
        };
        card(many(n / 3, row))
    }),
    ("rows that lack cells", |n| {
        card(many(n / 4, |i| row_of(many(2 + i % 4, |_| sized(text(i))))))
    }),
    ("rows of stacks and rows of texts", |n| {
        let row = |i: usize| match i % 2 {
            0 => row_of(many(3, |i| json!({"type": "Col", "children": [text(i), text(i)]}))),
            _ => row_of(many(3, text)),
        };
        card(many(n / 4, row))
    }),
    ("wide rows of stacks and images", |n| {
        let column = |i| json!({"type": "Col", "children": [image(i), text(i), text(i)]});
        card(many(2, |_| row_of(many(n / 2, column))))
    }),
    ("rows below a wide one", |n| {
        let narrow = many(n / 4, |i| row_of(many(2, |_| sized(text(i)))));
        card([vec![row_of(many(n / 2, |i| sized(text(i))))], narrow].concat())
    }),
    ("rows of blanks and texts", |n| {
        let cell = |i: usize| match i % 2 {
            0 => json!({"type": "Box", "width": 40}),
            _ => sized(text(i)),
        };
        card(many(2, |_| row_of(many(n / 2, cell))))
    }),
    ("rows above a wide one", |n| {
        let wide = row_of(many(n / 2, |i| match i {
            0 => image(i),
            _ => text(i),
        }));
        card([many(n / 2, |i| row_of(vec![text(i), image(i)])), vec![wide]].concat())
    }),
    ("items above a section", |n| {
        let column = |i| json!({"type": "Col", "children": [text(i), text(i)]});
        let section = with_children("Col", vec![text(1), chart(Vec::new(), Vec::new())]);
        card([many(n, column), vec![section]].concat())
    }),
    ("a row of texts", |n| card(vec![json!({"type": "Row", "children": many(n, text)})])),
    ("a row of columns", |n| {
        let column = |i| json!({"type": "Col", "children": [text(i), text(i)]});
        card(vec![json!({"type": "Row", "children": many(n, column)})])
    }),
    ("a column of texts", |n| card(vec![json!({"type": "Col", "children": many(n, text)})])),
    ("a row of badges", |n| {
        let badge = |i: usize| json!({"type": "Badge", "label": i.to_string()});
        card(vec![json!({"type": "Row", "wrap": "wrap", "children": many(n, badge)})])
    }),
    ("a row of buttons", |n| {
        let button = |i| {
            json!({"type": "Button", "label": "Go",
                "onClickAction": {"type": format!("go{i}"), "payload": {}}})
        };
        card(vec![json!({"type": "Row", "children": many(n, button)})])
    }),
    ("a row of images", |n| card(vec![json!({"type": "Row", "children": many(n, image)})])),
    ("a column of images", |n| card(vec![json!({"type": "Col", "children": many(n, image)})])),
    ("images", |n| card(many(n, image))),
    ("images and texts", |n| {
        let both = [many(n / 2, image), many(n / 2, text)].concat();
        card(vec![json!({"type": "Row", "children": both})])
    }),
    ("fields of one name", |n| {
        card(many(n, |_| json!({"type": "Input", "name": "a", "placeholder": "b"})))
    }),
    ("fields and labels", |n| {
        let pair = |i: usize| {
            let name = format!("field{}", i / 2);
            match i % 2 {
                0 => json!({"type": "Label", "fieldName": name, "value": "Label"}),
                _ => json!({"type": "Input", "name": name}),
            }
        };
        card(vec![json!({"type": "Form", "children": many(n, pair)})])
    }),
    ("select", |n| card(vec![choice("Select", n)])),
    ("radio buttons", |n| card(vec![choice("RadioGroup", n)])),
    ("chart rows", |n| {
        let row = |i| json!({"x": format!("row {i}"), "s0": i, "s1": 2 * i});
        chart(many(n, row), many(2, series))
    }),
    ("chart series", |n| {
        let row = |i: usize| (0..n).map(|s| (format!("s{s}"), json!(i))).collect();
        chart(many(3, row), many(n, series))
    }),
    ("chart of empty rows", |n| chart(many(n / 2, |_| json!({})), many(n / 2, series))),
    ("chart of one key", |n| chart(many(n / 2, |_| json!({"s0": 1})), many(n / 2, |_| series(0)))),
    ("table rows", |n| {
        let row = |i| table_row(vec![cell(vec![text(i)]), cell(vec![text(1)])]);
        card(vec![json!({"type": "Table", "children": many(n, row)})])
    }),
    ("table columns", |n| {
        let row = |_| table_row(many(n / 2, |i| cell(vec![text(i)])));
        card(vec![json!({"type": "Table", "children": many(2, row)})])
    }),
    ("table with one wide row", |n| {
        let wide = table_row(many(n / 2, |i| cell(vec![text(i)])));
        let rows = many(n / 2, |i| table_row(vec![cell(vec![text(i)])]));
        let rows = [vec![wide], rows].concat();
        card(vec![json!({"type": "Table", "children": rows})])
    }),
    ("table of spans", |n| {
        let span =
            |_| json!({"type": "Table.Cell", "colSpan": 50, "rowSpan": 1000, "children": []});
        let rows = many(n / 2, |_| table_row(Vec::new()));
        let rows = [vec![table_row(many(n / 2, span))], rows].concat();
        card(vec![json!({"type": "Table", "children": rows})])
    }),
    ("deep boxes", |n| {
        let inner = json!({"type": "Col", "children": many(n, text)});
        card(vec![(0..40).fold(inner, |inner, _| {
            json!({"type": "Box", "children": [inner],
                "onClickAction": {"type": "pick", "payload": {}}})
        })])
    }),
    ("deep cards", |n| {
        let inner = json!({"type": "Col", "children": [card(vec![choice("Select", n)])]});
        card(vec![(0..20).fold(inner, |inner, _| {
            json!({"type": "Row", "children": [{"type": "Col", "children": [inner, text(1)]}, text(2)]})
        })])
    }),
    ("deep rows", |n| {
        let inner = json!({"type": "Row", "children": many(n, text)});
        card(vec![(0..40).fold(
            inner,
            |inner, _| json!({"type": "Row", "children": [inner, {"type": "Spacer"}, image(1)]}),
        )])
    }),
    ("icons", |n| card(many(n, |i| json!({"type": "Icon", "name": format!("lucide:icon-{i}")})))),
    ("cards", |n| {
        let inner = |i| card(vec![image(i), text(i)]);
        json!({"type": "Basic", "children": many(n, inner)})
    }),
];

fn choice(kind: &str, n: usize) -> Value {
    let option = |i: usize| json!({"label": format!("Option {i}"), "value": i.to_string()});
    json!({"type": kind, "name": "a", "direction": "row", "options": many(n, option)})
}
