//! Work that grows with what authors and callers send takes steps in proportion to it, and ends where its
//! budget does. Steps are counted, not time.

use std::path::Path;

use serde_json::{Value, json};
use widgetcast_core::budget::{self, Budget, Exceeded, Stop};
use widgetcast_core::outline::{Block, Item, Outline, Roles};
use widgetcast_core::{
    Catalog, CheckOptions, CompactTree, Finding, Kind, Limits, Widget, adaptive, check_widget,
};

use crate::catalog::Dir;

/// The steps that work takes.
fn steps(work: impl Fn()) -> u64 {
    let mut limits = Limits::default();
    (limits.steps, limits.milliseconds) = (1 << 40, 600_000);
    (limits.values, limits.output_bytes) = (usize::MAX, usize::MAX);
    let taken = Budget::new(&limits).run(|| {
        let before = budget::steps_left().unwrap_or_default();
        work();
        before - budget::steps_left().unwrap_or_default()
    });
    taken.expect("it ends")
}

/// Work on twice as much takes about twice the steps, and some at all.
fn is_linear(what: &str, work: impl Fn(usize), n: usize) {
    let (one, two) = (steps(|| work(n)), steps(|| work(2 * n)));
    assert!(one >= n as u64 / 4 && two <= 2 * one + one / 2, "{what}: {one} and {two} steps");
}

fn definition(template: &str) -> String {
    json!({"version": "1.0", "name": "A", "template": template}).to_string()
}

fn card(children: impl Iterator<Item = Value>) -> String {
    json!({"type": "Card", "children": Value::from_iter(children)}).to_string()
}

