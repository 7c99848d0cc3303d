//! Where the text of a definition is. It is read again when a fault must be shown in it, or its sample
//! is asked for, instead of being kept in memory.

use std::path::Path;
use std::sync::Arc;

use widgetcast_engine::error::Place;

use crate::definition::spec::Source;

/// Where a definition comes from.
#[derive(Clone, Debug)]
pub(crate) enum Origin {
    File(Arc<Path>),
    Text { name: Arc<Path>, text: Arc<str> },
    Static { name: Arc<Path>, text: &'static str },
}

impl Origin {
    pub(crate) fn path(&self) -> &Path {
        self.shared_path()
    }

    pub(crate) fn shared_path(&self) -> &Arc<Path> {
        match self {
            Origin::File(path)
            | Origin::Text { name: path, .. }
            | Origin::Static { name: path, .. } => path,
        }
    }

    pub(crate) fn text(&self) -> String {
        match self {
            Origin::File(path) => std::fs::read_to_string(path).unwrap_or_default(),
            Origin::Text { text, .. } => text.to_string(),
            Origin::Static { text, .. } => (*text).to_owned(),
        }
    }

    /// A place in the text, which is looked up by `find`; unknown if the text can no longer be read.
    pub(crate) fn place(&self, find: impl FnOnce(&Source<'_>) -> Place) -> Place {
        let text = self.text();
        Source::read(&text).map(|source| find(&source)).unwrap_or_default()
    }
}
