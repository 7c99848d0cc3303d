//! Faults in the template's text: those of Studio's exporter, and values printed without `tojson`.

use std::ops::Range;

use widgetcast_engine::error::{Error, Fix, Kind, Severity};
use widgetcast_engine::template::Template;

use super::checker::{Checker, MAX_FINDINGS};

/// Faults that can be repaired, or that break other renderers.
pub(super) fn check_faults(checker: &mut Checker<'_>) {
    let declarations = checker.declarations();
    let repairs = Template::faults(
        checker.widget.template().source(),
        checker.extras.view.as_deref(),
        &|name| declarations.declares(name),
        &|found| declarations.is_number(found),
        &|found| declarations.is_optional(found),
    );
    for repair in repairs.into_iter().take(MAX_FINDINGS) {
        let fix = if checker.can_edit(&repair.edits) { Fix::Offered } else { Fix::None };
        checker.in_running_template(repair.severity, repair.error(), fix, &repair.range);
    }
}

/// Sums that are lost after a loop: in Jinja, assignments in a loop are local to it.
pub(super) fn check_sums(checker: &mut Checker<'_>) {
    for (name, range) in checker.widget.template().usage().lost.into_iter().take(MAX_FINDINGS) {
        let message =
            format!("`{name}` is set inside a loop, and the new value is lost when the loop ends");
        let help = format!(
            "sum a list with `… | sum(attribute=\"price\")`; or keep the sum in a namespace: \
             `{{% set ns = namespace({name}=0) %}}`, in the loop `{{% set ns.{name} = ns.{name} + … %}}`"
        );
        let error = Error::new(Kind::VariableLost, message).with_help(help);
        checker.in_running_template(Severity::Warning, error, Fix::None, &range);
    }
}

/// Values printed verbatim into the JSON. Numbers are safe there; booleans, which Python capitalizes, and
/// constants of the schema are safe in strings.
pub(super) fn check_prints(checker: &mut Checker<'_>) {
    let usage = checker.widget.template().usage();
    // In a tree, which no other renderer reads, this is the syntax for text.
    let is_tree = checker.source.source().is_some_and(|source| source.is_tree());
    let quoted = if is_tree { Vec::new() } else { quoted(checker.widget.template().source()) };
    for range in quoted.into_iter().take(MAX_FINDINGS) {
        let message = "`tojson` adds quotes itself, so the value is quoted twice";
        let help = "remove the quotes around `{{ … | tojson }}`";
        let error = Error::new(Kind::Unescaped, message).with_help(help);
        checker.in_running_template(Severity::Warning, error, Fix::None, &range);
    }
    for print in checker.widget.template().bare_prints().into_iter().take(MAX_FINDINGS) {
        let declarations = checker.declarations();
        let used = |range: &Range<usize>| usage.uses.iter().find(|found| found.range == *range);
        let is_safe = |part| {
            used(part).is_some_and(|found| {
                let is_text = || declarations.is_flag(found) || declarations.is_plain_enum(found);
                declarations.is_number(found) || print.in_string && is_text()
            })
        };
        let safe = print.parts.iter().all(is_safe);
        let source = checker.widget.template().source();
        let after = source[print.range.end..].trim_start_matches(['-', '+', ' ']);
        let is_alone = source[..print.range.start].ends_with('"')
            && (after.starts_with("}}\"") || after.starts_with('"'));
        let is_list = used(&print.expr)
            .is_some_and(|found| declarations.has_type(found, &["array", "object"]));
        if is_list && print.in_string {
            // A prop that is only a list is meant to be that list.
            let help = match (is_alone, is_tree) {
                (true, true) => "write `{{ … | json }}` to get the list itself",
                (true, false) => "write `{{ … | tojson }}` without the quotes",
                (false, _) => {
                    "write `{{ … | join(\", \") }}`, or render each item with a `{% for %}`"
                }
            };
            let error =
                Error::new(Kind::Unescaped, "this prints a whole list or object into a string")
                    .with_help(help);
            checker.in_running_template(Severity::Warning, error, Fix::None, &print.range);
            continue;
        }
        if safe || is_tree && print.in_string {
            continue;
        }
        let (message, help) = match (print.in_string, is_alone) {
            (true, true) => (
                "this value is printed into a JSON string without `tojson`; a quote in it breaks other renderers",
                "write `{{ … | tojson }}` without quotes around it",
            ),
            (true, false) => (
                "this value is part of a JSON string, without `tojson`; a quote in it breaks other renderers",
                "write the whole string as one value: `{{ (\"text \" ~ …) | tojson }}`",
            ),
            (false, _) => (
                "this value is printed into the JSON without `tojson`",
                "write `{{ … | tojson }}`; other renderers print a bare string or boolean as invalid JSON",
            ),
        };
        let error = Error::new(Kind::Unescaped, message).with_help(help);
        checker.in_running_template(Severity::Warning, error, Fix::None, &print.range);
    }
}

/// Values printed with `tojson` between quotes.
fn quoted(source: &str) -> Vec<Range<usize>> {
    let starts = source.match_indices("\"{{").map(|(start, _)| start);
    starts
        .filter_map(|start| {
            let end = start + source[start..].find("}}")? + 2;
            let code = source[start + 3..end - 2].trim_matches(['-', '+', ' ']);
            let (_, filter) = code.rsplit_once('|')?;
            let is_json = matches!(filter.trim(), "tojson" | "json");
            (is_json && source[end..].starts_with('"')).then_some(start..end + 1)
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn json_in_quotes_is_found() {
        assert_eq!(quoted(r#"{"a": "{{ b | tojson }}"}"#).first(), Some(&(6..24)));
        for other in [
            r#"{"a": {{ b | tojson }}, "c": "{{ d }}"}"#,
            r#"{"a": "{{ b | tojson }} c"}"#,
            r#""{{"#,
        ] {
            assert!(quoted(other).is_empty(), "{other}");
        }
    }
}
