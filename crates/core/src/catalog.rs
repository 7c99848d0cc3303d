//! A catalog: an immutable snapshot of all widgets, and findings about the files that failed.
//!
//! Loading reads every file and takes what listing needs; a widget is compiled when it is first
//! asked for. [`Catalog::findings`] compiles all of them, so being lazy hides nothing.

use std::collections::{HashMap, HashSet};
use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use serde_json::Value;

use crate::error::{Error, Finding, Kind, Result, Severity};
use crate::limits::Limits;
use crate::name::tool_name;
use crate::side::Side;
use crate::spec::{Source, Spec};
use crate::template::jinja::Engine;
use crate::widget::{self, Origin, Widget};

/// All widgets of a directory.
///
/// ```
/// # let dir = std::env::temp_dir().join(format!("widgetcast-doc-{}", std::process::id()));
/// # std::fs::create_dir_all(&dir)?;
/// # std::fs::write(dir.join("hello.widget"), r#"{"version":"1.0","name":"Hello","template":"{\"type\":\"Card\",\"children\":[{\"type\":\"Text\",\"value\":{{ who | tojson }}}]}"}"#)?;
/// # std::fs::write(dir.join("broken.widget"), "{")?;
/// use serde_json::json;
/// use widgetcast_core::Catalog;
///
/// let catalog = Catalog::from_dir(&dir)?;
/// let widget = catalog.get("hello").expect("one good widget");
/// println!("{}", widget.render(&json!({"who": "world"}))?.text());
///
/// // A bad file does not stop the good ones: it is a finding.
/// for finding in catalog.findings() {
///     eprintln!("{finding:#}");
/// }
/// # assert_eq!(catalog.findings().count(), 1);
/// # std::fs::remove_dir_all(&dir)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Catalog {
    entries: Vec<Entry>,
    /// Position by tool name.
    names: HashMap<Box<str>, u32>,
    /// Slack templates by the names of their files.
    sides: HashMap<Box<str>, Side>,
    /// About files that gave no entry.
    findings: Vec<Finding>,
    engine: Arc<Engine>,
}

/// What a file turned out to hold.
enum Read {
    Widget(Spec, Origin),
    Side(Side),
    /// YAML of another kind.
    Nothing,
}

/// One definition that could be read.
#[derive(Debug)]
struct Entry {
    spec: Spec,
    origin: Origin,
    /// Its tool name belongs to a file before it; it is checked, but not used.
    shadowed: bool,
    compiled: OnceLock<(Option<Box<Widget>>, Vec<Finding>)>,
}

/// What a list of widgets shows, without compiling any of them.
#[derive(Clone, Debug)]
pub struct Listing<'c> {
    /// The name of the tool.
    pub tool_name: &'c str,
    /// The name as its author wrote it.
    pub name: &'c str,
    /// What it is for, if the author said so.
    pub description: Option<&'c str>,
    /// The author's JSON Schema, if the file has one.
    pub schema_json: Option<&'c str>,
    /// The file.
    pub path: &'c Path,
}

impl Catalog {
    /// Reads all widgets of a directory, searched recursively in a fixed order.
    ///
    /// Fails only if the directory itself cannot be read.
    pub fn from_dir(dir: impl AsRef<Path>) -> Result<Self> {
        Self::from_dir_with(dir, &Limits::default())
    }

    /// The same with other limits.
    pub fn from_dir_with(dir: impl AsRef<Path>, limits: &Limits) -> Result<Self> {
        let (paths, findings) = search(dir.as_ref(), limits)?;
        Ok(Self::from_files(&paths, findings, limits))
    }

    /// Reads one file.
    pub fn from_file(path: impl AsRef<Path>) -> Self {
        Self::from_files(&[path.as_ref().to_owned()], Vec::new(), &Limits::default())
    }

    fn from_files(paths: &[PathBuf], findings: Vec<Finding>, limits: &Limits) -> Self {
        let read = |path: &PathBuf| {
            let text = read(path, limits)?;
            let yaml = path.extension().is_some_and(|ext| ext != "widget");
            let ours = |line: &str| line.starts_with("widget:") || line.starts_with("template:");
            if yaml && !text.lines().any(ours) {
                return Ok(Side::read(&text, path)?.map_or(Read::Nothing, Read::Side));
            }
            let spec = Source::read(&text).and_then(|source| source.spec());
            spec.map(|spec| Read::Widget(spec, Origin::File(path.clone())))
                .map_err(|error| error.in_file(path))
        };
        Self::build(in_parallel(paths, read), findings, limits)
    }

    /// Makes a catalog of definitions that are part of the program.
    pub fn from_static(texts: &[(&'static str, &'static str)]) -> Self {
        let read = |(name, text): &(&'static str, &'static str)| {
            let name = PathBuf::from(name);
            let spec = Source::read(text).and_then(|source| source.spec());
            spec.map_err(|error| error.in_file(&name))
                .map(|spec| Read::Widget(spec, Origin::Static { name, text }))
        };
        Self::build(texts.iter().map(read).collect(), Vec::new(), &Limits::default())
    }

