//! Snapshots that follow the edits of files.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde_json::json;
use widgetcast_core::{Catalog, Changes, Hydration, Kind, Limits, Severity, slack, tool_name};

use super::{Dir, kinds, widget};

/// A widget that shows a word of its own.
fn saying(name: &str, word: &str) -> String {
    let template = json!({"type": "Card", "children": [{"type": "Text", "value": word}]});
    json!({
        "version": "1.0",
        "name": name,
        "template": template.to_string(),
        "jsonSchema": {"type": "object", "properties": {}},
        "sample": {"of": word},
        "encodedWidget": word,
    })
    .to_string()
}

/// One that can be read, but not drawn.
fn undrawable(name: &str) -> String {
    json!({"version": "1.0", "name": name, "template": "{\"type\":\"Nonsense\"}"}).to_string()
}

fn said(catalog: &Catalog, name: &str) -> Option<String> {
    Some(catalog.get(name)?.render(&json!({})).unwrap().text().to_owned())
}

fn listed(catalog: &Catalog) -> Vec<String> {
    catalog.list().map(|listing| listing.tool_name.to_owned()).collect()
}

/// Added, changed, removed, kept.
fn told(changes: &Changes) -> [Vec<&str>; 4] {
    [&changes.added, &changes.changed, &changes.removed, &changes.kept]
        .map(|names| names.iter().map(String::as_str).collect())
}

#[test]
fn reread_adds_changes_and_removes() {
    let dir = Dir::new("reread");
    dir.write("a.widget", &saying("A", "one"));
    dir.write("b.widget", &saying("B", "one"));
    let first = dir.load();
    assert_eq!(first.dir(), Some(&*dir.0));
    let b = first.get("b").unwrap() as *const _;

    dir.write("a.widget", &saying("A", "two"));
    dir.write("sub/c.widget", &saying("C", "new"));
    dir.write("notes.txt", "nothing");
    let paths = ["a.widget", "sub/c.widget", "notes.txt", "none.widget"].map(|p| dir.0.join(p));
    let (second, changes) = first.reread(&paths);
    assert_eq!(told(&changes), [vec!["c"], vec!["a"], vec![], vec![]]);
    assert!(!changes.is_empty() && changes.list_changed() && changes.findings.is_empty());
    assert_eq!(listed(&second), ["a", "b", "c"]);
    assert_eq!(said(&second, "a").unwrap(), "two");
    // The old snapshot is as it was, and what did not change is shared.
    assert_eq!((listed(&first).len(), said(&first, "a").unwrap().as_str()), (2, "one"));
    assert!(std::ptr::eq(b, second.get("b").unwrap()));

    // Saved again without a change: nothing to announce.
    let (same, changes) = second.reread(&[dir.0.join("a.widget")]);
    assert!(changes.is_empty() && !changes.list_changed());
    assert!(std::ptr::eq(second.get("a").unwrap(), same.get("a").unwrap()));

    // What a list shows is the same, but the widget is not.
    let mut catalog = same;
    dir.write("a.widget", &saying("A", "three"));
    let changes = dir.reread(&mut catalog, &["a.widget"]);
    assert_eq!(told(&changes), [vec![], vec!["a"], vec![], vec![]]);
    assert!(!changes.list_changed());
    dir.write(
        "a.widget",
        &saying("A", "three").replace("\"name\"", "\"description\":\"d\",\"name\""),
    );
    assert!(dir.reread(&mut catalog, &["a.widget"]).list_changed());

    dir.remove("b.widget");
    let changes = dir.reread(&mut catalog, &["b.widget"]);
    assert_eq!(told(&changes), [vec![], vec![], vec!["b"], vec![]]);
    assert!(changes.list_changed() && catalog.get("b").is_none());
    assert_eq!((catalog.len(), catalog.files().count()), (2, 2));
}

#[test]
fn a_schema_holds_for_as_long_as_it_is_written() {
    let dir = Dir::new("reread-schema");
    let text = |label: &str, kind: &str| {
        let value = "{{ (n ~ '') | tojson }}";
        let template = format!(
            r#"{{"type":"Card","children":[{{"type":"Badge","label":"{label}"}},{{"type":"Text","value":{value}}}]}}"#
        );
        let schema = json!({"type": "object", "properties": {"n": {"type": kind}}});
        json!({"version": "1.0", "name": "A", "template": template, "jsonSchema": schema})
            .to_string()
    };
    dir.write("a.widget", &text("one", "integer"));
    let mut catalog = dir.load();
    for (label, kind) in
        [("one", "integer"), ("two", "integer"), ("two", "string"), ("x", "string")]
    {
        dir.write("a.widget", &text(label, kind));
        dir.reread(&mut catalog, &["a.widget"]);
        let draws = |n| catalog.get("a").unwrap().render(&json!({ "n": n })).is_ok();
        assert_eq!([draws(json!(1)), draws(json!("1"))], [kind == "integer", kind == "string"]);
    }
}

