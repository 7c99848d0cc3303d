//! What every surface writes for a tree of twice the size is about twice as long: nothing multiplies the
//! number of rows by the number of columns, series or fields. `bench growth` compares the work in the
//! same way.

use serde_json::{Value, json};
use widgetcast_core::{Presentation, SURFACES, View, Widget, adaptive, fold, slack};

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

/// What is inside a quotation or a list of any depth is told apart to seven levels only.
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
            let size = |view| (surface.render)(&Presentation::new("tool", "id", view)).len();
            let (small, large) = (size(&small), size(&large));
            let factor = large as f64 / small.max(1) as f64;
            assert!(factor < 2.5 || large < 1000, "{name}: {} {small} to {large}", surface.name);
            assert!(large < 3_000_000, "{name}: {} has {large} bytes", surface.name);
        }
    }
}

/// A host that shows fifty rows gets fifty, and one loss for all others.
#[test]
fn rows_that_are_left_out_are_one_loss() {
    let item = json!({"type": "ListViewItem", "children": [{"type": "Text", "value": "a"}]});
    for n in [51, 5000] {
        let (_, losses) = adaptive::adaptive_card(
            &json!({"type": "ListView", "children": vec![item.clone(); n]}),
        );
        assert_eq!(losses.len(), 1);
        assert_eq!(losses[0].reason, format!("only the first 50 of {n} rows are shown"));
    }
}

/// Fields of one name get different ids, each found at the first try.
#[test]
fn many_fields_of_one_name_are_told_apart() {
    let field = json!({"type": "Input", "name": "a"});
    let fields = [vec![json!({"type": "Input", "name": "a-3"})], vec![field; 4]].concat();
    let confirm = json!({"label": "Send", "action": {"type": "send"}});
    let tree = json!({"type": "Card", "confirm": confirm, "children": fields});
    let (card, _) = adaptive::adaptive_card(&tree);
    let ids: Vec<&str> = card["body"]
        .as_array()
        .expect("a body")
        .iter()
        .filter_map(|input| input["id"].as_str())
        .collect();
    assert_eq!(ids, ["a-3", "a", "a-2", "a-4", "a-5"]);
}

#[test]
fn many_pairs_of_one_label_are_told_apart() {
    let text = |value: &str| json!({"type": "Text", "value": value});
    let pair =
        |label| json!({"type": "Row", "children": [text(label), {"type": "Spacer"}, text("1")]});
    let pairs: Vec<Value> = ["A", "A", "A 3", "A", "A"].into_iter().map(pair).collect();
    let tree = json!({"type": "Card", "children": pairs});
    let (object, _) = slack::work_object(&tree, &slack::WorkObject::default());
    let order = &object["entity"]["entity_payload"]["display_order"];
    assert_eq!(*order, json!(["a", "a_2", "a_3", "a_4", "a_5"]));
}

/// The alternative text that repeats a text beside it is left out, however many images there are.
#[test]
fn repeated_alternative_texts_are_left_out() {
    let image = |alt: String| json!({"type": "Image", "src": "a.png", "alt": alt});
    let mut children: Vec<Value> = (0..20).map(|n| image(format!("image {n}"))).collect();
    children.push(json!({"type": "Col", "children": [{"type": "Text", "value": "image 19"}]}));
    children.push(json!({"type": "Text", "value": "image 2"}));
    let text = fold(&json!({"type": "Card", "children": children}));
    assert!(text.contains("(image 1)") && text.contains("(image 18)"), "{text}");
    assert!(!text.contains("(image 2)") && !text.contains("(image 19)"), "{text}");
}

/// A card as large as Teams takes is read, and no more.
#[test]
fn markdown_beyond_a_teams_message_is_cut() {
    let text = json!({"type": "Markdown", "value": "a b c ".repeat(4_000)});
    let (card, losses) =
        adaptive::adaptive_card(&json!({"type": "Card", "children": vec![text; 3]}));
    assert!(losses.iter().any(|loss| loss.pointer == "/children/1"), "{losses:?}");
    let shown: usize = card["body"]
        .as_array()
        .expect("a body")
        .iter()
        .filter_map(|block| block["text"].as_str().map(str::len))
        .sum();
    assert!((24_000..30_000).contains(&shown), "{shown}");
}
