//! Faults of templates that have one safe repair: those that Studio's exporter leaves in them (here),
//! and those that users make by habit (in the files below).
//!
//! A [`Repair`] is a fault with the edits that repair it. Faults that keep a template from rendering as
//! intended are repaired in memory when it is loaded; `check --fix` writes all repairs to the file.

mod habits;
mod nearly_json;

use std::collections::HashSet;
use std::ops::Range;

use minijinja::machinery::ast::{Expr, Stmt};
use minijinja::machinery::{Token, tokenize};

use super::advice::{signs, tags};
use super::edit::{Edit, apply};
use super::jinja;
use super::skeleton::{Item, Skeleton, SkeletonNode, constant, visit};
use super::usage::{Step, Use};
use crate::error::{Error, Kind, Severity};
use crate::tree;
use crate::tree::component::{Component, Want};

pub(super) use habits::habits;
pub(super) use nearly_json::nearly_json;

/// A fault of the template and the edits that repair it.
#[derive(Debug)]
pub struct Repair {
    /// The kind of fault.
    pub kind: Kind,
    /// Its severity.
    pub severity: Severity,
    /// The message.
    pub message: String,
    /// The help.
    pub help: String,
    /// The place of the fault.
    pub range: Range<usize>,
    /// Empty if only the author can know what was intended.
    pub edits: Vec<Edit>,
}

impl Repair {
    fn new(
        kind: Kind,
        severity: Severity,
        message: impl Into<String>,
        range: Range<usize>,
    ) -> Self {
        Self {
            kind,
            severity,
            message: message.into(),
            help: String::new(),
            range,
            edits: Vec::new(),
        }
    }

    fn with(mut self, range: Range<usize>, text: impl Into<String>) -> Self {
        self.edits.push(Edit { range, text: text.into() });
        self
    }

    /// The fault as an error.
    pub fn error(&self) -> Error {
        Error::new(self.kind, &self.message).with_help(&self.help)
    }
}

/// Fault 1: `a === b` is not Jinja.
pub(super) fn equality(source: &str) -> Vec<Repair> {
    let mut repairs = Vec::new();
    let mut previous: Option<(bool, usize)> = None;
    for (token, span) in tokenize(source, false, Default::default()).map_while(Result::ok) {
        let (start, end) = (span.start_offset as usize, span.end_offset as usize);
        if let (Token::Assign, Some((equal, at))) = (&token, previous)
            && at == start
        {
            let (from, to) = if equal { ("===", "==") } else { ("!==", "!=") };
            let range = start - 2..end;
            repairs.push(
                Repair::new(
                    Kind::StudioEquality,
                    Severity::Warning,
                    format!("`{from}` is not Jinja; treated as `{to}`"),
                    range,
                )
                .with(start..end, ""),
            );
        }
        previous = match token {
            Token::Eq => Some((true, end)),
            Token::Ne => Some((false, end)),
            _ => None,
        };
    }
    repairs
}

/// Whether a template could have fault 2: searching the text is cheaper than walking the expressions of most
/// templates.
pub(super) fn may_lack_index(source: &str) -> bool {
    let alone = |(at, _): (usize, &str)| !source[..at].ends_with("loop.");
    source.match_indices("index").any(alone)
        || source.contains("idx")
        || ["(i ", "(i)", " i ", " i)"].iter().any(|name| source.contains(name))
}

/// Fault 2: the index of `.map((item, index) => …)` is used but never set.
pub(super) fn index(source: &str, uses: &[Use], declared: &dyn Fn(&str) -> bool) -> Vec<Repair> {
    let mut repairs: Vec<Repair> = Vec::new();
    let mut done: Vec<&str> = Vec::new();
    for found in uses {
        let [Step::Key(name), ..] = found.path.as_slice() else { continue };
        if !matches!(name.as_str(), "index" | "idx" | "i")
            || declared(name)
            || done.contains(&name.as_str())
        {
            continue;
        }
        done.push(name);
        let same = |other: &&Use| other.path.first() == found.path.first();
        let loops = &found.loops;
        let alone = uses.iter().filter(same).all(|other| other.loops == *loops);
        let message = format!("`{name}` is used but never set");
        let mut repair =
            Repair::new(Kind::StudioIndex, Severity::Warning, message, found.range.clone());
        // In nested loops, it could be the index of either.
        if let ([head], true) = (loops.as_slice(), alone)
            && let Some(close) = source[*head..].find("%}")
        {
            let body = head + close + 2;
            repair.help = format!("set it in the loop: `{{%- set {name} = loop.index0 -%}}`");
            repair = repair.with(body..body, format!("{{%- set {name} = loop.index0 -%}}"));
        }
        repairs.push(repair);
    }
    repairs.retain(|repair| !repair.edits.is_empty());
    repairs
}

