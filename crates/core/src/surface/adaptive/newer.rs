//! Elements of the current schema that hosts of version 1.5 may not know: icons, badges, progress bars
//! and charts. Each has the form that every host draws as its `fallback`.

use serde_json::{Value, json};

use super::builder::Builder;
use super::layout::share;
use super::words::{color, is_subtle, plain};
use crate::surface::emoji;
use crate::surface::node::{self, Plot, glyph, kind, one_line, text};

/// ChatKit's icons by the names that Microsoft's icons have.
const FLUENT: &[(&str, &str)] = &[
    ("agent", "Bot"),
    ("analytics", "DataTrending"),
    ("batch", "Layer"),
    ("bolt", "Flash"),
    ("book-clock", "BookClock"),
    ("book-closed", "Book"),
    ("book-open", "BookOpen"),
    ("bug", "Bug"),
    ("calendar", "Calendar"),
    ("chart", "DataBarVertical"),
    ("check", "Checkmark"),
    ("check-circle", "CheckmarkCircle"),
    ("check-circle-filled", "CheckmarkCircle"),
    ("chevron-left", "ChevronLeft"),
    ("chevron-right", "ChevronRight"),
    ("circle-question", "QuestionCircle"),
    ("clock", "Clock"),
    ("close", "Dismiss"),
    ("compass", "CompassNorthwest"),
    ("confetti", "Sparkle"),
    ("cube", "Cube"),
    ("desktop", "Desktop"),
    ("document", "Document"),
    ("dot", "Circle"),
    ("dots-horizontal", "MoreHorizontal"),
    ("dots-vertical", "MoreVertical"),
    ("empty-circle", "Circle"),
    ("external-link", "Open"),
    ("globe", "Globe"),
    ("images", "ImageMultiple"),
    ("info", "Info"),
    ("keys", "Key"),
    ("lab", "Beaker"),
    ("lifesaver", "PersonSupport"),
    ("lightbulb", "Lightbulb"),
    ("mail", "Mail"),
    ("map-pin", "Location"),
    ("maps", "Map"),
    ("mobile", "Phone"),
    ("name", "Tag"),
    ("notebook", "Notebook"),
    ("notebook-pencil", "Note"),
    ("page-blank", "Document"),
    ("phone", "Call"),
    ("play", "Play"),
    ("plus", "Add"),
    ("profile", "Person"),
    ("profile-card", "ContactCard"),
    ("reload", "ArrowClockwise"),
    ("search", "Search"),
    ("settings-slider", "Options"),
    ("sparkle", "Sparkle"),
    ("sparkle-double", "Sparkle"),
    ("square-code", "Code"),
    ("square-image", "Image"),
    ("square-text", "DocumentText"),
    ("star", "Star"),
    ("star-filled", "Star"),
    ("suitcase", "Briefcase"),
    ("user", "Person"),
    ("wreath", "Trophy"),
    ("write", "Edit"),
    ("write-alt", "Edit"),
    ("write-alt2", "Edit"),
    ("x", "Dismiss"),
    ("x-circle", "DismissCircle"),
];

/// Icons that are signs in a text of their own colour; the others are emoji where icons are unknown.
const SIGNS: &[&str] = &["✓", "✗", "★", "☆", "●", "○", "›", "‹", "↗", "+", "…"];

/// Characters of a bar where there is no progress bar.
const SEGMENTS: usize = 10;

