//! The changes of a reread, by tool.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;

use widgetcast_engine::error::Finding;

use super::file::{Definition, File};
use super::parallel::in_parallel;
use super::snapshot::{Catalog, name_conflicts};

/// What a [`Catalog::reread`] has changed, by tool name.
#[derive(Debug, Default)]
#[non_exhaustive]
pub struct Changes {
    /// New tools.
    pub added: Vec<String>,
    /// Tools whose definition, file or Slack template changed.
    pub changed: Vec<String>,
    /// Tools that no longer exist.
    pub removed: Vec<String>,
    /// Tools that keep their last good definition, because their file is now broken.
    pub kept: Vec<String>,
    /// All findings about the files that were read again.
    pub findings: Vec<Finding>,
    pub(super) list_changed: bool,
}

impl Changes {
    /// Whether no tool was added, changed or removed: there is nothing to announce.
    pub fn is_empty(&self) -> bool {
        self.added.is_empty() && self.changed.is_empty() && self.removed.is_empty()
    }

    /// Whether [`Catalog::list`], or an inferred schema, changed. This is possible without a change
    /// of a tool: one that is kept may have lost [`crate::Widget::encoded`] with its file.
    pub fn list_changed(&self) -> bool {
        self.list_changed
    }
}

/// One file before and after the reread.
pub(super) struct FileChange<'c> {
    pub old: Option<&'c Arc<File>>,
    /// `None` if the file was removed, or defines nothing.
    pub new: Option<Arc<File>>,
    /// The new text, if it is good and worth keeping.
    pub text: Option<Arc<str>>,
}

impl<'c> FileChange<'c> {
    pub(super) fn removed(old: &'c Arc<File>) -> Self {
        Self { old: Some(old), new: None, text: None }
    }

    pub(super) fn is_change(&self) -> bool {
        match (self.old, &self.new) {
            (Some(old), Some(new)) => !Arc::ptr_eq(old, new),
            (old, new) => old.is_some() || new.is_some(),
        }
    }

    fn both(&self) -> [Option<&Arc<File>>; 2] {
        [self.old, self.new.as_ref()]
    }

    fn sidecar_changed(&self) -> bool {
        let [old, new] = self.both().map(|file| file.and_then(|file| file.sidecar.as_ref()));
        match (old, new) {
            (Some(old), Some(new)) => !Arc::ptr_eq(old, new),
            (old, new) => old.is_some() || new.is_some(),
        }
    }
}

impl Changes {
    /// Converts changes of files to changes of tools.
    pub(super) fn between(old: &Catalog, new: &Catalog, files: &[FileChange<'_>]) -> Self {
        let mut changes = Self::default();
        // Tools whose definition was in one of the files, and tools whose widget had a sidecar.
        let mut tools: BTreeSet<&str> = BTreeSet::new();
        let mut beside: BTreeSet<&str> = BTreeSet::new();
        for change in files {
            tools.extend(change.both().into_iter().flatten().filter_map(|file| tool_of(file)));
            if change.sidecar_changed()
                && let Some(file) = change.new.as_ref().or(change.old)
            {
                beside.extend(tools_beside(new, file));
            }
        }
        for tool in tools.union(&beside) {
            changes.add_tool(tool, old, new, beside.contains(tool));
        }
        changes.list_changed |= !changes.added.is_empty() || !changes.removed.is_empty();
        changes.kept = kept_tools(new, files);
        changes.findings = findings(new, files, &tools);
        changes
    }

    fn add_tool(&mut self, tool: &str, old: &Catalog, new: &Catalog, sidecar_changed: bool) {
        match (listed(old, tool), listed(new, tool)) {
            (None, None) => {}
            (None, Some(_)) => self.added.push(tool.to_owned()),
            (Some(_), None) => self.removed.push(tool.to_owned()),
            (Some((path, before)), Some((now, after))) => {
                if path != now || before.fingerprint != after.fingerprint || sidecar_changed {
                    self.changed.push(tool.to_owned());
                }
                self.list_changed |= !lists_alike(before, after);
            }
        }
    }
}

/// Tools that keep the definition of an earlier text of their file or sidecar.
fn kept_tools(catalog: &Catalog, files: &[FileChange<'_>]) -> Vec<String> {
    let mut kept: BTreeSet<&str> = BTreeSet::new();
    let files = files.iter().filter_map(|change| change.new.as_ref());
    for file in files.filter(|file| file.is_kept()) {
        kept.extend(tool_of(file));
        if file.sidecar.is_some() {
            kept.extend(tools_beside(catalog, file));
        }
    }
    kept.into_iter().map(str::to_owned).collect()
}

/// The findings about the reread files, and about their duplicate tool names.
fn findings(catalog: &Catalog, files: &[FileChange<'_>], tools: &BTreeSet<&str>) -> Vec<Finding> {
    let read: Vec<&Arc<File>> = files.iter().filter_map(|change| change.new.as_ref()).collect();
    let found = in_parallel(&read, |file| catalog.findings_of(file));
    let mut findings: Vec<Finding> = found.into_iter().flatten().collect();
    let paths: BTreeSet<&Path> = read.iter().map(|file| &*file.path).collect();
    let is_read = |finding: &Finding| {
        let file = finding.error.place().file.as_deref();
        file.is_some_and(|file| paths.contains(file))
    };
    for tool in tools {
        let files: Vec<&Arc<File>> = catalog.files_of(tool).collect();
        findings.extend(name_conflicts(&files).into_iter().filter(is_read));
    }
    findings
}

fn tool_of(file: &File) -> Option<&str> {
    file.definition.as_ref().map(|definition| &*definition.tool_name)
}

/// The listed definition of a tool, and its file.
fn listed<'c>(catalog: &'c Catalog, tool: &str) -> Option<(&'c Path, &'c Definition)> {
    let file = catalog.files_of(tool).find(|file| !file.is_known_broken())?;
    Some((&file.path, file.definition.as_ref()?))
}

/// The tools whose widget file matches a sidecar: `order.widget` and `order.blocks.yml`.
fn tools_beside<'c>(
    catalog: &'c Catalog,
    sidecar: &File,
) -> impl Iterator<Item = &'c str> + use<'c> {
    let stem = Path::new(sidecar.stem()).file_stem().unwrap_or_default().to_owned();
    let files = catalog.tools.iter().filter(move |file| file.stem() == stem);
    files.map(|file| file.tool_name())
}

/// Whether both have the same list entry. An inferred schema is only listed once the widget has been
/// compiled.
fn lists_alike(before: &Definition, after: &Definition) -> bool {
    let schema = |definition: &Definition| {
        let inferred = definition.widget().map(|widget| widget.schema_json().to_owned());
        definition.spec.schema.as_deref().map(str::to_owned).or(inferred)
    };
    let same_schema = before.spec.schema.is_none() == after.spec.schema.is_none()
        && match (schema(before), schema(after)) {
            (Some(before), Some(after)) => before == after,
            _ => before.spec.template == after.spec.template,
        };
    same_schema
        && before.spec.name == after.spec.name
        && before.spec.served == after.spec.served
        && before.spec.description == after.spec.description
        && before.spec.is_encoded == after.spec.is_encoded
}
