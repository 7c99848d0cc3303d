//! [`JsonRef`] as a JSON type of the `jsonschema` crate, so that arguments are validated without a copy. The
//! validator walks all of the data and collects every error before it returns the first. But it reads lists
//! and objects through the iterators below, and requests the value of each error: so these draw on the budget
//! and count errors, and end the walk when there are enough.

use std::borrow::Cow;
use std::cell::Cell;

use jsonschema::JsonType;
use jsonschema::json::{Array, Json, Node, NodeIdentity, Object, cmp, unique};
use serde_json::{Number, Value};
use widgetcast_engine::budget;
use widgetcast_engine::json::{JsonRef, MemberName, Members};

use super::message::describe;

/// Maximum errors of one walk, including those in branches of unions.
pub(super) const MAX_ERRORS: usize = 10_000;

/// Maximum bytes of the pointers of all errors of one walk: each holds the names of all objects around
/// it, which may be long.
const MAX_POINTERS: usize = 16 << 20;

/// A longer list with an error of its own is not walked; see also [`Walked`].
const MANY_ITEMS: usize = 100;

/// Maximum values of data that is copied for an error: see [`Walk::copied`].
const MAX_COPIED: usize = 1_000;

thread_local! {
    /// The remaining errors of the walk on this thread.
    static ERRORS_LEFT: Cell<usize> = const { Cell::new(MAX_ERRORS) };
    /// The address of the data that is copied for its error.
    static COPIED: Cell<usize> = const { Cell::new(0) };
    /// The address of the items of a long list with an error of its own, such as too many items. They need
    /// not be visited.
    static REFUSED: Cell<usize> = const { Cell::new(0) };
}

/// One walk through data, for at most this many errors of it.
pub(super) struct Walk(usize);

impl Walk {
    pub(super) fn start(data: &JsonRef<'_>, most: usize) -> Self {
        let most = most.min(MAX_ERRORS.min(MAX_POINTERS / longest_pointer(data).max(1)).max(1));
        ERRORS_LEFT.set(most);
        Self(most)
    }

    /// The same, but copies the whole data for an error about it. To report an undecided pattern, the
    /// validator looks for the text in such a copy, and panics if it is missing. `None` if the data is too
    /// large.
    pub(super) fn copied(data: &JsonRef<'_>, most: usize) -> Option<Self> {
        count(data, MAX_COPIED)?;
        let walk = Self::start(data, most);
        COPIED.set(address(data));
        Some(walk)
    }

    /// The number of errors so far.
    pub(super) fn made(&self) -> usize {
        self.0 - ERRORS_LEFT.get()
    }

    /// Whether it ended before it had visited everything.
    pub(super) fn is_cut(&self) -> bool {
        ERRORS_LEFT.get() == 0
    }
}

impl Drop for Walk {
    fn drop(&mut self) {
        ERRORS_LEFT.set(MAX_ERRORS);
        COPIED.set(0);
        REFUSED.set(0);
    }
}

fn address(value: &JsonRef<'_>) -> usize {
    std::ptr::from_ref::<JsonRef<'_>>(value).addr()
}

/// The approximate size of the longest pointer into data.
fn longest_pointer(data: &JsonRef<'_>) -> usize {
    match data {
        JsonRef::List(items) => items.iter().map(longest_pointer).max().map_or(0, |most| most + 4),
        JsonRef::Object(members) => {
            let of = |(key, member): &(Cow<'_, str>, JsonRef<'_>)| {
                key.len() + 1 + longest_pointer(member)
            };
            members.as_slice().iter().map(of).max().unwrap_or(0)
        }
        _ => 0,
    }
}

/// The number of values in data.
pub(super) fn size(data: &JsonRef<'_>) -> u64 {
    match data {
        JsonRef::List(items) => 1 + items.iter().map(size).sum::<u64>(),
        JsonRef::Object(members) => 1 + members.iter().map(|(_, member)| size(member)).sum::<u64>(),
        _ => 1,
    }
}

/// Subtracts the values of data from a number; `None` if there are more.
fn count(data: &JsonRef<'_>, left: usize) -> Option<usize> {
    let left = left.checked_sub(1)?;
    match data {
        JsonRef::List(items) => items.iter().try_fold(left, |left, item| count(item, left)),
        JsonRef::Object(members) => {
            members.iter().try_fold(left, |left, (_, member)| count(member, left))
        }
        _ => Some(left),
    }
}

/// The items of a list or the members of an object, as many as a walk may visit. Up to [`MANY_ITEMS`] are
/// counted together, further ones individually.
pub(super) struct Walked<'a, T> {
    rest: std::slice::Iter<'a, T>,
    is_long: bool,
}

impl<'a, T> Walked<'a, T> {
    #[inline]
    fn new(all: &'a [T]) -> Self {
        let is_long = all.len() > MANY_ITEMS;
        let may_begin = is_long || goes_on(all.len() as u64);
        Self { rest: if may_begin { all.iter() } else { [].iter() }, is_long }
    }

    #[inline]
    fn next(&mut self) -> Option<&'a T> {
        let item = self.rest.next()?;
        (!self.is_long || goes_on(1)).then_some(item)
    }
}

/// Whether the walk may take this many further steps.
#[inline]
fn goes_on(steps: u64) -> bool {
    budget::steps(steps).is_ok() && ERRORS_LEFT.get() > 0
}

/// The JSON type that validators are compiled for.
pub(super) struct Borrowed;

