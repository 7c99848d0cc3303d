//! A tree as its readers need it: its values in one list.
//!
//! They are in the order of the JSON text, and each knows where its descendants end; so a tree of
//! any size is one allocation, and its texts are slices of what they were taken from. It is built by
//! [`super::builder`] and read through [`super::node`].

use super::name::Key;
use crate::tree::component::ComponentType;

/// The values of a component tree; the first one is the root.
///
/// ```
/// use widgetcast_engine::tree::{CompactTree, Key};
/// let tree = CompactTree::read(r#"{"type":"Card","children":[{"type":"Title","value":"Order 7"}]}"#);
/// let title = tree.root().unwrap().children().next().unwrap();
/// assert_eq!(title.text(Key::Value), Some("Order 7"));
/// assert_eq!(tree.pointers(&[title.index()]), ["/children/0"]);
/// ```
#[derive(Default)]
pub struct CompactTree<'t> {
    pub(super) items: Vec<Item<'t>>,
    /// Texts that could not be borrowed.
    pub(super) strings: Vec<String>,
    /// The indexes of `Label` components.
    pub(super) labels: Vec<u32>,
    /// The indexes of components that may be fields of a form.
    pub(super) fields: Vec<u32>,
}

/// One value.
pub(super) struct Item<'t> {
    pub(super) value: NodeValue<'t>,
    /// Its index in the list.
    pub(super) at: u32,
    /// The index after its last descendant.
    pub(super) end: u32,
    /// The index of its `children`; 0 if it has none.
    pub(super) children: u32,
    /// Its key in the object that it is a member of.
    pub(super) key: Key,
    /// Its type, if it is a component.
    pub(super) component: ComponentType,
}

#[derive(Clone, Copy)]
pub(crate) enum NodeValue<'t> {
    Null,
    Bool(bool),
    /// A number that prints as it is written in JSON.
    Integer(TextRef<'t>),
    Number(TextRef<'t>),
    /// Without control characters, so a terminal may print it.
    Text(TextRef<'t>),
    /// A list, whose items follow.
    List,
    /// An object in a prop, whose members follow. Its JSON, where the tree was read from JSON.
    Object(&'t str),
    /// A component, whose members follow. Keys outside this set are not among them.
    Component(u64),
    /// A row of a chart's data: names and values follow in turn.
    Row,
}

/// A text. Not a `Cow`: a type without a destructor is written where it belongs instead of being
/// made elsewhere and copied there, which saves a third of the time that building a tree takes.
#[derive(Clone, Copy)]
pub(crate) enum TextRef<'t> {
    Borrowed(&'t str),
    /// The index in [`CompactTree::strings`].
    Owned(u32),
}

impl<'t> CompactTree<'t> {
    /// The number of values.
    pub fn len(&self) -> usize {
        self.items.len()
    }

    /// Whether it is empty, because it was read from text that is not JSON.
    pub fn is_empty(&self) -> bool {
        self.items.is_empty()
    }

    /// The JSON pointers of nodes by their indexes, in one pass over the tree.
    pub fn pointers(&self, indexes: &[u32]) -> Vec<String> {
        let mut wanted: Vec<(u32, usize)> =
            indexes.iter().enumerate().map(|(place, at)| (*at, place)).collect();
        wanted.sort_unstable();
        let mut pointers = vec![String::new(); indexes.len()];
        let mut wanted = wanted.into_iter().peekable();
        // The lists and objects around the current value: where it ends, the length of its pointer, and
        // the number of the next item if it is a list.
        let mut open: Vec<(u32, usize, Option<usize>)> = Vec::new();
        let mut pointer = String::new();
        for item in &self.items {
            while open.last().is_some_and(|(end, ..)| *end <= item.at) {
                open.pop();
            }
            pointer.truncate(open.last().map_or(0, |(_, length, _)| *length));
            match open.last_mut() {
                None => {}
                Some((.., Some(next))) => {
                    pointer.push('/');
                    pointer.push_str(&next.to_string());
                    *next += 1;
                }
                Some(_) => {
                    pointer.push('/');
                    pointer.push_str(item.key.name());
                }
            }
            while let Some((_, place)) = wanted.next_if(|(at, _)| *at == item.at) {
                pointers[place].clone_from(&pointer);
            }
            if wanted.peek().is_none() {
                break;
            }
            if item.end > item.at + 1 {
                let is_list = matches!(item.value, NodeValue::List);
                open.push((item.end, pointer.len(), is_list.then_some(0)));
            }
        }
        pointers
    }
}

impl std::fmt::Debug for CompactTree<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("CompactTree").field("values", &self.len()).finish_non_exhaustive()
    }
}

/// Whether a JSON number prints as it is written.
pub(crate) fn is_integer(number: &str) -> bool {
    // `-0` is a float, and prints as `0`.
    number.parse::<u64>().is_ok() || (number != "-0" && number.parse::<i64>().is_ok())
}
