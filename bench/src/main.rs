//! `instructions [--check|--write]` counts instructions per stage with callgrind, which is independent of the
//! machine's load; `profile STAGE` prints which modules they are spent in; `growth` compares the instructions
//! for an input and for one of twice the size; `load [N]` measures time and memory of loading many widgets;
//! `compare` compares our server with the floor (a bare HTTP route) and with other implementations; `attack`
//! does what a hostile client or file would do, and watches what becomes of the server and of another client;
//! `auth` measures what a valid access token costs; `relay [CLIENTS]` measures what `wrap` costs; `soak` compares the answers of a million calls, and stops
//! the server under load.
//!
//! The widgets are the Studio exports of the shared corpus where it lies beside the checkout, and those of
//! the gallery.

#![allow(clippy::print_stdout)]

mod attack;
mod auth;
mod compare;
mod copies;
mod error;
mod floor;
mod growth;
mod instructions;
mod load;
mod profile;
mod relay;
mod soak;
mod stage;
mod target;

use std::process::ExitCode;

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
        _ => Err(format!(
            "usage: widgetcast-bench instructions [--check|--write] | profile STAGE | growth | load [N] | stage NAME ROUNDS | \
             floor PORT FILE | auth | relay [CLIENTS] | {} | {} | {}",
            attack::USAGE,
            soak::USAGE,
            compare::USAGE
        )
        .into()),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("{message}");
            ExitCode::FAILURE
        }
    }
}
