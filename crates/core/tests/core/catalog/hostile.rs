//! Files that someone replaces behind the catalog's back, and files that are none.
#![cfg(unix)]

use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::Command;
use std::sync::mpsc;
use std::time::Duration;

use serde_json::{Value, json};
use widgetcast_core::{Catalog, Kind, Limits};

use super::{Dir, kinds, widget};

/// A definition with everything that stays in its file.
fn full(name: &str, word: &str) -> String {
    let template = r#"{"type":"Card","children":[{"type":"Text","value":{{ who | tojson }}}]}"#;
    let schema = json!({"type": "object", "properties": {"who": {"type": "string"}},
        "required": ["who"]});
    json!({"version": "1.0", "name": name, "template": template, "jsonSchema": schema,
        "sample": {"who": word}, "outputJsonPreview": {"word": word}, "encodedWidget": word})
    .to_string()
}

/// Runs on a thread of its own: what blocks in `open` cannot be stopped.
fn in_time<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> T {
    let (done, result) = mpsc::channel();
    std::thread::spawn(move || _ = done.send(work()));
    result.recv_timeout(Duration::from_secs(60)).expect("it hangs")
}

fn make_fifo(path: &Path) {
    assert!(Command::new("mkfifo").arg(path).status().unwrap().success());
}

/// What the widget `a` gives from its file: sample, preview, Studio's form.
fn from_file(catalog: Catalog) -> (Value, Option<Value>, Option<String>) {
    in_time(move || {
        let widget = catalog.get("a").expect("still served");
        (widget.sample(), widget.preview(), widget.encoded())
    })
}

#[test]
fn what_takes_the_place_of_a_file_is_not_served() {
    let outside = Dir::new("hostile-outside");
    outside.write("a.widget", &full("A", "secret"));
    type Replace = fn(&Dir, &Dir);
    let ways: [(&str, Replace); 6] = [
        ("a FIFO", |dir, _| {
            dir.remove("sub/a.widget");
            make_fifo(&dir.0.join("sub/a.widget"));
        }),
        ("a link out", |dir, outside| {
            dir.remove("sub/a.widget");
            symlink(outside.0.join("a.widget"), dir.0.join("sub/a.widget")).unwrap();
        }),
        ("a folder that is a link out", |dir, outside| {
            std::fs::remove_dir_all(dir.0.join("sub")).unwrap();
            symlink(&outside.0, dir.0.join("sub")).unwrap();
        }),
        ("another text", |dir, _| dir.write("sub/a.widget", &full("A", "secret"))),
        ("a large file", |dir, _| {
            let large = full("A", "secret") + &" ".repeat(5 << 20);
            dir.write("sub/a.widget", &large);
        }),
        ("nothing", |dir, _| dir.remove("sub/a.widget")),
    ];
    for (way, replace) in ways {
        let dir = Dir::new("hostile-replaced");
        dir.write("sub/a.widget", &full("A", "mine"));
        let (sample, preview, encoded) = from_file(dir.load());
        assert_eq!((&sample["who"], preview), (&json!("mine"), Some(json!({"word": "mine"}))));
        assert_eq!(encoded.as_deref(), Some("mine"));
        let catalog = dir.load();
        replace(&dir, &outside);
        let (sample, preview, encoded) = from_file(catalog);
        assert_ne!(sample["who"], "secret", "{way}");
        assert!(sample["who"].is_string(), "{way}: a sample is drawn from the schema");
        assert_eq!((preview, encoded), (None, None), "{way}");
    }
}

#[test]
fn only_regular_files_are_read() {
    let dir = Dir::new("hostile-special");
    dir.write("a.widget", &full("A", "a"));
    dir.write("folder.widget/b.widget", &full("B", "b"));
    make_fifo(&dir.0.join("fifo.widget"));
    make_fifo(&dir.0.join("fifo"));
    symlink(dir.0.join("fifo"), dir.0.join("link.widget")).unwrap();
    let _socket = std::os::unix::net::UnixListener::bind(dir.0.join("socket.widget")).unwrap();
    let path = dir.0.clone();
    let catalog = in_time(move || Catalog::from_dir(path).unwrap());
    assert_eq!(catalog.len(), 2);
    assert_eq!(kinds(&catalog), [Kind::FileRead; 3]);
    let one = dir.0.join("fifo.widget");
    assert_eq!(kinds(&in_time(move || Catalog::from_file(one))), [Kind::FileRead]);
}

/// A file that turns into a FIFO counts as unreadable: the last good widget stays.
#[test]
fn a_reread_does_not_wait_for_a_fifo() {
    let dir = Dir::new("hostile-reread");
    dir.write("a.widget", &full("A", "a"));
    let catalog = dir.load();
    dir.remove("a.widget");
    make_fifo(&dir.0.join("a.widget"));
    let path = dir.0.join("a.widget");
    let (mut catalog, changes) = in_time(move || catalog.reread(&[path]));
    assert_eq!((changes.kept, changes.removed), (vec!["a".to_owned()], vec![]));
    assert_eq!(changes.findings[0].error.kind(), Kind::FileRead);
    assert_eq!(catalog.unread().count(), 1);
    dir.remove("a.widget");
    dir.write("a.widget", &full("A", "b"));
    dir.reread(&mut catalog, &["a.widget"]);
    assert_eq!(catalog.get("a").unwrap().sample()["who"], "b");
    assert_eq!(catalog.unread().count(), 0);
}

