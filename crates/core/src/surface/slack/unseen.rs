//! What Slack never shows, wherever it stands: icons without an emoji, and what is drawn with boxes.

use serde_json::Value;

use super::component::{children, icon};
use super::glyph;
use crate::surface::loss::Loss;
use crate::surface::node;

pub(super) fn losses(tree: &Value) -> Vec<Loss> {
    let mut losses = Vec::new();
    let mut open = vec![(tree, String::new())];
    while let Some((node, at)) = open.pop() {
        if let Some(reason) = reason(node) {
            losses.push(Loss::new(at, reason));
            continue;
        }
        let inner: Vec<_> = children(node, &at).collect();
        open.extend(inner.into_iter().rev());
    }
    losses
}

fn reason(node: &Value) -> Option<String> {
    let name = node["name"].as_str().filter(|_| node["type"] == "Icon");
    match name.filter(|name| icon(node).is_none() && glyph::is_missed(name)) {
        Some(name) => Some(format!("the icon {name} has no counterpart")),
        None if glyph::circle(&node["background"]).is_some() => None,
        None => node::is_dot(node).then(|| "a coloured dot has no counterpart".to_owned()),
    }
}
