//! What a thread is made of.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// One item of a thread.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Item {
    /// Its id.
    pub id: String,
    /// Where it belongs.
    pub thread_id: String,
    /// When it was made.
    pub created_at: String,
    /// What it is.
    #[serde(flatten)]
    pub kind: ItemKind,
}

/// What an item is.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum ItemKind {
    /// A message of the user.
    UserMessage {
        /// Its parts.
        content: Vec<UserContent>,
        /// Its files.
        #[serde(default)]
        attachments: Vec<Attachment>,
        /// What of an earlier message it is about.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        quoted_text: Option<String>,
        /// The model and the tool that the user chose.
        inference_options: InferenceOptions,
    },
    /// A message of the assistant.
    AssistantMessage {
        /// Its parts.
        content: Vec<AssistantContent>,
    },
    /// A tool that the client runs.
    ClientToolCall {
        /// Whether it has been run.
        #[serde(default)]
        status: CallStatus,
        /// The id of the call.
        call_id: String,
        /// The tool.
        name: String,
        /// Its arguments.
        arguments: Map<String, Value>,
        /// What came of it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        output: Option<Value>,
    },
    /// A widget.
    Widget {
        /// Its component tree.
        widget: Value,
        /// The text version of the widget.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        copy_text: Option<String>,
    },
    /// An image that was made.
    GeneratedImage {
        /// The image, once it is there.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        image: Option<GeneratedImage>,
    },
    /// Questions for the user.
    StructuredInput {
        /// Whether they were answered.
        #[serde(default)]
        status: InputStatus,
        /// The questions.
        inputs: Vec<StructuredInput>,
    },
    /// Several steps of work.
    Workflow {
        /// The steps.
        workflow: Workflow,
    },
    /// One step of work: `custom`, `web_search`, `thought`, `file` or `image`.
    Task {
        /// The step.
        task: Value,
    },
    /// Something for the responder that is kept and not shown: tool results, most often.
    HiddenContextItem {
        /// What it is.
        content: Value,
    },
    /// The same, written by the protocol's server itself.
    SdkHiddenContext {
        /// What it says.
        content: String,
    },
    /// The end of an answer.
    EndOfTurn {},
}

impl Item {
    /// Whether clients never see it.
    pub fn is_hidden(&self) -> bool {
        matches!(self.kind, ItemKind::HiddenContextItem { .. } | ItemKind::SdkHiddenContext { .. })
    }

    /// The text of the item, for search. For a widget, its copy text.
    pub fn text(&self) -> String {
        match &self.kind {
            ItemKind::UserMessage { content, .. } => {
                let texts = content.iter().map(UserContent::text);
                texts.collect::<Vec<&str>>().join(" ")
            }
            ItemKind::AssistantMessage { content } => {
                let texts = content.iter().map(|part| part.text.as_str());
                texts.collect::<Vec<&str>>().join("\n")
            }
            ItemKind::Widget { copy_text, .. } => copy_text.clone().unwrap_or_default(),
            ItemKind::StructuredInput { inputs, .. } => {
                let texts = inputs.iter().map(|input| input.question.as_str());
                texts.collect::<Vec<&str>>().join("\n")
            }
            _ => String::new(),
        }
    }
}

/// A part of a user message.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum UserContent {
    /// Text.
    InputText {
        /// The text.
        text: String,
    },
    /// An entity that the user mentioned, such as a customer.
    InputTag {
        /// Its id.
        id: String,
        /// How it reads.
        text: String,
        /// What is known of it.
        data: Map<String, Value>,
        /// Its group.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        group: Option<String>,
        /// Whether it can be clicked.
        #[serde(default)]
        interactive: bool,
    },
}

impl UserContent {
    /// How it reads.
    pub fn text(&self) -> &str {
        match self {
            Self::InputText { text } | Self::InputTag { text, .. } => text,
        }
    }
}

/// A part of an assistant message.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct AssistantContent {
    /// Sources of what it says.
    #[serde(default)]
    pub annotations: Vec<Value>,
    /// The text, which is Markdown.
    pub text: String,
    /// `output_text`.
    #[serde(rename = "type", default)]
    kind: OutputText,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
enum OutputText {
    #[default]
    #[serde(rename = "output_text")]
    OutputText,
}

impl AssistantContent {
    /// A text without sources.
    pub fn new(text: impl Into<String>) -> Self {
        Self { text: text.into(), ..Self::default() }
    }
}

/// The model and the tool that a user chose.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct InferenceOptions {
    /// The tool.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tool_choice: Option<ToolChoice>,
    /// The model.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
}

/// A tool that a user chose.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ToolChoice {
    /// Its id.
    pub id: String,
}

/// A file of a message.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Attachment {
    /// Its id.
    pub id: String,
    /// Its name.
    pub name: String,
    /// Its type.
    pub mime_type: String,
    /// How it is uploaded; only until it has been.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub upload_descriptor: Option<UploadDescriptor>,
    /// The thread that it belongs to, once it was sent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub thread_id: Option<String>,
    /// Whether it is an image.
    #[serde(flatten)]
    pub kind: AttachmentKind,
}

/// Whether an attachment is an image.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "lowercase")]
pub enum AttachmentKind {
    /// Any file.
    File,
    /// An image.
    Image {
        /// Where it can be seen.
        preview_url: String,
    },
}

/// How a file is uploaded.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct UploadDescriptor {
    /// Where to.
    pub url: String,
    /// `POST` or `PUT`.
    pub method: String,
    /// Headers that must be sent.
    #[serde(default)]
    pub headers: BTreeMap<String, String>,
}

/// Whether a client has run a tool.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum CallStatus {
    /// Not yet.
    #[default]
    Pending,
    /// It has.
    Completed,
}

/// An image that was made.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GeneratedImage {
    /// Its id.
    pub id: String,
    /// Where it is.
    pub url: String,
}

/// Whether questions were answered.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum InputStatus {
    /// Not yet.
    #[default]
    Pending,
    /// They were.
    Answered,
    /// The user skipped it.
    Skipped,
}

/// A question for the user.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct StructuredInput {
    /// Its id.
    pub id: String,
    /// What is asked.
    pub question: String,
    /// The answer, once there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub answer: Option<InputAnswer>,
    /// How it is answered.
    #[serde(flatten)]
    pub kind: InputKind,
}

/// How a question is answered.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum InputKind {
    /// By any text.
    Freeform {
        /// More about the question.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        description: Option<String>,
    },
    /// By one of these, or several.
    MultipleChoice {
        /// The choices.
        options: Vec<InputOption>,
        /// Whether several may be chosen.
        #[serde(default)]
        multiple: bool,
    },
}

/// One choice.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct InputOption {
    /// What is chosen.
    pub value: String,
}

/// An answer of the user.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct InputAnswer {
    /// What was chosen or written.
    #[serde(default)]
    pub values: Vec<String>,
    /// Whether the user skipped it.
    #[serde(default)]
    pub skipped: bool,
}

/// Several steps of work.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Workflow {
    /// `custom` or `reasoning`.
    #[serde(rename = "type")]
    pub kind: String,
    /// The steps, as of a `task` item.
    pub tasks: Vec<Value>,
    /// What came of them: `{title, icon?}` or `{duration}`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub summary: Option<Value>,
    /// Whether the steps are shown at first.
    #[serde(default)]
    pub expanded: bool,
}
