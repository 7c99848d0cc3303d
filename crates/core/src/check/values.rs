//! Values that are valid for their prop, but inconsistent or useless: a default that is not an option, an
//! invalid date, a button without content, a URL that no host can load, one name for two fields. Constants
//! are checked in the template's witnesses, where null stands for an unknown value; data is checked in the
//! tree of the sample.

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use serde_json::Value;
use widgetcast_engine::budget;
use widgetcast_engine::error::{Error, Fix, Kind, Severity};
use widgetcast_engine::suggest::did_you_mean;
use widgetcast_engine::tree::brief;
use widgetcast_engine::tree::component::Component;

use super::checker::{Checker, MAX_FINDINGS};
use super::contents;

/// Maximum faults of a sample that are looked up in the template, which is parsed again for each.
const MAX_SAMPLE_FAULTS: usize = 20;

/// Checks the constants of the template.
pub(super) fn check_template(checker: &mut Checker<'_>) {
    let mut found: Vec<(Error, Range<usize>)> = Vec::new();
    let mut known: HashSet<(String, Range<usize>)> = HashSet::new();
    let properties = checker.schema["properties"].as_object();
    let names: Vec<&str> =
        properties.into_iter().flatten().map(|(name, _)| name.as_str()).collect();
    checker.widget.template().witnesses(&mut |tree, find| {
        let mut faults = Vec::new();
        walk(tree, "", Some(&names), &mut faults);
        for error in faults {
            if found.len() < MAX_FINDINGS
                && let Some(range) = find(&error.place().pointer)
                && known.insert((error.message().to_owned(), range.clone()))
            {
                found.push((error, range));
            }
        }
    });
    for (error, range) in found {
        let range = mark(checker, &error, range);
        checker.in_text("template", Severity::Warning, error, Fix::None, &range);
    }
}

/// The range to mark for an error about a value; for an unknown member, its name.
fn mark(checker: &Checker<'_>, error: &Error, range: Range<usize>) -> Range<usize> {
    match error.kind() {
        Kind::UnknownProp => checker.key_of(range),
        _ => range,
    }
}

/// Checks the tree of the sample.
pub(super) fn check_sample(checker: &mut Checker<'_>) {
    let widget = checker.widget;
    let Ok(view) = widget.render_unvalidated(&widget.sample()) else { return };
    let tree = view.tree();
    let mut faults = Vec::new();
    // Generated values have no meaning.
    if checker.extras.sample.is_some() {
        walk(&tree, "", None, &mut faults);
    }
    same_names(&tree, &mut faults);
    let said: HashSet<String> =
        checker.findings.iter().map(|finding| finding.error.message().to_owned()).collect();
    // The items of a list have the same fault at one place of the template.
    let mut known: HashSet<(Kind, Range<usize>)> = HashSet::new();
    for error in faults.into_iter().take(MAX_SAMPLE_FAULTS) {
        let range = widget.template().locate(&error.place().pointer).unwrap_or(0..1);
        if !said.contains(error.message()) && known.insert((error.kind(), range.clone())) {
            let range = mark(checker, &error, range);
            checker.in_text("template", Severity::Warning, error, Fix::None, &range);
        }
    }
}

/// The faults of each component. `names`: the data's names, if the component is in the template, where null
/// stands for an unknown value.
fn walk(node: &Value, at: &str, names: Option<&[&str]>, faults: &mut Vec<Error>) {
    if budget::steps(1).is_err() {
        return;
    }
    let Some(kind) = node["type"].as_str() else { return };
    let found = match kind {
        "Select" | "RadioGroup" => no_option(node, kind),
        "DatePicker" => no_date(node),
        "Button" => empty_button(node, names.is_some()),
        "Image" => no_address(node),
        _ => None,
    };
    faults.extend(found.map(|(prop, error)| error.with_pointer(format!("{at}{prop}"))));
    faults.extend(contents::faults(node, kind, at, names));
    for (at, child) in children(node, at) {
        walk(child, &at, names, faults);
    }
}

fn children<'t>(node: &'t Value, at: &str) -> Vec<(String, &'t Value)> {
    match &node["children"] {
        Value::Array(list) => {
            let each = list.iter().enumerate();
            each.map(|(index, child)| (format!("{at}/children/{index}"), child)).collect()
        }
        one @ Value::Object(_) => vec![(format!("{at}/children"), one)],
        _ => Vec::new(),
    }
}

