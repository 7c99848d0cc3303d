//! Templates: from text with holes to checked JSON, by the fast path or the general engine.
//!
//! A template is parsed once. If it has a skeleton, its constant parts are checked then and
//! there, and it is compiled to a program; minijinja code is made only when it is first needed.

mod build;
mod engine;
mod expr;
mod fault;
mod filters;
mod fold_events;
mod jinja;
mod meter;
mod mutable_list;
mod print;
mod program;
mod python;
mod repair;
mod rewrite;
mod rule;
mod skeleton;
mod usage;
mod witness;

use std::ops::Range;
use std::sync::{Arc, OnceLock};

use minijinja::machinery::ast::Expr;
use serde_json::Value;

use crate::error::{Error, Finding, Fix, Kind, Result, Severity};
use crate::json::JsonRef;
use crate::limits::Limits;
use crate::tree::{self, Nulls};
use fault::with_range;
use program::Program;

pub use engine::Engine;
pub use fault::range_of;
pub use jinja::{Jinja, Writes};
pub use repair::{Edit, Mend, apply};
pub use rewrite::BarePrint;
pub use usage::{Step, Usage, Use};

/// Looks at a tree, given a way from a pointer into it to the author's text.
pub type Examine<'f> = dyn FnMut(&Value, &dyn Fn(&str) -> Option<Range<usize>>) + 'f;

/// A compiled template.
#[derive(Debug)]
pub struct Template {
    /// The text that runs: the author's, with what had to be mended.
    source: Arc<str>,
    /// What was mended, in the order it was.
    edits: Vec<Vec<Edit>>,
    /// Whether the constant parts were found to be right, so that a program may rely on them once the
    /// branches inside others have been looked at, too.
    sound: bool,
    /// Compiled on first use: it can fail, but has nothing to report.
    program: OnceLock<Option<Program>>,
    jinja: OnceLock<Jinja>,
}

/// A template, and what there is to say about it without any data.
#[derive(Debug)]
pub struct Loaded {
    /// The template.
    pub template: Template,
    /// Each with its range of the author's text.
    pub findings: Vec<(Finding, Range<usize>)>,
    /// What it uses of the data, and what it calls.
    pub usage: Usage,
}

impl Template {
    /// Compiles a template that writes a component tree. `declared` tells whether the schema has a
    /// property of that name; without a schema there is none, and what the template uses of the
    /// data is collected. The range of an error is one of the author's text.
    pub fn load(
        source: &Arc<str>,
        declared: Option<&dyn Fn(&str) -> bool>,
        engine: &Engine,
    ) -> Result<Loaded> {
        let mut template = Template {
            source: Arc::clone(source),
            edits: Vec::new(),
            sound: false,
            program: OnceLock::new(),
            jinja: OnceLock::new(),
        };
        let mut findings = Vec::new();
        let mut text = Arc::clone(source);
        let mut ast = match jinja::parse(&text) {
            Ok(ast) => ast,
            Err(error) => {
                template.mend(repair::syntax(source, error)?, &mut findings);
                text = Arc::clone(&template.source);
                jinja::parse(&text)?
            }
        };
        let wanted = declared.is_none() || repair::may_lack_index(&text);
        let read = if wanted { usage::usage } else { usage::calls };
        let mut usage = read(&ast);
        let mut root = skeleton::read(&text, &ast);
        let declares = |name: &str| declared.is_some_and(|declared| declared(name));
        let mut mends = repair::index(&text, &usage.uses, &declares);
        mends.extend(root.iter().flat_map(|root| repair::series(&text, root)));
        if !mends.is_empty() {
            template.mend(mends, &mut findings);
            drop(root);
            drop(ast);
            text = Arc::clone(&template.source);
            ast = jinja::parse(&text).map_err(|error| template.blame(error))?;
            usage = read(&ast);
            root = skeleton::read(&text, &ast);
        }
        engine.vet(&usage).map_err(|error| template.blame(error))?;
        if let Some(root) = &root {
            let (notes, fine) = constants(root, &engine.limits);
            template.sound = fine;
            let place = |(finding, range)| (finding, template.written(&range));
            findings.extend(notes.into_iter().map(place));
        }
        Ok(Loaded { template, findings, usage })
    }

    /// Applies mends to the text that runs, and says so.
    fn mend(&mut self, mends: Vec<Mend>, findings: &mut Vec<(Finding, Range<usize>)>) {
        if mends.is_empty() {
            return;
        }
        // Each is found again in the author's text, which takes its time; a hundred say enough.
        for mend in mends.iter().take(100) {
            let finding =
                Finding { severity: mend.severity, error: mend.error(), fix: Fix::Applied };
            findings.push((finding, self.written(&mend.range)));
        }
        let edits: Vec<Edit> = mends.into_iter().flat_map(|mend| mend.edits).collect();
        self.source = repair::apply(&self.source, edits.iter()).into();
        self.edits.push(edits);
    }

