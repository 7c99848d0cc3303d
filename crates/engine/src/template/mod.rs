//! Templates: from Jinja and data to checked JSON, by the fast path or the general engine. Loading a template
//! parses it, repairs the faults of Studio's exporter, and checks its constant parts if it has a skeleton.
//! The program of the fast path and minijinja's code are compiled on first use.

mod advice;
mod bare_prints;
mod build;
mod cases;
mod edit;
mod engine;
mod expr;
mod fault;
mod filters;
mod fold_events;
mod format;
mod jinja;
mod marked;
mod meter;
mod mutable_list;
mod print;
mod program;
mod python;
mod repair;
mod rewrite;
mod rule;
mod skeleton;
#[cfg(test)]
mod tests;
mod text_template;
mod usage;
mod witness;

use std::collections::{HashMap, HashSet};
use std::ops::Range;
use std::sync::Arc;

use minijinja::machinery::ast::Expr;
use serde_json::Value;

use crate::error::{Error, Finding, Fix, Kind, Result, Severity};
use crate::json::{JsonRef, locate};
use crate::limits::Limits;
use crate::outline::Roles;
use crate::tree::{self, Nulls};
use fault::with_range;
use jinja::Jinja;
use program::{LazyProgram, Program};

pub use bare_prints::BarePrint;
pub use cases::{Case, Demand, Op, Want};
pub use edit::{Edit, apply};
pub use engine::Engine;
pub use fault::range_of;
pub use jinja::Writes;
pub use marked::unmark;
pub use repair::Repair;
pub use text_template::TextTemplate;
pub use usage::{Step, Usage, Use};

/// Is called with a witness, and a function from a JSON pointer into it to a range of the source.
pub type VisitWitness<'f> = dyn FnMut(&Value, &dyn Fn(&str) -> Option<Range<usize>>) + 'f;

/// A compiled template.
#[derive(Debug)]
pub struct Template {
    /// The repairs, in the order in which they were made.
    edits: Vec<Vec<Edit>>,
    /// Whether the constant parts have no error in either witness. Nested branches are checked when
    /// the program is compiled.
    is_sound: bool,
    program: LazyProgram,
    /// With the text that runs: the author's, with repairs.
    jinja: Jinja,
}

/// A template with the results of its static analysis.
#[derive(Debug)]
pub struct Loaded {
    /// The template.
    pub template: Template,
    /// Faults of the template, each with its range of the author's text.
    pub findings: Vec<(Finding, Range<usize>)>,
    /// The data, functions, filters and tests that it uses.
    pub usage: Usage,
}

impl Template {
    /// Compiles a template that writes a component tree. `declared` returns whether the schema has a property
    /// of that name; if there is no schema, it is `None`, and the data that the template uses is collected.
    /// The range of an error refers to the author's text.
    pub fn load(
        source: &Arc<str>,
        declared: Option<&dyn Fn(&str) -> bool>,
        engine: &Engine,
    ) -> Result<Loaded> {
        let mut template = Template {
            edits: Vec::new(),
            is_sound: false,
            program: LazyProgram::default(),
            jinja: Jinja::new(Arc::clone(source), Writes::Json),
        };
        let mut findings = Vec::new();
        let mut text = Arc::clone(source);
        let mut ast = match jinja::parse(&text) {
            Ok(ast) => ast,
            Err(error) => {
                template.repair(repair::syntax(source, error)?, &mut findings);
                text = Arc::clone(&template.jinja.source);
                jinja::parse(&text)?
            }
        };
        let mut root = skeleton::read(&text, &ast);
        let stages = match root {
            Some(_) => Vec::new(),
            None => repair::nearly_json(&text, &ast),
        };
        if !stages.is_empty() {
            drop(root);
            drop(ast);
            stages.into_iter().for_each(|repairs| template.repair(repairs, &mut findings));
            text = Arc::clone(&template.jinja.source);
            ast = jinja::parse(&text).map_err(|error| template.locate_error(error))?;
            root = skeleton::read(&text, &ast);
        }
        let wanted = declared.is_none() || repair::may_lack_index(&text);
        let read = if wanted { usage::usage } else { usage::calls };
        let mut usage = read(&ast);
        let declares = |name: &str| declared.is_some_and(|declared| declared(name));
        let mut repairs = repair::index(&text, &usage.uses, &declares);
        repairs.extend(root.iter().flat_map(|root| repair::series(&text, root)));
        repairs.extend(root.iter().flat_map(|root| repair::habits(&text, root)));
        if !repairs.is_empty() {
            template.repair(repairs, &mut findings);
            drop(root);
            drop(ast);
            text = Arc::clone(&template.jinja.source);
            ast = jinja::parse(&text).map_err(|error| template.locate_error(error))?;
            usage = read(&ast);
            root = skeleton::read(&text, &ast);
        }
        engine.vet(&usage).map_err(|error| template.locate_error(error))?;
        if let Some(root) = &root {
            let (notes, is_sound) = check_constants(&text, root, &engine.limits);
            template.is_sound = is_sound;
            let place = |(finding, range)| (finding, template.written(&range));
            findings.extend(notes.into_iter().map(place));
        }
        Ok(Loaded { template, findings, usage })
    }

