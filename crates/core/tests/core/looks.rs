//! How views look in Slack, on Adaptive Cards and in a terminal: what holds for every case and for the
//! corpus, said as properties of what is written. The golden files say what exactly that is.

use std::collections::HashSet;
use std::sync::LazyLock;

use serde_json::Value;
use widgetcast_core::{Loss, Presentation, SURFACES, View, adaptive, slack};

use super::surfaces::all_views;

/// A view as hosts get it.
struct Drawn {
    name: String,
    tree: Value,
    /// For Slack.
    blocks: Vec<Value>,
    unseen: Vec<Loss>,
    card: Value,
    left_out: Vec<Loss>,
}

static DRAWN: LazyLock<Vec<Drawn>> = LazyLock::new(|| {
    let views = all_views().into_iter();
    let draw = |(name, view): (String, View)| {
        let tree = view.tree();
        let (blocks, unseen) = slack::blocks(&tree);
        let (card, left_out) = adaptive::adaptive_card(&tree);
        Drawn { name, tree, blocks, unseen, card, left_out }
    };
    views.map(draw).collect()
});

/// Calls `f` with every object of a value and its pointer.
fn each<'v>(value: &'v Value, at: &str, f: &mut dyn FnMut(&'v Value, &str)) {
    match value {
        Value::Array(items) => {
            items
                .iter()
                .enumerate()
                .for_each(|(index, item)| each(item, &format!("{at}/{index}"), f));
        }
        Value::Object(members) => {
            f(value, at);
            members.iter().for_each(|(key, member)| each(member, &format!("{at}/{key}"), f));
        }
        _ => {}
    }
}

/// The objects of a type, with their pointers.
fn all_of<'v>(value: &'v Value, kind: &str) -> Vec<(&'v Value, String)> {
    let mut found = Vec::new();
    each(value, "", &mut |one, at| {
        if one["type"] == kind {
            found.push((one, at.to_owned()));
        }
    });
    found
}

fn words<'v>(node: &'v Value, key: &str) -> &'v str {
    node[key].as_str().unwrap_or_default().trim()
}

fn list(value: &Value) -> &[Value] {
    value.as_array().map(Vec::as_slice).unwrap_or_default()
}

fn is_lost(losses: &[Loss], at: &str) -> bool {
    losses.iter().any(|loss| at.starts_with(&loss.pointer))
}

/// A bar: a box in a box, filled to a share of its width.
fn bars(tree: &Value) -> Vec<String> {
    let boxes = all_of(tree, "Box").into_iter();
    let is_bar = |node: &Value| match list(&node["children"]) {
        [part] => {
            part["type"] == "Box"
                && list(&part["children"]).is_empty()
                && words(part, "width").ends_with('%')
                && node["height"].as_f64().is_some_and(|height| height <= 16.0)
        }
        _ => false,
    };
    boxes.filter(|(node, _)| is_bar(node)).map(|(_, at)| at).collect()
}

/// The running text of a message: not tables, and not what is only said to screen readers.
fn slack_text(blocks: &[Value]) -> Vec<&str> {
    let blocks = blocks.iter().filter(|block| block["type"] != "data_table");
    let mut found = Vec::new();
    for block in blocks {
        each(block, "", &mut |one, _| found.extend(one["text"].as_str()));
    }
    found
}

/// Slack writes a label above a field and words beside a box.
#[test]
fn slack_says_the_label_of_a_field_once() {
    let mut fields = 0;
    for Drawn { name, blocks, .. } in &*DRAWN {
        for block in blocks.iter().filter(|block| block["type"] == "input") {
            let label = words(&block["label"], "text");
            let element = &block["element"];
            let options =
                list(&element["options"]).iter().map(|option| words(&option["text"], "text"));
            let mut others = options.chain([words(&element["placeholder"], "text")]);
            assert!(!others.any(|other| other.eq_ignore_ascii_case(label)), "{name}: {block}");
            fields += 1;
        }
    }
    assert!(fields > 20, "{fields}");
}

/// Slack writes "(optional)" itself.
#[test]
fn slack_says_optional_once() {
    let mut said = 0;
    for Drawn { name, tree, blocks, .. } in &*DRAWN {
        said += usize::from(tree.to_string().contains("(optional)"));
        for block in blocks.iter().filter(|block| block["optional"] == true) {
            let label = words(&block["label"], "text").to_lowercase();
            assert!(!label.contains("(optional)"), "{name}: {label}");
        }
    }
    assert!(said > 0);
}

#[test]
fn slack_has_no_alternative_text_among_its_words() {
    let mut texts = 0;
    for Drawn { name, tree, blocks, .. } in &*DRAWN {
        let mut spoken = HashSet::new();
        each(tree, "", &mut |node, _| {
            spoken.extend(["value", "label", "text"].map(|key| words(node, key)));
        });
        for (image, at) in all_of(tree, "Image") {
            let alt = words(image, "alt");
            if alt.is_empty() || spoken.iter().any(|words| words.contains(alt)) {
                continue;
            }
            texts += 1;
            let shown = slack_text(blocks);
            assert!(!shown.iter().any(|text| text.contains(alt)), "{name} {at}: {alt}\n{shown:#?}");
        }
    }
    assert!(texts > 10, "{texts}");
}

/// A paragraph of many lines is a wall: items of a list have a sign before each, facts are fields.
#[test]
fn slack_has_no_wall_of_lines() {
    let is_item = |line: &&str| line.starts_with(|c: char| !c.is_ascii());
    for Drawn { name, tree, blocks, .. } in &*DRAWN {
        // Lines that the data has are its own.
        if tree.to_string().contains("\\n") {
            continue;
        }
        for text in slack_text(blocks) {
            for paragraph in text.split("\n\n") {
                let lines = paragraph.lines().filter(|line| !is_item(line)).count();
                assert!(lines <= 6, "{name}:\n{paragraph}");
            }
        }
    }
}

