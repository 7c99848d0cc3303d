//! Colours by hue, for hosts that support only a few colours.

/// A hue that users can distinguish.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Hue {
    Red,
    Orange,
    Yellow,
    Green,
    Blue,
    Purple,
    Pink,
}

impl Hue {
    /// The hue of a token, a palette colour or a CSS colour; none if it is neutral, or not one colour.
    ///
    /// ```
    /// use widgetcast_engine::outline::Hue;
    /// assert_eq!(Hue::of("danger"), Some(Hue::Red));
    /// assert_eq!(Hue::of("green-500"), Some(Hue::Green));
    /// assert_eq!(Hue::of("#1a73e8"), Some(Hue::Blue));
    /// assert_eq!(Hue::of("secondary"), None);
    /// assert_eq!(Hue::of("#eeeeee"), None);
    /// ```
    pub fn of(color: &str) -> Option<Self> {
        let color = color.trim();
        if let Some(digits) = color.strip_prefix('#') {
            return Self::of_rgb(rgb_of_hex(digits)?);
        }
        let name = color.split_once('-').map_or(color, |(name, _)| name);
        match name {
            "success" | "green" => Some(Self::Green),
            "danger" | "red" => Some(Self::Red),
            "warning" | "orange" => Some(Self::Orange),
            "caution" | "yellow" => Some(Self::Yellow),
            "info" | "blue" => Some(Self::Blue),
            "discovery" | "purple" => Some(Self::Purple),
            "pink" => Some(Self::Pink),
            // The neutral tokens come first, because they are looked up most often.
            "default" | "primary" | "secondary" | "tertiary" | "surface" | "alpha" | "gray" => None,
            _ if matches!(color, "white" | "black" | "none" | "transparent" | "emphasis") => None,
            _ => Self::of_css(color),
        }
    }