    /// Applies repairs to the text that runs, and reports them.
    fn repair(&mut self, repairs: Vec<Repair>, findings: &mut Vec<(Finding, Range<usize>)>) {
        if repairs.is_empty() {
            return;
        }
        // Mapping a range back to the author's text is slow, so only the first hundred are listed.
        for repair in repairs.iter().take(100) {
            let finding =
                Finding { severity: repair.severity, error: repair.error(), fix: Fix::Applied };
            findings.push((finding, self.written(&repair.range)));
        }
        let edits: Vec<Edit> = repairs.into_iter().flat_map(|repair| repair.edits).collect();
        self.jinja.source = edit::apply(self.source(), edits.iter()).into();
        self.edits.push(edits);
    }

    /// The range of the author's text for a range of the text that runs.
    pub fn written(&self, range: &Range<usize>) -> Range<usize> {
        let back = |offset| {
            self.edits.iter().rev().fold(offset, |at, edits| edit::before(edits.iter(), at))
        };
        let start = back(range.start);
        start..back(range.end).max(start)
    }

    /// Turns the range of an error of the engine into one of the author's text.
    fn locate_error(&self, error: Error) -> Error {
        let range = range_of(&error).map(|range| self.written(&range));
        with_range(error, range)
    }

    /// Whether the fast path can render it.
    pub fn is_fast(&self, limits: &Limits) -> bool {
        self.program(limits).is_some()
    }

    fn program(&self, limits: &Limits) -> Option<&Program> {
        if !self.is_sound {
            return None;
        }
        self.program.get(limits, || {
            let ast = jinja::parse(self.source()).ok()?;
            let root = skeleton::read(self.source(), &ast)?;
            let is_sound = |tree| {
                tree::check_value(&tree, Nulls::Holes, limits).is_ok_and(|checked| {
                    checked.findings.iter().all(|finding| finding.severity != Severity::Error)
                })
            };
            witness::branches(&root)?.all(is_sound).then(|| build::build(&root)).flatten()
        })
    }

    /// Renders to a checked, tidy tree as JSON text.
    pub fn render(&self, engine: &Engine, data: &JsonRef<'_>) -> Result<String> {
        engine.run(|| {
            let program = self.program(&engine.limits);
            match program.and_then(|program| program.run(data, &engine.limits)) {
                Some(text) => Ok(text),
                None => self.finish(engine, self.jinja.render_rest(engine, data)),
            }
        })
    }

    /// Renders like [`Template::render`], with the folded text if the fast path produces it as well.
    pub fn render_with_text(
        &self,
        engine: &Engine,
        data: &JsonRef<'_>,
        roles: &Roles,
    ) -> Result<(String, Option<String>)> {
        engine.run(|| {
            let program = self.program(&engine.limits);
            match program.and_then(|program| program.run_with_text(data, &engine.limits, roles)) {
                Some(written) => Ok(written),
                None => Ok((self.finish(engine, self.jinja.render_rest(engine, data))?, None)),
            }
        })
    }

    /// Renders like [`Template::render`], by the general engine alone.
    pub fn render_slowly(&self, engine: &Engine, data: &Value) -> Result<String> {
        self.finish(engine, self.jinja.render(engine, data))
    }

    /// Checks and tidies what the general engine has written.
    fn finish(&self, engine: &Engine, text: Result<String>) -> Result<String> {
        let text = text.map_err(|error| self.locate_error(error))?;
        tree::finish(text, &engine.limits).map_err(|error| self.locate_json_error(error))
    }

