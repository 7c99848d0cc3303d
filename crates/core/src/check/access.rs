//! Accessibility: what a user with low vision, or one who uses a screen reader, would miss.

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use serde_json::Value;
use widgetcast_engine::budget;
use widgetcast_engine::error::{Error, Finding, Fix, Kind, Severity};
use widgetcast_engine::suggest::nearest;
use widgetcast_engine::tree::component::Component;

use super::checker::{Checker, MAX_FINDINGS};
use super::contrast::{self, Rgb};

/// The contrast that WCAG AA requires of normal and of large text.
const ORDINARY: f64 = 4.5;
const LARGE: f64 = 3.0;
/// Minimum contrast on a card in the host's colours: nearly white, or nearly black in dark mode. No colour
/// reads well on both.
const PLAIN: f64 = 1.6;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mode {
    Light,
    Dark,
}

impl Mode {
    fn name(self) -> &'static str {
        match self {
            Self::Light => "light",
            Self::Dark => "dark",
        }
    }

    /// A colour in this mode; none if it depends on the page.
    fn colour(self, value: &Value) -> Option<Rgb> {
        contrast::parse(value.as_str().or_else(|| value[self.name()].as_str())?)
    }
}

/// The background of a text.
#[derive(Clone, Copy)]
enum Behind {
    /// The card, in the host's colours.
    Card,
    /// This colour.
    Colour(Rgb),
    /// A token, a gradient or an image.
    Unknown,
}

/// Checks every tree that the template can write; each kind of fault is reported once per place.
pub(super) fn check(checker: &mut Checker<'_>) {
    let mut found: Vec<(Finding, Range<usize>)> = Vec::new();
    let mut known: HashSet<(Kind, Range<usize>)> = HashSet::new();
    checker.widget.template().witnesses(&mut |tree, find| {
        for fault in faults(tree) {
            if found.len() < MAX_FINDINGS
                && let Some(range) = find(&fault.error.place().pointer)
                && known.insert((fault.error.kind(), range.clone()))
            {
                found.push((fault, range));
            }
        }
    });
    for (Finding { severity, error, .. }, range) in found {
        checker.in_text("template", severity, error, Fix::None, &range);
    }
}

/// Images without alt text, fields without a label, text with too little contrast. Null stands for a value
/// that is only known with data, and is never a fault.
fn faults(tree: &Value) -> Vec<Finding> {
    let mut labels = Labels::default();
    labels.collect(tree);
    labels.find_slips();
    let mut faults = Vec::new();
    walk(tree, None, "", &labels, &mut faults);
    // Most colours fail in both modes, or in none.
    for mode in [Mode::Light, Mode::Dark] {
        colours(tree, "", mode, Behind::Card, &mut faults);
    }
    faults
}

/// The names of the fields with a label, and of all fields.
#[derive(Default)]
struct Labels<'t> {
    names: HashSet<&'t str>,
    /// Whether a label may belong to any field: which one is only known with data.
    is_open: bool,
    fields: Vec<&'t str>,
    /// Labels with a misspelt field name, and the field.
    slips: HashMap<&'t str, &'t str>,
    /// Whether there may be other fields, which are only known with data.
    has_other_fields: bool,
}

impl<'t> Labels<'t> {
    fn collect(&mut self, node: &'t Value) {
        if node["type"] == "Label" {
            match &node["fieldName"] {
                Value::String(name) => _ = self.names.insert(name),
                name => self.is_open |= name.is_null(),
            }
        }
        let is_field = |kind: &str| Component::find(kind).is_some_and(Component::is_field);
        if node["type"].as_str().is_some_and(is_field) {
            match &node["name"] {
                Value::String(name) => self.fields.push(name),
                name => self.has_other_fields |= name.is_null(),
            }
        }
        let is_hole = node.get("children").is_some_and(Value::is_null) || node.is_null();
        self.has_other_fields |= is_hole;
        children(node).for_each(|(_, child)| self.collect(child));
    }

