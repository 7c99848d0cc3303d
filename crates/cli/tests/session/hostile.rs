//! Commands over files that were made to hurt.

use crate::Shell;

fn widget(name: &str, properties: &str) -> String {
    format!(
        r#"{{"version":"1.0","name":"{name}","template":"{{\"type\":\"Card\",\"children\":[]}}",
        "jsonSchema":{{"type":"object","properties":{{{properties}}}}}}}"#
    )
}

#[test]
fn an_endless_name_is_a_finding() {
    let shell = Shell::new("endless-name");
    std::fs::write(shell.file("long.widget"), widget(&"long".repeat(25_000), "")).unwrap();
    let longest = "x".repeat(128);
    std::fs::write(shell.file("good.widget"), widget(&longest, "")).unwrap();
    std::fs::write(shell.file("short.widget"), widget("Short", "")).unwrap();
    let list = shell.run(&["list", "."]);
    assert_eq!(list.code, 1, "{list:?}");
    assert!(list.out.contains(&longest) && list.out.contains("short"), "{list:?}");
    assert!(list.err.contains("the name has 100000 characters"), "{list:?}");
    assert!(list.err.len() < 2000 && list.out.len() < 2000, "{list:?}");
    for args in [&["list", ".", "--json"][..], &["check", "."]] {
        let ran = shell.run(args);
        assert_eq!(ran.code, 1, "{ran:?}");
        assert!((ran.out + &ran.err).contains("the name has 100000 characters"));
    }
}

/// What is found does not grow with the file, nor does what is printed.
#[test]
fn thousands_of_properties_are_checked() {
    let shell = Shell::new("properties");
    let lengths = [2_000, 4_000].map(|count| {
        let properties: Vec<String> =
            (0..count).map(|n| format!(r#""p{n}":{{"type":"string"}}"#)).collect();
        std::fs::write(shell.file("a.widget"), widget("A", &properties.join(","))).unwrap();
        let ran = shell.run(&["check", "a.widget"]);
        assert_eq!(ran.code, 1, "{ran:?}");
        let more = format!("{} more variables are declared but not used", count - 100);
        assert!(ran.out.contains(&more) || ran.err.contains(&more), "{ran:?}");
        (ran.out + &ran.err).lines().count()
    });
    assert_eq!(lengths[0], lengths[1]);
}

/// Mending does not reach through a link out of the directory.
#[cfg(unix)]
#[test]
fn fix_writes_nothing_outside() {
    let shell = Shell::new("fix-outside");
    let text = widget("A", "")
        .replace(r#"\"children\":[]"#, r#"\"children\":[{\"type\":\"Divider\",\"children\":[]}]"#);
    std::fs::create_dir(shell.file("inside")).unwrap();
    for file in ["outside.widget", "inside/b.widget"] {
        std::fs::write(shell.file(file), &text).unwrap();
    }
    std::os::unix::fs::symlink("../outside.widget", shell.file("inside/a.widget")).unwrap();
    let ran = shell.run(&["check", "--fix", "inside"]);
    assert!(ran.err.contains("mended 1 place in"), "{ran:?}");
    assert_eq!(std::fs::read_to_string(shell.file("outside.widget")).unwrap(), text);
    assert_ne!(std::fs::read_to_string(shell.file("inside/b.widget")).unwrap(), text);
}
