//! Reading components of a tree, for every surface. Every function accepts any JSON: a surface shows
//! what it finds and never fails.

use std::borrow::Cow;

use serde_json::Value;
use widgetcast_engine::budget;
use widgetcast_engine::json::number_text;

/// The component's type; empty if it has none.
pub(super) fn kind(node: &Value) -> &str {
    node["type"].as_str().unwrap_or_default()
}

/// The children: a list or, in a Transition, a single component. Every surface descends through here, so
/// this is where its work is drawn from the budget; once that is exceeded there are none, and whoever set
/// the budget reports it.
pub(super) fn children(node: &Value) -> &[Value] {
    let children: &[Value] = match &node["children"] {
        Value::Array(list) => list,
        one @ Value::Object(_) => std::slice::from_ref(one),
        _ => &[],
    };
    if budget::steps(children.len() as u64).is_ok() { children } else { &[] }
}

/// The text of a prop, unless it is absent or blank.
pub(super) fn text(node: &Value, prop: &str) -> Option<String> {
    scalar(node.get(prop)?)
}

/// A string, a number or a flag as its text.
pub(super) fn scalar(value: &Value) -> Option<String> {
    let text = match value {
        Value::String(text) => text.clone(),
        Value::Number(number) => number_text(number),
        Value::Bool(flag) => flag.to_string(),
        _ => return None,
    };
    (!text.trim().is_empty()).then_some(text)
}

/// The text on one line.
pub(super) fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Whether its children stand side by side.
pub(super) fn is_row(node: &Value) -> bool {
    match kind(node) {
        "Row" | "ListViewItem" => true,
        "Box" | "Form" | "Basic" => node["direction"] == "row",
        _ => false,
    }
}

/// Whether a text stands out by its weight.
pub(super) fn is_bold(node: &Value) -> bool {
    matches!(node["weight"].as_str(), Some("semibold" | "bold"))
}

/// The name under which a field is submitted; for anything else none.
pub(super) fn field_name(node: &Value) -> Option<String> {
    match kind(node) {
        "Input" | "Textarea" | "Select" | "DatePicker" | "Checkbox" | "RadioGroup" => {
            text(node, "name")
        }
        "Text" => text(node.get("editable")?, "name"),
        _ => None,
    }
}

/// The address that an action opens, if that is what it does: an `https` one in its payload, and
/// an action that the client handles or that is named after opening.
pub(super) fn link(action: &Value) -> Option<&str> {
    let payload = &action["payload"];
    let url = payload["url"].as_str().or_else(|| payload["href"].as_str())?;
    let name = action["type"].as_str().unwrap_or_default().to_ascii_lowercase();
    let opens = action["handler"] == "client"
        || ["open", "link", "url", "visit"].iter().any(|word| name.contains(word));
    (opens && is_https(url)).then_some(url)
}

/// Whether the address is a plain `https` one.
pub(super) fn is_https(url: &str) -> bool {
    url.len() > 8
        && url.is_char_boundary(8)
        && url[..8].eq_ignore_ascii_case("https://")
        && !url.contains(|c: char| c.is_whitespace() || c.is_control())
}

/// The progress, from 0 to 1, of a progress bar: a box that holds one empty box whose width is a
/// percentage.
pub(super) fn progress(node: &Value) -> Option<f64> {
    let [inner] = children(node) else { return None };
    let is_bare = kind(inner) == "Box" && children(inner).is_empty();
    let part = inner["width"].as_str()?.strip_suffix('%')?.trim().parse::<f64>().ok()?;
    (kind(node) == "Box" && is_bare && inner.get("background").is_some())
        .then_some((part / 100.0).clamp(0.0, 1.0))
}

