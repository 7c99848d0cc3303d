//! The files in `deploy/`: what can be tested of them without a cluster.

use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::path::PathBuf;
use std::process::Command;

use serde_json::Value;

use super::Shell;
use super::serve::start_with;

fn file(name: &str) -> String {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../deploy").join(name);
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The paths of all probes.
fn probes(value: &Value, out: &mut Vec<String>) {
    match value {
        Value::Object(members) => {
            if let Some(path) = value.pointer("/httpGet/path").and_then(Value::as_str) {
                out.push(path.to_owned());
            }
            members.values().for_each(|value| probes(value, out));
        }
        Value::Array(items) => items.iter().for_each(|value| probes(value, out)),
        _ => {}
    }
}

#[test]
fn the_probes_are_answered() {
    let mut paths = Vec::new();
    for document in file("kubernetes.yaml").split("\n---\n") {
        probes(&serde_saphyr::from_str(document).unwrap(), &mut paths);
    }
    assert_eq!(paths, ["/healthz", "/healthz", "/readyz"]);
    let (mut server, address) = start_with(&[]);
    for path in paths {
        let mut stream = TcpStream::connect(address).unwrap();
        // By the address of the pod, as a kubelet asks.
        write!(stream, "GET {path} HTTP/1.1\r\nhost: 10.0.0.7\r\nconnection: close\r\n\r\n")
            .unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        assert!(answer.starts_with("HTTP/1.1 200"), "{path}: {answer}");
    }
    server.kill().unwrap();
    server.wait().unwrap();
}

/// What systemd says of the unit; it wants the program to be there.
#[test]
fn the_unit_is_valid() {
    let unit = file("widgetcast.service");
    assert!(unit.contains("ExecStart=/usr/local/bin/widgetcast "));
    let unit = unit.replace("/usr/local/bin/widgetcast", env!("CARGO_BIN_EXE_widgetcast"));
    let shell = Shell::new("unit");
    let path = shell.file("widgetcast.service");
    std::fs::write(&path, unit).unwrap();
    let verified =
        Command::new("systemd-analyze").arg("verify").arg("--man=no").arg(&path).output();
    let Ok(verified) = verified else {
        return eprintln!("systemd-analyze is not installed: the unit was not verified");
    };
    let said = String::from_utf8_lossy(&verified.stderr);
    let about: Vec<&str> =
        said.lines().filter(|line| line.contains("widgetcast.service")).collect();
    assert!(about.is_empty(), "{said}");
}
