//! The validator: everything Slack would refuse or silently drop, found before it is sent.
//!
//! It reads the payload and nothing of the printer, so it is a second opinion on the printer's
//! output and also judges blocks and Work Objects that an author wrote by hand.

mod block;
mod chart;
mod check;
mod element;
mod rich_text;
mod table;
#[cfg(test)]
mod tests;
mod work_object;

use serde_json::Value;

use super::limit;
use check::Check;

use crate::surface::host_template::Fault;
pub use work_object::validate_work_object;

/// Checks blocks against the rules of Block Kit and of the Slackbot MCP client.
///
/// ```
/// use serde_json::json;
/// use widgetcast_core::slack;
/// let faults = slack::validate(&[json!({"type": "header", "text": {"type": "mrkdwn", "text": "Hi"}})]);
/// assert_eq!(faults[0].to_string(), "blocks[0].text.type: must be plain_text");
/// ```
pub fn validate(blocks: &[Value]) -> Vec<Fault> {
    let mut check = Check::default();
    if blocks.len() > limit::BLOCKS {
        check.fault("blocks", format!("at most {} blocks", limit::BLOCKS));
    }
    for (index, block) in blocks.iter().enumerate() {
        if limit::is_too_deep(block) {
            check.fault(
                format!("blocks[{index}]"),
                format!("nested deeper than {}", limit::NESTING),
            );
            continue;
        }
        check.block(block, &format!("blocks[{index}]"), 1, limit::ALLOWED);
    }
    for (total, most, what) in [
        (check.markdown, limit::MARKDOWN, "characters of markdown"),
        (check.table_chars, limit::ALL_TABLE_CHARS, "characters in all tables"),
        (check.charts, limit::CHARTS, "data_visualization blocks"),
    ] {
        if total > most {
            check.fault("blocks", format!("at most {most} {what} in a message"));
        }
    }
    check.faults
}
