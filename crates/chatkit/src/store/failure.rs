//! The error of a storage.

/// The error of a storage operation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StorageError {
    /// This owner has no such thread, item or attachment.
    NotFound,
    /// The value is nested too deeply to be read back.
    TooDeep,
    /// The database is unavailable, or rejects the operation.
    Unavailable(String),
}

impl std::fmt::Display for StorageError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::NotFound => f.write_str("no such id"),
            Self::TooDeep => f.write_str("it is nested too deeply to be read back"),
            Self::Unavailable(why) => write!(f, "the storage is unavailable: {why}"),
        }
    }
}

impl std::error::Error for StorageError {}
