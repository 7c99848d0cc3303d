//! Arguments that clients mirror in headers, so that proxies can route by them: properties with
//! `x-mcp-header` in the tool's input schema.

use serde_json::Value;

/// Such an argument.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct HeaderParam {
    /// The path of the property.
    pub path: Vec<String>,
    /// The name in its annotation.
    pub header: String,
}

/// The annotations of a schema, including nested properties.
pub(crate) fn annotations(schema: &Value) -> Vec<HeaderParam> {
    let mut found = Vec::new();
    collect(schema, &mut Vec::new(), &mut found);
    found
}

fn collect(schema: &Value, path: &mut Vec<String>, found: &mut Vec<HeaderParam>) {
    for (name, property) in schema["properties"].as_object().into_iter().flatten() {
        path.push(name.clone());
        if let Some(header) = property["x-mcp-header"].as_str().filter(|name| !name.is_empty()) {
            found.push(HeaderParam { path: path.clone(), header: header.to_owned() });
        }
        collect(property, path, found);
        path.pop();
    }
}
