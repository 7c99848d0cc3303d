//! The sixteen types of request.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::item::{InferenceOptions, UserContent};

/// A request.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", content = "params")]
pub enum Request {
    /// Creates a thread with its first message.
    #[serde(rename = "threads.create")]
    CreateThread(CreateThread),
    /// Adds a user message to a thread.
    #[serde(rename = "threads.add_user_message")]
    AddUserMessage(AddUserMessage),
    /// Adds the result of a client tool.
    #[serde(rename = "threads.add_client_tool_output")]
    AddClientToolOutput(AddClientToolOutput),
    /// Adds the answers to the questions of an item.
    #[serde(rename = "threads.add_structured_input")]
    AddStructuredInput(AddStructuredInput),
    /// Retries the reply to a message.
    #[serde(rename = "threads.retry_after_item")]
    RetryAfterItem(ItemOfThread),
    /// Runs an action of a widget.
    #[serde(rename = "threads.custom_action")]
    CustomAction(CustomAction),
    /// Runs an action of a widget, and waits for the item that replaces it.
    #[serde(rename = "threads.sync_custom_action")]
    SyncCustomAction(CustomAction),
    /// Gets a thread with its first items.
    #[serde(rename = "threads.get_by_id")]
    GetThread(OfThread),
    /// Lists the caller's threads.
    #[serde(rename = "threads.list")]
    ListThreads(ListThreads),
    /// Lists the items of a thread.
    #[serde(rename = "items.list")]
    ListItems(ListItems),
    /// Stores the caller's feedback on items.
    #[serde(rename = "items.feedback")]
    Feedback(Feedback),
    /// Creates an attachment, which the client then uploads.
    #[serde(rename = "attachments.create")]
    CreateAttachment(CreateAttachment),
    /// Deletes an attachment.
    #[serde(rename = "attachments.delete")]
    DeleteAttachment(DeleteAttachment),
    /// Changes the title of a thread.
    #[serde(rename = "threads.update")]
    UpdateThread(UpdateThread),
    /// Deletes a thread.
    #[serde(rename = "threads.delete")]
    DeleteThread(OfThread),
    /// Transcribes speech.
    #[serde(rename = "input.transcribe")]
    Transcribe(Transcribe),
}

impl Request {
    /// Whether a responder handles it, so that it counts as a turn.
    pub(crate) fn is_turn(&self) -> bool {
        matches!(
            self,
            Self::CreateThread(_)
                | Self::AddUserMessage(_)
                | Self::AddClientToolOutput(_)
                | Self::AddStructuredInput(_)
                | Self::RetryAfterItem(_)
                | Self::CustomAction(_)
                | Self::SyncCustomAction(_)
                | Self::Transcribe(_)
        )
    }
}

/// A message that a user sends.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct UserMessageInput {
    /// Its parts.
    pub content: Vec<UserContent>,
    /// The ids of its attachments.
    pub attachments: Vec<String>,
    /// The text that the user quoted from an earlier message.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub quoted_text: Option<String>,
    /// The model and the tool that the user chose.
    pub inference_options: InferenceOptions,
}

/// Parameters of `threads.create`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CreateThread {
    /// The first message.
    pub input: UserMessageInput,
}

/// Parameters of `threads.add_user_message`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct AddUserMessage {
    /// The message.
    pub input: UserMessageInput,
    /// The id of the thread.
    pub thread_id: String,
}

/// Parameters of `threads.add_client_tool_output`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct AddClientToolOutput {
    /// The id of the thread, whose last item is the call.
    pub thread_id: String,
    /// The result of the tool.
    #[serde(default)]
    pub result: Value,
}

/// Parameters of `threads.add_structured_input`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct AddStructuredInput {
    /// The thread.
    pub thread_id: String,
    /// The item with the questions.
    pub item_id: String,
    /// The answers.
    pub input: Submission,
}

/// Answers to the questions of an item.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Submission {
    /// Whether the user answered or skipped the questions.
    #[serde(default)]
    pub status: SubmissionStatus,
    /// The answers, by the id of the question.
    #[serde(default)]
    pub answers: BTreeMap<String, super::item::InputAnswer>,
}

/// Whether the user answered or skipped the questions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SubmissionStatus {
    /// ResponderFuture.
    #[default]
    ResponderFuture,
    /// Skipped.
    Skipped,
}

/// Parameters that name an item.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ItemOfThread {
    /// The thread.
    pub thread_id: String,
    /// The item.
    pub item_id: String,
}

/// Parameters that name a thread.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct OfThread {
    /// The thread.
    pub thread_id: String,
}

/// Parameters of both actions.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CustomAction {
    /// The thread.
    pub thread_id: String,
    /// The widget's item.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub item_id: Option<String>,
    /// The action.
    pub action: Action,
}

/// The action of a button or form in a widget. Usually, `type` is the name of a tool and `payload` its
/// arguments.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Action {
    /// The type of the action.
    #[serde(rename = "type", default)]
    pub kind: String,
    /// The payload.
    #[serde(default, skip_serializing_if = "Value::is_null")]
    pub payload: Value,
}

/// The order of a list.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Order {
    /// Oldest first.
    Asc,
    /// Newest first.
    #[default]
    Desc,
}

/// Parameters of `threads.list`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ListThreads {
    /// The page size.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limit: Option<i64>,
    /// The order.
    #[serde(default)]
    pub order: Order,
    /// The last id of the previous page.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub after: Option<String>,
}

/// Parameters of `items.list`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ListItems {
    /// The thread.
    pub thread_id: String,
    /// The page size.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limit: Option<i64>,
    /// The order.
    #[serde(default)]
    pub order: Order,
    /// The last id of the previous page.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub after: Option<String>,
}

/// Parameters of `items.feedback`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Feedback {
    /// The thread.
    pub thread_id: String,
    /// The items.
    pub item_ids: Vec<String>,
    /// The feedback.
    pub kind: FeedbackKind,
}

/// Feedback about an item.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum FeedbackKind {
    /// Good.
    Positive,
    /// Bad.
    Negative,
}

impl FeedbackKind {
    /// Its name in the protocol.
    pub fn name(self) -> &'static str {
        match self {
            Self::Positive => "positive",
            Self::Negative => "negative",
        }
    }
}

/// Parameters of `attachments.create`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CreateAttachment {
    /// The name of the file.
    pub name: String,
    /// The size in bytes.
    pub size: i64,
    /// Its type.
    pub mime_type: String,
}

/// Parameters of `attachments.delete`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct DeleteAttachment {
    /// The attachment.
    pub attachment_id: String,
}

/// Parameters of `threads.update`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct UpdateThread {
    /// The thread.
    pub thread_id: String,
    /// Its new title.
    pub title: String,
}

/// Parameters of `input.transcribe`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Transcribe {
    /// The audio, in base64.
    pub audio_base64: String,
    /// Its type.
    pub mime_type: String,
}
