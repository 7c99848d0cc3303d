//! Assembles a response of the model from the parts of its stream.

use std::collections::HashSet;

use crate::transcript::ToolCall;

/// One part of a response, as streamed by either API.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Delta {
    Text(String),
    /// A call starts or continues.
    Call(CallPart),
    Usage {
        input: u64,
        output: u64,
    },
    /// The model has finished.
    Finished,
    /// The response ended early: a token limit, or a filter.
    Ended(&'static str),
    /// The endpoint failed midway.
    Failed(String),
}

#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct CallPart {
    /// The index of the call, if the endpoint sends it.
    pub index: Option<u64>,
    pub id: String,
    pub name: String,
    pub arguments: String,
    /// Whether these arguments are complete, and replace earlier parts.
    pub whole: bool,
}

#[derive(Clone, Debug, Default)]
pub(crate) struct Turn {
    pub text: String,
    calls: Vec<CallPart>,
    pub usage: Option<(u64, u64)>,
    pub finished: bool,
    pub ended: Option<&'static str>,
}

impl Turn {
    /// Adds a part of a call. Most endpoints number the calls, some send the same number with different ids,
    /// some send neither.
    pub(crate) fn add_call(&mut self, part: CallPart) {
        let same = |call: &&mut CallPart| {
            let other_id = !part.id.is_empty() && !call.id.is_empty() && part.id != call.id;
            !other_id && (part.index.is_none() || call.index.is_none() || part.index == call.index)
        };
        match self.calls.iter_mut().rev().find(same) {
            Some(call) => {
                if call.id.is_empty() {
                    call.id = part.id;
                }
                // Names are not split; some endpoints repeat them in each part.
                if call.name.is_empty() {
                    call.name = part.name;
                }
                match part.whole {
                    true => call.arguments = part.arguments,
                    false => call.arguments.push_str(&part.arguments),
                }
            }
            None => self.calls.push(part),
        }
    }

    /// The calls, each with an id that is unique in the conversation: some endpoints send no ids, or restart
    /// them with each response.
    pub(crate) fn calls(&self, before: &HashSet<&str>) -> Vec<ToolCall> {
        let mut calls: Vec<ToolCall> = Vec::with_capacity(self.calls.len());
        for part in &self.calls {
            let taken = part.id.is_empty()
                || before.contains(&*part.id)
                || calls.iter().any(|call| call.id == part.id);
            let id = match taken {
                true => format!("call_{:016x}", rand::random::<u64>()),
                false => part.id.clone(),
            };
            calls.push(ToolCall { id, name: part.name.clone(), arguments: part.arguments.clone() });
        }
        calls
    }

    /// Its size in bytes.
    pub(crate) fn size(&self) -> usize {
        let calls = self.calls.iter().map(|call| call.name.len() + call.arguments.len());
        self.text.len() + calls.sum::<usize>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn part(index: Option<u64>, id: &str, name: &str, arguments: &str) -> CallPart {
        let (id, name, arguments) = (id.into(), name.into(), arguments.into());
        CallPart { index, id, name, arguments, whole: false }
    }

    fn put_together(parts: &[CallPart]) -> Vec<String> {
        let mut turn = Turn::default();
        parts.iter().cloned().for_each(|part| turn.add_call(part));
        let calls = turn.calls(&HashSet::new());
        calls.iter().map(|call| format!("{}({})", call.name, call.arguments)).collect()
    }

    #[test]
    fn calls_are_told_apart_however_they_are_numbered() {
        let numbered = [
            part(Some(0), "a", "one", ""),
            part(Some(1), "b", "two", "{"),
            part(Some(0), "", "", "{\"x\""),
            part(Some(1), "", "", "}"),
            part(Some(0), "", "", ":1}"),
        ];
        assert_eq!(put_together(&numbered), ["one({\"x\":1})", "two({})"]);
        let same_number = [part(Some(0), "a", "one", "{}"), part(Some(0), "b", "two", "{}")];
        assert_eq!(put_together(&same_number), ["one({})", "two({})"]);
        let only_ids = [
            part(None, "a", "one", "{"),
            part(None, "a", "one", "}"),
            part(None, "b", "two", "{}"),
        ];
        assert_eq!(put_together(&only_ids), ["one({})", "two({})"]);
    }

    #[test]
    fn ids_are_unique() {
        let mut turn = Turn::default();
        turn.add_call(part(Some(0), "", "one", "{}"));
        turn.add_call(part(Some(1), "", "two", "{}"));
        turn.add_call(part(Some(2), "c", "three", "{}"));
        let calls = turn.calls(&HashSet::new());
        assert!(calls[0].id != calls[1].id && calls[0].id.starts_with("call_"));
        assert_eq!(calls[2].id, "c");
        assert_ne!(turn.calls(&HashSet::from(["c"]))[2].id, "c");
    }
}
