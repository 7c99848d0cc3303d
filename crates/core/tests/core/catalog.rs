//! Directories: what is found in them, and what is said about what is not.

mod hostile;
mod reread;

use std::path::PathBuf;

use serde_json::json;
use widgetcast_core::{Catalog, Changes, CheckOptions, Kind, Limits, check};

/// A directory that is gone when the test is.
pub(crate) struct Dir(pub(crate) PathBuf);

impl Dir {
    pub(crate) fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("widgetcast-{}-{name}", std::process::id()));
        let _ = std::fs::remove_dir_all(&path);
        std::fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    fn write(&self, name: &str, text: &str) {
        let path = self.0.join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }

    fn remove(&self, name: &str) {
        std::fs::remove_file(self.0.join(name)).unwrap();
    }

    fn rename(&self, old: &str, new: &str) {
        let new = self.0.join(new);
        std::fs::create_dir_all(new.parent().unwrap()).unwrap();
        std::fs::rename(self.0.join(old), new).unwrap();
    }

    fn load(&self) -> Catalog {
        Catalog::from_dir(&self.0).unwrap()
    }

    fn reread(&self, catalog: &mut Catalog, names: &[&str]) -> Changes {
        let paths: Vec<PathBuf> = names.iter().map(|name| self.0.join(name)).collect();
        let (next, changes) = catalog.reread(&paths);
        *catalog = next;
        changes
    }
}

