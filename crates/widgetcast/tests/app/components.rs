//! Views made of components in Rust.

use serde_json::{Value, json};
use widgetcast::components::{
    Action, Axis, Badge, BadgeColor, Basic, Border, BorderStyle, Button, Caption, Card, CardAction,
    Chart, Checkbox, Col, Color, Container, ControlSize, DatePicker, Direction, Divider,
    EditableText, Form, Icon, Image, Input, InputType, Label, ListView, ListViewItem, Markdown,
    RadioGroup, RadioOption, Radius, Row, Select, SelectOption, Series, SeriesType, Spacer,
    Spacing, Status, Table, TableCell, TableRow, Text, TextSize, Textarea, Title, Transition,
    Weight,
};
use widgetcast::{App, Outcome, Tool, ToolError, ToolResult};

use crate::talk::{MODERN, ask, call, text};

fn ticket() -> Card {
    Card::new()
        .status(Status::new("Helpdesk").icon("lifesaver"))
        .child(
            Row::new()
                .gap(2)
                .child(Title::new("Printer on fire"))
                .children(Some(Badge::new("open").color(BadgeColor::Danger))),
        )
        .children(["It smokes.", "It beeps."].map(Text::new))
        .child(
            Button::new()
                .label("Take it")
                .on_click_action(Action::new("assign").payload(json!({ "ticket": 7 }))),
        )
}

async fn both() -> ToolResult {
    Ok(Outcome::new().data(json!({ "id": 7 })).components(ticket()))
}

async fn fails(which: serde_json::Map<String, Value>) -> Result<Basic, ToolError> {
    match which.get("how").and_then(Value::as_str) {
        Some("refused") => Err(ToolError::public("there is no such ticket")),
        _ => Ok(Basic::new().child(TableRow::new())),
    }
}

fn app() -> App {
    App::new("tests", "1.0.0")
        .tool(Tool::new("ticket", async || ticket()))
        .tool(Tool::new("both", both).components())
        .tool(Tool::new("fails", fails).input_schema(json!({ "type": "object" })))
        .tool(Tool::new("undeclared", both))
        .tool(Tool::new("all", async || every_component()))
        .build()
        .unwrap()
}

fn tree() -> Value {
    json!({
        "type": "Card",
        "status": { "text": "Helpdesk", "icon": "lifesaver" },
        "children": [
            { "type": "Row", "gap": 2, "children": [
                { "type": "Title", "value": "Printer on fire" },
                { "type": "Badge", "label": "open", "color": "danger" },
            ] },
            { "type": "Text", "value": "It smokes." },
            { "type": "Text", "value": "It beeps." },
            { "type": "Button", "label": "Take it", "onClickAction": {
                "type": "assign", "payload": { "ticket": 7 },
            } },
        ],
    })
}

#[tokio::test]
async fn a_handler_returns_a_card() {
    let app = app();
    let shown = app.test().as_host("claude").call("ticket", json!({})).await.unwrap();
    assert!(!shown.is_error(), "{shown:?}");
    assert_eq!(shown.view(), Some(tree()));
    assert!(shown.text().contains("Printer on fire"), "{}", shown.text());
    assert_eq!(shown.json().get("structuredContent"), None);
    let slack = shown.surface("slack-blocks").to_string();
    assert!(slack.contains("It smokes."), "{slack}");
    // Hosts know the page of the tool, and the view can be read again.
    let listed = ask(&app, MODERN, "tools/list", json!({})).await;
    let tools = listed["result"]["tools"].as_array().unwrap();
    let one = tools.iter().find(|tool| tool["name"] == "ticket").unwrap();
    assert!(one["_meta"]["ui"]["resourceUri"].is_string(), "{one}");
    assert!(tools.iter().all(|tool| tool["name"] != "widgetcast_components"), "{tools:?}");
    let uri = &shown.json()["_meta"]["widgetcast/view"]["uri"];
    let read = ask(&app, MODERN, "resources/read", json!({ "uri": uri })).await;
    let again = read["result"]["contents"][0]["text"].as_str().unwrap_or_else(|| panic!("{read}"));
    assert!(again.contains("It beeps."), "{again}");
}

#[tokio::test]
async fn the_model_reads_data_apart() {
    let shown = app().test().as_host("claude").call("both", json!({})).await.unwrap();
    assert_eq!(shown.json()["structuredContent"], json!({ "id": 7 }));
    assert_eq!(shown.view(), Some(tree()));
}

