//! What others see of `widgetcast serve`: spans at a collector, and the audit log.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::process::Command;
use std::sync::mpsc;

use opentelemetry_proto::tonic::collector::trace::v1::ExportTraceServiceRequest;
use opentelemetry_proto::tonic::common::v1::{KeyValue, any_value::Value as Any};
use opentelemetry_proto::tonic::trace::v1::Span;
use prost::Message as _;
use serde_json::{Value, json};

use super::Shell;
use super::serve::start_with;

const VALUE: &str = "value-4711";
const TRACE: &str = "4bf92f3577b34da6a3ce929d0e0e4736";

/// A collector that hands on what it is sent, before it answers: whoever waits for the answer has sent all.
fn collector() -> (SocketAddr, mpsc::Receiver<(String, ExportTraceServiceRequest)>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let (sender, spans) = mpsc::channel();
    let address = listener.local_addr().unwrap();
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            let mut reader = BufReader::new(stream.unwrap());
            loop {
                let mut head = String::new();
                while !head.ends_with("\r\n\r\n") {
                    if reader.read_line(&mut head).unwrap_or(0) == 0 {
                        break;
                    }
                }
                let lower = head.to_lowercase();
                let Some((_, rest)) = lower.split_once("content-length: ") else { break };
                let mut body = vec![0; rest.lines().next().unwrap().trim().parse().unwrap()];
                reader.read_exact(&mut body).unwrap();
                let sent = ExportTraceServiceRequest::decode(&*body).unwrap();
                _ = sender.send((head.lines().next().unwrap().to_owned(), sent));
                let ok = b"HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n";
                reader.get_mut().write_all(ok).unwrap();
            }
        }
    });
    (address, spans)
}

/// Calls a tool, and gives the status of the response.
fn call(server: SocketAddr, headers: &str, params: &Value) -> String {
    let mut params = params.clone();
    let meta = &mut params["_meta"];
    meta["io.modelcontextprotocol/protocolVersion"] = json!("2026-07-28");
    meta["io.modelcontextprotocol/clientCapabilities"] = json!({});
    let body =
        json!({ "jsonrpc": "2.0", "id": "call-1", "method": "tools/call", "params": params });
    let (body, name) = (body.to_string(), params["name"].as_str().unwrap());
    let mut stream = TcpStream::connect(server).unwrap();
    write!(
        stream,
        "POST /mcp HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\ncontent-type: application/json\r\n\
         mcp-protocol-version: 2026-07-28\r\nmcp-method: tools/call\r\nmcp-name: {name}\r\n\
         authorization: Bearer secret-4711\r\n{headers}content-length: {}\r\n\r\n{body}",
        body.len()
    )
    .unwrap();
    let mut text = String::new();
    stream.read_to_string(&mut text).unwrap();
    text.lines().next().unwrap().to_owned()
}

fn stop(mut child: std::process::Child) {
    let pid = child.id().to_string();
    assert!(Command::new("kill").args(["-TERM", &pid]).status().unwrap().success());
    assert_eq!(child.wait().unwrap().code(), Some(0));
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn text<'a>(attributes: &'a [KeyValue], key: &str) -> Option<&'a str> {
    let value = attributes.iter().find(|one| one.key == key)?.value.as_ref()?.value.as_ref()?;
    match value {
        Any::StringValue(text) => Some(text),
        _ => None,
    }
}

