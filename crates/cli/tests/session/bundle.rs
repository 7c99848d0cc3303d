//! `bundle`: one file for hosts on the desktop. `tests/peers/mcp/packages.mjs` starts what is in it.

use std::io::Read as _;

use serde_json::Value;

use super::{Ran, Shell};

/// A file of a bundle, and its permissions.
fn entry(shell: &Shell, bundle: &str, path: &str) -> (String, u32) {
    let mut zip = zip::ZipArchive::new(std::fs::File::open(shell.file(bundle)).unwrap()).unwrap();
    let mut file = zip.by_name(path).unwrap_or_else(|error| panic!("{path}: {error}"));
    let mut text = String::new();
    file.read_to_string(&mut text).unwrap();
    (text, file.unix_mode().unwrap() & 0o777)
}

fn json(text: &str) -> Value {
    serde_json::from_str(text).unwrap()
}

fn shop(name: &str) -> Shell {
    let shell = Shell::new(name);
    std::fs::create_dir_all(shell.file("widgets/sub")).unwrap();
    let widget = "version: 1.0\nname: Order\nsample: {text: Hi}\nwidget:\n  type: Card\n  children:\n    - {type: Text, value: \"{{ text }}\"}\n";
    std::fs::write(shell.file("widgets/sub/order.widget"), widget).unwrap();
    let blocks = "blocks:\n  - {type: section, text: {type: plain_text, text: Hi}}\n";
    std::fs::write(shell.file("widgets/sub/order.blocks.yml"), blocks).unwrap();
    std::fs::write(shell.file("widgets/.env"), "TOKEN=secret").unwrap();
    std::fs::write(shell.file("widgets/notes.yml"), "not: ours").unwrap();
    // Not the real binary, which takes a while to compress.
    std::fs::write(shell.file("binary"), "\x7fELF").unwrap();
    std::fs::write(shell.file("binary.exe"), "MZ").unwrap();
    shell
}

#[test]
fn a_bundle_holds_the_binary_and_the_widgets() {
    let shell = shop("bundle");
    let bundle = ["bundle", "widgets", "-o", "shop.mcpb", "--binary", "binary"];
    shell.run(&bundle).ends(0).prints("wrote shop.mcpb");
    let first = std::fs::read(shell.file("shop.mcpb")).unwrap();
    let zip = zip::ZipArchive::new(std::io::Cursor::new(&first)).unwrap();
    let mut names: Vec<_> = zip.file_names().map(Result::unwrap).collect();
    names.sort_unstable();
    // And nothing else that lies in the directory.
    assert_eq!(
        names,
        [
            "manifest.json",
            "server/widgetcast",
            "widgets/sub/order.blocks.yml",
            "widgets/sub/order.widget"
        ]
    );
    assert_eq!(entry(&shell, "shop.mcpb", "server/widgetcast"), ("\x7fELF".into(), 0o755));
    let widget = std::fs::read_to_string(shell.file("widgets/sub/order.widget")).unwrap();
    assert_eq!(entry(&shell, "shop.mcpb", "widgets/sub/order.widget"), (widget, 0o644));

    let manifest = json(&entry(&shell, "shop.mcpb", "manifest.json").0);
    assert_eq!(manifest["manifest_version"], "0.3");
    assert_eq!(manifest["name"], "shop");
    assert_eq!(manifest["tools"][0]["name"], "order");
    assert_eq!(manifest["compatibility"]["platforms"][0], "linux");
    let start = &manifest["server"]["mcp_config"];
    assert_eq!(start["command"], "${__dirname}/server/widgetcast");

    // Again, byte for byte.
    shell.run(&bundle).ends(0);
    assert_eq!(std::fs::read(shell.file("shop.mcpb")).unwrap(), first);

    let windows = ["bundle", "widgets", "-o", "win.mcpb", "--binary", "binary.exe"];
    shell.run(&windows).ends(0);
    let manifest = json(&entry(&shell, "win.mcpb", "manifest.json").0);
    assert_eq!(manifest["server"]["entry_point"], "server/widgetcast.exe");
    assert_eq!(manifest["compatibility"]["platforms"][0], "win32");
}