/// Fault 3: the series of a chart wrapped in Text components.
pub(super) fn series(source: &str, root: &Skeleton<'_, '_>) -> Vec<Repair> {
    let mut repairs = Vec::new();
    each_component(root, &mut |kind, items, _| {
        if kind != "Chart" {
            return;
        }
        visit(items, None, &mut |key, value| {
            let (Some("series"), SkeletonNode::Array(list)) = (key, &value.node) else { return };
            visit(list, None, &mut |_, entry| {
                let SkeletonNode::Object(members) = &entry.node else { return };
                if kind_of(members).as_deref() != Some("Text") {
                    return;
                }
                visit(members, None, &mut |key, inner| {
                    if let (Some("value"), SkeletonNode::Object(_)) = (key, &inner.node) {
                        let message = "the series is wrapped in a Text component";
                        repairs.push(
                            Repair::new(
                                Kind::StudioSeries,
                                Severity::Warning,
                                message,
                                entry.range.clone(),
                            )
                            .with(entry.range.clone(), &source[inner.range.clone()]),
                        );
                    }
                });
            });
        });
    });
    repairs
}

/// Predicates about expressions, derived from the schema.
pub(super) struct Types<'f> {
    /// Whether an expression certainly yields a number.
    pub is_number: &'f dyn Fn(&Expr<'_>) -> bool,
    /// Whether the value used at a range of the template may be absent.
    pub is_optional: &'f dyn Fn(Range<usize>) -> bool,
}

/// Faults 4 to 8, which only matter to other renderers. `view` is the JSX from which the template was
/// exported.
pub(super) fn rest(
    source: &str,
    template: &Stmt<'_>,
    root: Option<&Skeleton<'_, '_>>,
    view: Option<&str>,
    types: &Types<'_>,
) -> Vec<Repair> {
    let mut repairs = Vec::new();
    let mut lost = Vec::new();
    let texts = required_texts(root);
    each_emit(template, &mut |emit, range| {
        let Expr::Filter(filter) = emit else { return };
        let (true, Some(inner)) = (matches!(filter.name, "tojson" | "json"), &filter.expr) else {
            return;
        };
        let Some(code) = source.get(range.clone()) else { return };
        match inner {
            Expr::Const(constant) if constant.value.is_none() && code.contains("((none))") => {
                lost.push(range);
            }
            Expr::Var(var) if var.id == "undefined" => repairs.push(undefined(inner, range)),
            Expr::Var(_) | Expr::GetAttr(_) if (types.is_optional)(range_of(inner)) => {
                let is_text = texts.contains(&range_of(inner).start);
                repairs.push(optional(source, inner, range, is_text));
            }
            _ => {}
        }
    });
    repairs.extend(lost_calls(source, &lost, view));
    if let Some(root) = root {
        each_component(root, &mut |kind, items, component| {
            visit(items, None, &mut |key, value| {
                let Some(key) = key else { return };
                repairs.extend(match &value.node {
                    SkeletonNode::Slot { expr, json }
                        if (types.is_number)(expr) && tree::is_text_prop(kind, key) =>
                    {
                        let prop = format!("{key} of {kind}");
                        Some(number(source, expr, &value.range, &prop, *json))
                    }
                    SkeletonNode::Array(list)
                        if key == "children" && list.is_empty() && tree::is_leaf(kind) =>
                    {
                        empty_children(source, kind, &value.range, component)
                    }
                    _ => None,
                });
            });
        });
    }
    repairs
}

fn range_of(expr: &Expr<'_>) -> Range<usize> {
    let span = expr.span();
    span.start_offset as usize..span.end_offset as usize
}

