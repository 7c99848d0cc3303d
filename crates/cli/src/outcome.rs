//! The outcome of a command. Every verb returns `Result<Outcome, Failure>`; `main` turns it into the exit
//! code.

/// The outcome of a command that could run.
pub(crate) enum Outcome {
    /// Exit code 0.
    Clean,
    /// Exit code 1: the command worked, and reported findings.
    Findings,
}

/// Why a command could not run (exit code 2), as a message for the user.
pub(crate) type Failure = Box<dyn std::error::Error>;
