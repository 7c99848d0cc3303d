//! Where the text of a definition is. It is read again when a fault must be shown in it, or its sample
//! is asked for, instead of being kept in memory.

use std::path::Path;
use std::sync::Arc;

use widgetcast_engine::error::Place;

use crate::definition::file_text;
use crate::definition::spec::Source;

/// Where a definition comes from.
#[derive(Clone, Debug)]
pub(crate) enum Origin {
    File(FileOrigin),
    Text { name: Arc<Path>, text: Arc<str> },
    Static { name: Arc<Path>, text: &'static str },
}

/// A file, and the text that it held when the definition was read.
#[derive(Clone, Debug)]
pub(crate) struct FileOrigin {
    /// The directory that must contain it.
    pub dir: Option<Arc<Path>>,
    pub path: Arc<Path>,
    pub fingerprint: u64,
    pub max_bytes: usize,
}

impl FileOrigin {
    /// The text that the definition was read from; none if the file holds another one now, which may
    /// be anybody's.
    fn text(&self) -> Option<String> {
        let text = file_text::read(self.dir.as_deref(), &self.path, self.max_bytes).ok()?;
        (file_text::fingerprint(&text) == self.fingerprint).then_some(text)
    }
}

impl Origin {
    pub(crate) fn path(&self) -> &Path {
        self.shared_path()
    }

    pub(crate) fn shared_path(&self) -> &Arc<Path> {
        match self {
            Origin::File(FileOrigin { path, .. })
            | Origin::Text { name: path, .. }
            | Origin::Static { name: path, .. } => path,
        }
    }

    /// The text of the definition; empty if its file has changed since it was read.
    pub(crate) fn text(&self) -> String {
        match self {
            Origin::File(file) => file.text().unwrap_or_default(),
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
