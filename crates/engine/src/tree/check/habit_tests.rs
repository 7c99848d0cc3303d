//! Habits against the component table: what is suggested exists, and comes before near words.

use crate::habit::*;
use crate::tree::component::{COMPONENTS, Component, ICONS as KNOWN_ICONS};

#[test]
fn what_is_suggested_exists() {
    for (owners, words, meant) in RENAMED_PROPS {
        for owner in owners.split(' ').filter(|owner| owner.starts_with(char::is_uppercase)) {
            let component = Component::find(owner).unwrap_or_else(|| panic!("{owner}"));
            assert!(component.prop(meant).is_some(), "{owner} has no {meant}");
            for word in words.split(' ') {
                assert!(component.prop(word).is_none(), "{owner} has {word}");
            }
        }
    }
    for (words, meant) in RENAMED_COMPONENTS {
        assert!(Component::find(meant).is_some(), "{meant}");
        assert!(words.split(' ').all(|word| Component::find(word).is_none()), "{words}");
    }
    for (words, meant) in ICONS {
        assert!(meant.starts_with("lucide:") || KNOWN_ICONS.contains(meant), "{meant}");
        assert!(words.split(' ').all(|word| !KNOWN_ICONS.contains(&word)), "{words}");
    }
}

#[test]
fn habits_come_before_near_words() {
    let known = || COMPONENTS.iter().map(|component| component.name);
    assert_eq!(component("Paragraph", known()), "did you mean Text?");
    assert_eq!(component("Titel", known()), "did you mean Title?");
    assert!(component("Avatar", known()).contains("Image"));
    let props = |name| Component::find(name).unwrap().all_props().map(|prop| prop.name);
    assert_eq!(prop("Title", "text", props("Title")), "did you mean value?");
    assert_eq!(prop("Title", "sise", props("Title")), "did you mean size?");
    assert!(prop("Input", "label", props("Input")).contains("fieldName"));
    assert!(prop("Box", "className", props("Box")).contains("padding"));
    assert_eq!(icon("download", KNOWN_ICONS), "did you mean lucide:download?");
    assert_eq!(icon("calender", KNOWN_ICONS), "did you mean calendar?");
    assert_eq!(icon("zebra", KNOWN_ICONS), "if lucide has it, write `lucide:zebra`");
    assert_eq!(choice("space-between", &["start", "between"]), "did you mean between?");
    assert_eq!(choice("medium", &["normal", "medium"]), "did you mean medium?");
    assert_eq!(choice("regular", &["normal", "bold"]), "did you mean normal?");
}

#[test]
fn a_component_without_a_type_is_known_by_its_keys() {
    let help = |key| no_type(key, COMPONENTS.iter().map(|component| component.name));
    assert!(help("Text").unwrap().contains("`{ \"type\": \"Text\", … }`"));
    assert!(help("Paragraph").unwrap().contains("\"Text\""));
    assert_eq!(help("kind").unwrap(), "write `type` instead of `kind`");
    assert_eq!(help("value"), None);
}

#[test]
fn a_size_is_not_taken_for_its_opposite() {
    assert_eq!(choice("xs", &["sm", "md", "xl"]), "the smallest is sm");
    assert_eq!(choice("2xl", &["sm", "md", "xl"]), "the largest is xl");
    assert_eq!(icon("fa-trash", KNOWN_ICONS), "did you mean lucide:trash?");
    assert_eq!(icon("fas fa-calendar", KNOWN_ICONS), "did you mean calendar?");
}
