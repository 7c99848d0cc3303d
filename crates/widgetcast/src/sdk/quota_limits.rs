//! Quotas per caller and per tool.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Quotas per caller and per tool. A caller is the authenticated caller, or else the client's IP address;
/// local clients without either are not limited over HTTP. A stdio connection has one caller. 0 means no
/// limit.
///
/// ```
/// use widgetcast::Settings;
/// use widgetcast::middleware::QuotaLimits;
///
/// let mut quotas = QuotaLimits::default();
/// quotas.calls_per_minute = 600;
/// quotas.max_calls = 8;
/// let settings = Settings::default().quotas(quotas);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
#[non_exhaustive]
pub struct QuotaLimits {
    /// Tool calls per minute and caller, which may come in one burst; 0 for no limit.
    pub calls_per_minute: u32,
    /// Concurrent calls per caller; 0 for no limit.
    pub max_calls: usize,
    /// Concurrent calls per tool, across all callers; 0 for no limit. A tool's own `max_calls` takes
    /// precedence.
    pub max_calls_per_tool: usize,
}