/// Thousands of files where no one looks count against no limit, and are not read when they change.
#[test]
fn hidden_folders_are_left_out() {
    let dir = Dir::new("hostile-hidden");
    dir.write("a.widget", &widget("A"));
    dir.write(".draft.widget", &widget("Draft"));
    for n in 0..1000 {
        dir.write(&format!(".git/{n}.widget"), "{");
        dir.write(&format!("sub/node_modules/x/{n}.yml"), "{");
    }
    let mut limits = Limits::default();
    limits.files = 1;
    let mut catalog = Catalog::from_dir_with(&dir.0, &limits).unwrap();
    assert_eq!((catalog.len(), catalog.findings().count()), (1, 0));
    let hidden = [".git", ".git/1.widget", "sub/node_modules/x/1.yml", ".draft.widget", "sub"];
    let changes = dir.reread(&mut catalog, &hidden);
    assert!(changes.is_empty() && changes.findings.is_empty(), "{changes:?}");
    // The directory itself may have such a name.
    dir.write(".hidden/b.widget", &widget("B"));
    assert_eq!(Catalog::from_dir(dir.0.join(".hidden")).unwrap().len(), 1);
}

/// As Kubernetes mounts a ConfigMap: files are links through a hidden link, which is replaced at once.
#[test]
fn a_mounted_volume_is_followed() {
    let dir = Dir::new("hostile-volume");
    dir.write("..1/a.widget", &full("A", "one"));
    symlink("..1", dir.0.join("..data")).unwrap();
    symlink("..data/a.widget", dir.0.join("a.widget")).unwrap();
    let mut catalog = dir.load();
    assert_eq!(catalog.get("a").unwrap().path(), dir.0.join("a.widget"));
    assert_eq!(catalog.get("a").unwrap().sample()["who"], "one");
    dir.write("..2/a.widget", &full("A", "two"));
    symlink("..2", dir.0.join("..data_tmp")).unwrap();
    dir.rename("..data_tmp", "..data");
    std::fs::remove_dir_all(dir.0.join("..1")).unwrap();
    let changes = dir.reread(&mut catalog, &["..data", "..1"]);
    assert_eq!(changes.changed, ["a"]);
    assert_eq!(catalog.get("a").unwrap().sample()["who"], "two");
}

#[test]
fn a_directory_that_is_gone_keeps_its_widgets() {
    let dir = Dir::new("hostile-gone");
    dir.write("a.widget", &full("A", "a"));
    let mut catalog = dir.load();
    let away = dir.0.with_extension("away");
    std::fs::rename(&dir.0, &away).unwrap();
    for paths in [&[""][..], &["a.widget"]] {
        let changes = dir.reread(&mut catalog, paths);
        assert!(changes.is_empty(), "{changes:?}");
        assert_eq!(changes.findings[0].error.kind(), Kind::FileRead);
        assert_eq!(catalog.len(), 1);
    }
    std::fs::rename(&away, &dir.0).unwrap();
    dir.remove("a.widget");
    assert_eq!(dir.reread(&mut catalog, &[""]).removed, ["a"]);
}

/// Without descriptors nothing can be read, which says nothing about what is there. It runs in a process
/// of its own, because it takes all of them.
#[test]
fn running_out_of_descriptors_loses_nothing() {
    const CHILD: &str = "WIDGETCAST_TEST_DESCRIPTORS";
    if std::env::var_os(CHILD).is_none() {
        let test = "catalog::hostile::running_out_of_descriptors_loses_nothing";
        let run = r#"ulimit -n 64; exec "$0" --exact "$1" --nocapture"#;
        let this = std::env::current_exe().unwrap();
        let child =
            Command::new("sh").args(["-c", run]).arg(this).arg(test).env(CHILD, "1").output();
        let child = child.unwrap();
        let said = String::from_utf8_lossy(&child.stdout);
        assert!(child.status.success() && said.contains("1 passed"), "{child:?}");
        return;
    }
    let dir = Dir::new("hostile-descriptors");
    for n in 0..5 {
        dir.write(&format!("sub/{n}.widget"), &full(&format!("w{n}"), "a"));
    }
    dir.write("z.widget", &full("z", "a"));
    let mut catalog = dir.load();
    dir.write("sub/5.widget", &full("w5", "b"));
    dir.write("z.widget", &full("z", "b"));
    for paths in [&[""][..], &["sub"], &["sub", "z.widget"]] {
        let taken: Vec<_> = (0..64).map_while(|_| std::fs::File::open("/dev/null").ok()).collect();
        let changes = dir.reread(&mut catalog, paths);
        drop(taken);
        assert!(changes.is_empty(), "{paths:?}: {changes:?}");
        assert!(changes.findings.iter().all(|finding| finding.error.kind() == Kind::FileRead));
        assert!(!changes.findings.is_empty());
        assert_eq!(catalog.len(), 6);
    }
    let unread: Vec<_> = catalog.unread().map(Path::to_owned).collect();
    assert_eq!(unread, [dir.0.join("sub"), dir.0.join("z.widget")]);
    let (next, changes) = catalog.reread(&unread);
    assert_eq!((changes.added, changes.changed), (vec!["w5".to_owned()], vec!["z".to_owned()]));
    assert_eq!((next.len(), next.unread().count()), (7, 0));
}