/// A title that is a line heads the message, or the section with its picture.
#[test]
fn slack_heads_a_message_with_its_title() {
    let mut heads = 0;
    for Drawn { name, tree, blocks, .. } in &*DRAWN {
        let titles = all_of(tree, "Title");
        let is_card = tree["type"] == "Card" && all_of(tree, "Card").len() == 1;
        let Some((title, _)) = titles.first().filter(|_| is_card) else { continue };
        let title = words(title, "value");
        // A figure is a value, whatever its size.
        let is_figure = !title.contains(' ') && title.contains(|c: char| c.is_ascii_digit());
        if is_figure || title.len() > 100 {
            continue;
        }
        let is_head = |block: &Value| {
            let text = words(&block["text"], "text");
            let is_titled = block["type"] == "header" && !text.is_empty();
            is_titled || block["type"] == "card" || !block["accessory"].is_null()
        };
        let silent =
            |block: &&Value| matches!(words(block, "type"), "image" | "context" | "divider");
        let first = blocks.iter().find(|block| !silent(block));
        assert!(first.is_some_and(is_head), "{name}: {title}\n{first:#?}");
        heads += 1;
    }
    assert!(heads > 15, "{heads}");
}

#[test]
fn bars_are_drawn_or_told() {
    let mut all = 0;
    for Drawn { name, tree, blocks, unseen, card, left_out } in &*DRAWN {
        let bars = bars(tree);
        all += bars.len();
        let left = bars.iter().filter(|at| !is_lost(unseen, at)).count();
        let shown = slack_text(blocks).join("\n");
        let drawn = shown.lines().filter(|line| line.contains(['▰', '▱'])).count();
        assert!(drawn >= left, "{name}: {drawn} of {left}\n{shown}");
        // Nor does a card leave one out.
        let left = bars.iter().filter(|at| !is_lost(left_out, at)).count();
        assert!(all_of(card, "ProgressBar").len() >= left, "{name}");
    }
    assert!(all > 4, "{all}");
}

/// In code, words look like an error.
#[test]
fn slack_writes_badges_as_words() {
    let mut badges = 0;
    for Drawn { name, tree, blocks, .. } in &*DRAWN {
        let shown = slack_text(blocks).join("\n");
        for (badge, at) in all_of(tree, "Badge") {
            let label = words(badge, "label");
            assert!(!shown.contains(&format!("`{label}`")), "{name} {at}: {label}");
            badges += 1;
        }
    }
    assert!(badges > 20, "{badges}");
}

/// An id stands once in a block. So there is a second block only for what the first has already.
#[test]
fn slack_has_one_block_of_buttons() {
    let mut blocks_seen = 0;
    for Drawn { name, blocks, .. } in &*DRAWN {
        // Check boxes without a label stand in such a block, too.
        let is_button = |one: &Value| one["type"] != "checkboxes";
        let buttons = blocks.iter().filter(|block| {
            block["type"] == "actions" && list(&block["elements"]).iter().any(is_button)
        });
        let sets: Vec<HashSet<&str>> = buttons
            .map(|block| {
                list(&block["elements"]).iter().map(|one| words(one, "action_id")).collect()
            })
            .collect();
        for pair in sets.windows(2) {
            assert!(!pair[0].is_disjoint(&pair[1]), "{name}: {sets:?}");
        }
        blocks_seen += sets.len();
    }
    assert!(blocks_seen > 20, "{blocks_seen}");
}

#[test]
fn the_parts_of_a_slack_cell_are_apart() {
    let mut cells = 0;
    for Drawn { name, tree, blocks, .. } in &*DRAWN {
        let tables: Vec<String> = blocks
            .iter()
            .filter(|block| block["type"] == "data_table")
            .map(Value::to_string)
            .collect();
        for (cell, at) in all_of(tree, "Table.Cell") {
            let mut parts = Vec::new();
            each(cell, "", &mut |node, _| {
                parts.extend([words(node, "value"), words(node, "label")]);
            });
            parts.retain(|part| !part.is_empty());
            for pair in parts.windows(2) {
                for apart in ["", " "] {
                    let joined = [pair[0], pair[1]].join(apart);
                    assert!(!tables.iter().any(|t| t.contains(&joined)), "{name} {at}: {joined}");
                }
                cells += 1;
            }
        }
        let shown = slack_text(blocks).join("\n") + &tables.concat();
        for wrong in ["· ·", "·  ·", "\"· ", " ·\""] {
            assert!(!shown.contains(wrong), "{name}: {wrong}\n{shown}");
        }
    }
    assert!(cells > 2, "{cells}");
}

/// A message of so many blocks is written with as few as possible.
const MANY: usize = 40;

/// "(optional)" says that a field may be left empty; one that has a choice, a day or a number has not
/// to be. A number that begins whole may become 12.50.
#[test]
fn slack_marks_only_fields_that_may_be_empty() {
    let (mut preset, mut optional) = (0, 0);
    for Drawn { name, blocks, .. } in &*DRAWN {
        for block in blocks.iter().filter(|block| block["type"] == "input") {
            let element = &block["element"];
            let is_number = element["type"] == "number_input";
            let is_preset = !element["initial_option"].is_null()
                || !element["initial_date"].is_null()
                || is_number && !element["initial_value"].is_null();
            assert!(!is_preset || block["optional"] == false, "{name}: {block}");
            assert!(!is_number || element["is_decimal_allowed"] == true, "{name}: {block}");
            preset += usize::from(is_preset);
            optional += usize::from(block["optional"] == true);
        }
    }
    assert!(preset > 10 && optional > 5, "{preset} {optional}");
}

/// In one block they would stand side by side.
#[test]
fn slack_has_check_boxes_below_each_other() {
    let mut boxes = 0;
    for Drawn { name, blocks, .. } in DRAWN.iter().filter(|drawn| drawn.blocks.len() < MANY) {
        for block in blocks.iter().filter(|block| block["type"] == "actions") {
            let is_box = |one: &&Value| one["type"] == "checkboxes";
            let count = list(&block["elements"]).iter().filter(is_box).count();
            assert!(count <= 1, "{name}: {block}");
            boxes += count;
        }
    }
    assert!(boxes > 5, "{boxes}");
}