impl Drop for Dir {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn widget(name: &str) -> String {
    let template = r#"{"type":"Card","children":[{"type":"Text","value":{{ who | tojson }}}]}"#;
    json!({"version": "1.0", "name": name, "template": template}).to_string()
}

fn kinds(catalog: &Catalog) -> Vec<Kind> {
    catalog.findings().map(|finding| finding.error.kind()).collect()
}

#[test]
fn tools_are_named_by_field_name_or_file() {
    let dir = Dir::new("named");
    let with = |name: &str, more: &str| widget(name).replacen('{', &format!("{{{more}"), 1);
    dir.write("a.widget", &with("会議予定", ""));
    dir.write("b.widget", &with("Ärztetermin", r#""tool":"doctor","#));
    dir.write("Daily plan.widget", &with("…", ""));
    dir.write("c.widget", &with("Broken", r#""tool":"Not A Tool","#));
    let catalog = dir.load();
    let listed: Vec<(&str, &str)> =
        catalog.list().map(|listing| (listing.tool_name, listing.name)).collect();
    assert_eq!(
        listed,
        [("daily_plan", "…"), ("doctor", "Ärztetermin"), ("hui_yi_yu_ding", "会議予定")]
    );
    let faults: Vec<String> = catalog.findings().map(|finding| finding.to_string()).collect();
    assert!(
        faults.len() == 1 && faults[0].contains("\"Not A Tool\" is not a valid tool name"),
        "{faults:?}"
    );
    // Studio's form keeps what the name does not give.
    let studio = catalog.get("doctor").unwrap().to_studio().unwrap();
    assert_eq!(studio["tool"], "doctor");
    assert_eq!(catalog.get("会議予定").unwrap().to_studio().unwrap().get("tool"), None);
}

#[test]
fn a_session() {
    let dir = Dir::new("session");
    dir.write("a.widget", &widget("First One"));
    dir.write("deep/er/b.widget", &widget("secondOne"));
    dir.write("ignored.json", "{}");
    dir.write("slack.yml", "blocks: []\n");
    dir.write("broken.widget", "{");
    dir.write("yaml.yml", "version: 1.0\nname: From Yaml\ncopy_text: 'Hi {{who}}'\nwidget:\n  type: Card\n  children:\n    - {type: Text, value: 'Hi {{who}}'}\n    - {type: Badge, label: '{{ tag }}', when: tag}\n    - {type: Col, children: '{{ more | json }}'}\n");
    let catalog = Catalog::from_dir(&dir.0).unwrap();
    let names: Vec<&str> = catalog.list().map(|listing| listing.tool_name).collect();
    assert_eq!(names, ["first_one", "from_yaml", "second_one"]);
    assert_eq!(kinds(&catalog), [Kind::FileSyntax]);

    let view = catalog.get("First One").unwrap().render(&json!({"who": "Ada"})).unwrap();
    assert_eq!(view.tree()["children"][0]["value"], "Ada");

    let yaml = catalog.get("from_yaml").unwrap();
    let view = yaml.render(&json!({"who": "\"Ada\"", "tag": " ", "more": []})).unwrap();
    assert_eq!(view.tree()["children"][0]["value"], "Hi \"Ada\"");
    assert_eq!(view.tree()["children"].as_array().unwrap().len(), 2);
    assert_eq!(view.copy_text(), Some("Hi \"Ada\""));
    let data = json!({"who": 7, "tag": "new", "more": [{"type": "Divider"}]});
    let view = yaml.render(&data).unwrap();
    assert_eq!(view.tree()["children"][1]["label"], "new");
    assert_eq!(view.tree()["children"][2]["children"][0]["type"], "Divider");

    // Without a schema, the variables are inferred.
    let schema: serde_json::Value = serde_json::from_str(yaml.schema_json()).unwrap();
    let names: Vec<&String> = schema["properties"].as_object().unwrap().keys().collect();
    assert_eq!(names, ["who", "tag", "more"]);
}

#[test]
fn two_widgets_with_one_name() {
    let dir = Dir::new("names");
    dir.write("a.widget", &widget("Flight Tracker"));
    dir.write("b.widget", &widget("flight-tracker"));
    let catalog = Catalog::from_dir(&dir.0).unwrap();
    assert_eq!(catalog.len(), 1);
    assert_eq!(kinds(&catalog), [Kind::NameTaken]);
    let message = catalog.findings().next().unwrap().to_string();
    assert!(message.contains("a.widget") && message.contains("b.widget"), "{message}");
}

/// A slip in the name of a tool is a warning. Another name may be that of a tool which the server has, so
/// it is a note, and one with a dot is no one's; a single file says nothing about its neighbours.
#[test]
fn actions_name_tools_of_the_folder() {
    let dir = Dir::new("actions");
    let button = |action: serde_json::Value| json!({"type": "Button", "label": "Go", "onClickAction": action});
    let tree = json!({"type": "Card",
        "confirm": {"label": "Order", "action": {"type": "lunch_orderd"}},
        "children": [
            button(json!({"type": "lunch_ordered"})),
            button(json!({"type": "tool:lunch_ordered"})),
            button(json!({"type": "lunch.ordered"})),
            button(json!({"type": "order.track"})),
            button(json!({"type": "save"})),
            button(json!({"type": "mended"})),
            button(json!({"type": "pick", "handler": "client"})),
            button(json!({"type": "open_url", "payload": {"url": "https://a.example"}}))]});
    let menu = json!({"version": "1.0", "name": "Menu", "template": tree.to_string()});
    dir.write("menu.widget", &menu.to_string());
    dir.write("lunch.widget", &widget("Lunch ordered"));
    dir.write("mended.widget", "{");
    let tell = |catalog: &Catalog| {
        let findings = check(catalog, &CheckOptions::default(), &|_| {});
        let about = findings.iter().filter(|f| f.error.kind() == Kind::UnknownTool);
        let tell = |f: &widgetcast_core::Finding| {
            assert!(f.error.place().position.is_some(), "{f}");
            let name = f.error.message().rsplit(' ').next().unwrap_or_default();
            format!("{} {name} {}", f.severity.name(), f.error.help())
        };
        let mut told: Vec<String> = about.map(tell).collect();
        told.sort();
        told
    };
    assert_eq!(
        tell(&dir.load()),
        [
            "note \"save\" unless your server provides it, the click is sent as a chat message",
            "warning \"lunch.ordered\" did you mean lunch_ordered?",
            "warning \"lunch_orderd\" did you mean lunch_ordered?",
        ]
    );
    assert_eq!(tell(&Catalog::from_file(dir.0.join("menu.widget"))), [""; 0]);
    // A loop inside a text leaves the rest of the tree as it is.
    let looped = json!({"type": "Card", "children": [
        {"type": "Text", "value": "{% for x in xs %}{{ x }}{% endfor %}"},
        button(json!({"type": "lunch_orderd"}))]});
    // A button that is repeated is looked at as well.
    let mut repeated = button(json!({"type": "lunch_orderd"}));
    repeated["for"] = json!("x in xs");
    let tree = json!({"type": "Card", "children": [repeated]});
    let one = button(json!({"type": "lunch_orderd"}));
    let template = format!(
        r#"{{"type": "Card", "children": [{{% for x in xs %}}{one}{{{{ "," if not loop.last }}}}{{% endfor %}}]}}"#
    );
    for (field, tree) in [("widget", looped), ("widget", tree), ("template", json!(template))] {
        let mut menu = json!({"version": "1.0", "name": "Menu"});
        menu[field] = tree;
        dir.write("menu.widget", &menu.to_string());
        let told = tell(&dir.load());
        assert_eq!(told, ["warning \"lunch_orderd\" did you mean lunch_ordered?"], "{menu}");
    }
}

/// What is wrong with fields, schema, template and sample is said at once, and each fault once.
#[test]
fn the_faults_of_a_broken_file_come_together() {
    let dir = Dir::new("together");
    let told = |text: &str| {
        dir.write("a.widget", text);
        let findings = check(&dir.load(), &CheckOptions::default(), &|_| {});
        let tell = |f: &widgetcast_core::Finding| {
            let line = f.error.place().position.map_or(0, |(line, _)| line);
            format!("{line} {}", f.error.kind().code())
        };
        findings.iter().map(tell).collect::<Vec<_>>()
    };
    // No version, a slip in a field, a sample that does not fit, an unknown component.
    let text = "\
name: A
desciption: B
jsonSchema: {type: object, properties: {who: {type: string}}, required: [who]}
sample: {who: 7}
widget:
  type: Card
  children:
    - {type: Txt, value: \"{{ who }}\"}
    - {type: Text, value: \"{{ whom }}\"}
";
    assert_eq!(
        told(text),
        [
            "1 field-missing",
            "2 unknown-field",
            "4 sample-invalid",
            "8 tree-type",
            "9 variable-undeclared"
        ]
    );
    // A broken template alone: the sample is looked at all the same.
    let text = text.replace("name: A", "version: \"1.0\"\nname: A").replace("desc", "descr");
    assert_eq!(told(&text), ["5 sample-invalid", "9 tree-type", "10 variable-undeclared"]);
    // A field by another name is one fault.
    let text = "version: \"1.0\"\nname: A\ntemplat: |\n  {\"type\": \"Card\", \"children\": []}\n";
    assert_eq!(told(text), ["3 field-missing"]);
}

#[cfg(unix)]
#[test]
fn links_stay_inside() {
    use std::os::unix::fs::symlink;
    let outside = Dir::new("outside");
    outside.write("secret.widget", &widget("Secret"));
    let dir = Dir::new("links");
    dir.write("real/a.widget", &widget("Here"));
    symlink(outside.0.join("secret.widget"), dir.0.join("secret.widget")).unwrap();
    symlink(&outside.0, dir.0.join("all")).unwrap();
    symlink(dir.0.join("real/a.widget"), dir.0.join("again.widget")).unwrap();
    symlink(dir.0.join("real"), dir.0.join("twice")).unwrap();
    symlink(&dir.0, dir.0.join("real/circle")).unwrap();
    let catalog = Catalog::from_dir(&dir.0).unwrap();
    assert_eq!(catalog.list().map(|l| l.tool_name.to_owned()).collect::<Vec<_>>(), ["here"]);
    assert_eq!(kinds(&catalog), [Kind::FileLink, Kind::FileLink]);
}

#[test]
fn large_files_are_refused() {
    let dir = Dir::new("large");
    dir.write("a.widget", &widget(&"x".repeat(2000)));
    dir.write("b.widget", &widget("Small"));
    let mut limits = Limits::default();
    limits.file_bytes = 1000;
    let catalog = Catalog::from_dir_with(&dir.0, &limits).unwrap();
    assert_eq!(catalog.len(), 1);
    assert_eq!(kinds(&catalog), [Kind::FileSize]);
}

#[test]
fn other_encodings_are_named_with_their_line() {
    let dir = Dir::new("encoding");
    std::fs::write(dir.0.join("a.widget"), b"version: \"1.0\"\nname: Caf\xe9\n").unwrap();
    let catalog = dir.load();
    let error = &catalog.findings().next().unwrap().error;
    assert!(error.message().contains("is not UTF-8: line 2"), "{error}");
    assert!(error.help().contains("save the file as UTF-8"), "{error}");
}

#[test]
fn a_missing_directory_cannot_be_read() {
    let error = Catalog::from_dir("no/such/directory").unwrap_err();
    assert_eq!(error.kind(), Kind::FileRead);
    assert!(
        error.to_string().starts_with("no/such/directory: no such file or directory"),
        "{error}"
    );
}

#[test]
fn many_files_on_all_cores_keep_their_order() {
    let dir = Dir::new("many");
    for index in 0..300 {
        let text = if index % 50 == 7 { "{".to_owned() } else { widget(&format!("w{index:03}")) };
        dir.write(&format!("{index:03}.widget"), &text);
    }
    let catalog = Catalog::from_dir(&dir.0).unwrap();
    assert_eq!(catalog.len(), 294);
    assert_eq!(kinds(&catalog), [Kind::FileSyntax; 6]);
    let names: Vec<&str> = catalog.widgets().map(|widget| widget.tool_name()).collect();
    assert!(names.is_sorted());
}
