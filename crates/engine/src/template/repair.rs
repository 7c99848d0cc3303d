//! What Studio's exporter gets wrong, and how to put it right.
//!
//! A mend is a fault with the edits that remove it. Those without which a template cannot render
//! as its author meant are applied in memory when it is loaded; all of them can be written to the
//! file.

use std::ops::Range;

use minijinja::machinery::ast::{Expr, Stmt};
use minijinja::machinery::{Token, tokenize};

use super::jinja;
use super::skeleton::{Item, Node, Spot, constant, visit};
use super::usage::{Step, Use};
use crate::error::{Error, Kind, Severity};

/// A replacement of a range of the template.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edit {
    /// What is replaced.
    pub range: Range<usize>,
    /// What stands there then.
    pub text: String,
}

/// A fault of the template and the edits that mend it.
#[derive(Debug)]
pub struct Mend {
    /// What is wrong, as a code.
    pub kind: Kind,
    /// How much it matters.
    pub severity: Severity,
    /// What is wrong, in words.
    pub message: String,
    /// What to do about it.
    pub help: String,
    /// Where the fault is.
    pub range: Range<usize>,
    /// Empty where only the author can know what was meant.
    pub edits: Vec<Edit>,
}

impl Mend {
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

/// Applies edits to a text. They may come in any order, but must not overlap.
pub fn apply<'e>(text: &str, edits: impl Iterator<Item = &'e Edit>) -> String {
    let mut edits: Vec<&Edit> = edits.collect();
    edits.sort_by_key(|edit| edit.range.start);
    let mut out = String::with_capacity(text.len() + 64);
    let mut end = 0;
    for edit in edits.into_iter().filter(|edit| edit.range.end <= text.len()) {
        if edit.range.start >= end {
            out.push_str(&text[end..edit.range.start]);
            out.push_str(&edit.text);
            end = edit.range.end;
        }
    }
    out.push_str(&text[end..]);
    out
}

/// Where an offset of the edited text stood before the edits.
pub(super) fn before<'e>(edits: impl Iterator<Item = &'e Edit>, offset: usize) -> usize {
    let mut edits: Vec<&Edit> = edits.collect();
    edits.sort_by_key(|edit| edit.range.start);
    let mut shift = 0isize;
    for edit in edits {
        let start = edit.range.start.saturating_add_signed(shift);
        if offset < start {
            break;
        }
        if offset < start + edit.text.len() {
            return edit.range.start;
        }
        shift += edit.text.len() as isize - edit.range.len() as isize;
    }
    offset.saturating_add_signed(-shift)
}

