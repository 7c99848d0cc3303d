//! Unique names for the tools of several servers.

use std::collections::HashMap;
use std::hash::Hasher as _;

use siphasher::sip::SipHasher13;

use crate::tool::Tool;

/// The maximum length that model endpoints accept.
const MAX_NAME: usize = 64;

/// Assigns each tool its name in the toolbox: its own if that is unique, or else prefixed with the name of
/// its server, with a hash if that is taken or too long. Tools of the app keep their names, whatever other
/// servers list. The result depends only on the names, not on the order of the servers, so the same servers
/// always produce the same names.
pub(crate) fn keep_apart(ours: &mut [Tool], others: &mut [Tool]) {
    for tool in ours.iter_mut().chain(&mut *others) {
        tool.name = fit(&tool.original_name, tool);
    }
    let with_server = |tool: &Tool| fit(&format!("{}_{}", tool.server, tool.original_name), tool);
    let with_hash = |tool: &Tool| hashed(&tool.name, tool);
    rename_repeated(ours, &[], with_hash);
    rename_repeated(others, ours, with_server);
    rename_repeated(others, ours, with_hash);
}

/// Renames tools whose names collide.
fn rename_repeated(tools: &mut [Tool], taken: &[Tool], rename: impl Fn(&Tool) -> String) {
    let mut times: HashMap<String, usize> = HashMap::new();
    for tool in tools.iter().chain(taken) {
        *times.entry(tool.name.clone()).or_default() += 1;
    }
    for tool in tools.iter_mut().filter(|tool| times[&tool.name] > 1) {
        tool.name = rename(tool);
    }
}

/// A name of the characters that endpoints accept, truncated to the maximum length.
fn fit(name: &str, tool: &Tool) -> String {
    let allowed = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-');
    let name: String = name.chars().map(|c| if allowed(c) { c } else { '_' }).collect();
    if name.len() <= MAX_NAME { name } else { hashed(&name, tool) }
}

fn hashed(name: &str, tool: &Tool) -> String {
    let mut hasher = SipHasher13::new();
    for part in [&tool.server, &tool.original_name] {
        hasher.write_u64(part.len() as u64);
        hasher.write(part.as_bytes());
    }
    let hash = hasher.finish() as u32;
    // All characters are ASCII at this point.
    let start = &name[..name.len().min(MAX_NAME - 9)];
    format!("{start}_{hash:08x}")
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use serde_json::json;

    use super::*;

    fn named(tools: &[(&str, &str)]) -> Vec<String> {
        let tool = |(server, name): &(&str, &str)| Tool::read(server, json!({ "name": name }));
        let (mut ours, mut others): (Vec<Tool>, Vec<Tool>) =
            tools.iter().filter_map(tool).partition(|tool| tool.server == "app");
        keep_apart(&mut ours, &mut others);
        ours.into_iter().chain(others).map(|tool| tool.name).collect()
    }

    #[test]
    fn a_server_is_named_only_where_it_is_needed() {
        let names = named(&[("app", "search"), ("git", "search"), ("git", "log")]);
        assert_eq!(names, ["search", "git_search", "log"], "ours keep their names");
        // The order of servers makes no difference.
        let names = named(&[("git", "log"), ("git", "search"), ("hub", "search")]);
        assert_eq!(names, ["log", "git_search", "hub_search"]);
        let names = named(&[("hub", "search"), ("git", "search"), ("git", "log")]);
        assert_eq!(names, ["hub_search", "git_search", "log"]);
    }

    #[test]
    fn names_are_such_as_models_write() {
        assert_eq!(named(&[("a", "order.track")]), ["order_track"]);
        assert_eq!(named(&[("a", "größe")]), ["gr__e"]);
        let long = "x".repeat(80);
        let names = named(&[("a", &long), ("b", &long), ("a", "a.b"), ("a", "a_b"), ("a", "a b")]);
        let distinct: BTreeSet<&String> = names.iter().collect();
        assert_eq!(distinct.len(), 5, "{names:?}");
        for name in &names {
            assert!(name.len() <= 64, "{name}");
            assert!(name.bytes().all(|b| b.is_ascii_alphanumeric() || b"_-".contains(&b)));
        }
    }

    #[test]
    fn a_prefix_that_gives_the_name_of_another_is_no_end() {
        let names = named(&[("a", "b_c"), ("a_b", "c"), ("x", "b_c"), ("x", "c"), ("x", "a_b_c")]);
        assert_eq!(names.iter().collect::<BTreeSet<_>>().len(), 5, "{names:?}");
    }
}
