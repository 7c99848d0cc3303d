//! Hydration: from a template, data and text to a whole tool result.
//!
//! The functions, the order of the content and the messages of errors are those of the ChatKit widget
//! pipeline in other languages. Slack templates are `.yml` files among the widgets (`blocks: […]` or
//! `entity: {…}`): named in the call, or next to the widget as `<widget>.blocks.yml` and
//! `<widget>.work-object.yml`. Data is escaped where Slack reads mrkdwn, unless it goes through the
//! filter `mrkdwn`.

use std::borrow::Cow;
use std::hash::Hasher as _;
use std::path::Path;

use serde_json::Value;
use siphasher::sip128::{Hasher128 as _, SipHasher24};
use widgetcast_engine::error::{Error, Finding, Kind, Result, Severity};
use widgetcast_engine::json::Json;
use widgetcast_engine::template::range_of;

use crate::definition::catalog::{Catalog, not_found};
use crate::definition::schema::Violations;
use crate::definition::sidecar::SidecarText;
use crate::definition::view::View;
use crate::definition::widget::Widget;
use crate::reply::Reply;
use crate::surface::{HostTemplate, Presentation, chatkit, slack};

/// The arguments of [`Catalog::hydrate_for_tool_result`].
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Hydration<'a> {
    /// The name of the widget.
    pub template: &'a str,
    /// The name of the Block Kit template, if any.
    pub slack_blocks_template: Option<&'a str>,
    /// The name of the Work Object template, if any.
    pub slack_template: Option<&'a str>,
    /// The data for the widget and the templates.
    pub data: &'a Value,
    /// Additional data for the Slack templates, which the widget's schema need not declare.
    pub slack_data: Option<&'a Value>,
    /// The text for the model, and for clients without widgets.
    pub text: &'a str,
    /// The tool whose result this is.
    pub tool_name: &'a str,
}

impl<'a> Hydration<'a> {
    /// Creates the arguments, without Slack templates or data for them.
    pub fn new(template: &'a str, data: &'a Value, text: &'a str, tool_name: &'a str) -> Self {
        Self {
            template,
            slack_blocks_template: None,
            slack_template: None,
            data,
            slack_data: None,
            text,
            tool_name,
        }
    }

    /// The data for Slack templates: where both have a member, Slack's counts.
    fn data_for_slack(&self) -> Cow<'a, Value> {
        match (self.data, self.slack_data) {
            (Value::Object(data), Some(Value::Object(more))) => {
                let more = more.iter().map(|(key, value)| (key.clone(), value.clone()));
                Cow::Owned(data.clone().into_iter().chain(more).collect())
            }
            (data, _) => Cow::Borrowed(data),
        }
    }
}

impl Catalog {
    /// Renders a widget, and returns its tree.
    pub fn hydrate(&self, template: &str, data: &Value) -> Result<Value> {
        self.draw(template, data).map(|(_, view)| view.tree())
    }

    /// Returns a tool result with the widget, and with Slack content if there are templates for it: text,
    /// widget, Work Object and blocks, in this order.
    ///
    /// ```
    /// use serde_json::json;
    /// use widgetcast_core::{Catalog, Hydration};
    ///
    /// let catalog = Catalog::from_static(&[("weather.widget", r#"{"version":"1.0","name":"weather",
    ///     "template":"{\"type\":\"Card\",\"children\":[{\"type\":\"Text\",\"value\":{{ sky | json }}}]}",
    ///     "jsonSchema":{"type":"object","properties":{"sky":{"type":"string"}},"required":["sky"]}}"#)]);
    /// let data = json!({"sky": "clear"});
    /// let call = Hydration::new("weather", &data, "Clear sky", "weather");
    /// let reply = catalog.hydrate_for_tool_result(&call)?;
    /// let content = &reply.to_json()["content"];
    /// assert_eq!(content[0]["text"], "Clear sky");
    /// assert_eq!(content[1]["resource"]["mimeType"], "application/vnd.ui.widget+json");
    ///
    /// let nothing = json!({});
    /// let call = Hydration::new("weather", &nothing, "", "weather");
    /// let error = catalog.hydrate_for_tool_result(&call).unwrap_err();
    /// assert_eq!(error.message(), "Missing required data for widget template: sky");
    /// # Ok::<(), widgetcast_core::Error>(())
    /// ```
    pub fn hydrate_for_tool_result(&self, call: &Hydration<'_>) -> Result<Reply> {
        let (widget, view) = self.draw(call.template, call.data)?;
        let id = instance_id(&[0; 16], call.template, &call.data.to_string());
        let presentation = Presentation::new(call.tool_name, &id, &view);
        let mut reply = Reply::default();
        reply.push_text(call.text);
        (chatkit::SURFACE.present)(&presentation, &mut reply);
        // One that is named must be there and work. One that lies next to the widget fails alone.
        let named = [
            (&slack::WORK_OBJECT_SURFACE, call.slack_template),
            (&slack::BLOCKS_SURFACE, call.slack_blocks_template),
        ];
        let data = call.data_for_slack();
        for (surface, name) in named {
            let Some(template) = surface.template else { continue };
            let own = match name {
                Some(name) => {
                    let own = self.named_template(name, template, &data)?;
                    let own = own.ok_or_else(|| not_found(name))?;
                    if let Some(fault) = (template.validate)(&own).first() {
                        let error = template.refusal(fault);
                        return Err(match self.sidecar_path(name) {
                            Some(path) => error.in_file(path),
                            None => error,
                        });
                    }
                    Some(own)
                }
                None => self.author_template(widget, template, &data).ok().flatten(),
            };
            if let Some(own) = own {
                let author = |_: &'static HostTemplate| Some(own.clone());
                let mut presentation = Presentation::new(call.tool_name, &id, &view);
                presentation.author = Some(&author);
                (surface.present)(&presentation, &mut reply);
            }
        }
        Ok(reply)
    }

