//! Serves the app: over HTTP, or with `--stdio` over standard input and output.

use widgetcast::{Event, shutdown_signal};

use APP_CRATE::app;

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    // Errors that the model does not read are logged, on standard error.
    tracing_subscriber::fmt()
        .with_writer(std::io::stderr)
        .init();
    let app = app().on_event(say_where).build()?;
    if std::env::args().any(|arg| arg == "--stdio") {
        app.serve_stdio(shutdown_signal()).await?;
    } else {
        // Edits of widgets, and of the page that was built, are live at once.
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
