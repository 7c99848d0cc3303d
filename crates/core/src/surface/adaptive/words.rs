//! Text components: size, weight and colour, and how plain text is kept from being read as Markdown.

use serde_json::{Map, Value, json};

use crate::surface::node::{is_bold, kind, text};

/// How far apart the parts of a colour are that is no grey.
const VIVID: u8 = 40;

/// A text component in its size, weight and colour.
pub(super) fn words(node: &Value) -> Vec<Value> {
    text(node, "value").map_or(Vec::new(), |value| plain(&value, &look(node)))
}

/// A text component as a part of a line.
pub(super) fn run(node: &Value, line: &str) -> Value {
    let mut run = json!({"type": "TextRun", "text": line});
    let mut look = shown(&look(node));
    look.remove("style");
    merge(&mut run, look);
    run
}

fn look(node: &Value) -> Value {
    let size = match (kind(node), node["size"].as_str()) {
        ("Title", None | Some("sm" | "md")) => "Large",
        ("Title", _) => "ExtraLarge",
        ("Caption", _) | (_, Some("xs")) => "Small",
        (_, Some("lg")) => "Medium",
        (_, Some("xl")) => "Large",
        _ => "Default",
    };
    let mut look = json!({
        "size": size,
        "weight": if is_bold(node) || kind(node) == "Title" { "Bolder" } else { "Default" },
        "color": color(&node["color"]),
        "isSubtle": is_subtle(node),
    });
    if kind(node) == "Title" {
        look["style"] = "heading".into();
    }
    match node["textAlign"].as_str() {
        Some("center") => look["horizontalAlignment"] = "Center".into(),
        Some("end") => look["horizontalAlignment"] = "Right".into(),
        _ => {}
    }
    if node["italic"] == true {
        look["italic"] = true.into();
    }
    if node["lineThrough"] == true {
        look["strikethrough"] = true.into();
    }
    look
}

pub(super) fn is_subtle(node: &Value) -> bool {
    matches!(node["color"].as_str(), Some("secondary" | "tertiary"))
        || (kind(node) == "Caption" && node["color"].is_null())
}

pub(super) fn color(color: &Value) -> &'static str {
    let name = color.as_str().or_else(|| color["light"].as_str()).unwrap_or_default();
    match name.split('-').next().unwrap_or_default() {
        "success" | "green" => "Good",
        "danger" | "red" => "Attention",
        "warning" | "caution" | "yellow" | "orange" => "Warning",
        "info" | "discovery" | "accent" | "blue" | "purple" => "Accent",
        _ => "Default",
    }
}

/// The style of a group on a ground of its own: a colour that means something keeps its meaning, and one
/// of a brand is the accent.
pub(super) fn ground(node: &Value) -> &'static str {
    let ground = &node["background"];
    match color(ground) {
        "Good" => "good",
        "Attention" => "attention",
        "Warning" => "warning",
        "Accent" => "accent",
        _ if is_vivid(ground) => "accent",
        _ => "emphasis",
    }
}

/// Whether a `#rrggbb` colour is no grey, and not so pale that it is only a tint of one.
fn is_vivid(ground: &Value) -> bool {
    let css = ground.as_str().or_else(|| ground["light"].as_str()).unwrap_or_default();
    let Some(hex) = css.strip_prefix('#').filter(|hex| hex.len() == 6 && hex.is_ascii()) else {
        return false;
    };
    let parts = [0, 2, 4].map(|at| u8::from_str_radix(&hex[at..at + 2], 16).unwrap_or_default());
    let (low, high) = (parts.iter().min(), parts.iter().max());
    low.zip(high).is_some_and(|(low, high)| high - low > VIVID)
}

/// A look without what is the default.
fn shown(look: &Value) -> Map<String, Value> {
    let mut look = look.as_object().cloned().unwrap_or_default();
    look.retain(|_, value| *value != "Default" && *value != false);
    look
}

