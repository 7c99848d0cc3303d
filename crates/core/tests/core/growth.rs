//! What every surface writes for a tree of twice the size is about twice as long: nothing multiplies the
//! number of rows by the number of columns, series or fields. `bench growth` compares the work in the
//! same way.

use serde_json::{Value, json};
use widgetcast_core::{Presentation, SURFACES, View, Widget, adaptive};

fn view(tree: &Value) -> View {
    let definition = json!({"version": "1.0", "name": "any", "template": "{{ tree | tojson }}"});
    let widget = Widget::parse(&definition.to_string()).expect("a widget");
    widget.render(&json!({"tree": tree})).expect("a view")
}

fn card(child: &Value) -> Value {
    json!({"type": "Card", "children": [child]})
}

fn row(cells: usize, span: usize) -> Value {
    let text = json!({"type": "Text", "value": "a"});
    let cell = json!({"type": "Table.Cell", "colSpan": span, "rowSpan": 1000, "children": [text]});
    json!({"type": "Table.Row", "children": vec![cell; cells]})
}

/// One wide row above many short ones.
fn table(n: usize, span: usize) -> Value {
    let mut rows = vec![row(n, span)];
    rows.resize(n, row(usize::from(span == 1), 1));
    card(&json!({"type": "Table", "children": rows}))
}

fn chart(n: usize, point: Value) -> Value {
    let series = json!({"type": "bar", "dataKey": "a"});
    card(&json!({"type": "Chart", "data": vec![point; n], "series": vec![series; n], "xAxis": "x"}))
}

/// What is inside a quotation or a list of any depth is distinguished to seven levels only.
fn markdown(text: &str) -> Value {
    card(&json!({"type": "Markdown", "value": text}))
}

fn trees(n: usize) -> Vec<(&'static str, Value)> {
    let head = "|a".repeat(n) + "|\n" + &"|-".repeat(n) + "|\n";
    vec![
        ("a table with one wide row", table(n, 1)),
        ("a table of spans", table(n, 50)),
        ("a chart of empty points", chart(n, json!({}))),
        ("a chart of one key", chart(n, json!({"a": 1}))),
        ("a Markdown table with a wide head", markdown(&(head + &"|a\n".repeat(n)))),
        ("deep quotations", markdown(&("> ".repeat(n) + "a\n" + &"a\n".repeat(n)))),
        ("deep lists", markdown(&("- ".repeat(n) + "a\n" + &"a\n".repeat(n)))),
    ]
}

#[test]
fn twice_the_tree_is_twice_the_output() {
    for ((name, small), (_, large)) in trees(300).into_iter().zip(trees(600)) {
        let (small, large) = (view(&small), view(&large));
        for surface in SURFACES {
            // Without the blanks up to the edge of a frame, which is as wide as what is in it.
            let size = |view| {
                let shown = (surface.render)(&Presentation::new("tool", "id", view));
                shown.split_whitespace().map(str::len).sum::<usize>()
            };
            let (small, large) = (size(&small), size(&large));
            let factor = large as f64 / small.max(1) as f64;
            assert!(factor < 2.5 || large < 1000, "{name}: {} {small} to {large}", surface.name);
            assert!(large < 3_000_000, "{name}: {} has {large} bytes", surface.name);
        }
    }
}

/// A card has as many rows as fit into it, and one loss for all others.
#[test]
fn rows_that_are_left_out_are_one_loss() {
    let item = json!({"type": "ListViewItem", "children": [{"type": "Text", "value": "a"}]});
    for (n, lost) in [(51, 0), (5000, 1)] {
        let (_, losses) = adaptive::adaptive_card(
            &json!({"type": "ListView", "children": vec![item.clone(); n]}),
        );
        assert_eq!(losses.len(), lost, "{losses:?}");
        assert!(losses.iter().all(|loss| loss.reason.contains(" of 5000 ")), "{losses:?}");
    }
}

/// Fields of one name get different ids, each found at the first try.
#[test]
fn many_fields_of_one_name_are_told_apart() {
    let field = json!({"type": "Input", "name": "a"});
    let fields = [vec![json!({"type": "Input", "name": "a-3"})], vec![field; 4]].concat();
    let confirm = json!({"label": "Send", "action": {"type": "send"}});
    let tree = json!({"type": "Card", "asForm": true, "confirm": confirm, "children": fields});
    let (card, _) = adaptive::adaptive_card(&tree);
    let ids: Vec<&str> = card["body"]
        .as_array()
        .expect("a body")
        .iter()
        .filter_map(|input| input["id"].as_str())
        .collect();
    assert_eq!(ids, ["a-3", "a", "a-2", "a-4", "a-5"]);
}

/// A card as large as Teams takes is read, and no more.
#[test]
fn markdown_beyond_a_teams_message_is_cut() {
    let text = json!({"type": "Markdown", "value": "a b c ".repeat(4_000)});
    let (card, losses) =
        adaptive::adaptive_card(&json!({"type": "Card", "children": vec![text; 3]}));
    assert!(losses.iter().any(|loss| loss.pointer == "/children/1"), "{losses:?}");
    let size = card.to_string().len();
    assert!((20_000..30_000).contains(&size), "{size}");
}
