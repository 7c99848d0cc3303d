//! Builds the pages that the crate embeds.

fn main() {
    widgetcast_pages::embed(&["view.html", "gallery.html", "icons.tsv"]);
}
