//! The state of one check: the path to the value being checked, the findings and the limits.

use std::fmt::Write as _;

use crate::budget;
use crate::error::{Error, Finding, Kind, Severity};
use crate::json::locate;
use crate::limits::Limits;

/// Findings that one check lists.
const MAX_FINDINGS: usize = 200;
/// How often one check lists the same message: a list of a thousand rows with one fault has one
/// fault, not a thousand.
const MAX_REPEATS: usize = 3;

/// The result of a check.
#[derive(Debug, Default)]
pub struct Checked {
    /// The findings, in the order of the tree.
    pub findings: Vec<Finding>,
    /// Whether the tree must be tidied before it is sent: a null, a number in a text prop.
    pub untidy: bool,
}

/// The meaning of null.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Nulls {
    /// Nothing: it will be dropped.
    Nothing,
    /// A value that is not known yet.
    Holes,
}

pub(super) struct State<'l> {
    pub limits: &'l Limits,
    pub nulls: Nulls,
    /// Whether `type` is known to be the first key of every object that has one.
    pub type_is_first: bool,
    pub checked: Checked,
    /// What stopped the check, if anything did.
    pub stop: Option<Stop>,
    path: Vec<Segment>,
    components: usize,
}

/// Why a check stopped before the end of the tree.
pub(super) enum Stop {
    /// A limit was exceeded.
    Limit(Error),
    /// A `type` is not the first key of its object, so one pass cannot check the object.
    KeyOrder,
}

/// One step of a JSON pointer.
#[derive(Clone, Copy)]
pub(super) enum Segment {
    Key(&'static str),
    Index(usize),
}

impl<'l> State<'l> {
    pub(super) fn new(limits: &'l Limits, nulls: Nulls) -> Self {
        Self {
            limits,
            nulls,
            type_is_first: false,
            checked: Checked::default(),
            stop: None,
            path: Vec::new(),
            components: 0,
        }
    }

    pub(super) fn is_clean(&self) -> bool {
        self.checked.findings.is_empty() && !self.checked.untidy
    }

    /// Steps into a member or an item; fails if that is too deep.
    pub(super) fn enter<E: serde::de::Error>(&mut self, segment: Segment) -> Result<(), E> {
        self.path.push(segment);
        if self.path.len() > self.limits.depth {
            self.stop = Some(Stop::Limit(too_deep(self.limits)));
            return Err(E::custom("too deep"));
        }
        Ok(())
    }

    pub(super) fn leave(&mut self) {
        self.path.pop();
    }

    pub(super) fn is_in_list(&self) -> bool {
        matches!(self.path.last(), Some(Segment::Index(_)))
    }

    /// Counts a component; fails if there are too many.
    pub(super) fn count_component<E: serde::de::Error>(&mut self) -> Result<(), E> {
        self.components += 1;
        if let Err(exceeded) = budget::steps(1) {
            let message = format!("checking the tree {exceeded}");
            self.stop = Some(Stop::Limit(Error::new(Kind::TemplateFuel, message)));
            return Err(E::custom("too many steps"));
        }
        let max = self.limits.nodes;
        if self.components > max {
            let message = format!("the tree has more than {max} components");
            self.stop = Some(Stop::Limit(Error::new(Kind::TreeNodes, message)));
            return Err(E::custom("too many components"));
        }
        Ok(())
    }

    pub(super) fn error(&mut self, kind: Kind, message: String) {
        self.fail(kind, message, String::new());
    }

    /// Adds an error, and what to do about it.
    pub(super) fn fail(&mut self, kind: Kind, message: String, help: String) {
        self.report("", Severity::Error, kind, message, || help);
    }

    pub(super) fn warning(&mut self, kind: Kind, message: String, help: String) {
        self.report("", Severity::Warning, kind, message, || help);
    }

    /// Adds a finding about the current value, or about its member `key` unless that is empty. The help is
    /// only computed for listed findings, because it takes longer than everything else.
    pub(super) fn report(
        &mut self,
        key: &str,
        severity: Severity,
        kind: Kind,
        message: String,
        help: impl FnOnce() -> String,
    ) {
        let findings = &mut self.checked.findings;
        let is_same = |f: &&Finding| f.error.kind() == kind && f.error.message() == message;
        if findings.len() >= MAX_FINDINGS || findings.iter().filter(is_same).count() >= MAX_REPEATS
        {
            return;
        }
        let mut pointer = String::new();
        for segment in &self.path {
            let _ = match segment {
                Segment::Key(key) => write!(pointer, "/{key}"),
                Segment::Index(index) => write!(pointer, "/{index}"),
            };
        }
        if !key.is_empty() {
            let _ = write!(pointer, "/{}", locate::escaped(key));
        }
        let error = Error::new(kind, message).with_help(help()).with_pointer(pointer);
        findings.push(Finding::new(severity, error));
    }
}

pub(super) fn too_deep(limits: &Limits) -> Error {
    Error::new(Kind::TreeDepth, format!("the tree is nested deeper than {} levels", limits.depth))
}
