//! Quotas per caller and per tool.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Quotas per caller and per tool. A caller is the authenticated caller, or else the client's IP address.
/// Over HTTP, unauthenticated local clients are not limited; a stdio connection counts as one caller. 0
/// means no limit.
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
    /// Tool calls per minute per caller, possibly in one burst; 0 for no limit.
    pub calls_per_minute: u32,
    /// Concurrent calls per caller; 0 for no limit.
    pub max_calls: usize,
    /// Concurrent calls per tool, across all callers; 0 for no limit. A tool's own `max_calls` takes
    /// precedence.
    pub max_calls_per_tool: usize,
}
