//! The general engine: templates compiled for minijinja and run within bounds.
//!
//! Undefined values may be tested, defaulted and passed to `tojson` (as null), but not printed.
//! Values print as JSON does: `true`, `null`, `72`; inside a JSON string they are escaped.
//! `tojson` has the alias `json`.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

use minijinja::machinery::{CodeGenerator, Instructions, Token, ast::Stmt, tokenize};
use minijinja::{AutoEscape, Value};
use self_cell::self_cell;

use super::engine::Engine;
use super::fault::{exhausted, explain, with_range};
use super::marked;
use super::rewrite::{self, JsonContext};
use crate::budget::Exceeded;
use crate::error::{Error, Kind};
use crate::limits::Limits;

self_cell! {
    struct Code {
        owner: Arc<str>,
        #[covariant]
        dependent: Instructions,
    }
}

/// A template compiled for minijinja.
pub struct Jinja {
    code: Code,
    writes: Writes,
}

/// What a template writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Writes {
    /// A component tree.
    Json,
    /// Text for people, such as copy text.
    Prose,
    /// JSON in which data is marked: see [`unmark`](super::unmark).
    Marked,
}

impl std::fmt::Debug for Jinja {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Jinja")
    }
}

impl Jinja {
    /// Compiles a template; the range of an error is one of its text.
    pub fn compile(source: &Arc<str>, writes: Writes) -> Result<Self, Error> {
        let start = match writes {
            Writes::Json | Writes::Marked => JsonContext::Value,
            Writes::Prose => JsonContext::Prose,
        };
        let code = Code::try_new(Arc::clone(source), |source| {
            let mut generator = CodeGenerator::new("template", source);
            generator.compile_stmt(&rewrite::rewrite(&parse(source)?, start));
            Ok::<_, Error>(generator.finish().0)
        })?;
        Ok(Self { code, writes })
    }

    /// What the template writes for this data, unchecked.
    pub fn render(&self, engine: &Engine, data: &serde_json::Value) -> Result<String, Error> {
        let rendered = engine.budget().run(|| self.run(engine, data));
        rendered.unwrap_or_else(|exceeded| Err(exhausted(exceeded, &engine.limits)))
    }

    fn run(&self, engine: &Engine, data: &serde_json::Value) -> Result<String, Error> {
        let mut out = String::with_capacity(self.code.borrow_owner().len() * 2);
        let mut output = minijinja::machinery::make_string_output(&mut out);
        let blocks = BTreeMap::new();
        let outcome = minijinja::machinery::eval(
            match self.writes {
                Writes::Json => &engine.json,
                Writes::Prose => &engine.prose,
                Writes::Marked => engine.marked(),
            },
            self.code.borrow_dependent(),
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
            Err(fault) => Err(explain(&fault, self.code.borrow_owner())),
        }
    }
}

/// Parses a template.
pub(super) fn parse(source: &str) -> Result<Stmt<'_>, Error> {
    check_size(source)?;
    minijinja::machinery::parse(source, "template", Default::default())
        .map_err(|fault| explain(&fault, source))
}

/// Refuses what the parser accepts but recursion over the syntax tree would not survive: `a ~ a ~ a …`
/// ten thousand times.
fn check_size(source: &str) -> Result<(), Error> {
    let too_deep = |what: &str, range: Range<usize>| {
        Err(with_range(Error::new(Kind::TemplateDepth, what), Some(range)))
    };
    let (mut start, mut tokens, mut branches) = (0, 0, 0);
    for (token, span) in tokenize(source, false, Default::default()).map_while(Result::ok) {
        tokens += 1;
        match token {
            Token::VariableStart | Token::BlockStart => {
                (start, tokens) = (span.start_offset as usize, 0);
            }
            Token::TemplateData(_) => tokens = 0,
            Token::Ident("elif") if tokens == 1 => branches += 1,
            _ => {}
        }
        let range = start..span.end_offset as usize;
        if tokens > Limits::TOKENS {
            return too_deep(
                &format!("an expression has more than {} words and signs", Limits::TOKENS),
                range,
            );
        }
        if branches > Limits::BRANCHES {
            return too_deep(
                &format!("there are more than {} elif branches", Limits::BRANCHES),
                range,
            );
        }
    }
    Ok(())
}

/// Data as minijinja values. Whole floats become integers, as in JavaScript.
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
