//! The endpoints: `/chatkit` with its subpaths, and the chat page at `/chat`.
//!
//! A caller that the app authenticates keeps that identity. Otherwise, a signed cookie identifies the user, and
//! only pages of this server may use it.

use bytes::Bytes;
use futures_util::stream;
use http::header::{self, HeaderMap, HeaderName, HeaderValue};
use http::{Method, Request, Response, StatusCode};
use percent_encoding::percent_decode_str;
use serde_json::json;
use widgetcast::http::{Body, RequestBody, Visitor};
use widgetcast::{App, Budgeted, Caller, Settings};

use crate::backend::ChatResponse;
use crate::chatkit::{ChatKit, UPLOAD_TOKEN};
use crate::error::RequestError;
use crate::id;
use crate::owner::Owner;
use crate::protocol;
use crate::turn::User;

/// The endpoint of the ChatKit component.
const ENDPOINT: &str = "/chatkit";
/// The chat page.
const PAGE_PATH: &str = "/chat";
const PAGE: &str = include_str!("../pages/chat.html");
const ATTACHMENTS: &str = "/attachments/";
/// Identifies an anonymous user. Over https, its name has the `__Host-` prefix, so that browsers accept it
/// only from this host: neither a page without TLS nor one of a sibling domain can replace it.
const COOKIE: &str = "widgetcast_person";
const SECURE_COOKIE: &str = "__Host-widgetcast_person";
/// The name of a turn in the audit log.
const STREAM: &str = "chatkit";
const COOKIE_SECONDS: u32 = 400 * 24 * 3600;
/// The number of characters of a cookie before its signature.
const SECRET_DIGITS: usize = 40;

type Answered = Result<Response<Body>, Box<Response<Body>>>;

impl ChatKit {
    /// Mounts `/chatkit` and `/chat` on the app, with the same hosts, origins, limits and authentication.
    pub fn mount(self, app: App) -> App {
        let policy = page_policy(app.settings());
        self.storage().on_failure(app.store_failures("chat"));
        let site = Site {
            chatkit: self.files_of_at_most(app.settings().max_response_bytes).on(app.workers()),
            has_authenticator: app.has_authenticator(),
            is_tls: app.settings().tls_cert.is_some(),
        };
        let of_page = site.clone();
        app.mount(ENDPOINT, move |request| {
            let site = site.clone();
            async move { site.answer(request).await.unwrap_or_else(|refused| *refused) }
        })
        .mount(PAGE_PATH, move |request| {
            let page = of_page.page(&request, &policy);
            async move { page }
        })
    }
}

/// The endpoint's view of its app.
#[derive(Clone)]
struct Site {
    chatkit: ChatKit,
    has_authenticator: bool,
    is_tls: bool,
}

fn respond(status: StatusCode, mime: &'static str, body: Body) -> Response<Body> {
    let mut response = Response::new(body);
    *response.status_mut() = status;
    let headers = response.headers_mut();
    for (name, value) in [
        (header::CONTENT_TYPE, mime),
        (header::CACHE_CONTROL, "no-store"),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
        (header::REFERRER_POLICY, "no-referrer"),
    ] {
        headers.insert(name, HeaderValue::from_static(value));
    }
    response
}

fn json_text(text: String) -> Response<Body> {
    respond(StatusCode::OK, "application/json", text.into())
}

fn refused(status: StatusCode, words: &str) -> Box<Response<Body>> {
    let text = json!({ "error": { "message": words } }).to_string();
    Box::new(respond(status, "application/json", text.into()))
}

impl From<RequestError> for Box<Response<Body>> {
    fn from(fault: RequestError) -> Self {
        refused(fault.status(), &fault.to_string())
    }
}

/// The content security policy of the chat page.
fn page_policy(settings: &Settings) -> HeaderValue {
    let images: String = settings.image_origins.iter().map(|origin| format!(" {origin}")).collect();
    let policy = format!(
        "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; \
         connect-src 'self'; img-src 'self' data: blob:{images}; font-src data:; media-src data: blob:; \
         base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    );
    HeaderValue::try_from(policy).unwrap_or(HeaderValue::from_static("default-src 'none'"))
}

fn is_secure(headers: &HeaderMap, is_tls: bool) -> bool {
    let forwarded = HeaderName::from_static("x-forwarded-proto");
    is_tls || text_of(headers, &forwarded) == Some("https")
}

fn set_cookie(response: &mut Response<Body>, cookie: &str, is_secure: bool) {
    let secure = if is_secure { "; Secure" } else { "" };
    let name = cookie_name(is_secure);
    let cookie = format!(
        "{name}={cookie}; Path=/; Max-Age={COOKIE_SECONDS}; HttpOnly; SameSite=Lax{secure}"
    );
    if let Ok(cookie) = HeaderValue::try_from(cookie) {
        response.headers_mut().insert(header::SET_COOKIE, cookie);
    }
}

fn cookie_name(is_secure: bool) -> &'static str {
    if is_secure { SECURE_COOKIE } else { COOKIE }
}

