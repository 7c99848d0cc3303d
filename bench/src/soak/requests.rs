//! What the clients send, good and bad, and what must come back.

use std::fs;
use std::path::Path;

use serde_json::{Value, json};
use widgetcast_core::{Catalog, SURFACES};

use crate::error::Error;
use crate::target::{Answer, Target, call, read_one, whole};

/// Stands for the number of a call, in what is sent and in what comes back; all numbers are as long.
const NUMBER: &str = "N0000000";
/// What precedes the parts of an answer that differ with every call: the key of a state, and the id
/// of the view of other data.
const CHANGING: [&str; 2] = ["\"state\":\"", "ui://widgets/counter/"];

/// A widget whose text differs with every call.
const COUNTER: &str = r#"{"version":"1.0","name":"Counter","template":"{\"type\":\"Card\",\"children\":[{\"type\":\"Title\",\"value\":{{ title | tojson }}}{% for row in rows %},{\"type\":\"Text\",\"value\":{{ row | tojson }}}{% endfor %}]}","jsonSchema":{"type":"object","properties":{"title":{"type":"string"},"rows":{"type":"array","items":{"type":"string"}}},"required":["title","rows"]}}"#;

/// A kind of answer.
#[derive(Clone, Copy, PartialEq)]
enum Kind {
    Result,
    /// A result that says `isError`.
    Failure,
    /// A JSON-RPC error with this code.
    Error(i64),
    /// Any body, with this status.
    Status(u16),
    /// The client leaves before it has read or even sent all.
    None,
}

/// A request, and its answer.
pub(super) struct Request {
    text: String,
    answer: Option<(u16, String)>,
}

impl Request {
    /// What to send for a call of this number.
    pub(super) fn bytes(&self, number: usize) -> Vec<u8> {
        numbered(&self.text, number).into_bytes()
    }

    /// Whether the client waits for the answer.
    pub(super) fn is_answered(&self) -> bool {
        self.answer.is_some()
    }

    /// Compares an answer; the error says where it differs.
    pub(super) fn compare(&self, number: usize, answer: &Answer) -> Result<(), String> {
        let Some((status, body)) = &self.answer else { return Ok(()) };
        let (wanted, got) = (numbered(body, number), constant(&answer.body));
        if *status == answer.status && wanted == got {
            return Ok(());
        }
        let same = wanted.chars().zip(got.chars()).take_while(|(a, b)| a == b).count();
        let from =
            |text: &str| text.chars().skip(same.saturating_sub(40)).take(160).collect::<String>();
        Err(format!(
            "{} instead of {status}; at {same} of {} and {} bytes:\n  {}\n  instead of\n  {}",
            answer.status,
            got.len(),
            wanted.len(),
            from(&got),
            from(&wanted)
        ))
    }
}

fn numbered(text: &str, number: usize) -> String {
    text.replace(NUMBER, &format!("N{number:07}"))
}

/// An answer without the parts that differ with every call.
fn constant(body: &str) -> String {
    CHANGING.iter().fold(body.to_owned(), |body, before| {
        let Some(at) = body.find(before).map(|at| at + before.len()) else { return body };
        let end = body[at..].find('"').map_or(at, |length| at + length);
        format!("{}{}", &body[..at], &body[end..])
    })
}

/// All requests. Every second one is a good call of its own.
pub(super) struct Requests(Vec<Request>);

impl Requests {
    /// Asks each once, while nothing else happens. An answer must be of the kind that is expected; it is
    /// then what all later ones are compared with.
    pub(super) fn learn(target: &Target) -> Result<Self, Error> {
        let mut requests = Vec::new();
        for (text, kind) in all(&target.dir)? {
            let answer = if kind == Kind::None {
                None
            } else {
                let mut stream = target.connect()?;
                std::io::Write::write_all(&mut stream, text.as_bytes())?;
                let answer = read_one(&mut stream, &mut Vec::new())?;
                if !is_of_kind(&answer, kind) {
                    return Err(
                        format!("{text}\nis answered {}\n{}", answer.status, answer.body).into()
                    );
                }
                Some((answer.status, constant(&answer.body)))
            };
            requests.push(Request { text, answer });
        }
        Ok(Self(requests))
    }

    pub(super) fn len(&self) -> usize {
        self.0.len()
    }

    /// The request for a number: the first is the good call of its own.
    pub(super) fn of(&self, number: usize) -> &Request {
        if number.is_multiple_of(2) { &self.0[0] } else { &self.0[number / 2 % self.0.len()] }
    }
}

fn is_of_kind(answer: &Answer, kind: Kind) -> bool {
    let body: Value = serde_json::from_str(&answer.body).unwrap_or_default();
    let is_error = &body["result"]["isError"];
    match kind {
        Kind::Result => body["result"].is_object() && is_error != true,
        Kind::Failure => is_error == true,
        Kind::Error(code) => body["error"]["code"] == code,
        Kind::Status(status) => answer.status == status,
        Kind::None => false,
    }
}

