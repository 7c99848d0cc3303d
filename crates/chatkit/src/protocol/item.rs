//! The items of a thread.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// One item of a thread.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Item {
    /// The id of the item.
    pub id: String,
    /// The id of its thread.
    pub thread_id: String,
    /// When it was created.
    pub created_at: String,
    /// The kind of item, with its content.
    #[serde(flatten)]
    pub kind: ItemKind,
}

/// The kind of an item, with its content.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum ItemKind {
    /// A message of the user.
    UserMessage {
        /// Its parts.
        content: Vec<UserContent>,
        /// Its attachments.
        #[serde(default)]
        attachments: Vec<Attachment>,
        /// The text that the user quoted from an earlier message.
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
    /// A call of a client tool.
    ClientToolCall {
        /// Whether the client has completed it.
        #[serde(default)]
        status: CallStatus,
        /// The id of the call.
        call_id: String,
        /// The tool.
        name: String,
        /// Its arguments.
        arguments: Map<String, Value>,
        /// The result, once completed.
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
    /// A generated image.
    GeneratedImage {
        /// The image, once it is generated.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        image: Option<GeneratedImage>,
    },
    /// Questions for the user.
    StructuredInput {
        /// Whether the user has answered.
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
    /// Hidden context for the responder, mostly tool results. Clients never see it.
    HiddenContextItem {
        /// The context.
        content: Value,
    },
    /// Hidden context that the ChatKit server itself writes.
    SdkHiddenContext {
        /// The context.
        content: String,
    },
    /// The end of a reply.
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
        /// The displayed text.
        text: String,
        /// Additional data about the entity.
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
    /// The text of the part.
    pub fn text(&self) -> &str {
        match self {
            Self::InputText { text } | Self::InputTag { text, .. } => text,
        }
    }
}

/// A part of an assistant message.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct AssistantContent {
    /// The sources that the text cites.
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
    /// How to upload the file; `None` once it is uploaded.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub upload_descriptor: Option<UploadDescriptor>,
    /// The id of its thread, once it was sent in a message.
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
        /// The URL of a preview.
        preview_url: String,
    },
}

/// How to upload a file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct UploadDescriptor {
    /// The URL to send the file to.
    pub url: String,
    /// `POST` or `PUT`.
    pub method: String,
    /// The headers to send.
    #[serde(default)]
    pub headers: BTreeMap<String, String>,
}

/// The status of a client tool call.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum CallStatus {
    /// The client has not completed it.
    #[default]
    Pending,
    /// The client has sent the result.
    Completed,
}

/// A generated image.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GeneratedImage {
    /// Its id.
    pub id: String,
    /// The URL of the image.
    pub url: String,
}

/// The status of questions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum InputStatus {
    /// The user has not answered.
    #[default]
    Pending,
    /// The user has answered.
    ResponderFuture,
    /// The user skipped the questions.
    Skipped,
}

/// A question for the user.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct StructuredInput {
    /// Its id.
    pub id: String,
    /// The question.
    pub question: String,
    /// The answer, if the user has answered.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub answer: Option<InputAnswer>,
    /// The kind of answer.
    #[serde(flatten)]
    pub kind: InputKind,
}

/// The kind of answer that a question expects.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum InputKind {
    /// Free text.
    Freeform {
        /// A description of the question.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        description: Option<String>,
    },
    /// One or several of these options.
    MultipleChoice {
        /// The options.
        options: Vec<InputOption>,
        /// Whether several may be chosen.
        #[serde(default)]
        multiple: bool,
    },
}

/// One option.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct InputOption {
    /// The value that is submitted.
    pub value: String,
}

/// An answer of the user.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct InputAnswer {
    /// The chosen or entered values.
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
    /// The steps, in the format of a `task` item.
    pub tasks: Vec<Value>,
    /// The summary: `{title, icon?}` or `{duration}`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub summary: Option<Value>,
    /// Whether the steps are initially expanded.
    #[serde(default)]
    pub expanded: bool,
}
