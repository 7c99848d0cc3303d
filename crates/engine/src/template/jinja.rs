//! The general engine: minijinja with the settings that real exports need, and bounds on
//! everything a template can build.
//!
//! Undefined values may be tested, defaulted and passed to `tojson` (as null), but not printed.
//! Values print as JSON does: `true`, `null`, `72`; inside a JSON string they are escaped.
//! `tojson` has the alias `json`.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::{Arc, Mutex, PoisonError};

use minijinja::machinery::{CodeGenerator, Instructions, Token, ast::Stmt, tokenize};
use minijinja::value::{Enumerator, Kwargs, Object, ObjectRepr, Rest, ValueKind, ValueOrKwargs};
use minijinja::{AutoEscape, Environment, ErrorKind, State, UndefinedBehavior, Value};
use self_cell::self_cell;

use super::meter::{
    self, bounded, format_guard, grow, holds_namespace, long, replace_guard, spend_value, too_large,
};
use super::print::{print, write_json};
use super::python;
use super::rewrite::{
    self, ADD, BOUNDED, CONCAT, DEFINED, HELD, Lex, METERED, MULTIPLY, QUOTED, TICK,
};
use super::usage::Usage;
use crate::error::{Error, Kind};
use crate::limits::Limits;
use crate::suggest::did_you_mean;

type Fault = minijinja::Error;

/// The filters that a misspelt one was probably meant to be.
const FILTERS: &[&str] = &[
    "tojson",
    "default",
    "length",
    "string",
    "join",
    "upper",
    "lower",
    "title",
    "capitalize",
    "trim",
    "replace",
    "round",
    "int",
    "float",
    "first",
    "last",
    "sort",
    "reverse",
    "unique",
    "map",
    "select",
    "selectattr",
    "format",
    "truncate",
    "abs",
    "sum",
    "min",
    "max",
    "items",
    "list",
];

/// The environment that all templates of a catalog share.
#[derive(Debug)]
pub struct Engine {
    /// For templates that write JSON.
    json: Environment<'static>,
    /// For copy text, where what is absent or null prints as nothing.
    prose: Environment<'static>,
    /// The bounds of every rendering.
    pub limits: Limits,
}

impl Engine {
    /// An environment with these bounds.
    pub fn new(limits: Limits) -> Self {
        let json = Self::env(&limits, UndefinedBehavior::SemiStrict);
        let prose = Self::env(&limits, UndefinedBehavior::Lenient);
        Self { json, prose, limits }
    }

