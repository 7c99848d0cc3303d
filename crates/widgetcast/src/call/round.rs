//! The input requests of one run of a handler, and the client's responses.

use std::collections::HashMap;

use serde_json::{Map, Value, json};
use sha2::{Digest as _, Sha256};
use tokio::sync::oneshot;

/// Maximum pending input requests of a call.
pub(super) const MAX_ASKED: usize = 16;

/// Responses of a client, by the keys of their requests.
pub(crate) type Answers = Map<String, Value>;

/// The input requests of one run of a handler, and the responses by key.
#[derive(Debug, Default)]
pub(super) struct Round {
    answers: Answers,
    /// Responses that the handler has used, which the next run needs again.
    pub(super) used: Answers,
    /// Input requests without a response.
    pub(super) asked: Map<String, Value>,
    /// Those that a task is waiting for.
    pub(super) parked: HashMap<String, oneshot::Sender<Value>>,
    /// How often each key was used.
    counts: HashMap<String, usize>,
}

/// The state of an input request in a round.
pub(super) enum Known {
    Answer(Value),
    /// Unknown: it is sent under this key.
    Asked(String),
}

/// Why there is no response.
#[derive(Debug)]
pub(crate) enum Unanswered {
    /// The connection does not support requests, or is closed.
    Closed,
    TooMany,
    TooLate,
    /// The client's error.
    Refused(String),
}

/// An input request.
#[derive(Debug)]
pub(crate) struct Question {
    /// The key set by the author.
    pub key: Option<String>,
    pub method: &'static str,
    pub params: Value,
}

impl Round {
    pub(super) fn new(answers: Answers) -> Self {
        Self { answers, ..Self::default() }
    }

    /// The response to an input request; without one, the request is recorded.
    pub(super) fn look_up(&mut self, question: Question) -> Result<Known, Unanswered> {
        let Question { key, method, params } = question;
        let request = json!({ "method": method, "params": params });
        let mut key = key.unwrap_or_else(|| key_of(&request));
        let count = self.counts.entry(key.clone()).or_default();
        *count += 1;
        if *count > 1 {
            key = format!("{key}-{count}");
        }
        if let Some(answer) = self.answers.get(&key) {
            self.used.insert(key, answer.clone());
            return Ok(Known::Answer(answer.clone()));
        }
        if self.asked.len() >= MAX_ASKED {
            return Err(Unanswered::TooMany);
        }
        self.asked.insert(key.clone(), request);
        Ok(Known::Asked(key))
    }
}

/// The key of an unnamed input request: a hash of it. A handler runs again from its start, and a response
/// must not be used for another request, whatever their order.
fn key_of(request: &Value) -> String {
    let hash = Sha256::digest(request.to_string());
    hash[..8].iter().fold("q-".to_owned(), |key, byte| key + &format!("{byte:02x}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    impl Round {
        fn ask(&mut self, key: Option<&str>, text: &str) -> Option<Value> {
            match self.look_up(question(key, text)).unwrap() {
                Known::Answer(answer) => Some(answer),
                Known::Asked(_) => None,
            }
        }
    }

    fn question(key: Option<&str>, text: &str) -> Question {
        Question { key: key.map(Into::into), method: "m", params: json!({ "message": text }) }
    }

    #[test]
    fn answers_belong_to_their_question() {
        let mut first = Round::default();
        for text in ["a", "b", "a"] {
            assert_eq!(first.ask(None, text), None);
        }
        let keys: Vec<String> = first.asked.keys().cloned().collect();
        assert_eq!(keys.len(), 3);
        let answers = keys.iter().enumerate().map(|(at, key)| (key.clone(), json!(at))).collect();
        let mut second = Round { answers, ..Round::default() };
        // In another order, and with a new one.
        let mut ask = |key, text| second.ask(key, text);
        assert_eq!(ask(None, "b"), Some(json!(1)));
        assert_eq!(ask(None, "a"), Some(json!(0)));
        assert_eq!(ask(None, "a"), Some(json!(2)));
        assert_eq!(ask(None, "a"), None);
        assert_eq!(ask(None, "c"), None);
        assert_eq!(second.used.len(), 3);
        assert_eq!(second.asked.len(), 2);
    }

    #[test]
    fn a_named_question_is_known_by_its_name() {
        let answers = Map::from_iter([("who".to_owned(), json!(1)), ("extra".into(), json!(2))]);
        let mut round = Round { answers, ..Round::default() };
        assert_eq!(round.ask(Some("who"), "x"), Some(json!(1)));
        assert_eq!(round.ask(Some("who"), "x"), None);
        assert_eq!(round.asked.keys().collect::<Vec<_>>(), ["who-2"]);
        assert_eq!(round.used.keys().collect::<Vec<_>>(), ["who"], "what nobody asked is dropped");
    }

    #[test]
    fn one_round_has_so_many_questions() {
        let mut round = Round::default();
        let asked = (0..).take_while(|at| round.look_up(question(None, &at.to_string())).is_ok());
        assert_eq!(asked.count(), MAX_ASKED);
    }
}