impl Json for Borrowed {
    type Node<'a> = &'a JsonRef<'a>;
    type PreparedKey = MemberName;
    type StringBuffer = ();

    // A lookup scans all members, and so does one for several keys: ask for several at once.
    const KEYS_PER_LOOKUP: usize = 8;

    fn prepare_key(key: &str) -> MemberName {
        key.into()
    }

    fn with_string_node<T>((): &mut (), string: &str, f: impl FnOnce(Self::Node<'_>) -> T) -> T {
        f(&JsonRef::Text(Cow::Borrowed(string)))
    }
}

impl<'a> Node<'a, Borrowed> for &'a JsonRef<'a> {
    type Object = &'a Members<'a>;
    type Array = &'a [JsonRef<'a>];
    type Number = &'a Number;

    fn as_object(&self) -> Option<&'a Members<'a>> {
        JsonRef::as_object(self)
    }

    fn as_array(&self) -> Option<&'a [JsonRef<'a>]> {
        match self {
            JsonRef::List(items) => Some(items),
            _ => None,
        }
    }

    fn as_string(&self) -> Option<Cow<'a, str>> {
        match self {
            JsonRef::Text(text) => Some(Cow::Borrowed(text)),
            _ => None,
        }
    }

    fn as_number(&self) -> Option<&'a Number> {
        match self {
            JsonRef::Number(number) => Some(number),
            _ => None,
        }
    }

    fn as_boolean(&self) -> Option<bool> {
        match self {
            JsonRef::Bool(flag) => Some(*flag),
            _ => None,
        }
    }

    fn is_null(&self) -> bool {
        matches!(self, JsonRef::Null)
    }

    fn json_type(&self) -> JsonType {
        match self {
            JsonRef::Null => JsonType::Null,
            JsonRef::Bool(_) => JsonType::Boolean,
            JsonRef::Number(_) => JsonType::Number,
            JsonRef::Text(_) => JsonType::String,
            JsonRef::List(_) => JsonType::Array,
            JsonRef::Object(_) => JsonType::Object,
        }
    }

    fn equals_value(&self, expected: &Value) -> bool {
        match (self, expected) {
            // Most enums are strings, which are compared without a copy.
            (JsonRef::Text(text), Value::String(expected)) => text == expected,
            (JsonRef::List(items), Value::Array(expected)) => {
                let same =
                    |(item, expected): (&'a JsonRef<'a>, &Value)| item.equals_value(expected);
                items.len() == expected.len() && items.iter().zip(expected).all(same)
            }
            (JsonRef::Object(members), Value::Object(expected)) => {
                let same = |(key, member): (&str, &'a JsonRef<'a>)| {
                    expected.get(key).is_some_and(|expected| member.equals_value(expected))
                };
                members.len() == expected.len() && members.iter().all(same)
            }
            (JsonRef::List(_) | JsonRef::Object(_) | JsonRef::Text(_), _) => false,
            _ => cmp::equal(&JsonRef::to_value(self), expected),
        }
    }

    /// Only errors request the value: they get its description, because the value may be large.
    fn to_value(&self) -> Cow<'a, Value> {
        let left = ERRORS_LEFT.get();
        if address(self) == COPIED.get() && left > 0 {
            ERRORS_LEFT.set(left.saturating_sub(MAX_COPIED));
            return Cow::Owned(JsonRef::to_value(self));
        }
        ERRORS_LEFT.set(left.saturating_sub(1));
        // The walk ends at the next list or object.
        _ = budget::steps(1);
        if let JsonRef::List(items) = self
            && items.len() > MANY_ITEMS
        {
            REFUSED.set(items.as_ptr().addr());
        }
        Cow::Owned(Value::String(describe(self)))
    }

    fn identity(&self) -> Option<NodeIdentity> {
        Some(NodeIdentity::new(address(self)))
    }
}

impl<'a> Object<'a, Borrowed> for &'a Members<'a> {
    type Node = &'a JsonRef<'a>;
    type MemberName = &'a str;
    type MembersIter = MembersIter<'a>;

    fn len(&self) -> usize {
        Members::len(self)
    }

    fn get(&self, key: &MemberName) -> Option<&'a JsonRef<'a>> {
        Members::find(self, key)
    }

    fn members(&self) -> MembersIter<'a> {
        MembersIter(Walked::new(self.as_slice()))
    }
}

pub(super) struct MembersIter<'a>(Walked<'a, (Cow<'a, str>, JsonRef<'a>)>);

impl<'a> Iterator for MembersIter<'a> {
    type Item = (&'a str, &'a JsonRef<'a>);

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        self.0.next().map(|(key, value)| (key.as_ref(), value))
    }
}

impl<'a> Array<'a, Borrowed> for &'a [JsonRef<'a>] {
    type Node = &'a JsonRef<'a>;
    type ElementsIter = ElementsIter<'a>;

    fn len(&self) -> usize {
        <[JsonRef<'_>]>::len(self)
    }

    fn elements(&self) -> ElementsIter<'a> {
        match self.as_ptr().addr() == REFUSED.get() {
            true => ElementsIter(Walked::new(&[])),
            false => ElementsIter(Walked::new(self)),
        }
    }

    fn is_unique(&self) -> bool {
        let values: Vec<Value> = self.iter().map(JsonRef::to_value).collect();
        unique::is_unique(&values)
    }
}

pub(super) struct ElementsIter<'a>(Walked<'a, JsonRef<'a>>);

impl<'a> Iterator for ElementsIter<'a> {
    type Item = &'a JsonRef<'a>;

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        self.0.next()
    }
}
