//! The skeleton of a template: the JSON it writes, with holes for values. A template is text, but most write
//! JSON in an orderly way: whole values in value positions, whole members and items under `if` and `for`,
//! commas by one of a few idioms (including Studio's `set _c` block). This module parses such templates, or
//! gives up. With a skeleton, constant parts are checked once, holes are checked by the type of their prop,
//! commas are verified, and a fault is reported at its range of the template.

mod commas;
mod lexer;
mod node;
mod parser;

use minijinja::machinery::ast::Stmt;

use super::jinja::steps_to_read;
use crate::budget;

pub(super) use commas::WrongComma;
pub(super) use lexer::{is_strip, json_operand};
pub(super) use node::{
    Item, Part, Skeleton, SkeletonNode, constant, counts, is_always_written, visit,
};

/// Parses the skeleton of a template; `None` if it does not write JSON in that way.
pub(super) fn read<'t, 's>(source: &'s str, template: &'t Stmt<'s>) -> Option<Skeleton<'t, 's>> {
    let Stmt::Template(template) = template else { return None };
    budget::steps(steps_to_read(source)).ok()?;
    parser::parse(lexer::tokens(source, &template.children)?)
}

/// The commas that prevent a skeleton, with their repairs; `None` if there are other faults.
pub(super) fn wrong_commas(source: &str, template: &Stmt<'_>) -> Option<Vec<WrongComma>> {
    let Stmt::Template(template) = template else { return None };
    parser::wrong_commas(source, lexer::tokens(source, &template.children)?)
}

/// The first constant part that is not JSON, if it is the only fault that prevents a skeleton.
pub(super) fn first_odd(source: &str, template: &Stmt<'_>) -> Option<usize> {
    let Stmt::Template(template) = template else { return None };
    lexer::first_odd(source, &template.children)
}
