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
    "chat-view": "Chat", "A question to begin a conversation with, sent to the host's own chat.";
    "dashboard-widget": "Dashboard", "Numbers with their trends, and recent chats.";
    "search-results": "Search results", "Results to scan: filtered by tag, opened through the host.";
    "pizzaz-table": "Table", "A table that sorts, filters, pages and copies as CSV.";
    "kitchen-sink-lite": "Demo", "What this host can do, tried out, and the parts of the pages.";
    "pizzaz-carousel": "Carousel", "Three to eight items side by side.";
    "pizzaz-gallery": "Gallery", "A grid of items, of which one opens.";
    "pizzaz-markdown": "Markdown", "A text with headings, lists and tables.";
    "solar-system": "Solar system", "The planets on their way round the sun, to be explored.";
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