#[test]
fn reread_of_an_inferred_schema() {
    let dir = Dir::new("inferred");
    dir.write("a.widget", &widget("A"));
    let mut catalog = dir.load();
    assert_eq!(catalog.list().next().unwrap().schema_json, None);
    catalog.get("a").unwrap();
    dir.write("a.widget", &widget("A").replace("Card", "Basic"));
    let changes = dir.reread(&mut catalog, &["a.widget"]);
    assert!(!changes.is_empty() && !changes.list_changed());
    dir.write("a.widget", &widget("A").replace("who", "what"));
    assert!(dir.reread(&mut catalog, &["a.widget"]).list_changed());
}

#[test]
fn a_broken_edit_keeps_the_last_good_widget() {
    let dir = Dir::new("kept");
    let good = saying("A", "good");
    dir.write("a.widget", &good);
    // With and without the widget having been compiled before it broke.
    for lazy in [true, false] {
        let mut broken: Vec<Vec<u8>> =
            ["{", "", &undrawable("A"), &undrawable("B")].map(|t| t.as_bytes().to_vec()).into();
        broken.extend([b"\xff\xfe".to_vec(), vec![b' '; 5 << 20]]);
        let mut catalog = dir.load();
        if !lazy {
            catalog.get("a").unwrap();
        }
        let mut was_offered = true;
        for text in broken {
            std::fs::write(dir.0.join("a.widget"), text).unwrap();
            let changes = dir.reread(&mut catalog, &["a.widget"]);
            assert_eq!(told(&changes), [vec![], vec![], vec![], vec!["a"]]);
            assert!(!changes.findings.is_empty());
            assert_eq!(changes.findings.len(), catalog.findings().count());
            assert_eq!(changes.findings.len(), catalog.check_all().len());
            assert_eq!(listed(&catalog), ["a"]);
            assert_eq!(said(&catalog, "a").unwrap(), "good");
            let widget = catalog.get("a").unwrap();
            assert_eq!(widget.path(), dir.0.join("a.widget"));
            widget.sample();
            // What no one remembered is not offered.
            let offered = catalog.list().next().unwrap().is_encoded;
            assert_eq!(offered, widget.encoded().is_some());
            assert_eq!(changes.list_changed(), offered != was_offered);
            was_offered = offered;
            // Looked at again, it is still broken and still kept.
            let changes = dir.reread(&mut catalog, &["a.widget"]);
            assert_eq!(told(&changes), [vec![], vec![], vec![], vec!["a"]]);
            assert!(!changes.findings.is_empty());
        }
        // The good text again: nothing has changed for those who call it.
        dir.write("a.widget", &good);
        let changes = dir.reread(&mut catalog, &["a.widget"]);
        assert!(changes.is_empty() && changes.kept.is_empty());
        assert!(changes.findings.is_empty() && catalog.findings().count() == 0);

        // A file that has been read again is remembered with its sample.
        dir.write("a.widget", &saying("A", "better"));
        assert_eq!(told(&dir.reread(&mut catalog, &["a.widget"]))[1], ["a"]);
        dir.write("a.widget", "{");
        dir.reread(&mut catalog, &["a.widget"]);
        let widget = catalog.get("a").unwrap();
        assert_eq!(widget.sample(), json!({"of": "better"}));
        assert_eq!(widget.encoded().as_deref(), Some("better"));
        dir.remove("a.widget");
        assert_eq!(widget.sample(), json!({"of": "better"}));
        assert_eq!(told(&dir.reread(&mut catalog, &["a.widget"]))[2], ["a"]);
        assert_eq!((catalog.len(), catalog.findings().count()), (0, 0));
        dir.write("a.widget", &good);
    }
}