    fn env(limits: &Limits, undefined: UndefinedBehavior) -> Environment<'static> {
        let mut env = Environment::new();
        env.set_undefined_behavior(undefined);
        env.set_auto_escape_callback(|_| AutoEscape::None);
        env.set_fuel(Some(limits.fuel));
        env.set_formatter(|out, state, value| {
            if value.is_none() && is_prose(state) {
                return Ok(());
            }
            Ok(out.write_str(&print(value)?)?)
        });
        env.set_unknown_method_callback(|state, value, method, args| {
            if let Some(result) = python::method(value, method, args) {
                return result;
            }
            method_guard(value, method, args)?;
            let callback = minijinja_contrib::pycompat::unknown_method_callback;
            spend_value(callback(state, value, method, args)?)
        });
        env.add_filter("tojson", |value: &Value, _: Option<Value>, _: Kwargs| json(value));
        env.add_filter("json", |value: &Value, _: Option<Value>, _: Kwargs| json(value));
        env.add_filter("string", |state: &State, value: &Value| {
            text(state, value).map(Value::from)
        });
        env.add_filter("format", |state: &mut State, pattern: &str, args: Rest<ValueOrKwargs>| {
            format_guard(pattern, &mut args.iter().map(|arg| long(&arg.clone().into_value())))?;
            let value = Value::from(pattern);
            minijinja::filters::format(state, &value, args).and_then(spend_value)
        });
        env.add_filter("replace", |value: &Value, from: &Value, to: &Value| {
            let (hay, needle, with) = (print(value)?, print(from)?, print(to)?);
            replace_guard(&hay, &needle, &with)?;
            Ok::<_, Fault>(Value::from(hay.replace(needle.as_ref(), &with)))
        });
        env.add_filter("indent", |value: String, width: usize, _: Rest<Value>| {
            grow(value.len().saturating_add(value.lines().count().saturating_mul(width)))?;
            Ok(Value::from(value.replace('\n', &format!("\n{}", " ".repeat(width)))))
        });
        env.add_filter("join", |state: &State, value: &Value, glue: Option<String>| {
            join(state, value, &glue.unwrap_or_default())
        });
        python::add_filters(&mut env);
        env.add_test("blank", |value: &Value| is_blank(value));
        env.add_function(CONCAT, |state: &State, left: &Value, right: &Value| {
            let mut out = text(state, left)?;
            out.push_str(&text(state, right)?);
            grow(out.len())?;
            Ok(Value::from(out))
        });
        env.add_function(ADD, |left: &Value, right: &Value| add(left, right));
        env.add_function(MULTIPLY, |left: &Value, right: &Value| multiply(left, right));
        env.add_filter(BOUNDED, |value: Value| {
            let value = bounded(value)?;
            Ok::<_, Fault>(match value.kind() {
                ValueKind::Seq if !value.is_tuple() => {
                    let items = value.try_iter()?.map(|item| frozen(&item)).collect();
                    Value::from_object(Growing(Mutex::new(items)))
                }
                _ => value,
            })
        });
        env.add_filter(METERED, |value: Value| match value.kind() {
            // Some can be gone through only once.
            ValueKind::Iterable => spend_value(value),
            _ => spend_value(bounded(value)?),
        });
        env.add_filter(HELD, |value: Value| {
            // Bounded first: looking through a value that is not could take for ever.
            let value = bounded(value)?;
            if holds_namespace(&value, 0) {
                let words = "a namespace cannot hold a namespace";
                return Err(Fault::new(ErrorKind::InvalidOperation, words));
            }
            Ok(value)
        });
        env.add_filter("map", |state: &mut State, value: Value, args: Rest<ValueOrKwargs>| {
            // It builds all of its results before any of them can be counted.
            let items = value.try_iter().into_iter().flatten();
            grow(items.map(|item| long(&item)).sum::<usize>().saturating_mul(2))?;
            minijinja::filters::map(state, value, args)
        });
        env.add_function(TICK, || {
            if meter::is_late() {
                Err(Fault::from(ErrorKind::OutOfFuel))
            } else {
                Ok(Value::from(""))
            }
        });
        env.add_filter(
            "slice",
            |state: &mut State, value: Value, count: usize, fill: Option<Value>| {
                grow(count.saturating_mul(16))?;
                minijinja::filters::slice(state, value, count, fill)
            },
        );
        env.add_filter(
            "batch",
            |state: &mut State, value: Value, count: usize, fill: Option<Value>| {
                grow(count.saturating_mul(16))?;
                minijinja::filters::batch(state, value, count, fill)
            },
        );
        env.add_filter(DEFINED, |state: &State, value: Value| {
            if value.is_undefined() && !is_prose(state) {
                return Err(Fault::from(ErrorKind::UndefinedError));
            }
            Ok(value)
        });
        env.add_filter(QUOTED, |state: &State, value: &Value| {
            let quoted = serde_json::Value::String(text(state, value)?).to_string();
            Ok::<_, Fault>(Value::from_safe_string(quoted[1..quoted.len() - 1].to_owned()))
        });
        env
    }

    /// Refuses what can only fail: names that do not exist, and nesting past the limit.
    pub(super) fn vet(&self, usage: &Usage) -> Result<(), Error> {
        if usage.depth > self.limits.template_depth {
            let most = self.limits.template_depth;
            return Err(Error::new(
                Kind::TemplateDepth,
                format!("the template is nested deeper than {most} levels"),
            ));
        }
        for (name, range) in &usage.filters {
            if !self.knows(name, &format!("none|{name}"), ErrorKind::UnknownFilter) {
                let error =
                    Error::new(Kind::TemplateFailed, format!("there is no filter `{name}`"))
                        .with_help(did_you_mean(name, FILTERS.iter().copied()));
                return Err(with_range(error, Some(range.clone())));
            }
        }
        for (name, range) in &usage.tests {
            if !self.knows(name, &format!("none is {name}"), ErrorKind::UnknownTest) {
                let error = Error::new(Kind::TemplateFailed, format!("there is no test `{name}`"));
                return Err(with_range(error, Some(range.clone())));
            }
        }
        Ok(())
    }

    /// The environment has no public look-up, so it is asked by running the name.
    fn knows(&self, name: &str, code: &str, unknown: ErrorKind) -> bool {
        // What nearly every template uses needs no asking.
        matches!(name, "tojson" | "json" | "string" | "length" | "default" | "defined" | "none")
            || self
                .json
                .compile_expression(code)
                .is_ok_and(|expr| !matches!(expr.eval(()), Err(fault) if fault.kind() == unknown))
    }

    /// Whether a name is the engine's own rather than the data's.
    pub fn is_global(&self, name: &str) -> bool {
        self.json.globals().any(|(global, _)| global == name)
    }
}

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
    /// Text for a person.
    Prose,
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
            Writes::Json => Lex::Value,
            Writes::Prose => Lex::Prose,
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
        let limit = engine.limits.output_bytes;
        meter::start(&engine.limits);
        let mut out = String::with_capacity(self.code.borrow_owner().len() * 2);
        let mut output = minijinja::machinery::make_string_output(&mut out);
        let blocks = BTreeMap::new();
        let outcome = minijinja::machinery::eval(
            match self.writes {
                Writes::Json => &engine.json,
                Writes::Prose => &engine.prose,
            },
            self.code.borrow_dependent(),
            lower(data),
            &blocks,
            &mut output,
            AutoEscape::None,
        )
        .map(drop);
        drop(output);
        let over = meter::finish() || out.len() > limit;
        match outcome {
            _ if over => Err(Error::new(
                Kind::OutputBytes,
                format!("the template builds more than {limit} bytes"),
            )),
            Ok(()) => Ok(out),
            Err(fault) => Err(explain(&fault, self.code.borrow_owner())),
        }
    }
}

