//! Components in Rust, for views without a template.
//!
//! There is a type for every component and every kind of value; `docs/components.md` describes them.
//! Required props are arguments of `new`; all others have setters. An invalid tree, such as a table row
//! outside of a table, fails the call, as it does in a template.
//!
//! ```
//! use widgetcast::components::{Action, Badge, BadgeColor, Button, Card, Row, Spacer, Text, Title};
//! use widgetcast::{App, Tool};
//!
//! async fn ticket() -> Card {
//!     Card::new()
//!         .child(
//!             Row::new()
//!                 .child(Title::new("Printer on fire"))
//!                 .child(Spacer::new())
//!                 .child(Badge::new("open").color(BadgeColor::Danger)),
//!         )
//!         .children(["It smokes.", "It beeps."].map(Text::new))
//!         .child(
//!             Button::new()
//!                 .label("Take it")
//!                 .on_click_action(Action::new("assign").payload(serde_json::json!({ "ticket": 7 }))),
//!         )
//! }
//!
//! async fn assign() -> &'static str {
//!     "It is yours"
//! }
//!
//! let app = App::new("helpdesk", "1.0.0")
//!     .tool(Tool::new("ticket", ticket))
//!     .tool(Tool::new("assign", assign))
//!     .build()?;
//! # Ok::<(), widgetcast::BuildError>(())
//! ```
//!
//! A handler that also returns data for the model returns an [`Outcome`](crate::Outcome) with
//! [`components`](crate::Outcome::components).

mod table;

use std::sync::LazyLock;

use serde_json::{Value, json};
use widgetcast_core::{Catalog, Widget};

pub use table::*;

/// The name of the widget that renders component trees built in Rust.
pub(crate) const WIDGET: &str = "widgetcast_components";

const FILE: &str = r#"{
    "version": "1.0",
    "name": "widgetcast_components",
    "template": "{{ view | tojson }}",
    "jsonSchema": {
        "type": "object",
        "properties": { "view": { "type": "object" } },
        "required": ["view"],
        "additionalProperties": false
    },
    "sample": { "view": { "type": "Card", "children": [] } }
}"#;

/// That widget: its data is the tree, so these views support everything that views support.
pub(crate) fn widget() -> Option<&'static Widget> {
    static CATALOG: LazyLock<Catalog> =
        LazyLock::new(|| Catalog::from_static(&[("components.widget", FILE)]));
    CATALOG.get(WIDGET)
}

/// A component, or an object that contains components.
pub trait Node: sealed::Sealed + Into<Value> {}

/// A component that is allowed in any container.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not allowed as a child here",
    note = "roots (`Card`, `ListView`, `Basic`) cannot be nested; `ListViewItem`, `TableRow` and `TableCell` \
            go into their own containers; wrap text in a `Text`"
)]
pub trait Child: Node {}

/// A component that a tree may start with.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a root",
    note = "a tree starts with a `Card`, a `ListView` or a `Basic`"
)]
pub trait Root: Node {}

mod sealed {
    pub trait Sealed {}
}

/// A number of units, or a CSS value such as `"50%"` or `"16 / 9"`.
#[derive(Clone, Debug, PartialEq)]
pub struct Css(Value);

/// A number.
#[derive(Clone, Debug, PartialEq)]
pub struct Number(Value);

/// A token, a palette colour or a CSS colour: `"secondary"`, `"blue-500"`, `"#1a73e8"`.
#[derive(Clone, Debug, PartialEq)]
pub struct Color(Value);

impl Color {
    /// A colour for each theme.
    pub fn themed(light: impl Into<String>, dark: impl Into<String>) -> Self {
        Self(json!({ "light": light.into(), "dark": dark.into() }))
    }
}

/// Conversions from plain values into those that a prop takes.
macro_rules! from_plain {
    ($name:ident: number) => {
        from_plain!($name: i8, u8, i16, u16, i32, u32, i64, u64, usize, f32, f64);
    };
    ($name:ident: text) => {
        from_plain!($name: &str, String);
    };
    ($name:ident: css) => {
        from_plain!($name: number);
        from_plain!($name: text);
    };
    ($name:ident: $($plain:ty),*) => {$(
        impl From<$plain> for $name {
            fn from(plain: $plain) -> Self {
                Self(plain.into())
            }
        }
    )*};
}
use from_plain;

from_plain!(Css: css);
from_plain!(Number: number);
from_plain!(Color: text);

/// The values as JSON.
macro_rules! into_value {
    ($($name:ident)*) => {$(
        impl From<$name> for Value {
            fn from(value: $name) -> Value {
                value.0
            }
        }
    )*};
}
use into_value;

into_value!(Css Number Color);

/// An enum of strings.
macro_rules! choice {
    ($(#[$about:meta])* enum $name:ident { $($variant:ident = $word:literal,)* }) => {
        $(#[$about])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum $name {$(
            #[doc = concat!("`", $word, "`")]
            $variant,
        )*}

        impl From<$name> for Value {
            fn from(choice: $name) -> Value {
                match choice { $($name::$variant => $word.into(),)* }
            }
        }
    };
}
use choice;

/// An object with its required props, and setters for the others. The brackets contain what all such objects
/// have.
macro_rules! object {
    (
        $(#[$about:meta])*
        struct $name:ident [$($member:literal: $constant:expr),*] ($($need:ident: $need_type:ty = $need_key:literal),*)
        $($(#[$doc:meta])* fn $setter:ident($type:ty) = $key:literal;)*
    ) => {
        $(#[$about])*
        #[derive(Clone, Debug, PartialEq)]
        #[must_use]
        pub struct $name(Value);

        impl $name {
            /// Creates the component with its required props.
            #[allow(clippy::new_without_default)]
            pub fn new($($need: impl Into<$need_type>),*) -> Self {
                let members: Map<String, Value> = Map::from_iter([
                    $(($member.to_owned(), $constant),)*
                    $(($need_key.to_owned(), $need.into().into()),)*
                ]);
                Self(Value::Object(members))
            }

            $(
                $(#[$doc])*
                pub fn $setter(mut self, value: impl Into<$type>) -> Self {
                    self.0[$key] = value.into().into();
                    self
                }
            )*
        }

        into_value!($name);
    };
}
use object;

/// The places where a component is allowed.
macro_rules! node {
    ($name:ident) => {
        impl sealed::Sealed for $name {}
        impl Node for $name {}
    };
    ($name:ident: $place:ident) => {
        node!($name);
        impl $place for $name {}
    };
}
use node;

/// The children of a container.
macro_rules! children {
    ($name:ident: $child:ty) => {
        impl $name {
            /// Adds a child.
            pub fn child(mut self, child: $child) -> Self {
                if let Some(children) = self.0["children"].as_array_mut() {
                    children.push(child.into());
                }
                self
            }

            /// Adds children from a list, an iterator or an option.
            pub fn children(self, children: impl IntoIterator<Item = $child>) -> Self {
                children.into_iter().fold(self, Self::child)
            }
        }
    };
}
use children;
