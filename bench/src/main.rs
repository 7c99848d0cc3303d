//! `instructions [--check|--write]` counts instructions per stage with callgrind, which is independent of the
//! machine's load; `profile STAGE` prints which modules they are spent in; `growth` compares the instructions
//! for an input and for one of twice the size; `load [N]` measures time and memory of loading many widgets;
//! `compare` compares our server with the floor (a bare HTTP route) and with other implementations; `attack`
//! does what a hostile client or file would do, and watches what becomes of the server and of another client;
//! `auth` measures what a valid access token costs; `relay [CLIENTS]` measures what `wrap` costs; `soak`
//! compares the answers of a million calls, and stops the server under load.
//!
//! The widgets are the Studio exports of the shared corpus where it lies next to the checkout, and those of
//! the gallery.

#![allow(clippy::print_stdout)]

#[cfg(feature = "servers")]
mod attack;
#[cfg(feature = "servers")]
mod auth;
#[cfg(feature = "servers")]
mod compare;
#[cfg(feature = "servers")]
mod copies;
mod error;
#[cfg(feature = "servers")]
mod floor;
mod growth;
mod instructions;
#[cfg(feature = "servers")]
mod load;
#[cfg(not(feature = "servers"))]
mod no_servers;
#[cfg(feature = "servers")]
mod person;
mod profile;
#[cfg(feature = "servers")]
mod relay;
#[cfg(feature = "servers")]
mod servers;
#[cfg(feature = "servers")]
mod soak;
mod stage;
#[cfg(feature = "servers")]
mod target;

use std::process::ExitCode;

#[cfg(not(feature = "servers"))]
use no_servers as servers;

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    let outcome = match args.as_slice() {
        ["instructions"] => instructions::run(instructions::Mode::Print),
        ["instructions", "--check"] => instructions::run(instructions::Mode::Check),
        ["instructions", "--write"] => instructions::run(instructions::Mode::Write),
        ["profile", name] => profile::run(name),
        ["stage", name, rounds] => stage::run(name, rounds.parse().unwrap_or(1)),
        ["growth"] => growth::run(),
        ["growth-cases", factor, names] => growth::run_cases(factor.parse().unwrap_or(1), names),
        args => servers::run(args).unwrap_or_else(|| {
            Err(format!(
                "usage: widgetcast-bench instructions [--check|--write] | profile STAGE | growth | \
                 stage NAME ROUNDS | {}",
                servers::usage()
            )
            .into())
        }),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("{message}");
            ExitCode::FAILURE
        }
    }
}
