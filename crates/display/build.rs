//! Builds the pages that the crate embeds.

fn main() {
    widgetcast_pages::embed(&[
        "chat-view.html",
        "dashboard-widget.html",
        "search-results.html",
        "pizzaz-table.html",
        "kitchen-sink-lite.html",
        "pizzaz-carousel.html",
        "pizzaz-gallery.html",
        "pizzaz-markdown.html",
        "solar-system.html",
    ]);
}
