//! A file of a catalog: a definition, a host template, or an error.

use std::ffi::OsStr;
use std::path::Path;
use std::sync::{Arc, OnceLock};

use widgetcast_engine::budget;
use widgetcast_engine::error::{Error, Finding, Kind, Severity};
use widgetcast_engine::limits::Limits;
use widgetcast_engine::template::Engine;

use crate::definition::compile;
use crate::definition::file_text::{self, fingerprint};
use crate::definition::name::tool_name;
use crate::definition::origin::{FileOrigin, Origin};
use crate::definition::proof;
use crate::definition::sidecar::{self, Sidecar};
use crate::definition::spec::{Source, Spec};
use crate::definition::widget::Widget;

/// The state of a file.
#[derive(Debug)]
pub(super) struct File {
    pub path: Arc<Path>,
    /// The fingerprint of the text that was read last; 0 if it could not be read.
    pub fingerprint: u64,
    /// The reread in which it first defined its tool; 0 for loading. Of files that define one tool, the
    /// earliest keeps it.
    pub since: u64,
    /// Whether the file is named after its tool.
    pub is_namesake: bool,
    /// Whether the text is meant as a definition.
    pub is_definition: bool,
    pub definition: Option<Definition>,
    pub sidecar: Option<Arc<Sidecar>>,
    /// The error in the text. With a definition or a sidecar, those are of an earlier text.
    pub faults: Vec<Finding>,
}

/// A parsed definition.
#[derive(Debug)]
pub(super) struct Definition {
    pub tool_name: Box<str>,
    pub spec: Spec,
    pub origin: Origin,
    /// The fingerprint of its text.
    pub fingerprint: u64,
    pub compiled: OnceLock<Compiled>,
    /// The author's sample as JSON text, for when the file no longer contains it; only if edits are expected.
    pub sample: OnceLock<Option<Box<str>>>,
    /// Why its sample cannot be rendered, once that was tried.
    pub fault: OnceLock<Option<Box<Finding>>>,
}

/// The result of compiling a definition.
#[derive(Debug)]
pub(super) struct Compiled {
    pub widget: Option<Box<Widget>>,
    pub findings: Vec<Finding>,
}

impl File {
    /// The content of a file, and its text. If a directory is given, the file must be in it.
    pub(super) fn read(
        dir: Option<&Arc<Path>>,
        path: Arc<Path>,
        limits: &Limits,
    ) -> (Self, String) {
        match file_text::read(dir.map(|dir| &**dir), &path, limits.file_bytes) {
            Ok(text) => {
                let (dir, max_bytes) = (dir.cloned(), limits.file_bytes);
                let fingerprint = fingerprint(&text);
                let origin = FileOrigin { dir, path, fingerprint, max_bytes };
                (Self::parse(Origin::File(origin), &text, fingerprint), text)
            }
            Err(error) => (Self::failed(path, error), String::new()),
        }
    }

    /// What a text holds: a definition, or a template for one host next to one.
    pub(super) fn parse(origin: Origin, text: &str, fingerprint: u64) -> Self {
        let path = Arc::clone(origin.shared_path());
        let file = if !is_definition(&path, text) {
            let is_named = sidecar::is_named(&path);
            let file = match Sidecar::read(text, &path) {
                Ok(None) if is_named => Self::failed(path, sidecar::nothing_held()),
                Ok(sidecar) => Self { sidecar: sidecar.map(Arc::new), ..Self::empty(path) },
                // YAML for something else.
                Err(_) if !is_named && !sidecar::is_begun(text) => Self::empty(path),
                Err(error) => Self::failed(path, error),
            };
            Self { is_definition: false, ..file }
        } else {
            Self::define(origin, text, fingerprint)
        };
        Self { fingerprint, ..file }
    }

    /// A file with a definition.
    fn define(origin: Origin, text: &str, fingerprint: u64) -> Self {
        let path = Arc::clone(origin.shared_path());
        match Source::read(text).and_then(|source| source.spec(&path)) {
            Ok(spec) => {
                let tool = spec.tool.clone();
                let stem = path.file_stem().unwrap_or_default().to_string_lossy();
                let is_namesake = *tool == *tool_name(&stem);
                let definition = Definition::new(tool, spec, origin, fingerprint);
                Self { definition: Some(definition), is_namesake, ..Self::empty(path) }
            }
            Err(error) => Self::failed(path, error),
        }
    }

    /// A file without usable content, and the reason.
    pub(super) fn failed(path: Arc<Path>, error: Error) -> Self {
        let faults = vec![Finding::new(Severity::Error, error.in_file(&*path))];
        Self { faults, ..Self::empty(path) }
    }

    fn empty(path: Arc<Path>) -> Self {
        Self {
            path,
            fingerprint: 0,
            since: 0,
            is_namesake: false,
            is_definition: true,
            definition: None,
            sidecar: None,
            faults: Vec::new(),
        }
    }

    /// Whether it is unrelated YAML.
    pub(super) fn is_empty(&self) -> bool {
        self.definition.is_none() && self.sidecar.is_none() && self.faults.is_empty()
    }

