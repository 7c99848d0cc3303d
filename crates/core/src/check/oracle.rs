//! What a schema tells about the data that a template uses.

use serde_json::Value;
use widgetcast_engine::template::Use;

use crate::definition::infer::{self, Declared};

/// What the schema tells about a use of the data.
pub(super) struct Oracle<'s> {
    pub(super) schema: &'s Value,
    pub(super) known: bool,
}

impl Oracle<'_> {
    pub(super) fn declares(&self, name: &str) -> bool {
        self.known && self.schema["properties"].get(name).is_some()
    }

    pub(super) fn has_type(&self, found: &Use, types: &[&str]) -> bool {
        match infer::look_up(self.schema, &found.path) {
            Declared::As { schema, .. } => {
                schema["type"].as_str().is_some_and(|t| types.contains(&t))
            }
            _ => false,
        }
    }

    pub(super) fn is_number(&self, found: &Use) -> bool {
        self.has_type(found, &["number", "integer"])
    }

    pub(super) fn is_flag(&self, found: &Use) -> bool {
        self.has_type(found, &["boolean"])
    }

    pub(super) fn is_optional(&self, found: &Use) -> bool {
        self.known
            && !found.guarded
            && matches!(
                infer::look_up(self.schema, &found.path),
                Declared::As { required: false, .. }
            )
    }
}
