//! `widgetcast bundle`: packs the binary and a directory of widgets and tools into one file that desktop hosts install
//! with a click (MCPB), and describes that file for the MCP registry.

use std::collections::BTreeSet;
use std::io::{Cursor, Write as _};
use std::path::{Component, Path, PathBuf};

use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};
use widgetcast_core::{Catalog, CheckOptions, Severity};
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, DateTime, ZipWriter};

use crate::json_text::json_text;
use crate::mcp_client::McpClient;
use crate::outcome::{Failure, Outcome};
use crate::report;
use crate::tool_file::{self, Needs};

/// The arguments of the command.
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    /// Directory of widgets, searched recursively
    #[arg(value_hint = clap::ValueHint::DirPath)]
    dir: PathBuf,
    /// Output file, such as shop.mcpb
    #[arg(short, long, value_name = "FILE", value_hint = clap::ValueHint::FilePath)]
    out: PathBuf,
    /// Name of the server [default: the file name]
    #[arg(long)]
    name: Option<String>,
    /// Version of the server
    #[arg(long, value_name = "VERSION", default_value = "1.0.0")]
    server_version: String,
    /// One-sentence description of the server [default: the names of its tools]
    #[arg(long, value_name = "TEXT")]
    description: Option<String>,
    /// Author of the server [default: the name of the server]
    #[arg(long, value_name = "NAME")]
    author: Option<String>,
    /// widgetcast binary to pack, such as one for another platform [default: this one]
    #[arg(long, value_name = "FILE", value_hint = clap::ValueHint::FilePath)]
    binary: Option<PathBuf>,
    /// Also write server.json next to the bundle for the MCP registry, under this name, such as io.github.you/shop
    #[arg(long, value_name = "NAME", value_parser = registry_name, requires = "url")]
    registry: Option<String>,
    /// Download URL of the bundle, for server.json
    #[arg(long, value_name = "URL", value_parser = download_url, requires = "registry")]
    url: Option<String>,
}

/// Maximum length of a description in the registry, in characters.
const MAX_DESCRIPTION: usize = 100;
const REGISTRY_SCHEMA: &str =
    "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json";

/// Checks a name for the registry: a reversed domain, a slash, and a name.
fn registry_name(name: &str) -> Result<String, String> {
    let is_plain = |part: &str, more: &str| {
        !part.is_empty() && part.chars().all(|c| c.is_ascii_alphanumeric() || more.contains(c))
    };
    match name.split_once('/') {
        Some((domain, own)) if is_plain(domain, ".-") && is_plain(own, "._-") => Ok(name.into()),
        _ => Err("must look like io.github.you/shop or com.example/shop".into()),
    }
}

fn download_url(url: &str) -> Result<String, String> {
    let is_taken = url.starts_with("https://") && url.to_lowercase().contains("mcp");
    is_taken.then(|| url.to_owned()).ok_or_else(|| {
        "the registry requires an https:// URL that contains \"mcp\", such as one ending in shop.mcpb".into()
    })
}

pub(crate) fn run(args: &Args) -> Result<Outcome, Failure> {
    let catalog = Catalog::from_dir(&args.dir)?;
    let mut findings = widgetcast_core::check(&catalog, &CheckOptions::default(), &|_| {});
    findings.retain(|finding| finding.severity == Severity::Error);
    if !findings.is_empty() {
        let options = report::Options { format: report::Format::Human, notes: false };
        report::print(findings, catalog.files().count(), options)?;
        return Ok(Outcome::Findings);
    }
    if catalog.is_empty() {
        return Err(format!("no widgets found in {}", args.dir.display()).into());
    }
    let server = Server::new(args)?;
    let mut entries = vec![
        Entry::new("manifest.json", json_text(&server.manifest())? + "\n"),
        Entry { mode: 0o755, ..Entry::new(&server.platform.entry_point(), server.binary.clone()) },
    ];
    entries.extend(widgets(&catalog)?);
    if let Some(needs) = &server.needs {
        add_tools(needs, &args.dir, &mut entries)?;
        for program in needs.programs.iter().filter(|program| !program.contains('/')) {
            tell!("the tools of the bundle run {program}, which users must have installed");
        }
    }
    let bundle = archive(&entries)?;
    write(&args.out, &bundle)?;
    if let (Some(name), Some(url)) = (&args.registry, &args.url) {
        let about = server.registry_entry(name, url, &bundle)?;
        write(&args.out.with_file_name("server.json"), (json_text(&about)? + "\n").as_bytes())?;
    }
    Ok(Outcome::Clean)
}

