//! What must hold for every tree in every host that prints the outline: it depends on structure and never
//! on what the texts say, nothing that a user would read is lost without a loss, and nothing is invented.

mod texts;
mod trees;

use serde_json::Value;

use super::shared;
use super::surfaces::all_views;
use texts::{canonical, letters, nonsense, output, visible, words};
use trees::Random;
use widgetcast_core::{Catalog, Loss, Presentation, Surface, View, Words};

/// The hosts that print the outline.
const PRINTED: [&str; 5] = ["text", "terminal", "slack-blocks", "adaptive-card", "html-fragment"];
/// How many generated trees each property is shown on.
const GENERATED: u64 = 10_000;

/// Every tree that is there: gallery, corpus, and the widgets that are like neither.
fn known_trees() -> Vec<(String, Value)> {
    let mut trees: Vec<(String, Value)> =
        all_views().into_iter().map(|(name, view)| (name, view.tree())).collect();
    for file in shared::files(&shared::project("fixtures/widgets"), "widget") {
        let catalog = Catalog::from_file(&file);
        let widget = catalog.widgets().next().unwrap_or_else(|| panic!("{}", file.display()));
        let view = widget.render_unvalidated(&widget.sample()).unwrap();
        trees.push((widget.tool_name().to_owned(), view.tree()));
    }
    assert!(trees.len() > 100, "{}", trees.len());
    trees
}

/// Calls `check` with each tree that is there, and with generated ones.
fn for_all(check: impl Fn(&str, &Value) + Sync) {
    let known = known_trees();
    std::thread::scope(|scope| {
        for half in 0..2 {
            let (known, check) = (&known, &check);
            scope.spawn(move || {
                for (name, tree) in known.iter().skip(half).step_by(2) {
                    check(name, tree);
                }
                for seed in (half as u64..GENERATED).step_by(2) {
                    check(&format!("seed {seed}"), &Random::new(seed).root());
                }
            });
        }
    });
}

/// One walk over all trees for the three properties, because printing them takes the time.
#[test]
fn hosts_show_what_is_there_and_nothing_else() {
    let own: String = Words::default().all().collect::<Vec<_>>().join(" ");
    for_all(|name, tree| {
        let (visible, all) = (visible(tree), letters(&(tree.to_string() + &own)));
        let view = View::unchecked(tree);
        for surface in PRINTED {
            let shown = Shown::new(surface, &view, name);
            shown.loses_nothing(&visible);
            for word in words(&shown.output) {
                assert!(all.contains(word), "{word:?} is invented in {shown}");
            }
        }
        // A generated tree is printed a second time by one host in turn, every other by all of them.
        let other = View::unchecked(&nonsense(tree));
        let seed = name.strip_prefix("seed ").and_then(|seed| seed.parse::<usize>().ok());
        let turn = |index: usize| seed.is_none_or(|seed| seed % PRINTED.len() == index);
        for (_, surface) in PRINTED.iter().enumerate().filter(|(index, _)| turn(*index)) {
            Shown::new(surface, &view, name).is_like(&Shown::new(surface, &other, name));
        }
    });
}

/// A tree as a host shows it.
struct Shown<'v> {
    presentation: Presentation<'v>,
    surface: &'static Surface,
    name: &'v str,
    rendered: String,
    /// What a user reads of it.
    output: String,
}

impl<'v> Shown<'v> {
    fn new(surface: &str, view: &'v View, name: &'v str) -> Self {
        let surface = Surface::find(surface).unwrap();
        let presentation = Presentation::new("tool", "id", view);
        let rendered = (surface.render)(&presentation);
        let output = output(surface.name, &rendered);
        Self { presentation, surface, name, rendered, output }
    }

    fn losses(&self) -> Vec<Loss> {
        self.presentation.losses(self.surface)
    }

    /// Every visible text is in the output, or in a loss of its component or of one around it.
    fn loses_nothing(&self, visible: &[(String, String)]) {
        let printed = letters(&self.output);
        let is_printed = |text: &str| match self.surface.name {
            // Lines are wrapped, and columns are side by side; a word that is wider than its column
            // is broken.
            "terminal" => text.split_whitespace().all(|word| {
                let word: Vec<char> = letters(word).chars().collect();
                let has = |part: &[char]| printed.contains(&part.iter().collect::<String>());
                has(&word)
                    || (1..word.len()).any(|at| has(&word[..at]) && has(&word[at..]))
                    || (word.len() > 16 && in_order(&word, &printed))
            }),
            _ => printed.contains(&letters(text)),
        };
        let missing: Vec<_> = visible.iter().filter(|(_, text)| !is_printed(text)).collect();
        let losses = if missing.is_empty() { Vec::new() } else { self.losses() };
        for (pointer, text) in missing {
            let is_lost = losses.iter().any(|loss| {
                let below = pointer.strip_prefix(&*loss.pointer);
                below.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
            });
            assert!(is_lost, "{pointer} {text:?} is lost in {self}");
        }
    }

    /// Other text in the same places has the same structure and the same losses.
    fn is_like(&self, other: &Self) {
        let (a, b) = (canonical(&self.rendered), canonical(&other.rendered));
        if a != b {
            let at = a.chars().zip(b.chars()).take_while(|(a, b)| a == b).count();
            let part: String =
                other.rendered.chars().skip(at.saturating_sub(200)).take(400).collect();
            panic!("other text has another structure:\n{part}\nof {self}");
        }
        let places =
            |shown: &Self| shown.losses().into_iter().map(|loss| loss.pointer).collect::<Vec<_>>();
        assert_eq!(places(self), places(other), "{self}");
    }
}

impl std::fmt::Display for Shown<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let (surface, losses) = (self.surface.name, self.losses());
        write!(
            f,
            "{}, {surface}:\n{}\n{losses:?}\n{}",
            self.name,
            self.rendered,
            self.presentation.view.json()
        )
    }
}

/// Whether all letters of a word follow each other in a text, whatever is between them.
fn in_order(word: &[char], text: &str) -> bool {
    let mut letters = text.chars();
    word.iter().all(|letter| letters.any(|other| other == *letter))
}

/// What a printer adds is in the language of the request.
#[test]
fn added_words_follow_the_locale() {
    let tree = serde_json::json!({"type": "Card", "children": [
        {"type": "Form", "onSubmitAction": {"type": "send"}, "children": [
            {"type": "Input", "name": "a", "required": true}]}]});
    let view = View::unchecked(&tree);
    let mut presentation = Presentation::new("tool", "id", &view);
    for (locale, submit) in
        [("de-CH", "Absenden"), ("ja", "送信"), ("ar", "إرسال"), ("sw", "Submit")]
    {
        presentation.words = Words::of(locale);
        for surface in PRINTED.iter().filter(|surface| **surface != "text") {
            let printed = (Surface::find(surface).unwrap().render)(&presentation);
            assert!(printed.contains(submit), "{surface} in {locale}: {printed}");
        }
    }
}
