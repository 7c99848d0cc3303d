//! JSON text: borrowed values, known well-formed text, and positions. Nothing here depends on components or
//! templates.

mod depth;
mod deserialize;
mod json_ref;
pub mod locate;
mod number;
mod string;
mod text;

pub use depth::text_depth;
pub use json_ref::{JsonRef, MemberName, Members};
pub use number::number_text;
pub(crate) use string::{any_word, below, equal, near};
pub use string::{write_escaped, write_string};
pub use text::Json;
