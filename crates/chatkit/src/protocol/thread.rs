//! Threads, and lists in pages.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::item::Item;

/// A part of a list.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Page<T> {
    /// Its entries.
    #[serde(default = "Vec::new")]
    pub data: Vec<T>,
    /// Whether more come after it.
    #[serde(default)]
    pub has_more: bool,
    /// The id after which they come.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub after: Option<String>,
}

impl<T> Default for Page<T> {
    fn default() -> Self {
        Self { data: Vec::new(), has_more: false, after: None }
    }
}

/// Whether the user may write in a thread. The component then disables its input; like the official server,
/// this one does not enforce it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "lowercase")]
pub enum Status {
    /// They may.
    #[default]
    Active,
    /// Not for now.
    Locked {
        /// Why.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        reason: Option<String>,
    },
    /// Not any more.
    Closed {
        /// Why.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        reason: Option<String>,
    },
}

/// What is kept of a thread beside its items.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ThreadMetadata {
    /// Its title.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// Its id.
    pub id: String,
    /// When it was made.
    pub created_at: String,
    /// Whether the user may write in it.
    #[serde(default)]
    pub status: Status,
    /// Where its images may come from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub allowed_image_domains: Option<Vec<String>>,
    /// What a responder remembers of it. No client sees it.
    #[serde(default)]
    pub metadata: Map<String, Value>,
}

/// A thread as clients see it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Thread {
    /// Everything but its items; its metadata are empty.
    #[serde(flatten)]
    pub about: ThreadMetadata,
    /// Its items, or the first of them.
    pub items: Page<Item>,
}

impl Thread {
    /// The thread for a client, with these items.
    pub fn shown(about: &ThreadMetadata, items: Page<Item>) -> Self {
        Self { about: ThreadMetadata { metadata: Map::new(), ..about.clone() }, items }
    }
}
