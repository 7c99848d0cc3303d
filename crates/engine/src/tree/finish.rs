//! The last step of a rendering: the text is checked and tidied.

use super::check::check_text;
use super::syntax::not_json;
use super::tidy::tidy;
use crate::error::{Error, Severity};
use crate::json::Json;
use crate::limits::Limits;

/// Checks a rendered text and tidies it: nulls are dropped, numbers in text props become text. Fails
/// with the first error; warnings are ignored.
pub(crate) fn finish(text: String, limits: &Limits) -> Result<String, Error> {
    let checked = check_text(&text, limits)?;
    if let Some(finding) = checked.findings.into_iter().find(|f| f.severity == Severity::Error) {
        return Err(finding.error);
    }
    if !checked.untidy {
        return Ok(Json::laid_out(text).into_string());
    }
    let mut tree = serde_json::from_str(&text).map_err(|e| not_json(&text, &e))?;
    tidy(&mut tree);
    Ok(tree.to_string())
}
