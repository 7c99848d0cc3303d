//! The catalog: a loaded snapshot, and its queries.

use std::borrow::Cow;
use std::ffi::OsStr;
use std::path::Path;
use std::sync::{Arc, OnceLock};

use serde_json::Value;
use widgetcast_engine::error::{Error, Finding, Kind, Result, Severity};
use widgetcast_engine::limits::Limits;
use widgetcast_engine::template::Engine;

use crate::definition::compile;
use crate::definition::file_text;
use crate::definition::name::tool_name;
use crate::definition::origin::Origin;
use crate::definition::sidecar::Sidecar;
use crate::definition::spec::Served;
use crate::definition::widget::Widget;

use super::file::{Compiled, Definition, File, is_definition};
use super::parallel::{in_parallel, on_half_of_the_cores};
use super::search::{FoundFile, search};
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
    /// All files, by path.
    pub(super) files: Sorted<File>,
    /// Files with a definition, sorted by tool name and then as in [`by_tool`]: the first that renders is
    /// used.
    pub(super) tools: Sorted<File>,
    /// The number of earlier rereads.
    pub(super) rereads: u64,
    /// Files with a host template, by file stem and then by path: the last is used.
    pub(super) sidecars: Sorted<File>,
    /// Whether the directory contains symlinks.
    pub(super) has_links: bool,
    /// The texts of recently reread files, newest first.
    pub(super) recent_texts: Vec<(Arc<Path>, Arc<str>)>,
    /// Duplicate names; determined when all definitions have been compiled.
    pub(super) name_conflicts: OnceLock<Vec<Finding>>,
    pub(super) limits: Limits,
    /// Created for the first compiled widget, which saves memory in an idle server.
    pub(super) engine: OnceLock<Arc<Engine>>,
}

