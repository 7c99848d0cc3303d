//! Replaces `oauth` without that feature. A server with configured OAuth does not start, because it would
//! accept everyone.

use serde::de::Error as _;
use serde::{Deserialize, Deserializer};
use widgetcast::Builder;
use widgetcast::auth::BearerKeys;

const MISSING: &str = "OAuth requires a build of widgetcast with the feature `oauth`";

#[derive(clap::Args, Debug, Default)]
pub(crate) struct OAuthArgs {
    #[arg(long, hide = true, env = "WIDGETCAST_AUTH_ISSUER", value_parser = refuse)]
    auth_issuer: Option<String>,
    #[arg(long, hide = true, env = "WIDGETCAST_AUTH_AUDIENCE", value_parser = refuse)]
    auth_audience: Option<String>,
}

fn refuse(_: &str) -> Result<String, &'static str> {
    Err(MISSING)
}

#[derive(Debug)]
pub(crate) enum OAuthConfig {}

impl<'de> Deserialize<'de> for OAuthConfig {
    fn deserialize<D: Deserializer<'de>>(_: D) -> Result<Self, D::Error> {
        Err(D::Error::custom(MISSING))
    }
}

impl OAuthConfig {
    pub(crate) fn build(self) -> Result<OAuth, String> {
        match self {}
    }
}

pub(crate) enum OAuth {}

pub(crate) fn with(config: Option<OAuthConfig>, args: OAuthArgs) -> Option<OAuthConfig> {
    debug_assert_eq!((args.auth_issuer, args.auth_audience), (None, None), "they are refused");
    config
}

pub(crate) fn authenticate(_: Builder, provider: &OAuth, _: Option<BearerKeys>) -> Builder {
    match *provider {}
}

pub(crate) async fn check(provider: OAuth) {
    match provider {}
}
