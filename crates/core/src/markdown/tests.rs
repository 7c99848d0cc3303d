use super::{Block, Content, Inline, Mark, Marker, plain_text, read};

/// Inline content in one line: `{b …}` is bold, `/` a soft break, `//` a hard one.
fn inlines(inlines: &[Inline]) -> String {
    let pieces = inlines.iter().map(|inline| match inline {
        Inline::Text(text) => text.clone(),
        Inline::Code(code) => format!("{{c {code}}}"),
        Inline::SoftBreak => "/".to_owned(),
        Inline::HardBreak => "//".to_owned(),
        Inline::Open(Mark::Strong) => "{b ".to_owned(),
        Inline::Open(Mark::Emphasis) => "{i ".to_owned(),
        Inline::Open(Mark::Strikethrough) => "{s ".to_owned(),
        Inline::Open(Mark::Link(url)) => format!("{{a {url} "),
        Inline::Open(Mark::Image(url)) => format!("{{img {url} "),
        Inline::Close => "}".to_owned(),
    });
    pieces.collect()
}

/// A block in one line: its quotations and lists, its marker, its kind and its text.
fn line(block: &Block) -> String {
    let mut line = ">".repeat(block.quotes) + &"-".repeat(block.lists);
    match block.marker {
        Some(Marker::Bullet) => line.push('*'),
        Some(Marker::Number(number)) => line += &format!("{number}."),
        Some(Marker::Task(is_done)) => line += if is_done { "[x]" } else { "[ ]" },
        None => {}
    }
    let (kind, text) = match &block.content {
        Content::Heading(text) => ("h", inlines(text)),
        Content::Paragraph(text) => ("p", inlines(text)),
        Content::Code(code) => ("code", code.replace('\n', "/")),
        Content::Table(rows) => {
            let row = |row: &Vec<Vec<Inline>>| {
                row.iter().map(|cell| inlines(cell)).collect::<Vec<_>>().join("|")
            };
            ("table", rows.iter().map(row).collect::<Vec<_>>().join("/"))
        }
        Content::Rule => ("hr", String::new()),
    };
    format!("{line}{kind} {text}").trim_end().to_owned()
}

fn lines(source: &str) -> Vec<String> {
    read(source).iter().map(line).collect()
}

#[test]
fn every_kind_of_block_is_read() {
    for (source, expected) in [
        ("a\nb  \nc\n\nd", &["p a/b//c", "p d"][..]),
        ("# a\nb\n===", &["h a", "h b"]),
        ("a\n\n---\n\nb", &["p a", "hr", "p b"]),
        ("```rs\na  b\n\nc\n```\n\n    d", &["code a  b//c", "code d"]),
        ("> a\n> b\n\nc", &[">p a/b", "p c"]),
        ("> a\n>\n> > b", &[">p a", ">>p b"]),
        ("> - a", &[">-*p a"]),
        ("- a\n- b\n  - c\n- d", &["-*p a", "-*p b", "--*p c", "-*p d"]),
        ("- a\n\n  b\n- c", &["-*p a", "-p b", "-*p c"]),
        ("7. a\n1. b\n9) c", &["-7.p a", "-8.p b", "-9.p c"]),
        ("- [ ] a\n- [x] b\n- [X] c\n- [y] d", &["-[ ]p a", "-[x]p b", "-[x]p c", "-*p [y] d"]),
        ("-\n- a", &["-*p", "-*p a"]),
        ("- - a", &["-*p", "--*p a"]),
        ("- ```\n  a\n  ```\n- # b", &["-*code a", "-*h b"]),
        ("- > a", &[">-*p a"]),
        ("| a | b |\n|---|:-:|\n| *c* | d\\|e |\n| f |", &["table a|b/{i c}|d|e/f|"]),
        ("<div>\n<b>x</b>\n</div>\n\ny", &["p <div>//<b>x</b>//</div>", "p y"]),
        ("", &[]),
        ("\n \n", &[]),
    ] {
        assert_eq!(lines(source), expected, "{source:?}");
    }
}

#[test]
fn every_kind_of_mark_is_read() {
    for (source, expected) in [
        ("**a** __b__ *c* _d_ ~~e~~", "{b a} {b b} {i c} {i d} {s e}"),
        ("**a *b***", "{b a {i b}}"),
        ("`a*b*` ``a`b``", "{c a*b*} {c a`b}"),
        ("[a *b*](https://c.example \"t\")", "{a https://c.example a {i b}}"),
        ("<https://c.example>", "{a https://c.example https://c.example}"),
        ("![a](b.png)", "{img b.png a}"),
        ("[![a](b)](c)", "{a c {img b a}}"),
        ("[a](javascript:b)", "{a javascript:b a}"),
        ("[a]\n\n[a]: /b", "{a /b a}"),
        ("\\*a\\* &amp; &lt;b&gt;", "*a* & <b>"),
        ("a <b>c</b> <!-- d -->", "a <b>c</b> <!-- d -->"),
        ("snake_case_name 2 * 3 **open [x", "snake_case_name 2 * 3 **open [x"),
    ] {
        assert_eq!(lines(source), [format!("p {expected}")], "{source:?}");
    }
}

#[test]
fn plain_text_has_no_marks() {
    let [Block { content: Content::Paragraph(text), .. }] = &read("a **b *c*** `d`\ne [f](g)")[..]
    else {
        panic!("one paragraph")
    };
    assert_eq!(plain_text(text), "a b c d e f");
}

#[test]
fn a_blank_line_belongs_between_all_but_items() {
    let blocks = read("a\n\n- b\n- c\n\n  d\n- e\n\nf");
    let close: Vec<bool> = blocks.windows(2).map(|two| two[1].continues_list(&two[0])).collect();
    assert_eq!(close, [false, true, false, true, false]);
}

/// What nests is as long as its source, not as its square, and deep nesting is no deep recursion.
#[test]
fn nesting_is_bounded() {
    for source in [
        "> ".repeat(20_000) + "a",
        "- ".repeat(20_000) + "a",
        "1. ".repeat(20_000) + "a",
        "> - ".repeat(20_000) + "a",
        "*a **b ".repeat(20_000),
        "*a **b ".repeat(10_000) + &"** *".repeat(10_000),
        "![".repeat(20_000) + "a" + &"](u)".repeat(20_000),
        "[".repeat(20_000),
        "<b>".repeat(20_000),
    ] {
        let blocks = read(&source);
        assert!(blocks.iter().all(|block| block.lists <= 7 && block.quotes <= 7));
        let size: usize = blocks.iter().map(|block| line(block).len()).sum();
        assert!(size <= 8 * source.len(), "{size} from {}: {:.20}", source.len(), source);
    }
}