/// Templates that are as large as they are odd.
fn odd(kind: &str, n: usize) -> String {
    let each = |child: &dyn Fn(usize) -> Value| card((0..n).map(child));
    match kind {
        "keys" => {
            let keys: String = (0..n).map(|key| format!(r#","k{key}":1"#)).collect();
            format!(r#"{{"type":"Card","children":[]{keys}}}"#)
        }
        "one key" => format!(r#"{{"type":"Card","children":[]{}}}"#, r#","k":1"#.repeat(n)),
        "icons" => each(&|n| json!({"type": "Icon", "name": format!("calendr{n}")})),
        "one icon" => each(&|_| json!({"type": "Icon", "name": "calendr"})),
        "components" => each(&|n| json!({"type": format!("Texxt{n}"), "value": "a"})),
        "colours" => each(&|n| json!({"type": "Text", "value": "a", "color": format!("blu{n}")})),
        "props" => each(&|n| json!({"type": "Text", "value": "a", "valuee": n})),
        "labels" => each(&|n| match n % 2 {
            0 => json!({"type": "Label", "value": "a", "fieldName": format!("nome{n}")}),
            _ => json!({"type": "Input", "name": format!("name{n}")}),
        }),
        "buttons" => each(
            &|n| json!({"type": "Button", "label": "a", "onClickAction": {"type": format!("do{n}")}}),
        ),
        "branches" => format!(
            r#"{{"type":"Card","children":[{}{{"type":"Divider"}}]}}"#,
            r#"{% if a %}{"type":"Text","value":{{ a | tojson }}},{% endif %}"#.repeat(n)
        ),
        _ => unreachable!("{kind}"),
    }
}

const ODD: [&str; 10] = [
    "keys",
    "one key",
    "icons",
    "one icon",
    "components",
    "colours",
    "props",
    "labels",
    "buttons",
    "branches",
];

#[test]
fn a_template_is_compiled_and_drawn_in_steps_that_grow_with_it() {
    for kind in ODD {
        let work = |n: usize| {
            if let Ok(widget) = Widget::parse(&definition(&odd(kind, n))) {
                _ = widget.render(&json!({"a": "a"}));
            }
        };
        is_linear(kind, work, 200);
    }
}

#[test]
fn a_widget_is_checked_in_steps_that_grow_with_it() {
    let none = Catalog::from_static(&[]);
    for kind in ODD.into_iter().filter(|kind| *kind != "components") {
        // So many labels are compared with fields, and no more.
        let n = if kind == "labels" { 240 } else { 60 };
        let widgets =
            [n, 2 * n].map(|n| Widget::parse(&definition(&odd(kind, n))).expect("a widget"));
        let check = |size: usize| {
            let widget = &widgets[usize::from(size > n)];
            _ = check_widget(widget, &none, &CheckOptions::default());
        };
        is_linear(kind, check, n);
    }
}

/// Whoever leaves takes the check along.
#[test]
fn a_check_ends_with_its_caller() {
    let widget = Widget::parse(&definition(&odd("labels", 120))).expect("a widget");
    let stop = Stop::default();
    stop.stop();
    let none = Catalog::from_static(&[]);
    let check = || check_widget(&widget, &none, &CheckOptions::default());
    let findings = Budget::default().with_stop(&stop).cover(check);
    let kinds = |findings: &[Finding]| findings.iter().map(|f| f.error.kind()).collect::<Vec<_>>();
    assert_eq!(kinds(&findings), [Kind::TemplateFuel]);
    assert_eq!(
        findings[0].error.message(),
        "checking the widget was cancelled by its caller, so there may be more findings"
    );
    assert!(kinds(&check()).contains(&Kind::FieldLabel), "{:?}", kinds(&check()));
}

fn catalog(dir: &Path, limits: &Limits, template: &str) -> Catalog {
    std::fs::write(dir.join("a.widget"), definition(template)).expect("a file");
    Catalog::from_dir_with(dir, limits).expect("a folder")
}

#[test]
fn a_template_that_is_too_large_says_so() {
    let dir = Dir::new("too-large");
    let mut limits = Limits::default();
    limits.steps = 2_000;
    let text = card((0..2_000).map(|_| json!({"type": "Divider"})));
    let catalog = catalog(&dir.0, &limits, &text);
    assert!(catalog.get("a").is_none());
    let findings: Vec<&Finding> = catalog.findings().collect();
    assert_eq!(findings.len(), 1);
    assert_eq!(findings[0].error.kind(), Kind::TemplateFuel);
    assert_eq!(
        findings[0].error.message(),
        "the widget is too large: compiling it exceeds the step limit"
    );
    // It is known to be broken, and not compiled for every call.
    assert_eq!(catalog.count_broken(), 1);
}

/// A thread of the runtime compiles nothing, and what was not finished for one caller says nothing about
/// the widget.
#[test]
fn compiling_belongs_to_the_work_that_needs_it() {
    let dir = Dir::new("compiling");
    let text = card((0..5_000).map(|_| json!({"type": "Divider"})));
    let catalog = catalog(&dir.0, &Limits::default(), &text);
    let get = || catalog.get("a").is_some();
    assert_eq!(Budget::trial().run(get), Err(Exceeded::Time));
    let stop = Stop::default();
    stop.stop();
    assert_eq!(Budget::default().with_stop(&stop).run(get), Err(Exceeded::Stopped));
    assert_eq!(catalog.count_broken(), 0);
    assert_eq!(Budget::default().run(get), Ok(true));
    assert_eq!(Budget::trial().run(get), Ok(true));
    // Nor does it compile the program that draws it.
    let draw = || catalog.get("a").is_some_and(|widget| widget.render(&json!({})).is_ok());
    assert_eq!(Budget::trial().run(draw), Err(Exceeded::Time));
    assert_eq!(Budget::default().run(draw), Ok(true));
}

/// The bytes that lists of an outline hold, used or not.
fn held(blocks: &Vec<Block<'_>>) -> usize {
    fn of<T>(list: &Vec<T>) -> usize {
        list.capacity() * size_of::<T>()
    }
    fn of_item(item: &Item<'_>) -> usize {
        of(&item.lines) + of(&item.trail) + of(&item.actions) + held(&item.blocks)
    }
    let inside = |block: &Block<'_>| match block {
        Block::Heading(heading) => of_item(&heading.item),
        Block::Facts { facts, .. } => of(facts),
        Block::List(list) => of(&list.items) + list.items.iter().map(of_item).sum::<usize>(),
        Block::Item(item) => of_item(item),
        Block::Table(table) => {
            let rows = || std::iter::once(&table.head).chain(&table.rows);
            let cells = rows().flatten().map(|cell| of_item(&cell.item)).sum::<usize>();
            of(&table.rows) + rows().map(of).sum::<usize>() + cells
        }
        Block::Actions(actions) => of(actions),
        Block::Columns(columns) => of(columns) + columns.iter().map(held).sum::<usize>(),
        Block::Panel(panel) => held(&panel.blocks),
        _ => 0,
    };
    of(blocks) + blocks.iter().map(inside).sum::<usize>()
}

/// Siblings, and siblings inside of frames inside of each other: what is held grows with what is there.
#[test]
fn an_outline_holds_memory_for_what_is_in_it() {
    let button = json!({"type": "Button", "label": "a", "onClickAction": {"type": "do"}});
    let text = json!({"type": "Text", "value": "a"});
    let wrap = |child: Value, kind: &str| match kind {
        "frame" => json!({"type": "Box", "border": 1, "children": [child]}),
        kind => json!({"type": kind, "children": [child]}),
    };
    let many = |child: &Value, n: usize| json!({"type": "Col", "children": vec![child.clone(); n]});
    for (depth, around) in [(0, ""), (40, "frame"), (40, "Col"), (40, "Row")] {
        for child in [&button, &text] {
            let tree = |n: usize| {
                let inside = (0..depth).fold(many(child, n), |inside, _| wrap(inside, around));
                json!({"type": "Card", "children": [inside]}).to_string()
            };
            let bytes = |n: usize| {
                let json = tree(n);
                let tree = CompactTree::read(&json);
                held(&Outline::of(&tree, &Roles::default()).blocks)
            };
            let (one, two) = (bytes(500), bytes(1_000));
            let most = 8 * size_of::<Block<'_>>() * 1_100;
            assert!(two < 3 * one && two < most, "{depth} × {around:?}: {one} and {two} bytes");
        }
    }
}

/// A card holds as much as Teams takes, however many buttons are given.
#[test]
fn a_card_of_many_buttons_is_printed_in_steps_that_grow_with_them() {
    let button = json!({"type": "Button", "label": "a", "onClickAction": {"type": "do"}});
    let card = |n: usize| {
        let (card, losses) =
            adaptive::adaptive_card(&json!({"type": "Card", "children": vec![button.clone(); n]}));
        assert!(card.to_string().len() < 28 << 10 && losses.len() < 10, "{}", losses.len());
        assert!(budget::exceeded().is_none() || card["type"] == "AdaptiveCard");
    };
    is_linear("buttons", card, 2_000);
}
