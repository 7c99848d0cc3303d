//! JSON as text: values borrowed from it, text known to be well-formed, and places in it.
//!
//! Nothing here knows components or templates.

mod given;
pub mod locate;
mod number;
mod string;
mod text;

pub use given::{Given, Members};
pub use number::number_text;
pub use string::{write_escaped, write_string};
pub use text::Json;
