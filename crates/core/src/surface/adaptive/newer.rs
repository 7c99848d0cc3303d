//! Elements of the current schema that hosts of version 1.5 may not know: icons, badges, progress bars
//! and charts. Each has the form that every host draws as its `fallback`.

use std::collections::HashSet;

use serde_json::{Value, json};

use super::builder::Builder;
use super::layout::{share, sign};
use super::words::{color, is_subtle, plain};
use crate::surface::emoji;
use crate::surface::node::{self, Plot, Series, kind, one_line, text};

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
    // Of lucide, those that have an emoji as well.
    ("alert-triangle", "Warning"),
    ("bell", "Alert"),
    ("bike", "VehicleBicycle"),
    ("building", "Building"),
    ("bus", "VehicleBus"),
    ("camera", "Camera"),
    ("car", "VehicleCar"),
    ("circle-alert", "ErrorCircle"),
    ("circle-check", "CheckmarkCircle"),
    ("circle-minus", "SubtractCircle"),
    ("circle-x", "DismissCircle"),
    ("cloud", "Cloud"),
    ("credit-card", "Payment"),
    ("download", "ArrowDownload"),
    ("file-text", "DocumentText"),
    ("flag", "Flag"),
    ("folder", "Folder"),
    ("gift", "Gift"),
    ("heart", "Heart"),
    ("home", "Home"),
    ("house", "Home"),
    ("key", "Key"),
    ("link", "Link"),
    ("lock", "LockClosed"),
    ("minus", "Subtract"),
    ("moon", "WeatherMoon"),
    ("plane", "Airplane"),
    ("settings", "Settings"),
    ("shopping-cart", "Cart"),
    ("sun", "WeatherSunny"),
    ("tag", "Tag"),
    ("trash", "Delete"),
    ("trash-2", "Delete"),
    ("triangle-alert", "Warning"),
    ("truck", "VehicleTruck"),
    ("upload", "ArrowUpload"),
    ("users", "People"),
    ("video", "Video"),
    ("volume-2", "Speaker2"),
    ("wallet", "Wallet"),
];

/// The colours of charts, by ChatKit's names.
const COLORS: [(&[&str], &str); 5] = [
    (&["blue", "info"], "categoricalBlue"),
    (&["green", "success"], "categoricalGreen"),
    (&["purple", "discovery"], "categoricalPurple"),
    (&["yellow", "orange", "warning", "caution"], "categoricalMarigold"),
    (&["red", "danger"], "categoricalRed"),
];

/// Characters of a bar where there is no progress bar.
const SEGMENTS: usize = 10;

/// The name that Microsoft's icon has.
fn fluent(icon: &str) -> Option<&'static str> {
    let bare = icon.rsplit(':').next().unwrap_or(icon);
    FLUENT.iter().find(|(name, _)| *name == bare).map(|(_, fluent)| *fluent)
}

impl<'v> Builder<'v> {
    /// A button of an icon alone, as an icon that is pressed: its label would be louder than what it
    /// stands beside.
    pub(super) fn icon_button(&mut self, node: &Value, at: &str) -> Option<(Value, Value)> {
        let name = text(node, "iconStart").or_else(|| text(node, "iconEnd"));
        let name = name.filter(|_| kind(node) == "Button" && text(node, "label").is_none())?;
        let is_quiet =
            node["disabled"] != true && node["submit"] != true && node["style"] != "primary";
        let action = node.get("onClickAction").filter(|_| is_quiet && fluent(&name).is_some())?;
        let icon = json!({"name": name, "size": "md", "color": node["color"]});
        let icon = self.icon(&icon, at).pop()?;
        Some((icon, self.action(&node::icon_words(&name), Some(action))))
    }

    pub(super) fn icon(&mut self, node: &Value, at: &str) -> Vec<Value> {
        let name = text(node, "name").unwrap_or_default();
        let (size, letters) = match node["size"].as_str() {
            Some("md") => ("Small", "Default"),
            Some("lg") => ("Standard", "Medium"),
            Some("xl") => ("Medium", "Large"),
            Some("2xl" | "3xl") => ("Large", "ExtraLarge"),
            _ => ("xSmall", "Default"),
        };
        let look = json!({
            "size": letters, "color": color(&node["color"]), "isSubtle": is_subtle(node),
        });
        // ChatKit has no icon of a warning: there it is a note in its colours.
        let name = match (name.as_str(), color(&node["color"])) {
            ("info", "Warning" | "Attention") => "triangle-alert".to_owned(),
            _ => name,
        };
        let (sign, emoji) = (sign(&name), emoji::find(&name));
        let older = if self.has_signs { sign.or(emoji) } else { emoji.or(sign) };
        let older = older.and_then(|sign| plain(sign, &look).pop());
        let bare = name.rsplit(':').next().unwrap_or(&name);
        let Some(fluent) = fluent(&name) else {
            if older.is_none() {
                self.lose(at, &format!("the icon {name} has no counterpart"));
            }
            return older.into_iter().collect();
        };
        if older.is_none() {
            self.lose(at, &format!("hosts that know no icons leave {name} out"));
        }
        let mut icon = json!({"type": "Icon", "name": fluent, "size": size});
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
        let Some(mut badge) = badge_alone(node) else { return Vec::new() };
        // A colour says something, and so it is said more loudly than a mere tag.
        let weight = if badge["style"] == "Subtle" { "Default" } else { "Bolder" };
        let look = json!({"size": "Small", "weight": weight, "color": color(&node["color"])});
        let label = badge["text"].as_str().unwrap_or_default();
        let Some(older) = plain(label, &look).pop() else { return Vec::new() };
        badge["fallback"] = older;
        vec![badge]
    }

