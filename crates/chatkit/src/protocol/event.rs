//! What a stream tells a client.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::item::{AssistantContent, GeneratedImage, Item};
use super::thread::Thread;

/// One event of a stream.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type")]
pub enum Event {
    /// There is a new thread.
    #[serde(rename = "thread.created")]
    ThreadCreated {
        /// The thread.
        thread: Thread,
    },
    /// Something about the thread is different.
    #[serde(rename = "thread.updated")]
    ThreadUpdated {
        /// The thread.
        thread: Thread,
    },
    /// An item begins. It is kept when it is done.
    #[serde(rename = "thread.item.added")]
    ItemAdded {
        /// The item.
        item: Item,
    },
    /// An item that has begun is different.
    #[serde(rename = "thread.item.updated")]
    ItemUpdated {
        /// The item.
        item_id: String,
        /// What is different.
        update: Update,
    },
    /// An item is there as a whole, and kept.
    #[serde(rename = "thread.item.done")]
    ItemDone {
        /// The item.
        item: Item,
    },
    /// An item was removed.
    #[serde(rename = "thread.item.removed")]
    ItemRemoved {
        /// The item.
        item_id: String,
    },
    /// An item is another now.
    #[serde(rename = "thread.item.replaced")]
    ItemReplaced {
        /// The item.
        item: Item,
    },
    /// What the client may do with the stream.
    #[serde(rename = "stream_options")]
    StreamOptions {
        /// What it may.
        stream_options: StreamOptions,
    },
    /// What is going on. It is not kept.
    #[serde(rename = "progress_update")]
    ProgressUpdate {
        /// An icon of ChatKit's.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        icon: Option<String>,
        /// The text.
        text: String,
    },
    /// Something that the page around the chat is to do.
    #[serde(rename = "client_effect")]
    ClientEffect {
        /// What.
        name: String,
        /// With what.
        #[serde(default)]
        data: Map<String, Value>,
    },
    /// The answer failed.
    #[serde(rename = "error")]
    Error {
        /// `stream.error`, or `custom` with a message.
        #[serde(default = "custom")]
        code: String,
        /// The message for the user.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        message: Option<String>,
        /// Whether trying again may help.
        #[serde(default)]
        allow_retry: bool,
    },
    /// A notice for the user. It is not stored.
    #[serde(rename = "notice")]
    Notice {
        /// How important it is.
        level: Level,
        /// Markdown.
        message: String,
        /// A title.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        title: Option<String>,
    },
}

fn custom() -> String {
    "custom".to_owned()
}

/// What a client may do with a stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct StreamOptions {
    /// Whether the user may cancel it.
    pub allow_cancel: bool,
}

/// How important a notice is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Level {
    /// Good to know.
    Info,
    /// To be looked at.
    Warning,
    /// Something is wrong.
    Danger,
}

/// How an item that has begun is different.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type")]
pub enum Update {
    /// A message has another part.
    #[serde(rename = "assistant_message.content_part.added")]
    PartAdded {
        /// Which.
        content_index: usize,
        /// The part.
        content: AssistantContent,
    },
    /// A part continues.
    #[serde(rename = "assistant_message.content_part.text_delta")]
    TextDelta {
        /// Which.
        content_index: usize,
        /// What follows.
        delta: String,
    },
    /// A part has a source.
    #[serde(rename = "assistant_message.content_part.annotation_added")]
    AnnotationAdded {
        /// Which part.
        content_index: usize,
        /// Which source of it.
        annotation_index: usize,
        /// The source.
        annotation: Value,
    },
    /// A part is there as a whole.
    #[serde(rename = "assistant_message.content_part.done")]
    PartDone {
        /// Which.
        content_index: usize,
        /// The part.
        content: AssistantContent,
    },
    /// The text of a widget continues.
    #[serde(rename = "widget.streaming_text.value_delta")]
    WidgetText {
        /// The component.
        component_id: String,
        /// What follows.
        delta: String,
        /// Whether that is all.
        done: bool,
    },
    /// A component of a widget is another now.
    #[serde(rename = "widget.component.updated")]
    WidgetComponent {
        /// The component.
        component_id: String,
        /// What it is now.
        component: Value,
    },
    /// A widget is another now.
    #[serde(rename = "widget.root.updated")]
    WidgetRoot {
        /// What it is now.
        widget: Value,
    },
    /// A workflow has another step.
    #[serde(rename = "workflow.task.added")]
    TaskAdded {
        /// Which.
        task_index: usize,
        /// The step.
        task: Value,
    },
    /// A step is different.
    #[serde(rename = "workflow.task.updated")]
    TaskUpdated {
        /// Which.
        task_index: usize,
        /// The step.
        task: Value,
    },
    /// An image is on its way.
    #[serde(rename = "generated_image.updated")]
    Image {
        /// What there is of it.
        image: GeneratedImage,
        /// How much of it, up to 1.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        progress: Option<f64>,
    },
}