#[test]
fn a_finding_of_a_broken_edit_shows_the_place() {
    let dir = Dir::new("excerpt");
    dir.write("a.widget", &saying("A", "good"));
    let mut catalog = dir.load();
    dir.write("a.widget", "{\n  \"version\": oops\n}");
    let changes = dir.reread(&mut catalog, &["a.widget"]);
    let text = format!("{:#}", changes.findings[0]);
    assert!(text.contains("a.widget:2:") && text.contains("oops") && text.contains('^'), "{text}");
}

#[test]
fn a_file_that_never_was_good_is_a_finding() {
    let dir = Dir::new("never");
    dir.write("b.widget", &saying("Same", "good"));
    dir.write("c.widget", "{");
    let mut catalog = dir.load();
    dir.write("a.widget", &undrawable("Same"));
    dir.write("c.widget", "{{");
    let changes = dir.reread(&mut catalog, &["a.widget", "c.widget"]);
    assert!(changes.is_empty() && changes.kept.is_empty());
    assert_eq!(changes.findings.len(), 2);
    // It does not take the name from one that can be drawn, here or when all is loaded again.
    assert_eq!(said(&catalog, "same").unwrap(), "good");
    assert_eq!(said(&dir.load(), "same").unwrap(), "good");
    assert_eq!(kinds(&catalog), kinds(&dir.load()));
    // Nor when it is repaired: the name has been given.
    dir.write("a.widget", &saying("Same", "first"));
    let changes = dir.reread(&mut catalog, &["a.widget"]);
    assert!(changes.is_empty(), "{changes:?}");
    assert_eq!(said(&catalog, "same").unwrap(), "good");
}

#[test]
fn renames() {
    let dir = Dir::new("rename");
    dir.write("a.widget", &saying("A", "one"));
    dir.write("old/b.widget", &saying("B", "one"));
    dir.write("old/c.widget", &saying("C", "one"));
    let mut catalog = dir.load();
    dir.rename("a.widget", "z.widget");
    let changes = dir.reread(&mut catalog, &["a.widget", "z.widget"]);
    assert_eq!(told(&changes), [vec![], vec!["a"], vec![], vec![]]);
    assert!(!changes.list_changed());
    assert_eq!(catalog.get("a").unwrap().path(), dir.0.join("z.widget"));

    // A directory, by its names.
    dir.rename("old", "new");
    let changes = dir.reread(&mut catalog, &["old", "new"]);
    assert_eq!(told(&changes), [vec![], vec!["b", "c"], vec![], vec![]]);
    assert_eq!(listed(&catalog), ["a", "b", "c"]);
    std::fs::remove_dir_all(dir.0.join("new")).unwrap();
    assert_eq!(told(&dir.reread(&mut catalog, &["new"]))[2], ["b", "c"]);

    // The widget, not the file.
    dir.write("z.widget", &saying("Other", "one"));
    let changes = dir.reread(&mut catalog, &["z.widget"]);
    assert_eq!(told(&changes), [vec!["other"], vec![], vec!["a"], vec![]]);

    // All of it, after something that no one saw.
    dir.write("deep/er/d.widget", &saying("D", "one"));
    let changes = dir.reread(&mut catalog, &[""]);
    assert_eq!(told(&changes), [vec!["d"], vec![], vec![], vec![]]);
}

#[test]
fn a_name_goes_to_the_next_file() {
    let dir = Dir::new("next");
    for file in ["a", "b", "c"] {
        dir.write(&format!("{file}.widget"), &saying("Same", file));
    }
    let mut catalog = dir.load();
    assert_eq!((said(&catalog, "same").unwrap().as_str(), catalog.len()), ("a", 1));
    assert_eq!(kinds(&catalog), [Kind::NameTaken; 2]);
    dir.remove("a.widget");
    let changes = dir.reread(&mut catalog, &["a.widget"]);
    assert_eq!(told(&changes), [vec![], vec!["same"], vec![], vec![]]);
    assert_eq!(said(&catalog, "same").unwrap(), "b");
    assert_eq!(kinds(&catalog), [Kind::NameTaken]);
    // One that is not used has changed: nothing to announce, but something to say.
    dir.write("c.widget", &saying("Same", "cc"));
    let changes = dir.reread(&mut catalog, &["c.widget"]);
    assert!(changes.is_empty());
    assert_eq!(changes.findings[0].error.kind(), Kind::NameTaken);
    assert!(changes.findings[0].to_string().contains("b.widget and "));
}

