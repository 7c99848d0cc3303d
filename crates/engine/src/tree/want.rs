//! What a prop wants: whether a value fits, and how messages describe it.

use std::fmt;

use super::component::{ICONS, Want};

impl Want {
    /// Calls `f` with each alternative.
    pub(crate) fn each(&self, f: &mut dyn FnMut(&Want)) {
        match self {
            Want::Either(list) => list.iter().for_each(|want| want.each(f)),
            want => f(want),
        }
    }

    /// Whether any alternative passes.
    pub(crate) fn any(&self, f: &dyn Fn(&Want) -> bool) -> bool {
        match self {
            Want::Either(list) => list.iter().any(|want| want.any(f)),
            want => f(want),
        }
    }

    /// Whether a number fits as it is.
    pub(crate) fn takes_number(&self) -> bool {
        self.any(&|want| matches!(want, Want::Number | Want::Length | Want::Any))
    }

    /// Whether this text fits.
    pub(crate) fn takes_text(&self, text: &str) -> bool {
        match self {
            Want::Any | Want::Str | Want::Color | Want::Length => true,
            Want::Choice(list) => list.contains(&text),
            Want::Icon => {
                ICONS.contains(&text) || text.starts_with("vendor:") || text.starts_with("lucide:")
            }
            Want::Either(list) => list.iter().any(|want| want.takes_text(text)),
            Want::Bool | Want::Number | Want::Shape(_) | Want::List(_) => false,
        }
    }
}

impl fmt::Display for Want {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Want::Any => f.write_str("any JSON"),
            Want::Bool => f.write_str("true or false"),
            Want::Number => f.write_str("a number"),
            Want::Str => f.write_str("a text"),
            Want::Choice(list) => write!(f, "one of {}", list.join(", ")),
            Want::Icon => f.write_str("an icon name"),
            Want::Color => f.write_str("a colour or {light, dark}"),
            Want::Length => f.write_str("a number or a CSS length"),
            Want::Shape(shape) => f.write_str(shape.name),
            Want::List(of) => write!(f, "a list, each {of}"),
            Want::Either(list) => {
                for (index, want) in list.iter().enumerate() {
                    write!(f, "{}{want}", if index == 0 { "" } else { " or " })?;
                }
                Ok(())
            }
        }
    }
}