/// An empty box that only shows a colour: a dot, or a vertical line.
pub(super) fn is_mark(node: &Value) -> bool {
    let length = |at: &str| match &node[at] {
        Value::String(css) => css.trim_end_matches("px").parse().ok(),
        other => other.as_f64(),
    };
    let size = length("size").or_else(|| length("width")).or_else(|| length("height"));
    children(node).is_empty()
        && size.is_some_and(|size| (1.0..=48.0).contains(&size))
        && text(node, "background").is_none_or(|colour| colour != "none")
        && node.get("background").is_some()
}

/// Whether it is a vertical line, as tall as its row.
pub(super) fn is_bar(node: &Value) -> bool {
    is_mark(node) && node.get("width").is_some() && node.get("height").is_some()
}

/// Whether it is a coloured dot, which may mean a status.
pub(super) fn is_dot(node: &Value) -> bool {
    kind(node) == "Box" && is_mark(node) && !is_bar(node)
}

/// An ISO date and time for a person: without a time of midnight and without a zone.
pub(super) fn date(value: &str) -> String {
    match value.split_once('T') {
        Some((day, time)) if time.starts_with("00:00") => day.to_owned(),
        Some((day, time)) if time.is_char_boundary(5) && time.len() >= 5 => {
            format!("{day} {}", &time[..5])
        }
        _ => value.to_owned(),
    }
}

/// A chart's data: the labels of the axis, and the values of each series.
pub(super) struct Plot<'v> {
    pub(super) axis: String,
    /// At most [`SERIES`].
    pub(super) series: Vec<Series<'v>>,
    /// The labels of the points that were asked for.
    pub(super) labels: Vec<String>,
    /// How many points the chart has.
    pub(super) points: usize,
}

/// The most series of a chart that are read. Each has a value at every point, so without a bound a
/// chart of many series and many empty points would give the product of both.
const SERIES: usize = 64;

/// One series of a chart. `values` has `None` where `texts` is not a number.
pub(super) struct Series<'v> {
    pub(super) label: String,
    pub(super) spec: &'v Value,
    pub(super) values: Vec<Option<f64>>,
    pub(super) texts: Vec<String>,
}

/// Reads the first points of a chart.
pub(super) fn plot(node: &Value, most: usize) -> Plot<'_> {
    let axis = text(node, "xAxis").or_else(|| text(&node["xAxis"], "dataKey")).unwrap_or_default();
    let data = node["data"].as_array().map(Vec::as_slice).unwrap_or_default();
    let points = data.len();
    let data = &data[..points.min(most)];
    let names = &node["xAxis"]["labels"];
    let labels = data.iter().map(|row| {
        let label = text(row, &axis).unwrap_or_default();
        names.get(&label).and_then(scalar).unwrap_or(label)
    });
    let specs = node["series"].as_array().into_iter().flatten().take(SERIES);
    let series = specs.filter_map(|spec| {
        let key = text(spec, "dataKey")?;
        Some(Series {
            label: text(spec, "label").unwrap_or_else(|| key.clone()),
            spec,
            values: data.iter().map(|row| row[&key].as_f64().filter(|v| v.is_finite())).collect(),
            texts: data.iter().map(|row| text(row, &key).unwrap_or_default()).collect(),
        })
    });
    Plot { series: series.collect(), labels: labels.collect(), axis, points }
}

/// The most components, and the most bytes of a text, that [`start_of`] keeps.
const START: usize = 200;

/// The component itself if it is small, else a copy of its start: enough to name it, and of a size that
/// does not depend on what is in it.
pub(super) fn start_of(node: &Value) -> Cow<'_, Value> {
    fn values(value: &Value, left: &mut usize) -> bool {
        let own = value.as_str().map_or(1, |text| 1 + text.len() / 16);
        *left = left.saturating_sub(own);
        *left > 0
            && match value {
                Value::Array(items) => items.iter().all(|item| values(item, left)),
                Value::Object(members) => members.values().all(|member| values(member, left)),
                _ => true,
            }
    }
    if values(node, &mut (START * 10)) {
        return Cow::Borrowed(node);
    }
    Cow::Owned(clipped(node, &mut START.clone()))
}

