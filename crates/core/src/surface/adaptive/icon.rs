//! Icons by the names that Microsoft's icons have.

use std::collections::HashMap;
use std::sync::LazyLock;

/// The name that Microsoft's icon has, by its ChatKit or `lucide:` name.
pub(super) fn fluent(icon: &str) -> Option<&'static str> {
    let name = icon.rsplit(':').next().unwrap_or(icon);
    BY_NAME.get(name).copied()
}

static BY_NAME: LazyLock<HashMap<&str, &str>> = LazyLock::new(|| {
    let mut by_name = HashMap::new();
    for (names, fluent) in FLUENT {
        names.split(' ').for_each(|name| _ = by_name.entry(name).or_insert(*fluent));
    }
    by_name
});

#[rustfmt::skip]
static FLUENT: &[(&str, &str)] = &[
    ("agent bot", "Bot"), ("analytics trending-up chart-line", "DataTrending"),
    ("activity", "Pulse"), ("atom", "Molecule"), ("award medal", "Ribbon"), ("banknote", "Money"),
    ("batch", "Layer"), ("bed bed-double", "Bed"), ("bell", "Alert"), ("bell-off", "AlertOff"),
    ("bike", "VehicleBicycle"), ("bolt zap", "Flash"), ("book-clock", "BookClock"),
    ("book-closed book book-text", "Book"), ("book-open", "BookOpen"), ("bug", "Bug"),
    ("building building-2 hotel", "Building"), ("bus bus-front", "VehicleBus"),
    ("calendar calendar-days calendar-clock", "Calendar"), ("calendar-plus", "CalendarAdd"), ("calendar-check", "CalendarCheckmark"),
    ("camera", "Camera"), ("car", "VehicleCar"),
    ("chart bar-chart chart-bar chart-column", "DataBarVertical"), ("chart-pie", "DataPie"),
    ("check", "Checkmark"), ("check-check list-checks", "TaskListLtr"),
    ("check-circle check-circle-filled circle-check circle-check-big badge-check", "CheckmarkCircle"),
    ("square-check", "CheckboxChecked"), ("chef-hat utensils utensils-crossed", "Food"),
    ("chevron-left", "ChevronLeft"), ("chevron-right", "ChevronRight"), ("chevron-up", "ChevronUp"),
    ("chevron-down", "ChevronDown"), ("arrow-left move-left", "ArrowLeft"),
    ("arrow-right move-right", "ArrowRight"), ("arrow-up", "ArrowUp"), ("arrow-down", "ArrowDown"),
    ("arrow-up-right", "ArrowUpRight"), ("trending-down arrow-down-right", "ArrowDown"),
    ("circle-question circle-help help-circle", "QuestionCircle"), ("clipboard", "Clipboard"),
    ("clipboard-list", "ClipboardTaskListLtr"), ("clock alarm-clock clock-alert", "Clock"), ("history", "History"),
    ("close x", "Dismiss"), ("cloud cloudy", "Cloud"), ("cloud-off", "CloudOff"),
    ("cloud-sun", "WeatherPartlyCloudyDay"), ("cloud-rain cloud-drizzle umbrella", "WeatherRain"),
    ("cloud-lightning", "WeatherThunderstorm"), ("snowflake cloud-snow", "WeatherSnowflake"),
    ("coffee", "DrinkCoffee"), ("compass navigation", "CompassNorthwest"),
    ("confetti party-popper sparkle sparkle-double sparkles", "Sparkle"),
    ("credit-card", "Payment"), ("cube", "Cube"), ("box package", "Box"), ("package-check", "BoxCheckmark"),
    ("database", "Database"), ("desktop monitor", "Desktop"), ("laptop", "Laptop"), ("server", "Server"),
    ("diamond", "Diamond"),
    ("document page-blank file", "Document"), ("square-text file-text scroll-text", "DocumentText"),
    ("file-warning", "DocumentError"), ("dot circle-dot record", "Circle"),
    ("empty-circle circle circle-dashed", "Circle"),
    ("dots-horizontal ellipsis more-horizontal", "MoreHorizontal"),
    ("dots-vertical ellipsis-vertical", "MoreVertical"), ("download", "ArrowDownload"),
    ("upload", "ArrowUpload"), ("droplet droplets", "Drop"), ("external-link", "Open"),
    ("eye", "Eye"), ("eye-off", "EyeOff"), ("flag", "Flag"), ("flame", "Fire"), ("folder", "Folder"),
    ("gift", "Gift"), ("git-branch git-merge git-pull-request git-commit", "BranchFork"),
    ("globe globe-2", "Globe"), ("graduation-cap", "HatGraduation"), ("headphones", "Headphones"),
    ("heart", "Heart"), ("home house", "Home"), ("hourglass", "Hourglass"), ("timer", "Timer"),
    ("images", "ImageMultiple"), ("square-image image", "Image"), ("inbox", "MailInbox"),
    ("info badge-info", "Info"), ("keys key key-round", "Key"), ("lab flask-conical test-tube", "Beaker"),
    ("landmark", "BuildingBank"), ("leaf", "LeafOne"), ("lifesaver life-buoy", "PersonSupport"),
    ("lightbulb", "Lightbulb"), ("link", "Link"), ("lock", "LockClosed"), ("lock-open unlock", "LockOpen"),
    ("mail", "Mail"), ("map-pin", "Location"), ("maps map", "Map"),
    ("message-circle message-square messages-square", "Chat"), ("mic", "Mic"), ("mic-off", "MicOff"),
    ("minus", "Subtract"), ("circle-minus", "SubtractCircle"), ("mobile smartphone", "Phone"),
    ("moon", "WeatherMoon"), ("music", "MusicNote2"), ("name tag", "Tag"), ("notebook", "Notebook"),
    ("notebook-pencil", "Note"), ("pause", "Pause"), ("circle-pause", "PauseCircle"),
    ("phone phone-call", "Call"), ("pill syringe", "Pill"), ("stethoscope", "Stethoscope"),
    ("plane", "Airplane"), ("play", "Play"), ("circle-play", "PlayCircle"), ("plus", "Add"),
    ("circle-plus plus-circle", "AddCircle"), ("profile user user-round", "Person"),
    ("circle-user", "PersonCircle"), ("profile-card", "ContactCard"), ("receipt", "Receipt"),
    ("reload refresh-cw rotate-cw loader loader-circle loader-2", "ArrowClockwise"),
    ("refresh-ccw rotate-ccw", "ArrowCounterclockwise"), ("repeat", "ArrowRepeatAll"),
    ("shuffle", "ArrowShuffle"), ("rocket", "Rocket"), ("ruler", "Ruler"), ("search", "Search"),
    ("send", "Send"), ("settings", "Settings"), ("settings-slider sliders-horizontal", "Options"),
    ("wrench", "Wrench"), ("shield", "Shield"), ("shield-check", "ShieldCheckmark"),
    ("ship", "VehicleShip"), ("shopping-bag", "ShoppingBag"), ("shopping-cart", "Cart"),
    ("square circle-stop", "Stop"), ("square-code code", "Code"), ("terminal", "WindowConsole"),
    ("star star-filled", "Star"), ("store", "BuildingShop"), ("suitcase briefcase", "Briefcase"),
    ("sun sunrise sunset", "WeatherSunny"), ("target crosshair", "Target"), ("thermometer", "Temperature"),
    ("thumbs-up", "ThumbLike"), ("thumbs-down", "ThumbDislike"), ("ticket", "TicketDiagonal"),
    ("train train-front tram-front", "VehicleSubway"), ("trash trash-2", "Delete"),
    ("triangle-alert alert-triangle octagon-alert", "Warning"),
    ("circle-alert alert-circle", "ErrorCircle"), ("truck", "VehicleTruck"),
    ("users users-round", "People"), ("video", "Video"), ("volume-2", "Speaker2"),
    ("volume-x", "SpeakerMute"), ("wallet", "Wallet"), ("wifi", "Wifi1"), ("wifi-off", "WifiOff"),
    ("unplug", "PlugDisconnected"), ("wind", "WeatherSqualls"), ("wreath trophy crown", "Trophy"),
    ("write write-alt write-alt2 pencil edit square-pen pen", "Edit"),
    ("circle-x x-circle square-x octagon-x", "DismissCircle"), ("ban circle-slash", "Prohibited"),
    ("footprints", "PersonWalking"),
];