#[tokio::test]
async fn what_cannot_be_drawn_is_an_error_for_the_log() {
    let app = app();
    let refused = call(&app, MODERN, "fails", json!({ "how": "refused" })).await;
    assert_eq!(text(&refused), "there is no such ticket");
    let failed = call(&app, MODERN, "undeclared", json!({})).await;
    assert!(text(&failed).starts_with("failed (id "), "{failed}");
    // The handler has run: the call has not failed.
    let undrawn = call(&app, MODERN, "fails", json!({ "how": "drawn" })).await;
    assert_eq!(text(&undrawn), "Done. The result cannot be displayed.");
    assert_ne!(undrawn["isError"], true);
}

/// One of each, with values of every kind: what the checker takes of it is as it was written.
fn every_component() -> Basic {
    let pick = Action::new("pick");
    let card = Card::new()
        .as_form(true)
        .padding(Spacing::new().x(4).y("2px"))
        .border(Border::new().size(1).color("subtle").style(BorderStyle::Dashed))
        .background(Color::themed("#ffffff", "#000000"))
        .confirm(CardAction::new("Save", Action::new("save")))
        .child(Label::new("Name", "name").weight(Weight::Bold))
        .child(Input::new("name").input_type(InputType::Email).required(true).size(ControlSize::Lg))
        .child(Textarea::new("text").rows(3))
        .child(Select::new("size", [SelectOption::new("s", "Small").disabled(true)]))
        .child(DatePicker::new("day").min("2026-01-01").on_change_action(pick.clone()))
        .child(Checkbox::new("gift").label("A gift").default_checked(true))
        .child(
            RadioGroup::new("kind").options([RadioOption::new("A", "a")]).direction(Direction::Row),
        )
        .child(Text::new("title").size(TextSize::Sm).editable(EditableText::new("title")))
        .child(Text::new("other").editable(false));
    let rows = [("one", 1), ("two", 2)].map(|(name, count)| {
        let cell = |text: String| TableCell::new().child(Text::new(text)).col_span(1);
        TableRow::new().children([cell(name.into()), cell(count.to_string())])
    });
    Basic::new()
        .gap("8px")
        .child(card)
        .child(Col::new().child(Markdown::new("**bold**")).child(Divider::new().flush(true)))
        .child(Title::new("All").max_lines(1))
        .child(Badge::new("new").pill(true))
        .child(Button::new().label("Go").on_click_action(pick.clone()))
        .child(Container::new().radius(Radius::Xl2).padding(3).child(Caption::new("small")))
        .child(Row::new().child(Icon::new("star")).child(Spacer::new().min_size(4)))
        .child(Image::new("https://example.com/a.png").alt("A").size(40))
        .child(Form::new().on_submit_action(pick.clone()).child(Input::new("a")))
        .child(Transition::new().child(Text::new("faded")))
        .child(Table::new().child(TableRow::new().header(true)).children(rows))
        .child(
            Chart::new(
                vec![json!({ "month": "May", "sold": 3 })],
                [Series::new(SeriesType::Bar, "sold").color("blue-500")],
                Axis::new("month").hide(false),
            )
            .bar_gap(1.5)
            .height(200),
        )
        .child(Chart::new(
            vec![json!({ "m": 1, "n": 2 })],
            [Series::new(SeriesType::Line, "n")],
            "m",
        ))
        .child(ListView::new().limit("auto").child(
            ListViewItem::new().on_click_action(pick).child(Text::new("entry").max_lines(2)),
        ))
}

#[tokio::test]
async fn every_component_can_be_drawn() {
    let shown = app().test().as_host("claude").call("all", json!({})).await.unwrap();
    assert!(!shown.is_error(), "{shown:?}");
    let view = shown.view().unwrap().to_string();
    let known = widgetcast_core::component::COMPONENTS.iter().map(|component| component.name);
    let missing: Vec<&str> =
        known.filter(|name| !view.contains(&format!("\"type\":\"{name}\""))).collect();
    assert_eq!(missing, Vec::<&str>::new());
    for part in [
        r##""background":{"light":"#ffffff","dark":"#000000"}"##,
        r#""padding":{"x":4,"y":"2px"}"#,
        r#""limit":"auto""#,
        r#""xAxis":"m""#,
        r#""barGap":1.5"#,
        r#""radius":"2xl""#,
        r#""editable":false"#,
    ] {
        assert!(view.contains(part), "{part} is not in {view}");
    }
}