/// The tools that the manifest lists work in what the bundle holds.
#[cfg(unix)]
#[test]
fn tools_of_the_file_are_packed_with_their_scripts() {
    let shell = shop("bundle-tools");
    let bundle = ["bundle", "widgets", "-o", "shop.mcpb", "--binary", "binary"];
    std::fs::create_dir_all(shell.file("widgets/tools/data")).unwrap();
    let script = "import rates, json\nprint(json.dumps({'text': rates.TEXT}))\n";
    std::fs::write(shell.file("widgets/tools/rate.py"), script).unwrap();
    std::fs::write(shell.file("widgets/tools/rates.py"), "TEXT = 'from beside'\n").unwrap();
    std::fs::write(shell.file("widgets/tools/data/a.bin"), [0xff, 0]).unwrap();
    std::fs::write(shell.file("widgets/tools/.env"), "TOKEN=secret").unwrap();
    let tools = "[[keys]]\nsubject = \"ci\"\nhash = \"0000000000000000000000000000000000000000000000000000000000000000\"\n\
        [tools.rate]\nrun = [\"python3\", \"tools/rate.py\"]\nwidget = \"order\"\nread_only = true\n";
    std::fs::write(shell.file("widgets/widgetcast.toml"), tools).unwrap();
    shell.run(&bundle).ends(0).complains("run python3, which users must have installed");
    let zip = std::fs::File::open(shell.file("shop.mcpb")).unwrap();
    let mut zip = zip::ZipArchive::new(zip).unwrap();
    let mut names: Vec<String> = zip.file_names().map(|name| name.unwrap().to_string()).collect();
    names.sort_unstable();
    assert_eq!(
        names[2..],
        [
            "widgets/sub/order.blocks.yml",
            "widgets/sub/order.widget",
            "widgets/tools/data/a.bin",
            "widgets/tools/rate.py",
            "widgets/tools/rates.py",
            "widgets/widgetcast.toml"
        ]
    );
    let config = entry(&shell, "shop.mcpb", "widgets/widgetcast.toml").0;
    assert!(config.contains("rate.py") && !config.contains("hash"), "{config}");
    zip.extract(shell.file("unpacked")).unwrap();
    let call = ["call", "rate", "--dir", "unpacked/widgets", "--data", "{}"];
    shell.run(&call).ends(0).prints("from beside");

    // A key is asked of whoever installs the bundle.
    let url = "[tools.rate]\nurl = \"https://api.example.com/?k=${RATE_KEY}\"\nread_only = true\n";
    std::fs::write(shell.file("widgets/widgetcast.toml"), url).unwrap();
    let ran = Ran::new(&bundle, shell.output(&bundle, "", &[("RATE_KEY", "hunter2")]));
    ran.ends(0);
    let manifest = entry(&shell, "shop.mcpb", "manifest.json").0;
    assert!(!manifest.contains("hunter2"), "{manifest}");
    let manifest = json(&manifest);
    assert_eq!(manifest["server"]["mcp_config"]["env"]["RATE_KEY"], "${user_config.RATE_KEY}");
    assert_eq!(manifest["user_config"]["RATE_KEY"]["sensitive"], true);

    // What lies elsewhere would not be there.
    for path in ["../binary", shell.file("binary").to_str().unwrap()] {
        let outside = format!("[tools.rate]\nrun = [\"sh\", \"{path}\"]\n");
        std::fs::write(shell.file("widgets/widgetcast.toml"), outside).unwrap();
        shell.run(&bundle).ends(2).complains("is not in widgets, so it cannot be bundled");
    }
}

#[test]
fn the_registry_is_told_the_digest() {
    let shell = shop("bundle-registry");
    let url = "https://example.com/shop.mcpb";
    let bundle = ["bundle", "widgets", "-o", "out.mcpb", "--binary", "binary"];
    let bundle = [&bundle[..], &["--registry", "io.github.you/shop", "--url", url]].concat();
    let named = [&bundle[..], &["--description", "Orders", "--server-version", "2.1.0"]].concat();
    shell.run(&named).ends(0).prints("wrote out.mcpb").prints("wrote server.json");
    let about = json(&std::fs::read_to_string(shell.file("server.json")).unwrap());
    assert_eq!(about["name"], "io.github.you/shop");
    assert_eq!((&about["version"], &about["description"]), (&"2.1.0".into(), &"Orders".into()));
    let package = &about["packages"][0];
    assert_eq!((&package["registryType"], &package["identifier"]), (&"mcpb".into(), &url.into()));
    assert_eq!(package["transport"]["type"], "stdio");
    let sum = std::process::Command::new("sha256sum").arg(shell.file("out.mcpb")).output().unwrap();
    let sum = String::from_utf8(sum.stdout).unwrap();
    assert!(sum.starts_with(package["fileSha256"].as_str().unwrap()), "{sum}");

    let long = "x".repeat(101);
    let long = [&bundle[..], &["--description", &long]].concat();
    shell.run(&long).ends(2).complains("--description to 100 characters");
    shell.run(&bundle[..8]).ends(2).complains("--url");
}

#[test]
fn broken_widgets_are_not_bundled() {
    let shell = shop("bundle-broken");
    let bundle = ["bundle", "widgets", "-o", "shop.mcpb", "--binary", "binary"];
    std::fs::write(shell.file("script"), "#!/bin/sh").unwrap();
    let script = ["bundle", "widgets", "-o", "shop.mcpb", "--binary", "script"];
    shell.run(&script).ends(2).complains("script is not a program for Linux");
    std::fs::create_dir(shell.file("empty")).unwrap();
    shell.run(&["bundle", "empty", "-o", "shop.mcpb"]).ends(2).complains("no widgets found");
    shell.edit("widgets/sub/order.widget", "type: Card", "type: Nonsense");
    shell.run(&bundle).ends(1).prints("unknown component");
    assert!(!shell.file("shop.mcpb").exists());
}
