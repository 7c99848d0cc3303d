//! `widgetcast health`: checks that a server is ready, for health checks of containers without a shell.

use std::io::Write as _;
use std::time::Duration;

use crate::outcome::{Failure, Outcome};
use crate::print;

/// Timeout of the request.
const TIMEOUT: Duration = Duration::from_secs(5);

#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    /// URL of the server, without a path
    #[arg(default_value = "http://127.0.0.1:8000")]
    url: String,
}

pub(crate) fn run(args: &Args) -> Result<Outcome, Failure> {
    let agent = ureq::Agent::config_builder()
        .timeout_global(Some(TIMEOUT))
        .http_status_as_error(false)
        .proxy(None)
        .build()
        .new_agent();
    let url = format!("{}/readyz", args.url.trim_end_matches('/'));
    let response = agent.get(&url).call();
    let mut response = response.map_err(|error| {
        let error = error.to_string();
        format!("{url}: {}", error.strip_prefix("io: ").unwrap_or(&error))
    })?;
    let text = response.body_mut().read_to_string()?;
    match response.status().is_success() {
        true => writeln!(print::stdout(), "{}", text.trim_end())?,
        false => return Err(format!("{url}: {}", text.trim_end()).into()),
    }
    Ok(Outcome::Clean)
}