    fn build(read: Vec<Result<Read>>, mut findings: Vec<Finding>, limits: &Limits) -> Self {
        let mut sides = HashMap::new();
        let mut entries: Vec<Entry> = Vec::with_capacity(read.len());
        let mut names: HashMap<Box<str>, u32> = HashMap::with_capacity(read.len());
        for result in read {
            let (spec, origin) = match result {
                Ok(Read::Widget(spec, origin)) => (spec, origin),
                Ok(Read::Side(side)) => {
                    sides.insert(side.name().into(), side);
                    continue;
                }
                Ok(Read::Nothing) => continue,
                Err(error) => {
                    findings.push(Finding::new(Severity::Error, error));
                    continue;
                }
            };
            let name = tool_name(&spec.name);
            if let Some(first) = names.get(name.as_str()).and_then(|&at| entries.get(at as usize)) {
                let (first, second) = (first.origin.path().display(), origin.path().display());
                let message =
                    format!("{first} and {second} both give the tool {name}; the first is used");
                let error = Error::new(Kind::NameTaken, message)
                    .with_help("give one of them another name")
                    .in_file(origin.path());
                findings.push(Finding::new(Severity::Error, error));
                entries.push(Entry { spec, origin, shadowed: true, compiled: OnceLock::new() });
                continue;
            }
            names.insert(name.into(), entries.len() as u32);
            entries.push(Entry { spec, origin, shadowed: false, compiled: OnceLock::new() });
        }
        entries.shrink_to_fit();
        Self { entries, names, sides, findings, engine: widget::engine(limits) }
    }

    /// How many widgets could be read.
    pub fn len(&self) -> usize {
        self.names.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.names.is_empty()
    }

    /// Every file that held a definition, whether it is used or not.
    pub fn files(&self) -> impl Iterator<Item = &Path> {
        let failed =
            self.findings.iter().filter_map(|finding| finding.error.place().file.as_deref());
        let read = self.entries.iter().map(|entry| entry.origin.path());
        read.chain(
            failed.filter(|file| !self.entries.iter().any(|entry| entry.origin.path() == *file)),
        )
    }

    /// What there is, in a fixed order, without compiling anything.
    pub fn list(&self) -> impl Iterator<Item = Listing<'_>> {
        let mut names: Vec<(&str, &Entry)> = self
            .names
            .iter()
            .filter_map(|(name, &at)| Some((&**name, self.entries.get(at as usize)?)))
            .collect();
        names.sort_unstable_by_key(|(name, _)| *name);
        names.into_iter().map(|(tool_name, entry)| Listing {
            tool_name,
            name: &entry.spec.name,
            description: entry.spec.description.as_deref(),
            schema_json: entry.spec.schema.as_deref(),
            path: entry.origin.path(),
        })
    }

    /// The widget with that tool name, or with a display name that gives it. None if there is no
    /// such widget or its definition is broken, in which case [`Self::findings`] says why.
    pub fn get(&self, name: &str) -> Option<&Widget> {
        let at = self.names.get(name).or_else(|| self.names.get(tool_name(name).as_str()))?;
        self.compiled(self.entries.get(*at as usize)?).0.as_deref()
    }

    /// All widgets that can be drawn, in the order of their files.
    pub fn widgets(&self) -> impl Iterator<Item = &Widget> {
        self.compile_all();
        let used = self.entries.iter().filter(|entry| !entry.shadowed);
        used.filter_map(|entry| self.compiled(entry).0.as_deref())
    }

    /// The same and those whose name another file has taken.
    pub(crate) fn all_widgets(&self) -> impl Iterator<Item = &Widget> {
        self.compile_all();
        self.entries.iter().filter_map(|entry| self.compiled(entry).0.as_deref())
    }

    /// Everything noticed while loading; compiles what has not been compiled yet, on all cores.
    pub fn findings(&self) -> impl Iterator<Item = &Finding> {
        self.compile_all();
        let compiled = self.entries.iter().flat_map(|entry| &self.compiled(entry).1);
        self.findings.iter().chain(compiled)
    }

    /// The findings as values of one's own.
    pub(crate) fn take_findings(&self) -> Vec<Finding> {
        self.findings().map(Finding::copy).collect()
    }

    /// Whether there is a side template of that name.
    pub(crate) fn has_side(&self, name: &str) -> bool {
        self.sides.contains_key(name)
    }

    /// The JSON of a side template for this data.
    pub(crate) fn render_side(&self, name: &str, data: &Value) -> Result<Value> {
        let side = self.sides.get(name).ok_or_else(|| crate::hydrate::not_found(name))?;
        side.render(&self.engine, data)
    }

    fn compile_all(&self) {
        let todo: Vec<&Entry> =
            self.entries.iter().filter(|entry| entry.compiled.get().is_none()).collect();
        in_parallel(&todo, |entry| _ = self.compiled(entry));
    }

    fn compiled<'e>(&self, entry: &'e Entry) -> &'e (Option<Box<Widget>>, Vec<Finding>) {
        entry.compiled.get_or_init(|| {
            let compiled = Widget::compile(entry.spec.clone(), entry.origin.clone(), &self.engine);
            (compiled.widget.map(Box::new), compiled.findings)
        })
    }
}

