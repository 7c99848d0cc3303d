//! Which images may be loaded. In a view, the page's policy decides; hosts that do not render the tree load
//! any URL, which reveals to its server who views the widget.

/// The origins from which images may be loaded.
#[derive(Clone, Copy, Debug, Default)]
pub enum Images<'o> {
    /// Any.
    #[default]
    Any,
    /// Only these origins, such as `https://images.example.com`, and `data:` URLs.
    From(&'o [String]),
}

impl Images<'_> {
    /// Whether an image may be loaded from this URL.
    pub fn may_load(self, src: &str) -> bool {
        let Self::From(origins) = self else { return true };
        let is_inline = src.get(..5).is_some_and(|scheme| scheme.eq_ignore_ascii_case("data:"));
        let is_of = |origin: &String| {
            let is_start = src.get(..origin.len()).is_some_and(|s| s.eq_ignore_ascii_case(origin));
            // Any other next character, as in `.evil` or `@evil`, makes it a different origin.
            is_start && matches!(src.as_bytes().get(origin.len()), None | Some(b'/' | b'?' | b'#'))
        };
        is_inline || origins.iter().any(is_of)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_of_an_origin() {
        let origins = ["https://img.example.com".to_owned(), "https://cdn.example:8443".to_owned()];
        let images = Images::From(&origins);
        for src in [
            "https://img.example.com/a.png",
            "HTTPS://IMG.example.com?a",
            "https://cdn.example:8443/a",
            "data:image/png;base64,AA==",
        ] {
            assert!(images.may_load(src), "{src}");
        }
        for src in [
            "https://img.example.com.evil/a.png",
            "https://img.example.com@evil/a.png",
            "https://img.example.com:8443/a.png",
            "https://img.example.com\\@evil/a.png",
            "http://img.example.com/a.png",
            "https://cdn.example/a",
            "//evil/a.png",
            "https:evil/a.png",
            "a.png",
            "",
        ] {
            assert!(!images.may_load(src), "{src}");
            assert!(Images::Any.may_load(src));
        }
    }
}
