//! Texts for drawn strings: friendly ones by property name or `format`, long ones, hostile ones.
//!
//! Nothing here looks at a schema. `n` distinguishes texts of the same kind: 0 is the first one.

use super::intent::Intent;

/// Fragments that break templates which build JSON or markup by hand. Short ones first, so that a small
/// `maxLength` still allows some.
pub(super) const HOSTILE: [&str; 11] = [
    "\"",
    "\\",
    "\n",
    "\t",
    "</script>",
    "{{ 1 }}",
    "{% raw %}",
    "\u{2028}",
    "👩‍👩‍👧",
    "e\u{301}\u{327}",
    "\u{202e}שלום مرحبا",
];

const WORDS: [&str; 8] = ["lorem", "ipsum", "dolor", "sit", "amet", "consectetur", "elit", "sed"];

const LINKS: [&str; 5] = ["url", "uri", "href", "link", "website"];
const IMAGES: [&str; 8] = ["image", "img", "src", "avatar", "photo", "logo", "thumbnail", "cover"];

/// All hostile fragments in one text; `n` selects the first, so that short fields differ.
pub(super) fn hostile(n: usize) -> String {
    let first = n % HOSTILE.len();
    HOSTILE[first..].iter().chain(&HOSTILE[..first]).copied().collect()
}

/// `count` words, starting at the `n`-th.
pub(super) fn words(n: usize, count: usize) -> String {
    let words: Vec<&str> =
        WORDS.iter().cycle().skip(n % WORDS.len()).take(count).copied().collect();
    words.join(" ")
}

/// `text`, truncated or padded to between `min` and `max` characters.
pub(super) fn fit(text: &str, min: usize, max: usize) -> String {
    let padded = text.chars().count().max(min);
    let filler = WORDS.iter().flat_map(|word| [word, " "]).collect::<String>();
    let gap = if text.is_empty() { "" } else { " " };
    let endless = text.chars().chain(gap.chars()).chain(filler.chars().cycle());
    endless.take(padded.min(max)).collect()
}

/// An ordinary text for the property `name`.
pub(super) fn friendly(name: &str, n: usize) -> String {
    let words = split(name);
    let has = |list: &[&str]| words.iter().any(|word| list.contains(&word.as_str()));
    let slug = if words.is_empty() { "page".to_string() } else { words.join("-") };
    let suffix = if n == 0 { String::new() } else { format!("-{}", n + 1) };
    if has(&IMAGES) {
        return format!("https://example.com/{slug}{suffix}.png");
    }
    if has(&LINKS) {
        return format!("https://example.com/{slug}{suffix}");
    }
    let format = match words.last().map(String::as_str) {
        Some("email" | "mail") => "email",
        Some("date") => "date",
        Some("time") => return format!("09:{:02}", (30 + n) % 60),
        Some("color" | "colour") => return "#3366cc".to_string(),
        Some("phone") => return format!("+1 555 01{:02}", n % 100),
        Some("currency") => return "EUR".to_string(),
        Some("id" | "key") => {
            let stem = words.first().map_or("id", String::as_str);
            return format!("{stem}-{}", n + 1);
        }
        _ => "",
    };
    if let Some(text) = formatted(format, Intent::Full, n) {
        return text;
    }
    let noun = if words.is_empty() { "text".to_string() } else { words.join(" ") };
    match n {
        0 => format!("Example {noun}"),
        n => format!("Example {noun} {}", n + 1),
    }
}

/// A text of the given `format`; `None` for an unknown one.
pub(super) fn formatted(format: &str, intent: Intent, n: usize) -> Option<String> {
    let date = match n {
        0 => "2026-01-31".to_string(),
        n => format!("2026-{:02}-{:02}", n % 12 + 1, n % 28 + 1),
    };
    let hostile = intent == Intent::Hostile;
    let tail = if intent == Intent::Longest { "/long".repeat(40) } else { String::new() };
    let number = if n == 0 { String::new() } else { (n + 1).to_string() };
    Some(match format {
        "date" => date,
        "date-time" => format!("{date}T09:30:00Z"),
        "time" => format!("09:{:02}:00Z", (30 + n) % 60),
        "email" | "idn-email" if hostile => "o'brien+{{x}}@example.com".to_string(),
        "email" | "idn-email" => format!("ada{number}@example.com"),
        "uri" | "iri" if hostile => {
            "https://example.com/?q=%22%3C/script%3E&a='b'#%7B%7B".to_string()
        }
        "uri" | "iri" => format!("https://example.com/page{number}{tail}"),
        "uri-reference" | "iri-reference" if hostile => "../?q=%22%3C/script%3E&a='b'".to_string(),
        "uri-reference" | "iri-reference" => format!("/page{number}{tail}"),
        "uuid" => format!("{:08x}-0000-4000-8000-000000000000", n + 1),
        "hostname" | "idn-hostname" if n == 0 => "example.com".to_string(),
        "hostname" | "idn-hostname" => format!("host{number}.example.com"),
        "ipv4" => format!("192.0.2.{}", n % 254 + 1),
        "ipv6" => format!("2001:db8::{:x}", n % 0xffff + 1),
        "duration" => format!("PT{}M", n + 1),
        _ => return None,
    })
}

/// `dueDate`, `due_date` and `due-date` all as "due", "date".
fn split(name: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let mut last = ' ';
    for c in name.chars().take(60) {
        let starts = !last.is_alphanumeric() || (c.is_uppercase() && last.is_lowercase());
        last = c;
        if !c.is_alphanumeric() {
            continue;
        }
        match words.last_mut().filter(|_| !starts) {
            Some(word) => word.extend(c.to_lowercase()),
            None => words.push(c.to_lowercase().collect()),
        }
    }
    words
}
