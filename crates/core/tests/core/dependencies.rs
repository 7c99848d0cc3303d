//! The crate is pure: no async runtime, no network, in any of its dependencies.

#[test]
fn no_runtime_and_no_network() {
    let output = std::process::Command::new(env!("CARGO"))
        .args(["tree", "--offline", "-p", "widgetcast-core", "-e", "normal", "--prefix", "none"])
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .unwrap();
    let tree = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success() && tree.contains("minijinja"), "{tree}");
    for banned in [
        "tokio",
        "async-std",
        "smol",
        "mio",
        "hyper",
        "reqwest",
        "ureq",
        "rustls",
        "openssl",
        "socket2",
        "rmcp",
        "axum",
    ] {
        assert!(
            !tree.lines().any(|line| line.starts_with(&format!("{banned} "))),
            "{banned} in\n{tree}"
        );
    }
}