impl Builder<'_> {
    pub(super) fn icon(&mut self, node: &Value, at: &str) -> Vec<Value> {
        let name = text(node, "name").unwrap_or_default();
        let look = json!({"color": color(&node["color"]), "isSubtle": is_subtle(node)});
        let sign = glyph(&name).filter(|sign| SIGNS.contains(sign)).or_else(|| emoji::find(&name));
        let older = sign.and_then(|sign| plain(sign, &look).pop());
        let bare = name.rsplit(':').next().unwrap_or(&name);
        let newer = FLUENT.iter().find(|(icon, _)| *icon == bare).map(|(_, fluent)| *fluent);
        let Some(fluent) = newer else {
            if older.is_none() {
                self.lose(at, &format!("the icon {name} has no counterpart"));
            }
            return older.into_iter().collect();
        };
        if older.is_none() {
            self.lose(at, &format!("hosts that know no icons leave {name} out"));
        }
        let mut icon = json!({"type": "Icon", "name": fluent, "size": "xSmall"});
        if bare.ends_with("-filled") || bare == "dot" {
            icon["style"] = "Filled".into();
        }
        if color(&node["color"]) != "Default" {
            icon["color"] = color(&node["color"]).into();
        }
        icon["fallback"] = older.unwrap_or_else(|| "drop".into());
        vec![icon]
    }

    pub(super) fn badge(&self, node: &Value) -> Vec<Value> {
        let Some(label) = text(node, "label").map(|label| one_line(&label)) else {
            return Vec::new();
        };
        let look = json!({"size": "Small", "weight": "Bolder", "color": color(&node["color"])});
        let style = match color(&node["color"]) {
            "Default" => "Subtle",
            style => style,
        };
        let shape = if node["pill"] == true { "Circular" } else { "Rounded" };
        let Some(older) = plain(&label, &look).pop() else { return Vec::new() };
        vec![json!({
            "type": "Badge", "text": label, "style": style, "appearance": "Tint",
            "shape": shape, "fallback": older,
        })]
    }

    /// A coloured dot as a sign; none if the colour means nothing.
    pub(super) fn dot(&self, node: &Value) -> Vec<Value> {
        let name = color(&node["background"]);
        let is_grey = text(node, "background").is_some_and(|css| css.starts_with("alpha"));
        if name == "Default" && !is_grey {
            return Vec::new();
        }
        plain("●", &json!({"size": "Small", "color": name, "isSubtle": is_grey}))
    }

    /// A progress bar; `is_said` if its share is in the words beside it.
    pub(super) fn progress(&self, node: &Value, part: f64, is_said: bool) -> Vec<Value> {
        let inner = node::children(node).first();
        let name = match inner.map_or("Default", |inner| color(&inner["background"])) {
            "Default" => "Accent",
            name => name,
        };
        let full = (part * SEGMENTS as f64).round() as usize;
        let mut bar = "▰".repeat(full) + &"▱".repeat(SEGMENTS - full);
        if !is_said {
            bar.push_str(&format!(" {}", share(part)));
        }
        let older = plain(&bar, &json!({"color": name})).pop();
        vec![json!({
            "type": "ProgressBar", "value": (part * 100.0).round(), "max": 100, "color": name,
            "fallback": older,
        })]
    }
}

/// A chart, if the current schema has one for its series.
pub(super) fn chart(node: &Value, plot: &Plot<'_>) -> Option<Value> {
    let kind_of = |spec: &Value| match kind(spec) {
        "line" | "area" => "Chart.Line",
        _ => "Chart.VerticalBar",
    };
    let first = plot.series.first()?;
    let is_one_kind = plot.series.iter().all(|one| kind_of(one.spec) == kind_of(first.spec));
    if plot.labels.is_empty() || !is_one_kind {
        return None;
    }
    let mut series = Vec::new();
    for one in &plot.series {
        let points = plot.labels.iter().zip(&one.values);
        let points: Option<Vec<Value>> =
            points.map(|(label, value)| Some(json!({"x": label, "y": (*value)?}))).collect();
        series.push((one.label.clone(), points?));
    }
    let is_stacked = node["series"].as_array().is_some_and(|all| {
        all.iter().any(|one| one["stack"].is_string() || one["stackId"].is_string())
    });
    Some(match (kind_of(first.spec), series.len()) {
        ("Chart.VerticalBar", 1) => {
            let (name, data) = series.remove(0);
            json!({"type": "Chart.VerticalBar", "yAxisTitle": name, "data": data})
        }
        (kind, _) => {
            let data: Vec<Value> = series
                .into_iter()
                .map(|(legend, values)| json!({"legend": legend, "values": values}))
                .collect();
            let kind = if kind == "Chart.Line" { kind } else { "Chart.VerticalBar.Grouped" };
            let mut chart = json!({"type": kind, "data": data});
            if is_stacked && kind != "Chart.Line" {
                chart["stacked"] = true.into();
            }
            chart
        }
    })
}
