use serde_json::{Value, json};
use widgetcast_engine::outline::{Lost, Outline, Roles};
use widgetcast_engine::tree::CompactTree;
use widgetcast_engine::words::Words;

use super::print::{LACK, print};

fn printed(children: &Value, words: Words) -> (String, Vec<Lost>) {
    let json = json!({ "type": "Card", "children": children }).to_string();
    let tree = CompactTree::read(&json);
    let outline = Outline::of(&tree, &Roles::default());
    let (html, mut lost) = print(&outline, words);
    check(&html);
    lost.extend(outline.lost(&LACK));
    (html, lost)
}

fn html(children: &Value) -> String {
    printed(children, Words::default()).0
}

fn reasons(children: &Value) -> Vec<String> {
    printed(children, Words::default()).1.into_iter().map(|lost| lost.reason).collect()
}

fn text(value: &str) -> Value {
    json!({ "type": "Text", "value": value })
}

const TAGS: &str = "table thead tbody tr td th div span h2 h3 strong s em a img br pre code";
const ATTRIBUTES: &str = "role width height cellpadding cellspacing border style dir valign align \
     colspan rowspan nowrap bgcolor rel href src alt aria-label";

/// Every element is closed, and nothing occurs that mail programs drop or that could run.
fn check(html: &str) {
    let mut open: Vec<&str> = Vec::new();
    let mut rest = html;
    while let Some(at) = rest.find('<') {
        assert!(!rest[..at].contains(['>', '"', '\'']), "unescaped: {}", &rest[..at]);
        let end = at + rest[at..].find('>').expect("a tag ends");
        let tag = &rest[at + 1..end];
        rest = &rest[end + 1..];
        if let Some(name) = tag.strip_prefix('/') {
            assert_eq!(open.pop(), Some(name), "before {rest:.200}");
            continue;
        }
        let (name, mut attributes) = tag.split_once(' ').unwrap_or((tag, ""));
        assert!(TAGS.split(' ').any(|allowed| allowed == name), "<{tag}>");
        if !["br", "img"].contains(&name) {
            open.push(name);
        }
        while !attributes.trim().is_empty() {
            let part = attributes.trim_start();
            let name = &part[..part.find(['=', ' ']).unwrap_or(part.len())];
            assert!(ATTRIBUTES.split_whitespace().any(|allowed| allowed == name), "<{tag}>");
            attributes = &part[name.len()..];
            if let Some(value) = attributes.strip_prefix("='") {
                let (value, after) = value.split_once('\'').expect("a quote ends");
                let is_address = ["href", "src"].contains(&name);
                let is_link = name == "href" && value.starts_with("mailto:");
                assert!(!is_address || is_link || value.starts_with("https://"), "<{tag}>");
                assert!(name != "style" || !value.contains(['(', '&', '\\', '@']), "<{tag}>");
                attributes = after;
            }
        }
    }
    assert_eq!(open, [""; 0], "all elements are closed");
}

const HOSTILE: [&str; 4] = [
    "'\"><script>alert(1)</script><img src=x onerror='alert(1)'>",
    "</td></tr></table><style>*{}</style><form action='//x'>",
    "javascript:alert(1)//&lt;&#39; onclick=alert(1)\u{0}\u{202e}",
    "red;background:url(https://x.example/'a')",
];

/// Every place where text, an address, a colour or a name of the tree is printed.
#[test]
fn hostile_text_stays_text() {
    for x in HOSTILE {
        let all = json!([
            { "type": "Row", "children": [{ "type": "Title", "value": x, "color": x },
                { "type": "Badge", "label": x, "color": x }, { "type": "Icon", "name": x, "color": x }] },
            { "type": "Markdown", "value": format!("# {x}\n\n[{x}]({x}) ![{x}]({x}) `{x}` **{x}**\n\n- {x}\n\n> {x}\n\n```\n{x}\n```\n\n|{x}|\n|-|\n|{x}|\n\n[a](javascript:x) [b](<https://b.example/'>)") },
            { "type": "Image", "src": x, "alt": x },
            { "type": "Image", "src": "https://a.example/'onload='x", "alt": x, "width": 40, "height": 30 },
            { "type": "Box", "background": x, "border": 1, "children": [text(x)] },
            { "type": "Table", "children": [
                { "type": "Table.Row", "header": true, "children": [{ "type": "Table.Cell", "children": [text(x)] }] },
                { "type": "Table.Row", "children": [{ "type": "Table.Cell", "colSpan": 3, "children": [text(x)] }] }] },
            { "type": "Chart", "data": [{ "x": x, "y": 3, "z": x }], "xAxis": "x", "series": [
                { "type": "bar", "dataKey": "y", "column": "y", "label": x, "color": x },
                { "type": "line", "dataKey": "z", "column": "z", "label": x }] },
            { "type": "Input", "name": x, "placeholder": x, "defaultValue": x },
            { "type": "Select", "name": x, "placeholder": x, "options": [{ "label": x, "value": x, "description": x }] },
            { "type": "Button", "label": x, "iconStart": x, "onClickAction": { "type": "open", "payload": { "url": format!("https://{}", x.replace(' ', "")) } } },
            { "type": "Button", "label": "", "iconStart": x, "disabled": true },
            { "type": "ListView", "children": [{ "type": "ListViewItem", "children": [text(x)],
                "onClickAction": { "type": "open", "payload": { "url": "https://a.example/?'\"<>" } } }] },
        ]);
        let html = html(&all);
        assert!(!html.contains("<script") && !html.contains('\0'));
    }
}

