//! The responder behind the golden transcript, as its texts tell it.

use futures_util::future::BoxFuture;
use serde_json::{Value, json};
use widgetcast_chatkit::protocol::{Action, Event, Item, ItemKind, Level, Status};
use widgetcast_chatkit::{ResponderFuture, Responder, Turn, TurnError};

pub(crate) struct Golden;

fn card(text: &str, streaming: bool) -> Value {
    json!({ "id": "root", "type": "Card", "children": [
        { "type": "Title", "value": "Draft" },
        { "id": "body", "type": "Markdown", "value": text, "streaming": streaming },
    ] })
}

impl Golden {
    async fn greet(turn: &Turn) -> Result<(), TurnError> {
        turn.say("Hi").await?;
        turn.set_title("Greeting").await?;
        turn.progress("search", "Searching").await?;
        let data = json!({ "a": 1 });
        turn.client_effect("flash", data.as_object().cloned().unwrap()).await?;
        turn.notice(Level::Info, "note").await
    }

    async fn stream_widget(turn: &Turn) -> Result<(), TurnError> {
        let mut widget = turn.begin_widget(card("Hel", true), Some("Hello world".into())).await?;
        widget.update(card("Hello wor", true)).await?;
        widget.update(card("Hello world", false)).await?;
        let mut last = card("Hello world", false);
        last["children"].as_array_mut().unwrap().push(json!({ "type": "Badge", "label": "done" }));
        widget.update(last).await?;
        widget.done().await
    }
}

impl Responder for Golden {
    fn respond<'r>(&'r self, turn: &'r Turn, message: Option<&'r Item>) -> ResponderFuture<'r> {
        Box::pin(async move {
            let Some(message) = message else { return turn.say("continued").await };
            match &*message.text() {
                "widget please" => Self::stream_widget(turn).await,
                "static" => turn.show(card("x", false), None).await,
                "error" => Err(TurnError::new("Nope")),
                "fail" => Err(TurnError::Stream { allow_retry: true }),
                "call" => {
                    let kind = json!({
                        "type": "client_tool_call", "call_id": "c1", "name": "locate", "arguments": {},
                    });
                    let kind: ItemKind = serde_json::from_value(kind).unwrap();
                    turn.emit(Event::ItemDone { item: turn.item("tc", kind) }).await
                }
                "ask" => {
                    let kind = json!({ "type": "structured_input", "inputs": [
                        { "type": "freeform", "id": "name", "question": "Who?" },
                        { "type": "multiple_choice", "id": "size", "question": "Which?",
                          "options": [{ "value": "s" }, { "value": "l" }] },
                        { "type": "multiple_choice", "id": "extras", "question": "What else?",
                          "options": [{ "value": "a" }, { "value": "b" }], "multiple": true },
                        { "type": "freeform", "id": "more", "question": "More?" },
                    ] });
                    let kind: ItemKind = serde_json::from_value(kind).unwrap();
                    turn.emit(Event::ItemDone { item: turn.item("msg", kind) }).await
                }
                "lock" | "close" => {
                    let reason = Some("enough".to_owned());
                    let status = match &*message.text() {
                        "lock" => Status::Locked { reason },
                        _ => Status::Closed { reason },
                    };
                    turn.update_thread(|thread| thread.status = status).await
                }
                "hidden" => {
                    turn.keep(json!({ "secret": true })).await?;
                    turn.say("seen").await
                }
                "long" => {
                    let mut message = turn.begin_message().await?;
                    loop {
                        message.push("word ").await?;
                        tokio::task::yield_now().await;
                    }
                }
                _ => Self::greet(turn).await,
            }
        })
    }

    fn act<'r>(
        &'r self,
        turn: &'r Turn,
        action: &'r Action,
        sender: Option<&'r Item>,
    ) -> ResponderFuture<'r> {
        Box::pin(async move {
            match sender {
                None => turn.say("acted").await,
                Some(sender) => {
                    let item = acted(sender, &format!("acted {}", action.kind));
                    turn.emit(Event::ItemReplaced { item }).await
                }
            }
        })
    }

    /// As the recorded one, which keeps nothing.
    fn act_sync<'r>(
        &'r self,
        turn: &'r Turn,
        action: &'r Action,
        sender: Option<&'r Item>,
    ) -> BoxFuture<'r, Result<Option<Item>, TurnError>> {
        Box::pin(async move {
            let _ = turn;
            Ok(sender.map(|sender| acted(sender, &format!("sync {}", action.kind))))
        })
    }
}

fn acted(sender: &Item, text: &str) -> Item {
    let ItemKind::Widget { copy_text, .. } = &sender.kind else { return sender.clone() };
    let kind = ItemKind::Widget { widget: card(text, false), copy_text: copy_text.clone() };
    Item { kind, ..sender.clone() }
}
