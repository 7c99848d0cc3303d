//! The handshake of a client, for its later requests over HTTP.
//!
//! The session id contains it, signed, so any process with the same key can read it, and none stores
//! sessions. An id is only issued if there is anything to carry: without one, the defaults apply, and no new
//! handshake is needed after a restart. Every handshake gets a unique id, because it distinguishes requests.

use serde::Deserialize as _;
use serde_json::Value;
use widgetcast_core::SURFACES;
use widgetcast_core::surface::mcp_apps;

use super::error::RpcError;
use super::meta::ClientName;
use super::params::Params;
use super::surface_set::SurfaceSet;
use crate::sdk::context::ClientInfo;
use crate::server::Server;
use crate::signed::Signer;

/// Maximum bytes of an id before encoding, including the tag. As text, it is a third longer.
pub(crate) const MAX_BYTES: usize = 768;
/// Maximum bytes of the client's name and version, and of its capabilities; longer values are truncated or
/// omitted.
const MAX_NAME: usize = 64;
const MAX_CAPABILITIES: usize = 512;
/// Random bytes, surfaces (two bytes), whether the client shows views, and the lengths of name and version.
const HEAD: usize = UNIQUE + 5;
const UNIQUE: usize = 8;

/// The content of an id, borrowed from its bytes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Session<'r> {
    pub client: ClientName<'r>,
    /// The surfaces for this client.
    pub surfaces: SurfaceSet,
    /// Whether it shows MCP Apps views.
    pub shows_views: bool,
    capabilities: &'r str,
}

/// The signer of ids. A server with other surfaces, or another id format, must reject them.
pub(crate) fn signer(key: &[u8; 16]) -> Signer {
    let names: Vec<&str> = SURFACES.iter().map(|surface| surface.name).collect();
    Signer::new(key, &format!("session 2 {}", names.join(" ")))
}

/// The id for a client with this handshake; `None` if there is nothing to carry.
pub(crate) fn new_id(server: &Server, params: &Params<'_>) -> Option<String> {
    let rare = params.rare()?;
    let client = ClientInfo::deserialize(rare.client_info.as_ref()?).ok()?;
    let capabilities = rare.capabilities.as_ref()?;
    let surfaces = SurfaceSet::of_client(Some(&client.name), Some(capabilities));
    let extensions = capabilities.get("extensions");
    let shows_views = extensions.is_some_and(|all| all.get(mcp_apps::EXTENSION).is_some());
    if !server.has_handlers() && !shows_views && surfaces == SurfaceSet::of_client(None, None) {
        return None;
    }
    let (name, version) = (cut(&client.name), cut(&client.version));
    let mut bytes = Vec::with_capacity(MAX_BYTES);
    bytes.extend(rand::random::<[u8; UNIQUE]>());
    bytes.extend(surfaces.bits().to_be_bytes());
    bytes.extend([u8::from(shows_views), name.len() as u8, version.len() as u8]);
    bytes.extend(name.bytes().chain(version.bytes()));
    bytes.extend(brief(capabilities).bytes());
    Some(server.sessions.sign(&bytes))
}

/// The session of an id, decoded into `room`.
pub(crate) fn read<'r>(
    server: &Server,
    id: &str,
    room: &'r mut [u8; MAX_BYTES],
) -> Result<Session<'r>, RpcError> {
    let bytes = server.sessions.open(id, room);
    bytes.and_then(Session::decode).ok_or_else(RpcError::session_not_found)
}

impl<'r> Session<'r> {
    fn decode(bytes: &'r [u8]) -> Option<Self> {
        let (head, rest) = bytes.split_first_chunk::<HEAD>()?;
        let &[.., high, low, shows_views, name, version] = head;
        let rest = std::str::from_utf8(rest).ok()?;
        let (name, rest) = rest.split_at_checked(name.into())?;
        let (version, capabilities) = rest.split_at_checked(version.into())?;
        Some(Self {
            client: ClientName { name, version },
            surfaces: SurfaceSet::from_bits(u16::from_be_bytes([high, low])),
            shows_views: shows_views != 0,
            capabilities,
        })
    }

    /// Whether the client supports elicitation.
    pub(crate) fn can_be_asked(&self) -> bool {
        self.capabilities.contains("\"elicitation\"")
    }

    /// The declared capabilities; null if they were too long.
    pub(crate) fn capabilities(&self) -> Value {
        serde_json::from_str(self.capabilities).unwrap_or_default()
    }
}

/// A name, truncated.
fn cut(text: &str) -> &str {
    let end = (0..=MAX_NAME.min(text.len())).rev().find(|at| text.is_char_boundary(*at));
    &text[..end.unwrap_or(0)]
}

/// Capabilities as text: all of them, or else the extensions, or else nothing.
fn brief(capabilities: &Value) -> String {
    let fits = |text: &String| text.len() <= MAX_CAPABILITIES;
    let extensions = || {
        let extensions = capabilities.get("extensions")?;
        Some(serde_json::json!({ "extensions": extensions }).to_string()).filter(fits)
    };
    Some(capabilities.to_string()).filter(fits).or_else(extensions).unwrap_or_default()
}