    /// Renders the host template of a widget: blocks from `<widget>.blocks.yml` next to the widget, or a Work
    /// Object from `<widget>.work-object.yml`; none if there is no such file.
    pub fn author_template(
        &self,
        widget: &Widget,
        template: &'static HostTemplate,
        data: &Value,
    ) -> Result<Option<Value>> {
        self.named_template(&template.file_stem(widget.path()), template, data)
    }

    /// Renders a host template by name, which need not be next to a widget.
    pub fn named_template(
        &self,
        name: &str,
        template: &'static HostTemplate,
        data: &Value,
    ) -> Result<Option<Value>> {
        let Some(rendered) = self.render_sidecar(name, data) else { return Ok(None) };
        (template.read)(rendered?).map(Some).map_err(|message| {
            let error = Error::new(Kind::OutputJson, message);
            match self.sidecar_path(name) {
                Some(path) => error.in_file(path),
                None => error,
            }
        })
    }

    /// Whether there is a host template of this name.
    pub fn has_template(&self, name: &str) -> bool {
        self.sidecar_path(name).is_some()
    }

    /// The errors of [`Self::author_template`] for this data, with their place in the file, which is read
    /// again for this; none if there is no such file.
    pub fn author_findings(
        &self,
        widget: &Widget,
        template: &'static HostTemplate,
        data: &Value,
    ) -> Vec<Finding> {
        match self.author_template(widget, template, data) {
            Ok(Some(_)) => Vec::new(),
            Ok(None) => self.sidecar_faults(&template.file_stem(widget.path())),
            Err(error) => vec![Finding::new(Severity::Error, self.placed(error))],
        }
    }

    /// An error of rendering a sidecar, with its place in the file.
    fn placed(&self, error: Error) -> Error {
        let Some(path) = error.place().file.clone() else { return error };
        match (range_of(&error), self.read_text(&path)) {
            (Some(range), Ok(text)) => {
                error.with_place(SidecarText::new(&text).place_in(&range)).in_file(path)
            }
            _ => error,
        }
    }

    /// The file of a widget's host template, if there is one.
    pub fn author_path(&self, widget: &Path, template: &HostTemplate) -> Option<&Path> {
        self.sidecar_path(&template.file_stem(widget))
    }

    /// Returns a tool result in the format of the Apps SDK: data for the model, and the tree in `_meta`.
    pub fn hydrate_for_apps_sdk(
        &self,
        template: &str,
        data: &Value,
        text: &str,
        structured_content: impl Into<Json>,
    ) -> Result<Reply> {
        let (_, view) = self.draw(template, data)?;
        let mut reply = Reply { structured: Some(structured_content.into()), ..Reply::default() };
        reply.push_text(text);
        let copy_text = Json::string(view.copy_text().unwrap_or(text));
        reply.set_meta("widget", Json::ours(view.into_json()));
        reply.set_meta("copy_text", copy_text);
        reply.set_meta("template", Json::string(template));
        reply.set_meta("format", Json::string("ui_widget"));
        reply.set_meta("version", Json::string("1.0"));
        Ok(reply)
    }

    fn draw(&self, template: &str, data: &Value) -> Result<(&Widget, View)> {
        let widget = self.get(template).ok_or_else(|| not_found(template))?;
        let view = widget.render(data).map_err(|error| pipeline_error(error, widget))?;
        Ok((widget, view))
    }
}

/// The id of an instance: a keyed hash of the tool and of its data as JSON text. The same view always has the
/// same id, which cannot be guessed without the key.
pub fn instance_id(key: &[u8; 16], tool: &str, data: &str) -> Id {
    let mut hash = SipHasher24::new_with_key(key);
    hash.write(tool.as_bytes());
    hash.write(&[0]);
    hash.write(data.as_bytes());
    let bits = hash.finish128().as_bytes();
    Id::of(bits.first_chunk().unwrap_or(&[0; 12]))
}

/// An identifier for use in URIs: 96 bits, in hex.
///
/// ```
/// let id = widgetcast_core::Id::of(b"\x00\x1f\xa0twelve..!");
/// assert_eq!(&*id, "001fa07477656c76652e2e21");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Id([u8; Id::LENGTH]);

impl Id {
    /// The number of digits.
    pub const LENGTH: usize = 24;

    /// Creates an id from its bits.
    pub fn of(bits: &[u8; Self::LENGTH / 2]) -> Self {
        let mut digits = [0; Self::LENGTH];
        for (pair, byte) in digits.chunks_exact_mut(2).zip(bits) {
            for (digit, half) in pair.iter_mut().zip([byte >> 4, byte & 15]) {
                *digit = b"0123456789abcdef"[usize::from(half)];
            }
        }
        Self(digits)
    }
}

impl std::ops::Deref for Id {
    type Target = str;

    fn deref(&self) -> &str {
        std::str::from_utf8(&self.0).unwrap_or_default()
    }
}

impl std::fmt::Display for Id {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self)
    }
}

/// An error with the message that callers of the pipeline look for, where there is one.
fn pipeline_error(error: Error, widget: &Widget) -> Error {
    let message = match error.kind() {
        Kind::Data => {
            let violations = std::error::Error::source(&error)
                .and_then(|cause| cause.downcast_ref::<Violations>())
                .map(Violations::missing)
                .unwrap_or_default();
            if violations.is_empty() {
                return error;
            }
            format!("Missing required data for widget template: {}", violations.join(", "))
        }
        Kind::OutputJson => format!("Widget template produced invalid JSON: {}", error.message()),
        _ => return error,
    };
    let place = error.place().clone();
    Error::new(error.kind(), message).with_place(place).in_file(widget.path())
}