    /// Finds the source of broken JSON: the longest text right before the fault, or right after it,
    /// that occurs exactly once in the template.
    fn locate_json_error(&self, error: Error) -> Error {
        let cause = std::error::Error::source(&error);
        let Some(around) = cause.and_then(|cause| cause.downcast_ref::<tree::FaultContext>())
        else {
            return error;
        };
        let once = |piece: &str| {
            let mut places = self.source().match_indices(piece);
            let (at, _) = places.next().filter(|_| piece.len() >= 8)?;
            places.next().is_none().then_some(at)
        };
        let (before, after) = (&around.before, &around.after);
        let mut ends = before.char_indices().map(|(at, _)| &before[at..]);
        let mut starts = after.char_indices().rev().map(|(at, c)| &after[..at + c.len_utf8()]);
        let found = ends
            .find_map(|end| Some(once(end)? + end.len()))
            .map(|at| at..at + 1)
            .or_else(|| starts.find_map(once).map(|at| at..at + 1));
        // Else the first constant part that is not JSON, if it reads like the fault.
        let odd = || {
            let ast = jinja::parse(self.source()).ok()?;
            let at = skeleton::first_odd(self.source(), &ast)?;
            let is_same = after.chars().next() == self.source()[at..].chars().next();
            is_same.then_some(at..at + 1)
        };
        let is_bracket = ["it ends early", "`, found `"].iter().any(|words| {
            error.message().split(", near").next().is_some_and(|message| message.contains(words))
        });
        let missing = if is_bracket { fault::missing_bracket(self.source()) } else { None };
        let range = missing.or(found).or_else(odd).map(|range| self.written(&range));
        with_range(error, range)
    }

    /// The unchecked output of the general engine.
    pub fn text(&self, engine: &Engine, data: &Value) -> Result<String> {
        self.jinja.render(engine, data).map_err(|error| self.locate_error(error))
    }

    /// The next faults to repair in a template: first those that prevent parsing, then those that prevent it
    /// from rendering as intended, then those that only matter to other renderers.
    pub fn faults(
        source: &str,
        view: Option<&str>,
        declared: &dyn Fn(&str) -> bool,
        numeric: &dyn Fn(&Use) -> bool,
        optional: &dyn Fn(&Use) -> bool,
    ) -> Vec<Repair> {
        let Ok(ast) = jinja::parse(source) else {
            let error = Error::new(Kind::TemplateSyntax, String::new());
            return repair::syntax(source, error).unwrap_or_default();
        };
        let usage = usage::usage(&ast);
        let root = skeleton::read(source, &ast);
        if root.is_none()
            && let Some(repairs) = repair::nearly_json(source, &ast).into_iter().next()
        {
            return repairs;
        }
        let mut repairs = repair::index(source, &usage.uses, declared);
        repairs.extend(root.iter().flat_map(|root| repair::series(source, root)));
        repairs.extend(root.iter().flat_map(|root| repair::habits(source, root)));
        if !repairs.is_empty() {
            return repairs;
        }
        // Of uses at one place the first counts.
        let by_range: HashMap<&Range<usize>, &Use> =
            usage.uses.iter().rev().map(|found| (&found.range, found)).collect();
        let used = |range: &Range<usize>| by_range.get(range).copied();
        let is_number = |expr: &Expr<'_>| {
            let span = expr.span();
            let range = span.start_offset as usize..span.end_offset as usize;
            expr::is_number(expr) || used(&range).is_some_and(numeric)
        };
        let is_optional = |range: Range<usize>| used(&range).is_some_and(optional);
        let types = repair::Types { is_number: &is_number, is_optional: &is_optional };
        repair::rest(source, &ast, root.as_ref(), view, &types)
    }

    /// Whether the constant parts of the template cause this finding, whatever the data.
    pub fn says(&self, finding: &Finding) -> bool {
        let mut is_constant = false;
        self.witnesses(&mut |tree, _| {
            let checked =
                tree::check_value(tree, Nulls::Holes, &Limits::default()).unwrap_or_default();
            is_constant |= checked.findings.iter().any(|other| {
                other.error.kind() == finding.error.kind()
                    && other.error.kind() != Kind::NullProp
                    && other.error.message() == finding.error.message()
            });
        });
        is_constant
    }

    /// The data that the template uses.
    pub fn usage(&self) -> Usage {
        jinja::parse(self.source()).map(|ast| usage::usage(&ast)).unwrap_or_default()
    }

    /// Whether a text is valid Jinja.
    pub fn parses(source: &str) -> bool {
        jinja::parse(source).is_ok()
    }

    /// The text that runs.
    pub fn source(&self) -> &str {
        &self.jinja.source
    }

    /// Calls `f` with trees that the template could write, with null for every hole, and a function from a
    /// pointer into the tree to the author's text. Without a skeleton, `f` is not called.
    pub fn witnesses(&self, f: &mut VisitWitness<'_>) {
        let Ok(ast) = jinja::parse(self.source()) else { return };
        let Some(root) = skeleton::read(self.source(), &ast) else { return };
        for choice in [true, false] {
            let find = |pointer: &str| {
                witness::find(&root, pointer, choice).map(|range| self.written(&range))
            };
            f(&witness::witness(&root, choice), &find);
        }
    }

    /// Where values are printed into the JSON without `tojson`, as ranges of the text that runs.
    pub fn bare_prints(&self) -> Vec<BarePrint> {
        jinja::parse(self.source()).map(|ast| bare_prints::bare_prints(&ast)).unwrap_or_default()
    }

    /// The range of the author's text that writes the value at a pointer into the rendered tree, or
    /// the nearest list around it that has a range.
    pub fn locate(&self, pointer: &str) -> Option<Range<usize>> {
        let ast = jinja::parse(self.source()).ok()?;
        let root = skeleton::read(self.source(), &ast)?;
        Some(self.written(&witness::find_rendered(&root, pointer)?))
    }
}

