//! The floor: a bare axum route that answers every POST with the same bytes.
//!
//! It reads the request's body, as any server must, and does nothing else. The bytes are those our own
//! server returned at the start of the run, so what lies between the two is what we spend on MCP and on
//! rendering. Started as tokio and axum document it, and built with the same profile as the server.

use std::path::Path;

use axum::Router;
use axum::body::Bytes;
use axum::http::header::CONTENT_TYPE;
use axum::routing::post;
use tokio::net::TcpListener;

use crate::error::Result;

pub(crate) fn run(port: u16, file: &Path) -> Result {
    let body = Bytes::from(std::fs::read(file)?);
    let answer = move |_request: Bytes| {
        let body = body.clone();
        async move { ([(CONTENT_TYPE, "application/json")], body) }
    };
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    runtime.block_on(async {
        let listener = TcpListener::bind(("127.0.0.1", port)).await?;
        axum::serve(listener, Router::new().route("/mcp", post(answer))).await
    })?;
    Ok(())
}
