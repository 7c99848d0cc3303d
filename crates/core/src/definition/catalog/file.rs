//! Files: which there are below a directory, and what each of them holds.

use std::collections::HashSet;
use std::ffi::OsStr;
use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use widgetcast_engine::error::{Error, Finding, Kind, Result, Severity};
use widgetcast_engine::limits::Limits;
use widgetcast_engine::template::Engine;

use crate::definition::name::tool_name;
use crate::definition::side::Side;
use crate::definition::spec::{Source, Spec};
use crate::definition::widget::{Origin, Widget};

/// All that is known about one file.
#[derive(Debug)]
pub(super) struct File {
    pub path: Arc<Path>,
    /// The fingerprint of the text that was read last; 0 if none could be.
    pub print: u64,
    pub entry: Option<Entry>,
    pub side: Option<Arc<Side>>,
    /// About a text that gave neither of them, or that is broken and came after the one in use.
    pub faults: Vec<Finding>,
}

/// A definition that could be read.
#[derive(Debug)]
pub(super) struct Entry {
    pub tool_name: Box<str>,
    pub spec: Spec,
    pub origin: Origin,
    /// The fingerprint of its text.
    pub print: u64,
    pub compiled: OnceLock<Compiled>,
}

/// What compiling a definition gave.
#[derive(Debug)]
pub(super) struct Compiled {
    pub widget: Option<Box<Widget>>,
    pub findings: Vec<Finding>,
}

impl File {
    /// What a file holds, and its text.
    pub(super) fn read(path: Arc<Path>, limits: &Limits) -> (Self, String) {
        match read(&path, limits) {
            Ok(text) => (Self::parse(path, &text), text),
            Err(error) => (Self::failed(path, error), String::new()),
        }
    }

    fn parse(path: Arc<Path>, text: &str) -> Self {
        let print = fingerprint(text);
        let yaml = path.extension().is_some_and(|ext| ext != "widget");
        let ours = |line: &str| line.starts_with("widget:") || line.starts_with("template:");
        let file = if yaml && !text.lines().any(ours) {
            match Side::read(text, &path) {
                Ok(side) => Self { side: side.map(Arc::new), ..Self::blank(path) },
                Err(error) => Self::failed(path, error),
            }
        } else {
            Self::define(Origin::File(path), text, print)
        };
        Self { print, ..file }
    }

    /// A file with a definition.
    pub(super) fn define(origin: Origin, text: &str, print: u64) -> Self {
        let path = Arc::clone(origin.shared_path());
        match Source::read(text).and_then(|source| source.spec()) {
            Ok(spec) => {
                let tool_name = tool_name(&spec.name).into();
                let entry = Entry { tool_name, spec, origin, print, compiled: OnceLock::new() };
                Self { entry: Some(entry), ..Self::blank(path) }
            }
            Err(error) => Self::failed(path, error),
        }
    }

    /// A file of which there is only something to say.
    pub(super) fn failed(path: Arc<Path>, error: Error) -> Self {
        let faults = vec![Finding::new(Severity::Error, error.in_file(&*path))];
        Self { faults, ..Self::blank(path) }
    }

    fn blank(path: Arc<Path>) -> Self {
        Self { path, print: 0, entry: None, side: None, faults: Vec::new() }
    }

    /// Whether it is of another kind altogether.
    pub(super) fn is_blank(&self) -> bool {
        self.entry.is_none() && self.side.is_none() && self.faults.is_empty()
    }

    /// Whether what is in use is older than the text, which is broken.
    pub(super) fn is_kept(&self) -> bool {
        !self.faults.is_empty() && (self.entry.is_some() || self.side.is_some())
    }

    pub(super) fn tool_name(&self) -> &str {
        self.entry.as_ref().map_or("", |entry| &entry.tool_name)
    }

    /// Whether its definition was compiled and cannot be drawn.
    pub(super) fn is_known_broken(&self) -> bool {
        self.entry.as_ref().is_some_and(Entry::is_known_broken)
    }

    /// The name by which calls know it, if it is a side template: the file's, without its ending.
    pub(super) fn stem(&self) -> &OsStr {
        self.path.file_stem().unwrap_or_default()
    }
}

impl Entry {
    pub(super) fn compile(&self, engine: &Arc<Engine>) -> &Compiled {
        self.compile_after(None, engine)
    }

    /// The same for what may have been another before.
    pub(super) fn compile_after(&self, old: Option<&Entry>, engine: &Arc<Engine>) -> &Compiled {
        self.compiled.get_or_init(|| self.compile_anew(old.and_then(Entry::widget), engine))
    }

    fn compile_anew(&self, old: Option<&Widget>, engine: &Arc<Engine>) -> Compiled {
        let compiled = Widget::compile(self.spec.clone(), self.origin.clone(), old, engine);
        Compiled { widget: compiled.widget.map(Box::new), findings: compiled.findings }
    }

    /// The widget, if it has been compiled.
    pub(super) fn widget(&self) -> Option<&Widget> {
        self.compiled.get()?.widget.as_deref()
    }

    /// What there is to say about it. A widget that is compiled only for this is not kept; that one
    /// cannot be drawn is.
    pub(super) fn examine(&self, engine: &Arc<Engine>) -> Vec<Finding> {
        let copies = |compiled: &Compiled| compiled.findings.iter().map(Finding::copy).collect();
        if let Some(compiled) = self.compiled.get() {
            return copies(compiled);
        }
        let compiled = self.compile_anew(None, engine);
        match compiled.widget {
            Some(_) => compiled.findings,
            None => copies(self.compiled.get_or_init(|| compiled)),
        }
    }