    /// Where a range of the text that runs stands in the author's text.
    pub fn written(&self, range: &Range<usize>) -> Range<usize> {
        let back = |offset| {
            self.edits.iter().rev().fold(offset, |at, edits| repair::before(edits.iter(), at))
        };
        let start = back(range.start);
        start..back(range.end).max(start)
    }

    /// An error of the engine, its range turned into one of the author's text.
    fn blame(&self, error: Error) -> Error {
        let range = range_of(&error).map(|range| self.written(&range));
        with_range(error, range)
    }

    /// Whether the fast path can render it.
    pub fn is_fast(&self, limits: &Limits) -> bool {
        self.program(limits).is_some()
    }

    fn program(&self, limits: &Limits) -> Option<&Program> {
        if !self.sound {
            return None;
        }
        let compile = || {
            let ast = jinja::parse(&self.source).ok()?;
            let root = skeleton::read(&self.source, &ast)?;
            let is_sound = |tree| {
                tree::check_value(&tree, Nulls::Holes, limits).is_ok_and(|checked| {
                    checked.findings.iter().all(|finding| finding.severity != Severity::Error)
                })
            };
            witness::branches(&root)?.all(is_sound).then(|| build::build(&root)).flatten()
        };
        self.program.get_or_init(compile).as_ref()
    }

    /// Renders to a checked, tidy tree as JSON text.
    pub fn render(&self, engine: &Engine, data: &JsonRef<'_>) -> Result<String> {
        if let Some(text) = self.program(&engine.limits).and_then(|p| p.run(data, &engine.limits)) {
            return Ok(text);
        }
        self.render_slowly(engine, &data.to_value())
    }

    /// The same with the tree's text, where that can be told without reading the tree.
    pub fn render_with_text(
        &self,
        engine: &Engine,
        data: &JsonRef<'_>,
    ) -> Result<(String, Option<String>)> {
        if let Some(program) = self.program(&engine.limits)
            && let Some(written) = program.run_with_text(data, &engine.limits)
        {
            return Ok(written);
        }
        Ok((self.render_slowly(engine, &data.to_value())?, None))
    }

    /// The same by the general engine alone.
    pub fn render_slowly(&self, engine: &Engine, data: &Value) -> Result<String> {
        tree::finish(self.text(engine, data)?, &engine.limits)
            .map_err(|error| self.blame_json(error))
    }

    /// Finds the place of broken JSON: by the longest end of what came before it, or beginning of
    /// what comes after, that the template has just once.
    fn blame_json(&self, error: Error) -> Error {
        let cause = std::error::Error::source(&error);
        let Some(around) = cause.and_then(|cause| cause.downcast_ref::<tree::Around>()) else {
            return error;
        };
        let once = |piece: &str| {
            let mut places = self.source.match_indices(piece);
            let (at, _) = places.next().filter(|_| piece.len() >= 8)?;
            places.next().is_none().then_some(at)
        };
        let (before, after) = (&around.before, &around.after);
        let mut ends = before.char_indices().map(|(at, _)| &before[at..]);
        let mut starts = after.char_indices().rev().map(|(at, c)| &after[..at + c.len_utf8()]);
        let found = ends
            .find_map(|end| Some(once(end)? + end.len()))
            .map(|at| at.saturating_sub(1)..at)
            .or_else(|| starts.find_map(once).map(|at| at..at + 1));
        let range = found.map(|range| self.written(&range));
        with_range(error, range)
    }

    /// What the general engine writes, unchecked.
    pub fn text(&self, engine: &Engine, data: &Value) -> Result<String> {
        let jinja = match self.jinja.get() {
            Some(jinja) => jinja,
            None => {
                let jinja = Jinja::compile(&self.source, Writes::Json)?;
                self.jinja.get_or_init(|| jinja)
            }
        };
        jinja.render(engine, data).map_err(|error| self.blame(error))
    }

