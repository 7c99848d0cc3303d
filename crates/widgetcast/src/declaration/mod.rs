//! How the parts of a declaration are read: schemas and forms of types, origins, what the HTML of a page
//! loads, lengths of time. The SDK's nouns are checked and written with it; nothing here knows them.

pub(crate) mod form;
pub(crate) mod header_param;
pub(crate) mod origin;
pub(crate) mod page_loads;
pub(crate) mod schema;
pub(crate) mod seconds;
