//! The protocol members in the `_meta` of a request.

use widgetcast_core::JsonRef;

use super::error::RpcError;
use super::revision::{self, MODERN};
use crate::sdk::context::ClientInfo;

pub(crate) const VERSION: &str = "io.modelcontextprotocol/protocolVersion";
pub(crate) const CAPABILITIES: &str = "io.modelcontextprotocol/clientCapabilities";
pub(crate) const CLIENT: &str = "io.modelcontextprotocol/clientInfo";

/// The members that the protocol defines; malformed ones count as absent.
#[derive(Debug, Default)]
pub(crate) struct RequestMeta<'a> {
    pub version: Option<&'a str>,
    pub capabilities: Option<&'a JsonRef<'a>>,
    pub client: Option<ClientName<'a>>,
}

impl<'a> RequestMeta<'a> {
    pub(crate) fn read(meta: Option<&'a JsonRef<'a>>) -> Result<Self, RpcError> {
        let Some(meta) = meta else { return Ok(Self::default()) };
        let Some(members) = meta.as_object() else {
            return Err(RpcError::params("Invalid params: _meta must be an object"));
        };
        let get = |key: &str| members.get(key);
        Ok(Self {
            version: get(VERSION).and_then(JsonRef::as_str),
            capabilities: get(CAPABILITIES).filter(|given| given.as_object().is_some()),
            client: get(CLIENT).and_then(ClientName::read),
        })
    }

    /// Whether the request uses 2026-07-28 (or else a revision with a handshake), according to its own
    /// members.
    pub(crate) fn is_modern(&self) -> Result<bool, RpcError> {
        match self.version {
            Some(MODERN) => match self.capabilities {
                Some(_) => Ok(true),
                None => Err(self.incomplete()),
            },
            Some(version) if revision::is_supported(version) => Ok(false),
            Some(version) => Err(RpcError::unsupported_version(version)),
            None => Ok(false),
        }
    }

    /// The error of a request that lacks required members.
    pub(crate) fn incomplete(&self) -> RpcError {
        let version = self.version.is_none().then_some(VERSION);
        let capabilities = self.capabilities.is_none().then_some(CAPABILITIES);
        let missing: Vec<&str> = version.into_iter().chain(capabilities).collect();
        RpcError::params(format!(
            "Invalid params: request _meta is missing or has malformed required fields: {}",
            missing.join(", ")
        ))
    }
}

/// The name and the version of a client program.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ClientName<'a> {
    pub name: &'a str,
    pub version: &'a str,
}

impl<'a> ClientName<'a> {
    fn read(info: &'a JsonRef<'a>) -> Option<Self> {
        let version = info.get("version").map_or(Some(""), JsonRef::as_str)?;
        Some(Self { name: info.get("name")?.as_str()?, version })
    }
}

impl<'a> From<&'a ClientInfo> for ClientName<'a> {
    fn from(info: &'a ClientInfo) -> Self {
        Self { name: &info.name, version: &info.version }
    }
}