    /// Finds the fields for labels without a field: those with a misspelt field name.
    fn find_slips(&mut self) {
        if self.has_other_fields || self.fields.is_empty() {
            return;
        }
        let fields: HashSet<&str> = self.fields.iter().copied().collect();
        let free: Vec<&'t str> =
            self.fields.iter().copied().filter(|field| !self.names.contains(field)).collect();
        let mut lost: Vec<&'t str> = self.names.difference(&fields).copied().collect();
        lost.sort_unstable();
        let meant = |label: &'t str| Some((label, nearest(label, free.iter().copied())?));
        self.slips = lost.into_iter().take(MAX_FINDINGS).filter_map(meant).collect();
    }

    /// The field that a misspelt label probably belongs to.
    fn meant(&self, label: &str) -> Option<&'t str> {
        self.slips.get(label).copied()
    }

    /// Whether a misspelt label probably belongs to this field.
    fn has_slip_for(&self, name: &Value) -> bool {
        name.as_str().is_some_and(|name| self.slips.values().any(|meant| *meant == name))
    }

    fn has(&self, name: &Value) -> bool {
        self.is_open || name.as_str().is_some_and(|name| self.names.contains(name))
    }
}

fn walk(
    node: &Value,
    before: Option<&Value>,
    at: &str,
    labels: &Labels<'_>,
    faults: &mut Vec<Finding>,
) {
    if budget::steps(1).is_err() {
        return;
    }
    let Some(kind) = node["type"].as_str() else { return };
    let warning = |error: Error| Finding::new(Severity::Warning, error);
    faults.extend(missing_alt(node, kind).map(|error| warning(error.with_pointer(at))));
    let unlabelled = missing_label(node, kind, before, labels);
    faults
        .extend(unlabelled.map(|(severity, error)| Finding::new(severity, error.with_pointer(at))));
    let lost = lost_label(node, kind, labels);
    faults.extend(lost.map(|error| warning(error.with_pointer(format!("{at}/fieldName")))));
    let mut before = None;
    for (place, child) in children(node) {
        walk(child, before.replace(child), &format!("{at}{place}"), labels, faults);
    }
}

fn colours(node: &Value, at: &str, mode: Mode, behind: Behind, faults: &mut Vec<Finding>) {
    if budget::steps(1).is_err() {
        return;
    }
    let Some(kind) = node["type"].as_str() else { return };
    let mode = match node["theme"].as_str() {
        Some("dark") => Mode::Dark,
        Some("light") => Mode::Light,
        _ => mode,
    };
    // A background that is not a plain colour hides whatever is behind it.
    let behind = match node.get("background") {
        Some(background) => mode.colour(background).map_or(Behind::Unknown, Behind::Colour),
        None => behind,
    };
    let is_known =
        |fault: &Finding| fault.error.kind() == Kind::Contrast && fault.error.place().pointer == at;
    if let Some(error) = low_contrast(node, kind, mode, behind)
        && !faults.iter().any(is_known)
    {
        faults.push(Finding::new(Severity::Warning, error.with_pointer(at)));
    }
    for (place, child) in children(node) {
        colours(child, &format!("{at}{place}"), mode, behind, faults);
    }
}

fn missing_alt(node: &Value, kind: &str) -> Option<Error> {
    (kind == "Image" && node.get("alt").is_none()).then(|| {
        Error::new(Kind::ImageAlt, "the image has no alt text")
            .with_help("describe it in `alt`; use `\"alt\": \"\"` if it is decorative")
    })
}

/// A field without a label. Hosts that do not render the tree use the text before it, screen readers do not.
fn missing_label(
    node: &Value,
    kind: &str,
    before: Option<&Value>,
    labels: &Labels<'_>,
) -> Option<(Severity, Error)> {
    if !Component::find(kind).is_some_and(Component::is_field) {
        return None;
    }
    let name = &node["name"];
    let labelled = name.is_null()
        || labels.has(name)
        || labels.has_slip_for(name)
        || node.get("label").is_some()
        || node.get("ariaLabel").is_some();
    if labelled {
        return None;
    }
    let has_text = before.is_some_and(|node| node["type"] == "Text" || node["type"] == "Caption");
    let severity = if has_text { Severity::Note } else { Severity::Warning };
    let help = match kind {
        _ if has_text => {
            "turn the text before it into a Label with its `fieldName`, so that screen readers announce it"
        }
        "Checkbox" => "give it a `label`",
        "RadioGroup" => "give it an `ariaLabel`, or put a Label with its `fieldName` before it",
        _ => {
            "put a Label with its `fieldName` before it; a placeholder disappears when the user types"
        }
    };
    let error = Error::new(Kind::FieldLabel, format!("the field {name} has no label"));
    Some((severity, error.with_help(help)))
}

