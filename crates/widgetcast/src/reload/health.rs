//! Whether the directory of widgets can be served, as reported by `/readyz` and the log.

use std::sync::{Mutex, PoisonError};

use widgetcast_core::{Catalog, Error, Finding, Kind, Severity};

/// The text of `/readyz`. Without paths, because anyone may request it.
const UNREADABLE: &str = "cannot read the widget directory; serving the last good widgets";
const EMPTY: &str = "the widget directory contains no widgets";

#[derive(Debug)]
pub(super) struct Health(Mutex<State>);

#[derive(Debug)]
struct State {
    problem: Option<&'static str>,
    /// What has been logged.
    told: Option<&'static str>,
    /// Whether a catalog without widgets is an error: there are no other tools, or there were widgets.
    needs_widgets: bool,
}

impl Health {
    pub(super) fn new(catalog: &Catalog, needs_widgets: bool) -> Self {
        let needs_widgets = needs_widgets || !catalog.is_empty();
        let is_empty = catalog.dir().is_some() && needs_widgets && catalog.is_empty();
        Self(Mutex::new(State { problem: is_empty.then_some(EMPTY), told: None, needs_widgets }))
    }

    pub(super) fn problem(&self) -> Option<&'static str> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).problem
    }

    /// Records the state of the directory: its error, whether it was searched completely, and the findings
    /// about it. Returns the current problem. The start and the end of a problem are logged once.
    pub(super) fn update(
        &self,
        catalog: &Catalog,
        error: Option<Finding>,
        is_searched: bool,
    ) -> Option<Finding> {
        let state = &mut *self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let is_empty = catalog.is_empty();
        state.needs_widgets |= !is_empty;
        let before = state.problem;
        state.problem = match error {
            Some(_) => Some(UNREADABLE),
            // Reading a single file does not show that the directory is readable.
            None if before == Some(UNREADABLE) && !is_searched => before,
            None => (is_empty && state.needs_widgets).then_some(EMPTY),
        };
        let finding = error.or_else(|| {
            let error = Error::new(Kind::FileRead, state.problem?).in_file(catalog.dir()?);
            Some(Finding::new(Severity::Error, error))
        });
        if state.told != state.problem {
            state.told = state.problem;
            match &finding {
                Some(finding) => tracing::error!("{finding:#}"),
                None => tracing::info!("serving the widget directory again"),
            }
        }
        finding
    }
}
