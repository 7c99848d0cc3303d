//! Icons as signs, for hosts that draw no icons.

use std::collections::HashMap;
use std::sync::LazyLock;

/// The signs of an icon.
#[derive(Clone, Copy, Debug)]
pub struct Sign {
    /// One column wide, in the fonts of terminals, and no emoji.
    pub glyph: &'static str,
    /// An emoji by its short name, without colons; empty if none says the same.
    pub emoji: &'static str,
    /// Whether it states something by itself, as a check mark does, so that plain text needs it too.
    pub is_statement: bool,
}

/// The signs of an icon, by its ChatKit or `lucide:` name.
pub fn sign(icon: &str) -> Option<Sign> {
    let name = icon.rsplit(':').next().unwrap_or(icon);
    BY_NAME.get(name).copied()
}

static BY_NAME: LazyLock<HashMap<&str, Sign>> = LazyLock::new(|| {
    let mut by_name = HashMap::new();
    for &(names, glyph, emoji, is_statement) in SIGNS {
        by_name.extend(names.split(' ').map(|name| (name, Sign { glyph, emoji, is_statement })));
    }
    by_name
});

/// Names, glyph, emoji, and whether it states something by itself.
#[rustfmt::skip]
static SIGNS: &[(&str, &str, &str, bool)] = &[
    ("check check-check circle-check circle-check-big check-circle check-circle-filled square-check badge-check list-checks", "✓", "white_check_mark", true),
    ("x circle-x x-circle close square-x octagon-x ban", "✗", "x", true),
    ("triangle-alert circle-alert octagon-alert alert-triangle alert-circle", "⚠\u{fe0e}", "warning", true),
    ("info badge-info", "i", "information_source", true),
    ("circle-question circle-help help-circle", "?", "question", true),
    ("plus circle-plus plus-circle", "+", "heavy_plus_sign", true),
    ("minus circle-minus", "-", "heavy_minus_sign", true),
    ("dot circle-dot record", "●", "large_blue_circle", true),
    ("empty-circle circle circle-dashed", "○", "white_circle", true),
    ("star-filled", "★", "", true),
    ("star", "☆", "", true),
    ("arrow-right move-right chevron-right", "→", "arrow_right", true),
    ("arrow-left move-left chevron-left", "←", "arrow_left", true),
    ("arrow-up chevron-up trending-up arrow-up-right", "↑", "arrow_up", true),
    ("arrow-down chevron-down trending-down arrow-down-right", "↓", "arrow_down", true),
    ("lock", "⚿", "lock", true),
    ("lock-open unlock", "⚷", "unlock", true),
    ("flag", "⚑", "triangular_flag_on_post", true),
    ("play circle-play", "▸", "arrow_forward", false),
    ("pause circle-pause", "‖", "double_vertical_bar", true),
    ("square circle-stop", "■", "black_square_for_stop", true),
    ("external-link link", "↗", "link", false),
    ("reload refresh-cw refresh-ccw rotate-cw rotate-ccw loader loader-circle loader-2", "↻", "arrows_counterclockwise", true),
    ("hourglass timer", "⧗", "hourglass_flowing_sand", true),
    ("clock book-clock history alarm-clock clock-alert", "◷", "clock3", false),
    ("calendar calendar-days calendar-check calendar-plus calendar-clock", "▦", "calendar", false),
    ("map-pin maps map navigation", "◈", "round_pushpin", false),
    ("compass", "◈", "compass", false),
    ("globe globe-2", "◎", "globe_with_meridians", false),
    ("user profile profile-card name user-round circle-user", "◉", "bust_in_silhouette", false),
    ("users users-round", "◉", "busts_in_silhouette", false),
    ("mail inbox send", "@", "envelope", false),
    ("phone phone-call", "☏", "telephone_receiver", false),
    ("mobile smartphone", "▯", "iphone", false),
    ("message-circle message-square messages-square", "❝", "speech_balloon", false),
    ("search", "⌕", "mag", false),
    ("settings settings-slider sliders-horizontal wrench", "≡", "gear", false),
    ("write write-alt write-alt2 notebook-pencil pencil edit square-pen pen", "✎", "pencil2", false),
    ("trash trash-2", "⌫", "wastebasket", false),
    ("document page-blank square-text file file-text notebook clipboard clipboard-list receipt scroll-text", "▤", "page_facing_up", false),
    ("folder", "▣", "file_folder", false),
    ("download", "⇩", "arrow_down", false),
    ("upload", "⇧", "arrow_up", false),
    ("images square-image image camera", "▨", "frame_with_picture", false),
    ("chart analytics bar-chart chart-bar chart-line chart-column chart-pie activity", "▥", "bar_chart", false),
    ("cube batch box package package-check", "◫", "package", false),
    ("square-code code terminal", "#", "computer", false),
    ("desktop monitor laptop server database", "▭", "computer", false),
    ("lightbulb", "☼", "bulb", false),
    ("sparkle sparkle-double sparkles", "✦", "sparkles", false),
    ("confetti party-popper", "✦", "tada", false),
    ("bolt zap", "↯", "zap", false),
    ("bell", "◔", "bell", true),
    ("heart", "♥", "heart", false),
    ("thumbs-up", "↑", "thumbsup", true),
    ("thumbs-down", "↓", "thumbsdown", true),
    ("agent bot", "◆", "robot_face", false),
    ("suitcase briefcase", "▬", "briefcase", false),
    ("book-open book-closed book book-text", "▯", "book", false),
    ("keys key key-round", "⊸", "key", false),
    ("lab flask-conical test-tube", "⚗", "test_tube", false),
    ("atom", "⚛\u{fe0e}", "atom_symbol", false),
    ("bug", "⊛", "bug", true),
    ("lifesaver life-buoy", "◎", "ring_buoy", false),
    ("wreath trophy award medal crown", "♛", "trophy", false),
    ("shield shield-check", "⛨", "shield", true),
    ("eye", "◉", "eye", false),
    ("eye-off", "◌", "see_no_evil", true),
    ("home house", "⌂", "house", false),
    ("building building-2 hotel", "▙", "office", false),
    ("store shopping-bag", "▙", "department_store", false),
    ("shopping-cart", "▙", "shopping_trolley", false),
    ("credit-card wallet banknote", "▬", "credit_card", false),
    ("tag ticket", "◁", "label", false),
    ("gift", "◫", "gift", false),
    ("plane", "✈\u{fe0e}", "airplane", false),
    ("car", "▬", "car", false),
    ("truck", "▬", "truck", false),
    ("train train-front tram-front", "▬", "train2", false),
    ("bus bus-front", "▬", "bus", false),
    ("bike", "∞", "bike", false),
    ("footprints", "∵", "footprints", false),
    ("ship", "▬", "ship", false),
    ("volume-2 music headphones mic", "♪", "musical_note", false),
    ("volume-x mic-off bell-off", "×", "mute", true),
    ("wifi radio", "≋", "signal_strength", false),
    ("wifi-off unplug", "×", "no_entry_sign", true),
    ("cloud cloudy", "☁\u{fe0e}", "cloud", true),
    ("sun sunrise sunset", "☀\u{fe0e}", "sunny", true),
    ("cloud-sun", "☀\u{fe0e}", "partly_sunny", true),
    ("cloud-rain cloud-drizzle umbrella", "☂\u{fe0e}", "rain_cloud", true),
    ("cloud-lightning", "↯", "lightning", true),
    ("snowflake cloud-snow", "❄\u{fe0e}", "snowflake", true),
    ("moon", "☾", "crescent_moon", true),
    ("wind", "≋", "dash", true),
    ("droplet droplets", "◊", "droplet", false),
    ("thermometer", "⌇", "thermometer", false),
    ("flame", "▲", "fire", true),
    ("leaf", "♣", "leaves", false),
    ("utensils utensils-crossed", "ψ", "fork_and_knife", false),
    ("coffee", "c", "coffee", false),
    ("bed bed-double", "▂", "bed", false),
    ("stethoscope pill syringe", "✚", "pill", false),
    ("graduation-cap", "▲", "mortar_board", false),
    ("git-branch git-merge git-pull-request git-commit", "⎇", "twisted_rightwards_arrows", false),
    ("rocket", "▲", "rocket", false),
    ("repeat shuffle", "↻", "repeat", false),
    ("target crosshair", "◎", "dart", false),
    ("dots-horizontal dots-vertical ellipsis ellipsis-vertical more-horizontal", "…", "", false),
];
