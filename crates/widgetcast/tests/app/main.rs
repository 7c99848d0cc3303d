//! The SDK from outside: everything goes through the public interface, and every answer is held
//! against the protocol's own schemas.

#![allow(clippy::unwrap_used)]

mod arguments;
mod asking;
mod audit;
mod budget;
mod build;
mod call;
mod client;
mod components;
mod contained;
mod dev_page;
mod directory;
mod extract;
mod form;
mod gallery;
mod guide;
mod hardening;
mod http;
mod identity;
mod merge;
mod method;
mod outcome;
mod poison;
mod quota;
mod reload;
mod resource;
mod schema;
mod session;
mod stdio;
mod store;
mod talk;
mod tasks;
mod tls;
mod trace;
mod transcript;
mod trap;
