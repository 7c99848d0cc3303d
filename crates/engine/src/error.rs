//! The one error type: a stable kind, a message, the place in the source, and the cause.
//!
//! `{}` prints one line; `{:#}` adds the excerpt with carets and the advice. A [`Finding`] is an
//! error with a severity: what loading and checking collect instead of stopping.

use std::fmt;
use std::path::PathBuf;

/// A result with this crate's [`Error`].
pub type Result<T> = std::result::Result<T, Error>;

macro_rules! kinds {
    ($($(#[doc = $doc:literal])+ $variant:ident = $code:literal,)+) => {
        /// The kind of an error, with a stable code. Match on this, never on the message.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[non_exhaustive]
        pub enum Kind { $($(#[doc = $doc])+ $variant,)+ }

        impl Kind {
            /// All kinds, in the order of the documentation.
            pub const ALL: &'static [Kind] = &[$(Kind::$variant,)+];

            /// The stable code, such as `template-syntax`.
            pub fn code(self) -> &'static str {
                match self { $(Kind::$variant => $code,)+ }
            }

            /// The meaning of the code, in one sentence.
            pub fn summary(self) -> &'static str {
                match self { $(Kind::$variant => concat!($($doc),+).trim_ascii(),)+ }
            }
        }
    };
}

kinds! {
    /// A file or directory could not be read.
    FileRead = "file-read",
    /// A symlink points outside the searched directory.
    FileLink = "file-link",
    /// A file is larger than the limit.
    FileSize = "file-size",
    /// A file is not well-formed JSON or YAML.
    FileSyntax = "file-syntax",
    /// A required field is missing.
    FieldMissing = "field-missing",
    /// A field has the wrong type.
    FieldType = "field-type",
    /// An unknown field, which is ignored.
    UnknownField = "unknown-field",
    /// A name, a description or a schema is longer than the limit.
    FieldSize = "field-size",
    /// The format version is not 1.x, or not the string "1.0".
    Version = "version",
    /// No tool name can be derived from the name, or it is Studio's default name.
    Name = "name",
    /// Two widgets have the same tool name.
    NameTaken = "name-taken",
    /// The tool name is reserved by the server.
    NameReserved = "name-reserved",
    /// No widget has this name.
    NotFound = "not-found",
    /// The JSON Schema is not valid.
    Schema = "schema",
    /// An unknown keyword in the JSON Schema that looks like a known one.
    UnknownKeyword = "unknown-keyword",
    /// The JSON Schema requires a property that it does not declare.
    RequiredUndeclared = "required-undeclared",
    /// The JSON Schema contains something that makes some clients reject the whole tool list.
    SchemaPortable = "schema-portable",
    /// The JSON Schema refers to something outside the file.
    SchemaRemote = "schema-remote",
    /// The data does not satisfy the widget's JSON Schema.
    Data = "data",
    /// The template is not valid Jinja.
    TemplateSyntax = "template-syntax",
    /// The template uses a value that is missing.
    TemplateUndefined = "template-undefined",
    /// An expression in the template failed.
    TemplateFailed = "template-failed",
    /// The template exceeds the step limit.
    TemplateFuel = "template-fuel",
    /// The template nests deeper than the limit.
    TemplateDepth = "template-depth",
    /// A value or the output exceeds the byte limit.
    OutputBytes = "output-bytes",
    /// The template did not produce JSON.
    OutputJson = "output-json",
    /// The template writes almost-JSON: comments, single quotes, `True`, an extra or missing comma.
    NearlyJson = "nearly-json",
    /// The root is not Card, ListView or Basic.
    TreeRoot = "tree-root",
    /// A component is not allowed here.
    TreeChild = "tree-child",
    /// An unknown component.
    TreeType = "tree-type",
    /// A required prop is missing.
    TreeMissing = "tree-missing",
    /// A prop has a value of the wrong type.
    TreeValue = "tree-value",
    /// The tree is deeper than the limit.
    TreeDepth = "tree-depth",
    /// The tree has more components than the limit.
    TreeNodes = "tree-nodes",
    /// A prop that the component does not have.
    UnknownProp = "unknown-prop",
    /// A value that is not one of the prop's choices.
    UnknownValue = "unknown-value",
    /// A required prop is null.
    NullProp = "null-prop",
    /// A root component inside another component.
    NestedRoot = "nested-root",
    /// Studio left `===` in the template.
    StudioEquality = "studio-equality",
    /// Studio did not set the index of a loop.
    StudioIndex = "studio-index",
    /// Studio wrapped the series of a chart in Text components.
    StudioSeries = "studio-series",
    /// Studio printed a number where a string is required.
    StudioNumber = "studio-number",
    /// Studio replaced an expression that it could not translate with `none`.
    StudioLost = "studio-lost",
    /// An optional value is printed without a default; other renderers fail when it is absent.
    StudioOptional = "studio-optional",
    /// Studio left `undefined` in the template; other renderers fail on it.
    StudioUndefined = "studio-undefined",
    /// Studio wrote empty children on a component that takes none.
    StudioChildren = "studio-children",
    /// The template uses a variable that the schema does not declare.
    VariableUndeclared = "variable-undeclared",
    /// The schema declares a variable that the template does not use.
    VariableUnused = "variable-unused",
    /// A variable that is set in a loop loses its value after the loop.
    VariableLost = "variable-lost",
    /// A value is printed into the JSON without tojson.
    Unescaped = "unescaped",
    /// The preview differs from what the template renders for the sample.
    PreviewDrift = "preview-drift",
    /// The sample does not satisfy the schema.
    SampleInvalid = "sample-invalid",
    /// A schema-valid input does not render a valid tree.
    InputBreaks = "input-breaks",
    /// An image has no alt text.
    ImageAlt = "image-alt",
    /// An image has a URL that hosts cannot load.
    ImageAddress = "image-address",
    /// A button has neither text nor an icon.
    ButtonEmpty = "button-empty",
    /// A button, a field or a form does nothing, or a card shows nothing.
    NoEffect = "no-effect",
    /// An action names a tool that no file in the directory provides.
    UnknownTool = "unknown-tool",
    /// Two fields of a form have the same name.
    FieldTaken = "field-taken",
    /// Text and background have too little contrast.
    Contrast = "contrast",
    /// A form field has no label.
    FieldLabel = "field-label",
    /// `outline` refers to an id that no component of the sample has.
    OutlineUnused = "outline-unused",
    /// A host cannot show part of the widget.
    Loss = "loss",
    /// A host would reject the output of a host template.
    HostTemplate = "host-template",
    /// A host template matches no widget file.
    HostTemplateUnused = "host-template-unused",
    /// The widget or a property of its schema has no description for models.
    NoDescription = "no-description",
    /// jsonSchema is missing.
    NoSchema = "no-schema",
    /// sample and outputJsonPreview are missing.
    NoPreview = "no-preview",
}

/// The location of an error: a file, a position in it, and a path inside the value.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Place {
    /// The file as the caller named it.
    pub file: Option<PathBuf>,
    /// Line and column, both from 1; the column counts characters.
    pub position: Option<(usize, usize)>,
    /// A JSON pointer into the data or the tree.
    pub pointer: String,
    /// The line of the source, with the relevant part.
    pub excerpt: Option<Excerpt>,
}

/// A piece of a source line, and its relevant part.
#[derive(Clone, Debug, PartialEq)]
pub struct Excerpt {
    /// The text, cut to a readable width around the marked part.
    pub text: String,
    /// Characters before the marked part.
    pub start: usize,
    /// Characters in the marked part.
    pub len: usize,
}

/// The error type of this crate.
#[derive(Debug)]
pub struct Error(Box<Parts>);

#[derive(Debug)]
struct Parts {
    kind: Kind,
    message: String,
    help: String,
    place: Place,
    cause: Option<Box<dyn std::error::Error + Send + Sync>>,
}

impl Error {
    /// Creates an error of this kind, with a message that makes sense next to the place.
    pub fn new(kind: Kind, message: impl Into<String>) -> Self {
        Self(Box::new(Parts {
            kind,
            message: message.into(),
            help: String::new(),
            place: Place::default(),
            cause: None,
        }))
    }

    /// Sets the help: how to fix the error.
    #[must_use]
    pub fn with_help(mut self, help: impl Into<String>) -> Self {
        self.0.help = help.into();
        self
    }

    /// Sets the path inside the value.
    #[must_use]
    pub fn with_pointer(mut self, pointer: impl Into<String>) -> Self {
        self.0.place.pointer = pointer.into();
        self
    }

    /// Sets the underlying error, for the operator's log.
    #[must_use]
    pub fn with_cause(
        mut self,
        cause: impl Into<Box<dyn std::error::Error + Send + Sync>>,
    ) -> Self {
        self.0.cause = Some(cause.into());
        self
    }

    /// Replaces the place.
    #[must_use]
    pub fn with_place(mut self, place: Place) -> Self {
        let pointer = std::mem::take(&mut self.0.place.pointer);
        self.0.place = place;
        if self.0.place.pointer.is_empty() {
            self.0.place.pointer = pointer;
        }
        self
    }

    /// Sets the file, unless it is already known.
    #[must_use]
    pub fn in_file(mut self, file: impl Into<PathBuf>) -> Self {
        self.0.place.file.get_or_insert_with(|| file.into());
        self
    }

    /// The kind of error.
    pub fn kind(&self) -> Kind {
        self.0.kind
    }

    /// The message, without the place.
    pub fn message(&self) -> &str {
        &self.0.message
    }

    /// How to fix the error; may be empty.
    pub fn help(&self) -> &str {
        &self.0.help
    }

    /// The place.
    pub fn place(&self) -> &Place {
        &self.0.place
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Messages quote definitions and data, and end on terminals.
        let mut text = String::new();
        self.write(&mut text, f.alternate())?;
        f.write_str(&printable(&text))
    }
}

/// Replaces characters that could control a terminal with a box: control characters other than line breaks,
/// and marks that change the text direction.
///
/// ```
/// assert_eq!(widgetcast_engine::error::printable("a\u{1b}[31mb\n"), "a\u{fffd}[31mb\n");
/// ```
pub fn printable(text: &str) -> std::borrow::Cow<'_, str> {
    let unsafe_char = |c: char| {
        c.is_control() && c != '\n'
            || matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
    };
    if text.contains(unsafe_char) {
        text.replace(unsafe_char, "\u{fffd}").into()
    } else {
        text.into()
    }
}

/// Formats a number with thousands separators.
///
/// ```
/// let grouped = [1, 999, 1000, 1_234_567].map(widgetcast_engine::error::grouped);
/// assert_eq!(grouped, ["1", "999", "1,000", "1,234,567"]);
/// ```
pub fn grouped(number: usize) -> String {
    let digits = number.to_string();
    let mut out = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

impl Error {
    fn write(&self, f: &mut impl fmt::Write, alternate: bool) -> fmt::Result {
        let Parts { message, help, place, .. } = &*self.0;
        if let Some(file) = &place.file {
            write!(f, "{}", file.display())?;
            if let Some((line, column)) = place.position {
                write!(f, ":{line}:{column}")?;
            }
            f.write_str(": ")?;
        }
        if !place.pointer.is_empty() {
            write!(f, "{}: ", place.pointer)?;
        }
        f.write_str(message)?;
        if !alternate {
            return Ok(());
        }
        if let Some(excerpt) = &place.excerpt {
            let line = place.position.map_or(1, |(line, _)| line).to_string();
            let margin = " ".repeat(line.len());
            write!(f, "\n {margin} |\n {line} | {}\n {margin} | ", excerpt.text)?;
            for _ in 0..excerpt.start {
                f.write_char(' ')?;
            }
            for _ in 0..excerpt.len.max(1) {
                f.write_char('^')?;
            }
        }
        if !help.is_empty() {
            write!(f, "\n  = help: {help}")?;
        }
        Ok(())
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        self.0.cause.as_deref().map(|cause| cause as _)
    }
}

/// The severity of a finding.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// Harmless here, but worth knowing; `--strict` does not change it.
    Note,
    /// The widget renders, but probably not as intended; `--strict` makes it an error.
    Warning,
    /// The widget, or this input, cannot be rendered.
    Error,
}

impl Severity {
    /// `note`, `warning` or `error`.
    pub fn name(self) -> &'static str {
        match self {
            Severity::Note => "note",
            Severity::Warning => "warning",
            Severity::Error => "error",
        }
    }
}

