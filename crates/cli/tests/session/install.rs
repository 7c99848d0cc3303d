//! `install`, with a temporary home directory.

use super::Shell;

fn read(shell: &Shell, name: &str) -> String {
    std::fs::read_to_string(shell.file(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
}

fn write(shell: &Shell, name: &str, text: &str) {
    std::fs::create_dir_all(shell.file(name).parent().unwrap()).unwrap();
    std::fs::write(shell.file(name), text).unwrap();
}

#[test]
fn every_client_has_a_snippet() {
    let shell = Shell::new("install");
    let binary = env!("CARGO_BIN_EXE_widgetcast");
    for (client, key, url) in [
        ("claude", "mcpServers", None),
        ("claude-code", "mcpServers", Some("\"type\": \"http\"")),
        ("cursor", "mcpServers", Some("\"url\"")),
        ("vscode", "\"servers\"", Some("\"type\": \"http\"")),
        ("windsurf", "mcpServers", Some("serverUrl")),
        ("zed", "context_servers", Some("\"url\"")),
        ("codex", "[mcp_servers.widgetcast]", Some("url =")),
        ("goose", "extensions:", Some("type: \"streamable_http\"")),
        ("gemini", "mcpServers", Some("httpUrl")),
    ] {
        shell.run(&["install", client]).ends(0).prints(key).prints(binary).complains("reads ");
        let ran = shell.run(&["install", client, "--http", "http://127.0.0.1:8000/mcp"]);
        match url {
            Some(url) => ran.ends(0).prints(url).prints("http://127.0.0.1:8000/mcp"),
            None => ran.ends(2).complains("under Settings > Connectors"),
        };
        shell.run(&["install", client, "--display"]).ends(0).prints("--display");
        // Without --write nothing is written.
        assert_eq!(std::fs::read_dir(&shell.0).unwrap().count(), 0);
    }
    for client in ["cursor", "codex", "goose", "vscode", "zed"] {
        shell.run(&["install", client, "--write"]).ends(0).prints("wrote ").prints("Restart ");
        shell.run(&["install", client, "--write"]).ends(0).prints("already has this entry");
    }
    shell.run(&["install", "netscape"]).ends(2).complains("possible values: claude, claude-code");
    shell.run(&["install", "cursor", "nowhere"]).ends(2).complains("no such directory");
    for server in [":8140", "8140", "127.0.0.1:8140", "http://127.0.0.1:8140"] {
        let ran = shell.run(&["install", "gemini", "--http", server]);
        ran.ends(0).prints("\"http://127.0.0.1:8140/mcp\"");
    }
    shell.run(&["install", "cursor", "--name", "a b"]).ends(2).complains("letters, digits");
}

/// Clients start the server by a package runner, if that is how its user has it.
#[test]
fn package_runners_start_the_server() {
    let shell = Shell::new("install-via");
    std::fs::create_dir(shell.file("widgets")).unwrap();
    let dir = shell.file("widgets").display().to_string();
    for (via, command, first) in
        [("npx", "npx", &["-y", "widgetcast"][..]), ("uvx", "uvx", &["widgetcast"][..])]
    {
        let ran = shell.run(&["install", "cursor", "widgets", "--via", via]);
        let printed: serde_json::Value = serde_json::from_str(&ran.ends(0).out).unwrap();
        let server = &printed["mcpServers"]["widgetcast"];
        assert_eq!(server["command"], command);
        let args = [first, &["serve", "--stdio", &dir]].concat();
        assert_eq!(server["args"], serde_json::json!(args));
        shell
            .run(&["install", "chatgpt", "widgets", "--via", via])
            .ends(0)
            .prints(&format!("{via} widgetcast serve widgets --watch"));
    }
    let by_path = shell.run(&["install", "codex", "--via", "path"]).ends(0).out.clone();
    assert_eq!(by_path, shell.run(&["install", "codex"]).ends(0).out);
    shell.run(&["install", "cursor", "--via", "npx", "--http", ":1"]).ends(2).complains("--via");
}

/// Hosts that are not set up by a file get what to do there.
#[test]
fn hosts_without_a_file_have_steps() {
    let shell = Shell::new("install-steps");
    for (host, words) in [
        ("chatgpt", "turn on developer"),
        ("slack", "Under Features, MCP Servers"),
        ("teams", "application/vnd.microsoft.card.adaptive"),
    ] {
        let ran = shell.run(&["install", host, "./cards"]);
        ran.ends(0).prints(words).prints("widgetcast serve ./cards");
        shell.run(&["install", host]).ends(0).prints("widgetcast serve DIR");
        shell.run(&["install", host, "--write"]).ends(2).complains("has no config file");
    }
}

/// The page's list of clients is the command's.
#[test]
fn the_page_knows_every_client() {
    let shell = Shell::new("install-page");
    let page = concat!(env!("CARGO_MANIFEST_DIR"), "/../../web/gallery/src/start.tsx");
    let page = std::fs::read_to_string(page).unwrap();
    let help = shell.run(&["install", "--help"]).ends(0).out.clone();
    let values = help.split("Possible values:").nth(1).and_then(|rest| rest.split("\n\n").next());
    let values = values.unwrap().lines();
    let values = values.filter_map(|line| line.trim().strip_prefix("- ")?.split(':').next());
    let clients: Vec<&str> =
        values.filter(|id| !matches!(*id, "chatgpt" | "slack" | "teams")).collect();
    assert_eq!(clients.len(), 9, "{help}");
    for client in clients {
        assert!(page.contains(&format!("value: \"{client}\"")), "{client} is not on the page");
    }
}

#[test]
fn settings_are_kept() {
    let shell = Shell::new("install-keep");
    std::fs::create_dir(shell.file("widgets")).unwrap();
    let before = "{\"theme\": \"dark\", \"mcpServers\": {\"other\": {\"command\": \"x\"}}}";
    write(&shell, ".gemini/settings.json", before);
    shell
        .run(&["install", "gemini", "./widgets", "--write"])
        .ends(0)
        .prints("backup: ")
        .prints("settings.json.bak");
    let after: serde_json::Value =
        serde_json::from_str(&read(&shell, ".gemini/settings.json")).unwrap();
    assert_eq!(after["theme"], "dark");
    assert_eq!(after["mcpServers"]["other"]["command"], "x");
    let args = &after["mcpServers"]["widgetcast"]["args"];
    assert_eq!(args[2], shell.file("widgets").to_str().unwrap());
    assert_eq!(read(&shell, ".gemini/settings.json.bak"), before);

    // Again changes nothing; another directory needs another name, and no copy is written over.
    shell
        .run(&["install", "gemini", "widgets", "--write"])
        .ends(0)
        .prints("already has this entry");
    assert!(!shell.file(".gemini/settings.json.bak2").exists());
    std::fs::create_dir(shell.file("others")).unwrap();
    let refused = shell.run(&["install", "gemini", "others", "--write"]);
    refused.ends(2).complains("choose another name with --name");
    let named = ["install", "gemini", "others", "--write", "--name", "others"];
    shell.run(&named).ends(0).prints("settings.json.bak2");
    assert_eq!(read(&shell, ".gemini/settings.json.bak"), before);
    shell.run(&["install", "gemini", "--write", "--name", "mine"]).ends(0);
    let after: serde_json::Value =
        serde_json::from_str(&read(&shell, ".gemini/settings.json")).unwrap();
    assert_eq!(after["mcpServers"].as_object().unwrap().len(), 4);
}

#[test]
fn comments_are_not_lost() {
    let shell = Shell::new("install-comments");
    let zed = "// mine\n{\n  \"theme\": \"One\", // the best\n}\n";
    write(&shell, ".config/zed/settings.json", zed);
    shell
        .run(&["install", "zed", "--write"])
        .ends(2)
        .complains("was not changed: it is not valid JSON")
        .complains("it has comments, which would be lost. Add the entry above by hand")
        .prints("context_servers");
    assert_eq!(read(&shell, ".config/zed/settings.json"), zed);

    let codex = "# mine\nmodel = \"o9\" # the best\n";
    write(&shell, ".codex/config.toml", codex);
    shell.run(&["install", "codex", "--write"]).ends(0);
    let after = read(&shell, ".codex/config.toml");
    assert!(after.starts_with(codex) && after.contains("\n[mcp_servers.widgetcast]\n"), "{after}");

    let goose = "# mine\nextensions:\n  developer: # built in\n    enabled: true\n";
    write(&shell, ".config/goose/config.yaml", goose);
    shell.run(&["install", "goose", "--write"]).ends(0);
    let after = read(&shell, ".config/goose/config.yaml");
    assert!(after.contains("developer: # built in\n    enabled: true\n"), "{after}");
    assert!(after.contains("\n  widgetcast:\n    name: \"widgetcast\"\n"), "{after}");
}

#[cfg(unix)]
#[test]
fn permissions_are_kept() {
    use std::os::unix::fs::PermissionsExt as _;

    let shell = Shell::new("install-mode");
    // A symbolic link into a directory of dotfiles, as users have who share settings between machines.
    write(&shell, "dotfiles/claude.json", "{\"token\": \"secret\"}");
    // Not 0600, which a temporary file has anyway.
    let group = std::fs::Permissions::from_mode(0o640);
    std::fs::set_permissions(shell.file("dotfiles/claude.json"), group).unwrap();
    std::os::unix::fs::symlink("dotfiles/claude.json", shell.file(".claude.json")).unwrap();
    shell.run(&["install", "claude-code", "--write"]).ends(0);
    assert!(shell.file(".claude.json").is_symlink());
    assert!(read(&shell, "dotfiles/claude.json").contains("widgetcast"));
    for name in ["dotfiles/claude.json", ".claude.json.bak"] {
        let mode = std::fs::metadata(shell.file(name)).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o640, "{name}");
    }
}
