//! Which of several servers has what: the resources and tasks that they have told of.

use std::collections::HashMap;

use serde_json::Value;

/// The most addresses that are known; servers are asked in turn about others.
const MAX_PLACES: usize = 10_000;

/// Where resources and tasks are, by the number of their server.
#[derive(Debug, Default)]
pub(super) struct Places {
    known: HashMap<String, usize>,
    /// What the addresses of a template begin with.
    templates: Vec<(String, usize)>,
}

impl Places {
    /// Notes where this is. The first server that tells of it has it.
    pub(super) fn note(&mut self, what: &str, at: usize) {
        if self.known.len() < MAX_PLACES && !self.known.contains_key(what) {
            self.known.insert(what.to_owned(), at);
        }
    }

    pub(super) fn note_template(&mut self, template: &str, at: usize) {
        let start = template.split('{').next().unwrap_or_default().to_owned();
        let is_known = || self.templates.iter().any(|(known, of)| *known == start && *of == at);
        if !start.is_empty() && self.templates.len() < MAX_PLACES && !is_known() {
            self.templates.push((start, at));
        }
    }

    /// Forgets what a server has told of.
    pub(super) fn forget(&mut self, of: usize) {
        self.known.retain(|_, at| *at != of);
        self.templates.retain(|(_, at)| *at != of);
    }

    /// Where it is, if a server has told of it, or of a template for it.
    pub(super) fn find(&self, what: &str) -> Option<usize> {
        let fits = |(start, _): &&(String, usize)| what.starts_with(start.as_str());
        let template = || {
            self.templates
                .iter()
                .filter(fits)
                .max_by_key(|(start, at)| (start.len(), std::cmp::Reverse(*at)))
        };
        self.known.get(what).copied().or_else(|| template().map(|(_, at)| *at))
    }

    /// Notes the resources and the task that are named in an entry of a list, or in the result of a call.
    pub(super) fn read(&mut self, text: &str, at: usize) {
        // Most results name none.
        if !["uri", "Uri", "taskId", "outputTemplate"].iter().any(|word| text.contains(word)) {
            return;
        }
        let value: Value = serde_json::from_str(text).unwrap_or_default();
        if let Some(template) = value.get("uriTemplate").and_then(Value::as_str) {
            self.note_template(template, at);
        }
        let content = value.get("content").and_then(Value::as_array).into_iter().flatten();
        let named = [
            "/uri",
            "/taskId",
            "/task/taskId",
            "/resource/uri",
            "/_meta/ui/resourceUri",
            "/_meta/ui~1resourceUri",
            "/_meta/openai~1outputTemplate",
        ];
        for of in content.chain([&value]) {
            let found = named.iter().filter_map(|pointer| of.pointer(pointer)?.as_str());
            found.for_each(|what| self.note(what, at));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_told_of_is_found_again() {
        let mut places = Places::default();
        places.read(r#"{"uri":"file:///a"}"#, 1);
        places.read(r#"{"uri":"file:///a"}"#, 0);
        places.read(r#"{"uriTemplate":"db://{table}"}"#, 0);
        places.read(r#"{"uriTemplate":"db://orders/{id}"}"#, 1);
        places.read(r#"{"uriTemplate":"{+any}"}"#, 1);
        places.read(
            r#"{"content":[{"type":"resource_link","uri":"file:///b"},{"type":"resource","resource":{"uri":"file:///c"}}],
                "task":{"taskId":"t1"}}"#,
            2,
        );
        places.read(r#"{"name":"x","_meta":{"ui":{"resourceUri":"ui://x"}}}"#, 2);
        let find = |what: &str| places.find(what);
        assert_eq!(find("file:///a"), Some(1), "the first has it");
        assert_eq!((find("db://users"), find("db://orders/7")), (Some(0), Some(1)));
        for what in ["file:///b", "file:///c", "t1", "ui://x"] {
            assert_eq!(find(what), Some(2), "{what}");
        }
        assert_eq!(find("file:///d"), None);
        places.forget(1);
        assert_eq!((places.find("file:///a"), places.find("db://orders/7")), (None, Some(0)));
    }
}