    /// Badges beside each other, which go to the next line where there is no room. Hosts that know none
    /// show the first as all of them in one text, and drop the others.
    pub(super) fn chips(&self, nodes: &[(&'v Value, String)]) -> Vec<Value> {
        let mut badges: Vec<Value> =
            nodes.iter().filter_map(|(node, _)| badge_alone(node)).collect();
        let older = older_chips(&badges);
        for badge in badges.iter_mut().skip(1) {
            badge["fallback"] = "drop".into();
        }
        let Some(first) = badges.first_mut() else { return Vec::new() };
        first["fallback"] = older;
        let mut flow = json!({"type": "Container", "layouts": [{"type": "Layout.Flow",
            "horizontalItemsAlignment": "Left", "columnSpacing": "Small", "rowSpacing": "Small"}]});
        flow["items"] = badges.into();
        vec![flow]
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

/// A badge without what is drawn instead.
fn badge_alone(node: &Value) -> Option<Value> {
    let label = text(node, "label").map(|label| one_line(&label))?;
    let style = match color(&node["color"]) {
        "Default" => "Subtle",
        style => style,
    };
    let shape = if node["pill"] == true { "Circular" } else { "Rounded" };
    Some(json!({
        "type": "Badge", "text": label, "style": style, "appearance": "Tint", "shape": shape,
    }))
}

/// The labels of badges in one text, each in its colour.
fn older_chips(badges: &[Value]) -> Value {
    let labels = || badges.iter().map(|badge| badge["text"].as_str().unwrap_or_default());
    if badges.iter().all(|badge| badge["style"] == "Subtle") {
        let words = labels().collect::<Vec<_>>().join(" · ");
        return plain(&words, &json!({"size": "Small"})).pop().unwrap_or_default();
    }
    let mut runs: Vec<Value> = Vec::new();
    for (badge, label) in badges.iter().zip(labels()) {
        if !runs.is_empty() {
            runs.push(json!({"type": "TextRun", "text": " · ", "size": "Small", "isSubtle": true}));
        }
        let mut run = json!({"type": "TextRun", "text": label, "size": "Small"});
        if badge["style"] != "Subtle" {
            run["color"] = badge["style"].clone();
        }
        runs.push(run);
    }
    let mut block = json!({"type": "RichTextBlock"});
    block["inlines"] = runs.into();
    block
}

/// The charts that the current schema has for some series; none if it has none. Lines are not drawn among
/// bars: they are lines beside the bars, or beside the sum of a stack, which then has a chart of its own.
/// `is_said` if the name of the only series is in the words above.
pub(super) fn charts(plot: &Plot<'_>, is_said: bool) -> Vec<Value> {
    let colors = chart_colors(&plot.series);
    let (mut bars, mut lines) = (Vec::new(), Vec::new());
    for (index, series) in plot.series.iter().enumerate() {
        let Some(points) = points(&plot.labels, series) else { return Vec::new() };
        let mut one = json!({"legend": series.label});
        one["values"] = points.into();
        if let Some(color) = colors.get(index) {
            one["color"] = (*color).into();
        }
        if is_line(series) { lines.push(one) } else { bars.push(one) }
    }
    if plot.labels.is_empty() {
        return Vec::new();
    }
    let is_stacked = is_stacked(&plot.series);
    let mut charts = Vec::new();
    if lines.is_empty() || bars.len() > 1 {
        let total = is_stacked.then(|| sum(&plot.labels, &bars, &colors));
        charts.extend(bar_chart(std::mem::take(&mut bars), is_stacked, is_said));
        bars.extend(total.filter(|_| !lines.is_empty()));
    }
    if !lines.is_empty() {
        let starts_at_zero = !bars.is_empty() || plot.series.iter().any(|s| kind(s.spec) == "area");
        let all: Vec<Value> = bars.into_iter().chain(lines).collect();
        let mut chart = json!({"type": "Chart.Line"});
        if starts_at_zero {
            start_at_zero(&mut chart, &all);
        }
        if is_said {
            chart["showLegend"] = false.into();
        }
        chart["data"] = all.into();
        charts.push(chart);
    }
    if charts.len() > 1 {
        charts.iter_mut().for_each(entitle);
    }
    // The words above are about the first of them; another would run on from its legend.
    charts.iter_mut().skip(1).for_each(|chart| chart["showTitle"] = true.into());
    charts
}

/// The most series that a title names.
const NAMED: usize = 3;

/// Titles one chart of several by what is in it.
fn entitle(chart: &mut Value) {
    let series = chart["data"].as_array().map(Vec::as_slice).unwrap_or_default();
    let names: Vec<&str> = series.iter().filter_map(|one| one["legend"].as_str()).collect();
    let title = match names.as_slice() {
        [] => return,
        [only] => (*only).to_owned(),
        [first @ .., last] if names.len() <= NAMED => format!("{} and {last}", first.join(", ")),
        _ => return,
    };
    chart["title"] = title.into();
}

/// Bars beside each other or in stacks.
fn bar_chart(mut data: Vec<Value>, is_stacked: bool, is_said: bool) -> Option<Value> {
    if let [only] = data.as_mut_slice() {
        let mut chart = json!({"type": "Chart.VerticalBar"});
        start_at_zero(&mut chart, std::slice::from_ref(only));
        chart["data"] = only["values"].take();
        if let Some(color) = only.get_mut("color") {
            chart["color"] = color.take();
        }
        if !is_said {
            chart["yAxisTitle"] = only["legend"].take();
        }
        return Some(chart);
    }
    let mut chart = json!({"type": "Chart.VerticalBar.Grouped"});
    match is_stacked {
        true => chart["stacked"] = true.into(),
        false => start_at_zero(&mut chart, &data),
    }
    let has_data = !data.is_empty();
    chart["data"] = data.into();
    has_data.then_some(chart)
}

/// A length or an area says how much only if it starts at zero. Below zero a host finds the start.
fn start_at_zero(chart: &mut Value, data: &[Value]) {
    let values = data.iter().flat_map(|one| one["values"].as_array().into_iter().flatten());
    if values.into_iter().all(|point| point["y"].as_f64().is_some_and(|y| y >= 0.0)) {
        chart["yMin"] = 0.into();
    }
}

/// The sum of a stack of bars as a series, in a colour that no other has.
fn sum(labels: &[String], bars: &[Value], colors: &[&str]) -> Value {
    let points = labels.iter().enumerate().map(|(index, label)| {
        let parts = bars.iter().filter_map(|bar| bar["values"][index]["y"].as_f64());
        json!({"x": label, "y": parts.sum::<f64>()})
    });
    let mut sum = json!({"legend": "Total", "values": points.collect::<Vec<_>>()});
    let free = COLORS.iter().find(|(_, color)| !colors.contains(color));
    if let Some((_, color)) = free.filter(|_| !colors.is_empty()) {
        sum["color"] = (*color).into();
    }
    sum
}

/// The points of a series; none if it has no number at one of them.
fn points(labels: &[String], series: &Series<'_>) -> Option<Vec<Value>> {
    let points = labels.iter().zip(&series.values);
    points.map(|(label, value)| Some(json!({"x": label, "y": (*value)?}))).collect()
}

/// Whether one stack holds all bars: else their sum would be no sum.
fn is_stacked(series: &[Series<'_>]) -> bool {
    let stack =
        |one: &Series<'_>| ["stack", "stackId"].into_iter().find_map(|prop| text(one.spec, prop));
    let mut bars = series.iter().filter(|one| !is_line(one)).peekable();
    let first = bars.peek().and_then(|bar| stack(bar));
    first.is_some() && bars.all(|bar| stack(bar) == first)
}

/// The colours of all series; none if one has none of these, or two have the same.
fn chart_colors(series: &[Series<'_>]) -> Vec<&'static str> {
    let color = |one: &Series<'_>| {
        let color = &one.spec["color"];
        let name = color.as_str().or_else(|| color["light"].as_str())?;
        let name = name.split('-').next()?;
        COLORS.iter().find(|(names, _)| names.contains(&name)).map(|(_, color)| *color)
    };
    let colors: Option<Vec<&str>> = series.iter().map(color).collect();
    let all = colors.unwrap_or_default();
    let different: HashSet<&str> = all.iter().copied().collect();
    if different.len() == all.len() { all } else { Vec::new() }
}

/// Whether a chart has lines among its bars.
pub(super) fn is_mixed(plot: &Plot<'_>) -> bool {
    plot.series.iter().any(is_line) && !plot.series.iter().all(is_line)
}

fn is_line(series: &Series<'_>) -> bool {
    matches!(kind(series.spec), "line" | "area")
}
