//! Origins in content security policies.

/// Whether a text is an origin for a policy: a scheme, a host (whose first label may be `*`), optionally a
/// port, and nothing that could end the directive.
pub(crate) fn is_origin(text: &str) -> bool {
    let Some((scheme, rest)) = text.split_once("://") else { return false };
    let (host, port) = rest.rsplit_once(':').unwrap_or((rest, "0"));
    let host = host.strip_prefix("*.").unwrap_or(host);
    let label = |label: &str| {
        !label.is_empty() && label.chars().all(|c| c.is_ascii_alphanumeric() || c == '-')
    };
    matches!(scheme, "https" | "http" | "wss" | "ws")
        && host.split('.').all(label)
        && port.parse::<u16>().is_ok()
        && (matches!(scheme, "https" | "wss") || matches!(host, "localhost" | "127.0.0.1"))
}

#[cfg(test)]
mod tests {
    use super::is_origin;

    #[test]
    fn origins() {
        for good in [
            "https://example.com",
            "https://*.example.com",
            "wss://a.b:8443",
            "http://localhost:3000",
        ] {
            assert!(is_origin(good), "{good}");
        }
        for bad in [
            "example.com",
            "https://",
            "https://a.com/path",
            "https://a.com; script-src *",
            "https://*",
            "http://example.com",
            "https://a..com",
            "https://a.com:99999",
            "javascript://a",
            "https://a b",
        ] {
            assert!(!is_origin(bad), "{bad}");
        }
    }
}
