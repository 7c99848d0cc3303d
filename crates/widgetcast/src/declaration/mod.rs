//! Parses declarations: schemas and forms of types, origins, what the HTML of a page loads, durations. The
//! SDK is built on it; nothing here depends on the SDK.

pub(crate) mod form;
pub(crate) mod header_param;
pub(crate) mod origin;
pub(crate) mod page_loads;
pub(crate) mod schema;
pub(crate) mod seconds;
