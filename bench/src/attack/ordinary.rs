//! The second client, which calls ordinary tools while the server is attacked: its answers must be right
//! and come soon.

use std::io::Write as _;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::chat::Ordinary;
use super::wrapped;
use crate::target::{Target, call, read_one, whole};

/// After as many calls it chats, and asks for `/healthz`.
const CALLS_PER_TURN: usize = 40;
/// The pause between two calls.
const PAUSE: Duration = Duration::from_millis(4);

/// What the client does.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Second {
    /// It calls tools and chats.
    Chats,
    /// The same while the store is broken: chats may be refused.
    MayBeRefused,
    /// It calls a tool of a server that is wrapped.
    IsWrapped,
}

/// What the client has seen.
#[derive(Default)]
pub(super) struct Seen {
    pub calls: usize,
    pub wrong: usize,
    pub refused: usize,
    times: Vec<Duration>,
    pub first_fault: Option<String>,
}

impl Seen {
    pub(super) fn p99(&self) -> Duration {
        let mut times = self.times.clone();
        times.sort();
        times.get(times.len() * 99 / 100).or(times.last()).copied().unwrap_or_default()
    }
}

/// Calls until it is told to stop. A refusal with 503 counts as such, also one to chat where that may be;
/// another answer than the expected one, or none, is wrong.
pub(super) fn run(target: &Target, stop: &AtomicBool, second: Second) -> Seen {
    let may_refuse = second == Second::MayBeRefused;
    let mut wrapped = None;
    if second == Second::IsWrapped {
        wrapped = wrapped::Ordinary::new(target).ok();
    }
    let mut seen = Seen::default();
    let mut connection = None;
    let mut number = 0;
    let mut chat = None;
    while !stop.load(Ordering::Relaxed) {
        number += 1;
        let began = Instant::now();
        let answer = match (number % CALLS_PER_TURN, &mut wrapped) {
            (1, _) => health(target),
            (_, Some(wrapped)) => wrapped.call(),
            (0, None) => turn(target, &mut chat, number),
            (_, None) => ask(target, &mut connection, number),
        };
        seen.times.push(began.elapsed());
        seen.calls += 1;
        let is_refusal = |text: &str| {
            ["Too many requests", "Too many streams", "busy"]
                .iter()
                .any(|words| text.contains(words))
        };
        // Judged already: nothing is said about what is right.
        let is_judged = number % CALLS_PER_TURN <= 1 || wrapped.is_some();
        let fault = match &answer {
            Ok(text) if is_judged && text.is_empty() => None,
            Ok(text) if is_right(text, number) => None,
            Ok(text) if is_refusal(text) => {
                seen.refused += 1;
                None
            }
            Err(error) if is_refusal(&error.to_string()) => {
                seen.refused += 1;
                None
            }
            Ok(_) | Err(_) if may_refuse && number % CALLS_PER_TURN == 0 => {
                seen.refused += 1;
                chat = None;
                None
            }
            Ok(text) => Some(text.chars().take(200).collect()),
            Err(error) => Some(error.to_string()),
        };
        if fault.is_some() {
            seen.wrong += 1;
            connection = None;
            seen.first_fault = seen.first_fault.or(fault);
        }
        std::thread::sleep(PAUSE);
    }
    seen
}

type Connection = Option<(std::net::TcpStream, Vec<u8>)>;

fn ask(target: &Target, connection: &mut Connection, number: usize) -> std::io::Result<String> {
    if connection.is_none() {
        *connection = Some((target.connect()?, Vec::new()));
    }
    let Some((stream, buffer)) = connection else { return Ok(String::new()) };
    stream.write_all(&whole("/mcp", &call("ordinary", &arguments(number))))?;
    Ok(read_one(stream, buffer)?.body)
}

/// A turn of a chat. Nothing, if the answer shows what it should.
fn turn<'t>(
    target: &'t Target,
    chat: &mut Option<Ordinary<'t>>,
    number: usize,
) -> std::io::Result<String> {
    let chat = match chat {
        Some(chat) => chat,
        None => chat.insert(Ordinary::new(target).map_err(std::io::Error::other)?),
    };
    let text = chat.turn(&title(number))?;
    Ok(if text.contains(&title(number)) && text.contains("\"Card\"") {
        String::new()
    } else {
        text
    })
}

/// Nothing, if the server says that it is well.
fn health(target: &Target) -> std::io::Result<String> {
    let (status, body) = target.get("/healthz")?;
    Ok(if status == 200 { String::new() } else { format!("/healthz {status}: {body}") })
}

/// One of twenty calls: the store keeps every view once, and must not grow by this client.
fn arguments(number: usize) -> Value {
    json!({ "title": title(number), "rows": [{ "name": "a" }, { "name": "b" }] })
}

fn title(number: usize) -> String {
    format!("Call {:02}", number % 20)
}

fn is_right(text: &str, number: usize) -> bool {
    let Ok(answer) = serde_json::from_str::<Value>(text) else { return false };
    let words = answer["result"]["content"][0]["text"].as_str().unwrap_or_default();
    words.contains(&title(number)) && words.contains('a') && words.contains('b')
}
