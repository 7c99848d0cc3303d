//! Findings as JUnit XML: a test case for each file with findings, which fails if one is worse than a note,
//! and one for all other files.

use std::collections::BTreeMap;

use quick_xml::Writer;
use quick_xml::events::{BytesText, Event};
use widgetcast_core::{Finding, Severity};

pub(crate) fn text(findings: &[Finding], widgets: usize) -> std::io::Result<String> {
    let mut files: BTreeMap<String, Vec<&Finding>> = BTreeMap::new();
    for finding in findings.iter().filter(|finding| finding.severity > Severity::Note) {
        let file = finding.error.place().file.as_ref();
        let file = file.map(|file| file.display().to_string()).unwrap_or_default();
        files.entry(file).or_default().push(finding);
    }
    let good = widgets.saturating_sub(files.len());
    let tests = files.len() + usize::from(good > 0);
    let mut writer = Writer::new_with_indent(Vec::new(), b' ', 2);
    let counts = [("tests", tests.to_string()), ("failures", files.len().to_string())];
    let suite = writer.create_element("testsuite").with_attribute(("name", "widgetcast check"));
    let suite = suite.with_attributes(counts.iter().map(|(name, count)| (*name, count.as_str())));
    suite.write_inner_content(|writer| {
        for (file, findings) in &files {
            let test = writer.create_element("testcase").with_attribute(("classname", "widgets"));
            test.with_attribute(("name", file.as_str())).write_inner_content(|writer| {
                let words: Vec<String> = findings.iter().map(|f| format!("{f:#}")).collect();
                let kind = findings[0].error.kind().code();
                let failure = writer.create_element("failure").with_attribute(("type", kind));
                let failure = failure.with_attribute(("message", findings[0].error.message()));
                failure.write_text_content(BytesText::new(&words.join("\n\n")))?;
                Ok(())
            })?;
        }
        if good > 0 {
            let test = writer.create_element("testcase").with_attribute(("classname", "widgets"));
            let name = format!("{good} without a warning");
            test.with_attribute(("name", name.as_str())).write_empty()?;
        }
        Ok(())
    })?;
    let declaration = quick_xml::events::BytesDecl::new("1.0", Some("UTF-8"), None);
    let mut whole = Writer::new(Vec::new());
    whole.write_event(Event::Decl(declaration))?;
    let mut bytes = whole.into_inner();
    bytes.push(b'\n');
    bytes.extend(writer.into_inner());
    String::from_utf8(bytes).map_err(std::io::Error::other)
}
