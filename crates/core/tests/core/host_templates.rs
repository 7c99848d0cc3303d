//! An author's Slack templates next to a widget: checked as widgets are, each for itself, and safe for data.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};

use serde_json::{Value, json};
use widgetcast_core::{Catalog, CheckOptions, Finding, Hydration, Kind, Severity, check, slack};

const WIDGET: &str = r#"{"version":"1.0","name":"Order","template":
    "{\"type\":\"Card\",\"children\":[{\"type\":\"Text\",\"value\":{{ title | json }}}]}",
    "jsonSchema":{"type":"object","properties":{"title":{"type":"string"},"url":{"type":"string"}},"required":["title"]},
    "sample":{"title":"Order 7","url":"https://example.com/7?a=1&b=2"}}"#;

const BLOCKS: &str = "\
blocks:
  - type: header
    text:
      type: plain_text
      text: '{{ title }}'
  - type: section
    text:
      type: mrkdwn
      text: '*{{ title }}* <{{ url }}|open>'
";

const OBJECT: &str = "\
event_type: order.shown
entity:
  app_unfurl_url: 'https://example.com'
  url: '{{ url }}'
  external_ref:
    id: '7'
  entity_type: slack#/entities/item
  entity_payload:
    attributes:
      title:
        text: '{{ title }}'
";

/// A directory of its own, which is removed again.
struct Folder(PathBuf);

impl Drop for Folder {
    fn drop(&mut self) {
        _ = std::fs::remove_dir_all(&self.0);
    }
}

fn folder(files: &[(&str, &str)]) -> (Folder, Catalog) {
    static COUNT: AtomicUsize = AtomicUsize::new(0);
    let number = COUNT.fetch_add(1, Ordering::Relaxed);
    let name = format!("widgetcast-slack-{}-{number}", std::process::id());
    let dir = Folder(std::env::temp_dir().join(name));
    std::fs::create_dir_all(&dir.0).unwrap();
    std::fs::write(dir.0.join("order.widget"), WIDGET).unwrap();
    for (name, text) in files {
        std::fs::write(dir.0.join(name), text).unwrap();
    }
    let catalog = Catalog::from_dir(&dir.0).unwrap();
    (dir, catalog)
}

fn blocks(files: &[(&str, &str)], data: &Value) -> Value {
    let (_dir, catalog) = folder(files);
    let widget = catalog.get("order").unwrap();
    catalog.author_template(widget, slack::BLOCKS_SURFACE.template.unwrap(), data).unwrap().unwrap()
}

/// The findings about Slack templates: file, line, kind and message.
fn findings(files: &[(&str, &str)]) -> Vec<(String, usize, Kind, String)> {
    let (_dir, catalog) = folder(files);
    let found = check(&catalog, &CheckOptions::default(), &|_| {});
    let about = |finding: &Finding| {
        let place = finding.error.place();
        let file = place.file.as_deref().and_then(Path::file_name)?.to_str()?.to_owned();
        let line = place.position.map_or(0, |(line, _)| line);
        let is_slack = file.ends_with(".yml");
        is_slack.then(|| (file, line, finding.error.kind(), finding.error.message().to_owned()))
    };
    found.iter().filter_map(about).collect()
}

#[test]
fn good_templates_have_no_findings() {
    let files = [("order.blocks.yml", BLOCKS), ("order.work-object.yml", OBJECT)];
    assert_eq!(findings(&files), []);
}

#[test]
fn what_a_host_would_refuse_is_found() {
    let nonsense = BLOCKS.replace("type: section", "type: nonsense");
    let [(file, line, kind, message)] = &findings(&[("order.blocks.yml", &nonsense)])[..] else {
        panic!("one finding");
    };
    assert_eq!((file.as_str(), *line, *kind), ("order.blocks.yml", 6, Kind::HostTemplate));
    assert!(message.contains("blocks[1].type"), "{message}");

    let object = OBJECT.replace("  entity_type: slack#/entities/item\n", "");
    let found = findings(&[("order.work-object.yml", &object)]);
    assert!(
        found.iter().any(|(_, line, kind, message)| {
            *kind == Kind::HostTemplate && *line == 2 && message.contains("entity_type")
        }),
        "{found:?}"
    );
}

