//! The nine pages, which `npm run build` in `web/` writes into `pages/`.

use widgetcast::Page;

/// Name, title, what it shows, and the document.
type Row = (&'static str, &'static str, &'static str, &'static str);

macro_rules! rows {
    ($($name:literal: $title:literal, $about:literal;)*) => {
        [$(($name, $title, $about, include_str!(concat!("../pages/", $name, ".html")))),*]
    };
}

const ROWS: [Row; 9] = rows! {
    "chat-view": "Chat", "A text box that starts a conversation in the host's chat.";
    "dashboard-widget": "Dashboard", "Numbers with their trends, and recent chats.";
    "search-results": "Search results", "Search results that users filter by tag and open through the host.";
    "pizzaz-table": "Table", "A table that sorts, filters, pages and copies as CSV.";
    "kitchen-sink-lite": "Demo", "Tries what this host supports, and shows the building blocks of the pages.";
    "pizzaz-carousel": "Carousel", "Three to eight items side by side.";
    "pizzaz-gallery": "Gallery", "A grid of items; selecting one opens it.";
    "pizzaz-markdown": "Markdown", "Markdown with headings, lists and tables.";
    "solar-system": "Solar system", "An animated solar system to explore.";
};

pub(crate) fn all() -> Vec<Page> {
    let page = |(name, title, about, html): Row| {
        Page::inline(name, html)
            .address(format!("ui://widget/{name}.html"))
            .title(title)
            .description(about)
            .resource(["https://web-sandbox.oaiusercontent.com"])
            .border(true)
    };
    ROWS.into_iter().map(page).collect()
}
