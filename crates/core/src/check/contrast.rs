//! The contrast ratio of two colours, as defined by WCAG 2.

/// An opaque colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Rgb(u8, u8, u8);

pub(super) const WHITE: Rgb = Rgb(255, 255, 255);
/// A card in dark mode, as rendered by the view; hosts use similar colours.
pub(super) const NIGHT: Rgb = Rgb(0x21, 0x21, 0x21);

/// The basic colour names of CSS.
const NAMED: [(&str, Rgb); 20] = [
    ("aqua", Rgb(0, 255, 255)),
    ("black", Rgb(0, 0, 0)),
    ("blue", Rgb(0, 0, 255)),
    ("cyan", Rgb(0, 255, 255)),
    ("fuchsia", Rgb(255, 0, 255)),
    ("gray", Rgb(128, 128, 128)),
    ("green", Rgb(0, 128, 0)),
    ("grey", Rgb(128, 128, 128)),
    ("lime", Rgb(0, 255, 0)),
    ("magenta", Rgb(255, 0, 255)),
    ("maroon", Rgb(128, 0, 0)),
    ("navy", Rgb(0, 0, 128)),
    ("olive", Rgb(128, 128, 0)),
    ("orange", Rgb(255, 165, 0)),
    ("purple", Rgb(128, 0, 128)),
    ("red", Rgb(255, 0, 0)),
    ("silver", Rgb(192, 192, 192)),
    ("teal", Rgb(0, 128, 128)),
    ("white", Rgb(255, 255, 255)),
    ("yellow", Rgb(255, 255, 0)),
];

/// Parses `#rgb`, `#rrggbb`, `rgb(…)` and the basic CSS names. Tokens, gradients and transparent colours
/// depend on the page, and return `None`.
pub(super) fn parse(colour: &str) -> Option<Rgb> {
    let colour = colour.trim().to_ascii_lowercase();
    if let Some(hex) = colour.strip_prefix('#') {
        let digits: Vec<u8> =
            hex.chars().map(|c| c.to_digit(16).map(|d| d as u8)).collect::<Option<_>>()?;
        return match digits.as_slice() {
            [r, g, b] | [r, g, b, 15] => Some(Rgb(r * 17, g * 17, b * 17)),
            [a, b, c, d, e, f] | [a, b, c, d, e, f, 15, 15] => {
                Some(Rgb(a * 16 + b, c * 16 + d, e * 16 + f))
            }
            _ => None,
        };
    }
    if let Some(list) = colour.strip_prefix("rgb(").and_then(|rest| rest.strip_suffix(')')) {
        let parts: Vec<u8> = list
            .split([',', ' '])
            .filter(|part| !part.is_empty())
            .map(|part| part.parse().ok())
            .collect::<Option<_>>()?;
        return match parts.as_slice() {
            [r, g, b] => Some(Rgb(*r, *g, *b)),
            _ => None,
        };
    }
    NAMED.iter().find(|(name, _)| *name == colour).map(|(_, rgb)| *rgb)
}

/// From 1 (the same colour) to 21 (black on white).
pub(super) fn ratio(a: Rgb, b: Rgb) -> f64 {
    let (a, b) = (luminance(a), luminance(b));
    (a.max(b) + 0.05) / (a.min(b) + 0.05)
}

fn luminance(Rgb(r, g, b): Rgb) -> f64 {
    let linear = |channel: u8| {
        let c = f64::from(channel) / 255.0;
        if c <= 0.04045 { c / 12.92 } else { ((c + 0.055) / 1.055).powf(2.4) }
    };
    0.2126 * linear(r) + 0.7152 * linear(g) + 0.0722 * linear(b)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_ratios() {
        let ratio = |a: &str, b: &str| {
            (ratio(parse(a).unwrap(), parse(b).unwrap()) * 100.0).round() / 100.0
        };
        assert_eq!(ratio("#000", "white"), 21.0);
        assert_eq!(ratio("#767676", "#ffffff"), 4.54);
        assert_eq!(ratio("rgb(255, 0, 0)", "#fff"), 4.0);
        // Channels are weighted, and dark values follow the linear part of the curve.
        assert_eq!(ratio("lime", "black"), 15.3);
        assert_eq!(ratio("blue", "white"), 8.59);
        assert_eq!(ratio("#0a0a0a", "black"), 1.06);
    }

    #[test]
    fn each_form_is_read() {
        for (colour, rgb) in [
            ("#1a2B3c", Rgb(0x1a, 0x2b, 0x3c)),
            ("#1a2b3cff", Rgb(0x1a, 0x2b, 0x3c)),
            ("#12f", Rgb(0x11, 0x22, 0xff)),
            ("#12ff", Rgb(0x11, 0x22, 0xff)),
            ("rgb(1, 2, 3)", Rgb(1, 2, 3)),
            ("rgb(1 2 3)", Rgb(1, 2, 3)),
            (" RED ", Rgb(255, 0, 0)),
        ] {
            assert_eq!(parse(colour), Some(rgb), "{colour}");
        }
        for unknown in [
            "secondary",
            "#12345",
            "#12g",
            "#0008",
            "#0000007f",
            "rgb(1, 2)",
            "rgb(1, 2, 3, 4)",
            "rgb(1, 2, 256)",
            "rgba(0,0,0,.5)",
            "linear-gradient(red, blue)",
            "",
        ] {
            assert_eq!(parse(unknown), None, "{unknown}");
        }
    }

    /// The names again as CSS defines them in hex, so that a slip in one table shows.
    #[test]
    fn each_name_has_the_colour_that_css_gives_it() {
        let css = "aqua #0ff black #000 blue #00f cyan #0ff fuchsia #f0f gray #808080 \
            green #008000 grey #808080 lime #0f0 magenta #f0f maroon #800000 navy #000080 \
            olive #808000 orange #ffa500 purple #800080 red #f00 silver #c0c0c0 teal #008080 \
            white #fff yellow #ff0";
        let words: Vec<&str> = css.split_whitespace().collect();
        assert_eq!(words.len(), 2 * NAMED.len());
        for pair in words.chunks(2) {
            assert_eq!(parse(pair[0]), parse(pair[1]), "{}", pair[0]);
        }
    }
}