#[cfg(unix)]
#[test]
fn spans_reach_a_collector() {
    let (at, sent) = collector();
    let (server, address) = start_with(&["--otlp", &format!("http://{at}"), "--name", "shop"]);
    let sample = json!({ "name": "flight_tracker", "arguments": { VALUE: VALUE } });
    // By the header, and then by the message, which is stronger.
    let header = format!("traceparent: 00-{TRACE}-00000000000000a1-01\r\n");
    assert_eq!(call(address, &header, &sample), "HTTP/1.1 200 OK");
    let meta = json!({ "traceparent": format!("00-{TRACE}-00000000000000b2-01") });
    let drawn = json!({ "name": "weather_current", "arguments": {}, "_meta": meta });
    assert_eq!(call(address, &header, &drawn), "HTTP/1.1 200 OK");
    assert!(call(address, "", &json!({ "name": VALUE })).starts_with("HTTP/1.1"));
    // What is left is sent before the process ends.
    stop(server);

    let mut spans: Vec<Span> = Vec::new();
    for (line, request) in sent.try_iter() {
        assert_eq!(line, "POST /v1/traces HTTP/1.1");
        for all in request.resource_spans {
            let resource = all.resource.unwrap();
            assert_eq!(text(&resource.attributes, "service.name"), Some("shop"));
            spans.extend(all.scope_spans.into_iter().flat_map(|scope| scope.spans));
        }
    }
    let printed = format!("{spans:#?}");
    for secret in [VALUE, "secret-4711"] {
        assert!(!printed.contains(secret), "{printed}");
    }
    let named = |name: &str, nth: usize| {
        let found = spans.iter().filter(|span| span.name == name).nth(nth);
        found.unwrap_or_else(|| panic!("no {name} in {printed}"))
    };
    let http = named("POST /mcp", 0);
    assert_eq!(
        (hex(&http.trace_id), hex(&http.parent_span_id)),
        (TRACE.into(), "00000000000000a1".into())
    );
    assert_eq!(text(&http.attributes, "http.route"), Some("/mcp"));
    let status = http.attributes.iter().find(|one| one.key == "http.response.status_code").unwrap();
    assert_eq!(status.value.as_ref().unwrap().value, Some(Any::IntValue(200)));

    let failed = named("tools/call flight_tracker", 0);
    assert_eq!((&failed.trace_id, &failed.parent_span_id), (&http.trace_id, &http.span_id));
    for (key, value) in [
        ("mcp.method.name", "tools/call"),
        ("mcp.protocol.version", "2026-07-28"),
        ("jsonrpc.request.id", "call-1"),
        ("gen_ai.tool.name", "flight_tracker"),
        ("gen_ai.operation.name", "execute_tool"),
        ("network.transport", "tcp"),
        ("error.type", "tool_error"),
    ] {
        assert_eq!(text(&failed.attributes, key), Some(value), "{key}");
    }
    // A server's span, with the status of an error.
    assert_eq!((failed.kind, failed.status.as_ref().unwrap().code), (2, 2));

    let by_meta = named("tools/call weather_current", 0);
    assert_eq!(hex(&by_meta.parent_span_id), "00000000000000b2");
    assert_eq!(by_meta.links[0].span_id, named("POST /mcp", 1).span_id);
    let render =
        spans.iter().find(|span| span.name == "render" && span.parent_span_id == by_meta.span_id);
    assert!(render.is_some(), "{printed}");
    // A name that no tool has is the caller's text.
    assert!(text(&named("tools/call", 0).attributes, "gen_ai.tool.name").is_none());
}

#[cfg(unix)]
#[test]
fn store_operations_are_part_of_a_call() {
    let shell = Shell::new("traced-store");
    let (at, sent) = collector();
    let store = format!("sqlite:{}", shell.file("views.db").display());
    let (server, address) = start_with(&["--otlp", &format!("http://{at}/"), "--store", &store]);
    let quiz: Value = serde_json::from_str(include_str!("../../widgets/quiz.widget")).unwrap();
    let params = json!({ "name": "quiz", "arguments": quiz["sample"] });
    assert_eq!(call(address, "", &params), "HTTP/1.1 200 OK");
    stop(server);
    let mut spans: Vec<Span> = Vec::new();
    for (_, request) in sent.try_iter() {
        let scopes = request.resource_spans.into_iter().flat_map(|all| all.scope_spans);
        spans.extend(scopes.flat_map(|scope| scope.spans));
    }
    let call = spans.iter().find(|span| span.name == "tools/call quiz").unwrap();
    let put = spans.iter().find(|span| span.name == "store put").unwrap();
    assert_eq!(put.parent_span_id, call.span_id);
    assert_eq!(text(&put.attributes, "db.operation.name"), Some("put"));
}

#[cfg(unix)]
#[test]
fn calls_are_audited_in_a_file() {
    use std::os::unix::fs::PermissionsExt as _;

    let shell = Shell::new("audit");
    let file = shell.file("audit.jsonl");
    let (server, address) = start_with(&["--audit-file", file.to_str().unwrap()]);
    call(
        address,
        "x-request-id: r-1\r\n",
        &json!({ "name": "flight_tracker", "arguments": { VALUE: 1 } }),
    );
    stop(server);
    let written = std::fs::read_to_string(&file).unwrap();
    let lines: Vec<Value> =
        written.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(lines.len(), 1, "{written}");
    assert_eq!(lines[0]["tool"], "flight_tracker");
    assert_eq!((&lines[0]["outcome"], &lines[0]["request"]), (&json!("error"), &json!("r-1")));
    assert!(!written.contains("4711"), "{written}");
    assert_eq!(file.metadata().unwrap().permissions().mode() & 0o777, 0o600);
}