/// A label with a misspelt field name. One that is similar to no field is ignored, because authors use labels
/// as captions, too.
fn lost_label(node: &Value, kind: &str, labels: &Labels<'_>) -> Option<Error> {
    let name = node["fieldName"].as_str().filter(|_| kind == "Label")?;
    let field = labels.meant(name)?;
    let error = Error::new(Kind::FieldLabel, format!("there is no field {name:?}"));
    Some(error.with_help(format!("did you mean {field}?")))
}

fn low_contrast(node: &Value, kind: &str, mode: Mode, behind: Behind) -> Option<Error> {
    if !matches!(kind, "Text" | "Title" | "Caption" | "Label") {
        return None;
    }
    let colour = mode.colour(&node["color"])?;
    let is_large = kind == "Title" && node["size"] != "sm";
    let on = |behind, wanted| Some(contrast::ratio(colour, behind)).filter(|it| *it < wanted);
    let (message, help) = match behind {
        Behind::Unknown => return None,
        Behind::Card => {
            let card = if mode == Mode::Dark { contrast::NIGHT } else { contrast::WHITE };
            let (ratio, mode) = (on(card, PLAIN)?, mode.name());
            (
                format!(
                    "on a plain card in {mode} mode, the contrast ratio of this text is {ratio:.1}"
                ),
                "use a token such as `secondary`, or `{ \"light\": …, \"dark\": … }`",
            )
        }
        Behind::Colour(behind) => {
            let wanted = if is_large { LARGE } else { ORDINARY };
            let ratio = on(behind, wanted)?;
            (
                format!(
                    "the contrast ratio of the text is {ratio:.1}; it should be at least {wanted}"
                ),
                "use a darker or lighter colour, or a token such as `secondary`",
            )
        }
    };
    Some(Error::new(Kind::Contrast, message).with_help(help))
}

