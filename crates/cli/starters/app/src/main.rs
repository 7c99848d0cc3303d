//! Serves the app over HTTP, or over stdio with `--stdio`.

use widgetcast::{Event, shutdown_signal};

use APP_CRATE::app;

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    // Private errors, which the model does not see, are logged to stderr.
    tracing_subscriber::fmt()
        .with_writer(std::io::stderr)
        .init();
    let app = app().on_event(say_where).build()?;
    if std::env::args().any(|arg| arg == "--stdio") {
        app.serve_stdio(shutdown_signal()).await?;
    } else {
        // Reloads changed widgets, and the page after each build.
        app.watch()?;
        app.serve().await?;
    }
    Ok(())
}

fn say_where(event: &Event<'_>) {
    if let Event::Started { at, gallery, .. } = event {
        eprintln!("serving at {at}");
        match gallery {
            Some(gallery) => eprintln!("try it in a browser: {gallery}"),
            None if *at == "stdio" => {}
            None => eprintln!(
                "to try it in a browser: give the app a `local_caller`, and set WIDGETCAST_GALLERY=true"
            ),
        }
    }
}