/// A problem in a definition, found by loading or checking it.
#[derive(Debug)]
pub struct Finding {
    /// The severity.
    pub severity: Severity,
    /// The problem and its place.
    pub error: Error,
    /// Whether it can be fixed.
    pub fix: Fix,
}

/// Whether a finding can be fixed automatically.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Fix {
    /// Only the author can fix it.
    None,
    /// There is one safe fix, which `check --fix` writes to the file.
    Offered,
    /// There is one safe fix, which loading has already applied in memory.
    Applied,
}

impl Finding {
    /// The finding without the cause of its error, which cannot be copied.
    pub fn copy(&self) -> Self {
        let Parts { kind, message, help, place, .. } = &*self.error.0;
        let error = Error::new(*kind, message).with_help(help).with_place(place.clone());
        Self { severity: self.severity, error, fix: self.fix }
    }

    /// Whether it makes the file unusable: the file defines no widget, or one that cannot render its own
    /// sample. A duplicate name does not count, nor do findings of strict checks.
    pub fn breaks_file(&self) -> bool {
        let code = self.error.kind().code();
        let kinds = [
            "file-",
            "field-missing",
            "field-type",
            "version",
            "schema",
            "template-",
            "output-",
            "tree-",
        ];
        self.severity == Severity::Error
            && self.fix == Fix::None
            && kinds.iter().any(|kind| code.starts_with(kind))
    }

    /// Creates a finding that only the author can fix.
    pub fn new(severity: Severity, error: Error) -> Self {
        Self { severity, error, fix: Fix::None }
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}[{}]: ", self.severity.name(), self.error.kind().code())?;
        fmt::Display::fmt(&self.error, f)?;
        if !f.alternate() {
            return Ok(());
        }
        f.write_str(match self.fix {
            Fix::None => "",
            Fix::Offered => "\n  = fix: `check --fix` fixes this in the file",
            Fix::Applied => "\n  = fix: fixed in memory; `check --fix` fixes it in the file",
        })
    }
}
