//! Roles that the author of a widget sets for components.

/// The role of a component with an `id`; it overrides the rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReadAs {
    /// The heading of the card.
    Heading,
    /// Its first part is the label, the rest is the value.
    Fact,
    /// Its children are the items of a list.
    List,
    /// Its parts are lines, one below the other.
    Text,
    /// Omitted in hosts that do not render the tree.
    Hidden,
}

impl ReadAs {
    /// All roles, by the name that authors write.
    pub const ALL: [(&'static str, Self); 5] = [
        ("heading", Self::Heading),
        ("fact", Self::Fact),
        ("list", Self::List),
        ("text", Self::Text),
        ("hidden", Self::Hidden),
    ];
}

/// The roles set by the author, by the `id` of the component.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Roles(Vec<(String, ReadAs)>);

impl Roles {
    /// The role of the component with this id.
    pub fn get(&self, id: &str) -> Option<ReadAs> {
        self.0.iter().find(|(named, _)| named == id).map(|(_, read_as)| *read_as)
    }

    /// Whether no role is set.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The ids that have a role.
    pub fn ids(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(|(id, _)| id.as_str())
    }
}

impl FromIterator<(String, ReadAs)> for Roles {
    fn from_iter<I: IntoIterator<Item = (String, ReadAs)>>(roles: I) -> Self {
        Self(roles.into_iter().collect())
    }
}
