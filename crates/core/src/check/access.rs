//! What a person with low vision, or one who listens to the page, would miss.

use serde_json::Value;
use widgetcast_engine::error::{Error, Kind};
use widgetcast_engine::tree::component::Component;

use super::contrast::{self, Rgb};

/// Contrast that WCAG AA asks of ordinary and of large text.
const ORDINARY: f64 = 4.5;
const LARGE: f64 = 3.0;

/// Images without alternative text, fields without a label, text too faint to read. A null stands
/// for a value that is not known yet, and is given the benefit of the doubt.
pub(super) fn faults(tree: &Value) -> Vec<Error> {
    let mut labels = Vec::new();
    collect_labels(tree, &mut labels);
    let mut faults = Vec::new();
    walk(tree, "", None, &labels, &mut faults);
    faults
}

fn collect_labels<'t>(node: &'t Value, labels: &mut Vec<&'t Value>) {
    if node["type"] == "Label" {
        labels.push(&node["fieldName"]);
    }
    children(node).for_each(|(_, child)| collect_labels(child, labels));
}

fn walk(node: &Value, at: &str, behind: Option<Rgb>, labels: &[&Value], faults: &mut Vec<Error>) {
    let Some(kind) = node["type"].as_str() else { return };
    let mut fault = |kind: Kind, message: String, help: &str| {
        faults.push(Error::new(kind, message).with_help(help).with_pointer(at));
    };
    // A background that is not a plain colour hides what is behind it.
    let behind = match node.get("background") {
        Some(Value::String(colour)) => contrast::parse(colour),
        Some(_) => None,
        None => behind,
    };
    if kind == "Image" && node.get("alt").is_none() {
        let help = "say what it shows in `alt`; `\"alt\": \"\"` if it only decorates";
        fault(Kind::ImageAlt, "the image has no alternative text".into(), help);
    }
    if Component::find(kind).is_some_and(Component::is_field) {
        let name = &node["name"];
        let labelled = name.is_null()
            || labels.iter().any(|label| label.is_null() || *label == name)
            || node.get("label").is_some()
            || node.get("ariaLabel").is_some();
        if !labelled {
            let help = match kind {
                "Checkbox" => "give it a `label`",
                "RadioGroup" => {
                    "give it an `ariaLabel`, or put a Label with its `fieldName` before it"
                }
                _ => {
                    "put a Label with its `fieldName` before it; a placeholder disappears on typing"
                }
            };
            fault(Kind::FieldLabel, format!("the field {name} has no label"), help);
        }
    }
    if let (Some(colour), Some(behind)) = (node["color"].as_str().and_then(contrast::parse), behind)
        && matches!(kind, "Text" | "Title" | "Caption" | "Label")
    {
        let large = kind == "Title" && !matches!(node["size"].as_str(), Some("sm"));
        let wanted = if large { LARGE } else { ORDINARY };
        let ratio = contrast::ratio(colour, behind);
        if ratio < wanted {
            let message = format!(
                "the contrast of text and background is {ratio:.1}, and {wanted} is the least that reads well"
            );
            fault(
                Kind::Contrast,
                message,
                "take a darker or a lighter colour, or a token such as `secondary`",
            );
        }
    }
    for (index, child) in children(node) {
        let at = match index {
            Some(index) => format!("{at}/children/{index}"),
            None => format!("{at}/children"),
        };
        walk(child, &at, behind, labels, faults);
    }
}

fn children(node: &Value) -> impl Iterator<Item = (Option<usize>, &Value)> {
    let (list, one) = match &node["children"] {
        Value::Array(list) => (list.as_slice(), None),
        one @ Value::Object(_) => (&[][..], Some(one)),
        _ => (&[][..], None),
    };
    list.iter()
        .enumerate()
        .map(|(index, child)| (Some(index), child))
        .chain(one.map(|child| (None, child)))
}
