//! An app inside an axum server that has routes and layers of its own.
//!
//! ```text
//! cargo run -p widgetcast-example-embed-axum
//! curl http://127.0.0.1:8000/                                     # a route of the server
//! widgetcast call greet --server :8000 --data '{"name": "Ada"}'   # a tool of the app
//! ```

use std::net::SocketAddr;

use axum::Router;
use axum::extract::{ConnectInfo, Request};
use axum::http::HeaderValue;
use axum::middleware::{self, Next};
use axum::response::Response;
use axum::routing::get;
use widgetcast::{App, BuildError, RemoteAddr, Tool};

#[derive(serde::Deserialize, schemars::JsonSchema)]
struct Person {
    /// Who to greet
    name: String,
}

async fn greet(person: Person) -> String {
    format!("Good day, {}!", person.name)
}

fn router() -> Result<Router, BuildError> {
    let app = App::new("greeter", "1.0.0")
        .tool(Tool::new("greet", greet).description("Greets a person").read_only())
        .build()?;
    Ok(Router::new()
        .route("/", get(async || "This server also speaks MCP, at /mcp.\n"))
        .nest_service("/mcp", app.service())
        // Layers are around the app as they are around every other route.
        .layer(middleware::from_fn(stamp)))
}

/// Tells the app who calls, for its rate limit, and marks what leaves.
async fn stamp(mut request: Request, next: Next) -> Response {
    if let Some(ConnectInfo(remote)) = request.extensions().get::<ConnectInfo<SocketAddr>>() {
        let remote = RemoteAddr(*remote);
        request.extensions_mut().insert(remote);
    }
    let mut response = next.run(request).await;
    response.headers_mut().insert("x-served-by", HeaderValue::from_static("embed-axum"));
    response
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:8000").await?;
    eprintln!("serving at http://{}", listener.local_addr()?);
    axum::serve(listener, router()?.into_make_service_with_connect_info::<SocketAddr>()).await?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use axum::body::Body;
    use http_body_util::BodyExt as _;
    use tower::ServiceExt as _;

    use super::*;

    async fn send(request: Request) -> (Response<()>, String) {
        let response = router().unwrap().oneshot(request).await.unwrap();
        let (parts, body) = response.into_parts();
        let body = body.collect().await.unwrap().to_bytes();
        (Response::from_parts(parts, ()), String::from_utf8(body.to_vec()).unwrap())
    }

    #[tokio::test]
    async fn both_are_served_within_the_layer() {
        let (head, body) = send(Request::get("/").body(Body::empty()).unwrap()).await;
        assert_eq!(
            (head.status().as_u16(), &*body),
            (200, "This server also speaks MCP, at /mcp.\n")
        );
        assert_eq!(head.headers()["x-served-by"], "embed-axum");

        let call = r#"{"jsonrpc":"2.0","id":1,"method":"tools/call",
            "params":{"name":"greet","arguments":{"name":"Ada"}}}"#;
        let request = Request::post("/mcp")
            .header("content-type", "application/json")
            .extension(ConnectInfo(SocketAddr::from(([127, 0, 0, 1], 5))))
            .body(Body::from(call))
            .unwrap();
        let (head, body) = send(request).await;
        assert_eq!(head.headers()["x-served-by"], "embed-axum");
        let answer: serde_json::Value = serde_json::from_str(&body).unwrap();
        assert_eq!(answer["result"]["content"][0]["text"], "Good day, Ada!");

        let (head, body) = send(Request::get("/mcp/healthz").body(Body::empty()).unwrap()).await;
        assert_eq!((head.status().as_u16(), &*body), (200, "ok\n"));
    }
}
