//! Who answers.

use futures_util::future::BoxFuture;
use serde_json::Value;

use crate::fault::{Fault, TurnError};
use crate::protocol::{Action, Event, Item};
use crate::turn::{Person, Turn};

/// What comes of an answer.
pub type Answered<'r> = BoxFuture<'r, Result<(), TurnError>>;

/// Answers messages and actions.
///
/// ```
/// use widgetcast_chatkit::protocol::{Action, Item};
/// use widgetcast_chatkit::{Answered, Responder, Turn};
///
/// /// Says what it hears.
/// struct Echo;
///
/// impl Responder for Echo {
///     fn respond<'r>(&'r self, turn: &'r Turn, message: Option<&'r Item>) -> Answered<'r> {
///         Box::pin(async move {
///             match message {
///                 Some(message) => turn.say(message.text()).await,
///                 None => Ok(()),
///             }
///         })
///     }
///
///     fn act<'r>(&'r self, turn: &'r Turn, action: &'r Action, _: Option<&'r Item>) -> Answered<'r> {
///         Box::pin(turn.say(format!("You pressed {}.", action.kind)))
///     }
/// }
/// ```
pub trait Responder: Send + Sync + 'static {
    /// Answers a message. There is none after a tool of the client or questions were answered: what was
    /// answered is the last item of the thread then.
    fn respond<'r>(&'r self, turn: &'r Turn, message: Option<&'r Item>) -> Answered<'r>;

    /// Does what a button or a form of a widget asks for.
    fn act<'r>(
        &'r self,
        turn: &'r Turn,
        action: &'r Action,
        sender: Option<&'r Item>,
    ) -> Answered<'r>;

    /// The same where the client waits for one item: what the sender has become. Without another
    /// implementation this is what [`act`](Self::act) puts in its place.
    fn act_sync<'r>(
        &'r self,
        turn: &'r Turn,
        action: &'r Action,
        sender: Option<&'r Item>,
    ) -> BoxFuture<'r, Result<Option<Item>, TurnError>> {
        Box::pin(async move {
            self.act(turn, action, sender).await?;
            Ok(turn.take_events().into_iter().rev().find_map(|event| match event {
                Event::ItemReplaced { item }
                    if sender.is_none_or(|sender| sender.id == item.id) =>
                {
                    Some(item)
                }
                _ => None,
            }))
        })
    }

    /// What a person can begin a message with, for completion: entries with `name`, `title`,
    /// `description` and `inputSchema`.
    fn commands<'r>(&'r self, person: &'r Person) -> BoxFuture<'r, Result<Vec<Value>, Fault>> {
        let _ = person;
        Box::pin(std::future::ready(Ok(Vec::new())))
    }

    /// Writes down speech.
    fn transcribe<'r>(
        &'r self,
        person: &'r Person,
        audio: Vec<u8>,
        mime_type: &'r str,
    ) -> BoxFuture<'r, Result<String, Fault>> {
        let _ = (person, audio, mime_type);
        let words = "transcription is not supported";
        Box::pin(std::future::ready(Err(Fault::NotImplemented(words.into()))))
    }
}
