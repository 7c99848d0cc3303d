//! The workspace as a whole: licences and sources of dependencies, and one version everywhere.

#![allow(clippy::unwrap_used)]

use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;

use serde_json::Value;

const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");

fn read(file: &str) -> String {
    let path = Path::new(ROOT).join(file);
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn toml(file: &str) -> Value {
    toml::from_str(&read(file)).unwrap()
}

fn json(file: &str) -> Value {
    serde_json::from_str(&read(file)).unwrap()
}

/// Every package of Cargo.lock, those for other systems included.
fn packages() -> Vec<Value> {
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--format-version=1", "--locked", "--all-features"])
        .current_dir(ROOT)
        .output()
        .unwrap();
    let message = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "cargo metadata (`cargo fetch` makes it work): {message}");
    let metadata: Value = serde_json::from_slice(&output.stdout).unwrap();
    let packages = metadata["packages"].as_array().unwrap().clone();
    assert!(packages.len() > 100, "only {} packages", packages.len());
    packages
}

fn name(package: &Value) -> &str {
    package["name"].as_str().unwrap()
}

#[test]
fn dependencies_have_a_licence_of_deny_toml() {
    let config = toml("deny.toml");
    let allowed: BTreeSet<String> = config["licenses"]["allow"]
        .as_array()
        .unwrap()
        .iter()
        .map(|licence| licence.as_str().unwrap().to_owned())
        .collect();
    let mut used = BTreeSet::new();
    let mut refused = Vec::new();
    for package in &packages() {
        let text = package["license"].as_str().unwrap_or("none");
        let parsed = spdx::Expression::parse_mode(text, spdx::ParseMode::LAX);
        let accepted = parsed.is_ok_and(|licence| {
            licence.evaluate(|requirement| {
                let known = allowed.contains(&requirement.to_string());
                if known {
                    used.insert(requirement.to_string());
                }
                known
            })
        });
        if !accepted {
            refused.push(format!("{}: {text}", name(package)));
        }
    }
    assert!(refused.is_empty(), "not allowed by deny.toml: {refused:#?}");
    assert_eq!(used, allowed, "deny.toml allows what nothing uses");
}

#[test]
fn dependencies_come_from_the_registry() {
    const CRATES_IO: &str = "registry+https://github.com/rust-lang/crates.io-index";
    let root = Path::new(ROOT).canonicalize().unwrap();
    for package in &packages() {
        match package["source"].as_str() {
            Some(source) => assert_eq!(source, CRATES_IO, "{}", name(package)),
            // A crate of this workspace, not one elsewhere on the disk.
            None => {
                let manifest = Path::new(package["manifest_path"].as_str().unwrap());
                assert!(manifest.starts_with(&root), "{}", manifest.display());
                let requirements = package["dependencies"].as_array().unwrap();
                for dependency in requirements.iter().filter(|d| d["kind"] != "dev") {
                    assert_ne!(
                        dependency["req"],
                        "*",
                        "{} of {}",
                        dependency["name"],
                        name(package)
                    );
                }
            }
        }
    }
}

/// `version` under `[workspace.package]` is the version; the copies follow it.
#[test]
fn one_version() {
    let workspace = &toml("Cargo.toml")["workspace"];
    let version = &workspace["package"]["version"];
    assert!(version.is_string());
    let packages = packages();
    let ours: Vec<&Value> = packages.iter().filter(|package| package["source"].is_null()).collect();
    assert!(ours.len() >= 9, "only {} crates in the workspace", ours.len());
    for package in ours {
        assert_eq!(package["version"], *version, "{}", name(package));
        assert_eq!(
            package["rust_version"],
            workspace["package"]["rust-version"],
            "{}",
            name(package)
        );
    }
    for (name, dependency) in workspace["dependencies"].as_object().unwrap() {
        if dependency.get("path").is_some() {
            assert_eq!(dependency["version"], *version, "{name} in Cargo.toml");
        }
    }
    let lock = &json("web/package-lock.json")["packages"];
    for npm in ["client", "react", "vite", "playwright"] {
        let package = json(&format!("web/{npm}/package.json"));
        assert_eq!(package["version"], *version, "web/{npm}/package.json");
        assert_eq!(lock[npm]["version"], *version, "{npm} in web/package-lock.json");
    }
    let react = json("web/react/package.json");
    assert_eq!(react["dependencies"]["@widgetcast/client"], *version, "web/react/package.json");
}