    pub(super) fn is_known_broken(&self) -> bool {
        self.compiled.get().is_some_and(|compiled| compiled.widget.is_none())
    }
}

/// A place where a definition may be, or something to say about a place.
pub(super) struct Found {
    pub path: PathBuf,
    /// What it leads to, if it is a link.
    pub target: Option<PathBuf>,
    pub fault: Option<Error>,
}

impl Found {
    /// The file of which there is only something to say.
    pub(super) fn failed(self) -> Option<File> {
        self.fault.map(|error| File::failed(self.path.into(), error))
    }
}

/// What a search gave, sorted, each file once.
#[derive(Default)]
pub(super) struct Search {
    pub found: Vec<Found>,
    /// Whether there was any link: then a file can have more than one name.
    pub links: bool,
}

impl Search {
    fn fail(&mut self, path: &Path, error: Error) {
        let fault = Some(error.in_file(path));
        self.found.push(Found { path: path.to_owned(), target: None, fault });
    }
}

/// The widget files at or below a path, which is the directory itself or lies in it; and faults of
/// links that lead out of the directory.
pub(super) fn search(dir: &Path, path: &Path, limits: &Limits) -> Result<Search> {
    let root = dir.canonicalize().map_err(|error| cannot(dir, error))?;
    if path == dir {
        std::fs::read_dir(dir).map_err(|error| cannot(dir, error))?;
    }
    let mut search = Search::default();
    let mut linked = Vec::new();
    for entry in walkdir::WalkDir::new(path).sort_by_file_name() {
        let entry = match entry {
            Ok(entry) => entry,
            Err(error) => {
                let path = error.path().unwrap_or(path).to_owned();
                let error = Error::new(Kind::FileRead, "cannot be read").with_cause(error);
                search.fail(&path, error);
                continue;
            }
        };
        let widget = is_widget(entry.path());
        if entry.path_is_symlink() && entry.path() != dir {
            search.links = true;
            match entry.path().canonicalize() {
                Ok(target) if !target.starts_with(&root) => search.fail(
                    entry.path(),
                    Error::new(
                        Kind::FileLink,
                        "this link leads out of the directory and is not followed",
                    )
                    .with_help("copy the file here, or name its own directory"),
                ),
                // A linked directory is reached by its own name; a linked file may not be.
                Ok(target) if widget && target.is_file() => {
                    linked.push((entry.path().to_owned(), target));
                }
                Ok(_) => {}
                Err(error) => search.fail(entry.path(), cannot(entry.path(), error)),
            }
        } else if widget && entry.file_type().is_file() {
            search.found.push(Found { path: entry.into_path(), target: None, fault: None });
        }
        if search.found.len() > limits.files {
            return Err(too_many(limits).in_file(dir));
        }
    }
    if !linked.is_empty() {
        let mut seen: HashSet<PathBuf> =
            search.found.iter().filter_map(|found| found.path.canonicalize().ok()).collect();
        search.found.extend(
            linked
                .into_iter()
                .filter(|(_, target)| seen.insert(target.clone()))
                .map(|(path, target)| Found { path, target: Some(target), fault: None }),
        );
        search.found.sort_by(|a, b| a.path.cmp(&b.path));
    }
    Ok(search)
}

pub(super) fn too_many(limits: &Limits) -> Error {
    Error::new(Kind::FileRead, format!("holds more than {} widgets", limits.files))
}

fn cannot(path: &Path, error: std::io::Error) -> Error {
    Error::new(Kind::FileRead, format!("cannot be read: {error}")).in_file(path).with_cause(error)
}

fn is_widget(path: &Path) -> bool {
    path.extension()
        .and_then(|ext| ext.to_str())
        .is_some_and(|ext| matches!(ext, "widget" | "yml" | "yaml"))
}

fn read(path: &Path, limits: &Limits) -> Result<String> {
    let file = std::fs::File::open(path).map_err(|error| cannot(path, error))?;
    // In one piece: without its size it would be read in ten.
    let size = file.metadata().map_or(0, |data| data.len() as usize);
    let mut text = Vec::with_capacity(size.min(limits.file_bytes) + 1);
    let most = limits.file_bytes as u64 + 1;
    file.take(most).read_to_end(&mut text).map_err(|error| cannot(path, error))?;
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

/// Tells whether a text is the one that was read before; never 0. Eight bytes at a time, because
/// every file is put through it while loading.
pub(super) fn fingerprint(text: &str) -> u64 {
    const ODD: u64 = 0x9E37_79B9_7F4A_7C15;
    let (words, rest) = text.as_bytes().as_chunks::<8>();
    let mut last = [0; 8];
    last[..rest.len()].copy_from_slice(rest);
    let add = |sum: u64, word: &[u8; 8]| {
        (sum.rotate_left(23) ^ u64::from_le_bytes(*word)).wrapping_mul(ODD)
    };
    // Three sums side by side: each waits for its last product only.
    let (threes, rest) = words.as_chunks::<3>();
    let sums = threes.iter().fold([text.len() as u64, 1, 2], |sums, words| {
        [add(sums[0], &words[0]), add(sums[1], &words[1]), add(sums[2], &words[2])]
    });
    let [a, b, c] = sums.map(u64::to_le_bytes);
    rest.iter().chain([&last, &a, &b, &c]).fold(0, add) | 1
}

/// Runs `f` on every item, on all cores where that pays, and keeps the order.
pub(crate) fn in_parallel<T: Sync, R: Send>(items: &[T], f: impl Fn(&T) -> R + Sync) -> Vec<R> {
    // Asking for the cores reads files.
    if items.len() < 64 {
        return items.iter().map(f).collect();
    }
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    if cores == 1 {
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
