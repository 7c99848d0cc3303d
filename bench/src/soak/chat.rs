//! The chat in the soak: each client has a user with one thread, who says things and reads them back.

use serde_json::{Value, json};

use super::client::Fault;
use crate::person::{Person, input};
use crate::target::Target;

/// A user, their thread, and the number of the last call whose widget is in it.
pub(super) struct Talk<'t> {
    person: Person<'t>,
    thread: String,
    last: String,
}

impl<'t> Talk<'t> {
    pub(super) fn begin(target: &'t Target) -> Result<Self, Fault> {
        let lost = |error: String| Fault::Lost(error);
        let person = Person::new(target).map_err(lost)?;
        let last = "begun".to_owned();
        let thread = person.thread(&said(&last)).map_err(lost)?;
        Ok(Self { person, thread, last })
    }

    /// Says something, or reads the thread, the last item or the commands.
    pub(super) fn ask(&mut self, number: usize) -> Result<(), Fault> {
        let thread = &self.thread;
        let (answer, wanted) = match number % 4 {
            0 => {
                self.last = format!("N{number:07}");
                let input = input(&said(&self.last));
                let params = json!({ "thread_id": thread, "input": input });
                let answer = self.person.ask("threads.add_user_message", &params);
                (answer, ["thread.item.done", &*self.last])
            }
            1 => {
                let params = json!({ "thread_id": thread, "limit": 1, "order": "desc" });
                (self.person.ask("items.list", &params), ["\"widget\"", &*self.last])
            }
            2 => {
                let params = json!({ "thread_id": thread });
                (self.person.ask("threads.get_by_id", &params), [&**thread, "begun"])
            }
            _ => (self.person.get("/chatkit/commands?q=counter"), ["\"counter\"", "inputSchema"]),
        };
        let (status, body) = answer.map_err(|error| Fault::Lost(error.to_string()))?;
        match status == 200 && wanted.iter().all(|part| body.contains(part)) {
            true => Ok(()),
            false => {
                let start: String = body.chars().take(300).collect();
                Err(Fault::Wrong(format!(
                    "{status}, without {}: {start}",
                    Value::from(&wanted[..])
                )))
            }
        }
    }
}

/// A message that calls the counter.
fn said(title: &str) -> String {
    format!("/counter {}", json!({ "title": title, "rows": ["a", "<b> & \"c\""] }))
}
