//! Without the feature `servers`, none of its commands.

use crate::error::Result;

pub(crate) fn run(_: &[&str]) -> Option<Result> {
    None
}

pub(crate) fn usage() -> String {
    "with the feature `servers`: load, floor, auth, relay, attack, soak, compare".into()
}
