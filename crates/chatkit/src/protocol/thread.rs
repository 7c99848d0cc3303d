//! Threads, and pages of lists.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::item::Item;

/// A page of a list.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Page<T> {
    /// Its entries.
    #[serde(default = "Vec::new")]
    pub data: Vec<T>,
    /// Whether there are more entries after this page.
    #[serde(default)]
    pub has_more: bool,
    /// The id to continue after.
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
    /// The user may write.
    #[default]
    Active,
    /// Temporarily locked.
    Locked {
        /// The reason, for the user.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        reason: Option<String>,
    },
    /// Permanently closed.
    Closed {
        /// The reason, for the user.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        reason: Option<String>,
    },
}

/// The metadata of a thread: everything but its items.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ThreadMetadata {
    /// Its title.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// Its id.
    pub id: String,
    /// When it was created.
    pub created_at: String,
    /// Whether the user may write in the thread.
    #[serde(default)]
    pub status: Status,
    /// The domains from which it may load images.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub allowed_image_domains: Option<Vec<String>>,
    /// Data that the responder stores with the thread. Clients never see it.
    #[serde(default)]
    pub metadata: Map<String, Value>,
}

/// A thread as clients see it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Thread {
    /// Everything but its items; `metadata` is empty.
    #[serde(flatten)]
    pub about: ThreadMetadata,
    /// The first page of its items.
    pub items: Page<Item>,
}

impl Thread {
    /// Returns the thread as clients see it, with these items.
    pub fn shown(about: &ThreadMetadata, items: Page<Item>) -> Self {
        Self { about: ThreadMetadata { metadata: Map::new(), ..about.clone() }, items }
    }
}