/// A field has half of the width: one alone wastes the other, and a long word is broken in it.
#[test]
fn slack_has_facts_side_by_side_only_where_they_fit() {
    let mut sections = 0;
    for Drawn { name, blocks, .. } in &*DRAWN {
        for block in blocks.iter().filter(|block| block["fields"].is_array()) {
            let fields = list(&block["fields"]);
            assert!(fields.len() > 1, "{name}: {block}");
            for word in fields.iter().flat_map(|field| words(field, "text").split_whitespace()) {
                assert!(word.chars().count() <= 18, "{name}: {word}");
            }
            sections += 1;
        }
    }
    assert!(sections > 10, "{sections}");
}

#[test]
fn slack_has_one_header() {
    let mut heads = 0;
    for Drawn { name, blocks, .. } in &*DRAWN {
        let headers = blocks.iter().filter(|block| block["type"] == "header").count();
        assert!(headers <= 1, "{name}");
        heads += headers;
    }
    assert!(heads > 25, "{heads}");
}

/// The colour of a badge says whether something is good or bad: a dot says it in words, fields and cells.
#[test]
fn slack_keeps_the_tone_of_badges() {
    let sign = |color: &str| match color {
        "success" => Some("🟢"),
        "danger" => Some("🔴"),
        "warning" => Some("🟠"),
        "info" => Some("🔵"),
        _ => None,
    };
    let mut badges = 0;
    for Drawn { name, tree, blocks, unseen, .. } in &*DRAWN {
        let shown = Value::from(blocks.clone()).to_string().replace('\u{a0}', " ");
        for (badge, at) in all_of(tree, "Badge") {
            let (label, own) = (words(badge, "label"), sign(words(badge, "color")));
            let Some(own) = own.filter(|_| label.chars().all(|c| c.is_alphanumeric() || c == ' '))
            else {
                continue;
            };
            // A field that has it as its choice says it alone.
            let is_choice = blocks
                .iter()
                .any(|block| words(&block["element"]["initial_option"]["text"], "text") == label);
            let is_said = shown.contains(&format!("{own} {label}"));
            assert!(is_said || is_choice || is_lost(unseen, &at), "{name} {at}: {label}\n{shown}");
            badges += 1;
        }
    }
    assert!(badges > 15, "{badges}");
}

/// The lines of all texts of a message that have marks.
fn slack_lines(blocks: &[Value]) -> Vec<&str> {
    let mut found = Vec::new();
    for block in blocks {
        each(block, "", &mut |one, _| {
            found.extend(one["text"].as_str().filter(|_| one["type"] == "mrkdwn"));
        });
    }
    found.into_iter().flat_map(str::lines).collect()
}

const DOTS: [char; 7] = ['🟢', '🔴', '🟠', '🟡', '🔵', '🟣', '⚪'];

/// On a phone a line would end between them.
#[test]
fn slack_keeps_signs_with_their_words() {
    let mut signs = 0;
    for Drawn { name, blocks, .. } in &*DRAWN {
        for line in slack_lines(blocks) {
            for (at, dot) in line.match_indices(DOTS).filter(|(at, _)| *at > 0) {
                let after = &line[at + dot.len()..];
                assert!(!after.starts_with(' ') || after.starts_with("  "), "{name}: {line}");
                signs += 1;
            }
        }
    }
    assert!(signs > 5, "{signs}");
}

/// An item says what it is before the state it is in.
#[test]
fn slack_says_the_state_of_an_item_last() {
    let mut states = 0;
    for Drawn { name, blocks, .. } in &*DRAWN {
        let is_item = |line: &&str| line.starts_with("• ") || line.starts_with(char::is_numeric);
        for line in slack_lines(blocks).into_iter().filter(is_item) {
            let parts = line.split(" · ").skip(1).map(|part| part.starts_with(DOTS));
            let parts: Vec<bool> = parts.collect();
            assert!(parts.is_sorted(), "{name}: {line}");
            states += usize::from(parts.contains(&true));
        }
    }
    assert!(states > 0);
}

/// A price or a time that no longer holds stands beside the one that does, and both have one weight.
#[test]
fn slack_has_nothing_between_old_and_new() {
    let mut old = 0;
    for Drawn { name, blocks, .. } in &*DRAWN {
        for line in slack_lines(blocks).into_iter().filter(|line| line.starts_with('~')) {
            assert!(!line.contains("~ · ") && !line.contains('*'), "{name}: {line}");
            old += 1;
        }
    }
    assert!(old > 0);
}

/// Items of a list are opened by their titles, or all by buttons.
#[test]
fn slack_opens_the_items_of_a_list_in_one_way() {
    let mut lists = 0;
    for Drawn { name, tree, blocks, .. } in &*DRAWN {
        if tree["type"] != "ListView" {
            continue;
        }
        let has = |wanted: &dyn Fn(&Value) -> bool| blocks.iter().any(wanted);
        let is_link = has(&|block| words(&block["text"], "text").contains("*<https://"));
        let is_button = has(&|block| block["accessory"]["type"] == "button");
        assert!(!(is_link && is_button), "{name}");
        lists += usize::from(is_link || is_button);
    }
    assert!(lists > 0);
}

/// A menu that shows a choice has words beside it, or a line above it, that say of what.
#[test]
fn slack_has_no_choice_without_a_label() {
    let mut menus = 0;
    for Drawn { name, blocks, .. } in &*DRAWN {
        let mut label = "";
        for block in blocks {
            let is_choice = |one: &Value| !one["initial_option"].is_null();
            let is_bare =
                block["type"] == "actions" && list(&block["elements"]).iter().any(is_choice);
            assert!(!is_bare || label.starts_with('*'), "{name}: {block}");
            menus += usize::from(is_bare || is_choice(&block["accessory"]));
            label = words(&block["text"], "text");
        }
    }
    assert!(menus > 1, "{menus}");
}