    /// A square emoji of this hue, or else a black or white one.
    pub fn square(color: Option<&str>) -> &'static str {
        match color.and_then(Self::of) {
            Some(Self::Red) => "🟥",
            Some(Self::Orange) => "🟧",
            Some(Self::Yellow) => "🟨",
            Some(Self::Green) => "🟩",
            Some(Self::Blue) => "🟦",
            Some(Self::Purple | Self::Pink) => "🟪",
            None if color.is_some_and(Self::is_dark) => "⬛",
            None => "⬜",
        }
    }

    /// A circle emoji of this hue, or else a black or white one.
    pub fn circle(color: Option<&str>) -> &'static str {
        match color.and_then(Self::of) {
            Some(Self::Red) => "🔴",
            Some(Self::Orange) => "🟠",
            Some(Self::Yellow) => "🟡",
            Some(Self::Green) => "🟢",
            Some(Self::Blue) => "🔵",
            Some(Self::Purple | Self::Pink) => "🟣",
            None if color.is_some_and(Self::is_dark) => "⚫",
            None => "⚪",
        }
    }

    /// Whether a neutral colour is nearer to black than to white.
    ///
    /// ```
    /// use widgetcast_engine::outline::Hue;
    /// assert!(["black", "gray-500", "#1c1c1c", "rgb(60, 60, 60)"].into_iter().all(Hue::is_dark));
    /// assert!(!["white", "gray-300", "#eee", "secondary", "surface"].into_iter().any(Hue::is_dark));
    /// ```
    pub fn is_dark(color: &str) -> bool {
        let color = color.trim();
        let rgb = color.strip_prefix('#').map_or_else(|| rgb_of(color), rgb_of_hex);
        match rgb {
            Some(rgb) => rgb.into_iter().map(u16::from).sum::<u16>() < 3 * 128,
            None => match color.strip_prefix("gray-") {
                Some(shade) => shade.parse().is_ok_and(|shade: u16| shade >= 500),
                None => matches!(color, "black" | "primary" | "emphasis"),
            },
        }
    }

    fn of_css(color: &str) -> Option<Self> {
        if color.starts_with("rgb") {
            return Self::of_rgb(rgb_of(color)?);
        }
        if color.len() > 24 || color.contains('(') {
            return None;
        }
        // CSS names end with the colour that they are a shade of.
        const NAMES: &[(&str, Hue)] = &[
            ("orangered", Hue::Orange),
            ("red", Hue::Red),
            ("crimson", Hue::Red),
            ("tomato", Hue::Red),
            ("firebrick", Hue::Red),
            ("orange", Hue::Orange),
            ("coral", Hue::Orange),
            ("salmon", Hue::Orange),
            ("yellow", Hue::Yellow),
            ("gold", Hue::Yellow),
            ("goldenrod", Hue::Yellow),
            ("khaki", Hue::Yellow),
            ("green", Hue::Green),
            ("lime", Hue::Green),
            ("olive", Hue::Green),
            ("teal", Hue::Green),
            ("blue", Hue::Blue),
            ("navy", Hue::Blue),
            ("cyan", Hue::Blue),
            ("aqua", Hue::Blue),
            ("turquoise", Hue::Blue),
            ("purple", Hue::Purple),
            ("violet", Hue::Purple),
            ("indigo", Hue::Purple),
            ("orchid", Hue::Purple),
            ("pink", Hue::Pink),
            ("magenta", Hue::Pink),
            ("fuchsia", Hue::Pink),
        ];
        let name = color.as_bytes();
        let last = name.last()?.to_ascii_lowercase();
        let ends = |end: &[u8]| {
            let at = name.len().checked_sub(end.len());
            // Most names already differ in the last letter.
            end.last() == Some(&last) && at.is_some_and(|at| name[at..].eq_ignore_ascii_case(end))
        };
        NAMES.iter().find(|(end, _)| ends(end.as_bytes())).map(|(_, hue)| *hue)
    }

    fn of_rgb([red, green, blue]: [u8; 3]) -> Option<Self> {
        let (red, green, blue) = (f32::from(red), f32::from(green), f32::from(blue));
        let most = red.max(green).max(blue);
        let chroma = most - red.min(green).min(blue);
        // A colour whose saturation is below a fifth of its brightness looks grey, or nearly white.
        if chroma < most / 5.0 || most < 40.0 {
            return None;
        }
        let angle = if most == red {
            60.0 * ((green - blue) / chroma)
        } else if most == green {
            60.0 * ((blue - red) / chroma) + 120.0
        } else {
            60.0 * ((red - green) / chroma) + 240.0
        };
        Some(match angle.rem_euclid(360.0) {
            angle if angle < 15.0 => Self::Red,
            angle if angle < 45.0 => Self::Orange,
            angle if angle < 70.0 => Self::Yellow,
            angle if angle < 180.0 => Self::Green,
            angle if angle < 255.0 => Self::Blue,
            angle if angle < 290.0 => Self::Purple,
            angle if angle < 345.0 => Self::Pink,
            _ => Self::Red,
        })
    }
}

/// The channels of `#rgb` and `#rrggbb`, without the `#`.
fn rgb_of_hex(digits: &str) -> Option<[u8; 3]> {
    let digit = |at: usize| char::from(*digits.as_bytes().get(at)?).to_digit(16);
    let pair = |at: usize| {
        let (high, low) = match digits.len() {
            3 | 4 => (digit(at)?, digit(at)?),
            _ => (digit(2 * at)?, digit(2 * at + 1)?),
        };
        u8::try_from(high * 16 + low).ok()
    };
    Some([pair(0)?, pair(1)?, pair(2)?])
}

/// The channels of `rgb(…)`.
fn rgb_of(color: &str) -> Option<[u8; 3]> {
    let mut parts = color
        .strip_prefix("rgb")?
        .split(|c: char| !c.is_ascii_digit())
        .filter(|part| !part.is_empty())
        .map(|part| part.parse::<u8>().ok());
    Some([parts.next()??, parts.next()??, parts.next()??])
}