/// Writes the widgets into a directory.
pub(super) fn write_widgets(dir: &Path) -> std::io::Result<()> {
    fs::create_dir_all(dir)?;
    let gallery = Path::new(env!("CARGO_MANIFEST_DIR")).join("../crates/cli/widgets");
    for entry in fs::read_dir(gallery)? {
        let entry = entry?;
        fs::copy(entry.path(), dir.join(entry.file_name()))?;
    }
    fs::write(dir.join("counter.widget"), COUNTER)
}

fn all(dir: &Path) -> Result<Vec<(String, Kind)>, Error> {
    let counter = json!({ "title": NUMBER, "rows": ["a", NUMBER, "<b> & \"c\""] });
    let mut all = vec![(post("/mcp", &call("counter", &counter)), Kind::Result)];
    // Every widget with its sample, with a member too many, and with nothing; every surface in turn.
    let catalog = Catalog::from_dir(dir)?;
    for (index, widget) in catalog.widgets().enumerate() {
        let path = format!("/mcp?surface={}", SURFACES[index % SURFACES.len()].name);
        let sample = widget.sample();
        let mut more = sample.clone();
        more["not_in_the_schema"] = json!(NUMBER);
        all.push((post(&path, &call(widget.tool_name(), &sample)), Kind::Result));
        all.push((post("/mcp", &call(widget.tool_name(), &sample)), Kind::Result));
        all.push((post("/mcp", &call(widget.tool_name(), &json!([]))), Kind::Error(-32602)));
        if widget.tool_name() != "counter" {
            all.push((post(&path, &call(widget.tool_name(), &more)), Kind::Failure));
        }
    }
    for method in ["ping", "tools/list", "resources/list", "resources/templates/list"] {
        all.push((post("/mcp", &message(method, &json!({}))), Kind::Result));
    }
    all.extend(bad(&counter));
    Ok(all)
}

/// What clients do wrong.
fn bad(counter: &Value) -> Vec<(String, Kind)> {
    let good = post("/mcp", &call("counter", counter));
    let uri = json!({ "uri": format!("ui://{NUMBER}") });
    let rows = json!({ "title": 1, "rows": vec![json!({}); 300] });
    let deep = format!("{}{}", "[".repeat(300), "]".repeat(300));
    vec![
        (post("/mcp", &call(NUMBER, &json!({}))), Kind::Error(-32602)),
        (post("/mcp", &message(NUMBER, &json!({}))), Kind::Error(-32601)),
        (post("/mcp", &message("resources/read", &uri)), Kind::Error(-32002)),
        (post("/mcp", &message("prompts/get", &json!({ "name": NUMBER }))), Kind::Error(-32601)),
        (
            post("/mcp", &message("tools/list", &json!({ "cursor": format!("!{NUMBER}") }))),
            Kind::Error(-32602),
        ),
        (post("/mcp", &call("counter", &rows)), Kind::Failure),
        (post("/mcp", &format!(r#"{{"jsonrpc":"2.0","id":"{NUMBER}","#)), Kind::Error(-32700)),
        (
            post("/mcp", &format!(r#"{{"jsonrpc":"1.0","id":"{NUMBER}","method":"ping"}}"#)),
            Kind::Error(-32600),
        ),
        (
            post("/mcp", &call("counter", &json!({ "title": "DEEP" })).replace("\"DEEP\"", &deep)),
            Kind::Error(-32602),
        ),
        (post("/mcp", "[]"), Kind::Error(-32600)),
        (post("/mcp?surface=nothing", &call("counter", counter)), Kind::Status(400)),
        (post(&format!("/{NUMBER}"), "{}"), Kind::Status(404)),
        (good.replacen("localhost", "evil.example", 1), Kind::Status(403)),
        (good.replacen("application/json", "text/plain", 1), Kind::Status(415)),
        (good.replacen("POST /mcp", "PUT /mcp", 1), Kind::Status(405)),
        (
            good.replacen("accept:", "mcp-protocol-version: 1999-01-01\r\naccept:", 1),
            Kind::Status(400),
        ),
        (good.clone(), Kind::None),
        (good[..good.len() / 2].to_owned(), Kind::None),
        (good[..good.len() - 3].to_owned(), Kind::None),
    ]
}

fn post(path: &str, body: &str) -> String {
    let body = body.replacen("\"id\":1", &format!("\"id\":\"{NUMBER}\""), 1);
    String::from_utf8_lossy(&whole(path, &body)).into_owned()
}

fn message(method: &str, params: &Value) -> String {
    json!({ "jsonrpc": "2.0", "id": NUMBER, "method": method, "params": params }).to_string()
}