#[test]
fn variables_are_found_with_their_line() {
    let wrong = BLOCKS.replace("*{{ title }}*", "*{{ titel }}*");
    let found = findings(&[("order.blocks.yml", &wrong)]);
    let kinds: Vec<(usize, Kind)> = found.iter().map(|(_, line, kind, _)| (*line, *kind)).collect();
    assert_eq!(kinds, [(9, Kind::TemplateUndefined), (9, Kind::VariableUndeclared)], "{found:?}");

    let syntax = BLOCKS.replace("*{{ title }}*", "*{{ title | }}*");
    let found = findings(&[("order.blocks.yml", &syntax)]);
    assert_eq!((found[0].1, found[0].2), (9, Kind::TemplateSyntax), "{found:?}");
}

/// Neither a comment with the same words nor an item that is left out shifts a place.
#[test]
fn places_are_exact() {
    let found = findings(&[(
        "order.blocks.yml",
        "# {{ titel }}\nblocks:\n  - {type: section, text:\n      {type: mrkdwn,\n       \
         text: \"a\\t{{ titel }}\"}}\n",
    )]);
    assert!(!found.is_empty() && found.iter().all(|(_, line, ..)| *line == 5), "{found:?}");

    let found = findings(&[(
        "order.blocks.yml",
        "blocks:\n  - when: nothing\n    type: divider\n  - type: divider\n  - type: header\n    \
         when: title\n    text: {type: plain_text,\n      text: 7}\n  - type: wrong\n",
    )]);
    let lines: Vec<usize> =
        found.iter().filter(|f| f.2 == Kind::HostTemplate).map(|f| f.1).collect();
    assert_eq!(lines, [8, 9], "{found:?}");

    // What data brings is shown where it is printed.
    let found = findings(&[(
        "order.blocks.yml",
        "name: a\nblocks:\n  - type: context\n    elements: >-\n      {{ [{'type': title}] | json }}\n",
    )]);
    assert!(!found.is_empty() && found.iter().all(|(_, line, ..)| *line == 4), "{found:?}");
}

#[test]
fn templates_without_a_widget_are_found() {
    let found = findings(&[("order.blocks.yml", BLOCKS), ("named.yml", BLOCKS)]);
    assert_eq!(found, [], "one that has its widget, and one for callers that name it");
    let unused = |file: &str| {
        let (_dir, catalog) = folder(&[(file, OBJECT)]);
        let mut found = check(&catalog, &CheckOptions::default(), &|_| {});
        found.retain(|finding| finding.error.kind() == Kind::HostTemplateUnused);
        let [finding] = &found[..] else { panic!("{found:?}") };
        assert_eq!(finding.severity, Severity::Warning);
        assert!(finding.error.place().file.as_ref().is_some_and(|path| path.ends_with(file)));
        finding.error.help().to_owned()
    };
    assert_eq!(unused("ordre.work-object.yml"), "did you mean order.work-object.yml?");
    assert!(unused("invoice.work-object.yml").contains("name it after a widget file"));
}

/// A template may be named after the widget where its file has another name.
#[test]
fn a_widget_is_suggested_by_its_own_name() {
    let widget = WIDGET.replace("\"Order\"", "\"Parcel Tracking\"");
    let files = [("parcel.widget", &*widget), ("parcel_tracking.blocks.yml", BLOCKS)];
    let (_dir, catalog) = folder(&files);
    let found = check(&catalog, &CheckOptions::default(), &|_| {});
    let help = found.iter().map(|finding| finding.error.help());
    assert!(help.into_iter().any(|help| help == "did you mean parcel.blocks.yml?"), "{found:?}");
}

/// A template that fails takes neither the other one nor the widget with it.
#[test]
fn each_fails_alone() {
    let wrong = OBJECT.replace("{{ url }}", "{{ missing }}");
    let (_dir, catalog) =
        folder(&[("order.blocks.yml", BLOCKS), ("order.work-object.yml", &wrong)]);
    let data = json!({"title": "Order 7", "url": "https://example.com"});
    let call = Hydration::new("order", &data, "text", "order");
    let content = catalog.hydrate_for_tool_result(&call).unwrap().to_json()["content"].clone();
    let mimes: Vec<&str> =
        (1..).map_while(|at| content[at]["resource"]["mimeType"].as_str()).collect();
    assert_eq!(mimes, ["application/vnd.ui.widget+json", slack::BLOCKS_MIME]);

    let mut named = call;
    named.slack_template = Some("order.work-object");
    assert!(catalog.hydrate_for_tool_result(&named).is_err(), "one that is asked for must work");
}

