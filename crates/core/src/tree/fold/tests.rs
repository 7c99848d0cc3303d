use serde_json::{Value, json};

use super::fold;

fn card(children: &Value) -> String {
    fold(&json!({"type": "Card", "children": children}))
}

fn text(value: &str) -> Value {
    json!({"type": "Text", "value": value})
}

#[test]
fn text_is_no_syntax_by_accident() {
    let lines = ["# 1", "- a", "> b", "* c", "---", "```", "| d", "#7", "-1 day", "**e**", "3 > 2"];
    let folded: Vec<String> = lines.iter().map(|line| card(&json!([text(line)]))).collect();
    assert_eq!(
        folded,
        [
            "\\# 1", "\\- a", "\\> b", "\\* c", "\\---", "\\```", "\\| d", "#7", "-1 day", "**e**",
            "3 > 2"
        ]
    );
    let rows = json!([{"type": "Row", "children": [text("- a"), text("b")]}]);
    assert_eq!(card(&rows), "\\- a b");
}

#[test]
fn markdown_is_passed_on() {
    let nodes = json!([text("Before"), {"type": "Markdown", "value": "# A\n\n\n\n- b | c\n"}, text("After")]);
    assert_eq!(card(&nodes), "Before\n\n# A\n\n- b | c\n\nAfter");
}

#[test]
fn there_are_no_empty_parts() {
    let nodes = json!([
        {"type": "Title", "value": " "}, {"type": "Divider"}, {"type": "Divider"}, {"type": "Text"},
        {"type": "Row", "children": []}, {"type": "Table", "children": []}, text("a\n\n\n\nb"),
        {"type": "Divider"}, {"type": "Divider"}, {"type": "Title", "value": "Next"},
        {"type": "ListView", "children": []}, {"type": "Image", "src": "x"}, {"type": "Divider"}]);
    assert_eq!(card(&nodes), "a\n\nb\n\n## Next");
    assert_eq!(fold(&json!(null)), "");
}

#[test]
fn a_label_stands_with_its_value() {
    let nodes = json!([
        {"type": "Row", "children": [text("Total:"), {"type": "Spacer"}, text("$9")]},
        {"type": "Row", "children": [
            {"type": "Col", "children": [{"type": "Caption", "value": "Gate"}, text("B22")]},
            {"type": "Col", "children": [{"type": "Caption", "value": "Seat"}, text("14A")]}]},
        {"type": "Row", "children": [
            {"type": "Col", "children": [{"type": "Title", "value": "24"}, {"type": "Caption", "value": "Matches"}]},
            {"type": "Badge", "label": "new"}]}]);
    assert_eq!(card(&nodes), "Total: $9\nGate: B22 · Seat: 14A\n**24** Matches [new]");
}

#[test]
fn fields_are_prompts() {
    let nodes = json!([
        {"type": "Label", "value": "Name", "fieldName": "n"},
        {"type": "Input", "name": "n", "required": true, "placeholder": "Ada"},
        {"type": "Label", "value": "Room", "fieldName": "r"},
        {"type": "Select", "name": "r", "defaultValue": "b", "options": [
            {"value": "a", "label": "Garden", "description": "€9"}, {"value": "b", "label": "Loft"},
            {"value": "c", "label": "Attic", "disabled": true}]},
        {"type": "Checkbox", "name": "c", "label": "Breakfast", "defaultChecked": true},
        {"type": "DatePicker", "name": "d", "placeholder": "Day", "defaultValue": "2027-05-14T00:00:00Z"},
        {"type": "Input", "name": "key", "inputType": "password", "defaultValue": "hunter2"},
        {"type": "Textarea", "name": "t", "defaultValue": "one\n\n- two"},
        {"type": "Row", "children": [text("For whom?"), {"type": "Input", "name": "w", "defaultValue": "me"}]},
        {"type": "Label", "value": "Lonely", "fieldName": "none"}]);
    assert_eq!(
        card(&nodes),
        "Name (required): ____ (Ada)\nRoom: Garden, €9 | Loft (chosen) | Attic (not available)\n\
         [x] Breakfast\nDay: 2027-05-14\nkey: ••••\nt:\none\n\n\\- two\nFor whom? me\nLonely"
    );
}

#[test]
fn tables_and_charts_are_tables() {
    let cell = |node: Value| json!({"type": "Table.Cell", "children": [node]});
    let mut wide = cell(text("a|b"));
    wide["colSpan"] = 2.into();
    let nodes = json!([
        text("Above"),
        {"type": "Table", "children": [
            {"type": "Table.Row", "header": true, "children": [cell(text("A")), cell(text("B"))]},
            {"type": "Table.Row", "children": [wide]},
            {"type": "Table.Row", "children": [cell(json!({"type": "Icon", "name": "check"}))]}]},
        {"type": "Chart", "xAxis": {"dataKey": "m"}, "data": [{"m": "Jan", "v": 1.0}, {"m": "Feb"}],
            "series": [{"type": "bar", "dataKey": "v", "label": "Sales"}]}]);
    assert_eq!(
        card(&nodes),
        "Above\n\n| A | B |\n| --- | --- |\n| a\\|b |  |\n| ✓ |  |\n\n\
         | m | Sales |\n| --- | --- |\n| Jan | 1 |\n| Feb |  |"
    );
}

#[test]
fn a_list_is_a_list() {
    let item = |children: Value| json!({"type": "ListViewItem", "children": children});
    let tree = json!({"type": "ListView", "status": {"text": "2 found"}, "children": [
        item(json!([{"type": "Image", "src": "x", "alt": "Ada"}, text("Ada")])),
        item(json!([{"type": "Card", "children": [{"type": "Title", "value": "Letter"}, text("from Bob")]}]))]});
    assert_eq!(fold(&tree), "_2 found_\n- Ada\n- Letter\n  from Bob");
}

#[test]
fn actions_are_named() {
    let tree = json!({"type": "Card",
        "confirm": {"label": "Send", "action": {"type": "s"}}, "cancel": {"label": "Drop", "action": {"type": "d"}},
        "children": [{"type": "Row", "children": [
            {"type": "Button", "label": "Site", "onClickAction": {"type": "o", "payload": {"url": "https://a.example"}}},
            {"type": "Button", "iconStart": "play"}, {"type": "Button"}]}]});
    assert_eq!(fold(&tree), "[Site](https://a.example) [play]\n[Send] [Drop]");
}

#[test]
fn control_characters_are_dropped() {
    assert_eq!(card(&json!([text("a\u{1b}[31mb\u{7}\tc")])), "a[31mb\tc");
}
