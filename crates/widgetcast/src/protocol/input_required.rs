//! The `input_required` results of 2026-07-28, and the requests that provide the input.
//!
//! The server stores nothing between the two. The responses of earlier rounds are in the signed
//! `requestState`: any process with the same key can read it, and it is valid only for the same call, and for
//! a limited time.

use std::hash::Hasher as _;
use std::time::{Duration, SystemTime};

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use siphasher::sip128::{Hasher128 as _, SipHasher24};
use widgetcast_core::JsonRef;

use super::envelope::Envelope;
use super::error::RpcError;
use super::params::Rare;
use super::request::ClientContext;
use crate::call::line::Asked;
use crate::call::round::Answers;
use crate::sdk::caller::owned;
use crate::sdk::tool_error::ToolError;
use crate::server::Server;
use crate::signed::Signer;

/// How long a client may take for one round.
const LIFE: Duration = Duration::from_secs(3600);
/// Maximum rounds of a call.
const MAX_ROUNDS: u8 = 32;
/// Maximum bytes of a state before encoding.
const MAX_STATE: usize = 64 << 10;
/// The capabilities that input requests require.
const CAPABILITIES: [&str; 3] = ["elicitation", "sampling", "roots"];

/// The signer of states.
pub(crate) fn signer(key: &[u8; 16]) -> Signer {
    Signer::new(key, "request state 1")
}

/// The content of a state.
#[derive(Debug, Serialize, Deserialize)]
struct State {
    /// The call that it is valid for.
    call: u128,
    /// Its expiry, in seconds since the epoch.
    until: u64,
    round: u8,
    answers: Answers,
}

/// A call that may request input, and the client's responses so far.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rounds {
    call: u128,
    round: u8,
}

/// The round of a request, with the responses that came with it. `None` if the request uses another revision
/// or its client supports no input requests.
pub(super) fn read(
    server: &Server,
    client: &ClientContext<'_>,
    method: &str,
    name: &str,
    arguments: &str,
    params: Option<&Rare>,
) -> Result<(Option<Rounds>, Option<Answers>), RpcError> {
    let can_be_asked =
        |given: &JsonRef<'_>| CAPABILITIES.iter().any(|key| given.get(key).is_some());
    if !client.modern || !client.capabilities.is_some_and(can_be_asked) {
        return Ok((None, None));
    }
    // Responses of one caller must not be used by another.
    let caller = owned(client.transport.caller(), "");
    let call = digest(&server.key, [&caller, method, name, arguments]);
    let mut rounds = Rounds { call, round: 0 };
    let Some(Rare { input_responses, request_state, .. }) = params else {
        return Ok((Some(rounds), None));
    };
    let mut answers = match input_responses {
        Some(Value::Object(answers)) => answers.clone(),
        Some(_) => return Err(RpcError::params("inputResponses must be an object")),
        None => Map::new(),
    };
    if let Some((key, _)) = answers.iter().find(|(_, answer)| !answer.is_object()) {
        return Err(RpcError::params(format!("inputResponses.{key} must be an object")));
    }
    if let Some(text) = request_state {
        let state = State::open(&server.request_states, text, rounds.call, now())?;
        rounds.round = state.round;
        // Earlier responses stay unchanged.
        answers.extend(state.answers);
    }
    Ok((Some(rounds), Some(answers)))
}

/// A keyed hash of the call that a state is valid for.
fn digest<const N: usize>(key: &[u8; 16], parts: [&str; N]) -> u128 {
    let mut hasher = SipHasher24::new_with_key(key);
    for part in parts {
        hasher.write_usize(part.len());
        hasher.write(part.as_bytes());
    }
    hasher.finish128().as_u128()
}

fn now() -> u64 {
    SystemTime::UNIX_EPOCH.elapsed().map_or(0, |since| since.as_secs())
}

impl State {
    fn open(signer: &Signer, text: &str, call: u128, now: u64) -> Result<Self, RpcError> {
        let mut room = vec![0; text.len().min(2 * MAX_STATE)];
        let state: Option<Self> =
            signer.open(text, &mut room).and_then(|bytes| serde_json::from_slice(bytes).ok());
        match state {
            None => Err(RpcError::params("requestState was not issued by this server")),
            Some(state) if state.call != call => {
                Err(RpcError::params("requestState belongs to another call"))
            }
            Some(state) if state.until < now => {
                Err(RpcError::params("requestState has expired; call again without it"))
            }
            Some(state) => Ok(state),
        }
    }

    fn sign(&self, signer: &Signer) -> Result<String, ToolError> {
        let bytes = serde_json::to_vec(self)?;
        match bytes.len() <= MAX_STATE {
            true => Ok(signer.sign(&bytes)),
            false => Err(ToolError::public("the user's responses are too large for requestState")),
        }
    }
}

impl Rounds {
    /// The `input_required` response.
    pub(super) fn respond(
        self,
        server: &Server,
        id: &str,
        asked: Asked,
    ) -> Result<String, ToolError> {
        let Asked { questions, answers } = asked;
        let round = self.round + 1;
        if round > MAX_ROUNDS {
            return Err(ToolError::public("the tool asked for input too many times"));
        }
        let state = State { call: self.call, until: now() + LIFE.as_secs(), round, answers };
        let state = state.sign(&server.request_states)?;
        let mut out = Envelope::of_type(server, id, "input_required");
        out.push_members(&json!({ "inputRequests": questions, "requestState": state }));
        Ok(out.close())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn state(call: u128, until: u64) -> State {
        let answers = Map::from_iter([("who".to_owned(), json!({ "action": "decline" }))]);
        State { call, until, round: 1, answers }
    }

    #[test]
    fn a_state_is_good_for_its_call_and_its_time() {
        let signer = signer(&[1; 16]);
        let text = state(7, 1000).sign(&signer).unwrap();
        assert_eq!(State::open(&signer, &text, 7, 1000).unwrap().answers.len(), 1);
        fn fault(signer: &Signer, text: &str, call: u128, now: u64) -> String {
            State::open(signer, text, call, now).unwrap_err().message
        }
        assert!(fault(&signer, &text, 7, 1001).contains("expired"));
        assert!(fault(&signer, &text, 8, 1000).contains("another call"));
        let other = self::signer(&[2; 16]);
        for text in [text[1..].to_owned(), format!("{text}A"), String::new(), "A".repeat(1 << 20)] {
            assert!(fault(&signer, &text, 7, 1000).contains("not issued by this server"), "{text}");
        }
        assert!(fault(&other, &text, 7, 1000).contains("not issued by this server"));
        let session = crate::protocol::session::signer(&[1; 16]);
        assert!(fault(&session, &text, 7, 1000).contains("not issued by this server"));
    }

    #[test]
    fn a_state_has_a_largest_size() {
        let mut state = state(7, 1000);
        state.answers.insert("long".into(), "x".repeat(MAX_STATE).into());
        assert!(state.sign(&signer(&[1; 16])).is_err());
    }

    #[test]
    fn calls_differ_in_every_part() {
        let of = |parts| digest(&[1; 16], parts);
        let all = [["a", "b", "c"], ["ab", "", "c"], ["a", "bc", ""], ["", "ab", "c"]].map(of);
        let distinct: std::collections::HashSet<u128> = all.into_iter().collect();
        assert_eq!(distinct.len(), all.len());
        assert_ne!(digest(&[2; 16], ["a", "b", "c"]), all[0]);
    }
}
