//! The names that the fold knows: each is compared once, when it is read.

use crate::tree::component::{COMPONENTS, Component, Fold};

/// Declares an enum whose variants are read from names.
macro_rules! names {
    ($(#[$doc:meta])* $enum:ident { $($variant:ident = $name:literal,)* }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub(crate) enum $enum {
            /// Any other name.
            Other,
            $($variant,)*
        }

        impl $enum {
            #[inline]
            pub(crate) const fn of(name: &str) -> Self {
                match name.as_bytes() {
                    $($name => Self::$variant,)*
                    _ => Self::Other,
                }
            }

            /// The same of a name of at most seven bytes, held in one word.
            #[inline]
            #[allow(non_upper_case_globals)]
            pub(super) fn of_word(word: u64) -> Self {
                $(const $variant: u64 = to_word($name);)*
                match word {
                    $($variant => Self::$variant,)*
                    _ => Self::Other,
                }
            }
        }
    };
}

/// The first eight bytes of a name. Eight are one more than a word that is looked for has, so a
/// longer name is never found.
const fn to_word(name: &[u8]) -> u64 {
    let (mut word, mut at) = (0, 0);
    while at < name.len() && at < 8 {
        word |= (name[at] as u64) << (8 * at);
        at += 1;
    }
    // `ListViewItem` begins like `ListView`.
    word ^ if name.len() > 8 { 1 << 63 } else { 0 }
}

names! {
    /// The components.
    Kind {
        Badge = b"Badge",
        Basic = b"Basic",
        Box = b"Box",
        Button = b"Button",
        Caption = b"Caption",
        Card = b"Card",
        Chart = b"Chart",
        Checkbox = b"Checkbox",
        Col = b"Col",
        DatePicker = b"DatePicker",
        Divider = b"Divider",
        Form = b"Form",
        Icon = b"Icon",
        Image = b"Image",
        Input = b"Input",
        Label = b"Label",
        ListView = b"ListView",
        ListViewItem = b"ListViewItem",
        Markdown = b"Markdown",
        RadioGroup = b"RadioGroup",
        Row = b"Row",
        Select = b"Select",
        Spacer = b"Spacer",
        Table = b"Table",
        TableCell = b"Table.Cell",
        TableRow = b"Table.Row",
        Text = b"Text",
        Textarea = b"Textarea",
        Title = b"Title",
        Transition = b"Transition",
    }
}

/// The rows of the component table, by kind.
static ROWS: [Option<&Component>; 64] = {
    let (mut rows, mut at) = ([None; 64], 0);
    while at < COMPONENTS.len() {
        rows[Kind::of(COMPONENTS[at].name) as usize] = Some(&COMPONENTS[at]);
        at += 1;
    }
    rows
};

/// The member that is what a component says, by kind.
static WORDS: [Key; 64] = {
    let (mut words, mut at) = ([Key::Other; 64], 0);
    while at < ROWS.len() {
        if let Some(Component { fold, .. }) = ROWS[at]
            && let Fold::Heading(prop) | Fold::Text(prop) | Fold::Bracket(prop) = fold
        {
            words[at] = Key::of(prop);
        }
        at += 1;
    }
    words
};

impl Kind {
    /// The member that is what it says, if it is words.
    pub(super) fn words(self) -> Key {
        WORDS[self as usize]
    }

    pub(super) fn component(self) -> Option<&'static Component> {
        ROWS[self as usize]
    }
}

names! {
    /// The members that are asked for, of a component or of an object in a prop.
    Key {
        Type = b"type",
        Children = b"children",
        Alt = b"alt",
        AriaLabel = b"ariaLabel",
        Cancel = b"cancel",
        ColSpan = b"colSpan",
        Color = b"color",
        Confirm = b"confirm",
        Data = b"data",
        Column = b"dataKey",
        DefaultChecked = b"defaultChecked",
        DefaultValue = b"defaultValue",
        Description = b"description",
        Direction = b"direction",
        Disabled = b"disabled",
        Editable = b"editable",
        FieldName = b"fieldName",
        IconEnd = b"iconEnd",
        IconStart = b"iconStart",
        InputType = b"inputType",
        Label = b"label",
        LineThrough = b"lineThrough",
        Name = b"name",
        OnClickAction = b"onClickAction",
        Options = b"options",
        Payload = b"payload",
        Placeholder = b"placeholder",
        Required = b"required",
        Series = b"series",
        Status = b"status",
        Text = b"text",
        Url = b"url",
        Value = b"value",
        Width = b"width",
        XAxis = b"xAxis",
    }
}

impl Key {
    /// One bit in a set of keys.
    #[inline]
    pub(crate) fn bit(self) -> u64 {
        1 << self as u64
    }
}

#[test]
fn every_component_is_known() {
    for component in COMPONENTS {
        let kind = Kind::of(component.name);
        assert!(kind != Kind::Other, "{} has no kind", component.name);
        assert_eq!(kind.component().map(|row| row.name), Some(component.name));
        if let Fold::Heading(prop) | Fold::Text(prop) | Fold::Bracket(prop) = component.fold {
            assert!(Key::of(prop) != Key::Other, "{prop} is never read");
            assert_eq!(kind.words(), Key::of(prop));
        }
    }
    assert!((Kind::Transition as usize) < 64);
    for name in ["Row", "Spacer", "Caption"] {
        assert_eq!(Kind::of_word(to_word(name.as_bytes())), Kind::of(name));
    }
    assert_eq!(Key::of_word(to_word(b"iconEnd")), Key::IconEnd);
}
