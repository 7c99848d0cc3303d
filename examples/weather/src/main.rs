//! A weather server: two typed tools, each shown by a widget in every host.
//!
//! ```text
//! cargo run -p widgetcast-example-weather -- --recorded          # at http://127.0.0.1:8000/mcp
//! cargo run -p widgetcast-example-weather -- --stdio             # for clients that start it
//! ```

mod open_meteo;
mod recorded;
mod tools;
mod weather;

use open_meteo::OpenMeteo;
use recorded::Recorded;
use widgetcast::App;

const USAGE: &str = "\
Usage: weather [--http ADDR | --stdio] [--recorded]

  --http ADDR   serve over HTTP at this address [default: 127.0.0.1:8000]
  --stdio       serve over stdio
  --recorded    use recorded weather instead of api.open-meteo.com; so does WEATHER=recorded";

/// The arguments of the program.
struct Args {
    /// `None` for stdio.
    http: Option<String>,
    recorded: bool,
}

fn parse(args: impl IntoIterator<Item = String>) -> Result<Args, String> {
    let recorded = std::env::var("WEATHER").is_ok_and(|name| name == "recorded");
    let mut parsed = Args { http: Some("127.0.0.1:8000".into()), recorded };
    let mut args = args.into_iter();
    while let Some(arg) = args.next() {
        match arg.as_str() {
            "--http" => parsed.http = Some(args.next().ok_or("--http needs an address")?),
            "--stdio" => parsed.http = None,
            "--recorded" => parsed.recorded = true,
            other => return Err(format!("{other:?} is not known\n\n{USAGE}")),
        }
    }
    Ok(parsed)
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let args = match parse(std::env::args().skip(1)) {
        Ok(args) => args,
        Err(message) => {
            eprintln!("{message}");
            std::process::exit(2);
        }
    };
    let app = app(args.recorded)?;
    match args.http {
        Some(at) => {
            eprintln!("serving at http://{at}/mcp");
            app.serve_http(at).await?;
        }
        None => app.serve_stdio(std::future::pending()).await?,
    }
    Ok(())
}

/// The app, with the real service or the recorded one behind it.
fn app(recorded: bool) -> Result<App, widgetcast::BuildError> {
    match recorded {
        true => tools::app(Recorded),
        false => tools::app(OpenMeteo::new()),
    }
}

#[cfg(test)]
mod tests;
