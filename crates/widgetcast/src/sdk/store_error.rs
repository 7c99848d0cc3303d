//! Why a store could not do what it was asked.

use std::error::Error;

/// Why a store has failed. Its text is for clients; what is behind it is the source, for the log.
#[derive(Debug)]
#[non_exhaustive]
pub enum StoreError {
    /// It cannot be reached, or did not answer in time: the same may work later.
    Unavailable(Box<dyn Error + Send + Sync>),
    /// The entry is larger than all that may be kept.
    TooLarge {
        /// The bytes of its data.
        bytes: usize,
        /// How many there may be.
        most: usize,
    },
    /// It refuses what it was asked, now and later.
    Failed(Box<dyn Error + Send + Sync>),
}

impl StoreError {
    /// It cannot be reached now.
    pub fn unavailable(why: impl Into<Box<dyn Error + Send + Sync>>) -> Self {
        Self::Unavailable(why.into())
    }

    /// It refuses what it was asked.
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
