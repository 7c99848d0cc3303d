//! A server that is told to stop finishes what it has begun. A process of its own, because signals are for
//! the whole of it.

#![cfg(unix)]
#![allow(clippy::unwrap_used)]

use std::sync::Arc;
use std::time::Duration;

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Notify;
use widgetcast::{App, Tool};

#[tokio::test]
async fn serve_http_finishes_running_calls_on_sigterm() {
    let (begun, go_on) = (Arc::new(Notify::new()), Arc::new(Notify::new()));
    let (told, wait) = (Arc::clone(&begun), Arc::clone(&go_on));
    let slow = move || {
        let (told, wait) = (Arc::clone(&told), Arc::clone(&wait));
        async move {
            told.notify_one();
            wait.notified().await;
            "finished"
        }
    };
    let app = App::new("tests", "1.0.0").tool(Tool::new("slow", slow)).build().unwrap();
    // A free port; another program may take it in between, but hardly will.
    let at = TcpListener::bind("127.0.0.1:0").await.unwrap().local_addr().unwrap();
    let server = tokio::spawn(async move { app.serve_http(at).await });
    let mut stream = loop {
        match TcpStream::connect(at).await {
            Ok(stream) => break stream,
            Err(_) => tokio::time::sleep(Duration::from_millis(10)).await,
        }
    };
    let body = r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"slow"}}"#;
    let request = format!(
        "POST /mcp HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n\
         accept: application/json\r\ncontent-length: {}\r\n\r\n{body}",
        body.len()
    );
    stream.write_all(request.as_bytes()).await.unwrap();
    begun.notified().await;
    let pid = std::process::id().to_string();
    let killed = std::process::Command::new("kill").args(["-TERM", &pid]).status().unwrap();
    assert!(killed.success());
    go_on.notify_one();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).await.unwrap();
    assert!(answer.contains("finished"), "{answer}");
    server.await.unwrap().unwrap();
}
