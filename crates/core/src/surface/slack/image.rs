//! Images, and the losses of those that Slack cannot load.

use serde_json::Value;

use super::compiler::Compiler;
use super::component::{self, text};
use super::limit;

impl Compiler<'_> {
    pub(super) fn image(&mut self, node: &Value, at: &str) {
        match component::picture(node, self.out.heading.as_deref()) {
            Some(picture) => {
                self.check_alt(node, at);
                self.out.push(picture, at);
            }
            // Its alternative text is not what a person reads; the loss tells of it.
            None => self.lose_images(&[at.to_owned()]),
        }
    }

    pub(super) fn check_alt(&mut self, node: &Value, at: &str) {
        if text(node, "alt").is_some_and(|alt| limit::len(&alt) > limit::ALT) {
            self.out.lose(at, "clamped: Slack takes at most 2000 characters of alt text");
        }
    }

    pub(super) fn lose_images(&mut self, images: &[String]) {
        for at in images {
            self.out.lose(at, "the image is not shown: Slack loads public https images only");
        }
    }
}
