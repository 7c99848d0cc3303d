//! The trait that produces replies.

use futures_util::future::BoxFuture;
use serde_json::Value;

use crate::error::{RequestError, TurnError};
use crate::protocol::{Action, Event, Item};
use crate::turn::{User, Turn};

/// The result of a reply.
pub type ResponderFuture<'r> = BoxFuture<'r, Result<(), TurnError>>;

/// Produces the replies to messages and actions.
///
/// ```
/// use widgetcast_chatkit::protocol::{Action, Item};
/// use widgetcast_chatkit::{ResponderFuture, Responder, Turn};
///
/// /// Says what it listener.
/// struct Echo;
///
/// impl Responder for Echo {
///     fn respond<'r>(&'r self, turn: &'r Turn, message: Option<&'r Item>) -> ResponderFuture<'r> {
///         Box::pin(async move {
///             match message {
///                 Some(message) => turn.say(message.text()).await,
///                 None => Ok(()),
///             }
///         })
///     }
///
///     fn act<'r>(&'r self, turn: &'r Turn, action: &'r Action, _: Option<&'r Item>) -> ResponderFuture<'r> {
///         Box::pin(turn.say(format!("You pressed {}.", action.kind)))
///     }
/// }
/// ```
pub trait Responder: Send + Sync + 'static {
    /// Replies to a message. There is no message after a client tool call or questions were completed; the
    /// completed item is then the last of the thread.
    fn respond<'r>(&'r self, turn: &'r Turn, message: Option<&'r Item>) -> ResponderFuture<'r>;

    /// Handles the action of a button or a form in a widget.
    fn act<'r>(
        &'r self,
        turn: &'r Turn,
        action: &'r Action,
        sender: Option<&'r Item>,
    ) -> ResponderFuture<'r>;

    /// Like [`act`](Self::act), if the client waits for one item, which replaces the sender. By default, this
    /// is the item with which [`act`](Self::act) replaces it.
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

    /// The commands with which a user can begin a message, for completion: entries with `name`, `title`,
    /// `description` and `inputSchema`.
    fn commands<'r>(&'r self, user: &'r User) -> BoxFuture<'r, Result<Vec<Value>, RequestError>> {
        let _ = user;
        Box::pin(std::future::ready(Ok(Vec::new())))
    }

    /// Transcribes speech.
    fn transcribe<'r>(
        &'r self,
        user: &'r User,
        audio: Vec<u8>,
        mime_type: &'r str,
    ) -> BoxFuture<'r, Result<String, RequestError>> {
        let _ = (user, audio, mime_type);
        let words = "transcription is not supported";
        Box::pin(std::future::ready(Err(RequestError::NotImplemented(words.into()))))
    }
}