/// Amounts are added from top to bottom.
#[test]
fn slack_has_sums_below_each_other() {
    let is_amount =
        |value: &str| value.contains(['€', '$', '£']) && !value.contains(char::is_alphabetic);
    let mut bills = 0;
    for Drawn { name, blocks, .. } in &*DRAWN {
        for block in blocks {
            let fields = list(&block["fields"]).iter();
            let values = fields.filter_map(|field| words(field, "text").split_once('\n'));
            let amounts = values.filter(|(_, value)| is_amount(value)).count();
            assert!(amounts < 3, "{name}: {block}");
            let lines = words(&block["text"], "text").lines();
            let facts = lines.filter_map(|line| line.split_once(":*  "));
            bills += usize::from(facts.filter(|(_, value)| is_amount(value)).count() > 2);
        }
    }
    assert!(bills > 1, "{bills}");
}

/// The parts of a cell are lines, and the head of a table has names alone.
#[test]
fn slack_joins_no_parts_in_a_cell() {
    let mut cells = 0;
    for Drawn { name, tree, blocks, .. } in &*DRAWN {
        let own = tree.to_string().contains(" · ");
        for block in blocks.iter().filter(|block| block["type"] == "data_table" && !own) {
            each(&block["rows"], "", &mut |cell, at| {
                assert!(!words(cell, "text").contains(" · "), "{name} {at}: {cell}");
                cells += 1;
            });
        }
    }
    assert!(cells > 20, "{cells}");
}

/// A menu of buttons says what to do with it, not what is in it.
#[test]
fn slack_has_menus_with_a_short_hint() {
    let mut menus = 0;
    for Drawn { name, blocks, .. } in &*DRAWN {
        let actions = blocks.iter().filter(|block| block["type"] == "actions");
        for menu in actions.flat_map(|block| list(&block["elements"])) {
            let hint = words(&menu["placeholder"], "text");
            assert!(!hint.contains(" · "), "{name}: {hint}");
            menus += usize::from(menu["type"] == "static_select");
        }
    }
    assert!(menus > 0);
}

/// A bar beside the parts of a sum is compared with a part, so a line is never one; and the title of a
/// chart is not that of the message.
#[test]
fn slack_draws_no_line_as_a_bar() {
    let mut charts = 0;
    for Drawn { name, tree, blocks, .. } in &*DRAWN {
        let mut lines = HashSet::new();
        for (chart, _) in all_of(tree, "Chart") {
            let series = list(&chart["series"]).iter().filter(|one| one["type"] == "line");
            lines.extend(series.map(|one| words(one, "label")));
        }
        let header = blocks.iter().find(|block| block["type"] == "header");
        let header = header.map_or("", |header| words(&header["text"], "text"));
        for block in blocks.iter().filter(|block| block["type"] == "data_visualization") {
            let is_bars = block["chart"]["type"] == "bar";
            let mut names = list(&block["chart"]["series"]).iter().map(|one| words(one, "name"));
            assert!(!is_bars || !names.any(|name| lines.contains(name)), "{name}: {block}");
            assert_ne!(words(block, "title"), header, "{name}");
            charts += 1;
        }
    }
    assert!(charts > 2, "{charts}");
}

/// It says so, because a person looks for the field.
#[test]
fn slack_asks_for_no_secrets() {
    let mut secrets = 0;
    for Drawn { name, tree, blocks, unseen, .. } in &*DRAWN {
        let shown = Value::from(blocks.clone()).to_string();
        for (field, at) in all_of(tree, "Input") {
            if field["inputType"] == "password" {
                let id = format!("\"input:{}\"", words(field, "name"));
                assert!(!shown.contains(&id) && is_lost(unseen, &at), "{name} {at}");
                let hint = match field["required"] == true {
                    true => "enter it in the app",
                    false => "kept as it is, change it in the app",
                };
                assert!(shown.contains(hint), "{name} {at}");
                secrets += 1;
            }
        }
    }
    assert!(secrets > 0);
}

#[test]
fn toggles_of_a_card_have_a_title() {
    let mut toggles = 0;
    for Drawn { name, card, .. } in &*DRAWN {
        for (toggle, at) in all_of(card, "Input.Toggle") {
            assert!(!words(toggle, "title").is_empty(), "{name} {at}: {toggle}");
            // A label is for people; a name is for tools.
            let field = words(toggle, "id").rsplit('.').next().unwrap_or_default();
            let label = words(toggle, "label").to_lowercase();
            assert!(label.is_empty() || label != field.to_lowercase(), "{name} {at}: {toggle}");
            toggles += 1;
        }
    }
    assert!(toggles > 5, "{toggles}");
}

/// Facts have the size of running text, so running text may not be smaller.
#[test]
fn only_captions_of_a_card_are_small() {
    let mut texts = 0;
    for Drawn { name, tree, card, .. } in &*DRAWN {
        let mut quiet = HashSet::new();
        for kind in ["Caption", "Badge", "Image"] {
            for (node, _) in all_of(tree, kind) {
                quiet.extend(["value", "label", "alt"].map(|key| words(node, key)));
            }
        }
        quiet.extend(
            all_of(tree, "Text")
                .iter()
                .filter(|(node, _)| node["size"] == "xs")
                .map(|(node, _)| words(node, "value")),
        );
        quiet.insert(words(&tree["status"], "text"));
        for (text, _) in all_of(tree, "Text") {
            let text = words(text, "value");
            if text.is_empty() || quiet.contains(text) {
                continue;
            }
            texts += 1;
            each(card, "", &mut |one, at| {
                let is_small = one["text"] == text && one["size"] == "Small";
                assert!(!is_small, "{name} {at}: {one}");
            });
        }
    }
    assert!(texts > 100, "{texts}");
}

/// A title and its caption without a gap stand together.
#[test]
fn texts_of_a_card_without_a_gap_stand_together() {
    let mut seen = 0;
    for Drawn { name, tree, card, .. } in &*DRAWN {
        for (stack, at) in all_of(tree, "Col") {
            let texts: Vec<&str> = list(&stack["children"])
                .iter()
                .filter(|node| matches!(words(node, "type"), "Text" | "Title" | "Caption"))
                .filter(|node| node["editable"].is_null())
                .map(|node| words(node, "value"))
                .collect();
            let is_stack = stack["gap"] == 0 && texts.len() == list(&stack["children"]).len();
            if !is_stack || texts.contains(&"") {
                continue;
            }
            for text in texts.iter().skip(1).filter(|text| !text.contains('\n')) {
                let mut is_close = false;
                each(card, "", &mut |one, _| {
                    let says = one["text"] == *text || one["inlines"][0]["text"] == *text;
                    is_close |= says && one["spacing"] == "None";
                });
                assert!(is_close, "{name} {at}: {text}");
                seen += 1;
            }
        }
    }
    assert!(seen > 10, "{seen}");
}

