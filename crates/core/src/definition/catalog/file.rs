//! One file of a catalog, and what it holds: a definition, a Slack template, or an error.

use std::ffi::OsStr;
use std::io::Read as _;
use std::path::Path;
use std::sync::{Arc, OnceLock};

use widgetcast_engine::error::{Error, Finding, Kind, Result, Severity};
use widgetcast_engine::limits::Limits;
use widgetcast_engine::template::Engine;

use crate::definition::compile;
use crate::definition::name::tool_name;
use crate::definition::origin::Origin;
use crate::definition::sidecar::Sidecar;
use crate::definition::spec::{Source, Spec};
use crate::definition::widget::Widget;

/// What is known about one file.
#[derive(Debug)]
pub(super) struct File {
    pub path: Arc<Path>,
    /// The fingerprint of the text that was read last; 0 if it could not be read.
    pub fingerprint: u64,
    pub definition: Option<Definition>,
    pub sidecar: Option<Arc<Sidecar>>,
    /// What is wrong with the text. With a definition or a sidecar, those are of an earlier text.
    pub faults: Vec<Finding>,
}

/// A definition that could be read.
#[derive(Debug)]
pub(super) struct Definition {
    pub tool_name: Box<str>,
    pub spec: Spec,
    pub origin: Origin,
    /// The fingerprint of its text.
    pub fingerprint: u64,
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
        let fingerprint = fingerprint(text);
        let yaml = path.extension().is_some_and(|ext| ext != "widget");
        let defines = |line: &str| line.starts_with("widget:") || line.starts_with("template:");
        let file = if yaml && !text.lines().any(defines) {
            match Sidecar::read(text, &path) {
                Ok(sidecar) => Self { sidecar: sidecar.map(Arc::new), ..Self::empty(path) },
                Err(error) => Self::failed(path, error),
            }
        } else {
            Self::define(Origin::File(path), text, fingerprint)
        };
        Self { fingerprint, ..file }
    }

    /// A file with a definition.
    pub(super) fn define(origin: Origin, text: &str, fingerprint: u64) -> Self {
        let path = Arc::clone(origin.shared_path());
        match Source::read(text).and_then(|source| source.spec()) {
            Ok(spec) => {
                let tool_name = tool_name(&spec.name).into();
                let compiled = OnceLock::new();
                let definition = Definition { tool_name, spec, origin, fingerprint, compiled };
                Self { definition: Some(definition), ..Self::empty(path) }
            }
            Err(error) => Self::failed(path, error),
        }
    }

    /// A file that holds nothing usable, and why.
    pub(super) fn failed(path: Arc<Path>, error: Error) -> Self {
        let faults = vec![Finding::new(Severity::Error, error.in_file(&*path))];
        Self { faults, ..Self::empty(path) }
    }

    fn empty(path: Arc<Path>) -> Self {
        Self { path, fingerprint: 0, definition: None, sidecar: None, faults: Vec::new() }
    }

    /// Whether it is no file of ours: another kind of YAML.
    pub(super) fn is_empty(&self) -> bool {
        self.definition.is_none() && self.sidecar.is_none() && self.faults.is_empty()
    }

    /// Whether the text is broken and what an earlier text held is still in use.
    pub(super) fn is_kept(&self) -> bool {
        !self.faults.is_empty() && (self.definition.is_some() || self.sidecar.is_some())
    }

    pub(super) fn tool_name(&self) -> &str {
        self.definition.as_ref().map_or("", |definition| &definition.tool_name)
    }

    /// Whether its definition was compiled and cannot be drawn.
    pub(super) fn is_known_broken(&self) -> bool {
        self.definition.as_ref().is_some_and(Definition::is_known_broken)
    }

    /// The file's name without its extension, by which a sidecar is found.
    pub(super) fn stem(&self) -> &OsStr {
        self.path.file_stem().unwrap_or_default()
    }
}

impl Definition {
    pub(super) fn compile(&self, engine: &Arc<Engine>) -> &Compiled {
        self.compile_after(None, engine)
    }

    /// Compiles the definition, if it is not compiled yet. The schema of the `old` one, from before an
    /// edit, is used again if it is the same.
    pub(super) fn compile_after(
        &self,
        old: Option<&Definition>,
        engine: &Arc<Engine>,
    ) -> &Compiled {
        self.compiled.get_or_init(|| self.compile_anew(old.and_then(Definition::widget), engine))
    }

    fn compile_anew(&self, old: Option<&Widget>, engine: &Arc<Engine>) -> Compiled {
        let compiled = compile::compile(self.spec.clone(), self.origin.clone(), old, engine);
        Compiled { widget: compiled.widget.map(Box::new), findings: compiled.findings }
    }

    /// The widget, if it has been compiled.
    pub(super) fn widget(&self) -> Option<&Widget> {
        self.compiled.get()?.widget.as_deref()
    }

    /// The findings about it. A widget that is compiled only for this is dropped again; that it is
    /// broken is kept.
    pub(super) fn findings(&self, engine: &Arc<Engine>) -> Vec<Finding> {
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

pub(super) fn cannot_read(path: &Path, error: std::io::Error) -> Error {
    Error::new(Kind::FileRead, format!("cannot be read: {error}")).in_file(path).with_cause(error)
}

fn read(path: &Path, limits: &Limits) -> Result<String> {
    let file = std::fs::File::open(path).map_err(|error| cannot_read(path, error))?;
    // With room for all of it the file is read in one piece, not in ten.
    let size = file.metadata().map_or(0, |data| data.len() as usize);
    let mut text = Vec::with_capacity(size.min(limits.file_bytes) + 1);
    let most = limits.file_bytes as u64 + 1;
    file.take(most).read_to_end(&mut text).map_err(|error| cannot_read(path, error))?;
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

/// A hash that tells whether a text is the one read before; never 0. It takes eight bytes at a time,
/// because every file is hashed while loading.
pub(super) fn fingerprint(text: &str) -> u64 {
    const ODD: u64 = 0x9E37_79B9_7F4A_7C15;
    let (words, rest) = text.as_bytes().as_chunks::<8>();
    let mut last = [0; 8];
    last[..rest.len()].copy_from_slice(rest);
    let add = |sum: u64, word: &[u8; 8]| {
        (sum.rotate_left(23) ^ u64::from_le_bytes(*word)).wrapping_mul(ODD)
    };
    // Three independent sums, so that the processor can compute their products at the same time.
    let (threes, rest) = words.as_chunks::<3>();
    let sums = threes.iter().fold([text.len() as u64, 1, 2], |sums, words| {
        [add(sums[0], &words[0]), add(sums[1], &words[1]), add(sums[2], &words[2])]
    });
    let [a, b, c] = sums.map(u64::to_le_bytes);
    rest.iter().chain([&last, &a, &b, &c]).fold(0, add) | 1
}
