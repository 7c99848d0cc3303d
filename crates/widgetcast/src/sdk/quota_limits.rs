//! How much of a server one caller, or one tool, may take.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Quotas per caller and per tool. A caller is the authenticated caller, or else the client's IP address;
/// local clients without either are not limited over HTTP. A stdio connection has one caller. 0 is no
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
    /// Calls of tools in a minute for one caller, all of which may come at once; 0 for no limit.
    pub calls_per_minute: u32,
    /// Calls of one caller that run at the same time; 0 for no limit.
    pub max_calls: usize,
    /// Calls of one tool that run at the same time, whoever makes them; 0 for no limit. A tool's own
    /// `max_calls` takes precedence.
    pub max_calls_per_tool: usize,
}
