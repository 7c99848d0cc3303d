//! The ways in which a result can be shown, one variant per format.

use serde::Serialize;
use serde_json::Value;

/// One way to show a result. The variants are in the order of
/// [`Extraction::parts`](super::Extraction::parts), best first.
///
/// As JSON, a part is an object with its `kind` in snake case and its fields in camel case; absent fields are
/// omitted.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "kind", rename_all = "snake_case", rename_all_fields = "camelCase")]
#[non_exhaustive]
pub enum Part {
    /// A ChatKit widget: an embedded resource of type `application/vnd.ui.widget+json`.
    ChatkitWidget {
        /// Starts with `ui://`.
        uri: String,
        /// The component tree.
        widget: Value,
        /// The text for the clipboard.
        #[serde(skip_serializing_if = "Option::is_none")]
        copy_text: Option<String>,
    },
    /// A component tree in the result's `_meta`, or as its structured content.
    MetaTree {
        /// The member of `_meta`, [`META_TREE`](super::META_TREE) or `widget`, or the name of the
        /// structured content.
        key: String,
        /// The component tree.
        tree: Value,
        /// The text for the clipboard.
        #[serde(skip_serializing_if = "Option::is_none")]
        copy_text: Option<String>,
    },
    /// Slack Block Kit blocks, embedded or in `_meta.slack`.
    SlackBlocks {
        /// Starts with `slack://blocks/`; blocks in `_meta` have none.
        #[serde(skip_serializing_if = "Option::is_none")]
        uri: Option<String>,
        /// The blocks, at least one.
        blocks: Vec<Value>,
    },
    /// A Slack Work Object.
    SlackWorkObject {
        /// Starts with `slack://work-objects/`.
        uri: String,
        /// The type of the metadata event to post it with.
        #[serde(skip_serializing_if = "Option::is_none")]
        event_type: Option<String>,
        /// The entity, an object.
        entity: Value,
    },
    /// An MCP Apps view, embedded or named by `_meta.ui.resourceUri`.
    McpApp {
        /// Starts with `ui://`.
        uri: String,
        /// The type, if the view is embedded.
        #[serde(skip_serializing_if = "Option::is_none")]
        mime: Option<String>,
        /// The page, if the view is embedded; else the server has it under the URI.
        #[serde(skip_serializing_if = "Option::is_none")]
        html: Option<String>,
        /// The resource's own `_meta`, with its content security policy.
        #[serde(skip_serializing_if = "Option::is_none")]
        meta: Option<Value>,
    },
    /// A view for older ChatGPT hosts, embedded or named by `openai/outputTemplate`.
    Skybridge {
        /// Starts with `ui://`.
        uri: String,
        /// The type, if the view is embedded.
        #[serde(skip_serializing_if = "Option::is_none")]
        mime: Option<String>,
        /// The page, if the view is embedded; else the server has it under the URI.
        #[serde(skip_serializing_if = "Option::is_none")]
        html: Option<String>,
        /// The resource's own `_meta`, with its content security policy.
        #[serde(skip_serializing_if = "Option::is_none")]
        meta: Option<Value>,
    },
    /// An mcp-ui resource: a page, a URL or a remote-dom script, depending on the type.
    McpUi {
        /// Starts with `ui://`.
        uri: String,
        /// `text/html`, `text/uri-list` or `application/vnd.mcp-ui.remote-dom…`.
        mime: String,
        /// The page or the script; for a list of URLs, the first http or https URL.
        text: String,
        /// The resource's own `_meta`, with the frame size it prefers.
        #[serde(skip_serializing_if = "Option::is_none")]
        meta: Option<Value>,
    },
    /// A fragment of HTML.
    Html {
        /// Such as `html://fragments/…`.
        uri: String,
        /// `text/html`, perhaps with parameters.
        mime: String,
        /// The HTML, not sanitized.
        text: String,
    },
    /// A Markdown document.
    Markdown {
        /// Such as `md://content/…`.
        uri: String,
        /// `text/markdown`, perhaps with parameters.
        mime: String,
        /// The Markdown.
        text: String,
    },
    /// An image.
    Image {
        /// The URI, if it came as a resource.
        #[serde(skip_serializing_if = "Option::is_none")]
        uri: Option<String>,
        /// Starts with `image/`.
        mime: String,
        /// Base64 as received: padded or not, in either alphabet.
        data: String,
    },
    /// An audio clip.
    Audio {
        /// Starts with `audio/`.
        mime: String,
        /// Base64 as received: padded or not, in either alphabet.
        data: String,
    },
    /// An embedded file in any other format.
    Resource {
        /// Any URI but `ui://` and `slack://`.
        uri: String,
        /// The type, if it has one.
        #[serde(skip_serializing_if = "Option::is_none")]
        mime: Option<String>,
        /// The content of a text file.
        #[serde(skip_serializing_if = "Option::is_none")]
        text: Option<String>,
        /// The content of any other file, as received in base64.
        #[serde(skip_serializing_if = "Option::is_none")]
        blob: Option<String>,
    },
    /// A link to a resource of the server.
    ResourceLink {
        /// Any URI.
        uri: String,
        /// The name for programs.
        #[serde(skip_serializing_if = "Option::is_none")]
        name: Option<String>,
        /// The display name.
        #[serde(skip_serializing_if = "Option::is_none")]
        title: Option<String>,
        /// The description.
        #[serde(skip_serializing_if = "Option::is_none")]
        description: Option<String>,
        /// The type, if it has one.
        #[serde(skip_serializing_if = "Option::is_none")]
        mime: Option<String>,
    },
    /// The text, the same as [`Extraction::text`](super::Extraction::text).
    Text {
        /// Never empty.
        text: String,
    },
    /// The structured content: the data of a view, not meant to be read by users.
    Data {
        /// Any JSON but null.
        data: Value,
    },
}

impl Part {
    /// The place in the order, best first.
    pub(super) fn rank(&self) -> u8 {
        match self {
            Part::ChatkitWidget { .. } => 0,
            Part::MetaTree { .. } => 1,
            Part::SlackBlocks { .. } => 2,
            Part::SlackWorkObject { .. } => 3,
            Part::McpApp { .. } => 4,
            Part::Skybridge { .. } => 5,
            Part::McpUi { .. } => 6,
            Part::Html { .. } => 7,
            Part::Markdown { .. } => 8,
            Part::Image { .. } => 9,
            Part::Audio { .. } => 10,
            Part::Resource { .. } => 11,
            Part::ResourceLink { .. } => 12,
            Part::Text { .. } => 13,
            Part::Data { .. } => 14,
        }
    }

    /// The text that goes with a tree.
    pub(super) fn copy_text(&self) -> Option<&str> {
        match self {
            Part::ChatkitWidget { copy_text, .. } | Part::MetaTree { copy_text, .. } => {
                copy_text.as_deref()
            }
            _ => None,
        }
    }

    /// Whether this is a component tree.
    pub(super) fn is_tree(&self) -> bool {
        matches!(self, Part::ChatkitWidget { .. } | Part::MetaTree { .. })
    }

    /// Whether this is a page under that URI, for either kind of host.
    pub(super) fn is_view(&self, of: &str) -> bool {
        matches!(self, Part::McpApp { uri, .. } | Part::Skybridge { uri, .. } if uri == of)
    }
}
