//! Replaces `gallery` without that feature.

use std::sync::Arc;

use http::Response;

use super::body::Body;
use super::gate::Head;
use super::shared::Shared;
use crate::server::Server;

pub(super) fn is_sender(_: &Shared, _: &Head) -> bool {
    false
}

pub(super) fn is_mcp(_: &Shared, _: &Head) -> bool {
    false
}

pub(super) fn comes_first(_: &Shared, _: &Head) -> bool {
    false
}

pub(super) fn is_offered(_: &Server) -> bool {
    false
}

pub(super) async fn get(_: &Arc<Shared>, _: &Head) -> Option<Response<Body>> {
    None
}
