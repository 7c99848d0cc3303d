//! The minijinja environments that all templates of a catalog share.

use std::sync::OnceLock;

use minijinja::{AutoEscape, Environment, ErrorKind, UndefinedBehavior};

use super::expr::GLOBALS;
use super::fault::{exhausted, with_range};
use super::filters;
use super::marked;
use super::usage::Usage;
use crate::budget::Budget;
use crate::error::{Error, Kind};
use crate::habit;
use crate::limits::Limits;
use crate::suggest::did_you_mean;

/// The environments, and the limits of every rendering.
#[derive(Debug)]
pub struct Engine {
    /// For templates that write JSON.
    pub(super) json: Environment<'static>,
    /// For templates that write text, where absent values and null print as nothing.
    pub(super) prose: Environment<'static>,
    /// For templates that mark data; few catalogs have one.
    marked: OnceLock<Environment<'static>>,
    /// The limits of every rendering.
    pub limits: Limits,
}

impl Engine {
    /// An engine with these limits.
    pub fn new(limits: Limits) -> Self {
        let json = environment(&limits, UndefinedBehavior::SemiStrict);
        let prose = environment(&limits, UndefinedBehavior::Lenient);
        Self { json, prose, marked: OnceLock::new(), limits }
    }

    pub(super) fn marked(&self) -> &Environment<'static> {
        self.marked.get_or_init(|| {
            let mut env = environment(&self.limits, UndefinedBehavior::SemiStrict);
            marked::register(&mut env);
            env
        })
    }

    /// The budget of one piece of work.
    pub fn budget(&self) -> Budget {
        Budget::new(&self.limits)
    }

    /// Renders within the budget.
    pub(super) fn run<T>(&self, work: impl FnOnce() -> Result<T, Error>) -> Result<T, Error> {
        let done = self.budget().run(work);
        done.unwrap_or_else(|exceeded| Err(exhausted(exceeded, &self.limits)))
    }

    /// Rejects a template that can only fail: unknown functions, filters and tests, JavaScript methods, and
    /// nesting over the limit.
    pub(super) fn vet(&self, usage: &Usage) -> Result<(), Error> {
        if usage.depth > self.limits.template_depth {
            let most = self.limits.template_depth;
            return Err(Error::new(
                Kind::TemplateDepth,
                format!("the template is nested deeper than {most} levels"),
            ));
        }
        for (name, range) in &usage.functions {
            if !self.is_global(name) {
                let help = match habit::call(name) {
                    "" => did_you_mean(name, self.json.globals().map(|(name, _)| name)),
                    help => help.into(),
                };
                let message = format!("unknown function `{name}`");
                let error = Error::new(Kind::TemplateFailed, message).with_help(help);
                return Err(with_range(error, Some(range.clone())));
            }
        }
        for (name, range) in &usage.methods {
            if let Some(help) = habit::no_method(name) {
                let message = format!("unknown method `{name}`");
                let error = Error::new(Kind::TemplateFailed, message).with_help(help);
                return Err(with_range(error, Some(range.clone())));
            }
        }
        for (name, range) in &usage.filters {
            if !self.knows(name, &format!("none|{name}"), ErrorKind::UnknownFilter) {
                let error = Error::new(Kind::TemplateFailed, format!("unknown filter `{name}`"))
                    .with_help(match habit::call(name) {
                        "" => did_you_mean(name, filters::SUGGESTED.split(' ')),
                        help => help.into(),
                    });
                return Err(with_range(error, Some(range.clone())));
            }
        }
        for (name, range) in &usage.tests {
            if !self.knows(name, &format!("none is {name}"), ErrorKind::UnknownTest) {
                let error = Error::new(Kind::TemplateFailed, format!("unknown test `{name}`"));
                return Err(with_range(error, Some(range.clone())));
            }
        }
        Ok(())
    }

    /// Whether a filter or a test exists. An environment has no public lookup, so the name is evaluated.
    fn knows(&self, name: &str, code: &str, unknown: ErrorKind) -> bool {
        // Almost every template uses these.
        matches!(name, "tojson" | "json" | "string" | "length" | "default" | "defined" | "none")
            || self
                .json
                .compile_expression(code)
                .is_ok_and(|expr| !matches!(expr.eval(()), Err(fault) if fault.kind() == unknown))
    }

    /// Whether the engine defines this name, so that it is not data.
    pub fn is_global(&self, name: &str) -> bool {
        GLOBALS.contains(&name)
    }
}

fn environment(limits: &Limits, undefined: UndefinedBehavior) -> Environment<'static> {
    let mut env = Environment::new();
    env.set_undefined_behavior(undefined);
    env.set_auto_escape_callback(|_| AutoEscape::None);
    env.set_fuel(Some(limits.fuel));
    filters::register(&mut env);
    env
}