/// The lists of elements of a card: what stands below each other.
fn stacks(card: &Value) -> Vec<&[Value]> {
    let mut found = Vec::new();
    each(card, "", &mut |one, _| found.extend(["body", "items"].map(|key| list(&one[key]))));
    found
}

/// The value of a row of a label and a value.
fn value_of(row: &Value) -> Option<&Value> {
    let columns = list(&row["columns"]);
    let is_text = |column: &Value| {
        let items = list(&column["items"]);
        items.len() == 1 && matches!(words(&items[0], "type"), "TextBlock" | "RichTextBlock")
    };
    let is_pair = row["type"] == "ColumnSet" && columns.len() == 2 && columns.iter().all(is_text);
    is_pair.then(|| &columns[1]["items"][0])
}

/// Facts have their values beside their labels, rows have them at the right: not both in one list.
#[test]
fn sibling_rows_of_a_card_are_drawn_alike() {
    let (mut sets, mut rows) = (0, 0);
    for Drawn { name, card, .. } in &*DRAWN {
        for stack in stacks(card) {
            let is_right = |row: &&Value| {
                value_of(row).is_some_and(|value| value["horizontalAlignment"] == "Right")
            };
            let facts = stack.iter().filter(|one| one["type"] == "FactSet").count();
            let right = stack.iter().filter(is_right).count();
            assert!(facts == 0 || right == 0, "{name}: {stack:#?}");
            for set in stack.iter().filter(|one| one["type"] == "FactSet") {
                assert!(list(&set["facts"]).len() > 1, "{name}: {set}");
            }
            sets += facts;
            rows += right;
        }
    }
    assert!(sets > 0 && rows > 10, "{sets} {rows}");
}

/// The longest word of what is in an element, in letters; side by side they add up.
fn longest(element: &Value) -> usize {
    let word = |text: &str| text.split_whitespace().map(|word| word.chars().count()).max();
    let own = match words(element, "type") {
        "TextBlock" | "TextRun" => word(words(element, "text")).unwrap_or(0),
        "ColumnSet" => return list(&element["columns"]).iter().map(|one| longest(one) + 1).sum(),
        _ => 0,
    };
    let inner = ["items", "inlines"].map(|key| list(&element[key]).iter().map(longest).max());
    inner.into_iter().flatten().chain([own]).max().unwrap_or(0)
}

/// Side by side stands only what a phone of 320 px has room for: 36 letters of 8 px.
#[test]
fn columns_of_a_card_have_room_for_their_words() {
    let mut sets = 0;
    for Drawn { name, card, .. } in &*DRAWN {
        for (set, at) in all_of(card, "ColumnSet") {
            let letters = longest(set);
            assert!(letters <= 37, "{name} {at}: {letters} letters in {set}");
            sets += 1;
        }
    }
    assert!(sets > 50, "{sets}");
}

/// A list that is filtered by typing shows values instead of labels on some hosts.
#[test]
fn short_lists_of_a_card_are_not_filtered() {
    let mut sets = 0;
    for Drawn { name, tree, card, .. } in &*DRAWN {
        sets += usize::from(tree.to_string().contains("\"searchable\":true"));
        for (set, at) in all_of(card, "Input.ChoiceSet") {
            let is_short = list(&set["choices"]).len() <= 10;
            assert!(!is_short || set["style"] != "filtered", "{name} {at}: {set}");
        }
    }
    assert!(sets > 0);
}

/// Whether an action sends what is filled in.
fn sends_fields(action: &Value) -> bool {
    action["type"] == "Action.Submit"
        && action["associatedInputs"] != "none"
        && action["isEnabled"] != false
}

/// What is filled in is sent by some button.
#[test]
fn fields_of_a_card_are_sent() {
    let mut fields = 0;
    for Drawn { name, card, .. } in &*DRAWN {
        let (mut inputs, mut is_sent) = (Vec::new(), false);
        each(card, "", &mut |one, at| {
            inputs.extend(words(one, "type").starts_with("Input.").then(|| at.to_owned()));
            is_sent |= sends_fields(one);
        });
        assert!(inputs.is_empty() || is_sent, "{name}: nothing sends {inputs:?}");
        fields += inputs.len();
    }
    assert!(fields > 20, "{fields}");
}

/// A text is a TextBlock: a run is for what that can not show, and stands in another line height.
#[test]
fn plain_texts_of_a_card_are_blocks() {
    let is_mark = |c: char| "*_`~<{\\&]".contains(c);
    let mut blocks = 0;
    for Drawn { name, card, .. } in &*DRAWN {
        blocks += all_of(card, "TextBlock").len();
        for (block, at) in all_of(card, "RichTextBlock") {
            let [run] = list(&block["inlines"]) else { continue };
            let text = words(run, "text");
            let is_item = text.split_whitespace().next().is_some_and(|first| {
                first.chars().all(|c| c.is_ascii_digit() || "-+.)#>|".contains(c))
            });
            let is_styled = run["italic"] == true || run["strikethrough"] == true;
            assert!(is_styled || is_item || text.contains(is_mark), "{name} {at}: {text}");
        }
    }
    assert!(blocks > 200, "{blocks}");
}

