//! The responder of the golden transcript at a port of this machine, for `tests/peers/chatkit`.

#![allow(clippy::unwrap_used)]

#[path = "../tests/chatkit/golden.rs"]
mod golden;

use widgetcast::{App, Settings};
use widgetcast_chatkit::ChatKit;

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn std::error::Error + Send + Sync>> {
    let [port, store] = &std::env::args().skip(1).collect::<Vec<String>>()[..] else {
        return Err("golden PORT STORE".into());
    };
    let storage = widgetcast_chatkit::open(store).await?;
    let settings = Settings::default().rate_limit(0);
    let app = App::new("golden", "1.0.0").settings(settings).build()?;
    let app = ChatKit::new(storage, golden::Golden).mount(app);
    app.serve_http(format!("127.0.0.1:{port}")).await?;
    Ok(())
}