#[test]
fn only_https_addresses_are_kept() {
    let image = |src: &str| json!([{ "type": "Image", "src": src, "alt": "A cat" }]);
    assert!(
        html(&image("https://a.example/c.png?x=1&y"))
            .contains("src='https://a.example/c.png?x=1&amp;y' alt='A cat'")
    );
    for src in [
        "data:image/png;base64,AAAA",
        "http://a.example/c.png",
        "https://a.example/C.SVG?v=1",
        "https://a b.example/",
    ] {
        assert!(
            !html(&image(src)).contains("<img") && html(&image(src)).contains(">A cat<"),
            "{src}"
        );
        assert_eq!(
            reasons(&image(src)),
            ["e-mail clients show neither SVG images nor images without an https URL"]
        );
    }
    let link = |url: &str| json!([{ "type": "Markdown", "value": format!("[more]({url})") }]);
    assert!(html(&link("https://a.example")).contains("href='https://a.example'>more</a>"));
    assert!(html(&link("mailto:a@b.example")).contains("href='mailto:a@b.example'>more</a>"));
    assert!(!html(&link("/x")).contains("<a") && reasons(&link("/x")).len() == 1);
}

#[test]
fn buttons_are_links_or_labels() {
    let open = json!({ "type": "open", "payload": { "url": "https://a.example/7" } });
    let row = |name: &str| json!({ "type": "ListViewItem", "children": [text(name), { "type": "Button", "label": "Log", "onClickAction": open }] });
    let list = html(&json!([{ "type": "ListView", "children": [row("web"), row("db")] }]));
    assert!(list.contains("aria-label='Log: web'") && list.contains("aria-label='Log: db'"));
    let button = json!([{ "type": "Button", "label": "Pay", "disabled": true, "onClickAction": { "type": "pay" } }]);
    assert!(!html(&button).contains("<a ") && html(&button).contains("(unavailable)"));
    assert_eq!(reasons(&button), ["the button cannot be pressed"]);
    assert!(html(&json!([{ "type": "Button", "label": "", "iconStart": "check" }])).contains("✓"));
}

#[test]
fn fields_are_text_and_passwords_are_hidden() {
    let input = |more: Value| {
        let mut input = json!({ "type": "Input", "name": "n", "placeholder": "hint" });
        input.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        json!([{ "type": "Label", "value": "Question", "fieldName": "n" }, input])
    };
    let empty = html(&input(json!({ "required": true })));
    assert!(empty.contains("Question") && empty.contains("____") && empty.contains("hint"));
    assert!(empty.contains("(required)"));
    let secret = html(&input(json!({ "inputType": "password", "defaultValue": "hunter2" })));
    assert!(!secret.contains("hunter2") && secret.contains("••••"));
    let select = |longest: &str| {
        html(&json!([{ "type": "Select", "name": "n", "defaultValue": "b", "options": [
            { "label": longest, "value": "a" }, { "label": "B", "value": "b" }] }]))
    };
    assert!(select("A").contains("○ A") && select("A").contains("● B"));
    assert!(
        select("A").contains("inline-block") && !select(&"A".repeat(21)).contains("inline-block")
    );
}

#[test]
fn bars_have_the_size_of_the_data() {
    let part = |width: &str, color: Option<&str>| json!({ "type": "Box", "width": width, "height": 8, "background": color });
    let bar = json!([{ "type": "Box", "direction": "row", "children": [
        part("25%", None), part("50%", Some("green-500"))] }]);
    let widths = |html: &str| -> Vec<String> {
        let cells = html.split("<td width='").skip(1);
        cells.map(|cell| cell[..cell.find('\'').unwrap()].to_owned()).collect()
    };
    assert_eq!(widths(&html(&bar)), ["25%", "50%", "25%"]);
    let chart = json!([{ "type": "Chart", "xAxis": "x", "series": [{ "type": "bar", "dataKey": "y", "column": "y" }],
        "data": [{ "x": "a", "y": 30 }, { "x": "b", "y": -10 }, { "x": "c" }] }]);
    assert_eq!(widths(&html(&chart)), ["70%", "25%", "75%", "70%", "25%", "75%"]);
    assert!(html(&chart).contains(">c<") && reasons(&chart) == ["the chart is shown as bars"]);
}

