//! The general engine: templates compiled and rendered by minijinja within limits. Undefined values may be
//! tested, defaulted and passed to `tojson` (as null), but not printed. Values print as in JSON: `true`,
//! `null`, `72`; inside a JSON string they are escaped. `tojson` has the alias `json`.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::{Arc, OnceLock};

use minijinja::machinery::{CodeGenerator, Instructions, Token, ast::Stmt, tokenize};
use minijinja::{AutoEscape, Value};
use self_cell::self_cell;

use super::engine::Engine;
use super::fault::{exhausted, explain, too_large, with_range};
use super::marked;
use super::rewrite::{self, JsonContext};
use crate::budget::{self, Exceeded};
use crate::error::{Error, Kind};
use crate::habit;
use crate::json::JsonRef;
use crate::limits::Limits;

self_cell! {
    struct Code {
        owner: Arc<str>,
        #[covariant]
        dependent: Instructions,
    }
}

/// A template for minijinja, compiled on first use.
pub(super) struct Jinja {
    /// The running text.
    pub(super) source: Arc<str>,
    writes: Writes,
    code: OnceLock<Code>,
}

/// The kind of output of a template.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Writes {
    /// A component tree.
    Json,
    /// Text for users, such as copy text.
    Prose,
    /// JSON in which data is marked: see [`unmark`](super::unmark).
    Marked,
}

impl std::fmt::Debug for Jinja {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Jinja")
    }
}

impl Writes {
    /// The position in the JSON at the start of the template.
    pub(super) fn start(self) -> JsonContext {
        match self {
            Writes::Json | Writes::Marked => JsonContext::Value,
            Writes::Prose => JsonContext::Prose,
        }
    }
}

impl Jinja {
    pub(super) fn new(source: Arc<str>, writes: Writes) -> Self {
        Self { source, writes, code: OnceLock::new() }
    }

    /// The unchecked output for this data. The range of an error refers to its text.
    pub(super) fn render(
        &self,
        engine: &Engine,
        data: &serde_json::Value,
    ) -> Result<String, Error> {
        engine.run(|| self.run(self.code()?, engine, data))
    }

    /// Renders when a program has given up; if that was because the budget is exceeded, this fails, too.
    pub(super) fn render_rest(&self, engine: &Engine, data: &JsonRef<'_>) -> Result<String, Error> {
        match budget::exceeded() {
            Some(exceeded) => Err(exhausted(exceeded, &engine.limits)),
            None => self.render(engine, &data.to_value()),
        }
    }

    fn code(&self) -> Result<&Code, Error> {
        if let Some(code) = self.code.get() {
            return Ok(code);
        }
        budget::blocking().map_err(too_large)?;
        let code = Code::try_new(Arc::clone(&self.source), |source| {
            let mut generator = CodeGenerator::new("template", source);
            generator.compile_stmt(&rewrite::rewrite(&parse(source)?, self.writes.start()));
            Ok::<_, Error>(generator.finish().0)
        })?;
        Ok(self.code.get_or_init(|| code))
    }

    fn run(&self, code: &Code, engine: &Engine, data: &serde_json::Value) -> Result<String, Error> {
        let mut out = String::with_capacity(self.source.len() * 2);
        let mut output = minijinja::machinery::make_string_output(&mut out);
        let blocks = BTreeMap::new();
        let outcome = minijinja::machinery::eval(
            match self.writes {
                Writes::Json => &engine.json,
                Writes::Prose => &engine.prose,
                Writes::Marked => engine.marked(),
            },
            code.borrow_dependent(),
            match self.writes {
                Writes::Marked => to_jinja(&marked::clean(data)),
                _ => to_jinja(data),
            },
            &blocks,
            &mut output,
            AutoEscape::None,
        )
        .map(drop);
        drop(output);
        match outcome {
            _ if out.len() > engine.limits.output_bytes => {
                Err(exhausted(Exceeded::Bytes, &engine.limits))
            }
            Ok(()) => Ok(out),
            Err(fault) => Err(explain(&fault, &self.source)),
        }
    }
}

/// Statements about other templates, which do not exist here.
const OTHER_TEMPLATES: &[&str] = &["block", "extends", "include", "import", "from"];

/// The cost of parsing a template once, in steps.
pub(super) fn steps_to_read(source: &str) -> u64 {
    1 + source.len() as u64 / 16
}

/// Parses a template.
pub(super) fn parse(source: &str) -> Result<Stmt<'_>, Error> {
    budget::steps(steps_to_read(source)).map_err(too_large)?;
    check_tokens(source)?;
    minijinja::machinery::parse(source, "template", Default::default())
        .map_err(|fault| explain(&fault, source))
}

