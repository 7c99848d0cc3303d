//! Surfaces: how each kind of host shows a view. A surface is pure, never fails, and returns what it
//! cannot show as losses.
//!
//! A new host is one file or directory here and one row in [`SURFACES`]. Nothing outside a host's own
//! directory asks which host it is, and no host uses the internals of another. What hosts share is in
//! `host`, `descriptor`, `presentation`, `question`, `page`, `client`, `icon` and `loss`. Hosts that
//! do not render the tree print its outline.

pub mod adaptive;
pub mod chatgpt;
pub mod chatkit;
mod client;
mod descriptor;
mod host;
mod host_template;
pub mod html;
pub mod icon;
mod loss;
pub mod mcp_apps;
pub mod page;
mod presentation;
pub mod question;
pub mod slack;
pub mod terminal;
pub mod text;

use serde_json::{Map, Value, json};

use page::Page;

pub use client::Client;
pub use descriptor::{Instances, Preview, Surface, ToolMeta};
pub use host::{Ability, Host};
pub use host_template::{Fault, HostTemplate};
pub use loss::Loss;
pub use presentation::Presentation;

/// All kinds of hosts, in the order in which they add to a reply.
pub const SURFACES: &[Surface] = &[
    text::SURFACE,
    terminal::SURFACE,
    chatkit::SURFACE,
    mcp_apps::SURFACE,
    chatgpt::SURFACE,
    slack::WORK_OBJECT_SURFACE,
    slack::BLOCKS_SURFACE,
    adaptive::SURFACE,
    html::SURFACE,
];

impl Surface {
    /// The surface with this name or alias.
    pub fn find(name: &str) -> Option<&'static Surface> {
        SURFACES.iter().find(|surface| surface.name == name || surface.aliases.contains(&name))
    }
}

impl Page {
    /// The content item of `resources/read`, with what every host needs in its `_meta`. The domain applies if
    /// the page does not set one.
    pub fn contents(&self, domain: Option<&str>) -> Value {
        let meta = self.meta(domain);
        json!({ "uri": self.uri, "mimeType": page::MIME, "text": self.html, "_meta": meta })
    }

    /// The `_meta` of the page for all hosts, in lists and with its content.
    pub fn meta(&self, domain: Option<&str>) -> Value {
        let mut meta = Map::new();
        SURFACES.iter().for_each(|surface| (surface.describe_page)(self, domain, &mut meta));
        Value::Object(meta)
    }

    /// The content item at the fixed URI and with another MIME type, such as
    /// [`SKYBRIDGE`](chatgpt::SKYBRIDGE) for hosts older than MCP Apps.
    pub fn fixed_contents(&self, mime: &str, domain: Option<&str>) -> Value {
        let mut contents = self.contents(domain);
        contents["uri"] = json!(self.template());
        contents["mimeType"] = json!(mime);
        contents
    }
}