/// The server in the bundle.
struct Server {
    name: String,
    version: String,
    description: String,
    author: String,
    tools: Vec<Value>,
    /// The requirements of the tools in its configuration file.
    needs: Option<Needs>,
    binary: Vec<u8>,
    platform: Platform,
}

impl Server {
    fn new(args: &Args) -> Result<Self, Failure> {
        let binary = args.binary.clone().map_or_else(std::env::current_exe, Ok)?;
        let shown = binary.display();
        let binary = std::fs::read(&binary).map_err(|error| format!("{shown}: {error}"))?;
        let platform = Platform::of(&binary)
            .ok_or_else(|| format!("{shown} is not a program for Linux, macOS or Windows"))?;
        let stem = args.out.file_stem().unwrap_or_default().to_string_lossy();
        let name = args.name.clone().unwrap_or_else(|| stem.into_owned());
        let tools = McpClient::in_process(Some(&args.dir), "text")?.list("tools/list", "tools")?;
        let needs = tool_file::of_dir(&args.dir).map(|path| Needs::of(&path)).transpose()?;
        let description = args.description.clone().unwrap_or_else(|| describe(&tools));
        Ok(Self {
            author: args.author.clone().unwrap_or_else(|| name.clone()),
            version: args.server_version.clone(),
            name,
            description,
            tools,
            needs,
            binary,
            platform,
        })
    }

    /// The manifest of the bundle.
    fn manifest(&self) -> Value {
        let entry_point = self.platform.entry_point();
        let tools: Vec<Value> = self
            .tools
            .iter()
            .map(|tool| match &tool["description"] {
                Value::String(text) => json!({ "name": tool["name"], "description": text }),
                _ => json!({ "name": tool["name"] }),
            })
            .collect();
        let mut manifest = json!({
            "manifest_version": "0.3",
            "name": self.name,
            "version": self.version,
            "description": self.description,
            "author": { "name": self.author },
            "server": {
                "type": "binary",
                "entry_point": entry_point,
                "mcp_config": {
                    "command": format!("${{__dirname}}/{entry_point}"),
                    "args": [
                        "serve", "--stdio", "--name", self.name, "--server-version", self.version,
                        "${__dirname}/widgets",
                    ],
                },
            },
            "tools": tools,
            "compatibility": { "platforms": [self.platform.id()] },
        });
        // Hosts ask for them at installation.
        for name in self.needs.iter().flat_map(|needs| &needs.variables) {
            manifest["server"]["mcp_config"]["env"][name] =
                json!(format!("${{user_config.{name}}}"));
            manifest["user_config"][name] = json!({
                "type": "string", "title": name, "description": "Used by the tools of this server",
                "sensitive": true, "required": true,
            });
        }
        manifest
    }

    /// The bundle's entry for the registry.
    fn registry_entry(&self, name: &str, url: &str, bundle: &[u8]) -> Result<Value, Failure> {
        if self.description.chars().count() > MAX_DESCRIPTION {
            let message =
                format!("the registry limits --description to {MAX_DESCRIPTION} characters");
            return Err(message.into());
        }
        Ok(json!({
            "$schema": REGISTRY_SCHEMA,
            "name": name,
            "description": self.description,
            "version": self.version,
            "packages": [{
                "registryType": "mcpb",
                "identifier": url,
                "fileSha256": format!("{:x}", Sha256::digest(bundle)),
                "transport": { "type": "stdio" },
            }],
        }))
    }
}