/// Fault 1: `a === b` is not Jinja.
pub(super) fn equality(source: &str) -> Vec<Mend> {
    let mut mends = Vec::new();
    let mut previous: Option<(bool, usize)> = None;
    for (token, span) in tokenize(source, false, Default::default()).map_while(Result::ok) {
        let (start, end) = (span.start_offset as usize, span.end_offset as usize);
        if let (Token::Assign, Some((equal, at))) = (&token, previous)
            && at == start
        {
            let (from, to) = if equal { ("===", "==") } else { ("!==", "!=") };
            let range = start - 2..end;
            mends.push(
                Mend::new(
                    Kind::StudioEquality,
                    Severity::Warning,
                    format!("`{from}` is not Jinja; it means `{to}`"),
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
    mends
}

/// Whether a text could have fault 2 at all: a look at the letters saves most a look at the meaning.
pub(super) fn may_lack_index(source: &str) -> bool {
    let alone = |(at, _): (usize, &str)| !source[..at].ends_with("loop.");
    source.match_indices("index").any(alone)
        || source.contains("idx")
        || ["(i ", "(i)", " i ", " i)"].iter().any(|name| source.contains(name))
}

/// Fault 2: the index of `.map((item, index) => …)` is used but never set.
pub(super) fn index(source: &str, uses: &[Use], declared: &dyn Fn(&str) -> bool) -> Vec<Mend> {
    let mut mends: Vec<Mend> = Vec::new();
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
        let mut mend =
            Mend::new(Kind::StudioIndex, Severity::Warning, message, found.range.clone());
        // In nested loops it could be the index of either.
        if let ([head], true) = (loops.as_slice(), alone)
            && let Some(close) = source[*head..].find("%}")
        {
            let body = head + close + 2;
            mend.help =
                format!("it is the index of the loop: `{{%- set {name} = loop.index0 -%}}`");
            mend = mend.with(body..body, format!("{{%- set {name} = loop.index0 -%}}"));
        }
        mends.push(mend);
    }
    mends.retain(|mend| !mend.edits.is_empty());
    mends
}

/// Fault 3: the series of a chart wrapped in Text components.
pub(super) fn series(source: &str, root: &Spot<'_, '_>) -> Vec<Mend> {
    let mut mends = Vec::new();
    each_component(root, &mut |kind, items, _| {
        if kind != "Chart" {
            return;
        }
        visit(items, None, &mut |key, value| {
            let (Some("series"), Node::Array(list)) = (key, &value.node) else { return };
            visit(list, None, &mut |_, entry| {
                let Node::Object(members) = &entry.node else { return };
                if kind_of(members).as_deref() != Some("Text") {
                    return;
                }
                visit(members, None, &mut |key, inner| {
                    if let (Some("value"), Node::Object(_)) = (key, &inner.node) {
                        let message = "the series stands inside a Text component";
                        mends.push(
                            Mend::new(
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
    mends
}

/// Faults 4 to 8, none of which this engine trips over, but others do.
pub(super) fn rest(
    source: &str,
    template: &Stmt<'_>,
    root: Option<&Spot<'_, '_>>,
    view: Option<&str>,
    numeric: &dyn Fn(&Expr<'_>) -> bool,
    optional: &dyn Fn(Range<usize>) -> bool,
) -> Vec<Mend> {
    let mut mends = Vec::new();
    let mut lost = Vec::new();
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
            Expr::Var(var) if var.id == "undefined" => {
                let at = inner.span().start_offset as usize;
                let message = "`undefined` is not a Jinja word; it means `none`";
                mends.push(
                    Mend::new(Kind::StudioUndefined, Severity::Note, message, range)
                        .with(at..at + "undefined".len(), "none"),
                );
            }
            Expr::Var(_) | Expr::GetAttr(_) => {
                let span = inner.span();
                let inside = span.start_offset as usize..span.end_offset as usize;
                if optional(inside.clone()) {
                    let name = source[inside.clone()].to_owned();
                    let message = format!("`{name}` is optional; without it, other renderers fail");
                    mends.push(
                        Mend::new(Kind::StudioOptional, Severity::Note, message, range)
                            .with(inside, format!("{name} | default(none)")),
                    );
                }
            }
            _ => {}
        }
    });
    mends.extend(lost_calls(source, &lost, view));
    if let Some(root) = root {
        each_component(root, &mut |kind, items, component| {
            visit(items, None, &mut |key, value| {
                let Some(key) = key else { return };
                match &value.node {
                    Node::Slot { expr, json: true }
                        if numeric(expr) && crate::tree::is_text_prop(kind, key) =>
                    {
                        let message =
                            format!("{key} of {kind} is a number, and a text is required");
                        let span = expr.span();
                        let inner = span.start_offset as usize..span.end_offset as usize;
                        let mut mend = Mend::new(
                            Kind::StudioNumber,
                            Severity::Warning,
                            message,
                            value.range.clone(),
                        );
                        // A span leaves out the outermost parentheses, so it may not stand alone.
                        if let Some(code) = source.get(inner.clone())
                            && minijinja::machinery::parse_expr(code).is_ok()
                        {
                            mend = mend.with(inner, format!("({code}) | string"));
                        }
                        mends.push(mend);
                    }
                    Node::Array(list)
                        if key == "children" && list.is_empty() && crate::tree::is_leaf(kind) =>
                    {
                        let Some(edit) = member_range(source, &value.range, component) else {
                            return;
                        };
                        let message = format!("{kind} takes no children");
                        mends.push(
                            Mend::new(Kind::StudioChildren, Severity::Note, message, edit.clone())
                                .with(edit, ""),
                        );
                    }
                    _ => {}
                }
            });
        });
    }
    mends
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

/// Fault 5: an expression that Studio could not translate became none. Where the JSX is at hand and
/// the losses are as many as its `.join` calls, they are the same ones in the same order.
fn lost_calls(source: &str, lost: &[Range<usize>], view: Option<&str>) -> Vec<Mend> {
    let calls = view.map(joins).unwrap_or_default();
    let matched = calls.len() == lost.len();
    lost.iter()
        .enumerate()
        .map(|(index, range)| {
            let message =
                "Studio could not translate an expression and wrote none, so nothing is shown";
            let mut mend = Mend::new(Kind::StudioLost, Severity::Warning, message, range.clone());
            match calls.get(index).filter(|_| matched) {
                Some((list, glue)) => {
                    let code = format!("({list} | join({glue}))");
                    mend.help = format!(
                        "the view says `{list}.join({glue})`; write `{{{{ {code} | tojson }}}}`"
                    );
                    if let Some(at) = source[range.clone()].find("((none))") {
                        let at = range.start + at;
                        mend = mend.with(at..at + "((none))".len(), code);
                    }
                }
                None => mend.help = "write the expression in Jinja".into(),
            }
            mend
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

/// Looks at a component: its type, its members and its range.
type Visit<'f, 'i> = dyn FnMut(&str, &'i [Item<'_, '_>], &Range<usize>) + 'f;

/// Calls `f` with every component.
pub(super) fn each_component<'i>(spot: &'i Spot<'_, '_>, f: &mut Visit<'_, 'i>) {
    match &spot.node {
        Node::Object(items) => {
            if let Some(kind) = kind_of(items) {
                f(&kind, items, &spot.range);
            }
            visit(items, None, &mut |_, value| each_component(value, f));
        }
        Node::Array(items) => visit(items, None, &mut |_, value| each_component(value, f)),
        Node::If(_, yes, no) => {
            each_component(yes, f);
            each_component(no, f);
        }
        Node::Text(_) | Node::Const(_) | Node::Slot { .. } => {}
    }
}

fn kind_of(items: &[Item<'_, '_>]) -> Option<String> {
    let mut kind = None;
    visit(items, None, &mut |key, value| {
        if let (Some("type"), Node::Text(parts)) = (key, &value.node) {
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
        Stmt::EmitRaw(_) | Stmt::Set(_) | Stmt::Continue(_) | Stmt::Break(_) | Stmt::Do(_) => {}
    }
}

/// The mends without which a text cannot be parsed; the parser's own error if there are none.
pub(super) fn syntax(source: &str, error: Error) -> Result<Vec<Mend>, Error> {
    let mends = if source.contains("==") { equality(source) } else { Vec::new() };
    let mended = apply(source, mends.iter().flat_map(|mend| &mend.edits));
    if mends.is_empty() || jinja::parse(&mended).is_err() { Err(error) } else { Ok(mends) }
}
