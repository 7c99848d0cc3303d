//! Reads a tool's output schema: the schema of a value, and the label of a member.

use serde_json::Value;

/// Maximum references and alternatives to follow from one schema.
const MAX_HOPS: usize = 8;
/// Maximum characters of a unit.
const MAX_UNIT: usize = 20;

/// The part of an output schema that describes one value, if there is any.
#[derive(Clone, Copy)]
pub(super) struct Schema<'s> {
    root: &'s Value,
    own: &'s Value,
}

impl<'s> Schema<'s> {
    pub(super) const NONE: Schema<'static> = Schema { root: &Value::Null, own: &Value::Null };

    pub(super) fn of_output(tool: &'s Value) -> Self {
        let root = &tool["outputSchema"];
        Self { root, own: root }
    }

    /// The schema of a member of the object.
    pub(super) fn member(self, key: &str) -> Self {
        let schema = self.resolved();
        match &schema["properties"][key] {
            Value::Null => Self { own: &schema["additionalProperties"], ..self },
            own => Self { own, ..self },
        }
    }

    /// Whether the schema declares a member, so that its key is not data.
    pub(super) fn declares(self, key: &str) -> bool {
        !self.resolved()["properties"][key].is_null()
    }

    /// The keys that the schema declares.
    pub(super) fn keys(self) -> impl Iterator<Item = &'s String> {
        self.resolved()["properties"].as_object().into_iter().flat_map(|members| members.keys())
    }

    /// The schema of the items of the array.
    pub(super) fn items(self) -> Self {
        Self { own: &self.resolved()["items"], ..self }
    }

    /// The format of the value.
    pub(super) fn format(self) -> Option<&'s str> {
        self.resolved()["format"].as_str()
    }

    /// The unit of the value, as in a Thing Description.
    pub(super) fn unit(self) -> Option<&'s str> {
        let unit = self.resolved()["unit"].as_str().map(str::trim);
        unit.filter(|unit| !unit.is_empty() && unit.chars().count() <= MAX_UNIT)
    }

    /// Whether the value is a timestamp, whatever its JSON type.
    pub(super) fn is_time(self) -> bool {
        self.format()
            .is_some_and(|format| ["date", "time", "unix"].iter().any(|f| format.starts_with(f)))
    }

    /// The label of a member with this schema: its title, or else its key as text. The title of a referenced
    /// schema names a type rather than the member, and is ignored.
    pub(super) fn label(self, key: &str) -> String {
        let title = self.own["title"].as_str().map(str::trim).filter(|title| !title.is_empty());
        title.map_or_else(|| in_words(key), str::to_owned)
    }

    /// Resolves references, and alternatives of which all but one are null.
    fn resolved(self) -> &'s Value {
        let mut schema = self.own;
        for _ in 0..MAX_HOPS {
            let target = schema["$ref"].as_str().and_then(|target| target.strip_prefix('#'));
            let next = match target {
                Some(pointer) => self.root.pointer(pointer),
                None => ["anyOf", "oneOf", "allOf"].iter().find_map(|key| only(&schema[key])),
            };
            match next {
                Some(next) => schema = next,
                None => break,
            }
        }
        schema
    }
}

/// The only alternative other than null.
fn only(alternatives: &Value) -> Option<&Value> {
    let mut rest = alternatives.as_array()?.iter().filter(|schema| schema["type"] != "null");
    rest.next().filter(|_| rest.next().is_none())
}

pub(super) fn is_identifier(key: &str) -> bool {
    key.starts_with(|c: char| c.is_alphabetic() || c == '_')
        && key.chars().all(|c| c.is_alphanumeric() || c == '_' || c == '-')
}

/// A key such as `unit_price` or `unitPrice` as text: `Unit price`. Acronyms, and keys that are not
/// identifiers, stay unchanged.
fn in_words(key: &str) -> String {
    if !is_identifier(key) {
        return key.to_owned();
    }
    let words: Vec<String> = key.split(['_', '-']).flat_map(camel_words).collect();
    let mut label = words.join(" ");
    if let Some(first) = label.chars().next() {
        label.replace_range(..first.len_utf8(), &first.to_uppercase().to_string());
    }
    if label.is_empty() { key.to_owned() } else { label }
}

/// The words of `unitPrice`, `userID` or `HTMLPage`, in lower case except for acronyms.
fn camel_words(name: &str) -> Vec<String> {
    let chars: Vec<char> = name.chars().collect();
    let starts_word = |at: usize| {
        let is_upper = |at: usize| chars.get(at).is_some_and(|c| c.is_uppercase());
        let is_lower = |at: usize| chars.get(at).is_some_and(|c| c.is_lowercase());
        is_upper(at) && (!is_upper(at - 1) || is_lower(at + 1))
    };
    let mut words: Vec<String> = Vec::new();
    for (at, c) in chars.iter().enumerate() {
        match words.last_mut().filter(|_| !starts_word(at)) {
            Some(word) => word.push(*c),
            None => words.push(c.to_string()),
        }
    }
    let is_acronym = |word: &str| word.len() > 1 && !word.chars().any(char::is_lowercase);
    let lower = |word: String| if is_acronym(&word) { word } else { word.to_lowercase() };
    words.into_iter().map(lower).collect()
}
