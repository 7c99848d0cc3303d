//! Contrast of two literal colours, as WCAG 2 defines it.

/// A colour without transparency.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Rgb(u8, u8, u8);

/// Reads `#rgb`, `#rrggbb`, `rgb(…)` and the basic CSS names. Tokens, gradients and anything with
/// transparency depend on where they are drawn, and give none.
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
    Some(match colour.as_str() {
        "white" => Rgb(255, 255, 255),
        "black" => Rgb(0, 0, 0),
        "gray" | "grey" => Rgb(128, 128, 128),
        "silver" => Rgb(192, 192, 192),
        "red" => Rgb(255, 0, 0),
        "maroon" => Rgb(128, 0, 0),
        "yellow" => Rgb(255, 255, 0),
        "olive" => Rgb(128, 128, 0),
        "lime" => Rgb(0, 255, 0),
        "green" => Rgb(0, 128, 0),
        "aqua" | "cyan" => Rgb(0, 255, 255),
        "teal" => Rgb(0, 128, 128),
        "blue" => Rgb(0, 0, 255),
        "navy" => Rgb(0, 0, 128),
        "fuchsia" | "magenta" => Rgb(255, 0, 255),
        "purple" => Rgb(128, 0, 128),
        "orange" => Rgb(255, 165, 0),
        _ => return None,
    })
}

/// From 1, the same colour, to 21, black on white.
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
        for unknown in
            ["secondary", "#12345", "rgba(0,0,0,.5)", "linear-gradient(red, blue)", "#0008"]
        {
            assert_eq!(parse(unknown), None, "{unknown}");
        }
    }
}