/// `<!channel>` in data is harmless where Slack reads mrkdwn, and the same characters elsewhere.
#[test]
fn data_is_escaped_in_mrkdwn_alone() {
    let data = json!({"title": "<!channel> & <b>", "url": "https://example.com/7?a=1&b=2"});
    let given = blocks(&[("order.blocks.yml", BLOCKS)], &data);
    assert_eq!(given[0]["text"]["text"], "<!channel> & <b>");
    assert_eq!(
        given[1]["text"]["text"],
        "*&lt;!channel&gt; &amp; &lt;b&gt;* <https://example.com/7?a=1&amp;b=2|open>"
    );

    let text = |template: &str| {
        let file = format!(
            "blocks:\n  - type: section\n    text:\n      type: mrkdwn\n      text: {template:?}\n"
        );
        blocks(&[("order.blocks.yml", &file)], &data)[0]["text"]["text"].clone()
    };
    for (template, expected) in [
        ("{{ title | json }}", "&lt;!channel&gt; &amp; &lt;b&gt;"),
        ("{{ title | mrkdwn }} {{ title }}", "<!channel> & <b> &lt;!channel&gt; &amp; &lt;b&gt;"),
        ("{{ title | safe }}", "<!channel> & <b>"),
        ("{{ title | mrkdwn | json }}", "<!channel> & <b>"),
        ("{{ ('<' ~ title) | upper }}", "&lt;&lt;!CHANNEL&gt; &amp; &lt;B&gt;"),
        (
            "{{ '<https://e.com|' | mrkdwn ~ title ~ '>' | mrkdwn }}",
            "<https://e.com|&lt;!channel&gt; &amp; &lt;b&gt;>",
        ),
        ("{% for c in title[:3] %}{{ c }}{% endfor %}", "&lt;!c"),
        ("{% if title == '<!channel> & <b>' %}same{% endif %}", "same"),
        ("{{ title | length }}", "16"),
        ("{% set t %}{{ title }}{% endset %}{{ t }}", "&lt;!channel&gt; &amp; &lt;b&gt;"),
    ] {
        assert_eq!(text(template), expected, "{template}");
    }
    // Data cannot say of itself that it is markup.
    let marked = json!({"title": "\u{fdd1}\u{fdd2}<!channel>\u{fdd3}", "url": ""});
    let given = blocks(&[("order.blocks.yml", BLOCKS)], &marked);
    assert_eq!(given[1]["text"]["text"], "*&lt;!channel&gt;* <|open>");
    let list = "blocks:\n  - type: section\n    text:\n      type: mrkdwn\n      text: '{% for name, n in url | items %}{{ name }}{% endfor %}'\n";
    let marked = json!({"title": "", "url": {"\u{fdd1}<!channel>": 1, "\u{fdd2}<!here>": 2}});
    let given = blocks(&[("order.blocks.yml", list)], &marked);
    assert_eq!(given[0]["text"]["text"], "&lt;!channel&gt;&lt;!here&gt;", "names are data too");
    let named =
        "blocks:\n  - type: section\n    text: {'{{ url }}': mrkdwn, text: '{{ title }}'}\n";
    let given = blocks(&[("order.blocks.yml", named)], &json!({"title": "<!here>", "url": "type"}));
    assert_eq!(given[0]["text"], json!({"type": "mrkdwn", "text": "&lt;!here&gt;"}));
    // Whole blocks that come from data.
    let whole = json!({"title": "t", "url": [{"type": "section",
        "text": {"type": "mrkdwn", "text": "<!here>"}}]});
    let given = blocks(&[("order.blocks.yml", "blocks: '{{ url | json }}'\n")], &whole);
    assert_eq!(given[0]["text"], json!({"type": "mrkdwn", "text": "&lt;!here&gt;"}));
}

