//! What the HTML of a page loads from elsewhere: a host's policy lets through only what was declared.

use std::collections::BTreeSet;

/// What loads something, and the attribute that says from where.
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
/// Links that load nothing.
const RELATIONS: [&str; 4] = ["canonical", "alternate", "author", "license"];
/// The longest tag that is looked at.
const MAX_TAG: usize = 4096;

/// The tag and the origin of everything that a page loads from elsewhere. What its scripts load is not
/// among it.
pub(crate) fn foreign(html: &str) -> BTreeSet<(&'static str, String)> {
    let mut found = BTreeSet::new();
    for part in html.split('<').skip(1) {
        let end = part.find('>').unwrap_or(part.len()).min(MAX_TAG);
        let Some(inside) = part.get(..end) else { continue };
        let name = inside.split(|c: char| !c.is_ascii_alphanumeric()).next().unwrap_or_default();
        let Some((tag, attribute)) = TAGS.iter().find(|(tag, _)| tag.eq_ignore_ascii_case(name))
        else {
            continue;
        };
        let relation = value(inside, "rel").unwrap_or_default();
        if *tag == "link" && RELATIONS.iter().any(|one| relation.eq_ignore_ascii_case(one)) {
            continue;
        }
        if let Some(origin) = value(inside, attribute).and_then(origin) {
            found.insert((*tag, origin));
        }
    }
    found
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

/// The origin of an absolute address.
fn origin(address: &str) -> Option<String> {
    let (scheme, rest) = match address.trim().split_once("//")? {
        ("https:" | "", rest) => ("https", rest),
        ("http:", rest) => ("http", rest),
        _ => return None,
    };
    let host = rest.split(['/', '?', '#']).next().filter(|host| !host.is_empty())?;
    Some(format!("{scheme}://{}", host.to_ascii_lowercase()))
}

#[cfg(test)]
mod tests {
    use super::foreign;

    #[test]
    fn what_comes_from_elsewhere_is_found() {
        let all = |html: &str| -> Vec<String> {
            foreign(html).into_iter().map(|(tag, origin)| format!("{tag} {origin}")).collect()
        };
        assert_eq!(
            all(
                r#"<SCRIPT defer SRC='https://cdn.example.com/x.js'></SCRIPT><img src=//pics.example.com/a.png>
                <link rel="stylesheet" href="https://Fonts.example.com/css?x=1">"#
            ),
            [
                "img https://pics.example.com",
                "link https://fonts.example.com",
                "script https://cdn.example.com",
            ]
        );
        for html in [
            r#"<script>fetch("https://x.example.com")</script>"#,
            r#"<script src="app.js"></script><img src="data:image/png;base64,AA//BB">"#,
            r#"<a href="https://x.example.com">x</a><link rel="canonical" href="https://x.example.com">"#,
            "<script src=",
            "<script",
            "<",
            "a < b",
        ] {
            assert_eq!(all(html), Vec::<String>::new(), "{html}");
        }
    }
}
