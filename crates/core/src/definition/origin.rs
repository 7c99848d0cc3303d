//! The source of a definition's text. The text is not kept in memory; it is read again to show an error in
//! it, or to get its sample.

use std::path::Path;
use std::sync::Arc;

use widgetcast_engine::error::Place;

use crate::definition::file_text;
use crate::definition::spec::Source;

/// The source of a definition.
#[derive(Clone, Debug)]
pub(crate) enum Origin {
    File(FileOrigin),
    Text { name: Arc<Path>, text: Arc<str> },
    Static { name: Arc<Path>, text: &'static str },
}

/// A file, and the fingerprint of its text when the definition was read.
#[derive(Clone, Debug)]
pub(crate) struct FileOrigin {
    /// The directory that must contain it.
    pub dir: Option<Arc<Path>>,
    pub path: Arc<Path>,
    pub fingerprint: u64,
    pub max_bytes: usize,
}

impl FileOrigin {
    /// The text that the definition was read from; `None` if the file has changed, because its text is then
    /// untrusted.
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

    /// A place in the text, determined by `find`; unknown if the text is no longer available.
    pub(crate) fn place(&self, find: impl FnOnce(&Source<'_>) -> Place) -> Place {
        let text = self.text();
        Source::read(&text).map(|source| find(&source)).unwrap_or_default()
    }
}