    /// The next faults to mend in a text: those that keep it from being parsed, then those that
    /// keep it from rendering as it was meant, then those that only other renderers trip over.
    pub fn faults(
        source: &str,
        view: Option<&str>,
        declared: &dyn Fn(&str) -> bool,
        numeric: &dyn Fn(&Use) -> bool,
        optional: &dyn Fn(&Use) -> bool,
    ) -> Vec<Mend> {
        let Ok(ast) = jinja::parse(source) else {
            let error = Error::new(Kind::TemplateSyntax, String::new());
            return repair::syntax(source, error).unwrap_or_default();
        };
        let usage = usage::usage(&ast);
        let root = skeleton::read(source, &ast);
        let mut mends = repair::index(source, &usage.uses, declared);
        mends.extend(root.iter().flat_map(|root| repair::series(source, root)));
        if !mends.is_empty() {
            return mends;
        }
        let used = |range: &Range<usize>| usage.uses.iter().find(|found| found.range == *range);
        let numeric = |expr: &Expr<'_>| {
            let span = expr.span();
            let range = span.start_offset as usize..span.end_offset as usize;
            expr::is_number(expr) || used(&range).is_some_and(numeric)
        };
        let optional = |range: Range<usize>| used(&range).is_some_and(optional);
        repair::rest(source, &ast, root.as_ref(), view, &numeric, &optional)
    }

    /// Whether the template's constant parts alone are to blame for a finding.
    pub fn says(&self, finding: &Finding) -> bool {
        let mut said = false;
        self.witnesses(&mut |tree, _| {
            let checked =
                tree::check_value(tree, Nulls::Holes, &Limits::default()).unwrap_or_default();
            said |= checked.findings.iter().any(|other| {
                other.error.kind() == finding.error.kind()
                    && other.error.kind() != Kind::NullProp
                    && other.error.message() == finding.error.message()
            });
        });
        said
    }

    /// What the template uses of the data.
    pub fn usage(&self) -> Usage {
        jinja::parse(&self.source).map(|ast| usage::usage(&ast)).unwrap_or_default()
    }

    /// Whether a text is valid Jinja.
    pub fn parses(source: &str) -> bool {
        jinja::parse(source).is_ok()
    }

    /// The text that runs.
    pub fn source(&self) -> &str {
        &self.source
    }

    /// Calls `f` with trees that stand for what the template can write, null for every hole, and a
    /// way from a pointer into them to the author's text. Not at all if the template has no
    /// skeleton.
    pub fn witnesses(&self, f: &mut Examine<'_>) {
        let Ok(ast) = jinja::parse(&self.source) else { return };
        let Some(root) = skeleton::read(&self.source, &ast) else { return };
        for choice in [true, false] {
            let find = |pointer: &str| {
                witness::find(&root, pointer, choice).map(|range| self.written(&range))
            };
            f(&witness::witness(&root, choice), &find);
        }
    }

    /// Where values are printed into the JSON without `tojson`: the range of the text that runs,
    /// that of the expression, and whether it stands inside a string.
    pub fn bare_prints(&self) -> Vec<BarePrint> {
        jinja::parse(&self.source).map(|ast| rewrite::bare_prints(&ast)).unwrap_or_default()
    }

    /// Where the value at a pointer into the rendered tree stands in the author's text, as far as
    /// the template's own structure tells.
    pub fn locate(&self, pointer: &str) -> Option<Range<usize>> {
        let ast = jinja::parse(&self.source).ok()?;
        let root = skeleton::read(&self.source, &ast)?;
        Some(self.written(&witness::find_rendered(&root, pointer)?))
    }
}

/// Checks what does not depend on data. True if the fast path may rely on it.
fn constants(
    root: &skeleton::Spot<'_, '_>,
    limits: &Limits,
) -> (Vec<(Finding, Range<usize>)>, bool) {
    let mut notes = Vec::new();
    let mut fine = true;
    let mut first: Vec<(Kind, String)> = Vec::new();
    let choices: &[bool] = if witness::has_choice(root) { &[true, false] } else { &[true] };
    for &choice in choices {
        if matches!(root.node, skeleton::Node::Slot { .. } | skeleton::Node::If(..)) {
            // The whole widget is, or may be, a hole.
            return (notes, false);
        }
        let witness = witness::Witness { spot: root, choice };
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
            // Holes are null in the witness; what they will hold is seen when it is there.
            if error.kind() == Kind::NullProp {
                continue;
            }
            let grave = finding.severity == Severity::Error;
            fine &= !grave;
            let id = (error.kind(), format!("{} {}", error.place().pointer, error.message()));
            let seen = first.contains(&id);
            if choice {
                first.push(id);
            }
            // An error that only one way through the template has is left to the data to show.
            let certain = if grave { seen || choices.len() == 1 } else { choice || !seen };
            if certain && let Some(range) = witness::find(root, &error.place().pointer, choice) {
                notes.push((finding, range));
            }
        }
    }
    (notes, fine)
}

/// What a text template uses of the data.
pub fn uses(source: &str) -> Vec<Use> {
    jinja::parse(source).map(|ast| usage::usage(&ast).uses).unwrap_or_default()
}
