//! `widgetcast migrations`, and a store that cannot be opened.

use super::Shell;

#[test]
fn what_is_done_to_a_store_is_shown_first() {
    let shell = Shell::new("migrations");
    let at = "sqlite:views.db";
    shell.run(&["migrations", at]).ends(0).prints("store 1 pending").prints("CREATE TABLE");
    shell.run(&["migrations", at]).prints("chatkit 1 pending").prints("chatkit_threads");
    assert!(!shell.file("views.db").exists());
    let done = shell.run(&["migrations", at, "--apply"]);
    assert!(
        !done
            .ends(0)
            .prints("store 1 applied")
            .prints("chatkit 1 applied")
            .out
            .contains("CREATE TABLE")
    );
    shell.run(&["migrations", at]).ends(0).prints("1 applied");
    shell.run(&["migrations", "memory:"]).ends(0).prints("needs no migrations");
    shell.run(&["migrations", "views.db"]).ends(2).complains("sqlite:PATH, postgres://");
}

#[test]
fn a_store_that_cannot_be_opened_is_said_without_its_password() {
    let shell = Shell::new("no-store");
    // Port 1 is no one's.
    for url in ["postgres://ada:secret@127.0.0.1:1/views", "redis://:secret@127.0.0.1:1"] {
        let ran = shell.run(&["serve", "--stdio", "--store", url]);
        ran.ends(2).complains("@127.0.0.1:1");
        assert!(!ran.err.contains("secret"), "{}", ran.err);
    }
    shell.run(&["serve", "--stdio", "--store", "sqlite:no/such/folder/a.db"]).ends(2);
}