/// Runs `f` on every item, on all cores where that pays, and keeps the order.
pub(crate) fn in_parallel<T: Sync, R: Send>(items: &[T], f: impl Fn(&T) -> R + Sync) -> Vec<R> {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    if items.len() < 64 || cores == 1 {
        return items.iter().map(f).collect();
    }
    let share = items.len().div_ceil(cores);
    let f = &f;
    std::thread::scope(|scope| {
        let workers: Vec<_> = items
            .chunks(share)
            .map(|chunk| scope.spawn(move || chunk.iter().map(f).collect::<Vec<R>>()))
            .collect();
        let done = workers.into_iter().map(|worker| worker.join());
        done.flat_map(|part| part.unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
            .collect()
    })
}

/// The widget files below a directory, sorted, each once; and findings about links that lead out.
fn search(dir: &Path, limits: &Limits) -> Result<(Vec<PathBuf>, Vec<Finding>)> {
    let cannot = |path: &Path, error: std::io::Error| {
        Error::new(Kind::FileRead, format!("cannot be read: {error}"))
            .in_file(path)
            .with_cause(error)
    };
    let root = dir.canonicalize().map_err(|error| cannot(dir, error))?;
    std::fs::read_dir(dir).map_err(|error| cannot(dir, error))?;
    let mut paths = Vec::new();
    let mut linked = Vec::new();
    let mut findings = Vec::new();
    let mut fail = |error: Error| findings.push(Finding::new(Severity::Error, error));
    for entry in walkdir::WalkDir::new(dir).sort_by_file_name() {
        let entry = match entry {
            Ok(entry) => entry,
            Err(error) => {
                let path = error.path().unwrap_or(dir).to_owned();
                fail(Error::new(Kind::FileRead, "cannot be read").in_file(path).with_cause(error));
                continue;
            }
        };
        let widget = is_widget(entry.path());
        if entry.path_is_symlink() {
            match entry.path().canonicalize() {
                Ok(target) if !target.starts_with(&root) => fail(
                    Error::new(
                        Kind::FileLink,
                        "this link leads out of the directory and is not followed",
                    )
                    .with_help("copy the file here, or name its own directory")
                    .in_file(entry.path()),
                ),
                // A linked directory is reached by its own name; a linked file may not be.
                Ok(target) if widget && target.is_file() => {
                    linked.push((entry.path().to_owned(), target));
                }
                Ok(_) => {}
                Err(error) => fail(cannot(entry.path(), error)),
            }
        } else if widget && entry.file_type().is_file() {
            paths.push(entry.into_path());
        }
        if paths.len() > limits.files {
            return Err(Error::new(
                Kind::FileRead,
                format!("holds more than {} widgets", limits.files),
            )
            .in_file(dir));
        }
    }
    if !linked.is_empty() {
        let mut seen: HashSet<PathBuf> =
            paths.iter().filter_map(|path| path.canonicalize().ok()).collect();
        paths.extend(
            linked
                .into_iter()
                .filter(|(_, target)| seen.insert(target.clone()))
                .map(|(link, _)| link),
        );
        paths.sort();
    }
    Ok((paths, findings))
}

fn is_widget(path: &Path) -> bool {
    path.extension()
        .and_then(|ext| ext.to_str())
        .is_some_and(|ext| matches!(ext, "widget" | "yml" | "yaml"))
}

fn read(path: &Path, limits: &Limits) -> Result<String> {
    let cannot = |error: std::io::Error| {
        Error::new(Kind::FileRead, format!("cannot be read: {error}"))
            .in_file(path)
            .with_cause(error)
    };
    let file = std::fs::File::open(path).map_err(cannot)?;
    let mut text = Vec::new();
    file.take(limits.file_bytes as u64 + 1).read_to_end(&mut text).map_err(cannot)?;
    if text.len() > limits.file_bytes {
        let message = format!("is larger than {} bytes", limits.file_bytes);
        return Err(Error::new(Kind::FileSize, message).in_file(path));
    }
    String::from_utf8(text).map_err(|error| {
        let at = error.utf8_error().valid_up_to();
        Error::new(Kind::FileSyntax, format!("is not UTF-8: byte {at} cannot be read"))
            .in_file(path)
    })
}
