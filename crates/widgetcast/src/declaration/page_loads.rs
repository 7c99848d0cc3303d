//! Finds what the HTML of a page loads. A host's policy allows only declared origins, and a page in a frame
//! has no URL against which relative ones could be resolved.

use std::collections::BTreeSet;

/// Elements that load something, and the attribute with its URL.
const TAGS: [(&str, &str); 8] = [
    ("script", "src"),
    ("link", "href"),
    ("img", "src"),
    ("source", "src"),
    ("video", "src"),
    ("audio", "src"),
    ("iframe", "src"),
    ("embed", "src"),
];
/// Links that a page needs for rendering.
const RELATIONS: [&str; 3] = ["stylesheet", "modulepreload", "preload"];
/// Elements whose content is not markup.
const RAW: [&str; 4] = ["script", "style", "textarea", "title"];
/// Maximum length of a tag.
const MAX_TAG: usize = 4096;

/// Where something is loaded from.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum LoadedFrom {
    /// Another origin.
    Origin(String),
    /// A relative URL, which cannot be resolved.
    Beside(String),
}

/// The tag and the source of everything that the markup and styles of a page load. Scripts are not analysed:
/// whether they use a URL that they contain is unknown.
pub(crate) fn loads(html: &str) -> BTreeSet<(&'static str, LoadedFrom)> {
    let mut found = BTreeSet::new();
    let mut rest = html;
    while let Some((_, part)) = rest.split_once('<') {
        if let Some(comment) = part.strip_prefix("!--") {
            rest = comment.split_once("-->").map_or("", |(_, rest)| rest);
            continue;
        }
        let end = part.find('>').unwrap_or(part.len());
        let inside = &part[..part.floor_char_boundary(end.min(MAX_TAG))];
        rest = &part[end..];
        let name = inside.split(|c: char| !c.is_ascii_alphanumeric()).next().unwrap_or_default();
        if let Some(from) = loaded_by(name, inside) {
            found.insert(from);
        }
        if let Some(raw) = RAW.iter().find(|raw| raw.eq_ignore_ascii_case(name)) {
            let content = &rest[..end_of(raw, rest)];
            if *raw == "style" {
                found.extend(css_addresses(content).filter_map(source).map(|from| ("style", from)));
            }
            rest = &rest[content.len()..];
        }
    }
    found
}

/// What a tag loads.
fn loaded_by(name: &str, inside: &str) -> Option<(&'static str, LoadedFrom)> {
    let (tag, attribute) = TAGS.iter().find(|(tag, _)| tag.eq_ignore_ascii_case(name))?;
    let is_used = *tag != "link"
        || value(inside, "rel").is_some_and(|relations| {
            let mut words = relations.split_ascii_whitespace();
            words.any(|word| RELATIONS.iter().any(|one| word.eq_ignore_ascii_case(one)))
        });
    if !is_used {
        return None;
    }
    Some((tag, source(value(inside, attribute)?)?))
}

/// The end of a raw element's content.
fn end_of(raw: &str, content: &str) -> usize {
    let is_end = |(at, _): &(usize, &str)| {
        content[at + 2..].get(..raw.len()).is_some_and(|name| name.eq_ignore_ascii_case(raw))
    };
    content.match_indices("</").find(is_end).map_or(content.len(), |(at, _)| at)
}

/// The URLs that styles load: those of `url(…)` and `@import`.
fn css_addresses(css: &str) -> impl Iterator<Item = &str> {
    let after = |mark: &'static str| css.split(mark).skip(1).map(str::trim_start);
    let urls = after("url(").map(|text| match text.strip_prefix(['"', '\'']) {
        Some(text) => text.split(['"', '\'']).next().unwrap_or_default(),
        None => text.split(')').next().unwrap_or_default(),
    });
    let imports = after("@import").filter_map(|text| {
        let text = text.strip_prefix(['"', '\''])?;
        text.split(['"', '\'']).next()
    });
    urls.chain(imports)
}