#[test]
fn all_items_of_a_list_are_laid_out_alike() {
    let item = |name: &str, end: bool| {
        let mut children = vec![
            json!({ "type": "Col", "children": [text(name), { "type": "Caption", "value": "small" }] }),
        ];
        if end {
            children.extend([json!({ "type": "Spacer" }), text("end")]);
        }
        json!({ "type": "ListViewItem", "children": children })
    };
    let list = html(
        &json!([{ "type": "ListView", "children": [item("a", true), item("b", false), item("c", true)] }]),
    );
    let row = &list[list.rfind("<tr valign").unwrap()..];
    assert_eq!(list.matches("align='right'").count(), 3, "{row}");
}

#[test]
fn tables_keep_every_row_and_small_cells() {
    let cell = |value: String, align: &str| json!({ "type": "Table.Cell", "align": align, "children": [text(&value)] });
    let rows = |count: usize| -> Value {
        let rows = (0..count).map(|n| {
            let name = if n == 0 { "Name".to_owned() } else { format!("row{n}") };
            json!({ "type": "Table.Row", "header": n == 0, "children": [cell(name, "start"), cell(n.to_string(), "end")] })
        });
        json!([{ "type": "Table", "children": rows.collect::<Vec<_>>() }])
    };
    let long = html(&rows(501));
    assert!(long.contains(">row500</td>") && long.len() < 80_000, "{}", long.len());
    assert!(long.contains("<td dir='auto' align='right' nowrap>7</td>"));
    assert!(html(&rows(1)).contains("Nothing here"));
    assert!(reasons(&rows(2000)).contains(&"Gmail clips a message of more than 102 KB".to_owned()));
}

#[test]
fn right_to_left_words_turn_the_card() {
    let card = json!([{ "type": "Row", "children": [text("a"), { "type": "Spacer" }, text("b")] },
        { "type": "Table", "children": [{ "type": "Table.Row", "children": [{ "type": "Table.Cell", "align": "end", "children": [text("7")] }] }] }]);
    let (arabic, _) = printed(&card, Words::of("ar"));
    assert!(
        arabic.contains("dir='rtl'")
            && arabic.contains("align='left'")
            && !arabic.contains("'right'")
    );
    let (english, _) = printed(&card, Words::default());
    assert!(
        english.contains("dir='ltr'")
            && english.contains("align='right'")
            && !english.contains("align='left'")
    );
}

#[test]
fn markdown_is_printed_as_html() {
    let html = html(
        &json!([{ "type": "Markdown", "value": "## A\n\nb **c *d*** ~~e~~\n\n1. f\n   - [x] g\n\n![h *i*](https://i.example/a.png) **j**" }]),
    );
    for expected in [
        ">A</h3>",
        "b <strong>c <em>d</em></strong> <s>e</s>",
        ">1.</td>",
        ">☑</td>",
        "alt='h i'> <strong>j</strong>",
    ] {
        assert!(html.contains(expected), "{expected} in {html}");
    }
}

/// Replacing letters and digits by others of their kind changes no tag.
#[test]
fn the_structure_does_not_depend_on_the_text() {
    let card = |name: &str, value: &str| {
        html(&json!([{ "type": "Title", "value": name },
            { "type": "Row", "children": [{ "type": "Caption", "value": name }, { "type": "Spacer" }, text(value)] },
            { "type": "Button", "label": name }]))
    };
    let bare = |html: String, texts: [&str; 2]| {
        texts.iter().fold(html, |html, text| html.replace(text, "_"))
    };
    assert_eq!(
        bare(card("Total", "$12.50"), ["Total", "$12.50"]),
        bare(card("Zzzqx", "$98.76"), ["Zzzqx", "$98.76"])
    );
}

#[test]
fn the_output_grows_with_the_input() {
    let deep = (0..60)
        .fold(text("x"), |inner, _| json!({ "type": "Box", "border": 1, "children": [inner] }));
    assert!(html(&json!([deep])).len() < 60_000);
    let marks = json!([{ "type": "Markdown", "value": "*a **b ".repeat(2000) + &"** *".repeat(2000) + &"![".repeat(500) }]);
    assert!(html(&marks).len() < 200_000);
}