/// Parses a template.
pub(super) fn parse(source: &str) -> Result<Stmt<'_>, Error> {
    measure(source)?;
    minijinja::machinery::parse(source, "template", Default::default())
        .map_err(|fault| explain(&fault, source))
}

/// Refuses what the parser takes but no recursion would survive: `a ~ a ~ a …` ten thousand times.
fn measure(source: &str) -> Result<(), Error> {
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

/// The range an engine error speaks of is carried as the position of the error inside the
/// template; the widget turns it into a place of its file.
fn explain(fault: &Fault, source: &str) -> Error {
    let range = fault.range();
    let snippet = range.clone().and_then(|range| source.get(range)).unwrap_or_default();
    let snippet = crate::tree::brief_code(snippet);
    let detail = fault.detail().unwrap_or_default();
    let error = match fault.kind() {
        ErrorKind::SyntaxError => Error::new(Kind::TemplateSyntax, detail),
        ErrorKind::UndefinedError => {
            Error::new(Kind::TemplateUndefined, format!("{snippet} has no value")).with_help(
                "give it in the data, or write `… | default(\"…\")`, or guard it with `{% if … %}`",
            )
        }
        ErrorKind::OutOfFuel => Error::new(Kind::TemplateFuel, "the template runs too long")
            .with_help("it ran out of fuel; look for nested loops over long lists"),
        ErrorKind::UnknownFilter
        | ErrorKind::UnknownTest
        | ErrorKind::UnknownFunction
        | ErrorKind::UnknownMethod => Error::new(Kind::TemplateFailed, detail),
        kind if detail.is_empty() => Error::new(Kind::TemplateFailed, format!("{kind}: {snippet}")),
        _ => Error::new(Kind::TemplateFailed, format!("{detail}: {snippet}")),
    };
    // Where the fuel ran out is chance.
    with_range(error, range.filter(|_| fault.kind() != ErrorKind::OutOfFuel))
}

/// Hangs a range of the template on an error, for [`range_of`].
pub(super) fn with_range(error: Error, range: Option<Range<usize>>) -> Error {
    match range {
        Some(range) => error.with_cause(At(range)),
        None => error,
    }
}

/// The range of the template that an error speaks of.
pub fn range_of(error: &Error) -> Option<Range<usize>> {
    std::error::Error::source(error)?.downcast_ref::<At>().map(|at| at.0.clone())
}

#[derive(Debug)]
struct At(Range<usize>);

impl std::fmt::Display for At {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "bytes {} to {} of the template", self.0.start, self.0.end)
    }
}

