//! Which texts hosts can draw as a colour or a length: the tokens of ChatKit, and CSS.

/// Tokens of text, surfaces, borders and charts.
pub(crate) const COLOR_TOKENS: &[&str] = &[
    "prose",
    "primary",
    "emphasis",
    "secondary",
    "tertiary",
    "success",
    "warning",
    "danger",
    "info",
    "discovery",
    "caution",
    "surface",
    "surface-secondary",
    "surface-tertiary",
    "surface-elevated",
    "surface-elevated-secondary",
    "default",
    "subtle",
    "strong",
];

/// The colours that have shades, as in `blue-500`.
const PALETTE: &[&str] =
    &["alpha", "gray", "red", "orange", "yellow", "green", "blue", "purple", "pink"];

/// The named colours of CSS, and the words that may stand for one.
const CSS_NAMES: &str = "aliceblue antiquewhite aqua aquamarine azure beige bisque black \
    blanchedalmond blue blueviolet brown burlywood cadetblue chartreuse chocolate coral \
    cornflowerblue cornsilk crimson currentcolor cyan darkblue darkcyan darkgoldenrod darkgray \
    darkgreen darkgrey darkkhaki darkmagenta darkolivegreen darkorange darkorchid darkred \
    darksalmon darkseagreen darkslateblue darkslategray darkslategrey darkturquoise darkviolet \
    deeppink deepskyblue dimgray dimgrey dodgerblue firebrick floralwhite forestgreen fuchsia \
    gainsboro ghostwhite gold goldenrod gray green greenyellow grey honeydew hotpink indianred \
    indigo inherit ivory khaki lavender lavenderblush lawngreen lemonchiffon lightblue lightcoral \
    lightcyan lightgoldenrodyellow lightgray lightgreen lightgrey lightpink lightsalmon \
    lightseagreen lightskyblue lightslategray lightslategrey lightsteelblue lightyellow lime \
    limegreen linen magenta maroon mediumaquamarine mediumblue mediumorchid mediumpurple \
    mediumseagreen mediumslateblue mediumspringgreen mediumturquoise mediumvioletred midnightblue \
    mintcream mistyrose moccasin navajowhite navy none oldlace olive olivedrab orange orangered \
    orchid palegoldenrod palegreen paleturquoise palevioletred papayawhip peachpuff peru pink plum \
    powderblue purple rebeccapurple red rosybrown royalblue saddlebrown salmon sandybrown seagreen \
    seashell sienna silver skyblue slateblue slategray slategrey snow springgreen steelblue tan \
    teal thistle tomato transparent turquoise violet wheat white whitesmoke yellow yellowgreen";

const LENGTH_WORDS: &[&str] =
    &["auto", "min-content", "max-content", "fit-content", "inherit", "0"];

const UNITS: &[&str] = &[
    "px", "%", "em", "rem", "ch", "ex", "lh", "rlh", "vh", "vw", "vmin", "vmax", "svh", "svw",
    "dvh", "dvw", "lvh", "lvw", "cqw", "cqh", "cqi", "cqb", "fr", "pt", "pc", "in", "cm", "mm",
    "q",
];

/// Whether a text is a token, a palette colour or CSS. What has a call in it, such as a gradient, is
/// left to the host. Tokens and the commonest names come first, because nearly every colour is one.
pub(crate) fn is_color(text: &str) -> bool {
    if COLOR_TOKENS.contains(&text) || matches!(text, "white" | "black" | "transparent") {
        return true;
    }
    let text = text.trim();
    if let Some(digits) = text.strip_prefix('#') {
        let is_hex = digits.bytes().all(|byte| byte.is_ascii_hexdigit());
        return is_hex && matches!(digits.len(), 3 | 4 | 6 | 8);
    }
    is_shade(text)
        || text.contains('(')
        || COLOR_TOKENS.contains(&text)
        || CSS_NAMES.split_whitespace().any(|name| name.eq_ignore_ascii_case(text))
}

/// A colour of the palette, such as `blue-500`.
fn is_shade(text: &str) -> bool {
    text.rsplit_once('-').is_some_and(|(name, shade)| {
        PALETTE.contains(&name)
            && (1..=4).contains(&shade.len())
            && shade.bytes().all(|byte| byte.is_ascii_digit())
            && shade.parse().is_ok_and(|shade| has_shade(name, shade))
    })
}

/// Whether a colour of the palette has this shade. There are more shades of gray than of the others,
/// and `alpha` counts in percent.
fn has_shade(name: &str, shade: u32) -> bool {
    match name {
        "alpha" => shade <= 1000,
        "gray" => shade <= 1000 && shade.is_multiple_of(25),
        _ => {
            matches!(shade, 25 | 50 | 75 | 950 | 975) || shade <= 1000 && shade.is_multiple_of(100)
        }
    }
}

/// The shades of a palette colour, if the text names one that it does not have.
pub(crate) fn shades(text: &str) -> Option<&'static str> {
    let (name, shade) = text.trim().rsplit_once('-')?;
    let is_number = !shade.is_empty() && shade.bytes().all(|byte| byte.is_ascii_digit());
    (PALETTE.contains(&name) && is_number)
        .then_some("valid shades: 25, 50, 75, 100, 200, 300 … 900, 950, 975, 1000")
}

/// The words that a misspelt colour is compared with: tokens, and the commonest names.
pub(crate) fn color_names() -> impl Iterator<Item = &'static str> {
    let common = ["black", "white", "gray", "brown", "transparent"];
    COLOR_TOKENS.iter().chain(&PALETTE[2..]).copied().chain(common)
}

/// Whether a text is a CSS length, or up to four of them.
pub(crate) fn is_length(text: &str) -> bool {
    let is_one = |word: &str| {
        let number = word.trim_end_matches(|c: char| c.is_ascii_alphabetic() || c == '%');
        let unit = &word[number.len()..];
        LENGTH_WORDS.contains(&word)
            || UNITS.iter().any(|known| known.eq_ignore_ascii_case(unit))
                && number.parse::<f64>().is_ok()
    };
    let mut count = 0;
    let are_all = text.split_whitespace().all(|word| {
        count += 1;
        is_one(word)
    });
    are_all && (1..=4).contains(&count) || text.contains('(')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_are_told_from_other_words() {
        for colour in [
            "secondary",
            "surface-elevated",
            "red-100",
            "alpha-02",
            "gray-1000",
            "#12f",
            "#12fA",
            "#1a2b3c",
            "#1a2b3cff",
            "red",
            "RebeccaPurple",
            "transparent",
            "rgb(1 2 3)",
            "linear-gradient(135deg, #fff 0%, #000 100%)",
            "url(https://example.com/a.png) no-repeat center / cover",
            " blue ",
        ] {
            assert!(is_color(colour), "{colour}");
        }
        for other in [
            "redd",
            "#12",
            "#12345",
            "#xyz",
            "gren-500",
            "red-",
            "red-x",
            "",
            "a b",
            "e",
            "blue-550",
            "gray-1100",
            "red-401",
        ] {
            assert!(!is_color(other), "{other}");
        }
    }

    #[test]
    fn lengths_are_told_from_other_words() {
        for length in
            ["0", "12px", "1.5rem", "-4px", "50%", "auto", "8px 12px", "calc(100% - 8px)", "1FR"]
        {
            assert!(is_length(length), "{length}");
        }
        for other in ["two", "100pixels", "12", "px", "md", "", "1px 2px 3px 4px 5px", "1px two"] {
            assert!(!is_length(other), "{other}");
        }
    }
}
