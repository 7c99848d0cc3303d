//! The configuration errors of an app.

/// All configuration errors of an app, reported by [`Builder::build`](crate::Builder::build).
///
/// ```
/// use widgetcast::{App, Tool};
///
/// let hours = || Tool::new("hours", async || "9 to 5");
/// let error = App::new("My Shop", "1.0.0").tool(hours()).tool(hours()).build().unwrap_err();
/// assert_eq!(error.errors().len(), 2); // the name is not a package name, and a tool exists twice
/// ```
pub struct BuildError {
    errors: Vec<String>,
}

/// `main` prints errors with `Debug`, so format it for users.
impl std::fmt::Debug for BuildError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{self}")
    }
}

impl BuildError {
    pub(super) fn new(errors: Vec<String>) -> Self {
        Self { errors }
    }

    /// One message per error.
    pub fn errors(&self) -> &[String] {
        &self.errors
    }
}

impl std::fmt::Display for BuildError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.errors.as_slice() {
            [one] => f.write_str(one),
            many => {
                write!(f, "{} configuration errors:", many.len())?;
                many.iter().try_for_each(|error| write!(f, "\n- {error}"))
            }
        }
    }
}

impl std::error::Error for BuildError {}
