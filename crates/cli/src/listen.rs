//! The address of `serve`, the message if it is in use, and the browser that opens the gallery.

use std::io::ErrorKind;
use std::net::{IpAddr, Ipv4Addr, SocketAddr, TcpListener};
use std::process::{Command, Stdio};
use std::time::Duration;

use serde_json::Value;

/// The default address.
pub(crate) const ADDRESS: &str = "127.0.0.1:8000";

/// An address, or only a port.
pub(crate) fn address(text: &str) -> Result<SocketAddr, String> {
    let text = match text.strip_prefix(':').unwrap_or(text) {
        port if port.parse::<u16>().is_ok() => format!("127.0.0.1:{port}"),
        _ => text.replacen("localhost:", "127.0.0.1:", 1),
    };
    text.parse().map_err(|_| format!("{text:?} must be an address such as {ADDRESS}"))
}

/// Why no one can listen there, and what to do.
pub(crate) fn cannot_listen(at: SocketAddr, error: &std::io::Error) -> std::io::Error {
    let words = match error.kind() {
        ErrorKind::AddrInUse => {
            let who = who_listens(at)
                .unwrap_or_else(|| "the address is in use by another program".into());
            let instead = match free_port(at) {
                Some(port) => format!("; `--port {port}` is free"),
                None => String::new(),
            };
            format!("cannot listen on {at}: {who}{instead}")
        }
        ErrorKind::PermissionDenied if at.port() < 1024 => {
            format!("cannot listen on {at}: {error}; ports below 1024 need privileges")
        }
        _ => format!("cannot listen on {at}: {error}"),
    };
    std::io::Error::new(error.kind(), words)
}

/// Whether it is one of ours, which someone forgot.
fn who_listens(at: SocketAddr) -> Option<String> {
    let page = page(at);
    let agent = ureq::Agent::config_builder()
        .timeout_global(Some(Duration::from_millis(500)))
        .proxy(None)
        .build()
        .new_agent();
    let mut response = agent.get(format!("{page}gallery/index.json")).call().ok()?;
    let text = response.body_mut().read_to_string().ok()?;
    let index: Value = serde_json::from_str(&text).ok()?;
    let (name, version) = (index["name"].as_str()?, index["version"].as_str()?);
    let name = widgetcast_core::printable(name);
    let version = widgetcast_core::printable(version);
    Some(format!("{name} {version} is already running at {page}"))
}

/// The next free port, among a few.
fn free_port(at: SocketAddr) -> Option<u16> {
    let next = (1..=20).filter_map(|step| at.port().checked_add(step));
    next.into_iter().find(|port| TcpListener::bind((at.ip(), *port)).is_ok())
}

/// The URL of the page for a local browser.
fn page(at: SocketAddr) -> String {
    let host = match at.ip() {
        ip if ip.is_unspecified() => IpAddr::V4(Ipv4Addr::LOCALHOST),
        ip => ip,
    };
    format!("http://{}/", SocketAddr::new(host, at.port()))
}

/// Opens the page in `$BROWSER`, or in the system's browser.
pub(crate) fn open_page(at: SocketAddr) {
    let page = page(at);
    let mut command = match std::env::var_os("BROWSER").filter(|name| !name.is_empty()) {
        Some(browser) => Command::new(browser),
        None if cfg!(target_os = "macos") => Command::new("open"),
        None if cfg!(windows) => {
            let mut command = Command::new("cmd");
            // The empty argument is the window's title; without it, `start` uses the URL as the title.
            command.args(["/C", "start", ""]);
            command
        }
        None => Command::new("xdg-open"),
    };
    let command = command.arg(&page).stdin(Stdio::null()).stdout(Stdio::null());
    match command.stderr(Stdio::null()).spawn() {
        // A thread waits for it, so that no zombie stays.
        Ok(mut child) => _ = std::thread::spawn(move || child.wait()),
        Err(error) => tracing::warn!("cannot open a browser ({error}); open {page} yourself"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses() {
        for text in ["8140", ":8140", "localhost:8140", "127.0.0.1:8140"] {
            assert_eq!(address(text).unwrap(), "127.0.0.1:8140".parse().unwrap(), "{text}");
        }
        for text in ["0.0.0.0:1", "[::1]:1"] {
            assert_eq!(address(text).unwrap().to_string(), text);
        }
        assert!(address("nowhere").unwrap_err().contains("must be an address such as"));
        assert_eq!(page("0.0.0.0:8140".parse().unwrap()), "http://127.0.0.1:8140/");
        assert_eq!(page("[::1]:8140".parse().unwrap()), "http://[::1]:8140/");
    }
}
