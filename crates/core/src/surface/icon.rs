//! Icons for the page that shows views. The page has those that ChatKit names; lucide has far more, so
//! a result carries the ones that its tree uses.

use std::sync::LazyLock;

use memchr::memmem::Finder;
use serde_json::Value;
use widgetcast_engine::json::write_string;

/// The prefix of a lucide icon's name in a tree.
pub const PREFIX: &str = "lucide:";
static PREFIX_FINDER: LazyLock<Finder<'_>> = LazyLock::new(|| Finder::new(PREFIX));
/// The most icons in one result; each is some hundred bytes.
const MOST: usize = 64;

/// Drawings by name: lines of a name, a tab and the drawing as JSON, sorted by name. An alias has the current
/// name of the icon instead of a drawing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Icons(&'static str);

impl Icons {
    /// Icons from lines in the format of [`Icons`].
    pub const fn new(lines: &'static str) -> Self {
        Self(lines)
    }

    /// The drawing of an icon.
    ///
    /// ```
    /// use widgetcast_core::surface::icon::Icons;
    /// let icons = Icons::new("bee\t[1]\ncat\t[2]\ncow\t[3]\nkitten\tcat\n");
    /// assert_eq!(icons.get("cat"), Some("[2]"));
    /// assert_eq!(icons.get("kitten"), Some("[2]"));
    /// assert_eq!(icons.get("co"), None);
    /// ```
    pub fn get(self, name: &str) -> Option<&'static str> {
        let is_drawing = |found: &&str| found.starts_with('[');
        let found = self.line(name)?;
        if is_drawing(&found) { Some(found) } else { self.line(found).filter(is_drawing) }
    }

    fn line(self, name: &str) -> Option<&'static str> {
        let (mut low, mut high) = (0, self.0.len());
        while low < high {
            // The line that the middle is in.
            let middle = (low + high) / 2;
            let bytes = self.0.as_bytes();
            let start =
                bytes[..middle].iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1);
            let end = bytes[middle..].iter().position(|byte| *byte == b'\n');
            let end = end.map_or(bytes.len(), |at| middle + at);
            let (found, drawing) = self.0[start..end].split_once('\t')?;
            match name.cmp(found) {
                std::cmp::Ordering::Equal => return Some(drawing),
                std::cmp::Ordering::Less => high = start,
                std::cmp::Ordering::Greater => low = end + 1,
            }
        }
        None
    }

    /// The icons that a tree shows in addition to ChatKit's, as the members of an object.
    pub(crate) fn of_tree(self, tree: &str) -> String {
        let mut members = String::new();
        // Nearly no tree has such an icon, and a search in the text costs less than parsing it.
        if self.0.is_empty() || PREFIX_FINDER.find(tree.as_bytes()).is_none() {
            return members;
        }
        let mut names = Vec::new();
        collect(&serde_json::from_str(tree).unwrap_or_default(), &mut names);
        names.sort_unstable();
        names.dedup();
        for name in names.iter().take(MOST) {
            if let Some(drawing) = self.get(&name[PREFIX.len()..]) {
                members.push_str(if members.is_empty() { "" } else { "," });
                write_string(name, &mut members);
                members.push(':');
                members.push_str(drawing);
            }
        }
        members
    }
}

fn collect(node: &Value, names: &mut Vec<String>) {
    match node {
        Value::String(text) if text.starts_with(PREFIX) => names.push(text.clone()),
        Value::Array(items) => items.iter().for_each(|item| collect(item, names)),
        Value::Object(members) => members.values().for_each(|member| collect(member, names)),
        _ => {}
    }
}