/// The value of the cookie.
fn cookie(headers: &HeaderMap, is_secure: bool) -> Option<String> {
    let all = headers.get_all(header::COOKIE).iter().filter_map(|line| line.to_str().ok());
    let mut pairs =
        all.flat_map(|line| line.split(';')).filter_map(|pair| pair.trim().split_once('='));
    pairs.find(|(name, _)| *name == cookie_name(is_secure)).map(|(_, value)| value.to_owned())
}

fn text_of<'h>(headers: &'h HeaderMap, name: &HeaderName) -> Option<&'h str> {
    headers.get(name).and_then(|value| value.to_str().ok())
}

/// A query parameter.
fn parameter(query: Option<&str>, name: &str) -> String {
    let mut pairs = query.unwrap_or_default().split('&').filter_map(|pair| pair.split_once('='));
    let value = pairs.find(|(known, _)| *known == name).map(|(_, value)| value.replace('+', " "));
    percent_decode_str(&value.unwrap_or_default()).decode_utf8_lossy().into_owned()
}

impl Site {
    /// The chat page.
    fn page(&self, request: &Request<RequestBody>, policy: &HeaderValue) -> Response<Body> {
        let is_read = matches!(*request.method(), Method::GET | Method::HEAD);
        if !is_read || !matches!(request.uri().path(), PAGE_PATH | "/chat/") {
            return *refused(StatusCode::NOT_FOUND, "not found");
        }
        let mut response = respond(StatusCode::OK, "text/html; charset=utf-8", PAGE.into());
        response.headers_mut().insert(header::CONTENT_SECURITY_POLICY, policy.clone());
        // The page sends its first requests concurrently; all of them must belong to one user.
        if !self.has_authenticator && self.cookie(request.headers()).is_none() {
            set_cookie(
                &mut response,
                &self.new_cookie(),
                is_secure(request.headers(), self.is_tls),
            );
        }
        response
    }

    /// Creates a signed cookie for a new user.
    fn new_cookie(&self) -> String {
        let secret = id::secret();
        let signature = id::signature(&self.chatkit.storage().key(), &secret);
        secret + &signature
    }

    /// The value of the cookie, if its signature is valid.
    fn cookie(&self, headers: &HeaderMap) -> Option<String> {
        let value = cookie(headers, is_secure(headers, self.is_tls))?;
        let (secret, signature) = value.split_at_checked(SECRET_DIGITS)?;
        let ours = id::signature(&self.chatkit.storage().key(), secret);
        // Compares in constant time.
        let differ = ours.bytes().zip(signature.bytes()).fold(0, |all, (a, b)| all | (a ^ b));
        (ours.len() == signature.len() && differ == 0).then_some(value)
    }

    async fn answer(&self, request: Request<RequestBody>) -> Answered {
        let (parts, body) = request.into_parts();
        let Some(visitor) = parts.extensions.get::<Visitor>() else {
            return Err(refused(StatusCode::NOT_FOUND, "not found"));
        };
        let host = text_of(&parts.headers, &header::HOST).map(str::to_owned);
        let host = host.or_else(|| parts.uri.authority().map(ToString::to_string));
        let host = host.unwrap_or_else(|| "localhost".into());
        let is_secure = is_secure(&parts.headers, self.is_tls);
        let at = format!("{}://{host}{ENDPOINT}", if is_secure { "https" } else { "http" });
        let path = parts.uri.path().strip_prefix(ENDPOINT).unwrap_or_default();
        // The upload token authorizes the upload, and nothing else.
        if let (&Method::PUT | &Method::POST, Some(id), Some(token)) = (
            &parts.method,
            path.strip_prefix(ATTACHMENTS),
            text_of(&parts.headers, &HeaderName::from_static(UPLOAD_TOKEN)),
        ) {
            let found = self.chatkit.storage().attachment_by_token(id, token).await;
            let (owner, found) = found.map_err(RequestError::of(id))?;
            return self.upload(visitor, &owner, id, found.size, body).await;
        }
        let (user, new_cookie) = self.user(visitor, &parts)?;
        let mut response = match (&parts.method, path) {
            (&Method::POST, "" | "/") => self.process(visitor, body, &user, &at).await?,
            (&Method::GET, "/search") => {
                let text = parameter(parts.uri.query(), "q");
                json_text(self.chatkit.search(&user, &text).await?)
            }
            (&Method::GET, "/commands") => {
                let typed = parameter(parts.uri.query(), "q");
                json_text(self.chatkit.commands(&user, &typed).await?)
            }
            (method, path) => match (method, path.strip_prefix(ATTACHMENTS)) {
                (&Method::GET, Some(id)) => self.attachment(&user.owner, id).await?,
                (&Method::PUT | &Method::POST, Some(id)) => {
                    let found = self.chatkit.storage().attachment(&user.owner, id).await;
                    let (found, _) = found.map_err(RequestError::of(id))?;
                    self.upload(visitor, &user.owner, id, found.size, body).await?
                }
                _ => return Err(refused(StatusCode::NOT_FOUND, "not found")),
            },
        };
        if let Some(cookie) = new_cookie {
            set_cookie(&mut response, &cookie, is_secure);
        }
        Ok(response)
    }

