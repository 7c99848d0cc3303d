//! The commands that measure running servers.

use crate::error::Result;
use crate::{attack, auth, compare, floor, load, relay, soak};

/// Runs one of these commands, or none if there is no such.
pub(crate) fn run(args: &[&str]) -> Option<Result> {
    Some(match args {
        ["load"] => load::run(10_000),
        ["load", count] => load::run(count.parse().unwrap_or(10_000)),
        ["auth"] => auth::run(),
        ["auth-server", port, issuer] => match port.parse() {
            Ok(port) => auth::serve(port, issuer),
            Err(_) => Err("auth-server PORT ISSUER".into()),
        },
        ["relay"] => relay::run(300),
        ["relay", clients] => relay::run(clients.parse().unwrap_or(300)),
        ["relay-server"] => relay::serve(),
        ["relay-bytes"] => relay::copy(),
        ["attack", args @ ..] => attack::run(args),
        ["soak", args @ ..] => soak::run(args),
        ["compare", args @ ..] => compare::run(args),
        ["floor", port, file] => match port.parse() {
            Ok(port) => floor::run(port, file.as_ref()),
            Err(_) => Err("floor PORT FILE".into()),
        },
        _ => return None,
    })
}

pub(crate) fn usage() -> String {
    let (attack, soak, compare) = (attack::USAGE, soak::USAGE, compare::USAGE);
    format!("load [N] | floor PORT FILE | auth | relay [CLIENTS] | {attack} | {soak} | {compare}")
}
