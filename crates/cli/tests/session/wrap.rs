//! `widgetcast wrap`: a server that was written elsewhere, here in shell.

use serde_json::{Value, json};

use crate::Shell;

/// Answers a list of tools, and every call with two rows.
const SERVER: &str = r#"while IFS= read -r line; do
  id=$(printf '%s' "$line" | sed -n 's/.*"id":\([0-9]*\).*/\1/p')
  case "$line" in
    *tools/list*) echo '{"jsonrpc":"2.0","id":'"$id"',"result":{"tools":[{"name":"towns","inputSchema":{"type":"object"}}]}}';;
    *tools/call*) echo '{"jsonrpc":"2.0","id":'"$id"',"result":{"content":[{"type":"text","text":"[{\"name\":\"Bern\",\"people\":134},{\"name\":\"Basel\",\"people\":177}]"}]}}';;
  esac
done"#;

const TOWNS: &str = r#"version: "1.0"
name: Towns
jsonSchema: { type: object, properties: { rows: { type: array } }, required: [rows] }
template: '{"type":"Card","children":[{"type":"Title","value":"Towns of mine"}]}'
"#;

fn ask(id: u32, method: &str, params: &Value) -> String {
    json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }).to_string() + "\n"
}

#[test]
fn results_of_other_servers_have_views() {
    let shell = Shell::new("wrap");
    let input =
        ask(1, "tools/list", &json!({})) + &ask(2, "tools/call", &json!({ "name": "towns" }));
    let ran = shell.run_with(&["wrap", "--", "sh", "-c", SERVER], &input);
    assert_eq!(ran.code, 0, "{ran:?}");
    let lines: Vec<Value> =
        ran.out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert!(lines[0]["result"]["tools"][0]["_meta"]["ui"]["resourceUri"].is_string(), "{ran:?}");
    let tree = lines[1]["result"]["_meta"]["widgetcast/view"]["tree"].to_string();
    assert!(tree.contains("Basel") && tree.contains("Table"), "{tree}");

    let ran = shell.run_with(&["wrap", "--without", "towns", "--", "sh", "-c", SERVER], &input);
    assert!(!ran.out.contains("_meta"), "{ran:?}");
}

#[test]
fn a_widget_of_the_tools_name_draws_what_fits_it() {
    let shell = Shell::new("wrap-widgets");
    std::fs::create_dir(shell.file("widgets")).unwrap();
    std::fs::write(shell.file("widgets/towns.widget"), TOWNS).unwrap();
    let input =
        ask(1, "tools/list", &json!({})) + &ask(2, "tools/call", &json!({ "name": "towns" }));
    let args = ["wrap", "--widgets", "widgets", "--", "sh", "-c"];
    let fits =
        SERVER.replace(r#"[{\"name\""#, r#"{\"rows\":[{\"name\""#).replace("177}]", "177}]}");
    let ran = shell.run_with(&[&args[..], &[fits.as_str()]].concat(), &input);
    assert!(ran.out.contains("Towns of mine"), "{ran:?}");
    // An array is not what the widget takes: it is shown all the same, and the log says why.
    let ran = shell.run_with(&[&args[..], &[SERVER]].concat(), &input);
    assert!(ran.out.contains("widgetcast/view") && !ran.out.contains("Towns of mine"), "{ran:?}");
    assert!(ran.err.contains("the widget does not draw the result"), "{ran:?}");
}

#[test]
fn what_cannot_be_wrapped_is_an_error() {
    let shell = Shell::new("wrap-errors");
    shell.run(&["wrap"]).ends(2).complains("wrap [OPTIONS] -- COMMAND");
    shell.run(&["wrap", "--", "no-such-program"]).ends(2).complains("cannot be started");
    shell.run(&["wrap", "example.com"]).ends(2).complains("is not a URL of a server");
    let args = ["wrap", "--widgets", "nowhere", "--", "sh"];
    shell.run(&args).ends(2).complains("no such directory");
}
