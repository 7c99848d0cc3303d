//! Environment variables in a configuration file: `${NAME}`.

use std::collections::BTreeMap;

use reqwest::header::{HeaderMap, HeaderName, HeaderValue};

/// Replaces `${NAME}` in a text with the variable.
pub(crate) fn with_variables(text: &str) -> Result<String, String> {
    let (mut out, mut rest) = (String::new(), text);
    while let Some((before, after)) = rest.split_once("${") {
        let (name, after) = after.split_once('}').ok_or("`${` without `}`")?;
        let value = std::env::var(name)
            .map_err(|_| format!("the environment variable {name} is not set"))?;
        out += before;
        out += &value;
        rest = after;
    }
    Ok(out + rest)
}

/// Request headers, with variables in their values.
pub(crate) fn headers(entries: &BTreeMap<String, String>) -> Result<HeaderMap, String> {
    let mut headers = HeaderMap::new();
    for (name, value) in entries {
        let key: HeaderName =
            name.parse().map_err(|_| format!("{name:?} is not a valid header name"))?;
        // The value may be a secret, so do not show it.
        let mut value: HeaderValue = with_variables(value)?
            .parse()
            .map_err(|_| format!("the header {name} must be a single line"))?;
        value.set_sensitive(true);
        headers.insert(key, value);
    }
    Ok(headers)
}