/// Fault 4: a number where a text is required.
fn number(source: &str, expr: &Expr<'_>, value: &Range<usize>, prop: &str, json: bool) -> Repair {
    let message = format!("{prop} is a number, but must be a string");
    let repair = Repair::new(Kind::StudioNumber, Severity::Warning, message, value.clone());
    let inner = range_of(expr);
    // A span excludes the outermost parentheses, so it may not be a valid expression.
    match source.get(inner.clone()) {
        Some(code) if minijinja::machinery::parse_expr(code).is_ok() => {
            let tojson = if json { "" } else { " | tojson" };
            repair.with(inner, format!("({code}) | string{tojson}"))
        }
        _ => repair,
    }
}

/// Fault 6: an optional value without a default. Null is not valid where a text is required.
fn optional(source: &str, expr: &Expr<'_>, print: Range<usize>, is_text: bool) -> Repair {
    let range = range_of(expr);
    let name = &source[range.clone()];
    let message = format!("`{name}` is optional; without it, other renderers fail");
    Repair::new(Kind::StudioOptional, Severity::Note, message, print)
        .with(range, format!("{name} | default({})", if is_text { "\"\"" } else { "none" }))
}

/// The start of expressions whose value is a required text.
fn required_texts(root: Option<&Skeleton<'_, '_>>) -> HashSet<usize> {
    let mut texts = HashSet::new();
    let Some(root) = root else { return texts };
    each_component(root, &mut |kind, items, _| {
        visit(items, None, &mut |key, value| {
            let prop = key.and_then(|key| Component::find(kind)?.prop(key));
            if let SkeletonNode::Slot { expr, .. } = &value.node
                && prop.is_some_and(|prop| prop.required && matches!(prop.want, Want::Str))
            {
                texts.insert(range_of(expr).start);
            }
        });
    });
    texts
}

/// Fault 7: JavaScript's `undefined`.
fn undefined(expr: &Expr<'_>, print: Range<usize>) -> Repair {
    let at = range_of(expr).start;
    let message = "`undefined` does not exist in Jinja; treated as `none`";
    Repair::new(Kind::StudioUndefined, Severity::Note, message, print)
        .with(at..at + "undefined".len(), "none")
}

/// Fault 8: empty children on a component that takes none.
fn empty_children(
    source: &str,
    kind: &str,
    value: &Range<usize>,
    component: &Range<usize>,
) -> Option<Repair> {
    let member = member_range(source, value, component)?;
    let message = format!("{kind} takes no children");
    let repair = Repair::new(Kind::StudioChildren, Severity::Note, message, member.clone());
    Some(repair.with(member, ""))
}

/// The whole `,"children":[]`, its comma included.
fn member_range(
    source: &str,
    value: &Range<usize>,
    component: &Range<usize>,
) -> Option<Range<usize>> {
    let before = source.get(component.start..value.start)?;
    let start =
        before.trim_end().strip_suffix(':')?.trim_end().strip_suffix("\"children\"")?.trim_end();
    let comma = start.strip_suffix(',')?;
    Some(component.start + comma.trim_end().len()..value.end)
}

/// Fault 5: an expression that Studio could not translate became none. If the JSX has as many `.join`
/// calls as expressions were lost, those are the lost ones, in the same order.
fn lost_calls(source: &str, lost: &[Range<usize>], view: Option<&str>) -> Vec<Repair> {
    let calls = view.map(joins).unwrap_or_default();
    let matched = calls.len() == lost.len();
    lost.iter()
        .enumerate()
        .map(|(index, range)| {
            let message =
                "Studio could not translate an expression and wrote `none` instead, so nothing is shown";
            let mut repair = Repair::new(Kind::StudioLost, Severity::Warning, message, range.clone());
            match calls.get(index).filter(|_| matched) {
                Some((list, glue)) => {
                    let code = format!("({list} | join({glue}))");
                    repair.help = format!(
                        "the view has `{list}.join({glue})`; write `{{{{ {code} | tojson }}}}`"
                    );
                    if let Some(at) = source[range.clone()].find("((none))") {
                        let at = range.start + at;
                        repair = repair.with(at..at + "((none))".len(), code);
                    }
                }
                None => repair.help = "write the expression in Jinja".into(),
            }
            repair
        })
        .collect()
}

