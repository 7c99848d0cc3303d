//! One broken definition for each kind of error, with its exact message.
//!
//! `<code>.widget` is checked strictly where its kind is asked for only then; with `<code>.json`
//! next to it, it is rendered with that data. `<code>.<case>.widget` is another way to that kind, and
//! its messages are in `<code>.<case>.txt`. `WIDGETCAST_BLESS=1` rewrites the messages.

use super::shared;
use widgetcast_core::{Catalog, CheckOptions, Kind, check};

/// Kinds that no single file can show, and the test that does.
const ELSEWHERE: &[(Kind, &str)] = &[
    (Kind::FileRead, "catalog::a_missing_directory_cannot_be_read"),
    (Kind::FileLink, "catalog::links_stay_inside"),
    (Kind::FileSize, "catalog::large_files_are_refused"),
    (Kind::NameTaken, "catalog::two_widgets_with_one_name"),
    (Kind::HostTemplate, "host_templates::what_a_host_would_refuse_is_found"),
    (Kind::HostTemplateUnused, "host_templates::templates_without_a_widget_are_found"),
    (Kind::UnknownTool, "catalog::actions_name_tools_of_the_folder"),
    (Kind::NotFound, "for callers that look a template up by name"),
];

#[test]
fn every_kind_has_its_message() {
    let folder = shared::project("fixtures/broken");
    let mut faults = Vec::new();
    for kind in Kind::ALL {
        let file = folder.join(format!("{}.widget", kind.code()));
        if ELSEWHERE.iter().any(|(elsewhere, _)| elsewhere == kind) {
            assert!(!file.exists(), "{} is said to be elsewhere", kind.code());
            continue;
        }
        assert!(file.exists(), "{} has no file", kind.code());
    }
    for file in shared::files(&folder, "widget") {
        let code = file.file_name().unwrap().to_str().unwrap().split('.').next().unwrap();
        let Some(kind) = Kind::ALL.iter().find(|kind| kind.code() == code) else {
            faults.push(format!("{} is for no kind of error", file.display()));
            continue;
        };
        let (kinds, text) = messages(*kind, &file);
        if !kinds.contains(kind) {
            faults.push(format!("{} does not show {}:\n{text}", file.display(), kind.code()));
        }
        faults.extend(shared::expect(&file.with_extension("txt"), &text).err());
    }
    assert!(faults.is_empty(), "{}", faults.join("\n\n"));
}

fn messages(kind: Kind, file: &std::path::Path) -> (Vec<Kind>, String) {
    let name = file.file_name().unwrap().to_str().unwrap();
    let text: &'static str =
        Box::leak(std::fs::read_to_string(file).unwrap_or_default().into_boxed_str());
    let catalog = Catalog::from_static(&[(Box::leak(name.to_owned().into_boxed_str()), text)]);
    let data = file.with_extension("json");
    if data.exists() {
        let widget = catalog.widgets().next().unwrap_or_else(|| panic!("{name} does not load"));
        let error = widget.render(&shared::json(&data)).expect_err(name);
        return (vec![error.kind()], format!("{error:#}\n"));
    }
    let options = match kind {
        Kind::NoSchema | Kind::NoPreview | Kind::NoDescription => CheckOptions::strict(),
        _ => CheckOptions::default(),
    };
    let findings = check(&catalog, &options, &|_| {});
    let text = findings.iter().map(|finding| format!("{finding:#}\n")).collect();
    (findings.iter().map(|finding| finding.error.kind()).collect(), text)
}