/// A coloured box says that something is good, or to be heeded; in grey it would say nothing.
#[test]
fn coloured_boxes_of_a_card_keep_their_colour() {
    let mut boxes = 0;
    for Drawn { name, tree, card, .. } in &*DRAWN {
        let mut wanted = HashSet::new();
        each(tree, "", &mut |node, _| {
            let ground = node["background"]["light"].as_str().unwrap_or(words(node, "background"));
            let style = match ground.split('-').next().unwrap_or_default() {
                "orange" | "yellow" | "warning" => "warning",
                "red" | "danger" => "attention",
                "green" | "success" => "good",
                "blue" | "purple" | "info" => "accent",
                _ => return,
            };
            let has_text = !all_of(node, "Text").is_empty();
            if has_text && node.get("padding").is_some() && node.get("onClickAction").is_none() {
                wanted.insert(style);
            }
        });
        each(card, "", &mut |one, _| _ = wanted.remove(words(one, "style")));
        assert!(wanted.is_empty(), "{name}: {wanted:?}");
        boxes += usize::from(card.to_string().contains("\"warning\""));
    }
    assert!(boxes > 0);
}

/// Half of a phone has room for 13 letters of a choice.
#[test]
fn choices_of_a_card_have_room() {
    let mut sets = 0;
    for Drawn { name, card, .. } in &*DRAWN {
        for (row, at) in all_of(card, "ColumnSet") {
            for (set, _) in all_of(row, "Input.ChoiceSet") {
                let letters =
                    list(&set["choices"]).iter().map(|c| words(c, "title").chars().count());
                let letters = letters.max().unwrap_or(0);
                assert!(letters <= 13, "{name} {at}: {letters} letters");
                sets += 1;
            }
        }
    }
    assert!(sets > 0, "{sets}");
}

/// Lines are drawn as lines, and lengths and areas from zero.
#[test]
fn charts_of_a_card_say_what_the_view_says() {
    let (mut lines, mut zeros) = (0, 0);
    for Drawn { name, tree, card, .. } in &*DRAWN {
        let charts: Vec<&Value> = all_of(tree, "Chart").into_iter().map(|(node, _)| node).collect();
        for spec in charts.iter().flat_map(|chart| list(&chart["series"])) {
            let label = words(spec, "label");
            let is_line = matches!(words(spec, "type"), "line" | "area");
            each(card, "", &mut |one, at| {
                let kind = words(one, "type");
                let has = list(&one["data"]).iter().any(|series| series["legend"] == label);
                if !kind.starts_with("Chart.") || label.is_empty() || !has {
                    return;
                }
                assert!(!is_line || kind == "Chart.Line", "{name} {at}: {label} in {kind}");
                lines += usize::from(is_line);
                if spec["type"] == "area" {
                    assert_eq!(one["yMin"], 0, "{name} {at}");
                    zeros += 1;
                }
            });
        }
    }
    assert!(lines > 2 && zeros > 0, "{lines} {zeros}");
}

/// Icons, badges, bars and charts are the host's own, and older hosts have something to draw.
#[test]
fn newer_elements_of_a_card_have_an_older_form() {
    let is_newer =
        |kind: &str| matches!(kind, "Icon" | "Badge" | "ProgressBar") || kind.starts_with("Chart.");
    let mut seen = HashSet::new();
    for Drawn { name, tree, card, left_out, .. } in &*DRAWN {
        each(card, "", &mut |one, at| {
            let kind = words(one, "type");
            if is_newer(kind) {
                assert!(!one["fallback"].is_null(), "{name} {at}: {one}");
                seen.insert(kind.to_owned());
            }
        });
        // Rows beyond the most that a card has are left out.
        if left_out.iter().any(|loss| loss.reason.starts_with("only the first")) {
            continue;
        }
        let badges = all_of(tree, "Badge");
        let badges = badges.iter().filter(|(node, _)| !words(node, "label").is_empty()).count();
        assert!(all_of(card, "Badge").len() >= badges, "{name}");
    }
    assert_eq!(
        ["Icon", "Badge", "ProgressBar", "Chart.Line"].iter().find(|kind| !seen.contains(**kind)),
        None
    );
}

/// The text of an element that has it, or of its first run.
fn first_text(element: &Value) -> &str {
    match element["inlines"].is_array() {
        true => words(&element["inlines"][0], "text"),
        false => words(element, "text"),
    }
}

/// The element of a card that says something, with its pointer.
fn saying<'v>(card: &'v Value, text: &str) -> Vec<(&'v Value, String)> {
    let mut found = Vec::new();
    each(card, "", &mut |one, at| {
        let is_text = matches!(words(one, "type"), "TextBlock" | "RichTextBlock");
        if is_text && first_text(one) == text {
            found.push((one, at.to_owned()));
        }
    });
    found
}

/// Strong words at the start of a card are its title. Teams draws `Medium` as it draws all other texts.
#[test]
fn titles_of_a_card_are_large() {
    let mut titles = 0;
    for Drawn { name, tree, card, .. } in &*DRAWN {
        let mut texts = Vec::new();
        each(tree, "", &mut |node, at| {
            let is_silent = matches!(words(node, "type"), "Badge" | "Image" | "Icon" | "Button");
            let says =
                ["value", "label", "name", "placeholder"].iter().any(|key| !node[key].is_null());
            if says && !is_silent && at.contains("/children") {
                texts.push((node, at.matches("/children").count()));
            }
        });
        let Some((first, depth)) = texts.first() else { continue };
        let is_strong = matches!(words(first, "weight"), "semibold" | "bold");
        if first["type"] != "Text" || !is_strong || !first["size"].is_null() || *depth > 4 {
            continue;
        }
        let drawn = saying(card, words(first, "value"));
        let is_large = |one: &Value| one["size"] == "Large" || one["inlines"][0]["size"] == "Large";
        assert!(drawn.iter().any(|(one, _)| is_large(one)), "{name}: {first}");
        titles += 1;
    }
    assert!(titles > 10, "{titles}");
}

