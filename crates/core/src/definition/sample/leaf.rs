//! Generates strings and numbers.

use serde_json::{Number, Value};

use super::generator::Generator;
use super::intent::Intent;
use super::keywords::{Part, largest, smallest};
use super::{regex, text};

const LONG_TEXT: usize = 300;
const MAX_TEXT: usize = 2_000;
const LARGE: f64 = 1e15;

impl Generator<'_> {
    pub(super) fn string(&mut self, parts: &[Part], name: &str) -> Option<Value> {
        let min = largest(parts, "minLength").unwrap_or(0);
        let max = smallest(parts, "maxLength").unwrap_or(usize::MAX);
        if min > max {
            return None;
        }
        self.charge(min / 64)?;
        let n = if self.intent == Intent::Random { self.below(1_000) } else { self.position };
        let text = |key| parts.iter().find_map(|part| part.get(key)?.as_str());
        let written = text("pattern").and_then(|pattern| self.matching(pattern, min, max));
        let formatted = || text::formatted(text("format")?, self.intent, n);
        let text = match written.or_else(formatted) {
            Some(text) => text,
            None => text::fit(&self.free_text(name, n, max), min, max),
        };
        self.charge(text.len() / 64)?;
        Some(Value::String(text))
    }

    fn free_text(&mut self, name: &str, n: usize, max: usize) -> String {
        let long = if max == usize::MAX { LONG_TEXT } else { max.min(MAX_TEXT) };
        match self.intent {
            Intent::Minimal | Intent::Empty => String::new(),
            Intent::Full | Intent::Nulls => text::friendly(name, n),
            Intent::Longest => text::fit(&text::words(n, 1), long, long),
            // The length of the name spreads the fragments over neighbouring short fields.
            Intent::Hostile => text::hostile(n + name.len()),
            Intent::Random => match self.below(6) {
                0 => String::new(),
                1 => text::hostile(n),
                2 => n.to_string(),
                3 => text::fit(&text::words(n, 1), self.below(long.saturating_add(1)), long),
                _ => text::words(n, n % 6 + 1),
            },
        }
    }

    /// A text for `pattern`, with a length that suits the intent.
    fn matching(&mut self, pattern: &str, min: usize, max: usize) -> Option<String> {
        self.charge(pattern.len() / 64 + 4)?;
        let plain = matches!(self.intent, Intent::Minimal | Intent::Empty);
        let intent = self.intent;
        let mut make =
            |extra| regex::generate(pattern, extra, &mut |n| if plain { 0 } else { self.below(n) });
        let shortest = make(0)?;
        let length = shortest.chars().count();
        let target = match intent {
            _ if plain => min,
            Intent::Longest => {
                if max == usize::MAX {
                    LONG_TEXT
                } else {
                    max.min(MAX_TEXT)
                }
            }
            _ => (length + 4).clamp(min, max),
        };
        // A single open count takes all of the missing length; several share it.
        let longer = (1..=4).filter_map(|share| make(target.saturating_sub(length) / share));
        let fits = |text: &String| (min..=max).contains(&text.chars().count());
        longer.chain([shortest.clone()]).find(fits)
    }

    pub(super) fn number(&mut self, parts: &[Part], whole: bool) -> Option<Value> {
        let range = Range::new(parts, whole);
        let Range { low, high, .. } = range;
        if low > high {
            return None;
        }
        let bounded = low.is_finite() && high.is_finite();
        let usual = 42.0 + self.position as f64;
        let usual =
            if bounded && !(low..=high).contains(&usual) { low / 2.0 + high / 2.0 } else { usual };
        let least = if low.is_finite() { low } else { high.min(0.0) };
        let most = if high.is_finite() { high } else { low.max(LARGE) };
        let wanted = match self.intent {
            Intent::Minimal | Intent::Empty => least,
            Intent::Full | Intent::Nulls => usual,
            Intent::Longest => most,
            Intent::Hostile => {
                let numbers: &[f64] =
                    if whole { &[-1.0, 0.0, 9e15] } else { &[0.1, -0.0, 1e21, -1.5, 1e-7] };
                let fitting: Vec<f64> =
                    numbers.iter().copied().filter(|x| range.snap(*x) == Some(*x)).collect();
                let turn = self.turn(self.root);
                fitting.get(turn % fitting.len().max(1)).copied().unwrap_or(usual)
            }
            Intent::Random => match self.below(8) {
                0 => {
                    if low.is_finite() {
                        low
                    } else {
                        high.min(-LARGE)
                    }
                }
                1 => most,
                2 => 0.0,
                _ => {
                    let from = if low.is_finite() { low } else { high.min(0.0) - 1e3 };
                    let to = if high.is_finite() { high } else { low.max(0.0) + 1e3 };
                    let x = from + (to - from) * (self.below(10_001) as f64 / 1e4);
                    (x * 100.0).round() / 100.0
                }
            },
        };
        number(range.snap(wanted)?)
    }
}