/// Checks what does not depend on data. Returns true if it has no error.
fn check_constants(
    source: &str,
    root: &skeleton::Skeleton<'_, '_>,
    limits: &Limits,
) -> (Vec<(Finding, Range<usize>)>, bool) {
    let mut notes = Vec::new();
    let mut is_sound = true;
    let mut first: HashSet<(Kind, String)> = HashSet::new();
    let choices: &[bool] = if witness::has_choice(root) { &[true, false] } else { &[true] };
    for &choice in choices {
        if matches!(root.node, skeleton::SkeletonNode::Slot { .. } | skeleton::SkeletonNode::If(..))
        {
            // The root depends on data.
            return (notes, false);
        }
        let witness = witness::Witness { skeleton: root, choice };
        let checked = match tree::check_any(witness, Nulls::Holes, limits) {
            Ok(Some(checked)) => checked,
            Ok(None) => {
                let built = witness::witness(root, choice);
                tree::check_value(&built, Nulls::Holes, limits).unwrap_or_default()
            }
            Err(error) => {
                notes.push((Finding::new(Severity::Error, error), 0..0));
                return (notes, false);
            }
        };
        for finding in checked.findings {
            let error = &finding.error;
            // Holes are null in the witness; their values are checked when they are rendered.
            if error.kind() == Kind::NullProp {
                continue;
            }
            let is_error = finding.severity == Severity::Error;
            is_sound &= !is_error;
            let id = (error.kind(), format!("{} {}", error.place().pointer, error.message()));
            let seen = first.contains(&id);
            if choice {
                first.insert(id);
            }
            // An error in only one witness depends on data, and is reported when it is rendered.
            let is_certain = if is_error { seen || choices.len() == 1 } else { choice || !seen };
            if is_certain && let Some(range) = range_to_mark(source, root, error, choice) {
                notes.push((finding, range));
            }
        }
    }
    (notes, is_sound)
}

/// The range of the template to mark for an error about its constant parts: of a prop that is not known
/// its name, of a component that is not known, or may not be the root, its type.
fn range_to_mark(
    source: &str,
    root: &skeleton::Skeleton<'_, '_>,
    error: &Error,
    choice: bool,
) -> Option<Range<usize>> {
    let pointer = &error.place().pointer;
    match error.kind() {
        Kind::UnknownProp => {
            let value = witness::find(root, pointer, choice)?;
            Some(locate::json_key(source, value.start).unwrap_or(value))
        }
        Kind::TreeRoot | Kind::TreeType => witness::find(root, &format!("{pointer}/type"), choice),
        _ => witness::find(root, pointer, choice),
    }
}

/// The data that a text template uses.
pub fn uses(source: &str) -> Vec<Use> {
    jinja::parse(source).map(|ast| usage::usage(&ast).uses).unwrap_or_default()
}

/// The cases that a template, or a text template, distinguishes in the data.
pub fn cases(source: &str) -> Vec<Case> {
    jinja::parse(source).map(|ast| cases::cases(&ast)).unwrap_or_default()
}