/// Another author's file does not take a tool, whatever it is called; the newcomer is the finding.
#[test]
fn a_tool_stays_with_the_file_that_had_it() {
    let dir = Dir::new("stays");
    dir.write("pay.widget", &saying("Pay", "honest"));
    let mut catalog = dir.load();
    let expect_honest = |catalog: &mut Catalog, files: &[&str]| {
        let changes = dir.reread(catalog, files);
        assert!(changes.is_empty(), "{changes:?}");
        assert_eq!(said(catalog, "pay").unwrap(), "honest");
        changes
    };
    dir.write("aaa.widget", &saying("Pay", "evil"));
    let changes = expect_honest(&mut catalog, &["aaa.widget"]);
    let [finding] = &changes.findings[..] else { panic!("{:?}", changes.findings) };
    assert_eq!(finding.error.kind(), Kind::NameTaken);
    assert!(finding.error.place().file.as_ref().unwrap().ends_with("aaa.widget"));
    // Edits of either change nothing, not even one that is broken for a moment.
    dir.write("aaa.widget", &saying("Pay", "more evil"));
    expect_honest(&mut catalog, &["aaa.widget"]);
    dir.write("pay.widget", "{");
    let changes = dir.reread(&mut catalog, &["pay.widget", "aaa.widget"]);
    assert_eq!(told(&changes), [vec![], vec![], vec![], vec!["pay"]]);
    dir.write("pay.widget", &saying("Pay", "honest"));
    dir.reread(&mut catalog, &["pay.widget"]);
    expect_honest(&mut catalog, &[""]);
    // Nor does a start, at which no one was first.
    assert_eq!(said(&dir.load(), "pay").unwrap(), "honest");
    // Whoever gives the tool up loses it to the next one, and does not get it back.
    dir.write("pay.widget", &saying("Other", "honest"));
    let changes = dir.reread(&mut catalog, &["pay.widget"]);
    assert_eq!(told(&changes), [vec!["other"], vec!["pay"], vec![], vec![]]);
    dir.write("pay.widget", &saying("Pay", "honest"));
    dir.reread(&mut catalog, &["pay.widget"]);
    assert_eq!(said(&catalog, "pay").unwrap(), "more evil");
    dir.remove("aaa.widget");
    dir.reread(&mut catalog, &["aaa.widget"]);
    expect_honest(&mut catalog, &["pay.widget"]);
}

#[test]
fn paths_may_be_written_in_any_way() {
    let dir = Dir::new("paths");
    dir.write("sub/a.widget", &saying("A", "0"));
    let mut catalog = dir.load();
    let real = dir.0.canonicalize().unwrap();
    let paths = [
        dir.0.join("sub/a.widget"),
        real.join("sub/a.widget"),
        dir.0.join("sub/../sub/./a.widget"),
        "sub/a.widget".into(),
        "sub".into(),
        dir.0.join("sub/"),
    ];
    for (n, path) in paths.into_iter().enumerate() {
        dir.write("sub/a.widget", &saying("A", &format!("word {n}")));
        let (next, changes) = catalog.reread(&[path.clone(), path.clone(), real.clone()]);
        assert_eq!(changes.changed, ["a"], "{}", path.display());
        catalog = next;
        dir.write("sub/a.widget", &saying("A", &format!("again {n}")));
        let (next, changes) = catalog.reread(std::slice::from_ref(&path));
        assert_eq!(changes.changed, ["a"], "{}", path.display());
        catalog = next;
        assert_eq!(catalog.files().count(), 1);
    }
    // What lies elsewhere is ignored.
    let other = Dir::new("elsewhere");
    other.write("b.widget", &saying("B", "0"));
    let out = format!("../{}/b.widget", other.0.file_name().unwrap().to_str().unwrap());
    let (next, changes) = catalog.reread(&[other.0.join("b.widget"), dir.0.join(&out), out.into()]);
    assert!(changes.is_empty() && changes.findings.is_empty() && next.len() == 1);
    // A catalog without a directory has nothing to read again.
    let file = other.0.join("b.widget");
    let one = Catalog::from_file(&file);
    assert!(one.dir().is_none());
    assert_eq!(one.reread(&[file]).0.len(), 1);
}