/// The titles of tools, as many as fit.
fn describe(tools: &[Value]) -> String {
    let title = |tool: &Value| tool["title"].as_str().or(tool["name"].as_str()).map(str::to_owned);
    let text = tools.iter().filter_map(title).collect::<Vec<_>>().join(", ");
    if text.chars().count() <= MAX_DESCRIPTION {
        return text;
    }
    text.chars().take(MAX_DESCRIPTION - 1).chain(['…']).collect()
}

/// The platform of a binary.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Platform {
    Linux,
    Mac,
    Windows,
}

impl Platform {
    /// Determined from the first bytes of the file.
    fn of(binary: &[u8]) -> Option<Self> {
        match binary {
            [0x7f, b'E', b'L', b'F', ..] => Some(Self::Linux),
            [b'M', b'Z', ..] => Some(Self::Windows),
            // For one architecture, and for several.
            [0xcf, 0xfa, 0xed, 0xfe, ..] | [0xca, 0xfe, 0xba, 0xbe, ..] => Some(Self::Mac),
            _ => None,
        }
    }

    /// Its name in manifests.
    fn id(self) -> &'static str {
        match self {
            Self::Linux => "linux",
            Self::Mac => "darwin",
            Self::Windows => "win32",
        }
    }

    /// The path of the binary in the bundle.
    fn entry_point(self) -> String {
        format!("server/widgetcast{}", if self == Self::Windows { ".exe" } else { "" })
    }
}

/// A file in the bundle.
struct Entry {
    path: String,
    content: Vec<u8>,
    mode: u32,
}

impl Entry {
    fn new(path: &str, content: impl Into<Vec<u8>>) -> Self {
        Self { path: path.into(), content: content.into(), mode: 0o644 }
    }
}

/// Only the files of the widgets: the directory may contain secrets.
fn widgets(catalog: &Catalog) -> Result<Vec<Entry>, Failure> {
    let root = catalog.dir().unwrap_or(Path::new(""));
    let entry = |path: &Path| {
        let parts =
            path.strip_prefix(root).unwrap_or(path).iter().map(|part| part.to_string_lossy());
        let name = parts.collect::<Vec<_>>().join("/");
        Ok(Entry::new(&format!("widgets/{name}"), catalog.read_text(path)?))
    };
    catalog.sources().map(entry).collect()
}

/// Maximum number and size of the files of tools.
const MAX_FILES: usize = 10_000;
const MAX_BYTES: u64 = 256 << 20;

/// Adds the tools of the configuration file, without the rest of it, and what their commands name: a script
/// with the directory that it lies in, because it may import what is next to it.
fn add_tools(needs: &Needs, dir: &Path, entries: &mut Vec<Entry>) -> Result<(), Failure> {
    if needs.text.is_empty() {
        return Ok(());
    }
    entries.push(Entry::new(&format!("widgets/{}", tool_file::FILE_NAME), needs.text.as_str()));
    let mut paths = BTreeSet::new();
    for name in &needs.names {
        let path = Path::new(name);
        if !dir.join(path).is_file() {
            continue;
        }
        let is_inside = path.components().all(|part| matches!(part, Component::Normal(_)));
        if !is_inside {
            let dir = dir.display();
            return Err(format!(
                "{name} of {} is not in {dir}, so it cannot be bundled; move it there, or use a \
                 program on the PATH",
                tool_file::FILE_NAME
            )
            .into());
        }
        match path.parent().filter(|folder| !folder.as_os_str().is_empty()) {
            Some(folder) => collect(dir, folder, &mut paths)?,
            None => _ = paths.insert(path.to_owned()),
        }
    }
    let mut left = MAX_BYTES;
    for path in paths {
        let parts: Vec<_> = path.iter().map(|part| part.to_string_lossy()).collect();
        let name = format!("widgets/{}", parts.join("/"));
        if entries.iter().any(|entry| entry.path == name) {
            continue;
        }
        let file = dir.join(&path);
        let read = |error| format!("{}: {error}", file.display());
        let about = file.metadata().map_err(read)?;
        left =
            left.checked_sub(about.len()).ok_or("the directories of the scripts are too large")?;
        let content = std::fs::read(&file).map_err(read)?;
        let mode = if is_program(&about) { 0o755 } else { 0o644 };
        entries.push(Entry { mode, ..Entry::new(&name, content) });
    }
    Ok(())
}

