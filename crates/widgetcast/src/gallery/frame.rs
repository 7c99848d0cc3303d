//! The content security policies of the gallery page, and of the frames of views in it.
//!
//! A view is rendered in two nested frames. The outer one is a document at [`PATH`], which the page loads
//! from another name of this machine; its policy is a header, because a `<meta>` applies only to its own
//! document. The inner one contains the view's page, has an opaque origin, and inherits that policy.

/// The path of the outer frame.
pub(crate) const PATH: &str = "/gallery/frame";

/// The outer frame: relays messages, and reports policy violations.
pub(crate) const PAGE: &str = include_str!("../../pages/frame.html");

/// The names of this machine; a page on one of them may embed frames from the other.
const LOCAL: &str = "http://localhost:* http://127.0.0.1:* https://localhost:* https://127.0.0.1:*";

/// The policy of the page: its own scripts, requests to this server, frames from this machine, and images
/// that are part of the data or from the given origins. A request to any other origin would reveal that the
/// data was viewed.
pub(crate) fn page_policy(image_origins: &[String]) -> String {
    let images: String = image_origins.iter().map(|origin| format!(" {origin}")).collect();
    format!(
        "default-src 'none'; script-src 'self' 'unsafe-inline'; style-src 'unsafe-inline'; \
         connect-src 'self'; img-src 'self' data:{images}; font-src data:; \
         frame-src 'self' {LOCAL}; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    )
}

/// The policy of a view: inline scripts, and the origins that the page declares, which the query lists as
/// `connect=…&resource=…&frame=…`, separated by commas. Invalid origins are ignored. Only the gallery can
/// embed this frame.
pub(crate) fn view_policy(query: &str) -> String {
    let list = |name: &str| -> String {
        let part = query.split('&').find_map(|part| part.strip_prefix(name)?.strip_prefix('='));
        let origins = part.unwrap_or_default().split(',').filter(|origin| is_origin(origin));
        origins.map(|origin| format!(" {origin}")).collect()
    };
    let or_none = |list: String| if list.is_empty() { " 'none'".to_owned() } else { list };
    let (connect, resource, frame) = (list("connect"), list("resource"), list("frame"));
    let (connect, frame) = (or_none(connect), or_none(frame));
    format!(
        "default-src 'none'; script-src 'unsafe-inline'{resource}; \
         style-src 'unsafe-inline'{resource}; img-src data:{resource}; font-src data:{resource}; \
         media-src data:{resource}; connect-src{connect}; frame-src{frame}; object-src 'none'; \
         base-uri 'none'; form-action 'none'; frame-ancestors 'self' {LOCAL}; \
         sandbox allow-scripts"
    )
}

/// Whether a text is a scheme and a host, and cannot end a directive or the header.
fn is_origin(text: &str) -> bool {
    let Some((scheme, host)) = text.split_once("://") else { return false };
    let is_host = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | ':' | '*' | '-' | '_');
    matches!(scheme, "http" | "https" | "ws" | "wss")
        && host.chars().all(is_host)
        && host.chars().any(|c| c.is_ascii_alphanumeric())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn part(policy: &str, name: &str) -> String {
        policy.split("; ").find(|part| part.starts_with(name)).unwrap().to_owned()
    }

    #[test]
    fn a_view_may_load_what_it_declares_and_nothing_else() {
        let policy = view_policy(
            "connect=https://api.example.com,wss://x.example:8443&resource=https://*.cdn.example",
        );
        assert_eq!(
            part(&policy, "connect-src"),
            "connect-src https://api.example.com wss://x.example:8443"
        );
        assert_eq!(part(&policy, "img-src"), "img-src data: https://*.cdn.example");
        assert_eq!(part(&policy, "frame-src"), "frame-src 'none'");
        assert!(policy.ends_with("sandbox allow-scripts"), "{policy}");
    }

    #[test]
    fn a_query_cannot_write_a_directive() {
        let plain = view_policy("");
        for hostile in [
            "connect=*",
            "connect='self'",
            "connect=https://a;script-src%20*",
            "connect=https://a; script-src *",
            "connect=https://*",
            "connect=data:",
            "resource='unsafe-eval'",
            "frame=javascript://a",
            "connect=https://a\r\nx: y",
        ] {
            assert_eq!(view_policy(hostile), plain, "{hostile}");
        }
    }
}
