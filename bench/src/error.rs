//! The error of every measurement: a message. Tasks of the comparison send it between threads.

pub(crate) type Error = Box<dyn std::error::Error + Send + Sync>;
pub(crate) type Result<T = (), E = Error> = std::result::Result<T, E>;
