//! Spans: what a subscriber of `tracing` sees of a request.

use std::collections::BTreeMap;
use std::fmt::Debug;
use std::sync::{Arc, Mutex};

use serde_json::json;
use tracing::field::{Field, Visit};
use tracing::span::{Attributes, Id, Record};
use tracing_subscriber::Layer;
use tracing_subscriber::layer::{Context, SubscriberExt as _};
use tracing_subscriber::registry::LookupSpan;
use widgetcast::core::Catalog;
use widgetcast::{App, TraceContext};

use crate::talk::{MODERN, compiled_greeting, request, send};

const VALUE: &str = "value-4711";

/// The fields of a span, with those of its parent under `parent`.
#[derive(Clone, Debug, Default)]
struct Fields(BTreeMap<String, String>);

impl Visit for Fields {
    fn record_debug(&mut self, field: &Field, value: &dyn Debug) {
        self.0.insert(field.name().to_owned(), format!("{value:?}").replace('"', ""));
    }
}

#[derive(Clone, Default)]
struct Seen(Arc<Mutex<Vec<(u64, Fields)>>>);

impl<S: tracing::Subscriber + for<'s> LookupSpan<'s>> Layer<S> for Seen {
    fn on_new_span(&self, attributes: &Attributes<'_>, id: &Id, context: Context<'_, S>) {
        let mut fields = Fields::default();
        attributes.record(&mut fields);
        fields.0.insert("span".into(), attributes.metadata().name().into());
        let span = context.span(id).unwrap();
        let parent = span.parent().map_or("", |parent| parent.name());
        fields.0.insert("parent".into(), parent.into());
        self.0.lock().unwrap().push((id.into_u64(), fields));
    }

    fn on_record(&self, id: &Id, values: &Record<'_>, _: Context<'_, S>) {
        let mut seen = self.0.lock().unwrap();
        // An id is used again after its span has ended.
        let found = seen.iter_mut().rev().find(|(known, _)| *known == id.into_u64());
        values.record(&mut found.unwrap().1);
    }
}

impl Seen {
    fn spans(&self, name: &str) -> Vec<Fields> {
        let seen = self.0.lock().unwrap();
        let all = seen.iter().map(|(_, fields)| fields.clone());
        all.filter(|fields| fields.0["span"] == name).collect()
    }
}

#[tokio::test]
async fn a_call_is_a_tree_of_spans() {
    let seen = Seen::default();
    let subscriber = tracing_subscriber::registry().with(seen.clone());
    let _guard = tracing::subscriber::set_default(subscriber);
    let heard = Arc::new(Mutex::new(Vec::new()));
    let told = Arc::clone(&heard);
    let app = App::new("tests", "1.0.0")
        .catalog(compiled_greeting())
        .trace_parent(move |_, from: &TraceContext<'_>| {
            let state = from.tracestate.unwrap_or("-");
            told.lock().unwrap().push(format!("{} {state}", from.traceparent));
        })
        .build()
        .unwrap();
    let sent = json!({
        "name": "greeting", "arguments": { "name": VALUE },
        "_meta": { "traceparent": "00-by-message", "tracestate": "a=1" },
    });
    let mut call = request(MODERN, "tools/call", sent);
    call.headers_mut().insert("traceparent", "00-by-header".parse().unwrap());
    send(&app.service(), call).await;
    assert_eq!(*heard.lock().unwrap(), ["00-by-header -", "00-by-message a=1"]);

    let one = |name: &str, wanted: &[(&str, &str)]| {
        let spans = seen.spans(name);
        assert_eq!(spans.len(), 1, "{spans:#?}");
        for (key, value) in wanted {
            assert_eq!(spans[0].0.get(*key).map(String::as_str), Some(*value), "{key} of {name}");
        }
    };
    one(
        "http",
        &[("otel.name", "POST /mcp"), ("parent", ""), ("http.response.status_code", "200")],
    );
    one(
        "mcp",
        &[
            ("otel.name", "tools/call greeting"),
            ("otel.kind", "server"),
            ("mcp.method.name", "tools/call"),
            ("mcp.protocol.version", MODERN),
            ("gen_ai.tool.name", "greeting"),
            ("jsonrpc.request.id", "7"),
            ("network.transport", "tcp"),
            ("parent", "http"),
        ],
    );
    one("render", &[("parent", "mcp"), ("gen_ai.tool.name", "greeting")]);
    one("store", &[("parent", "mcp"), ("db.operation.name", "put")]);

    // Errors are told, and names that no tool has are not.
    send(&app.service(), request(MODERN, "tools/call", json!({ "name": VALUE }))).await;
    send(&app.service(), request(MODERN, VALUE, json!({}))).await;
    let bad = json!({ "name": "greeting", "arguments": { VALUE: 1 } });
    send(&app.service(), request(MODERN, "tools/call", bad)).await;
    let spans = seen.spans("mcp");
    assert_eq!(spans.len(), 3, "a method that does not exist has none");
    let errors: Vec<_> = spans.iter().map(|span| span.0.get("error.type").cloned()).collect();
    assert_eq!(errors, [None, Some("-32602".into()), Some("tool_error".into())]);
    let all = format!("{:?}", seen.0.lock().unwrap());
    assert!(!all.contains(VALUE), "{all}");
}

/// What is done again on a worker does not look like two calls.
#[tokio::test]
async fn a_trial_is_called_so() {
    const SLOW: &str = r#"{"version":"1.0","name":"Slow","template":"{\"type\":\"Card\",\"children\":[{\"type\":\"Text\",\"value\":\"{% set ns = namespace(n=0) %}{% for i in range(20000) %}{% set ns.n = ns.n + i %}{% endfor %}{{ ns.n }}\"}]}","jsonSchema":{"type":"object"}}"#;
    let seen = Seen::default();
    let subscriber = tracing_subscriber::registry().with(seen.clone());
    let app = App::new("tests", "1.0.0")
        .catalog(Catalog::from_static(&[("slow.widget", SLOW)]))
        .build()
        .unwrap();
    let dispatch = tracing::Dispatch::new(subscriber);
    let _guard = tracing::dispatcher::set_default(&dispatch);
    send(&app.service(), request(MODERN, "tools/call", json!({ "name": "slow" }))).await;
    let mcp = seen.spans("mcp");
    let names: Vec<&str> = mcp.iter().map(|span| &*span.0["otel.name"]).collect();
    // A subscriber of this thread alone does not see what the worker does.
    assert_eq!(names, ["trial"]);
    assert_eq!(mcp[0].0["parent"], "http");
}
