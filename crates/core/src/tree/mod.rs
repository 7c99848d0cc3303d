//! Trees: what a template must produce, and whether it did.
//!
//! A rendered tree is checked while it is parsed, against the one table in [`component`]; no value
//! tree is built unless something in it must be put right.

mod check;
pub mod component;
pub(crate) mod fold;
mod key;
mod schema;
mod tidy;
mod words;

pub(crate) use check::{
    Nulls, THEMED, accepts, accepts_child, check_any, check_value, needs_children,
};
pub use fold::fold;
pub(crate) use fold::fold_text;
pub use schema::editor_schema;
pub(crate) use tidy::number_text;
pub(crate) use words::{brief, nearest};

use crate::error::{Error, Finding, Kind, Severity};
use crate::limits::Limits;
use crate::reply::Json;

/// Checks a component tree given as JSON text and lists everything that is wrong with it.
///
/// ```
/// use widgetcast_core::{Kind, Limits, check_tree};
/// let findings = check_tree(r#"{"type":"Card","children":[{"type":"Text"}]}"#, &Limits::default());
/// assert_eq!(findings[0].error.kind(), Kind::TreeMissing);
/// assert_eq!(findings[0].error.to_string(), "/children/0: Text needs value");
/// ```
pub fn check_tree(json: &str, limits: &Limits) -> Vec<Finding> {
    match check::check_text(json, limits) {
        Ok(checked) => checked.findings,
        Err(error) => vec![Finding::new(Severity::Error, error)],
    }
}

/// Checks a rendered text and puts right what can be: nulls go, numbers in text props become text.
///
/// Fails with the first error; warnings are left to those who ask for them.
pub(crate) fn finish(text: String, limits: &Limits) -> Result<String, Error> {
    let checked = check::check_text(&text, limits)?;
    if let Some(finding) = checked.findings.into_iter().find(|f| f.severity == Severity::Error) {
        return Err(finding.error);
    }
    if !checked.untidy {
        return Ok(Json::laid_out(text).into_string());
    }
    let mut tree = serde_json::from_str(&text).map_err(|e| not_json(&text, &e))?;
    tidy::tidy(&mut tree);
    Ok(tree.to_string())
}

/// The error for a rendered text that is not JSON, with the text around the fault.
pub(crate) fn not_json(text: &str, error: &serde_json::Error) -> Error {
    let at = crate::locate::offset(text, error.line(), error.column());
    let mut place = crate::locate::place(text, &(at.saturating_sub(1)..at));
    let near = place.excerpt.take().map(|excerpt| excerpt.text).unwrap_or_default();
    let before = text.get(..at).unwrap_or_default();
    let words = error.to_string();
    let words = words.split(" at line ").next().unwrap_or_default();
    Error::new(
        Kind::OutputJson,
        format!("the template did not produce JSON: {words}, near `{near}`"),
    )
    .with_help("print values with `| tojson`, and look for a missing or doubled comma")
    .with_cause(Around {
        before: before.chars().rev().take(80).collect::<Vec<_>>().into_iter().rev().collect(),
        after: text.get(at..).unwrap_or_default().chars().take(80).collect(),
    })
}

/// The text around the point at which a rendered text stops being JSON: if the template has it to
/// the letter, that is where the fault is.
#[derive(Debug)]
pub(crate) struct Around {
    pub before: String,
    pub after: String,
}

impl std::fmt::Display for Around {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "between `{}` and `{}`", self.before, self.after)
    }
}

impl std::error::Error for Around {}

/// A piece of template code, cut to a length that fits a message.
pub(crate) fn brief_code(code: &str) -> String {
    match code.char_indices().nth(60) {
        Some((at, _)) => format!("`{}…`", &code[..at]),
        None => format!("`{code}`"),
    }
}

/// Whether the prop wants a text and nothing else.
pub(crate) fn is_text_prop(component: &str, prop: &str) -> bool {
    component::Component::find(component)
        .and_then(|component| component.prop(prop))
        .is_some_and(|prop| matches!(prop.want, component::Want::Str))
}

/// Whether the component takes no children.
pub(crate) fn is_leaf(component: &str) -> bool {
    component::Component::find(component)
        .is_some_and(|component| component.children == component::Children::None)
}
