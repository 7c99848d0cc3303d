//! Hosts that draw no tree load the images they are given, so they are given only those of the origins
//! that may be loaded; of others they get the alternative text, and a loss says so.

use serde_json::json;
use widgetcast_core::outline::Images;
use widgetcast_core::{Presentation, Surface, Widget};

const HOSTS: [&str; 3] = ["slack-blocks", "adaptive-card", "html-fragment"];

#[test]
fn pictures_are_of_the_origins_that_may_be_loaded() {
    let image =
        |host: &str| json!({"type": "Image", "src": format!("https://{host}/a.png"), "alt": host});
    let row = |host: &str| {
        json!({"type": "ListViewItem", "children": [{"type": "Row", "children": [image(host),
            {"type": "Text", "value": "x"}]}]})
    };
    let tree = json!({"type": "Card", "children": [
        image("good.example"), image("evil.example"), {"type": "Divider"},
        {"type": "ListView", "children": [row("good.example"), row("evil.example")]},
        {"type": "Markdown", "value": "![evil.example](https://evil.example/?leak)"}]});
    let text = json!({"version": "1.0", "name": "A", "template": "{{ tree | tojson }}"});
    let widget = Widget::parse(&text.to_string()).expect("a widget");
    let view = widget.render(&json!({"tree": tree})).expect("a view");
    let origins = ["https://good.example".to_owned()];
    for name in HOSTS {
        let surface = Surface::find(name).expect("a surface");
        let mut presentation = Presentation::new("a", "1", &view);
        let reason = "its origin is not in image_origins";
        let is_refused = |presentation: &Presentation<'_>| {
            presentation.losses(surface).iter().any(|loss| loss.reason.contains(reason))
        };
        let shown = (surface.render)(&presentation);
        assert!(shown.contains("https://evil.example/a.png"), "{name}: {shown}");
        assert!(!is_refused(&presentation), "{name}");
        presentation.images = Images::From(&origins);
        let shown = (surface.render)(&presentation);
        assert!(shown.contains("https://good.example/a.png"), "{name}: {shown}");
        assert!(!shown.contains("https://evil.example/a.png"), "{name}: {shown}");
        // A link is followed by a user who has seen it.
        assert!(
            !shown.contains("img style='max-width:100%;border:0' src='https://evil"),
            "{shown}"
        );
        assert!(is_refused(&presentation), "{name}: {:?}", presentation.losses(surface));
    }
}

/// Slack reads markup in what it documents as plain text.
#[test]
fn the_alternative_text_of_a_picture_notifies_nobody() {
    let (blocks, _) = widgetcast_core::slack::blocks(&json!({"type": "Card", "children": [
        {"type": "Image", "src": "https://a.example/a.png", "alt": "<!channel> & <https://evil|x>"}]}));
    assert_eq!(blocks[0]["alt_text"], "&lt;!channel&gt; &amp; &lt;https://evil|x&gt;");
}
