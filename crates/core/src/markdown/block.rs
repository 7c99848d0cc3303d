//! The model of a Markdown text: blocks, and the inline content in them.

/// A paragraph, heading, code block, table or rule, and where it stands.
#[derive(Debug, PartialEq)]
pub(crate) struct Block {
    /// How many quotations are around it.
    pub(crate) quotes: usize,
    /// How many lists are around it.
    pub(crate) lists: usize,
    /// The marker of the list item that starts with this block.
    pub(crate) marker: Option<Marker>,
    pub(crate) content: Content,
}

/// What a block holds.
#[derive(Debug, PartialEq)]
pub(crate) enum Content {
    Heading(Vec<Inline>),
    Paragraph(Vec<Inline>),
    /// The lines of a code block as they are, without a line break at the end.
    Code(String),
    /// Rows of cells, the head first.
    Table(Vec<Vec<Vec<Inline>>>),
    Rule,
}

/// What precedes a list item.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Marker {
    Bullet,
    Number(u64),
    /// A task, and whether it is done.
    Task(bool),
}

/// A piece of inline content. Every `Open` has its `Close`, in the order of brackets.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Inline {
    /// Text, escapes and entities resolved. Two texts never stand next to each other.
    Text(String),
    Code(String),
    /// A line break in the source that is not one in the result.
    SoftBreak,
    HardBreak,
    Open(Mark),
    Close,
}

/// What encloses inline content.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Mark {
    Strong,
    Emphasis,
    Strikethrough,
    /// A link and its address, which may be of any scheme.
    Link(String),
    /// An image and its address; what it encloses is the alternative text.
    Image(String),
}

impl Marker {
    /// The marker as text, with a space behind it.
    pub(crate) fn text(self) -> String {
        match self {
            Self::Bullet => "• ".to_owned(),
            Self::Number(number) => format!("{number}. "),
            Self::Task(false) => "☐ ".to_owned(),
            Self::Task(true) => "☑ ".to_owned(),
        }
    }
}

impl Block {
    /// Whether it is the first block of a list item and follows another item or its content, so that
    /// no blank line belongs between them.
    pub(crate) fn continues_list(&self, before: &Block) -> bool {
        self.marker.is_some() && before.lists > 0 && self.quotes == before.quotes
    }
}

/// Inline content without its marks.
pub(crate) fn plain_text(inlines: &[Inline]) -> String {
    let pieces = inlines.iter().map(|inline| match inline {
        Inline::Text(text) | Inline::Code(text) => text,
        Inline::SoftBreak | Inline::HardBreak => " ",
        Inline::Open(_) | Inline::Close => "",
    });
    pieces.collect()
}
