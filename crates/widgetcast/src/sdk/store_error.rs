//! Errors of stores.

use std::error::Error;

/// The error of a store operation. Its message is for clients; the source is only logged.
///
/// ```
/// use widgetcast::store::{StoreError, StoreFuture};
///
/// fn read(path: &str) -> StoreFuture<String> {
///     match std::fs::read_to_string(path) {
///         Ok(text) => StoreFuture::ready(text),
///         Err(error) => StoreFuture::error(StoreError::unavailable(error)),
///     }
/// }
/// # let _ = read("/no/such/file");
/// ```
#[derive(Debug)]
#[non_exhaustive]
pub enum StoreError {
    /// The store is unreachable or timed out; retrying may help.
    Unavailable(Box<dyn Error + Send + Sync>),
    /// The entry exceeds the size limit of the store.
    TooLarge {
        /// The bytes of its data.
        bytes: usize,
        /// The limit.
        most: usize,
    },
    /// The operation failed; retrying does not help.
    Failed(Box<dyn Error + Send + Sync>),
}

impl StoreError {
    /// The store is unreachable.
    pub fn unavailable(why: impl Into<Box<dyn Error + Send + Sync>>) -> Self {
        Self::Unavailable(why.into())
    }

    /// The operation failed permanently.
    pub fn failed(why: impl Into<Box<dyn Error + Send + Sync>>) -> Self {
        Self::Failed(why.into())
    }
}

impl std::fmt::Display for StoreError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Unavailable(_) => f.write_str("the store is unavailable; try again later"),
            Self::TooLarge { bytes, most } => {
                write!(f, "the data has {bytes} bytes; the store's limit is {most}")
            }
            Self::Failed(_) => f.write_str("the store failed"),
        }
    }
}

impl Error for StoreError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            Self::Unavailable(why) | Self::Failed(why) => Some(&**why),
            Self::TooLarge { .. } => None,
        }
    }
}
