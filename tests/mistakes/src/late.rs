//! Mistakes that the compiler looks for only when there are no others.

use std::rc::Rc;

use widgetcast::Tool;

fn main() {
    _ = Tool::new("not_send", async || {
        let shared = Rc::new(1);
        std::future::ready(()).await;
        format!("{shared}")
    });
}