/// The children, and their path below the node.
fn children(node: &Value) -> impl Iterator<Item = (String, &Value)> {
    let (list, one) = match &node["children"] {
        Value::Array(list) => (list.as_slice(), None),
        one @ Value::Object(_) => (&[][..], Some(one)),
        _ => (&[][..], None),
    };
    let list = list.iter().enumerate().map(|(at, child)| (format!("/children/{at}"), child));
    list.chain(one.map(|child| ("/children".to_owned(), child)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn found(child: Value) -> Vec<(Kind, String)> {
        let mut tree = json!({"type": "Card", "background": "#fff"});
        tree["children"] = Value::Array(vec![child]);
        let faults = faults(&tree);
        let places = faults.iter().map(|fault| &fault.error);
        places.map(|error| (error.kind(), error.place().pointer.clone())).collect()
    }

    #[test]
    fn fields_and_images_need_words() {
        let child = || "/children/0".to_owned();
        assert_eq!(found(json!({"type": "Image"})), [(Kind::ImageAlt, child())]);
        assert_eq!(found(json!({"type": "Image", "alt": ""})), []);
        for field in ["Input", "Textarea", "Select", "DatePicker", "Checkbox", "RadioGroup"] {
            let bare = json!({"type": field, "name": "a"});
            assert_eq!(found(bare), [(Kind::FieldLabel, child())], "{field}");
            assert_eq!(found(json!({"type": field, "name": null})), [], "{field}");
            assert_eq!(found(json!({"type": field, "name": "a", "label": "A"})), [], "{field}");
            assert_eq!(found(json!({"type": field, "name": "a", "ariaLabel": "A"})), [], "{field}");
            let labelled = |label: Value| {
                json!({"type": "Form", "children": {"type": "Col", "children": [
                    {"type": "Label", "fieldName": label}, {"type": field, "name": "a"}]}})
            };
            assert_eq!(found(labelled(json!("a"))), [], "{field}");
            assert_eq!(found(labelled(json!(null))), [], "{field}");
            let other = "/children/0/children/children/1".to_owned();
            let label = "/children/0/children/children/0/fieldName".to_owned();
            assert_eq!(found(labelled(json!("A"))), [(Kind::FieldLabel, label)], "{field}");
            assert_eq!(found(labelled(json!("other"))), [(Kind::FieldLabel, other)], "{field}");
        }
    }

    #[test]
    fn a_text_before_a_field_is_half_a_label() {
        let severity = |children: Value| {
            let faults = faults(&json!({"type": "Card", "children": children}));
            faults.iter().map(|fault| fault.severity).collect::<Vec<_>>()
        };
        let field = json!({"type": "Input", "name": "a"});
        for kind in ["Text", "Caption"] {
            let text = json!({"type": kind, "value": null});
            assert_eq!(severity(json!([text, field])), [Severity::Note], "{kind}");
            let row = json!({"type": "Row", "children": [text, field]});
            assert_eq!(severity(json!([row])), [Severity::Note], "{kind}");
            assert_eq!(severity(json!([field, text])), [Severity::Warning], "{kind}");
            assert_eq!(severity(json!([text, row])), [Severity::Note], "{kind}");
        }
        let title = json!({"type": "Title", "value": "A form"});
        assert_eq!(severity(json!([title, field])), [Severity::Warning]);
    }

    #[test]
    fn text_needs_contrast_with_a_plain_card() {
        let on = |theme: Value, colour: Value| {
            let text = json!({"type": "Text", "value": "a", "color": colour});
            let found = faults(&json!({"type": "Card", "theme": theme, "children": [text]}));
            let said: Vec<String> = found.iter().map(|fault| fault.error.to_string()).collect();
            assert!(said.len() < 2, "{said:?}");
            let mode = |said: &str| {
                said.split(" mode").next().unwrap().rsplit(' ').next().unwrap().to_owned()
            };
            said.first().map(|said| mode(said)).unwrap_or_default()
        };
        let on_card = |colour: &str| on(Value::Null, json!(colour));
        for light in ["#eeeeee", "yellow"] {
            assert_eq!(on_card(light), "light", "{light}");
        }
        for dark in ["#111", "black", "#333333"] {
            assert_eq!(on_card(dark), "dark", "{dark}");
        }
        for fine in ["#888", "#b45309", "secondary"] {
            assert_eq!(on_card(fine), "", "{fine}");
        }
        let both = |light: &str, dark: &str| json!({"light": light, "dark": dark});
        assert_eq!(on(Value::Null, both("#111", "#eee")), "");
        assert_eq!(on(Value::Null, both("#111", "secondary")), "");
        assert_eq!(on(Value::Null, both("#111", "#222")), "dark");
        assert_eq!(on(Value::Null, both("#eee", "#eee")), "light");
        assert_eq!(on(json!("dark"), json!("#eee")), "");
        assert_eq!(on(json!("light"), json!("#111")), "");
        assert_eq!(on(json!("dark"), json!("#111")), "dark");
    }

    #[test]
    fn text_needs_contrast_with_the_nearest_background() {
        // 3.5 to 1 is enough for large text only.
        let grey = |kind: &str| json!({"type": kind, "color": "#888"});
        for kind in ["Text", "Caption", "Label"] {
            assert_eq!(found(grey(kind)).len(), 1, "{kind}");
        }
        assert_eq!(found(grey("Title")), []);
        assert_eq!(found(json!({"type": "Title", "size": "sm", "color": "#888"})).len(), 1);
        assert_eq!(found(json!({"type": "Badge", "color": "#888"})), []);
        let over = |background: Value| {
            found(json!({"type": "Box", "background": background, "children": [grey("Text")]}))
                .len()
        };
        assert_eq!(over(json!("black")), 0);
        assert_eq!(over(json!("white")), 1);
        assert_eq!(over(json!("surface-secondary")), 0, "a token depends on the page");
        assert_eq!(over(json!({"light": "#fff", "dark": "#000"})), 1);
        assert_eq!(over(json!({"light": "#000", "dark": "#fff"})), 1);
        assert_eq!(over(json!({"light": "#000", "dark": "surface"})), 0);
    }
}
