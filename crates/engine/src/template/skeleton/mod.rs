//! The skeleton of a template: the JSON it writes, with holes where values go.
//!
//! A template is text, but nearly all of them write JSON in an orderly way: whole values in value
//! positions, whole members and items under `if` and `for`, commas by one of a few idioms
//! (Studio's `set _c` block among them). This module reads a template that way or gives up. With a
//! skeleton, constant parts are checked once, holes are checked by the type of their prop, commas are
//! proved right, and a fault is reported at its range of the template.

mod commas;
mod lexer;
mod node;
mod parser;

use minijinja::machinery::ast::Stmt;

pub(super) use node::{
    Item, Part, Skeleton, SkeletonNode, constant, count_of, is_always_written, visit,
};

/// Reads the skeleton of a parsed template; none if it does not write JSON in that way.
pub(super) fn read<'t, 's>(source: &'s str, template: &'t Stmt<'s>) -> Option<Skeleton<'t, 's>> {
    let Stmt::Template(template) = template else { return None };
    parser::parse(lexer::tokens(source, &template.children)?)
}
