//! `export`: a widget in the form that ChatKit Studio opens.

use super::Shell;

#[test]
fn a_widget_for_studio() {
    let shell = Shell::new("export");
    let yaml = "version: 1.0 # mine\nname: Note\nsample: {text: Hi}\nwidget:\n  type: Card\n  children:\n    - {type: Text, value: \"{{ text }}\"}\n";
    std::fs::write(shell.file("note.widget"), yaml).unwrap();
    let printed = shell.run(&["export", "--studio", "note.widget"]);
    printed.ends(0).prints("\"encodedWidget\": \"");
    shell
        .run(&["export", "--studio", "note.widget", "-o", "studio.widget"])
        .ends(0)
        .prints("wrote studio.widget");
    let written = std::fs::read_to_string(shell.file("studio.widget")).unwrap();
    assert_eq!(written, printed.out);
    // It is a widget like any other, and may be written again.
    shell.run(&["render", "studio.widget"]).ends(0).prints("Hi");
    shell.run(&["export", "--studio", "studio.widget", "-o", "again.widget"]).ends(0);
    shell.run(&["export", "--studio", "note.widget", "-o", "again.widget"]).ends(0);
    assert_eq!(std::fs::read_to_string(shell.file("again.widget")).unwrap(), written);

    shell
        .run(&["export", "--studio", "note.widget", "-o", "./note.widget"])
        .ends(2)
        .complains("is the input file");
    assert_eq!(std::fs::read_to_string(shell.file("note.widget")).unwrap(), yaml);
    shell.run(&["export", "--studio", "no.widget"]).ends(2).complains("no such file");
    shell.run(&["export", "note.widget"]).ends(2).complains("--studio");
    shell.edit("note.widget", "type: Card", "type: Nonsense");
    shell.run(&["export", "--studio", "note.widget"]).ends(1).complains("unknown component");
}
