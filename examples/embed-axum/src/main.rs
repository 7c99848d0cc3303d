//! An app inside an axum server with its own routes and layers.
//!
//! ```text
//! cargo run -p widgetcast-example-embed-axum
//! curl http://127.0.0.1:8000/                                     # a route of the server
//! widgetcast call greet --server :8000 --data '{"name": "Ada"}'   # a tool of the app
//! ```

use std::net::SocketAddr;

use axum::Router;
use axum::extract::Request;
use axum::http::HeaderValue;
use axum::middleware::{self, Next};
use axum::response::Response;
use axum::routing::get;
use widgetcast::{App, BuildError, Tool, shutdown_signal};

#[derive(serde::Deserialize, schemars::JsonSchema)]
struct Person {
    /// Who to greet
    name: String,
}

async fn greet(person: Person) -> String {
    format!("Good day, {}!", person.name)
}

fn app() -> Result<App, BuildError> {
    App::new("greeter", "1.0.0")
        .tool(Tool::new("greet", greet).description("Greets someone by name").read_only())
        .build()
}

fn router(app: &App) -> Router {
    Router::new()
        .route("/", get(async || "This server also speaks MCP, at /mcp.\n"))
        .nest_service("/mcp", app.service())
        // Layers apply to the app as to every other route.
        .layer(middleware::from_fn(stamp))
}

/// Adds a header to each response.
async fn stamp(request: Request, next: Next) -> Response {
    let mut response = next.run(request).await;
    response.headers_mut().insert("x-served-by", HeaderValue::from_static("embed-axum"));
    response
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:8000").await?;
    eprintln!("serving at http://{}", listener.local_addr()?);
    let app = app()?;
    // The rate limit is per client, whose address comes from axum.
    let router = router(&app).into_make_service_with_connect_info::<SocketAddr>();
    axum::serve(listener, router)
        .with_graceful_shutdown(async move {
            shutdown_signal().await;
            // Ends the streams that clients hold open; running calls finish.
            app.stop();
        })
        .await?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use axum::body::Body;
    use axum::extract::ConnectInfo;
    use http_body_util::BodyExt as _;
    use tower::ServiceExt as _;

    use super::*;

    async fn send(request: Request) -> (Response<()>, String) {
        let response = router(&app().unwrap()).oneshot(request).await.unwrap();
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

    /// The gallery, which is for this machine alone, tells whether the app knows where a client is.
    #[tokio::test]
    async fn the_app_takes_addresses_from_axum() {
        let status = async |from: [u8; 4]| {
            let request = Request::get("/mcp/gallery/index.json")
                .extension(ConnectInfo(SocketAddr::from((from, 5))))
                .body(Body::empty())
                .unwrap();
            send(request).await.0.status().as_u16()
        };
        assert_eq!(status([127, 0, 0, 1]).await, 200);
        assert_eq!(status([192, 0, 2, 7]).await, 404);
    }

    #[tokio::test]
    async fn an_open_stream_does_not_keep_the_server_from_ending() {
        use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};

        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let at = listener.local_addr().unwrap();
        let app = app().unwrap();
        let (stop, stopped) = tokio::sync::oneshot::channel::<()>();
        let stopping = app.clone();
        let serving = axum::serve(listener, router(&app)).with_graceful_shutdown(async move {
            _ = stopped.await;
            stopping.stop();
        });
        let serving = tokio::spawn(serving.into_future());
        let mut client = tokio::net::TcpStream::connect(at).await.unwrap();
        let get = format!("GET /mcp HTTP/1.1\r\nhost: {at}\r\naccept: text/event-stream\r\n\r\n");
        client.write_all(get.as_bytes()).await.unwrap();
        let mut head = [0; 15];
        client.read_exact(&mut head).await.unwrap();
        assert_eq!(&head, b"HTTP/1.1 200 OK");
        stop.send(()).unwrap();
        serving.await.unwrap().unwrap();
        let mut rest = Vec::new();
        client.read_to_end(&mut rest).await.unwrap();
        assert!(rest.ends_with(b"0\r\n\r\n"), "the stream was cut off");
    }
}
