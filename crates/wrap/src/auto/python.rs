//! Python literals, which many servers return as text, such as `str(rows)` of a list of dictionaries.
//!
//! Not a crate: existing ones parse all of Python, or cannot read the `repr` of dates.

use serde_json::{Map, Number, Value};

/// Maximum nesting.
const MAX_DEPTH: usize = 64;

/// The value of a text that is one literal: `None`, `True`, numbers, strings, lists, tuples, sets and
/// dictionaries, and values that print as calls, such as `Decimal('1.5')` and `datetime.date(2026, 1, 2)`.
pub(super) fn parse(text: &str) -> Option<Value> {
    let mut reader = Reader { text, at: 0 };
    let value = reader.value(0)?;
    reader.space();
    (reader.at == text.len()).then_some(value)
}

struct Reader<'t> {
    text: &'t str,
    at: usize,
}

impl<'t> Reader<'t> {
    fn rest(&self) -> &'t str {
        &self.text[self.at..]
    }

    fn space(&mut self) {
        self.at = self.text.len() - self.rest().trim_start().len();
    }

    /// Consumes this character if it is next.
    fn takes(&mut self, sign: char) -> bool {
        self.space();
        let is_next = self.rest().starts_with(sign);
        self.at += if is_next { sign.len_utf8() } else { 0 };
        is_next
    }

    /// Consumes the characters of a kind.
    fn run(&mut self, is_part: impl Fn(char) -> bool) -> &'t str {
        let rest = self.rest();
        let run = &rest[..rest.find(|c| !is_part(c)).unwrap_or(rest.len())];
        self.at += run.len();
        run
    }

    fn value(&mut self, depth: usize) -> Option<Value> {
        self.space();
        if depth > MAX_DEPTH {
            return None;
        }
        match self.rest().chars().next()? {
            '[' => self.items(']', depth).map(Value::Array),
            '(' => self.items(')', depth).map(Value::Array),
            '{' => self.braces(depth),
            '\'' | '"' => self.string().map(Value::String),
            c if c.is_ascii_digit() || c == '-' || c == '.' => self.number(),
            _ => self.name(depth),
        }
    }

    /// Items in brackets, separated by commas; a trailing comma is allowed.
    fn items(&mut self, end: char, depth: usize) -> Option<Vec<Value>> {
        self.at += 1;
        let mut items = Vec::new();
        while !self.takes(end) {
            items.push(self.value(depth + 1)?);
            if !self.takes(',') {
                return self.takes(end).then_some(items);
            }
        }
        Some(items)
    }

    /// A dictionary, or a set (read as a list).
    fn braces(&mut self, depth: usize) -> Option<Value> {
        self.at += 1;
        let (mut members, mut items) = (Map::new(), Vec::new());
        while !self.takes('}') {
            let item = self.value(depth + 1)?;
            if self.takes(':') {
                let key = item.as_str().map_or_else(|| item.to_string(), str::to_owned);
                members.insert(key, self.value(depth + 1)?);
            } else {
                items.push(item);
            }
            if !self.takes(',') {
                self.takes('}').then_some(())?;
                break;
            }
        }
        match (members.is_empty(), items.is_empty()) {
            (_, true) => Some(Value::Object(members)),
            (true, false) => Some(Value::Array(items)),
            (false, false) => None,
        }
    }

    fn string(&mut self) -> Option<String> {
        let quote = self.rest().chars().next()?;
        self.at += 1;
        let mut string = String::new();
        loop {
            string.push_str(self.run(|c| c != quote && c != '\\' && c != '\n'));
            let end = self.rest().chars().next()?;
            self.at += 1;
            match end {
                '\\' => string.push(self.escape()?),
                _ => return (end == quote).then_some(string),
            }
        }
    }

    /// An escape sequence, after the backslash.
    fn escape(&mut self) -> Option<char> {
        let sign = self.rest().chars().next()?;
        self.at += sign.len_utf8();
        let digits = match sign {
            'n' => return Some('\n'),
            't' => return Some('\t'),
            'r' => return Some('\r'),
            'b' => return Some('\u{8}'),
            'f' => return Some('\u{c}'),
            '\\' | '\'' | '"' | '/' => return Some(sign),
            'x' => 2,
            'u' => 4,
            'U' => 8,
            _ => return None,
        };
        let code = self.code(digits)?;
        // JSON writes a character beyond 16 bits as two.
        if (0xd800..0xdc00).contains(&code) && self.rest().starts_with("\\u") {
            self.at += 2;
            let low = self.code(4)?.checked_sub(0xdc00).filter(|low| *low < 0x400)?;
            return char::from_u32(0x10000 + ((code - 0xd800) << 10) + low);
        }
        char::from_u32(code)
    }

    fn code(&mut self, digits: usize) -> Option<u32> {
        let code = self.rest().get(..digits)?;
        self.at += digits;
        u32::from_str_radix(code, 16).ok()
    }

    fn number(&mut self) -> Option<Value> {
        let digits = self.run(|c| c.is_ascii_digit() || "+-.eE".contains(c));
        if digits == "-" {
            return self.name(0).filter(|value| value == "∞").map(|_| Value::from("-∞"));
        }
        let number = digits.parse().map(|n: i64| Number::from(n)).ok();
        let number = number.or_else(|| Number::from_f64(digits.parse().ok()?))?;
        Some(Value::Number(number))
    }

    /// A constant, or a value that prints as a call.
    fn name(&mut self, depth: usize) -> Option<Value> {
        match self.run(|c| c.is_ascii_alphanumeric() || c == '_' || c == '.') {
            // Python's `json` writes missing numbers as `NaN`, among constants of JSON.
            "None" | "null" | "NaN" | "nan" => Some(Value::Null),
            "True" | "true" => Some(Value::Bool(true)),
            "False" | "false" => Some(Value::Bool(false)),
            "Infinity" | "inf" => Some(Value::from("∞")),
            "" => None,
            _ if self.rest().starts_with('(') => called(&self.items(')', depth)?),
            _ => None,
        }
    }
}

/// The value of a call by its arguments: the only one, or the numbers of a date and time.
fn called(arguments: &[Value]) -> Option<Value> {
    if let [value @ (Value::String(_) | Value::Number(_))] = arguments {
        return Some(value.clone());
    }
    let parts: Option<Vec<u64>> = arguments.iter().map(Value::as_u64).collect();
    let parts = parts.filter(|parts| matches!(parts.len(), 3 | 5..=7))?;
    let part = |at: usize| parts.get(at).copied().unwrap_or_default();
    let mut text = format!("{:04}-{:02}-{:02}", part(0), part(1), part(2));
    if parts.len() > 3 {
        text += &format!("T{:02}:{:02}:{:02}.{:06}", part(3), part(4), part(5), part(6));
    }
    Some(Value::String(text))
}
