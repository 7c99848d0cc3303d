//! The events of a stream.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::item::{AssistantContent, GeneratedImage, Item};
use super::thread::Thread;

/// One event of a stream.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type")]
pub enum Event {
    /// A thread was created.
    #[serde(rename = "thread.created")]
    ThreadCreated {
        /// The thread.
        thread: Thread,
    },
    /// The metadata of a thread changed.
    #[serde(rename = "thread.updated")]
    ThreadUpdated {
        /// The thread.
        thread: Thread,
    },
    /// An item was started. It is stored once it is complete.
    #[serde(rename = "thread.item.added")]
    ItemAdded {
        /// The item.
        item: Item,
    },
    /// An item in progress changed.
    #[serde(rename = "thread.item.updated")]
    ItemUpdated {
        /// The id of the item.
        item_id: String,
        /// The change.
        update: Update,
    },
    /// An item is complete, and stored.
    #[serde(rename = "thread.item.done")]
    ItemDone {
        /// The item.
        item: Item,
    },
    /// An item was removed.
    #[serde(rename = "thread.item.removed")]
    ItemRemoved {
        /// The id of the item.
        item_id: String,
    },
    /// An item was replaced.
    #[serde(rename = "thread.item.replaced")]
    ItemReplaced {
        /// The new item.
        item: Item,
    },
    /// The options of the stream.
    #[serde(rename = "stream_options")]
    StreamOptions {
        /// The options.
        stream_options: StreamOptions,
    },
    /// A progress message. It is not stored.
    #[serde(rename = "progress_update")]
    ProgressUpdate {
        /// The name of a ChatKit icon.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        icon: Option<String>,
        /// The text.
        text: String,
    },
    /// An effect for the page that embeds the chat.
    #[serde(rename = "client_effect")]
    ClientEffect {
        /// The name of the effect.
        name: String,
        /// The data of the effect.
        #[serde(default)]
        data: Map<String, Value>,
    },
    /// The reply failed.
    #[serde(rename = "error")]
    Error {
        /// `stream.error`, or `custom` with a message.
        #[serde(default = "custom")]
        code: String,
        /// The message for the user.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        message: Option<String>,
        /// Whether a retry may succeed.
        #[serde(default)]
        allow_retry: bool,
    },
    /// A notice for the user. It is not stored.
    #[serde(rename = "notice")]
    Notice {
        /// The severity.
        level: Level,
        /// The message, in Markdown.
        message: String,
        /// The title.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        title: Option<String>,
    },
}

fn custom() -> String {
    "custom".to_owned()
}

/// The options of a stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct StreamOptions {
    /// Whether the user may cancel the reply.
    pub allow_cancel: bool,
}

/// The severity of a notice.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Level {
    /// Information.
    Info,
    /// A warning.
    Warning,
    /// An error.
    Danger,
}

/// A change of an item in progress.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type")]
pub enum Update {
    /// A part was added to a message.
    #[serde(rename = "assistant_message.content_part.added")]
    PartAdded {
        /// The index of the part.
        content_index: usize,
        /// The part.
        content: AssistantContent,
    },
    /// Text was appended to a part.
    #[serde(rename = "assistant_message.content_part.text_delta")]
    TextDelta {
        /// The index of the part.
        content_index: usize,
        /// The appended text.
        delta: String,
    },
    /// A source was added to a part.
    #[serde(rename = "assistant_message.content_part.annotation_added")]
    AnnotationAdded {
        /// The index of the part.
        content_index: usize,
        /// The index of the source in the part.
        annotation_index: usize,
        /// The source.
        annotation: Value,
    },
    /// A part is complete.
    #[serde(rename = "assistant_message.content_part.done")]
    PartDone {
        /// The index of the part.
        content_index: usize,
        /// The part.
        content: AssistantContent,
    },
    /// Text was appended to a component of a widget.
    #[serde(rename = "widget.streaming_text.value_delta")]
    WidgetText {
        /// The id of the component.
        component_id: String,
        /// The appended text.
        delta: String,
        /// Whether the text is complete.
        done: bool,
    },
    /// A component of a widget was replaced.
    #[serde(rename = "widget.component.updated")]
    WidgetComponent {
        /// The id of the component.
        component_id: String,
        /// The new component.
        component: Value,
    },
    /// The whole widget was replaced.
    #[serde(rename = "widget.root.updated")]
    WidgetRoot {
        /// The new widget.
        widget: Value,
    },
    /// A step was added to a workflow.
    #[serde(rename = "workflow.task.added")]
    TaskAdded {
        /// The index of the step.
        task_index: usize,
        /// The step.
        task: Value,
    },
    /// A step of a workflow changed.
    #[serde(rename = "workflow.task.updated")]
    TaskUpdated {
        /// The index of the step.
        task_index: usize,
        /// The step.
        task: Value,
    },
    /// An image is being generated.
    #[serde(rename = "generated_image.updated")]
    Image {
        /// The image so far.
        image: GeneratedImage,
        /// The progress, from 0 to 1.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        progress: Option<f64>,
    },
}