#[test]
fn slack_templates_have_data_that_the_widget_does_not_know() {
    let closed = WIDGET.replace(
        "\"required\":[\"title\"]",
        "\"required\":[\"title\"],\"additionalProperties\":false",
    );
    let blocks = "blocks:\n  - type: header\n    text: {type: plain_text, text: '{{ emoji }} {{ title }}'}\n";
    let catalog =
        Catalog::from_static(&[("order.widget", closed.leak()), ("order_slack.yml", blocks)]);
    let data = json!({"title": "Sunny"});
    let slack_data = json!({"emoji": ":sunny:"});
    let mut call = Hydration::new("order", &data, "Sunny", "order");
    call.slack_blocks_template = Some("order_slack");
    call.slack_data = Some(&slack_data);
    let reply = catalog.hydrate_for_tool_result(&call).unwrap().to_json().to_string();
    assert!(reply.contains(":sunny: Sunny"), "{reply}");
    call.slack_data = None;
    assert!(catalog.hydrate_for_tool_result(&call).is_err());
}

#[test]
fn templates_under_their_own_names_are_checked_and_refused() {
    let image = "blocks:\n  - type: image\n    image_url: '{{ picture }}'\n    alt_text: x\n";
    let nonsense = "blocks:\n  - type: nonsense\n    text: '{{ title }}'\n";
    let (dir, catalog) = folder(&[
        ("image.yml", image),
        ("nonsense.yml", nonsense),
        ("notice.blocks.yml", nonsense),
        ("number.yml", "entity: 5\n"),
        ("sometimes.yml", "blocks:\n  - when: large\n    type: divider\n"),
    ]);
    let findings = check(&catalog, &CheckOptions::default(), &|_| {});
    let mut files: Vec<String> = findings
        .iter()
        .filter(|finding| finding.error.kind() == Kind::HostTemplate)
        .map(|finding| {
            let file = finding.error.place().file.as_ref().unwrap();
            file.file_name().unwrap().to_string_lossy().into_owned()
        })
        .collect();
    files.dedup();
    // The address of `image.yml` is data, which no one knows here.
    let blamed = ["nonsense.yml", "notice.blocks.yml", "number.yml"];
    assert_eq!(files, blamed, "{findings:?}");

    let data = json!({"title": "Sunny"});
    let mut call = Hydration::new("order", &data, "Sunny", "order");
    call.slack_blocks_template = Some("nonsense");
    let error = catalog.hydrate_for_tool_result(&call).unwrap_err();
    assert!(error.message().starts_with("the host would reject these blocks"), "{error}");
    assert_eq!(error.place().file.as_deref(), Some(&*dir.0.join("nonsense.yml")));
    call.slack_blocks_template = None;
    call.slack_template = Some("number");
    let error = catalog.hydrate_for_tool_result(&call).unwrap_err();
    assert_eq!(error.place().file.as_deref(), Some(&*dir.0.join("number.yml")));
}

#[test]
fn a_file_beside_widgets_is_what_its_name_says() {
    let broken = "services: [\n";
    let catalog = Catalog::from_static(&[
        ("order.widget", WIDGET),
        ("order.blocks.yml", "template: '{{ title }}'\n"),
        ("compose.yml", broken),
    ]);
    assert_eq!(catalog.files().count(), 1);
    let findings: Vec<&Finding> = catalog.findings().collect();
    assert_eq!(findings.len(), 1, "{findings:?}");
    assert_eq!(findings[0].error.message(), "this file contains nothing for a host");
    assert!(findings[0].error.help().contains("`blocks:`"));
}

#[test]
fn blocks_are_repeated_by_for() {
    let blocks = "blocks:\n  - for: word in words\n    type: header\n    text: {type: plain_text, text: '{{ loop.index }} {{ word }}'}\n";
    let catalog = Catalog::from_static(&[
        (
            "order.widget",
            WIDGET
                .replace("\"url\":{\"type\":\"string\"}", "\"words\":{\"type\":\"array\"}")
                .leak(),
        ),
        ("order.blocks.yml", blocks),
    ]);
    let data = json!({"title": "Sunny", "words": ["one", "two"]});
    let call = Hydration::new("order", &data, "", "order");
    let reply = catalog.hydrate_for_tool_result(&call).unwrap().to_json().to_string();
    assert!(reply.contains("1 one") && reply.contains("2 two"), "{reply}");
    let statement = "blocks:\n  {% for word in words %}\n  - type: divider\n  {% endfor %}\n";
    let catalog = Catalog::from_static(&[("order.blocks.yml", statement)]);
    let finding = catalog.findings().next().unwrap();
    assert!(finding.error.help().contains("`for: item in items`"), "{finding:?}");
}