/// Collects the files of a directory, without hidden ones, links and what Python keeps for itself.
fn collect(dir: &Path, folder: &Path, paths: &mut BTreeSet<PathBuf>) -> Result<(), Failure> {
    let cannot = |error| format!("{}: {error}", dir.join(folder).display());
    for entry in std::fs::read_dir(dir.join(folder)).map_err(cannot)? {
        let entry = entry.map_err(cannot)?;
        let (name, kind) = (entry.file_name(), entry.file_type().map_err(cannot)?);
        let path = folder.join(&name);
        if name.as_encoded_bytes().starts_with(b".") || name == "__pycache__" {
            continue;
        }
        if kind.is_dir() {
            collect(dir, &path, paths)?;
        } else if kind.is_file() {
            paths.insert(path);
        } else {
            tell!("{} is a symlink, and is skipped", dir.join(path).display());
        }
        if paths.len() > MAX_FILES {
            return Err(format!("{} has too many files", dir.join(folder).display()).into());
        }
    }
    Ok(())
}

#[cfg(unix)]
fn is_program(about: &std::fs::Metadata) -> bool {
    std::os::unix::fs::PermissionsExt::mode(&about.permissions()) & 0o100 != 0
}

#[cfg(not(unix))]
fn is_program(_: &std::fs::Metadata) -> bool {
    false
}

/// The files as a reproducible zip archive.
fn archive(entries: &[Entry]) -> Result<Vec<u8>, Failure> {
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    for entry in entries {
        let options = SimpleFileOptions::default()
            .compression_method(CompressionMethod::Deflated)
            .last_modified_time(DateTime::default())
            .unix_permissions(entry.mode);
        zip.start_file(&entry.path, options)?;
        zip.write_all(&entry.content)?;
    }
    Ok(zip.finish()?.into_inner())
}

fn write(path: &Path, content: &[u8]) -> Result<(), Failure> {
    let shown = path.display();
    std::fs::write(path, content).map_err(|error| format!("{shown}: {error}"))?;
    say!("wrote {shown}");
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::{MAX_DESCRIPTION, Platform, describe, download_url, registry_name};

    #[test]
    fn binaries_are_known_by_their_first_bytes() {
        assert_eq!(Platform::of(b"\x7fELF\x02"), Some(Platform::Linux));
        assert_eq!(Platform::of(b"MZ\x90\0"), Some(Platform::Windows));
        assert_eq!(Platform::of(b"\xcf\xfa\xed\xfe\x07"), Some(Platform::Mac));
        assert_eq!(Platform::of(b"\xca\xfe\xba\xbe\0"), Some(Platform::Mac));
        assert_eq!(Platform::of(b"#!/bin/sh"), None);
        assert_eq!(Platform::Windows.entry_point(), "server/widgetcast.exe");
    }

    #[test]
    fn names_and_addresses_are_those_of_the_registry() {
        for good in ["io.github.you/shop", "com.example/my_shop-2.x"] {
            assert!(registry_name(good).is_ok(), "{good}");
        }
        for bad in ["shop", "/shop", "io.github.you/", "a/b/c", "io_github/shop", "a b/c"] {
            assert!(registry_name(bad).is_err(), "{bad}");
        }
        assert!(download_url("https://example.com/shop.mcpb").is_ok());
        assert!(download_url("http://example.com/shop.mcpb").is_err());
        assert!(download_url("https://example.com/shop.zip").is_err());
    }

    #[test]
    fn a_description_of_many_tools_is_cut() {
        let tools: Vec<_> =
            (0..50).map(|n| serde_json::json!({ "name": format!("tööl_{n}") })).collect();
        assert_eq!(describe(&tools[..2]), "tööl_0, tööl_1");
        let cut = describe(&tools);
        assert_eq!(cut.chars().count(), MAX_DESCRIPTION);
        assert!(cut.ends_with('…'));
    }
}
