//! A fake model endpoint for both APIs: it responds to each request as the test specifies, in pieces of any
//! size, or not at all. Written directly on TCP, because a server library would not violate the protocol.

use std::sync::{Arc, Mutex};

use serde_json::{Value, json};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};
use widgetcast_agent::{Api, Model};

pub const APIS: [Api; 2] = [Api::ChatCompletions, Api::Responses];

/// A part of a response.
#[derive(Clone)]
pub enum Part {
    Text(&'static str),
    /// The call with this number starts: its id and the tool.
    Call(u64, &'static str, &'static str),
    /// Further arguments of the call with this number.
    Arguments(u64, &'static str),
    Usage(u64, u64),
    Finish,
    /// The response ends because of the token limit.
    Length,
    /// A raw event.
    Raw(&'static str),
}

/// What happens to a request.
#[derive(Clone)]
pub enum Reply {
    /// A response, in pieces of this many bytes.
    Stream(usize, Vec<Part>),
    /// The parts, after which the connection is lost.
    Drop(Vec<Part>),
    /// The parts, followed by silence.
    Stall(Vec<Part>),
    /// The connection is closed without a response.
    Close,
    /// An error response: the status, additional headers, the body.
    Status(u16, &'static str, &'static str),
    /// A response that is not a stream.
    Page,
}

/// A complete response with one text.
pub fn says(text: &'static str) -> Reply {
    Reply::Stream(64, vec![Part::Text(text), Part::Usage(10, 5), Part::Finish])
}

/// A response that calls one tool.
pub fn calls(id: &'static str, tool: &'static str, arguments: &'static str) -> Reply {
    let parts = vec![Part::Call(0, id, tool), Part::Arguments(0, arguments), Part::Finish];
    Reply::Stream(64, parts)
}

/// The received requests.
#[derive(Clone, Default)]
pub struct Requests(Arc<Mutex<Vec<(String, Value)>>>);

impl Requests {
    pub fn all(&self) -> Vec<Value> {
        self.0.lock().unwrap().iter().map(|(_, body)| body.clone()).collect()
    }

    pub fn heads(&self) -> Vec<String> {
        self.0.lock().unwrap().iter().map(|(head, _)| head.clone()).collect()
    }
}

pub const KEY: &str = "sk-never-shown";

/// A model whose endpoint sends these replies; the last one is repeated.
pub async fn model(api: Api, replies: Vec<Reply>) -> (Model, Requests) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let at = listener.local_addr().unwrap();
    let requests = Requests::default();
    let seen = requests.clone();
    tokio::spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            let (replies, seen) = (replies.clone(), seen.clone());
            // One request per connection: each response closes it.
            tokio::spawn(async move { _ = answer(stream, api, &replies, &seen).await });
        }
    });
    let url = format!("http://{at}/v1");
    (Model::named("stand-in").base_url(url).key(KEY).api(api).build().unwrap(), requests)
}

async fn answer(
    mut stream: TcpStream,
    api: Api,
    replies: &[Reply],
    seen: &Requests,
) -> std::io::Result<()> {
    let (head, body) = read_request(&mut stream).await?;
    let number = {
        let mut seen = seen.0.lock().unwrap();
        seen.push((head, serde_json::from_slice(&body).unwrap()));
        seen.len() - 1
    };
    match &replies[number.min(replies.len() - 1)] {
        Reply::Close => Ok(()),
        Reply::Status(status, headers, body) => {
            let length = body.len();
            let head = format!(
                "HTTP/1.1 {status} X\r\n{headers}content-type: application/json\r\n\
                 connection: close\r\ncontent-length: {length}\r\n\r\n{body}"
            );
            stream.write_all(head.as_bytes()).await
        }
        Reply::Page => {
            let page = "HTTP/1.1 200 OK\r\ncontent-type: text/html\r\nconnection: close\r\n\
                        content-length: 4\r\n\r\nhtml";
            stream.write_all(page.as_bytes()).await
        }
        Reply::Stream(size, parts) => {
            let mut text = events(api, parts);
            text.push_str("data: [DONE]\n\n");
            send(&mut stream, &text, *size).await?;
            stream.write_all(b"0\r\n\r\n").await
        }
        Reply::Drop(parts) => send(&mut stream, &events(api, parts), 64).await,
        Reply::Stall(parts) => {
            send(&mut stream, &events(api, parts), 64).await?;
            // Until the client disconnects.
            stream.read(&mut [0; 1]).await.map(drop)
        }
    }
}