    /// The user of a request, and a cookie for a new user.
    fn user(
        &self,
        visitor: &Visitor,
        parts: &http::request::Parts,
    ) -> Result<(User, Option<String>), Box<Response<Body>>> {
        if let Some(caller) = parts.extensions.get::<Caller>() {
            let user = User::caller(caller.clone());
            return Ok((User { peer: visitor.peer(), ..user }, None));
        }
        if self.has_authenticator {
            let mut response = refused(StatusCode::UNAUTHORIZED, "authentication required");
            let challenge = HeaderValue::from_static("Bearer");
            response.headers_mut().insert(header::WWW_AUTHENTICATE, challenge);
            return Err(response);
        }
        if !visitor.is_same_origin() {
            let words = "cross-origin requests must be authenticated: this server identifies users by a cookie";
            return Err(refused(StatusCode::FORBIDDEN, words));
        }
        let known = self.cookie(&parts.headers);
        let new = known.is_none().then(|| self.new_cookie());
        let cookie = known.or_else(|| new.clone()).unwrap_or_default();
        let (owner, peer) = (Owner::cookie(&cookie), visitor.peer());
        Ok((User { owner, caller: None, peer }, new))
    }

    async fn process(
        &self,
        visitor: &Visitor,
        body: RequestBody,
        user: &User,
        at: &str,
    ) -> Answered {
        let bytes = visitor.read_json(body).await?;
        let text = bytes.clone();
        let parse = move |budgeted| parse(&text, budgeted);
        let request: protocol::Request = visitor.work(bytes.len(), parse).await??;
        // Before anything is stored, because a rejected client may retry.
        let open = match request.is_turn() {
            true => Some(visitor.open_stream(STREAM)?),
            false => None,
        };
        match self.chatkit.process(user, request, at).await? {
            ChatResponse::Json(text) => Ok(json_text(text)),
            ChatResponse::Events(mut events) => {
                // Poll the reply's task first, so that its first events are sent with the response head.
                tokio::task::yield_now().await;
                let events = stream::poll_fn(move |context| {
                    // The request is held during the reply, and counts toward the memory limit.
                    let _ = (&open, &bytes);
                    events.poll_recv(context)
                });
                let mut response =
                    respond(StatusCode::OK, "text/event-stream", Body::stream(events));
                // Tells proxies not to buffer.
                let name = HeaderName::from_static("x-accel-buffering");
                response.headers_mut().insert(name, HeaderValue::from_static("no"));
                Ok(response)
            }
        }
    }

    async fn upload(
        &self,
        visitor: &Visitor,
        owner: &Owner,
        id: &str,
        size: usize,
        body: RequestBody,
    ) -> Answered {
        let most = size.min(self.chatkit.limits().max_bytes);
        let bytes = visitor.read(body, most).await?;
        let kept = self.chatkit.storage().save_blob(owner, id, bytes.to_vec()).await;
        kept.map_err(RequestError::of(id))?;
        Ok(json_text("{}".into()))
    }

    /// An attachment for its owner. Browsers render only images inline, whatever type is declared.
    async fn attachment(&self, owner: &Owner, id: &str) -> Answered {
        let blob = self.chatkit.storage().blob(owner, id).await.map_err(RequestError::of(id))?;
        let is_image =
            matches!(&*blob.mime_type, "image/png" | "image/jpeg" | "image/gif" | "image/webp");
        let mut response =
            respond(StatusCode::OK, "application/octet-stream", Bytes::from(blob.bytes).into());
        let headers = response.headers_mut();
        if let Ok(mime) = HeaderValue::try_from(&blob.mime_type) {
            headers.insert(header::CONTENT_TYPE, mime);
        }
        if !is_image {
            let disposition = HeaderValue::from_static("attachment");
            headers.insert(header::CONTENT_DISPOSITION, disposition);
        }
        let policy = HeaderValue::from_static("default-src 'none'; sandbox");
        headers.insert(header::CONTENT_SECURITY_POLICY, policy);
        Ok(response)
    }
}

/// Parses a request, or returns why it is invalid.
fn parse(bytes: &[u8], _: Budgeted) -> Result<protocol::Request, Box<Response<Body>>> {
    let bad = |error: serde_json::Error| refused(StatusCode::BAD_REQUEST, &error.to_string());
    serde_json::from_slice(bytes).map_err(bad)
}

#[cfg(test)]
mod tests {
    use futures_util::FutureExt as _;
    use widgetcast::Workers;

    use super::*;

    #[test]
    fn queries_are_decoded() {
        assert_eq!(parameter(Some("x=1&q=Z%C3%BCrich+HB"), "q"), "Zürich HB");
        assert_eq!(parameter(None, "q"), "");
    }

    #[test]
    fn parameters_may_come_before_the_type() {
        let text = br#"{"params":{"thread_id":"thr_1"},"type":"threads.get_by_id"}"#;
        let work = |budgeted| parse(text, budgeted).ok();
        let request =
            Workers::default().finish(text.len(), work).now_or_never().flatten().flatten();
        assert!(
            matches!(request, Some(protocol::Request::GetThread(of)) if of.thread_id == "thr_1")
        );
    }
}
