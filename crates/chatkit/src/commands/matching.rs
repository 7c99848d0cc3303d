//! Which tools a message without a tool's name may be about.

use widgetcast_agent::Tool;

/// Maximum words of a message, and maximum bytes of each text, that are compared.
const MAX_WORDS: usize = 20;
const MAX_BYTES: usize = 500;
/// Words of fewer characters match only if they are equal.
const MIN_STEM: usize = 4;

/// The tools that share words with the message, best match first. A word counts less the more tools have it,
/// and twice in a tool's name or title; tools with less than half of the best score are left out.
pub(super) fn matching<'t>(text: &str, tools: &[&'t Tool]) -> Vec<&'t Tool> {
    let mut wanted: Vec<String> = Vec::new();
    for word in words(text).take(MAX_WORDS) {
        if !wanted.contains(&word) {
            wanted.push(word);
        }
    }
    let mut scores = vec![0.0; tools.len()];
    let known: Vec<Words> = tools.iter().map(|tool| Words::of(tool)).collect();
    for word in &wanted {
        let counts: Vec<f64> = known.iter().map(|known| known.count(word)).collect();
        let having = counts.iter().filter(|count| **count > 0.0).count().max(1);
        for (score, count) in scores.iter_mut().zip(counts) {
            *score += count / having as f64;
        }
    }
    let best = scores.iter().copied().fold(0.0, f64::max);
    let mut found: Vec<(f64, &Tool)> =
        scores.into_iter().zip(tools.iter().copied()).filter(|(score, _)| *score > 0.0).collect();
    found.retain(|(score, _)| *score >= best / 2.0);
    found.sort_by(|(a, _), (b, _)| b.total_cmp(a));
    found.into_iter().map(|(_, tool)| tool).collect()
}

/// The words of a tool, in lower case.
struct Words {
    names: Vec<String>,
    description: Vec<String>,
}

impl Words {
    fn of(tool: &Tool) -> Self {
        let title = tool.title.as_deref().unwrap_or_default();
        Self {
            names: words(&tool.name).chain(words(title)).collect(),
            description: words(&tool.description).collect(),
        }
    }

    fn count(&self, word: &str) -> f64 {
        let has = |known: &[String]| known.iter().any(|known| is_alike(word, known));
        f64::from(u8::from(has(&self.names)) * 2 + u8::from(has(&self.description)))
    }
}

fn words(text: &str) -> impl Iterator<Item = String> {
    let text = &text[..text.floor_char_boundary(MAX_BYTES)];
    text.split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .map(str::to_lowercase)
}

/// Equal, or one begins with the other, as `flights` and `flight`.
fn is_alike(a: &str, b: &str) -> bool {
    let shorter = if a.len() < b.len() { a } else { b };
    a == b
        || shorter.chars().count() >= MIN_STEM && a.starts_with(shorter) && b.starts_with(shorter)
}