/// The `list.join("glue")` calls of a JSX source.
fn joins(view: &str) -> Vec<(&str, &str)> {
    let mut found = Vec::new();
    for (at, _) in view.match_indices(".join(") {
        let path = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '.');
        let start = view[..at].rfind(|c| !path(c)).map_or(0, |at| at + 1);
        let glue = &view[at + ".join(".len()..];
        let Some(glue) = glue.find(')').map(|end| glue[..end].trim()) else { continue };
        let quoted =
            glue.len() >= 2 && glue.starts_with(['"', '\'']) && glue.ends_with(['"', '\'']);
        if quoted && start < at {
            found.push((&view[start..at], glue));
        }
    }
    found
}

/// The callback gets the type, the members and the range of a component.
type Visit<'f, 'i> = dyn FnMut(&str, &'i [Item<'_, '_>], &Range<usize>) + 'f;

/// Calls `f` with every component.
pub(super) fn each_component<'i>(skeleton: &'i Skeleton<'_, '_>, f: &mut Visit<'_, 'i>) {
    match &skeleton.node {
        SkeletonNode::Object(items) => {
            if let Some(kind) = kind_of(items) {
                f(&kind, items, &skeleton.range);
            }
            visit(items, None, &mut |_, value| each_component(value, f));
        }
        SkeletonNode::Array(items) => visit(items, None, &mut |_, value| each_component(value, f)),
        SkeletonNode::If(_, yes, no) => {
            each_component(yes, f);
            each_component(no, f);
        }
        SkeletonNode::Text(_) | SkeletonNode::Const(_) | SkeletonNode::Slot { .. } => {}
    }
}

fn kind_of(items: &[Item<'_, '_>]) -> Option<String> {
    let mut kind = None;
    visit(items, None, &mut |key, value| {
        if let (Some("type"), SkeletonNode::Text(parts)) = (key, &value.node) {
            kind = constant(parts).map(str::to_owned);
        }
    });
    kind
}

/// Calls `f` with every printed expression and the range of its braces.
pub(super) fn each_emit<'t>(stmt: &'t Stmt<'_>, f: &mut dyn FnMut(&'t Expr<'_>, Range<usize>)) {
    let mut body = |stmts: &'t [Stmt<'_>]| stmts.iter().for_each(|stmt| each_emit(stmt, f));
    match stmt {
        Stmt::Template(s) => body(&s.children),
        Stmt::EmitExpr(s) => {
            let span = s.span();
            f(&s.expr, span.start_offset as usize..span.end_offset as usize);
        }
        Stmt::ForLoop(s) => {
            body(&s.body);
            body(&s.else_body);
        }
        Stmt::IfCond(s) => {
            body(&s.true_body);
            body(&s.false_body);
        }
        Stmt::WithBlock(s) => body(&s.body),
        Stmt::SetBlock(s) => body(&s.body),
        Stmt::AutoEscape(s) => body(&s.body),
        Stmt::FilterBlock(s) => body(&s.body),
        Stmt::Macro(s) => body(&s.body),
        Stmt::CallBlock(s) => body(&s.macro_decl.body),
        _ => {}
    }
}

/// The repairs of a template that does not parse; the parser's error if they do not help.
pub(super) fn syntax(source: &str, error: Error) -> Result<Vec<Repair>, Error> {
    let mut repairs = if source.contains("==") { equality(source) } else { Vec::new() };
    repairs.extend(operators(source));
    let repaired = apply(source, repairs.iter().flat_map(|repair| &repair.edits));
    if repairs.is_empty() || jinja::parse(&repaired).is_err() { Err(error) } else { Ok(repairs) }
}

/// `&&` and `||`, which are `and` and `or`.
fn operators(source: &str) -> Vec<Repair> {
    if !source.contains("&&") && !source.contains("||") {
        return Vec::new();
    }
    let found = tags(source).flat_map(|tag| signs(source, &tag.inside));
    let repairs = found.filter_map(|(range, sign, _)| {
        let word = match sign {
            "&&" => "and",
            "||" => "or",
            _ => return None,
        };
        let message = format!("`{sign}` is not Jinja; treated as `{word}`");
        let repair = Repair::new(Kind::TemplateSyntax, Severity::Warning, message, range.clone());
        let space = |is_there: bool| if is_there { "" } else { " " };
        let before = space(source[..range.start].ends_with(char::is_whitespace));
        let after = space(source[range.end..].starts_with(char::is_whitespace));
        Some(repair.with(range, format!("{before}{word}{after}")))
    });
    repairs.collect()
}

#[cfg(test)]
mod tests;
