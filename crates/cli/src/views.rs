//! Checks of `[views]`: whether the widgets exist, the templates compile, and recorded results render.

use std::path::Path;

use widgetcast_core::{Catalog, Error, Finding, Kind, Severity};
use widgetcast_wrap::{Recording, ViewMap};

use crate::outcome::Failure;
use crate::tool_file::{self, ViewFile};

/// The findings about the views of a directory.
pub(crate) fn check(
    dir: Option<&Path>,
    catalog: &Catalog,
    recordings: Option<&Path>,
) -> Result<Vec<Finding>, Failure> {
    let fault = |error: Error, file: &Path| Finding::new(Severity::Error, error.in_file(file));
    let mut map = ViewMap::default();
    let mut findings = Vec::new();
    if let Some(file) = dir.and_then(tool_file::of_dir) {
        match ViewFile::read(file.clone())? {
            Ok(views) => map = views.map().clone(),
            Err(error) => return Ok(vec![fault(error, &file)]),
        }
        let missing = map.missing_widgets(catalog);
        findings.extend(missing.into_iter().map(|error| fault(error, &file)));
    }
    // Missing widgets have been reported already.
    if !findings.is_empty() {
        return Ok(findings);
    }
    let Some(folder) = recordings else { return Ok(findings) };
    let recordings =
        Recording::read_all(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    for (file, recording) in recordings {
        let error = match recording {
            Err(why) => Some(Error::new(Kind::FileSyntax, why)),
            Ok(recording) => {
                let tool = recording.tool_name();
                let drawn = map.render(catalog, tool, &recording.result);
                drawn.and_then(Result::err).map(|why| {
                    let message = format!("the widget of {tool} cannot render this result: {why}");
                    let help = format!(
                        "change its schema, or map the result with `data` in [views.{tool}] of widgetcast.toml"
                    );
                    Error::new(Kind::Data, message).with_help(help)
                })
            }
        };
        findings.extend(error.map(|error| fault(error, &file)));
    }
    Ok(findings)
}