impl std::error::Error for At {}

/// Data as the engine sees it. Whole floats become integers, as in JavaScript.
fn lower(value: &serde_json::Value) -> Value {
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
        Json::Array(items) => Value::from(items.iter().map(lower).collect::<Vec<_>>()),
        Json::Object(members) => {
            Value::from_pairs(members.iter().map(|(key, value)| (key.as_str(), lower(value))))
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

/// A value as text; an undefined one is an error, as when it is printed.
fn text(state: &State, value: &Value) -> Result<String, Fault> {
    if (value.is_undefined() || value.is_none()) && is_prose(state) {
        return Ok(String::new());
    }
    if value.is_undefined() {
        return Err(ErrorKind::UndefinedError.into());
    }
    print(value).map(std::borrow::Cow::into_owned)
}

fn is_prose(state: &State) -> bool {
    state.undefined_behavior() == UndefinedBehavior::Lenient
}

fn json(value: &Value) -> Result<Value, Fault> {
    let mut out = String::new();
    write_json(value, &mut out, 0)?;
    Ok(Value::from_safe_string(out))
}

fn join(state: &State, value: &Value, glue: &str) -> Result<Value, Fault> {
    if value.is_undefined() && !is_prose(state) {
        return Err(ErrorKind::UndefinedError.into());
    }
    let mut out = String::new();
    for (index, item) in value.try_iter()?.enumerate() {
        if index > 0 {
            grow(glue.len())?;
            out.push_str(glue);
        }
        out.push_str(&text(state, &item)?);
    }
    Ok(Value::from(out))
}

fn add(left: &Value, right: &Value) -> Result<Value, Fault> {
    if let (Some(left), Some(right)) = (left.as_str(), right.as_str()) {
        grow(left.len() + right.len())?;
        return Ok(Value::from(format!("{left}{right}")));
    }
    arithmetic("a + b", left, right).and_then(bounded)
}

fn multiply(left: &Value, right: &Value) -> Result<Value, Fault> {
    let long = |value: &Value| value.as_str().map(str::len).or_else(|| value.len());
    let times = |value: &Value| usize::try_from(value.clone()).unwrap_or(0);
    if let Some(size) = long(left).or_else(|| long(right)) {
        let size = size.saturating_mul(times(left).max(times(right)));
        grow(size)?;
        if size > Limits::VALUES && left.as_str().or_else(|| right.as_str()).is_none() {
            return Err(too_large());
        }
    }
    arithmetic("a * b", left, right)
}

/// The operators themselves are minijinja's, whole results taken as integers.
fn arithmetic(op: &'static str, left: &Value, right: &Value) -> Result<Value, Fault> {
    thread_local! {
        static PLAIN: Environment<'static> = {
            let mut env = Environment::empty();
            env.set_undefined_behavior(UndefinedBehavior::SemiStrict);
            env
        };
    }
    if left.is_integer()
        && right.is_integer()
        && let (Ok(left), Ok(right)) = (i64::try_from(left.clone()), i64::try_from(right.clone()))
        && let Some(result) =
            if op == "a + b" { left.checked_add(right) } else { left.checked_mul(right) }
    {
        return Ok(Value::from(result));
    }
    PLAIN.with(|env| {
        let operands = Value::from_pairs([("a", left.clone()), ("b", right.clone())]);
        // The error's own range is one of `op`, not of the template.
        let result = env.compile_expression(op).and_then(|expr| expr.eval(operands));
        result.map_err(|fault| {
            Fault::new(fault.kind(), fault.detail().unwrap_or_default().to_owned())
        })
    })
}

fn method_guard(value: &Value, method: &str, args: &[Value]) -> Result<(), Fault> {
    let Some(hay) = value.as_str() else { return Ok(()) };
    match (method, args) {
        ("replace", [from, to, ..]) => {
            replace_guard(hay, from.as_str().unwrap_or_default(), to.as_str().unwrap_or_default())
        }
        ("format", _) => format_guard(hay, &mut args.iter().map(long)),
        ("join", [list, ..]) => match list.len() {
            Some(len) => grow(len.saturating_mul(hay.len())),
            None => Ok(()),
        },
        _ => Ok(()),
    }
}

/// Nothing worth presentation: none, undefined, false, white space, an empty list or map.
fn is_blank(value: &Value) -> bool {
    match value.kind() {
        ValueKind::Undefined | ValueKind::None => true,
        ValueKind::Bool => !value.is_true(),
        ValueKind::String => value.as_str().is_some_and(|text| text.trim().is_empty()),
        ValueKind::Seq | ValueKind::Map => value.len() == Some(0),
        _ => false,
    }
}

/// A list written in a template, with `append`, `extend` and `pop`: a hand-written idiom that
/// Jinja2 on Python allows. What goes in is frozen, so that no list can hold itself.
#[derive(Debug)]
struct Growing(Mutex<Vec<Value>>);

impl Object for Growing {
    fn repr(self: &Arc<Self>) -> ObjectRepr {
        ObjectRepr::Seq
    }

    fn get_value(self: &Arc<Self>, key: &Value) -> Option<Value> {
        self.items().get(key.as_usize()?).cloned()
    }

    fn enumerate(self: &Arc<Self>) -> Enumerator {
        Enumerator::Seq(self.items().len())
    }

    fn call_method(
        self: &Arc<Self>,
        _: &mut State<'_, '_>,
        method: &str,
        args: &[Value],
    ) -> Result<Value, Fault> {
        let room = |items: &Vec<Value>, more: usize| {
            if items.len() + more > Limits::VALUES {
                return Err(too_large());
            }
            Ok(())
        };
        match (method, args) {
            ("append", [item]) => {
                // Before the lock: the item may be this very list.
                let item = frozen(item);
                let mut items = self.items();
                room(&items, 1)?;
                items.push(item);
                Ok(Value::from(()))
            }
            ("extend", [more]) => {
                let more: Vec<Value> = more.try_iter()?.map(|item| frozen(&item)).collect();
                let mut items = self.items();
                room(&items, more.len())?;
                items.extend(more);
                Ok(Value::from(()))
            }
            ("pop", []) => Ok(self.items().pop().unwrap_or(Value::UNDEFINED)),
            _ => Err(ErrorKind::UnknownMethod.into()),
        }
    }
}

fn frozen(value: &Value) -> Value {
    match value.downcast_object_ref::<Growing>() {
        Some(list) => Value::from(list.items().clone()),
        None => value.clone(),
    }
}

impl Growing {
    fn items(&self) -> std::sync::MutexGuard<'_, Vec<Value>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