type Found = Option<(&'static str, Error)>;

fn no_option(node: &Value, kind: &str) -> Found {
    let value = node["defaultValue"].as_str()?;
    let options = node["options"].as_array()?;
    let values: Option<Vec<&str>> = options.iter().map(|option| option["value"].as_str()).collect();
    let values = values?;
    if values.contains(&value) {
        return None;
    }
    let message =
        format!("defaultValue of {kind} must be one of its options, not {}", brief(value));
    let label = options.iter().find(|option| option["label"] == value);
    let help = match label {
        Some(option) => format!("use the option's value, {}, not its label", option["value"]),
        None => did_you_mean(value, values.iter().copied()),
    };
    let help = if help.is_empty() {
        format!("the options are {}", values.iter().take(8).copied().collect::<Vec<_>>().join(", "))
    } else {
        help
    };
    Some(("/defaultValue", Error::new(Kind::UnknownValue, message).with_help(help)))
}

fn no_date(node: &Value) -> Found {
    let props = [("/defaultValue", "defaultValue"), ("/min", "min"), ("/max", "max")];
    let (pointer, prop, text) = props.into_iter().find_map(|(pointer, prop)| {
        let text = node[prop].as_str().filter(|text| !is_date(text))?;
        Some((pointer, prop, text))
    })?;
    let message = format!("{prop} of DatePicker is {}, not a date", brief(text));
    let help = match american(text) {
        Some(date) => format!("write {date:?}"),
        None => "write the year, the month and the day: \"2026-12-31\"".to_owned(),
    };
    Some((pointer, Error::new(Kind::UnknownValue, message).with_help(help)))
}

/// Whether a text starts with an ISO 8601 date.
fn is_date(text: &str) -> bool {
    let (date, time) = text.split_at_checked(10).unwrap_or((text, ""));
    let parts: Vec<&str> = date.split('-').collect();
    let [year, month, day] = parts.as_slice() else { return false };
    let number = |part: &str, length: usize| -> Option<u32> {
        let is_plain = part.len() == length && part.bytes().all(|byte| byte.is_ascii_digit());
        is_plain.then(|| part.parse().ok()).flatten()
    };
    let is_time = time.is_empty() || time.starts_with(['T', 't', ' ']);
    number(year, 4).is_some()
        && number(month, 2).is_some_and(|month| (1..=12).contains(&month))
        && number(day, 2).is_some_and(|day| (1..=31).contains(&day))
        && is_time
}

/// The ISO form of `12/31/2026`, if it is unambiguous.
fn american(text: &str) -> Option<String> {
    let parts: Vec<u32> = text.split('/').map(|part| part.parse().ok()).collect::<Option<_>>()?;
    let [month, day, year] = parts.as_slice() else { return None };
    let is_sure =
        (1..=12).contains(month) && (13..=31).contains(day) && (1000..=9999).contains(year);
    is_sure.then(|| format!("{year:04}-{month:02}-{day:02}"))
}

fn empty_button(node: &Value, has_holes: bool) -> Found {
    let shows = |prop: &str| match node.get(prop) {
        None => false,
        Some(Value::String(text)) => !text.trim().is_empty(),
        Some(_) => has_holes,
    };
    let is_empty = !["label", "iconStart", "iconEnd"].into_iter().any(shows);
    let error = || {
        Error::new(Kind::ButtonEmpty, "the button has no content")
            .with_help("add a `label`, or an icon as `iconStart`")
    };
    is_empty.then(|| ("", error()))
}

fn no_address(node: &Value) -> Found {
    let address = node["src"].as_str()?;
    let lower = address.trim().to_ascii_lowercase();
    if lower.starts_with("http:") && !lower.starts_with("http://localhost") {
        let message = format!("src of Image is {}, which does not use HTTPS", brief(address));
        let error = Error::new(Kind::ImageAddress, message)
            .with_help("use `https://`; most hosts refuse to load it otherwise");
        return Some(("/src", error));
    }
    let known = ["https:", "http:", "data:", "blob:"];
    if known.iter().any(|scheme| lower.starts_with(scheme)) {
        return None;
    }
    let message = format!("src of Image is {}, which no host can load", brief(address));
    let error = Error::new(Kind::ImageAddress, message)
        .with_help("write a full `https://` URL, or a `data:` URL");
    Some(("/src", error))
}

/// Fields of one form with the same name: only one of their values is submitted.
fn same_names(tree: &Value, faults: &mut Vec<Error>) {
    let mut names: HashMap<String, (usize, String)> = HashMap::new();
    fields(tree, "", &mut names, faults);
    report_names(names, faults);
}

fn report_names(names: HashMap<String, (usize, String)>, faults: &mut Vec<Error>) {
    let mut taken: Vec<_> = names.into_iter().filter(|(_, (count, _))| *count > 1).collect();
    taken.sort();
    for (name, (count, pointer)) in taken {
        let message = format!("{count} fields of the form are named {}", brief(&name));
        let error = Error::new(Kind::FieldTaken, message)
            .with_help("only one of their values is sent; give each a unique name");
        faults.push(error.with_pointer(pointer));
    }
}

/// Counts the field names of one form, without nested forms.
fn fields(
    node: &Value,
    at: &str,
    names: &mut HashMap<String, (usize, String)>,
    faults: &mut Vec<Error>,
) {
    let Some(kind) = node["type"].as_str() else { return };
    if Component::find(kind).is_some_and(Component::is_field)
        && let Some(name) = node["name"].as_str()
    {
        let (count, last) = names.entry(name.to_owned()).or_default();
        *count += 1;
        *last = format!("{at}/name");
    }
    let mut inner = HashMap::new();
    let is_form = kind == "Form";
    for (at, child) in children(node, at) {
        fields(child, &at, if is_form { &mut inner } else { names }, faults);
    }
    report_names(inner, faults);
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn found(child: Value) -> Vec<String> {
        let mut tree = json!({"type": "Card"});
        tree["children"] = Value::Array(vec![child]);
        let mut faults = Vec::new();
        walk(&tree, "", Some(&[]), &mut faults);
        same_names(&tree, &mut faults);
        faults.iter().map(|error| format!("{error}; {}", error.help())).collect()
    }

    #[test]
    fn a_default_is_one_of_the_options() {
        let options = json!([{"value": "s", "label": "Small"}, {"value": "m", "label": "Medium"}]);
        let select = |default: Value| {
            found(
                json!({"type": "Select", "name": "a", "options": options, "defaultValue": default}),
            )
        };
        assert_eq!(select(json!("s")), [""; 0]);
        assert_eq!(select(json!(null)), [""; 0]);
        let start =
            "/children/0/defaultValue: defaultValue of Select must be one of its options, not";
        assert_eq!(
            select(json!("Small")),
            [format!("{start} \"Small\"; use the option's value, \"s\", not its label")]
        );
        assert_eq!(select(json!("large")), [format!("{start} \"large\"; the options are s, m")]);
    }

    #[test]
    fn a_date_has_a_year_a_month_and_a_day() {
        let picker = |date: &str| found(json!({"type": "DatePicker", "name": "a", "min": date}));
        for date in ["2026-12-31", "2026-12-31T10:00:00Z", "2026-01-01 10:00"] {
            assert_eq!(picker(date), [""; 0], "{date}");
        }
        let start = "/children/0/min: min of DatePicker is";
        assert_eq!(
            picker("12/31/2026"),
            [format!("{start} \"12/31/2026\", not a date; write \"2026-12-31\"")]
        );
        for date in ["01/02/2026", "2026-13-01", "2026-1-1", "tomorrow", "", "2026-12-31x"] {
            assert!(picker(date)[0].ends_with("and the day: \"2026-12-31\""), "{date}");
        }
    }

    #[test]
    fn a_button_shows_something_and_an_image_can_be_loaded() {
        assert_eq!(found(json!({"type": "Button", "label": "a"})), [""; 0]);
        assert_eq!(found(json!({"type": "Button", "iconStart": "plus"})), [""; 0]);
        assert_eq!(found(json!({"type": "Button", "label": null})), [""; 0], "known with data");
        assert!(found(json!({"type": "Button", "label": " "}))[0].contains("has no content"));
        for src in ["https://a.example/a.png", "data:image/png;base64,", "HTTPS://a.example"] {
            assert_eq!(found(json!({"type": "Image", "src": src})), [""; 0], "{src}");
        }
        for src in ["a.png", "/img/a.png", "//a.example/a.png", "file:///a.png"] {
            assert!(found(json!({"type": "Image", "src": src}))[0].contains("no host"), "{src}");
        }
    }

    #[test]
    fn a_placeholder_of_javascript_is_found() {
        let text = found(json!({"type": "Text", "value": "Hello ${name}, ${x}"}));
        assert!(
            text[0].starts_with("/children/0/value: \"${name}\" is shown literally"),
            "{text:?}"
        );
        assert_eq!(found(json!({"type": "Text", "value": "US$ {5}"})), [""; 0]);
    }

    #[test]
    fn a_field_has_a_name_of_its_own() {
        let input = |name: &str| json!({"type": "Input", "name": name});
        let form = |fields: Vec<Value>| json!({"type": "Form", "children": fields});
        assert_eq!(found(form(vec![input("a"), input("b")])), [""; 0]);
        let two =
            json!({"type": "Col", "children": [form(vec![input("a")]), form(vec![input("a")])]});
        assert_eq!(found(two), [""; 0], "two forms");
        let same = found(form(vec![input("a"), input("a")]));
        assert!(
            same[0].starts_with("/children/0/children/1/name: 2 fields of the form"),
            "{same:?}"
        );
        assert_eq!(found(json!({"type": "Col", "children": [input("a"), input("a")]})).len(), 1);
    }
}