/// Text that no host reads as Markdown, one element for each line. Default looks are left out.
pub(super) fn plain(value: &str, look: &Value) -> Vec<Value> {
    let look = shown(look);
    let is_styled = look.contains_key("italic") || look.contains_key("strikethrough");
    let lines = value.lines().map(str::trim).filter(|line| !line.is_empty());
    let element = |(index, line): (usize, &str)| {
        let mut look = look.clone();
        let mut block = if is_styled || has_marks(line) {
            let align = look.remove("horizontalAlignment");
            look.remove("style");
            let mut run = json!({"type": "TextRun", "text": line});
            merge(&mut run, look);
            let mut block = json!({"type": "RichTextBlock", "inlines": [run]});
            merge(&mut block, align.map(|align| ("horizontalAlignment".to_owned(), align)));
            block
        } else {
            let mut block = json!({"type": "TextBlock", "text": line, "wrap": true});
            merge(&mut block, look);
            block
        };
        if index > 0 {
            block["spacing"] = "None".into();
        }
        block
    };
    lines.enumerate().map(element).collect()
}

pub(super) fn merge(element: &mut Value, look: impl IntoIterator<Item = (String, Value)>) {
    if let Some(element) = element.as_object_mut() {
        element.extend(look);
    }
}

/// Whether a host could read the text as Markdown, or as a date to fill in. Such a text is a run, which no
/// host parses: on phones Teams shows the backslash of an escaped mark.
pub(super) fn has_marks(text: &str) -> bool {
    let mut escaped = String::with_capacity(text.len());
    escape(text.trim_start(), &mut escaped);
    escaped != text.trim_start() || text.contains("{{")
}

/// Writes a text so that no host reads marks or HTML in it. Where a character cannot be a mark it
/// stays as it is, since some hosts show the backslash.
pub(super) fn escape(text: &str, out: &mut String) {
    let starts_line = out.is_empty() || out.ends_with('\n');
    let marker = starts_line.then(|| block_mark(text)).flatten();
    let mut before = out.chars().next_back().unwrap_or(' ');
    let mut letters = text.char_indices().peekable();
    while let Some((at, c)) = letters.next() {
        let after = letters.peek().map_or(' ', |(_, after)| *after);
        let is_alone = before.is_whitespace() && after.is_whitespace();
        let is_in_word = before.is_alphanumeric() && after.is_alphanumeric();
        let is_mark = match c {
            '*' => !is_alone,
            '~' => before == '~' || after == '~',
            '_' => !is_alone && !is_in_word,
            '`' => true,
            '\\' => after.is_ascii_punctuation(),
            ']' => after == '(',
            '&' => is_entity(&text[at + 1..]),
            '<' => after.is_ascii_alphabetic() || matches!(after, '/' | '!' | '?'),
            _ => false,
        };
        if is_mark || marker == Some(at) {
            out.push('\\');
        }
        out.push(c);
        before = c;
    }
}

/// Whether what follows an ampersand makes it a character of HTML.
fn is_entity(rest: &str) -> bool {
    let name = rest.trim_start_matches(|c: char| c.is_ascii_alphanumeric() || c == '#');
    name.len() < rest.len() && name.starts_with(';')
}

/// Where a text at the start of a line has a character that makes it a heading, a quotation or an
/// item of a list.
fn block_mark(text: &str) -> Option<usize> {
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let rest = &text[digits..];
    let mark = rest.chars().next()?;
    let is_alone = |marks: &str| marks.chars().next().is_none_or(char::is_whitespace);
    let is_mark = match mark {
        '.' | ')' => digits > 0 && is_alone(&rest[1..]),
        '+' => digits == 0 && is_alone(&rest[1..]),
        // Several are a rule.
        '-' => digits == 0 && is_alone(rest.trim_start_matches('-')),
        '#' => digits == 0 && is_alone(rest.trim_start_matches('#')),
        '>' | '|' => digits == 0,
        _ => false,
    };
    is_mark.then_some(digits)
}

/// Whether most letters run from right to left.
pub(super) fn is_right_to_left(text: &str) -> bool {
    let letters = || text.chars().filter(|c| c.is_alphabetic());
    let is_rtl = |c: &char| {
        matches!(c, '\u{590}'..='\u{8ff}' | '\u{fb1d}'..='\u{fdff}' | '\u{fe70}'..='\u{fefc}'
            | '\u{10800}'..='\u{10fff}' | '\u{1e800}'..='\u{1efff}')
    };
    letters().filter(is_rtl).count() * 2 > letters().count()
}