/// The value of an attribute.
fn value<'t>(tag: &'t str, attribute: &str) -> Option<&'t str> {
    let mut rest = tag;
    loop {
        let (before, after) = rest.split_once('=')?;
        let name = before.trim_end().rsplit(|c: char| c.is_whitespace()).next()?;
        let after = after.trim_start();
        let (value, next) = match after.chars().next()? {
            quote @ ('"' | '\'') => after[1..].split_once(quote)?,
            _ => after.split_once(|c: char| c.is_whitespace()).unwrap_or((after, "")),
        };
        if name.eq_ignore_ascii_case(attribute) {
            return Some(value);
        }
        rest = next;
    }
}

/// The origin of a URL, unless it is a `data:` URL or a fragment.
fn source(address: &str) -> Option<LoadedFrom> {
    let address = address.trim();
    let lower = address.get(..8).unwrap_or(address).to_ascii_lowercase();
    let scheme = if lower.starts_with("http://") { "http" } else { "https" };
    let absolute = ["https://", "http://", "//"].iter().find(|start| lower.starts_with(**start));
    if let Some(start) = absolute {
        let host = address[start.len()..].split(['/', '?', '#']).next()?;
        return Some(LoadedFrom::Origin(format!("{scheme}://{}", host.to_ascii_lowercase())));
    }
    let has_scheme = address.split(['/', '?', '#']).next().is_some_and(|first| first.contains(':'));
    let is_beside = !address.is_empty() && !address.starts_with('#') && !has_scheme;
    is_beside.then(|| LoadedFrom::Beside(address.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::{LoadedFrom, loads};

    fn all(html: &str) -> Vec<String> {
        let print = |(tag, from): (&str, LoadedFrom)| match from {
            LoadedFrom::Origin(origin) => format!("{tag} {origin}"),
            LoadedFrom::Beside(address) => format!("{tag} beside {address}"),
        };
        loads(html).into_iter().map(print).collect()
    }

    #[test]
    fn what_comes_from_elsewhere_is_found() {
        assert_eq!(
            all(
                r#"<SCRIPT defer SRC='https://cdn.example.com/x.js'></SCRIPT><img src=//pics.example.com/a.png>
                <link rel="stylesheet" href="https://Fonts.example.com/css?x=1">
                <link rel="preload stylesheet" href="HTTP://two.example.com/b.css">"#
            ),
            [
                "img https://pics.example.com",
                "link http://two.example.com",
                "link https://fonts.example.com",
                "script https://cdn.example.com",
            ]
        );
        let styles = r#"<style>@import "a.css"; @import url(https://f.example.com/b.css);
            i { background: url('/pics/c.png') url(data:image/png;base64,AA) url(#gradient) }</style>
            <img src="d.png">"#;
        assert_eq!(
            all(styles),
            [
                "img beside d.png",
                "style https://f.example.com",
                "style beside /pics/c.png",
                "style beside a.css",
            ]
        );
        assert_eq!(
            all(r#"<script type="module" crossorigin src="/assets/a.js"></script>"#),
            ["script beside /assets/a.js"]
        );
    }

    #[test]
    fn what_is_in_the_page_or_only_named_is_not() {
        for html in [
            r#"<script>fetch("https://x.example.com"); a = '<img src="/x.png">'</script>"#,
            r#"<!-- <script src="/x.js"></script> --><textarea><img src="/x.png"></textarea>"#,
            r#"<img src="data:image/png;base64,AA//BB"><img src="blob:x"><use href="\#a"></use>"#,
            r#"<a href="https://x.example.com">x</a><link rel="canonical" href="https://x.example.com">"#,
            r#"<link rel="icon" href="/vite.svg"><script></script>"#,
            "<script src=",
            "<script",
            "<!--",
            "<",
            "a < b",
            "",
        ] {
            assert_eq!(all(html), Vec::<String>::new(), "{html}");
        }
    }
}
