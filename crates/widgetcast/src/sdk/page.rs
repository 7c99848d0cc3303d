//! A custom page: HTML that shows a tool's data in hosts with views.

use std::path::{Path, PathBuf};

use widgetcast_core::read_file;
use widgetcast_core::surface::page;

use crate::declaration::origin::is_origin;
use crate::declaration::page_loads::{self, LoadedFrom};

/// Maximum size of a page's file.
const MAX_BYTES: usize = 16 << 20;

/// An HTML page, from a file or a string. It must be self-contained: hosts run it in a frame without
/// network access, except for the origins declared here.
///
/// ```
/// use widgetcast::Page;
/// let page = Page::inline("chart", "<!doctype html><title>Chart</title>")
///     .description("Draws the numbers as a chart")
///     .connect(["https://api.example.com"]);
/// ```
#[derive(Clone, Debug)]
pub struct Page {
    pub(crate) name: String,
    pub(crate) source: Source,
    address: Option<String>,
    title: Option<String>,
    description: Option<String>,
    csp: page::Csp,
    permissions: Vec<String>,
    domain: Option<String>,
    border: Option<bool>,
}

/// The source of a page's HTML.
#[derive(Clone, Debug)]
pub(crate) enum Source {
    Inline(String),
    File(PathBuf),
    /// The origin of a dev server.
    Dev(String),
}

impl Page {
    /// Creates a page from a string.
    pub fn inline(name: impl Into<String>, html: impl Into<String>) -> Self {
        Self::of(name.into(), Source::Inline(html.into()))
    }

    /// Creates a page from a file. With [`App::watch`](crate::App::watch), it is reloaded when it changes.
    pub fn file(name: impl Into<String>, path: impl AsRef<Path>) -> Self {
        Self::of(name.into(), Source::File(path.as_ref().to_owned()))
    }

    /// Loads the page from a Vite dev server with `@widgetcast/vite` instead, so that edits appear in the
    /// gallery immediately. For development only: the URL must be local, such as `http://localhost:5173`, and
    /// the server then accepts only local requests.
    ///
    /// ```
    /// use widgetcast::Page;
    /// let page = Page::file("stats", "web/dist/stats.html");
    /// let page = match std::env::var("PAGES_DEV") {
    ///     Ok(address) => page.dev(address),
    ///     Err(_) => page,
    /// };
    /// ```
    pub fn dev(mut self, address: impl Into<String>) -> Self {
        let origin = address.into().trim_end_matches('/').to_owned();
        if let Some(rest) = origin.strip_prefix("http") {
            // Hot reload uses a WebSocket.
            self.csp.connect.extend([origin.clone(), format!("ws{rest}")]);
            self.csp.resource.push(origin.clone());
        }
        self.source = Source::Dev(origin);
        self
    }

    fn of(name: String, source: Source) -> Self {
        Self {
            name,
            source,
            address: None,
            title: None,
            description: None,
            csp: page::Csp::default(),
            permissions: Vec::new(),
            domain: None,
            border: None,
        }
    }

    /// Sets a stable URI, such as `ui://widget/chart.html`, for clients that are configured with it. The page
    /// is also served at a URI with a content hash, because some hosts cache pages.
    pub fn address(mut self, uri: impl Into<String>) -> Self {
        self.address = Some(uri.into());
        self
    }

    /// Sets the display name.
    pub fn title(mut self, text: impl Into<String>) -> Self {
        self.title = Some(text.into());
        self
    }

    /// Sets the description for the model: what the page shows.
    pub fn description(mut self, text: impl Into<String>) -> Self {
        self.description = Some(text.into());
        self
    }

    /// Allows requests to these origins.
    pub fn connect<S: Into<String>>(mut self, origins: impl IntoIterator<Item = S>) -> Self {
        self.csp.connect.extend(origins.into_iter().map(Into::into));
        self
    }

    /// Allows images, fonts, styles and scripts from these origins.
    pub fn resource<S: Into<String>>(mut self, origins: impl IntoIterator<Item = S>) -> Self {
        self.csp.resource.extend(origins.into_iter().map(Into::into));
        self
    }

    /// Allows ChatGPT to open links to these origins without asking.
    pub fn redirect<S: Into<String>>(mut self, origins: impl IntoIterator<Item = S>) -> Self {
        self.csp.redirect.extend(origins.into_iter().map(Into::into));
        self
    }

    /// Allows embedded frames from these origins. Hosts discourage them.
    pub fn frame<S: Into<String>>(mut self, origins: impl IntoIterator<Item = S>) -> Self {
        self.csp.frame.extend(origins.into_iter().map(Into::into));
        self
    }

    /// Requests a browser permission: `camera`, `microphone`, `geolocation`, `clipboardWrite`.
    pub fn permission(mut self, name: impl Into<String>) -> Self {
        self.permissions.push(name.into());
        self
    }

    /// Requests a dedicated origin, in the form that the host requires.
    pub fn domain(mut self, domain: impl Into<String>) -> Self {
        self.domain = Some(domain.into());
        self
    }

    /// Sets whether the host should draw a border.
    pub fn border(mut self, border: bool) -> Self {
        self.border = Some(border);
        self
    }

    /// The file it is read from.
    pub(crate) fn path(&self) -> Option<&Path> {
        match &self.source {
            Source::File(path) => Some(path),
            Source::Inline(_) | Source::Dev(_) => None,
        }
    }

