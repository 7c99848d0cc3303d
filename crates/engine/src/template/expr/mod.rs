//! Expressions of the fast path: the small part of Jinja that Studio exports use, evaluated on
//! borrowed data.
//!
//! Where Jinja would raise an error, or do something rare, evaluation gives up (`None`) and the
//! general engine runs instead: it has the right result or the right message. So the code here must
//! agree with [`super::jinja`] or give up; a test renders the whole corpus both ways.

mod compile;
mod eval;
mod value;

pub(super) use compile::{COMMA_CAPTURE, Scope, compile, is_number};
pub(super) use eval::{Ex, GLOBALS, Vars};
pub(super) use value::{Val, write_json};