async fn read_request(stream: &mut TcpStream) -> std::io::Result<(String, Vec<u8>)> {
    let mut bytes = Vec::new();
    let end = loop {
        if let Some(at) = bytes.windows(4).position(|four| four == b"\r\n\r\n") {
            break at + 4;
        }
        bytes.push(stream.read_u8().await?);
    };
    let head = String::from_utf8_lossy(&bytes[..end]).to_lowercase();
    let length = head.lines().find_map(|line| line.strip_prefix("content-length: ")).unwrap();
    let mut body = vec![0; length.parse().unwrap()];
    stream.read_exact(&mut body).await?;
    Ok((head, body))
}

/// Sends a stream in pieces, each in its own write.
async fn send(stream: &mut TcpStream, text: &str, size: usize) -> std::io::Result<()> {
    stream.set_nodelay(true)?;
    let head = "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nconnection: close\r\n\
                transfer-encoding: chunked\r\n\r\n";
    stream.write_all(head.as_bytes()).await?;
    for piece in text.as_bytes().chunks(size) {
        let mut chunk = format!("{:x}\r\n", piece.len()).into_bytes();
        chunk.extend_from_slice(piece);
        chunk.extend_from_slice(b"\r\n");
        stream.write_all(&chunk).await?;
        stream.flush().await?;
        tokio::task::yield_now().await;
    }
    Ok(())
}

fn events(api: Api, parts: &[Part]) -> String {
    let event = |value: Value| format!("data: {value}\n\n");
    match api {
        Api::ChatCompletions => parts.iter().map(|part| chat_event(part, event)).collect(),
        _ => {
            let usage = parts.iter().find_map(|part| match part {
                Part::Usage(input, output) => {
                    Some(json!({ "input_tokens": input, "output_tokens": output }))
                }
                _ => None,
            });
            let created = event(json!({ "type": "response.created", "response": {} }));
            let rest = parts.iter().map(|part| responses_event(part, usage.as_ref(), event));
            created + &rest.collect::<String>()
        }
    }
}

fn chat_event(part: &Part, event: impl Fn(Value) -> String) -> String {
    let delta = |delta: Value| json!({ "choices": [{ "index": 0, "delta": delta }] });
    let call = |call: Value| delta(json!({ "tool_calls": [call] }));
    let finish = |why: &str| json!({ "choices": [{ "delta": {}, "finish_reason": why }] });
    event(match part {
        Part::Text(text) => delta(json!({ "content": text })),
        Part::Call(index, id, name) => call(json!({ "index": index, "id": id, "type": "function",
            "function": { "name": name, "arguments": "" } })),
        Part::Arguments(index, text) => {
            call(json!({ "index": index, "function": { "arguments": text } }))
        }
        Part::Usage(input, output) => json!({ "choices": [],
            "usage": { "prompt_tokens": input, "completion_tokens": output } }),
        Part::Finish => finish("stop"),
        Part::Length => finish("length"),
        Part::Raw(text) => return format!("data: {text}\n\n"),
    })
}

fn responses_event(part: &Part, usage: Option<&Value>, event: impl Fn(Value) -> String) -> String {
    event(match part {
        Part::Text(text) => {
            json!({ "type": "response.output_text.delta", "output_index": 9, "delta": text })
        }
        Part::Call(index, id, name) => json!({ "type": "response.output_item.added",
            "output_index": index, "item": { "type": "function_call", "id": format!("fc_{id}"),
            "call_id": id, "name": name, "arguments": "" } }),
        Part::Arguments(index, text) => json!({ "type": "response.function_call_arguments.delta",
            "output_index": index, "delta": text }),
        Part::Usage(..) => return String::new(),
        Part::Finish => json!({ "type": "response.completed", "response": { "usage": usage } }),
        Part::Length => json!({ "type": "response.incomplete", "response": { "usage": usage,
            "incomplete_details": { "reason": "max_output_tokens" } } }),
        Part::Raw(text) => return format!("data: {text}\n\n"),
    })
}
