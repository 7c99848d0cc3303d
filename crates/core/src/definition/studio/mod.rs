//! ChatKit Studio's own format of a widget, in `encodedWidget`: JSX, a schema and a state, as JSON in
//! unpadded URL-safe base64. `spec` reads it, this writes it. Studio works on JSX, and a Jinja template is
//! not translated back: the JSX shows the sample, and where the template prints a value of the data, it
//! refers to that value (see [`jsx`]). The file also contains the template unchanged.

mod binding;
mod jsx;
#[cfg(test)]
mod tests;
mod zod;

use std::hash::{DefaultHasher, Hash as _, Hasher as _};

use base64::Engine as _;
use serde_json::{Map, Value, json};
use widgetcast_engine::error::Result;

use crate::definition::name::tool_name;
use crate::definition::spec::{Visibility, decode_studio};
use crate::definition::widget::Widget;

impl Widget {
    /// The definition as ChatKit Studio exports it, with `encodedWidget`, so that Studio can open it.
    ///
    /// If the file already has it, it is kept, with the widget's sample as its state. Fails if the sample is
    /// needed but cannot be rendered.
    ///
    /// ```
    /// use widgetcast_core::Widget;
    ///
    /// let widget = Widget::parse(r#"{"version": "1.0", "name": "Note", "sample": {"text": "Hi"},
    ///     "template": "{\"type\":\"Card\",\"children\":[{\"type\":\"Text\",\"value\":{{ text | tojson }}}]}"}"#)?;
    /// let exported = widget.to_studio()?;
    /// let again = Widget::parse(&exported.to_string())?;
    /// assert_eq!(again.template_text(), widget.template_text());
    /// assert_eq!(exported["outputJsonPreview"]["children"][0]["value"], "Hi");
    /// # Ok::<(), widgetcast_core::Error>(())
    /// ```
    pub fn to_studio(&self) -> Result<Value> {
        let (spec, extras) = (self.spec(), self.extras());
        let (sample, given) = (self.sample(), extras.sample);
        let draw = || self.render_unvalidated(&sample).map(|view| view.tree());
        let schema: Value = serde_json::from_str(self.schema_json()).unwrap_or_default();
        let known = self.encoded().and_then(|encoded| decode_studio(&encoded));
        let studio = match known {
            Some(Value::Object(mut known)) if known.get("view").is_some_and(Value::is_string) => {
                if let Some(given) = &given {
                    known.insert("defaultState".into(), given.clone());
                }
                Value::Object(known)
            }
            _ => self.studio_form(&schema, &sample, &draw()?),
        };
        let preview = extras.preview.map_or_else(draw, Ok)?;
        let mut out = Map::new();
        let mut set = |key: &str, value: Option<Value>| {
            value.map(|value| out.insert(key.to_owned(), value));
        };
        set("version", Some("1.0".into()));
        set("name", Some((*spec.name).into()));
        let is_made = tool_name(&spec.name) == *spec.tool;
        set("tool", (!is_made).then(|| (*spec.tool).into()));
        let served = &spec.served;
        let is_hidden = served.visibility != Visibility::Both;
        set("visibility", is_hidden.then(|| served.visibility.name().into()));
        set("hints", (!served.hints.is_empty()).then(|| served.hints().into()));
        set("description", spec.description.as_deref().map(Value::from));
        set("template", Some((*spec.template).into()));
        set("jsonSchema", Some(schema));
        set("outputJsonPreview", Some(preview));
        set("copy_text", spec.copy_text.as_deref().map(Value::from));
        set("accept", (!extras.accept.is_empty()).then(|| json!(extras.accept)));
        set("sample", given);
        set("encodedWidget", Some(encode(&studio).into()));
        Ok(Value::Object(out))
    }

    /// What Studio would store about a widget that was created in it.
    fn studio_form(&self, schema: &Value, sample: &Value, tree: &Value) -> Value {
        let bindings = binding::find(self, sample, tree);
        json!({
            "id": id_of(self.template_text()),
            "name": self.name(),
            "view": jsx::write(tree, &bindings, sample),
            "defaultState": sample,
            "states": [],
            "schema": zod::write(schema),
            "jsonSchema": schema,
            "schemaMode": "jsonSchema",
            "schemaValidity": "valid",
            "viewValidity": "valid",
            "defaultStateValidity": "valid",
        })
    }
}

fn encode(studio: &Value) -> String {
    base64::engine::general_purpose::URL_SAFE_NO_PAD.encode(studio.to_string())
}

/// An id like Studio's, the same for each export of a widget.
fn id_of(template: &str) -> String {
    let half = |salt: u8| {
        let mut hasher = DefaultHasher::new();
        (salt, template).hash(&mut hasher);
        hasher.finish()
    };
    let (high, low) = (half(0), half(1));
    // Version 8 of RFC 9562: made in a custom way.
    format!(
        "{:08x}-{:04x}-8{:03x}-{:04x}-{:012x}",
        high >> 32,
        (high >> 16) & 0xffff,
        high & 0xfff,
        0x8000 | (low >> 48) & 0x3fff,
        low & 0xffff_ffff_ffff,
    )
}