fn clipped(value: &Value, left: &mut usize) -> Value {
    *left = left.saturating_sub(1);
    match value {
        Value::String(text) => head(text, START).into(),
        Value::Array(items) => {
            let mut kept = Vec::new();
            for item in items {
                if *left == 0 {
                    break;
                }
                kept.push(clipped(item, left));
            }
            Value::Array(kept)
        }
        Value::Object(members) => {
            // Only the props that name a component, and what is inside it.
            let named = ["type", "value", "label", "alt", "name", "direction", "children"];
            let kept = members.iter().filter(|(key, _)| named.contains(&key.as_str()));
            kept.map(|(key, member)| (key.clone(), clipped(member, left))).collect()
        }
        scalar => scalar.clone(),
    }
}

/// The images of one component whose alternative text is looked for in the texts beside them. Each
/// search reads all of these, so that many images would cost the square of their number.
pub(super) const SEARCHES: usize = 16;

/// The start of a text, of at most so many bytes.
pub(super) fn head(text: &str, bytes: usize) -> &str {
    let mut end = bytes.min(text.len());
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    &text[..end]
}

/// The name of an icon in words, for a button that has nothing else: `lucide:trash-2` is `Trash 2`.
pub(super) fn icon_words(icon: &str) -> String {
    capitalized(&one_line(&icon.rsplit(':').next().unwrap_or(icon).replace(['-', '_'], " ")))
}

/// A text with a capital at its start.
pub(super) fn capitalized(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or(String::new(), |first| first.to_uppercase().chain(letters).collect())
}

/// The single-width glyph of an icon.
pub(super) fn glyph(icon: &str) -> Option<&'static str> {
    let name = icon.rsplit(':').next().unwrap_or(icon);
    GLYPHS.iter().find(|(names, _)| names.contains(&name)).map(|(_, glyph)| *glyph)
}

/// Only characters that the fonts of terminals have, one column wide, and none that is an emoji.
pub(super) const GLYPHS: &[(&[&str], &str)] = &[
    (&["check", "check-circle", "check-circle-filled"], "✓"),
    (&["x", "x-circle", "close"], "✗"),
    (&["chevron-right"], "›"),
    (&["chevron-left"], "‹"),
    (&["external-link"], "↗"),
    (&["star"], "☆"),
    (&["star-filled"], "★"),
    (&["dot", "volume-2"], "●"),
    (&["empty-circle"], "○"),
    (&["plus"], "+"),
    (&["minus", "circle-minus"], "-"),
    (&["info"], "i"),
    (&["circle-question"], "?"),
    (&["play"], "▸"),
    (&["reload"], "↻"),
    (&["sparkle", "sparkle-double", "confetti"], "✦"),
    (&["dots-horizontal", "dots-vertical"], "…"),
    (&["search"], "⌕"),
    (&["write", "write-alt", "write-alt2", "notebook-pencil"], "✎"),
    (&["document", "page-blank", "square-text", "notebook"], "▤"),
    (&["images", "square-image"], "▨"),
    (&["clock", "book-clock"], "◷"),
    (&["chart", "analytics"], "▥"),
    (&["calendar"], "▦"),
    (&["map-pin", "maps", "compass"], "◈"),
    (&["settings-slider"], "≡"),
    (&["cube", "batch"], "◫"),
    (&["mail"], "@"),
    (&["user", "profile", "profile-card", "name"], "◉"),
    (&["globe", "lifesaver"], "◎"),
    (&["square-code"], "#"),
    (&["lightbulb"], "☼"),
    (&["phone", "mobile"], "☏"),
    (&["bolt"], "↯"),
    (&["agent"], "◆"),
    (&["suitcase"], "▬"),
    (&["book-open", "book-closed"], "▯"),
    (&["keys"], "⊸"),
];
