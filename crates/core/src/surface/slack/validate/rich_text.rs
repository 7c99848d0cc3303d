//! Rich text: the one part of a payload that nests.

use serde_json::Value;

use super::check::{Check, Members, has};
use crate::surface::slack::limit;

impl Check {
    pub(super) fn rich_text(&mut self, block: &Members, path: &str, depth: usize) {
        const PARTS: &str =
            "rich_text_section rich_text_list rich_text_preformatted rich_text_quote";
        let list = self.list(block, "elements", path, 1, usize::MAX);
        for (index, part) in list.iter().enumerate() {
            self.part(part, &format!("{path}.elements[{index}]"), depth + 1, PARTS);
        }
    }

    fn part(&mut self, value: &Value, path: &str, depth: usize, allowed: &str) {
        const LEAVES: &str = "text link emoji user usergroup channel team date broadcast color";
        if depth > limit::NESTING {
            return self.fault(path, format!("nested deeper than {}", limit::NESTING));
        }
        let Some((part, kind)) = self.typed(value, path, allowed) else { return };
        let inner = match kind {
            "text" => return self.string(part, "text", path, 0, usize::MAX),
            "link" => return self.string(part, "url", path, 1, limit::URL),
            "rich_text_list" => {
                self.choice(part, "style", path, "bullet ordered");
                "rich_text_section"
            }
            leaf if has(LEAVES, leaf) => return,
            "rich_text_preformatted" => "text link",
            _ => LEAVES,
        };
        let list = self.list(part, "elements", path, 0, usize::MAX);
        for (index, child) in list.iter().enumerate() {
            self.part(child, &format!("{path}.elements[{index}]"), depth + 1, inner);
        }
    }
}