/// Buttons below each other are one set, as long as hosts show all of it. A set at the right is one line on
/// a phone: below a long line a short one would be a step of a staircase.
#[test]
fn buttons_of_a_card_are_one_set_without_steps() {
    let (mut sets, mut right) = (0, 0);
    for Drawn { name, tree, card, .. } in &*DRAWN {
        for stack in stacks(card) {
            for pair in
                stack.windows(2).filter(|pair| pair.iter().all(|e| e["type"] == "ActionSet"))
            {
                let count = pair.iter().map(|set| list(&set["actions"]).len()).sum::<usize>();
                let is_one_side = pair[0]["horizontalAlignment"] == pair[1]["horizontalAlignment"];
                assert!(
                    count > 5 || !is_one_side || pair[1]["separator"] == true,
                    "{name}: {pair:#?}"
                );
            }
        }
        let is_right = |row: &Value| row["justify"] == "end" && all_of(row, "Button").len() > 1;
        right += all_of(tree, "Row").iter().filter(|(row, _)| is_right(row)).count();
        for (set, at) in all_of(card, "ActionSet") {
            sets += 1;
            let titles = list(&set["actions"]).iter().map(|action| words(action, "title"));
            let width: usize = titles.map(|title| title.chars().count() * 8 + 34).sum();
            if set["horizontalAlignment"] == "Right" && list(&set["actions"]).len() > 1 {
                assert!(width <= 288 + 8, "{name} {at}: {width}");
            }
        }
    }
    assert!(sets > 30 && right > 0, "{sets} {right}");
}

/// The cells of a column below the head, and whether all of them are as asked.
fn is_column(table: &Value, column: usize, is: impl Fn(&Value) -> bool) -> bool {
    let head = usize::from(table["firstRowAsHeaders"] == true);
    let rows = list(&table["rows"]).iter().skip(head);
    let items: Vec<&Value> = rows.flat_map(|row| list(&row["cells"][column]["items"])).collect();
    !items.is_empty() && items.iter().all(|item| is(item))
}

/// Columns that are compared are equally wide; lines around every cell would look like a spreadsheet.
#[test]
fn centred_columns_of_a_card_are_equally_wide() {
    let mut grids = 0;
    for Drawn { name, card, .. } in &*DRAWN {
        for (table, at) in all_of(card, "Table") {
            let columns = list(&table["columns"]).iter().enumerate();
            let is_centred = |item: &Value| item["horizontalAlignment"] == "Center";
            let widths: Vec<&Value> = columns
                .filter(|(index, _)| is_column(table, *index, is_centred))
                .map(|(_, column)| &column["width"])
                .collect();
            assert!(widths.windows(2).all(|two| two[0] == two[1]), "{name} {at}: {widths:?}");
            assert_eq!(table["showGridLines"], false, "{name} {at}");
            grids += usize::from(widths.len() > 1);
        }
    }
    assert!(grids > 0);
}

/// Sums of money stand at the right, and their total below a line.
#[test]
fn figures_of_a_card_stand_at_the_right_and_a_total_below_a_line() {
    let (mut figures, mut totals) = (0, 0);
    for Drawn { name, card, .. } in &*DRAWN {
        for (table, at) in all_of(card, "Table") {
            for column in 1..list(&table["columns"]).len() {
                let is_money = |item: &Value| {
                    let digits = first_text(item).strip_prefix(['€', '$', '£']).unwrap_or_default();
                    digits.starts_with(|c: char| c.is_ascii_digit())
                };
                let is_right = |item: &Value| item["horizontalAlignment"] == "Right";
                let is_money = is_column(table, column, is_money);
                assert!(!is_money || is_column(table, column, is_right), "{name} {at} {column}");
                figures += usize::from(is_money);
            }
            let is_bold = |row: &Value| {
                let items = list(&row["cells"]).iter().flat_map(|cell| list(&cell["items"]));
                items.into_iter().all(|item| item["weight"] == "Bolder")
            };
            let head = usize::from(table["firstRowAsHeaders"] == true);
            let body = list(&table["rows"]).get(head..).unwrap_or_default();
            if let [above @ .., last] = body {
                let is_total = above.len() > 1 && is_bold(last) && !above.iter().any(is_bold);
                assert!(!is_total, "{name} {at}: {last}");
                totals += usize::from(table["separator"] == true && is_bold(last));
            }
        }
    }
    assert!(figures > 1 && totals > 0, "{figures} {totals}");
}

/// One chart that becomes two says of each what it has; of the first, the words above and the legend do.
#[test]
fn charts_of_a_card_that_follow_each_other_have_titles() {
    let mut charts = 0;
    for Drawn { name, card, .. } in &*DRAWN {
        for stack in stacks(card) {
            let is_chart = |one: &Value| words(one, "type").starts_with("Chart.");
            let is_one =
                |pair: &[Value]| pair.iter().all(is_chart) && pair[1]["fallback"] == "drop";
            for pair in stack.windows(2).filter(|pair| is_one(pair)) {
                for chart in pair.iter().filter(|chart| list(&chart["data"]).len() <= 3) {
                    assert!(!words(chart, "title").is_empty(), "{name}: {}", chart["type"]);
                    assert_ne!(chart["showLegend"], false, "{name}");
                    charts += 1;
                }
                assert_ne!(pair[0]["showTitle"], true, "{name}");
                assert_eq!(pair[1]["showTitle"], true, "{name}");
            }
        }
    }
    assert!(charts > 1, "{charts}");
}

/// A ground of its own parts what is on it; a line beside it is one too many. A line at the start of a group
/// is not lost.
#[test]
fn lines_of_a_card_are_where_nothing_else_parts() {
    let (mut lines, mut groups) = (0, 0);
    for Drawn { name, tree, card, .. } in &*DRAWN {
        let has_ground = |one: &Value| one["type"] == "Container" && one["style"].is_string();
        for stack in stacks(card) {
            for pair in stack.windows(2).filter(|pair| pair[1]["separator"] == true) {
                assert!(!pair.iter().any(has_ground), "{name}: {:?}", pair[1]["type"]);
                lines += 1;
            }
        }
        for (group, at) in all_of(tree, "Col") {
            let [divider, text, ..] = list(&group["children"]) else { continue };
            let is_text = matches!(words(text, "type"), "Text" | "Caption" | "Title");
            if divider["type"] == "Divider" && is_text && !at.ends_with("/0") {
                let drawn = saying(card, words(text, "value"));
                assert!(drawn.iter().any(|(one, _)| one["separator"] == true), "{name} {at}");
                groups += 1;
            }
        }
    }
    assert!(lines > 20 && groups > 0, "{lines} {groups}");
}

