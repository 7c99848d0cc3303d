use super::*;
use crate::App;
use crate::worker::Undone;

#[tokio::test]
async fn nobody_passes_a_guard_that_is_not_asked() {
    let app = App::new("tests", "1.0.0").guard(async |_| Ok(())).build().unwrap();
    let server = app.server();
    let pad = "x".repeat(Budget::MAX_TRIED_BYTES);
    let text =
        format!(r#"{{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{{"{pad}":1}}}}"#);
    let refusal = async || guard(&server, &Bytes::from(text.clone()), None, Peer::LOCAL).await;
    assert!(refusal().await.is_none());
    // No one awaits this work, so the code after it does not run.
    let mut waiting = Vec::new();
    loop {
        let mut work = Box::pin(server.workers.run(|_| ()));
        match work.as_mut().now_or_never() {
            Some(Err(Undone::Busy)) => break,
            _ => waiting.push(work),
        }
    }
    assert!(refusal().await.is_some());
}
