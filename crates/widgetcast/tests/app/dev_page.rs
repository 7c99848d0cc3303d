//! Pages that are loaded from a development server: where from, and for whom.

use bytes::Bytes;
use http::{Request, StatusCode};
use http_body_util::Full;
use serde_json::json;
use tokio::net::TcpListener;
use widgetcast::http::RemoteAddr;
use widgetcast::{App, Builder, Data, Page, Settings, Tool};

use crate::talk::{MODERN, ask, send};

fn with_page(page: Page) -> Builder {
    let mut settings = Settings::default();
    settings.allowed_hosts = vec!["widgets.example.com".into()];
    App::new("tests", "1.0.0")
        .settings(settings)
        .page(page)
        .tool(Tool::new("stats", || async { Data(json!({ "n": 1 })) }).page("stats"))
}

fn app() -> App {
    // The file is not there: it is not read.
    let page = Page::file("stats", "no/such/stats.html").connect(["https://api.example.com"]);
    with_page(page.dev("http://localhost:5173/")).build().unwrap()
}

#[tokio::test]
async fn its_script_is_that_of_the_development_server() {
    let app = app();
    let list = ask(&app, MODERN, "tools/list", json!({})).await;
    let uri = &list["result"]["tools"][0]["_meta"]["ui"]["resourceUri"];
    let read = ask(&app, MODERN, "resources/read", json!({ "uri": uri })).await;
    let page = &read["result"]["contents"][0];
    let html = page["text"].as_str().unwrap();
    assert!(html.contains(r#"src="http://localhost:5173/@widgetcast/stats.js""#), "{html}");
    let wanted = json!({
        "connectDomains": [
            "https://api.example.com", "http://localhost:5173", "ws://localhost:5173"
        ],
        "resourceDomains": ["http://localhost:5173"],
    });
    assert_eq!(page["_meta"]["ui"]["csp"], wanted);
}

#[test]
fn it_must_be_on_this_machine() {
    for address in [
        "http://192.168.1.7:5173",
        "https://dev.example.com",
        "http://localhost.example.com:5173",
        "http://localhost:5173/sub",
        "http://0.0.0.0:5173",
        "localhost:5173",
        "",
    ] {
        let error = with_page(Page::inline("stats", "<p>").dev(address)).build().unwrap_err();
        let words = "page stats: the development server must be on this machine";
        assert!(error.errors()[0].starts_with(words), "{address}: {error}");
    }
    for address in ["http://localhost:5173", "http://127.0.0.1:4000", "https://localhost:5173"] {
        assert!(with_page(Page::inline("stats", "<p>").dev(address)).build().is_ok(), "{address}");
    }
}

/// What asks, from where, through which proxy.
async fn status(app: &App, host: &str, remote: Option<&str>, proxy: Option<&str>) -> StatusCode {
    let mut request = Request::get("/gallery/index.json").header("host", host);
    if let Some(name) = proxy {
        request = request.header(name, "203.0.113.9");
    }
    let mut request = request.body(Full::new(Bytes::new())).unwrap();
    if let Some(remote) = remote {
        request.extensions_mut().insert(RemoteAddr(remote.parse().unwrap()));
    }
    send(&app.service(), request).await.status
}

#[tokio::test]
async fn only_this_machine_is_let_in() {
    let app = app();
    let at_home = Some("127.0.0.1:1");
    assert_eq!(status(&app, "localhost:8000", at_home, None).await, StatusCode::OK);
    for (host, remote, proxy) in [
        ("widgets.example.com", at_home, None),
        ("widgets.example.com", None, None),
        ("localhost:8000", Some("203.0.113.9:1"), None),
        ("localhost:8000", at_home, Some("x-forwarded-for")),
    ] {
        let status = status(&app, host, remote, proxy).await;
        assert_eq!(status, StatusCode::FORBIDDEN, "{host} {remote:?} {proxy:?}");
    }
    // Others are let in as soon as the page is built.
    let built = with_page(Page::inline("stats", "<p>")).build().unwrap();
    let status = status(&built, "widgets.example.com", at_home, None).await;
    assert_eq!(status, StatusCode::NOT_FOUND, "the gallery is for this machine, the server is not");
}

#[tokio::test]
async fn it_is_not_served_where_others_reach_it() {
    let listener = TcpListener::bind("0.0.0.0:0").await.unwrap();
    let error = app().serve_listener(listener, std::future::ready(())).await.unwrap_err();
    let words = "page stats loads from a development server, so this server must stay local";
    assert!(error.to_string().starts_with(words), "{error}");
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    app().serve_listener(listener, std::future::ready(())).await.unwrap();
}

/// A view is in a frame with a policy of its own, so what one page declares does not hold for the gallery.
#[tokio::test]
async fn the_gallery_loads_nothing_that_pages_declare() {
    let mut request = Request::get("http://localhost/").body(Full::new(Bytes::new())).unwrap();
    request.extensions_mut().insert(RemoteAddr("127.0.0.1:1".parse().unwrap()));
    let page = send(&app().service(), request).await;
    let policy = page.headers["content-security-policy"].to_str().unwrap();
    let part = |name: &str| policy.split("; ").find(|part| part.starts_with(name)).unwrap();
    assert_eq!(part("script-src"), "script-src 'self' 'unsafe-inline'");
    assert_eq!(part("connect-src"), "connect-src 'self'");
}
