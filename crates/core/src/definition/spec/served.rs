//! The fields about a widget as a tool: its visibility, and its hints.

use serde_json::value::RawValue;
use serde_json::{Map, Value};
use widgetcast_engine::error::{Error, Kind, Result};
use widgetcast_engine::suggest::did_you_mean;

use super::Source;
use super::raw::Fields;

/// How a widget is served as a tool.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Served {
    /// Who sees the tool.
    pub visibility: Visibility,
    /// The hints about what a call does, if it does more than show data: the protocol's name of the hint, and
    /// its value.
    pub hints: Vec<(&'static str, bool)>,
}

/// Who may call a tool.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Visibility {
    /// Only the model.
    Model,
    /// Only the views, such as a helper that a button calls.
    App,
    /// Both.
    #[default]
    Both,
}

impl Visibility {
    /// Its name in a definition.
    pub fn name(self) -> &'static str {
        match self {
            Visibility::Model => "model",
            Visibility::App => "app",
            Visibility::Both => "both",
        }
    }
}

impl Served {
    /// The hints as a definition has them.
    pub(crate) fn hints(&self) -> Map<String, Value> {
        let name =
            |hint: &str| HINTS.iter().find(|(_, other)| *other == hint).map(|(name, _)| *name);
        let given = self.hints.iter().filter_map(|(hint, value)| Some((name(hint)?, *value)));
        given.map(|(name, value)| (name.to_owned(), value.into())).collect()
    }
}

/// Names of hints in a file, and in the protocol.
const HINTS: [(&str, &str); 4] = [
    ("read_only", "readOnlyHint"),
    ("destructive", "destructiveHint"),
    ("idempotent", "idempotentHint"),
    ("open_world", "openWorldHint"),
];

impl Source<'_> {
    pub(super) fn served(&self, fields: &Fields<'_>) -> Result<Served> {
        Ok(Served {
            visibility: self.visibility(fields.visibility)?,
            hints: self.hints(fields.hints)?,
        })
    }

    fn visibility(&self, raw: Option<&RawValue>) -> Result<Visibility> {
        let Some(given) = self.text(raw, "visibility")? else { return Ok(Visibility::Both) };
        let all = [Visibility::Model, Visibility::App, Visibility::Both];
        all.into_iter().find(|one| one.name() == given).ok_or_else(|| {
            let help =
                "write `app` to hide it from models, `model` to hide it from views, or `both`";
            self.served_fault(&format!("unknown visibility {given:?}"), help, "/visibility")
        })
    }

    fn hints(&self, raw: Option<&RawValue>) -> Result<Vec<(&'static str, bool)>> {
        let Some(raw) = raw.filter(|raw| raw.get() != "null") else { return Ok(Vec::new()) };
        let names = || HINTS.map(|(name, _)| name).into_iter();
        let all = names().collect::<Vec<_>>().join(", ");
        let Ok(given) = serde_json::from_str::<Map<String, Value>>(raw.get()) else {
            let help = format!("valid hints: {all}; each must be true or false");
            return Err(self.served_fault("hints must be an object", &help, "/hints"));
        };
        let hint = |(name, value): (&String, &Value)| {
            let known = HINTS.iter().find(|(known, _)| known == name);
            match (known, value) {
                (Some((_, hint)), Value::Bool(value)) => Ok((*hint, *value)),
                (Some(_), _) => {
                    let message = format!("hints.{name} must be true or false");
                    Err(self.served_fault(&message, "", &format!("/hints/{name}")))
                }
                (None, _) => {
                    let help = format!("{} Valid hints: {all}", did_you_mean(name, names()));
                    let message = format!("unknown hint `{name}`");
                    Err(self.served_fault(&message, help.trim_start(), "/hints"))
                }
            }
        };
        given.iter().map(hint).collect()
    }

    fn served_fault(&self, message: &str, help: &str, pointer: &str) -> Error {
        Error::new(Kind::FieldType, message).with_help(help).with_place(self.place_of(pointer))
    }
}
