//! The severity of a log message for the client.

/// The severity of a log message for the client, from lowest to highest.
///
/// ```
/// use widgetcast::Ctx;
/// use widgetcast::client::LogLevel;
///
/// async fn export(ctx: Ctx) -> &'static str {
///     ctx.log(LogLevel::Info, "exporting").await;
///     ctx.log(LogLevel::Debug, serde_json::json!({ "page": 1 })).await;
///     "exported"
/// }
/// # let _ = widgetcast::Tool::new("export", export);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum LogLevel {
    /// Details for debugging.
    Debug,
    /// Normal operation.
    Info,
    /// Normal but significant events.
    Notice,
    /// A potential problem.
    Warning,
    /// Something failed.
    Error,
    /// A component failed.
    Critical,
    /// Immediate action is required.
    Alert,
    /// The system is unusable.
    Emergency,
}

const NAMES: [(&str, LogLevel); 8] = [
    ("debug", LogLevel::Debug),
    ("info", LogLevel::Info),
    ("notice", LogLevel::Notice),
    ("warning", LogLevel::Warning),
    ("error", LogLevel::Error),
    ("critical", LogLevel::Critical),
    ("alert", LogLevel::Alert),
    ("emergency", LogLevel::Emergency),
];

impl LogLevel {
    /// The level of this name in the protocol.
    pub(crate) fn find(name: &str) -> Option<Self> {
        NAMES.iter().find(|(known, _)| *known == name).map(|(_, level)| *level)
    }

    /// Its name in the protocol.
    pub(crate) fn name(self) -> &'static str {
        NAMES.iter().find(|(_, level)| *level == self).map_or("", |(name, _)| name)
    }
}
