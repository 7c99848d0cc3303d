//! Enums whose variants are looked up by name, by one comparison for most names.

/// Declares an enum with a variant for each name, and `Other` for any other name.
macro_rules! names {
    ($(#[$doc:meta])* $vis:vis enum $enum:ident { $($variant:ident = $name:literal,)* }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        $vis enum $enum {
            $(
                #[doc = concat!("`", $name, "`")]
                $variant,
            )*
            /// Any other name.
            Other,
        }

        impl $enum {
            /// The name; empty for [`Other`](Self::Other). Not every enum is asked for it.
            #[allow(dead_code)]
            pub(crate) fn name(self) -> &'static str {
                match self {
                    $(Self::$variant => $name,)*
                    Self::Other => "",
                }
            }

            /// The variant of a name.
            #[inline]
            pub(crate) fn of(name: &str) -> Self {
                match name {
                    $($name => Self::$variant,)*
                    _ => Self::Other,
                }
            }

            /// The variant of a name of at most seven bytes, given as a little-endian word.
            #[inline]
            #[allow(non_upper_case_globals)]
            pub(crate) const fn of_word(word: u64) -> Self {
                $(const $variant: u64 = $crate::tree::names::to_word($name);)*
                match word {
                    $($variant => Self::$variant,)*
                    _ => Self::Other,
                }
            }
        }
    };
}
pub(crate) use names;

/// A name as a little-endian word. Longer names than seven bytes get a word that no name of at most
/// seven bytes has: the eighth byte is not zero, and flipping its top bit, which ASCII never sets,
/// keeps `ListView` and `ListViewItem` apart.
pub(crate) const fn to_word(name: &str) -> u64 {
    let bytes = name.as_bytes();
    let (mut word, mut at) = (0, 0);
    while at < bytes.len() && at < 8 {
        word |= (bytes[at] as u64) << (8 * at);
        at += 1;
    }
    word ^ if bytes.len() > 8 { 1 << 63 } else { 0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    names! {
        enum Sample {
            Row = "Row",
            Caption = "Caption",
            ListView = "ListView",
            ListViewItem = "ListViewItem",
        }
    }

    #[test]
    fn names_are_found_as_text_and_as_a_word() {
        for (name, expected) in [
            ("Row", Sample::Row),
            ("Caption", Sample::Caption),
            ("", Sample::Other),
            ("Ro", Sample::Other),
            ("Rows", Sample::Other),
        ] {
            assert_eq!(Sample::of(name), expected, "{name}");
            assert!(expected == Sample::Other || expected.name() == name);
            assert_eq!(Sample::of_word(to_word(name)), expected, "{name}");
        }
        assert_eq!(Sample::of("ListView"), Sample::ListView);
        assert_eq!(Sample::of("ListViewItem"), Sample::ListViewItem);
    }

    /// A word of at most seven bytes has a zero as its top byte; longer names must never equal one.
    #[test]
    fn a_long_name_is_no_short_word() {
        for name in ["ListView", "ListViewItem", "Table.Cell"] {
            assert_ne!(to_word(name) >> 56, 0, "{name}");
        }
        assert_ne!(to_word("ListView"), to_word("ListViewItem"));
    }
}