/// The list entry of a widget, which does not require compiling it.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Listing<'c> {
    /// The name of the tool.
    pub tool_name: &'c str,
    /// The name, as the author wrote it.
    pub name: &'c str,
    /// The visibility and the hints of the tool.
    pub served: &'c Served,
    /// The author's description.
    pub description: Option<&'c str>,
    /// The author's JSON Schema in compact form; `None` if it must be inferred, as [`Widget::schema_json`]
    /// does.
    pub schema_json: Option<&'c str>,
    /// Whether the file contains the widget in Studio's own format, [`Widget::encoded`].
    pub is_encoded: bool,
    /// Whether the file sets the name of the tool; otherwise it is derived from [`Self::name`].
    pub names_tool: bool,
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

    /// [`Self::from_dir`] with other limits.
    pub fn from_dir_with(dir: impl AsRef<Path>, limits: &Limits) -> Result<Self> {
        let dir = dir.as_ref();
        let search = search(dir, dir, limits)?;
        let (found, failed): (Vec<FoundFile>, Vec<FoundFile>) =
            search.files.into_iter().partition(|found| found.error.is_none());
        let root: Arc<Path> = dir.into();
        let mut files =
            in_parallel(&found, |found| File::read(Some(&root), (*found.path).into(), limits).0);
        files.extend(failed.into_iter().filter_map(FoundFile::into_failed));
        let catalog = Self::build(files, limits);
        Ok(Self { dir: Some(root), has_links: search.has_links, ..catalog })
    }

    /// Reads one file.
    pub fn from_file(path: impl AsRef<Path>) -> Self {
        let limits = Limits::default();
        Self::build(vec![File::read(None, path.as_ref().into(), &limits).0], &limits)
    }

    /// Creates a catalog from definitions, and host templates for them, that are part of the program.
    pub fn from_static(texts: &[(&'static str, &'static str)]) -> Self {
        let read = |(name, text): &(&'static str, &'static str)| {
            File::parse(Origin::Static { name: Path::new(name).into(), text }, text, 0)
        };
        Self::build(texts.iter().map(read).collect(), &Limits::default())
    }

    fn build(files: Vec<File>, limits: &Limits) -> Self {
        let files = files.into_iter().filter(|file| !file.is_empty());
        let mut files: Vec<Arc<File>> = files.map(Arc::new).collect();
        let with = |wanted: &dyn Fn(&File) -> bool| -> Vec<Arc<File>> {
            files.iter().filter(|file| wanted(file)).cloned().collect()
        };
        let mut tools = with(&|file| file.definition.is_some());
        let mut sidecars = with(&|file| file.sidecar.is_some());
        files.sort_by(|a, b| a.path.cmp(&b.path));
        tools.sort_by(|a, b| by_tool(a).cmp(&by_tool(b)));
        sidecars.sort_by(|a, b| by_stem(a).cmp(&by_stem(b)));
        Self {
            dir: None,
            files: Sorted::new(&files),
            tools: Sorted::new(&tools),
            rereads: 0,
            sidecars: Sorted::new(&sidecars),
            has_links: false,
            recent_texts: Vec::new(),
            name_conflicts: OnceLock::new(),
            limits: limits.clone(),
            engine: OnceLock::new(),
        }
    }

    /// The directory it was read from, if any.
    pub fn dir(&self) -> Option<&Path> {
        self.dir.as_deref()
    }

    /// The number of widgets in [`Self::list`].
    pub fn len(&self) -> usize {
        self.list().count()
    }

    /// Whether it contains no widgets.
    pub fn is_empty(&self) -> bool {
        self.list().next().is_none()
    }

    /// All files with a definition, whether it is used or not.
    pub fn files(&self) -> impl Iterator<Item = &Path> {
        let held = |file: &&Arc<File>| {
            file.definition.is_some() || file.is_definition && !file.faults.is_empty()
        };
        self.files.iter().filter(held).map(|file| &*file.path)
    }

    /// Every file that its widgets consist of: definitions and host templates.
    pub fn sources(&self) -> impl Iterator<Item = &Path> {
        let used = |file: &&Arc<File>| file.definition.is_some() || file.sidecar.is_some();
        self.files.iter().filter(used).map(|file| &*file.path)
    }

    /// Reads one of its files under the same rules as loading: links out of the directory are not followed,
    /// and only regular files of a bounded size are read.
    pub fn read_text(&self, path: &Path) -> Result<String> {
        file_text::read(self.dir(), path, self.limits.file_bytes)
    }

    /// The files and directories that could not be read, for a reason that may be temporary.
    #[doc(hidden)]
    pub fn unread(&self) -> impl Iterator<Item = &Path> {
        self.files.iter().filter(|file| file.is_unread()).map(|file| &*file.path)
    }

    /// Lists all widgets, sorted by tool name, without compiling them. Widgets that are known to be broken
    /// are left out.
    pub fn list(&self) -> impl Iterator<Item = Listing<'_>> {
        self.list_after(None)
    }

    /// [`Self::list`], starting after this tool name, which need not exist. For pagination.
    pub fn list_after<'c>(
        &'c self,
        name: Option<&str>,
    ) -> impl Iterator<Item = Listing<'c>> + use<'c> {
        self.list_from(self.tools.seek(|file| name.is_some_and(|name| file.tool_name() <= name)))
    }

    /// The entry of one tool in [`Self::list`].
    pub fn listing(&self, tool: &str) -> Option<Listing<'_>> {
        let first = self.list_from(self.tools.seek(|file| file.tool_name() < tool)).next();
        first.filter(|listing| listing.tool_name == tool)
    }

    fn list_from(&self, start: (usize, usize)) -> impl Iterator<Item = Listing<'_>> {
        let mut last = None;
        self.tools.from(start).filter_map(move |file| {
            let definition = file.definition.as_ref()?;
            if last == Some(&*definition.tool_name) || definition.is_known_broken() {
                return None;
            }
            last = Some(&definition.tool_name);
            let spec = &definition.spec;
            Some(Listing {
                tool_name: &definition.tool_name,
                name: &spec.name,
                served: &spec.served,
                description: spec.description.as_deref(),
                schema_json: spec.schema.as_deref(),
                is_encoded: spec.is_encoded,
                names_tool: spec.names_tool,
                path: &file.path,
            })
        })
    }

    /// The widget with this tool name, or with a display name from which it is derived. `None` if there is no
    /// such widget, or if its definition is broken; then [`Self::findings`] contains the reason.
    pub fn get(&self, name: &str) -> Option<&Widget> {
        self.find(name).or_else(|| self.find(&tool_name(name)))
    }

    /// All widgets that can be rendered, in the order of their files.
    pub fn widgets(&self) -> impl Iterator<Item = &Widget> {
        let used = |widget: &&Widget| {
            self.find(widget.tool_name()).is_some_and(|used| std::ptr::eq(used, *widget))
        };
        self.all_widgets().filter(used)
    }

    /// [`Self::widgets`], and those with a duplicate tool name.
    pub(crate) fn all_widgets(&self) -> impl Iterator<Item = &Widget> {
        self.compile_all();
        self.definitions().filter_map(|definition| self.compiled(definition)?.widget.as_deref())
    }

    /// All findings of loading. Compiles all widgets, on all cores, and keeps them compiled;
    /// [`Self::check_all`] does not keep them.
    pub fn findings(&self) -> impl Iterator<Item = &Finding> {
        self.compile_all();
        let files = self.files.iter().flat_map(|file| {
            let compiled = file.definition.iter().filter_map(|d| self.compiled(d));
            let compiled = compiled.flat_map(|compiled| &compiled.findings);
            file.faults.iter().chain(compiled)
        });
        files.chain(self.name_conflicts())
    }

    /// Like [`Self::findings`], but also renders the sample of every widget. Widgets that are compiled for
    /// this are dropped again, because a server with many widgets renders only a few. Broken widgets are left
    /// out of [`Self::list`] and [`Self::get`] afterwards. Uses half of the cores, because servers run it
    /// while they serve.
    pub fn check_all(&self) -> Vec<Finding> {
        let files: Vec<&Arc<File>> = self.files.iter().collect();
        let found = on_half_of_the_cores(&files, |file| self.findings_of(file));
        let conflicts = self.name_conflicts().iter().map(Finding::copy);
        found.into_iter().flatten().chain(conflicts).collect()
    }

    /// The files that were broken when they were first read, each with the name of the tool that it would
    /// define; if the text cannot be parsed, this is the file's name.
    pub fn broken_files(&self) -> impl Iterator<Item = (Cow<'_, str>, &Path)> {
        self.files.iter().filter_map(|file| {
            let name = match &file.definition {
                Some(definition) if definition.is_known_broken() => (*definition.tool_name).into(),
                None if file.is_definition => tool_name(&file.stem().to_string_lossy()).into(),
                _ => return None,
            };
            Some((name, &*file.path))
        })
    }

    /// The texts of [`Self::broken_files`] that are meant as definitions, as far as they are readable.
    pub(crate) fn broken_texts(&self) -> impl Iterator<Item = (&Path, String)> {
        self.broken_files().filter_map(|(_, path)| {
            let file = self.files.from(self.files.seek(|file| *file.path < *path)).next()?;
            let text = match &file.definition {
                Some(definition) => definition.origin.text(),
                None => self.read_text(path).ok()?,
            };
            is_definition(path, &text).then_some((path, text))
        })
    }

    /// Keeps the sample of every widget for [`Self::reread`], so that the last good widget still has it after
    /// a broken edit. Reads all files.
    pub fn keep_samples(&self) {
        for definition in self.definitions().filter(|one| one.sample.get().is_none()) {
            let text = definition.origin.text();
            // The file was edited in the meantime, and its text is untrusted.
            if !text.is_empty() {
                definition.keep_sample(&text);
            }
        }
    }

    /// The number of definitions that are known to be broken.
    #[doc(hidden)]
    pub fn count_broken(&self) -> usize {
        self.definitions().filter(|definition| definition.is_known_broken()).count()
    }

    /// The JSON of a sidecar for this data, which is marked in it; `None` if there is no such file.
    pub(crate) fn render_sidecar(&self, name: &str, data: &Value) -> Option<Result<Value>> {
        let sidecar: &Sidecar = self.sidecar(name)?.sidecar.as_deref()?;
        Some(sidecar.render(self.engine(), data))
    }

    /// The file of a sidecar.
    pub(crate) fn sidecar_path(&self, name: &str) -> Option<&Path> {
        Some(&self.sidecar(name)?.path)
    }

    /// The files of all sidecars.
    pub(crate) fn sidecar_paths(&self) -> impl Iterator<Item = &Path> {
        self.sidecars.iter().map(|file| &*file.path)
    }

    /// The findings about the files of this sidecar.
    pub(crate) fn sidecar_faults(&self, name: &str) -> Vec<Finding> {
        let files = self.files.iter().filter(|file| file.stem() == OsStr::new(name));
        files.flat_map(|file| &file.faults).map(Finding::copy).collect()
    }

    fn sidecar(&self, name: &str) -> Option<&File> {
        let stem = OsStr::new(name);
        let files = self.sidecars.from(self.sidecars.seek(|file| file.stem() < stem));
        files.take_while(|file| file.stem() == stem).last().map(|file| &**file)
    }

    /// The files that define a tool, by path.
    pub(super) fn files_of(&self, tool: &str) -> impl Iterator<Item = &Arc<File>> {
        let files = self.tools.from(self.tools.seek(|file| file.tool_name() < tool));
        files.take_while(move |file| file.tool_name() == tool)
    }

    fn find(&self, tool: &str) -> Option<&Widget> {
        let mut definitions = self.files_of(tool).filter_map(|file| file.definition.as_ref());
        definitions.find_map(|definition| {
            let widget = self.compiled(definition)?.widget.as_deref();
            widget.filter(|_| !definition.is_known_broken())
        })
    }

    fn definitions(&self) -> impl Iterator<Item = &Definition> {
        self.files.iter().filter_map(|file| file.definition.as_ref())
    }

    fn compile_all(&self) {
        let todo: Vec<&Definition> =
            self.definitions().filter(|definition| definition.compiled.get().is_none()).collect();
        in_parallel(&todo, |definition| _ = self.compiled(definition));
    }

    pub(crate) fn engine(&self) -> &Arc<Engine> {
        self.engine.get_or_init(|| compile::engine(&self.limits))
    }

    fn compiled<'d>(&self, definition: &'d Definition) -> Option<&'d Compiled> {
        definition.compile(self.engine())
    }

    /// The findings about one file only.
    pub(super) fn findings_of(&self, file: &File) -> Vec<Finding> {
        let mut findings: Vec<Finding> = file.faults.iter().map(Finding::copy).collect();
        findings.extend(file.definition.iter().flat_map(|d| d.findings(self.engine())));
        findings
    }

    /// Findings about duplicate names. All definitions must have been compiled before, because broken ones
    /// define no name.
    fn name_conflicts(&self) -> &[Finding] {
        self.name_conflicts.get_or_init(|| {
            let files: Vec<&Arc<File>> = self.tools.iter().collect();
            let groups = files.chunk_by(|a, b| a.tool_name() == b.tool_name());
            groups.flat_map(name_conflicts).collect()
        })
    }
}