    /// Whether it could not be read for a temporary reason: too many open files, missing permissions.
    pub(super) fn is_unread(&self) -> bool {
        let is_read_error = |fault: &Finding| fault.error.kind() == Kind::FileRead;
        self.faults.iter().any(is_read_error) && !self.is_lost()
    }

    /// Whether it is a dangling symlink, or one out of the directory: the file no longer exists.
    pub(super) fn is_lost(&self) -> bool {
        self.faults.iter().any(|fault| is_lost(&fault.error))
    }

    /// Whether the text is broken, and an earlier version is still in use.
    pub(super) fn is_kept(&self) -> bool {
        !self.faults.is_empty() && (self.definition.is_some() || self.sidecar.is_some())
    }

    pub(super) fn tool_name(&self) -> &str {
        self.definition.as_ref().map_or("", |definition| &definition.tool_name)
    }

    /// Whether its definition is known to be broken.
    pub(super) fn is_known_broken(&self) -> bool {
        self.definition.as_ref().is_some_and(Definition::is_known_broken)
    }

    /// The file's name without its extension, which links it with its sidecars.
    pub(super) fn stem(&self) -> &OsStr {
        self.path.file_stem().unwrap_or_default()
    }
}

impl Definition {
    pub(super) fn new(tool_name: Box<str>, spec: Spec, origin: Origin, fingerprint: u64) -> Self {
        let (compiled, fault, sample) = (OnceLock::new(), OnceLock::new(), OnceLock::new());
        Self { tool_name, spec, origin, fingerprint, compiled, sample, fault }
    }

    /// Keeps the sample of the text from which the definition was read.
    pub(super) fn keep_sample(&self, text: &str) {
        self.sample.get_or_init(|| {
            let sample = Source::read(text).ok()?.extras().sample?;
            Some(sample.to_string().into())
        });
    }

    pub(super) fn compile(&self, engine: &Arc<Engine>) -> Option<&Compiled> {
        self.compile_after(None, engine)
    }

    /// Compiles the definition, if it is not compiled yet. The schema of the `old` version, before an edit,
    /// is reused if it is the same. Returns `None` if the budget is exceeded: a runtime thread leaves it to a
    /// worker.
    pub(super) fn compile_after(
        &self,
        old: Option<&Definition>,
        engine: &Arc<Engine>,
    ) -> Option<&Compiled> {
        if let Some(compiled) = self.compiled.get() {
            return Some(compiled);
        }
        budget::blocking().ok()?;
        // Outside the lock, so that others do not wait for this caller.
        let compiled = self.compile_anew(old.and_then(Definition::widget), engine)?;
        Some(self.compiled.get_or_init(|| compiled))
    }

    fn compile_anew(&self, old: Option<&Widget>, engine: &Arc<Engine>) -> Option<Compiled> {
        let compiled =
            compile::compile(self.spec.clone(), self.origin.clone(), old, engine).ok()?;
        Some(Compiled { widget: compiled.widget.map(Box::new), findings: compiled.findings })
    }

    /// The widget, if it is compiled.
    pub(super) fn widget(&self) -> Option<&Widget> {
        self.compiled.get()?.widget.as_deref()
    }

    /// Renders the sample, once; returns the error, if any.
    pub(super) fn prove(&self, widget: &Widget) -> Option<&Finding> {
        let fault = || {
            let error = proof::prove(widget).err()?;
            Some(Box::new(Finding::new(Severity::Error, error)))
        };
        self.fault.get_or_init(fault).as_deref()
    }

    /// The findings about it, including those of rendering its sample. A widget that is compiled only for
    /// this is dropped again; the fact that it is broken is kept.
    pub(super) fn findings(&self, engine: &Arc<Engine>) -> Vec<Finding> {
        let all = |compiled: &Compiled| {
            let fault = compiled.widget.as_ref().and_then(|widget| self.prove(widget));
            compiled.findings.iter().chain(fault).map(Finding::copy).collect()
        };
        if let Some(compiled) = self.compiled.get() {
            return all(compiled);
        }
        let Some(compiled) = self.compile_anew(None, engine) else { return Vec::new() };
        match compiled.widget {
            Some(_) => all(&compiled),
            None => all(self.compiled.get_or_init(|| compiled)),
        }
    }

    /// Whether it was compiled, or its sample rendered, without success.
    pub(super) fn is_known_broken(&self) -> bool {
        self.compiled.get().is_some_and(|compiled| compiled.widget.is_none())
            || matches!(self.fault.get(), Some(Some(_)))
    }
}

/// Whether a text is meant as a definition: a YAML file may also be a sidecar, or unrelated.
pub(super) fn is_definition(path: &Path, text: &str) -> bool {
    let defines = |line: &str| line.starts_with("widget:") || line.starts_with("template:");
    if sidecar::is_named(path) && path.extension().is_some_and(|extension| extension != "widget") {
        return false;
    }
    path.extension().is_none_or(|extension| extension == "widget") || text.lines().any(defines)
}

fn is_lost(error: &Error) -> bool {
    let cause = std::error::Error::source(error);
    let cause = cause.and_then(|cause| cause.downcast_ref::<std::io::Error>());
    error.kind() == Kind::FileLink
        || cause.is_some_and(|cause| cause.kind() == std::io::ErrorKind::NotFound)
}