    /// Whether it is loaded from a dev server.
    pub(crate) fn is_dev(&self) -> bool {
        matches!(self.source, Source::Dev(_))
    }

    /// Sets the display name.
    pub(crate) fn shown_name(&self) -> &str {
        self.title.as_deref().unwrap_or(&self.name)
    }

    /// The page as hosts receive it, or why it cannot be loaded.
    pub(crate) fn load(&self) -> Result<page::Page, String> {
        let html = match &self.source {
            Source::Inline(html) => html.clone(),
            Source::File(path) => read_file(path, MAX_BYTES).map_err(|error| {
                format!("page {}: {}: {}", self.name, path.display(), error.message())
            })?,
            Source::Dev(origin) => dev_document(&self.name, origin),
        };
        if !html.contains('<') {
            return Err(format!("page {}: not HTML: {:.40?}", self.name, html));
        }
        let missing = self.missing(&html);
        if !missing.is_empty() {
            return Err(format!("page {}: {}", self.name, missing.join("; ")));
        }
        let mut page = match &self.address {
            Some(address) => page::Page::at(address, html),
            None => page::Page::new(&self.name, html),
        };
        page.description = self.description.clone();
        page.csp = self.csp.clone();
        page.permissions = self.permissions.clone();
        page.domain = self.domain.clone();
        page.prefers_border = self.border;
        Ok(page)
    }

    /// The URLs that the page loads without having declared their origin.
    fn missing(&self, html: &str) -> Vec<String> {
        let tell = |(tag, from): (&str, LoadedFrom)| match from {
            LoadedFrom::Origin(origin) => {
                let (declared, method) = match tag {
                    "iframe" | "embed" => (&self.csp.frame, "frame"),
                    _ => (&self.csp.resource, "resource"),
                };
                (!declared.contains(&origin)).then(|| {
                    format!(
                        "<{tag}> loads from {origin}, which hosts will block: inline it, or declare the \
                         origin with `{method}`"
                    )
                })
            }
            LoadedFrom::Beside(address) => Some(format!(
                "<{tag}> loads from {address:?}, but a page is served as a single file: inline it, as \
                 `@widgetcast/vite` does"
            )),
        };
        page_loads::loads(html).into_iter().filter_map(tell).collect()
    }

    /// All errors in the definition itself.
    pub(crate) fn mistakes(&self) -> Vec<String> {
        let mut wrong = Vec::new();
        if !is_name(&self.name) {
            wrong.push(format!(
                "page {:?}: a page name may contain only letters, digits, `-` and `_`",
                self.name
            ));
        }
        if let Source::Dev(origin) = &self.source
            && !is_of_this_machine(origin)
        {
            // Follow-up errors are not reported.
            return vec![format!(
                "page {}: the development server must be on this machine, such as http://localhost:5173; got \
                 {origin:?}",
                self.name
            )];
        }
        let plain = |rest: &str| rest.split('/').all(is_name) && rest.contains('/');
        if let Some(address) = &self.address
            && !address
                .strip_prefix("ui://")
                .and_then(|rest| rest.strip_suffix(".html"))
                .is_some_and(plain)
        {
            wrong.push(format!(
                "page {}: the URI {address:?} must look like ui://widget/chart.html",
                self.name
            ));
        }
        for (list, origins) in [
            ("connect", &self.csp.connect),
            ("resource", &self.csp.resource),
            ("redirect", &self.csp.redirect),
            ("frame", &self.csp.frame),
        ] {
            for origin in origins.iter().filter(|origin| !is_origin(origin)) {
                wrong.push(format!(
                    "page {}: {list} origin {origin:?} must be a scheme and a host, such as \
                     https://api.example.com",
                    self.name
                ));
            }
        }
        let host = |domain: &str| domain.trim_start_matches("https://").to_owned();
        if let Some(domain) = &self.domain
            && !is_origin(&format!("https://{}", host(domain)))
        {
            wrong.push(format!(
                "page {}: the domain {domain:?} must be a host name, such as app.example.com, or its origin",
                self.name
            ));
        }
        const KNOWN: [&str; 4] = ["camera", "microphone", "geolocation", "clipboardWrite"];
        for name in self.permissions.iter().filter(|name| !KNOWN.contains(&name.as_str())) {
            wrong.push(format!(
                "page {}: permission {name:?} must be one of {}",
                self.name,
                KNOWN.join(", ")
            ));
        }
        wrong
    }
}

/// Whether an origin is a local server.
fn is_of_this_machine(origin: &str) -> bool {
    let host = origin.strip_prefix("http://").or_else(|| origin.strip_prefix("https://"));
    let host = host.map(|host| host.split(':').next().unwrap_or(host));
    is_origin(origin) && host.is_some_and(|host| matches!(host, "localhost" | "127.0.0.1"))
}

/// A page that loads the script of the dev server.
fn dev_document(name: &str, origin: &str) -> String {
    format!(
        r#"<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>{name}</title></head><body><div id="root"></div>
<script type="module" src="{origin}/@widgetcast/{name}.js" onerror="document.body.textContent =
'No development server at {origin}: start it with npm run dev'"></script></body></html>
"#
    )
}

/// Whether a name can be part of a URI without encoding.
pub(crate) fn is_name(name: &str) -> bool {
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_');
    !name.is_empty() && name.chars().all(plain)
}