/// The order of [`Catalog::tools`]. A tool belongs to the file that defined it first, so another author's
/// file cannot take it over by sorting before. When all are loaded at once, it belongs to the file named
/// after it, or else to the first by path.
pub(super) fn by_tool(file: &File) -> (&str, u64, bool, &Path) {
    (file.tool_name(), file.since, !file.is_namesake, &file.path)
}

/// The order of [`Catalog::sidecars`].
pub(super) fn by_stem(file: &File) -> (&OsStr, &Path) {
    (file.stem(), &file.path)
}

/// The findings about files that all define one tool, in their order. The first that is not broken is in use;
/// broken ones have other findings.
pub(super) fn name_conflicts(files: &[&Arc<File>]) -> Vec<Finding> {
    let mut good = files.iter().filter(|file| !file.is_known_broken());
    let Some(first) = good.next() else { return Vec::new() };
    let finding = |file: &&Arc<File>| {
        let (first, second) = (first.path.display(), file.path.display());
        let name = file.tool_name();
        let message =
            format!("{first} and {second} both define the tool {name}; the first is used");
        let error = Error::new(Kind::NameTaken, message)
            .with_help("rename one of them")
            .in_file(&*file.path);
        Finding::new(Severity::Error, error)
    };
    good.map(finding).collect()
}

/// The error for a missing template.
pub(crate) fn not_found(template: &str) -> Error {
    Error::new(Kind::NotFound, format!("Template not found: {template}"))
}