/// The numbers that a schema allows.
struct Range {
    low: f64,
    high: f64,
    step: Option<f64>,
    whole: bool,
}

impl Range {
    fn new(parts: &[Part], whole: bool) -> Self {
        let all = |key: &'static str| parts.iter().filter_map(move |part| part.get(key)?.as_f64());
        let mut low = all("minimum").fold(f64::NEG_INFINITY, f64::max);
        let mut high = all("maximum").fold(f64::INFINITY, f64::min);
        let above = all("exclusiveMinimum").fold(f64::NEG_INFINITY, f64::max);
        let below = all("exclusiveMaximum").fold(f64::INFINITY, f64::min);
        let step = all("multipleOf").find(|step| *step > 0.0);
        let width = high.min(below) - low.max(above);
        // Far enough from an excluded bound to be readable, and close enough to be an edge case.
        let gap = if width < 2.0 { width / 4.0 } else { 0.5 };
        if above >= low && above.is_finite() {
            low = if whole { above.floor() + 1.0 } else { above + gap };
        }
        if below <= high && below.is_finite() {
            high = if whole { below.ceil() - 1.0 } else { below - gap };
        }
        if whole {
            (low, high) = (low.ceil(), high.floor());
        }
        // A fraction such as 0.01 or 0.5 divides every whole number.
        let step = match step {
            Some(step) if whole && step < 1.0 && (1.0 / step).fract() == 0.0 => Some(1.0),
            None if whole => Some(1.0),
            step => step,
        };
        Range { low, high, step, whole }
    }

    /// The closest allowed number to `x`, or one close to it if a step is in the way.
    fn snap(&self, x: f64) -> Option<f64> {
        let x = if x.is_finite() { x.clamp(self.low, self.high) } else { self.low };
        let Some(step) = self.step else { return Some(x) };
        if step == 1.0 && x.fract() == 0.0 {
            return Some(x);
        }
        let count = (x / step).round();
        let inverse = (1.0 / step).round();
        // Dividing by 100 gives 0.07 where multiplying by 0.01 gives 0.07000000000000001.
        let exact = inverse >= 1.0 && (1.0 / step - inverse).abs() < 1e-9;
        let times = |count: f64| if exact { count / inverse } else { count * step };
        let fits =
            |x: &f64| (self.low..=self.high).contains(x) && (!self.whole || x.fract() == 0.0);
        (0..20)
            .flat_map(|off| [count + f64::from(off), count - f64::from(off)])
            .map(times)
            .find(fits)
    }
}

fn number(x: f64) -> Option<Value> {
    let negative_zero = x == 0.0 && x.is_sign_negative();
    if x.fract() == 0.0 && x.abs() <= 9e15 && !negative_zero {
        return Some(Value::from(x as i64));
    }
    Number::from_f64(x).map(Value::Number)
}