#[cfg(unix)]
#[test]
fn reread_follows_no_link_out() {
    use std::os::unix::fs::symlink;
    let outside = Dir::new("reread-outside");
    outside.write("secret.widget", &saying("Secret", "s"));
    let dir = Dir::new("reread-links");
    dir.write("real/a.widget", &saying("A", "a"));
    dir.write("data.txt", &saying("Data", "1"));
    let mut catalog = dir.load();
    symlink(outside.0.join("secret.widget"), dir.0.join("secret.widget")).unwrap();
    symlink(&outside.0, dir.0.join("all")).unwrap();
    for paths in [&["secret.widget"][..], &["all"], &["all/secret.widget"], &[""]] {
        let changes = dir.reread(&mut catalog, paths);
        assert!(changes.is_empty(), "{paths:?}");
        assert_eq!(listed(&catalog), ["a"]);
        assert_eq!(kinds(&catalog), kinds(&dir.load()));
    }
    // A file that is reached by links only: one of them counts, and then the other.
    symlink(dir.0.join("data.txt"), dir.0.join("x.widget")).unwrap();
    symlink(dir.0.join("data.txt"), dir.0.join("y.widget")).unwrap();
    symlink(dir.0.join("real"), dir.0.join("twice")).unwrap();
    let changes = dir.reread(&mut catalog, &["x.widget", "y.widget", "twice/a.widget"]);
    assert_eq!(told(&changes), [vec!["data"], vec![], vec![], vec![]]);
    dir.write("data.txt", &saying("Data", "2"));
    assert_eq!(told(&dir.reread(&mut catalog, &["data.txt"]))[1], ["data"]);
    assert_eq!(said(&catalog, "data").unwrap(), "2");
    dir.remove("x.widget");
    assert_eq!(told(&dir.reread(&mut catalog, &["x.widget"]))[1], ["data"]);
    assert_eq!(catalog.get("data").unwrap().path(), dir.0.join("y.widget"));
    // A good file that becomes a link out is gone, not kept.
    dir.remove("real/a.widget");
    symlink(outside.0.join("secret.widget"), dir.0.join("real/a.widget")).unwrap();
    assert_eq!(told(&dir.reread(&mut catalog, &["real/a.widget"]))[2], ["a"]);
    for link in ["secret.widget", "all", "y.widget", "twice", "real/a.widget"] {
        dir.remove(link);
    }
    assert_eq!(told(&dir.reread(&mut catalog, &["all", "y.widget"]))[2], ["data"]);
    assert_eq!((catalog.len(), catalog.findings().count()), (0, 0));
}

/// A file that can no longer be read is noticed even where the paths name another one.
#[cfg(unix)]
#[test]
fn a_link_that_breaks_is_noticed() {
    let dir = Dir::new("reread-broken-link");
    dir.write("a.widget", &saying("A", "a"));
    dir.write("data.txt", &saying("Data", "1"));
    std::os::unix::fs::symlink(dir.0.join("data.txt"), dir.0.join("x.widget")).unwrap();
    let mut catalog = dir.load();
    assert_eq!(listed(&catalog), ["a", "data"]);
    dir.remove("data.txt");
    let changes = dir.reread(&mut catalog, &["a.widget"]);
    assert_eq!(told(&changes), [vec![], vec![], vec!["data"], vec![]]);
    assert_eq!(changes.findings[0].error.kind(), Kind::FileRead);
    assert_eq!(kinds(&catalog), kinds(&dir.load()));
}

#[test]
fn sidecars_are_read_again() {
    let dir = Dir::new("sidecars");
    dir.write("a.widget", &saying("Shown", "a"));
    dir.write("b.widget", &saying("B", "b"));
    let blocks = |text: &str| {
        format!("blocks:\n  - type: section\n    text: {{type: mrkdwn, text: '{text}'}}\n")
    };
    let mut catalog = dir.load();
    let sent = |catalog: &Catalog| {
        let widget = catalog.get("shown").unwrap();
        let template = slack::BLOCKS_SURFACE.template.unwrap();
        let blocks = catalog.author_template(widget, template, &json!({})).unwrap()?;
        Some(blocks[0]["text"]["text"].as_str().unwrap().to_owned())
    };
    assert_eq!(sent(&catalog), None);
    for text in ["one", "two"] {
        dir.write("a.blocks.yml", &blocks(text));
        let changes = dir.reread(&mut catalog, &["a.blocks.yml"]);
        assert_eq!(told(&changes), [vec![], vec!["shown"], vec![], vec![]]);
        assert!(!changes.list_changed());
        assert_eq!(sent(&catalog).as_deref(), Some(text));
    }
    dir.write("a.blocks.yml", "blocks: [");
    let changes = dir.reread(&mut catalog, &["a.blocks.yml"]);
    assert_eq!(told(&changes), [vec![], vec![], vec![], vec!["shown"]]);
    assert_eq!((changes.findings.len(), catalog.findings().count()), (1, 1));
    assert_eq!(sent(&catalog).as_deref(), Some("two"));
    dir.write("a.blocks.yml", &blocks("three"));
    assert_eq!(told(&dir.reread(&mut catalog, &["a.blocks.yml"]))[1], ["shown"]);
    assert_eq!((sent(&catalog).as_deref(), catalog.findings().count()), (Some("three"), 0));
    dir.remove("a.blocks.yml");
    assert_eq!(told(&dir.reread(&mut catalog, &["a.blocks.yml"]))[1], ["shown"]);
    assert_eq!(sent(&catalog), None);
    let data = json!({});
    let mut call = Hydration::new("shown", &data, "", "t");
    call.slack_blocks_template = Some("named");
    assert!(catalog.hydrate_for_tool_result(&call).is_err());
    dir.write("named.yml", &blocks("x"));
    assert!(dir.reread(&mut catalog, &["named.yml"]).is_empty());
    assert!(catalog.hydrate_for_tool_result(&call).is_ok());
}