/// Rejects what the parser accepts but the engine does not: statements about other templates, and what would
/// overflow the stack in recursion over the syntax tree, such as `a ~ a ~ a …` ten thousand times.
fn check_tokens(source: &str) -> Result<(), Error> {
    let too_deep = |what: String, range: Range<usize>| {
        Err(with_range(Error::new(Kind::TemplateDepth, what), Some(range)))
    };
    let (mut start, mut words, mut branches, mut in_block) = (0, 0, 0, false);
    let mut depth = ExpressionDepth::default();
    for (token, span) in tokenize(source, false, Default::default()).map_while(Result::ok) {
        words += 1;
        match token {
            Token::VariableStart | Token::BlockStart => {
                (start, words) = (span.start_offset as usize, 0);
                in_block = matches!(token, Token::BlockStart);
                depth = ExpressionDepth::default();
            }
            Token::TemplateData(_) => depth = ExpressionDepth::default(),
            Token::Ident("elif") if words == 1 => branches += 1,
            Token::Ident(name) if in_block && words == 1 && OTHER_TEMPLATES.contains(&name) => {
                let message = format!("unknown statement `{name}`");
                let error = Error::new(Kind::TemplateSyntax, message);
                let range = span.start_offset as usize..span.end_offset as usize;
                return Err(with_range(error.with_help(habit::statement(name)), Some(range)));
            }
            _ => depth.add(&token),
        }
        let range = start..span.end_offset as usize;
        if depth.least() > Limits::EXPRESSION_DEPTH {
            let most = Limits::EXPRESSION_DEPTH;
            return too_deep(
                format!("an expression is nested or chained more than {most} levels deep"),
                range,
            );
        }
        if branches > Limits::BRANCHES {
            return too_deep(
                format!("there are more than {} elif branches", Limits::BRANCHES),
                range,
            );
        }
    }
    Ok(())
}

/// An upper bound for the depth of an expression, from its tokens alone. Whatever is between two
/// commas may be nested as deep as it is long; what a comma separates is not nested in each other.
#[derive(Default)]
struct ExpressionDepth {
    /// The open groups, innermost last; the first is the expression itself.
    levels: Vec<Level>,
    /// The tokens of all levels but the innermost.
    outside: usize,
}

#[derive(Clone, Copy, Default)]
struct Level {
    /// Tokens since the last comma.
    words: usize,
    /// The deepest group since the last comma.
    group: usize,
    /// The deepest operand between commas of this level.
    deepest: usize,
}

impl Level {
    fn depth(self) -> usize {
        self.deepest.max(self.words + self.group)
    }
}

impl ExpressionDepth {
    fn add(&mut self, token: &Token<'_>) {
        if self.levels.is_empty() {
            self.levels.push(Level::default());
        }
        let is_inside = self.levels.len() > 1;
        let Some(level) = self.levels.last_mut() else { return };
        match token {
            Token::Comma => *level = Level { deepest: level.depth(), ..Level::default() },
            Token::ParenOpen | Token::BracketOpen | Token::BraceOpen => {
                level.words += 1;
                self.outside += level.words;
                self.levels.push(Level::default());
            }
            Token::ParenClose | Token::BracketClose | Token::BraceClose if is_inside => {
                let depth = self.levels.pop().unwrap_or_default().depth();
                if let Some(level) = self.levels.last_mut() {
                    self.outside -= level.words;
                    level.group = level.group.max(depth);
                }
            }
            _ => level.words += 1,
        }
    }

    /// A lower bound of its depth so far.
    fn least(&self) -> usize {
        self.outside + self.levels.last().map_or(0, |level| level.depth())
    }
}

/// Data as minijinja values. Integral floats become integers, as in JavaScript.
fn to_jinja(value: &serde_json::Value) -> Value {
    use serde_json::Value as Json;
    match value {
        Json::Null => Value::from(()),
        Json::Bool(flag) => Value::from(*flag),
        Json::Number(number) => match (number.as_i64(), number.as_u64(), number.as_f64()) {
            (Some(int), _, _) => Value::from(int),
            (_, Some(int), _) => Value::from(int),
            (_, _, float) => from_float(float.unwrap_or_default()),
        },
        Json::String(text) => Value::from(text.as_str()),
        Json::Array(items) => Value::from(items.iter().map(to_jinja).collect::<Vec<_>>()),
        Json::Object(members) => {
            Value::from_pairs(members.iter().map(|(key, value)| (key.as_str(), to_jinja(value))))
        }
    }
}

fn from_float(float: f64) -> Value {
    if float.fract() == 0.0 && float.abs() < 9e15 {
        Value::from(float as i64)
    } else {
        Value::from(float)
    }
}
