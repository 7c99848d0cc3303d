//! Finds the server of a resource: the one that lists it, or else the first one that mentioned it in a
//! result.

use std::collections::HashSet;

use serde_json::Value;

/// Maximum known URIs of each kind per server; for others, the servers are queried.
const MAX_KNOWN: usize = 10_000;

/// The known resources of a server.
#[derive(Debug, Default)]
struct Shown {
    listed: HashSet<String>,
    templates: HashSet<String>,
    named: HashSet<String>,
}

/// The known resources, by the index of their server.
#[derive(Debug)]
pub(super) struct Places(Vec<Shown>);

impl Places {
    pub(super) fn new(servers: usize) -> Self {
        Self((0..servers).map(|_| Shown::default()).collect())
    }

    /// Records an entry of a list, and returns whether to show it to the client. A URI that another server
    /// lists is read from that one, so this entry must be hidden.
    pub(super) fn list(&mut self, entry: &str, at: usize) -> bool {
        type Of = fn(&mut Shown) -> &mut HashSet<String>;
        let value: Value = serde_json::from_str(entry).unwrap_or_default();
        let kinds: [(&str, Of); 2] =
            [("uri", |shown| &mut shown.listed), ("uriTemplate", |shown| &mut shown.templates)];
        kinds.into_iter().all(|(member, of)| {
            let Some(what) = value[member].as_str() else { return true };
            if (0..self.0.len()).any(|other| other != at && of(&mut self.0[other]).contains(what)) {
                return false;
            }
            insert(of(&mut self.0[at]), what);
            true
        })
    }

    /// Records a URI that a server has mentioned or returned. Known URIs keep their server.
    pub(super) fn name(&mut self, what: &str, at: usize) {
        if !self.0.iter().any(|shown| shown.named.contains(what)) {
            insert(&mut self.0[at].named, what);
        }
    }

    /// Records the resources that a result mentions.
    pub(super) fn read(&mut self, result: &str, at: usize) {
        // Most results mention none.
        if !result.contains("uri") {
            return;
        }
        let value: Value = serde_json::from_str(result).unwrap_or_default();
        for item in value.get("content").and_then(Value::as_array).into_iter().flatten() {
            let named = ["/uri", "/resource/uri"];
            let found = named.iter().filter_map(|pointer| item.pointer(pointer)?.as_str());
            found.for_each(|what| self.name(what, at));
        }
    }

    /// Clears the list of a server before it is listed again.
    pub(super) fn forget(&mut self, member: &str, of: usize) {
        match member {
            "resources" => self.0[of].listed.clear(),
            "resourceTemplates" => self.0[of].templates.clear(),
            _ => {}
        }
    }

    /// The server that has listed or mentioned it, or lists a matching template.
    pub(super) fn find(&self, what: &str) -> Option<usize> {
        let having = |of: fn(&Shown) -> &HashSet<String>| {
            self.0.iter().position(|shown| of(shown).contains(what))
        };
        let start = |template: &String| {
            let start = template.split('{').next().unwrap_or_default();
            what.starts_with(start).then_some(start.len()).filter(|length| *length > 0)
        };
        let longest = |shown: &Shown| shown.templates.iter().filter_map(start).max();
        let by_template = || {
            let fits = self.0.iter().enumerate();
            let fits = fits.filter_map(|(at, shown)| Some((longest(shown)?, at)));
            fits.max_by_key(|(length, at)| (*length, std::cmp::Reverse(*at))).map(|(_, at)| at)
        };
        having(|shown| &shown.listed).or_else(|| having(|shown| &shown.named)).or_else(by_template)
    }
}

fn insert(into: &mut HashSet<String>, what: &str) {
    if into.len() < MAX_KNOWN {
        into.insert(what.to_owned());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_shown_is_found_again() {
        let mut places = Places::new(3);
        assert!(places.list(r#"{"uri":"file:///a"}"#, 1));
        assert!(!places.list(r#"{"uri":"file:///a"}"#, 0), "another server lists it");
        assert!(places.list(r#"{"uri":"file:///a"}"#, 1));
        for (template, at) in [("db://{table}", 0), ("db://orders/{id}", 1), ("{+any}", 1)] {
            assert!(places.list(&format!(r#"{{"uriTemplate":"{template}"}}"#), at), "{template}");
        }
        assert!(!places.list(r#"{"uriTemplate":"db://{table}"}"#, 2));
        let result = r#"{"content":[{"type":"resource_link","uri":"file:///b"},
            {"type":"resource","resource":{"uri":"file:///c"}},{"uri":"file:///a"}]}"#;
        places.read(result, 2);
        places.read(r#"{"content":[{"uri":"file:///b"}]}"#, 0);
        let find = |what: &str| places.find(what);
        assert_eq!(find("file:///a"), Some(1), "listing comes before naming");
        assert_eq!((find("db://users"), find("db://orders/7")), (Some(0), Some(1)));
        for what in ["file:///b", "file:///c"] {
            assert_eq!(find(what), Some(2), "{what}");
        }
        assert_eq!(find("file:///d"), None);
        places.forget("resources", 1);
        assert!(places.list(r#"{"uri":"file:///a"}"#, 0));
        assert_eq!(places.find("file:///a"), Some(0));
    }

    #[test]
    fn one_server_cannot_fill_the_memory_for_another() {
        let mut places = Places::new(2);
        for number in 0..MAX_KNOWN + 1 {
            places.name(&format!("x:{number}"), 0);
        }
        places.name("y:1", 1);
        assert_eq!((places.find("y:1"), places.find(&format!("x:{MAX_KNOWN}"))), (Some(1), None));
    }
}