/// On one baseline: a label has the size of its value, and texts of two sizes have their middles level.
#[test]
fn baselines_of_a_card_are_level() {
    let (mut labels, mut rows) = (0, 0);
    for Drawn { name, tree, card, .. } in &*DRAWN {
        for (row, at) in all_of(tree, "Row").iter().filter(|(row, _)| row["align"] == "baseline") {
            let parts = list(&row["children"]);
            let Some((first, last)) = parts.first().zip(parts.last()) else { continue };
            if first["width"].is_number() {
                let label = words(&first["children"][0], "value");
                for (text, at) in saying(card, label) {
                    assert_ne!(text["size"], "Small", "{name} {at}: {label}");
                    labels += 1;
                }
            } else if last["type"] == "Caption" && parts.iter().any(|part| part["type"] == "Spacer")
            {
                for (_, drawn) in saying(card, words(last, "value")) {
                    let column = drawn.rsplit_once("/items/").map_or("", |(column, _)| column);
                    let column = card.pointer(column).unwrap_or(&Value::Null);
                    assert_eq!(column["verticalContentAlignment"], "Center", "{name} {at}");
                    rows += 1;
                }
            }
        }
    }
    assert!(labels > 2 && rows > 2, "{labels} {rows}");
}

/// Rows of a list have columns below each other, and what is at the right leaves the rest to the words.
#[test]
fn columns_of_a_card_are_level_and_no_wider_than_needed() {
    let (mut ends, mut right) = (0, 0);
    for Drawn { name, tree, card, .. } in &*DRAWN {
        for stack in stacks(card) {
            let end = |row: &Value| list(&row["columns"]).last().cloned().unwrap_or_default();
            for pair in stack.windows(2) {
                let counts = [&pair[0], &pair[1]].map(|row| list(&row["columns"]).len());
                let kinds = [&pair[0], &pair[1]].map(|row| end(row)["items"][0]["type"].clone());
                if counts[0] > 2 && counts[0] == counts[1] && kinds == ["Icon", "Icon"] {
                    let widths = [&pair[0], &pair[1]].map(|row| end(row)["width"].clone());
                    assert_eq!(widths[0], widths[1], "{name}");
                    ends += 1;
                }
            }
        }
        for (row, at) in all_of(tree, "Row") {
            let [others @ .., last] = list(&row["children"]) else { continue };
            let is_group =
                last["type"] == "Col" && last["flex"].is_null() && last["width"].is_null();
            if !is_group || !others.iter().any(|one| !one["flex"].is_null()) {
                continue;
            }
            for (_, drawn) in saying(card, words(&last["children"][0], "value")) {
                let column = drawn.rsplit_once("/items/").map_or("", |(column, _)| column);
                let column = card.pointer(column).unwrap_or(&Value::Null);
                assert_eq!(column["width"], "auto", "{name} {at}");
                right += 1;
            }
        }
    }
    assert!(ends > 0 && right > 0, "{ends} {right}");
}

/// A badge after words stands at the right of them, and groups of a row are further apart than their parts.
#[test]
fn rows_of_a_card_keep_their_badge_and_their_gap() {
    let (mut badges, mut gaps) = (0, 0);
    for Drawn { name, tree, card, .. } in &*DRAWN {
        for (row, at) in all_of(tree, "Row") {
            let kinds: Vec<&str> =
                list(&row["children"]).iter().map(|one| words(one, "type")).collect();
            if kinds == ["Col", "Badge"] {
                let label = words(&row["children"][1], "label");
                let drawn =
                    all_of(card, "Badge").into_iter().filter(|(one, _)| one["text"] == label);
                for (_, drawn) in drawn.filter(|_| label.chars().count() <= 20) {
                    assert!(drawn.contains("/columns/"), "{name} {at}: {drawn}");
                    badges += 1;
                }
            }
            let is_groups = kinds.len() > 1 && kinds.iter().all(|kind| *kind == "Row");
            if is_groups && row["gap"] == 4 {
                let columns = all_of(card, "Column");
                assert!(columns.iter().any(|(one, _)| one["spacing"] == "Large"), "{name} {at}");
                gaps += 1;
            }
        }
    }
    assert!(badges > 1 && gaps > 0, "{badges} {gaps}");
}

/// Without the lines that join them, steps stand apart.
#[test]
fn steps_of_a_card_stand_apart() {
    let mut steps = 0;
    for Drawn { name, tree, card, .. } in &*DRAWN {
        for (row, at) in all_of(tree, "Row") {
            let mark = list(&row["children"][0]["children"]);
            let is_joint =
                |one: &Value| one["type"] == "Box" && one["width"] == 2 && one["height"] == 20;
            let texts = all_of(row, "Text");
            let Some((text, _)) = texts.first().filter(|_| mark.iter().any(is_joint)) else {
                continue;
            };
            // The row of a step is two levels of columns above its words.
            for (_, drawn) in saying(card, words(text, "value")) {
                let outer = drawn.split("/columns/").next().unwrap_or_default();
                let set = card.pointer(outer).unwrap_or(&Value::Null);
                assert!(
                    set["spacing"] != "Small" && set["spacing"] != "None",
                    "{name} {at}: {drawn}"
                );
                steps += 1;
            }
        }
    }
    assert!(steps > 2, "{steps}");
}

/// What an approval would do is said in words to every host: a red mark is not enough.
#[test]
fn every_surface_says_what_an_approval_removes() {
    let views = all_views();
    let (_, view) = views.iter().find(|(name, _)| name.starts_with("approval_request/")).unwrap();
    for surface in SURFACES.iter().filter(|surface| surface.name != "slack-work-object") {
        let shown = (surface.render)(&Presentation::new("approval_request", "case", view));
        let lines = shown.replace("\\n", "\n");
        let line = lines.lines().find(|line| line.contains("Read replica"));
        assert!(
            line.is_some_and(|line| line.to_lowercase().contains("remove:")),
            "{}: {line:?}",
            surface.name
        );
    }
}
