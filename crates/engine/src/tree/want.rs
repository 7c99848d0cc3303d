//! What a prop wants: whether a value fits, and how messages describe it.

use std::fmt;

use super::component::{ICONS, Shape, THEMED_COLOR, Want};
use super::css;
use crate::suggest::did_you_mean;

/// What to write where any JSON is taken but an object is meant.
pub(crate) const OBJECT_HELP: &str =
    "form fields are merged into it, so it must be an object: `{ \"id\": 1 }`";

fn color_help(text: &str) -> String {
    if let Some(shades) = css::shades(text) {
        return shades.into();
    }
    let near = did_you_mean(text, css::color_names());
    let all = "write a token such as `secondary`, a palette colour such as `blue-500`, or a CSS \
        colour such as `#1a73e8`";
    if near.is_empty() { all.into() } else { format!("{near} Or {all}") }
}

fn length_help(text: &str) -> String {
    match text.trim().parse::<f64>() {
        Ok(number) => format!("write {number} without quotes, or \"{number}px\""),
        Err(_) => "write a number, or a CSS length such as \"12px\" or \"50%\"".into(),
    }
}

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

    /// What fits without the quotes around this text: a number, `true` or `false`.
    pub(crate) fn unquoted<'t>(&self, text: &'t str) -> Option<&'t str> {
        let is_number = || text.trim().parse::<f64>().is_ok_and(f64::is_finite);
        match text.trim() {
            number if self.takes_number() && is_number() => Some(number),
            _ if !self.any(&|want| matches!(want, Want::Bool)) => None,
            "true" | "True" => Some("true"),
            "false" | "False" => Some("false"),
            _ => Some("true or false"),
        }
    }

    /// Whether a number fits as it is.
    pub(crate) fn takes_number(&self) -> bool {
        self.any(&|want| matches!(want, Want::Number | Want::Length | Want::Css) || want.is_free())
    }

    /// Whether any JSON fits.
    pub(crate) fn is_free(&self) -> bool {
        matches!(self, Want::Any | Want::Object)
    }

    /// The shape of the object that fits, alone or in a list.
    pub(crate) fn shape(&self) -> Option<&'static Shape> {
        match self {
            Want::Shape(shape) => Some(shape),
            Want::Color => Some(&THEMED_COLOR),
            Want::List(of) => of.shape(),
            Want::Either(list) => list.iter().find_map(Want::shape),
            _ => None,
        }
    }

    /// An example of such a value; empty if the name is enough.
    pub(crate) fn example(&self) -> String {
        let Some(shape) = self.shape() else { return String::new() };
        match self {
            Want::List(_) => format!("write it as `[{}, …]`", shape.example),
            _ => format!("write it as `{}`", shape.example),
        }
    }

    /// What is written there, as a sentence; empty where any text is.
    pub(crate) fn description(&self) -> String {
        match (self, self.example()) {
            (Want::Choice(list), _) => format!("It must be one of {}.", list.join(", ")),
            (_, example) if example.is_empty() => String::new(),
            (_, example) => format!("{}{}.", example[..1].to_ascii_uppercase(), &example[1..]),
        }
    }

    /// What a text must be to be drawn, and how to write it, if it is taken but no host can draw it.
    pub(crate) fn doubt(&self, text: &str) -> Option<(&'static str, String)> {
        match self {
            Want::Color if !css::is_color(text) => Some(("a colour", color_help(text))),
            Want::Length if !css::is_length(text) => Some(("a length", length_help(text))),
            Want::Object => Some(("an object", OBJECT_HELP.into())),
            // One of several: the others take other JSON, or any text.
            Want::Either(list) if list.iter().any(Want::may_doubt) => {
                let mut takers = list.iter().filter(|want| want.takes_text(text));
                takers.next().filter(|_| takers.next().is_none())?.doubt(text)
            }
            _ => None,
        }
    }

    /// Whether [`Self::doubt`] may have something to say.
    fn may_doubt(&self) -> bool {
        matches!(self, Want::Color | Want::Length | Want::Object | Want::Either(_))
    }

    /// Whether this text fits.
    pub(crate) fn takes_text(&self, text: &str) -> bool {
        match self {
            Want::Any | Want::Object | Want::Str | Want::Color | Want::Length | Want::Css => true,
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
            Want::Str => f.write_str("a string"),
            Want::Choice([only]) => f.write_str(only),
            Want::Choice(list) => write!(f, "one of {}", list.join(", ")),
            Want::Icon => f.write_str("an icon name"),
            Want::Color => f.write_str("a colour or {light, dark}"),
            Want::Length => f.write_str("a number or a CSS length"),
            Want::Css => f.write_str("a number or a CSS value"),
            Want::Object => f.write_str("an object"),
            Want::Shape(shape) => f.write_str(shape.name),
            Want::List(_) => f.write_str("a list"),
            Want::Either(list) => {
                let parts: Vec<_> = list.iter().map(Want::to_string).collect();
                let text = parts.join(" or ");
                match text.rsplit_once(" or ") {
                    Some((first, last)) => write!(f, "{} or {last}", first.replace(" or ", ", ")),
                    None => f.write_str(&text),
                }
            }
        }
    }
}
