//! Prints where the instructions of a stage go, by the modules of our crates and by the crates of others.
//! Inlined code counts for the function that it is in.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;

use crate::error::Result;
use crate::instructions::callgrind;

/// How many calls a profile averages over.
const ROUNDS: u64 = 200;

pub(crate) fn run(name: &str) -> Result {
    let out = std::env::temp_dir().join(format!("widgetcast-profile-{}", std::process::id()));
    let counts = |rounds| {
        callgrind(name, rounds, &out)?;
        let counts = by_module(&out);
        std::fs::remove_file(&out)?;
        counts
    };
    // The start of the process is in both.
    let (start, all) = (counts(0)?, counts(ROUNDS)?);
    let per_call = |(module, count): (&String, &u64)| {
        let before = start.get(module).copied().unwrap_or_default();
        (count.saturating_sub(before) / ROUNDS, module.clone())
    };
    let mut rows: Vec<(u64, String)> = all.iter().map(per_call).collect();
    rows.sort_unstable_by(|one, other| other.cmp(one));
    let total: u64 = rows.iter().map(|(count, _)| count).sum();
    println!("{total:>9} 100.0 %  {name}");
    for (count, module) in rows.iter().filter(|(count, _)| count * 500 >= total) {
        println!("{count:>9} {:5.1} %  {module}", *count as f64 / total as f64 * 100.0);
    }
    Ok(())
}

/// The instructions that callgrind counted in every module.
fn by_module(file: &Path) -> Result<BTreeMap<String, u64>> {
    let output = Command::new("callgrind_annotate")
        .arg("--threshold=100")
        .arg(file)
        .output()
        .map_err(|error| format!("callgrind_annotate cannot be run ({error})"))?;
    let mut counts = BTreeMap::new();
    for line in String::from_utf8_lossy(&output.stdout).lines() {
        // `1,234 ( 5.6%)  file:function [object]`
        let Some((count, rest)) = line.split_once('(') else { continue };
        let Ok(count) = count.trim().replace(',', "").parse::<u64>() else { continue };
        let Some((_, function)) = rest.split_once("%)") else { continue };
        if !function.contains("PROGRAM TOTALS") {
            *counts.entry(module(function.trim())).or_default() += count;
        }
    }
    match counts.is_empty() {
        true => Err("callgrind_annotate printed no counts".into()),
        false => Ok(counts),
    }
}

/// The module that a function belongs to: of our crates `engine/json`, of others the crate.
fn module(function: &str) -> String {
    let is_path = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == ':';
    let mut paths = function.split(|c| !is_path(c)).filter(|path| path.contains("::"));
    let paths: Vec<&str> = paths.by_ref().map(|path| path.trim_matches(':')).collect();
    // A generic function of another crate works for what it is about.
    if let Some(ours) = paths.iter().find(|path| path.starts_with("widgetcast")) {
        let mut parts = ours.split("::");
        let name = parts.next().unwrap_or_default();
        let name = name.strip_prefix("widgetcast_").unwrap_or(name);
        let is_module = |part: &&str| part.starts_with(|c: char| c.is_ascii_lowercase());
        return match parts.next().filter(is_module) {
            Some(part) => format!("{name}/{part}"),
            None => name.to_owned(),
        };
    }
    let is_memory =
        ["malloc", "free", "realloc", "calloc"].iter().any(|part| function.contains(part));
    match paths.first().and_then(|path| path.split("::").next()) {
        Some(name) => name.to_owned(),
        None if is_memory => "allocator".into(),
        None => "libc".into(),
    }
}

#[cfg(test)]
mod tests {
    use super::module;

    #[test]
    fn functions_belong_to_modules() {
        for (function, expected) in [
            ("???:widgetcast_engine::json::json_ref::Members::get [/bin/x]", "engine/json"),
            (
                "???:core::ptr::drop_in_place<widgetcast_engine::json::JsonRef>'2 [/bin/x]",
                "engine/json",
            ),
            ("???:<widgetcast::App as core::ops::Drop>::drop [/bin/x]", "widgetcast"),
            ("???:<serde_json::read::StrRead as serde_json::read::Read>::parse_str", "serde_json"),
            ("./malloc/./malloc/malloc.c:_int_free [/usr/lib/libc.so.6]", "allocator"),
            ("./string/../sysdeps/memmove-vec.S:__memcpy_avx [/usr/lib/libc.so.6]", "libc"),
        ] {
            assert_eq!(module(function), expected, "{function}");
        }
    }
}
