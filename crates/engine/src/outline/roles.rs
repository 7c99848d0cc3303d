//! What the author of a widget says about how parts of it read.

/// How a component with an `id` is read, in place of what the rules recognise.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReadAs {
    /// It is what the card is about.
    Heading,
    /// Its first part is a label, and the rest its value.
    Fact,
    /// Its children are the items of a list.
    List,
    /// Its parts are lines, one below the other.
    Text,
    /// It is not shown where the tree is not drawn.
    Hidden,
}

impl ReadAs {
    /// Every way, by the name that authors write.
    pub const ALL: [(&'static str, Self); 5] = [
        ("heading", Self::Heading),
        ("fact", Self::Fact),
        ("list", Self::List),
        ("text", Self::Text),
        ("hidden", Self::Hidden),
    ];
}

/// The ways of reading that an author has chosen, by the `id` of the component.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Roles(Vec<(String, ReadAs)>);

impl Roles {
    /// How the component of this id is read.
    pub fn get(&self, id: &str) -> Option<ReadAs> {
        self.0.iter().find(|(named, _)| named == id).map(|(_, read_as)| *read_as)
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The ids that are named.
    pub fn ids(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(|(id, _)| id.as_str())
    }
}

impl FromIterator<(String, ReadAs)> for Roles {
    fn from_iter<I: IntoIterator<Item = (String, ReadAs)>>(roles: I) -> Self {
        Self(roles.into_iter().collect())
    }
}