#[test]
fn a_list_starts_where_it_is_told() {
    let dir = Dir::new("list");
    for name in ["b", "d", "f"] {
        dir.write(&format!("{name}.widget"), &saying(name, name));
    }
    dir.write("bad.widget", &undrawable("e"));
    let catalog = dir.load();
    let after = |name| -> Vec<&str> { catalog.list_after(name).map(|l| l.tool_name).collect() };
    assert_eq!(after(None), ["b", "d", "e", "f"]);
    assert_eq!(after(Some("b")), ["d", "e", "f"]);
    assert_eq!(after(Some("c")), ["d", "e", "f"]);
    assert_eq!(after(Some("f")), [""; 0]);
    // No one has looked at `e` yet; after that it is not there.
    let found = catalog.check_all();
    assert!(found.iter().all(|finding| finding.severity == Severity::Error));
    assert_eq!(after(Some("b")), ["d", "f"]);
    assert_eq!((catalog.len(), catalog.get("e").is_none()), (3, true));
    assert_eq!(found.len(), catalog.findings().count());
    let listing = catalog.list().next().unwrap();
    assert_eq!(listing.schema_json, Some(r#"{"type":"object","properties":{}}"#));
    let widget = catalog.get("b").unwrap();
    assert!(widget.template_text().starts_with("{\"type\":\"Card\""));
    assert_eq!(widget.encoded().as_deref(), Some("b"));
}

#[test]
fn more_files_than_allowed_are_refused_when_they_appear() {
    let dir = Dir::new("limit");
    let mut limits = Limits::default();
    limits.files = 2;
    for name in ["a", "b"] {
        dir.write(&format!("{name}.widget"), &saying(name, name));
    }
    let catalog = Catalog::from_dir_with(&dir.0, &limits).unwrap();
    dir.write("c.widget", &saying("c", "c"));
    let (next, changes) = catalog.reread(&[dir.0.join("c.widget")]);
    assert!(changes.is_empty() && changes.findings.len() == 1);
    assert_eq!(listed(&next), ["a", "b"]);
}

type Widgets = BTreeMap<String, (String, PathBuf)>;

/// What a snapshot gives: by tool name what it says and where it lies, and the findings.
fn seen(catalog: &Catalog) -> (Widgets, Vec<(PathBuf, Kind)>) {
    let widget = |name: &str| {
        let path = catalog.get(name).unwrap().path().to_owned();
        (name.to_owned(), (said(catalog, name).unwrap(), path))
    };
    let mut findings: Vec<(PathBuf, Kind)> = catalog
        .findings()
        .map(|finding| (finding.error.place().file.clone().unwrap(), finding.error.kind()))
        .collect();
    findings.sort();
    let listed: Vec<&str> = catalog.list().map(|listing| listing.tool_name).collect();
    assert!(listed.is_sorted() && listed.iter().all(|name| *name == tool_name(name)));
    let used = catalog.widgets().count();
    assert_eq!(used, listed.len());
    (listed.into_iter().map(widget).collect(), findings)
}

/// Edits at random, each followed by a reread. A second directory holds for every file the text that
/// should be in use: the last good one. Loaded again, it gives the same widgets; and the findings are
/// its own and those of the files that are broken now.
#[test]
fn a_snapshot_is_what_loading_anew_gives() {
    let mut seed = 20_u64;
    let mut random = move |below: usize| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (seed >> 33) as usize % below
    };
    let (dir, model) = (Dir::new("random"), Dir::new("random-model"));
    // By file: what is in it now and the text that should be in use.
    let mut files: BTreeMap<String, (String, Option<String>)> = BTreeMap::new();
    let mut catalog = dir.load();
    for round in 0..300 {
        let file = |random: &mut dyn FnMut(usize) -> usize| {
            let folder = ["", "p/", "p/q/", "z/"][random(4)];
            format!("{folder}{}.widget", ["a", "b", "c", "d", "e"][random(5)])
        };
        let name = file(&mut random);
        let mut touched = vec![name.clone()];
        match random(10) {
            0 | 1 if files.remove(&name).is_some() => dir.remove(&name),
            2 if files.contains_key(&name) => {
                let to = file(&mut random);
                if to != name {
                    let (text, _) = files.remove(&name).unwrap();
                    dir.rename(&name, &to);
                    let good = text.contains("Card").then(|| text.clone());
                    let before = files.get(&to).and_then(|(_, used)| used.clone());
                    files.insert(to.clone(), (text, good.or(before)));
                    touched.push(to);
                }
            }
            3 => {
                // A whole directory goes, or comes back under another name.
                let (from, to) = [("p", "p"), ("p/q", "p/q"), ("z", "y"), ("y", "z")][random(4)];
                if dir.0.join(from).is_dir() && (from == to || !dir.0.join(to).exists()) {
                    let inside: Vec<String> = files
                        .keys()
                        .filter(|name| name.starts_with(&format!("{from}/")))
                        .cloned()
                        .collect();
                    if from == to {
                        std::fs::remove_dir_all(dir.0.join(from)).unwrap();
                    } else {
                        dir.rename(from, to);
                    }
                    for name in inside {
                        let (text, _) = files.remove(&name).unwrap();
                        if from != to {
                            let good = text.contains("Card").then(|| text.clone());
                            files.insert(name.replacen(from, to, 1), (text, good));
                        }
                    }
                    touched.extend([from.to_owned(), to.to_owned()]);
                }
            }
            choice => {
                let tool = ["Ant", "Bee", "Cat", "Dog", "Eel", "Fly", "Gnu"][random(7)];
                let text = match choice {
                    4 => undrawable(tool),
                    5 => "{ \"version\"".to_owned(),
                    _ => saying(tool, &format!("round {round}")),
                };
                dir.write(&name, &text);
                let before = files.get(&name).and_then(|(_, used)| used.clone());
                let good = text.contains("Card").then(|| text.clone());
                files.insert(name.clone(), (text, good.or(before)));
            }
        }
        // Sometimes no one has asked for anything between two edits.
        let before = (random(2) == 0).then(|| seen(&catalog).0);
        let touched: Vec<&str> = touched.iter().map(String::as_str).collect();
        let changes = dir.reread(&mut catalog, &touched);

        let _ = std::fs::remove_dir_all(&model.0);
        std::fs::create_dir_all(&model.0).unwrap();
        for (name, (text, used)) in &files {
            model.write(name, used.as_ref().unwrap_or(text));
        }
        let (widgets, findings) = seen(&catalog);
        let short = |path: &Path, dir: &Dir| path.strip_prefix(&dir.0).unwrap().to_owned();
        let (expected, model_findings) = seen(&model.load());
        // Of several files that give one tool, loading again does not know which had it first.
        let gives = |(_, used): &&(String, Option<String>), tool: &str| {
            let name = format!("\"name\":\"{tool}\"");
            used.as_ref().is_some_and(|used| used.to_lowercase().contains(&name))
        };
        let is_shared = |tool: &str| files.values().filter(|file| gives(file, tool)).count() > 1;
        let place = |(name, (said, path)): (&String, &(String, PathBuf)), dir: &Dir| {
            let only = Some((said.clone(), short(path, dir))).filter(|_| !is_shared(name));
            (name.clone(), only)
        };
        if let Some(before) = &before {
            for (tool, (_, path)) in before {
                let had = files.get(&short(path, &dir).to_str().unwrap().replace('\\', "/"));
                if had.is_some_and(|file| gives(&file, tool)) {
                    assert_eq!(&widgets[tool].1, path, "round {round}");
                }
            }
        }
        assert_eq!(
            widgets.iter().map(|widget| place(widget, &dir)).collect::<Vec<_>>(),
            expected.iter().map(|widget| place(widget, &model)).collect::<Vec<_>>(),
            "round {round}"
        );
        let kept = |path: &Path| {
            let name = short(path, &dir).to_str().unwrap().replace('\\', "/");
            matches!(&files[&name], (text, Some(used)) if text != used)
        };
        let place_of = |path: PathBuf, kind: Kind| match kind {
            Kind::NameTaken => (PathBuf::new(), kind),
            kind => (path, kind),
        };
        let mut expected_findings: Vec<(PathBuf, Kind)> = model_findings
            .into_iter()
            .map(|(path, kind)| place_of(short(&path, &model), kind))
            .chain(
                seen(&dir.load())
                    .1
                    .into_iter()
                    .filter(|(path, kind)| kept(path) && *kind != Kind::NameTaken)
                    .map(|(path, kind)| (short(&path, &dir), kind)),
            )
            .collect();
        expected_findings.sort();
        let mut findings: Vec<_> =
            findings.into_iter().map(|(path, kind)| place_of(short(&path, &dir), kind)).collect();
        findings.sort();
        assert_eq!(findings, expected_findings, "round {round}");
        if let Some(before) = before {
            let names = |wanted: &dyn Fn(&String) -> bool| -> Vec<String> {
                let all: std::collections::BTreeSet<&String> =
                    before.keys().chain(widgets.keys()).collect();
                all.into_iter().filter(|name| wanted(name)).cloned().collect()
            };
            assert_eq!(changes.added, names(&|name| !before.contains_key(name)), "round {round}");
            assert_eq!(changes.removed, names(&|name| !widgets.contains_key(name)));
            let differs = |name: &String| {
                before.contains_key(name)
                    && widgets.contains_key(name)
                    && before[name] != widgets[name]
            };
            assert_eq!(changes.changed, names(&differs), "round {round}");
        }
    }
}

/// A widget that draws its own sample, and nothing that is drawn from the schema: its last good version
/// stays, examined or not, though the sample is gone with the file.
#[test]
fn the_last_good_version_needs_no_sample() {
    let text = json!({
        "version": "1.0", "name": "Given",
        "template": r#"{"type":"Card","children":{{ rows | json }}}"#,
        "jsonSchema": {"type": "object", "properties":
            {"rows": {"type": "array", "minItems": 1, "items": {"type": "object"}}}},
        "sample": {"rows": [{"type": "Text", "value": "x"}]},
    });
    for is_examined in [false, true] {
        let dir = Dir::new(&format!("sample-gone-{is_examined}"));
        dir.write("given.widget", &text.to_string());
        let mut catalog = dir.load();
        if is_examined {
            assert_eq!(catalog.check_all().len(), 0);
        }
        dir.write("given.widget", "{");
        assert_eq!(dir.reread(&mut catalog, &["given.widget"]).kept, ["given"]);
        assert!(catalog.get("given").is_some());
        assert_eq!(catalog.check_all().len(), 1, "the fault of the file alone");
        assert!(catalog.get("given").is_some());
    }
}

/// A broken edit leaves the last good version its own sample, at the first edit and at later ones.
#[test]
fn the_last_good_version_keeps_its_sample() {
    let text = |word: &str| {
        json!({
            "version": "1.0", "name": "Given",
            "template": r#"{"type":"Card","children":[{"type":"Text","value":{{ word | tojson }}}]}"#,
            "jsonSchema": {"type": "object", "properties": {"word": {"type": "string"}}},
            "sample": {"word": word},
        })
        .to_string()
    };
    let dir = Dir::new("sample-kept");
    dir.write("given.widget", &text("first"));
    let mut catalog = dir.load();
    catalog.keep_samples();
    let sample = |catalog: &Catalog| catalog.get("given").unwrap().sample();
    // Broken in two ways: no JSON, and a template that is none.
    let broken = ["{".to_owned(), text("other").replace("tojson", "tojsn")];
    for word in ["first", "second"] {
        dir.write("given.widget", &text(word));
        dir.reread(&mut catalog, &["given.widget"]);
        for text in &broken {
            dir.write("given.widget", text);
            assert_eq!(dir.reread(&mut catalog, &["given.widget"]).kept, ["given"]);
            assert_eq!(sample(&catalog), json!({"word": word}));
        }
    }
}
