//! A view of any result, with nothing configured.
