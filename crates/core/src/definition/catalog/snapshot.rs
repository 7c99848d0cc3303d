//! The catalog itself: what loading makes, and what can be asked of it.

use std::ffi::OsStr;
use std::path::Path;
use std::sync::{Arc, OnceLock};

use serde_json::Value;
use widgetcast_engine::error::{Error, Finding, Kind, Result, Severity};
use widgetcast_engine::limits::Limits;
use widgetcast_engine::template::Engine;

use crate::definition::side::Side;
use crate::definition::widget::{self, Origin, Widget};

use super::file::{self, Compiled, Entry, File, Found, in_parallel};
use super::sorted::Sorted;

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
    pub(super) dir: Option<Arc<Path>>,
    /// All files of which there is something to know, by path.
    pub(super) files: Sorted<File>,
    /// Those with a definition, by tool name and then by path: the first that can be drawn is used.
    pub(super) names: Sorted<File>,
    /// Those with a Slack template, by the name without ending and then by path: the last is used.
    pub(super) sides: Sorted<File>,
    /// Whether there are links in the directory.
    pub(super) links: bool,
    /// Texts of the files that were read again last.
    pub(super) recent: Vec<(Arc<Path>, Arc<str>)>,
    /// About names that two files give; made when all definitions have been looked at.
    pub(super) taken: OnceLock<Vec<Finding>>,
    pub(super) limits: Limits,
    /// Made when the first widget is compiled: a server that idles need not hold it.
    pub(super) engine: OnceLock<Arc<Engine>>,
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
    /// The author's JSON Schema in its compact form; none if it must be inferred, as
    /// [`Widget::schema_json`] does.
    pub schema_json: Option<&'c str>,
    /// Whether the file holds Studio's own form, [`Widget::encoded`].
    pub is_encoded: bool,
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
        let dir = dir.as_ref();
        let search = file::search(dir, dir, limits)?;
        let (found, faults): (Vec<Found>, Vec<Found>) =
            search.found.into_iter().partition(|found| found.fault.is_none());
        let mut files = in_parallel(&found, |found| File::read((*found.path).into(), limits).0);
        files.extend(faults.into_iter().filter_map(Found::failed));
        let files = Self::build(files, limits);
        Ok(Self { dir: Some(dir.into()), links: search.links, ..files })
    }

    /// Reads one file.
    pub fn from_file(path: impl AsRef<Path>) -> Self {
        let limits = Limits::default();
        Self::build(vec![File::read(path.as_ref().into(), &limits).0], &limits)
    }

    /// Makes a catalog of definitions that are part of the program.
    pub fn from_static(texts: &[(&'static str, &'static str)]) -> Self {
        let read = |(name, text): &(&'static str, &'static str)| {
            File::define(Origin::Static { name: Path::new(name).into(), text }, text, 0)
        };
        Self::build(texts.iter().map(read).collect(), &Limits::default())
    }

    fn build(files: Vec<File>, limits: &Limits) -> Self {
        let files = files.into_iter().filter(|file| !file.is_blank());
        let mut files: Vec<Arc<File>> = files.map(Arc::new).collect();
        let some = |wanted: &dyn Fn(&File) -> bool| -> Vec<Arc<File>> {
            files.iter().filter(|file| wanted(file)).cloned().collect()
        };
        let mut names = some(&|file| file.entry.is_some());
        let mut sides = some(&|file| file.side.is_some());
        files.sort_by(|a, b| a.path.cmp(&b.path));
        names.sort_by(|a, b| by_name(a).cmp(&by_name(b)));
        sides.sort_by(|a, b| by_stem(a).cmp(&by_stem(b)));
        Self {
            dir: None,
            files: Sorted::new(&files),
            names: Sorted::new(&names),
            sides: Sorted::new(&sides),
            links: false,
            recent: Vec::new(),
            taken: OnceLock::new(),
            limits: limits.clone(),
            engine: OnceLock::new(),
        }
    }

    /// The directory it was read from, if it was.
    pub fn dir(&self) -> Option<&Path> {
        self.dir.as_deref()
    }

    /// How many widgets [`Self::list`] gives.
    pub fn len(&self) -> usize {
        self.list().count()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.list().next().is_none()
    }

    /// Every file that held a definition, whether it is used or not.
    pub fn files(&self) -> impl Iterator<Item = &Path> {
        let held = |file: &&Arc<File>| file.entry.is_some() || !file.faults.is_empty();
        self.files.iter().filter(held).map(|file| &*file.path)
    }

    /// What there is, sorted by tool name, without compiling anything. What has been compiled and
    /// found broken is left out.
    pub fn list(&self) -> impl Iterator<Item = Listing<'_>> {
        self.list_after(None)
    }

    /// The same from the first tool name that comes after this one, which need not exist: what a
    /// page of a list starts with.
    pub fn list_after<'c>(
        &'c self,
        name: Option<&str>,
    ) -> impl Iterator<Item = Listing<'c>> + use<'c> {
        let start = self.names.seek(|file| name.is_some_and(|name| file.tool_name() <= name));
        let mut last = None;
        self.names.from(start).filter_map(move |file| {
            let entry = file.entry.as_ref()?;
            if last == Some(&*entry.tool_name) || entry.is_known_broken() {
                return None;
            }
            last = Some(&entry.tool_name);
            Some(Listing {
                tool_name: &entry.tool_name,
                name: &entry.spec.name,
                description: entry.spec.description.as_deref(),
                schema_json: entry.spec.schema.as_deref(),
                is_encoded: entry.spec.is_encoded,
                path: &file.path,
            })
        })
    }

    /// The widget with that tool name, or with a display name that gives it. None if there is no
    /// such widget or its definition is broken, in which case [`Self::findings`] says why.
    pub fn get(&self, name: &str) -> Option<&Widget> {
        self.find(name).or_else(|| self.find(&crate::definition::name::tool_name(name)))
    }

    /// All widgets that can be drawn, in the order of their files.
    pub fn widgets(&self) -> impl Iterator<Item = &Widget> {
        let used = |widget: &&Widget| {
            self.find(widget.tool_name()).is_some_and(|used| std::ptr::eq(used, *widget))
        };
        self.all_widgets().filter(used)
    }

    /// The same and those whose name another file has taken.
    pub(crate) fn all_widgets(&self) -> impl Iterator<Item = &Widget> {
        self.compile_all();
        self.entries().filter_map(|entry| self.compiled(entry).widget.as_deref())
    }

    /// Everything noticed while loading; compiles what has not been compiled yet, on all cores, and
    /// keeps it. [`Self::examine`] does not.
    pub fn findings(&self) -> impl Iterator<Item = &Finding> {
        self.compile_all();
        let files = self.files.iter().flat_map(|file| {
            let compiled = file.entry.iter().flat_map(|entry| &self.compiled(entry).findings);
            file.faults.iter().chain(compiled)
        });
        files.chain(self.taken())
    }

    /// The same as values, without keeping what is compiled for it: a server with many widgets runs
    /// few of them. A widget found broken here is left out of [`Self::list`] from then on.
    pub fn examine(&self) -> Vec<Finding> {
        let files: Vec<&Arc<File>> = self.files.iter().collect();
        let found = in_parallel(&files, |file| self.about(file));
        let taken = self.taken().iter().map(Finding::copy);
        found.into_iter().flatten().chain(taken).collect()
    }

    /// The findings as values of one's own.
    pub(crate) fn take_findings(&self) -> Vec<Finding> {
        self.findings().map(Finding::copy).collect()
    }

    /// Whether there is a side template of that name.
    pub(crate) fn has_side(&self, name: &str) -> bool {
        self.side(name).is_some()
    }

    /// The JSON of a side template for this data.
    pub(crate) fn render_side(&self, name: &str, data: &Value) -> Result<Value> {
        let side = self.side(name).ok_or_else(|| not_found(name))?;
        side.render(self.engine(), data)
    }

    fn side(&self, name: &str) -> Option<&Side> {
        let name = OsStr::new(name);
        let files = self.sides.from(self.sides.seek(|file| file.stem() < name));
        files.take_while(|file| file.stem() == name).last()?.side.as_deref()
    }

    /// The files that give a tool, by path.
    pub(super) fn named(&self, tool: &str) -> impl Iterator<Item = &Arc<File>> {
        let files = self.names.from(self.names.seek(|file| file.tool_name() < tool));
        files.take_while(move |file| file.tool_name() == tool)
    }

    fn find(&self, tool: &str) -> Option<&Widget> {
        let mut entries = self.named(tool).filter_map(|file| file.entry.as_ref());
        entries.find_map(|entry| self.compiled(entry).widget.as_deref())
    }

    fn entries(&self) -> impl Iterator<Item = &Entry> {
        self.files.iter().filter_map(|file| file.entry.as_ref())
    }

    fn compile_all(&self) {
        let todo: Vec<&Entry> =
            self.entries().filter(|entry| entry.compiled.get().is_none()).collect();
        in_parallel(&todo, |entry| _ = self.compiled(entry));
    }

    pub(super) fn engine(&self) -> &Arc<Engine> {
        self.engine.get_or_init(|| widget::engine(&self.limits))
    }

    fn compiled<'e>(&self, entry: &'e Entry) -> &'e Compiled {
        entry.compile(self.engine())
    }

    /// What there is to say about one file, other files aside.
    pub(super) fn about(&self, file: &File) -> Vec<Finding> {
        let mut findings: Vec<Finding> = file.faults.iter().map(Finding::copy).collect();
        findings.extend(file.entry.iter().flat_map(|entry| entry.examine(self.engine())));
        findings
    }

    /// About names that two files give. Definitions that are broken must be known by now.
    fn taken(&self) -> &[Finding] {
        self.taken.get_or_init(|| {
            let files: Vec<&Arc<File>> = self.names.iter().collect();
            let groups = files.chunk_by(|a, b| a.tool_name() == b.tool_name());
            groups.flat_map(taken).collect()
        })
    }
}

/// The order of names.
pub(super) fn by_name(file: &File) -> (&str, &Path) {
    (file.tool_name(), &file.path)
}

/// The order of side templates.
pub(super) fn by_stem(file: &File) -> (&OsStr, &Path) {
    (file.stem(), &file.path)
}

/// What is to be said when these files, in their order, all give one tool. A broken one before the
/// one in use has findings of its own.
pub(super) fn taken(files: &[&Arc<File>]) -> Vec<Finding> {
    let used = files.iter().position(|file| !file.is_known_broken()).unwrap_or(0);
    let Some((first, others)) = files.get(used..).and_then(|files| files.split_first()) else {
        return Vec::new();
    };
    let finding = |file: &&Arc<File>| {
        let (first, second) = (first.path.display(), file.path.display());
        let name = file.tool_name();
        let message = format!("{first} and {second} both give the tool {name}; the first is used");
        let error = Error::new(Kind::NameTaken, message)
            .with_help("give one of them another name")
            .in_file(&*file.path);
        Finding::new(Severity::Error, error)
    };
    others.iter().map(finding).collect()
}

/// The error for a template that is not there.
pub(crate) fn not_found(template: &str) -> Error {
    Error::new(Kind::NotFound, format!("Template not found: {template}"))
}
