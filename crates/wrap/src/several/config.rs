//! `[servers]` of a configuration file.

use std::collections::BTreeMap;
use std::path::Path;

use serde::Deserialize;

use super::Servers;
use crate::upstream::Upstream;
use crate::variables::{headers, with_variables};

/// An entry of `[servers]`: a command with its environment, or a URL with headers.
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ServerConfig {
    run: Vec<String>,
    env: BTreeMap<String, String>,
    url: Option<String>,
    headers: BTreeMap<String, String>,
}

impl ServerConfig {
    fn into_upstream(self, folder: &Path) -> Result<Upstream, String> {
        let Self { run, env, url, headers: with } = self;
        match (run.split_first(), url) {
            (Some((program, args)), None) if with.is_empty() => {
                let value = |(name, value): (String, String)| Ok((name, with_variables(&value)?));
                let env: Result<BTreeMap<_, _>, String> = env.into_iter().map(value).collect();
                Ok(Upstream::command(program, args.to_vec()).in_folder(folder, env?))
            }
            (None, Some(url)) if env.is_empty() => {
                Upstream::url(&with_variables(&url)?, headers(&with)?)
            }
            (Some(_), None) => Err("`headers` needs `url`".into()),
            (None, Some(_)) => Err("`env` needs `run`".into()),
            (Some(_), Some(_)) => Err("give either `run` or `url`, not both".into()),
            (None, None) => Err("give `run`, a command with its arguments, or `url`".into()),
        }
    }
}

/// The servers of a configuration file, by name. `folder` is the directory of the file: commands run in it,
/// and paths are relative to it.
///
/// # Errors
/// If an entry is invalid, such as one with an unset variable.
pub fn servers(entries: BTreeMap<String, ServerConfig>, folder: &Path) -> Result<Servers, String> {
    let folder =
        std::path::absolute(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let upstream = |(name, entry): (String, ServerConfig)| match entry.into_upstream(&folder) {
        Ok(upstream) => Ok((name, upstream)),
        Err(why) => Err(format!("[servers.{name}]: {why}")),
    };
    let servers: Result<_, String> = entries.into_iter().map(upstream).collect();
    Servers::named(servers?).map_err(|why| format!("[servers]: {why}"))
}
