//! The keys that the fold reads, and the key that holds the words of each component.

use crate::tree::component::{COMPONENTS, ComponentType, Fold};
use crate::tree::names::{names, to_word};

names! {
    /// The members that the fold reads, of a component or of an object in a prop.
    pub(crate) enum Key {
        Type = "type",
        Children = "children",
        Alt = "alt",
        AriaLabel = "ariaLabel",
        Cancel = "cancel",
        ColSpan = "colSpan",
        Color = "color",
        Confirm = "confirm",
        Data = "data",
        Column = "dataKey",
        DefaultChecked = "defaultChecked",
        DefaultValue = "defaultValue",
        Description = "description",
        Direction = "direction",
        Disabled = "disabled",
        Editable = "editable",
        FieldName = "fieldName",
        IconEnd = "iconEnd",
        IconStart = "iconStart",
        InputType = "inputType",
        Label = "label",
        LineThrough = "lineThrough",
        Name = "name",
        OnClickAction = "onClickAction",
        Options = "options",
        Payload = "payload",
        Placeholder = "placeholder",
        Required = "required",
        Series = "series",
        Status = "status",
        Text = "text",
        Url = "url",
        Value = "value",
        Width = "width",
        XAxis = "xAxis",
    }
}

impl Key {
    /// One bit in a set of keys.
    #[inline]
    pub(crate) fn bit(self) -> u64 {
        1 << self as u64
    }
}

/// By component type, the member that holds its words; `Other` for a type without words.
static WORDS: [Key; COMPONENTS.len() + 1] = {
    let (mut words, mut at) = ([Key::Other; COMPONENTS.len() + 1], 0);
    while at < COMPONENTS.len() {
        if let Fold::Heading(prop) | Fold::Text(prop) | Fold::Bracket(prop) = COMPONENTS[at].fold {
            words[at] = Key::of_word(to_word(prop));
        }
        at += 1;
    }
    words
};

/// The member that holds the words of a component; `Other` if it has none.
pub(super) fn words_key(component: ComponentType) -> Key {
    WORDS[component as usize]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_words_of_every_component_are_read() {
        for component in COMPONENTS {
            if let Fold::Heading(prop) | Fold::Text(prop) | Fold::Bracket(prop) = component.fold {
                assert!(Key::of(prop) != Key::Other, "{prop} is never read");
                assert_eq!(words_key(component.kind), Key::of(prop));
            }
        }
        assert_eq!(words_key(ComponentType::Other), Key::Other);
    }
}
