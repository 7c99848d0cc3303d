//! Authenticates the callers of a Widgetcast app with OAuth 2.1 access tokens: the app is a resource server,
//! and the tokens come from Auth0, Okta, Entra, Keycloak, Google, WorkOS, Cognito or any other provider.
//!
//! ```
//! use widgetcast::{App, Caller, Tool};
//! use widgetcast_oauth::OAuth;
//!
//! let oauth = OAuth::discover("https://login.example.com")
//!     .audience("https://helpdesk.example.com/mcp");
//! let app = App::new("helpdesk", "1.0.0")
//!     .auth(oauth)
//!     .tool(Tool::new("hours", async || "9 to 5").public())
//!     .tool(Tool::new("close", async |caller: Caller| caller.subject().to_owned()).scope("tickets:write"))
//!     .build()?;
//! # Ok::<(), widgetcast::BuildError>(())
//! ```
//!
//! JWTs are verified with the keys that the provider publishes, which are found by discovery and cached;
//! other tokens by introspection ([`Introspection`]). Verified tokens are cached by their SHA-256 hashes
//! until they expire, so a call with a token costs little more than one without. Tokens are never logged,
//! stored or passed to handlers.
//!
//! `jsonwebtoken` parses the tokens, and `ring` verifies their signatures. This crate installs a crypto
//! provider for `jsonwebtoken` at the first token, unless the program has already installed one; a program
//! that also signs with `jsonwebtoken` must install its own before that.

#[cfg(doctest)]
#[doc = include_str!("../../../docs/auth.md")]
mod guide {}

mod cache;
mod claims;
mod config;
mod discovery;
mod fetch;
mod introspection;
mod jwt;
mod keys;
mod oauth;
mod preset;
mod signature;

pub use config::{IntrospectionConfig, OAuthConfig};
pub use introspection::Introspection;
pub use oauth::OAuth;
pub use preset::Preset;
