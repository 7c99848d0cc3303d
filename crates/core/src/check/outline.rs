//! Checks the author's roles: whether components with these ids exist.

use widgetcast_engine::error::{Error, Kind, Severity};
use widgetcast_engine::json::locate;
use widgetcast_engine::suggest::nearest;
use widgetcast_engine::tree::{CompactTree, Key, Node};

use super::checker::Checker;

pub(super) fn check(checker: &mut Checker<'_>) {
    let roles = checker.widget.roles();
    let Some(sample) = checker.extras.sample.as_ref().filter(|_| !roles.is_empty()) else { return };
    let Ok(view) = checker.widget.render_unvalidated(sample) else { return };
    let tree = CompactTree::read(view.json());
    let mut ids = Vec::new();
    collect(tree.root(), &mut ids);
    let unused: Vec<String> =
        roles.ids().filter(|id| !ids.contains(id)).map(str::to_owned).collect();
    for id in unused {
        let help = match nearest(&id, ids.iter().copied()) {
            Some(near) => format!("did you mean {near}?"),
            None => format!("add `\"id\": \"{id}\"` to the component"),
        };
        let message = format!("outline refers to {id}, but no component of the sample has this id");
        let error = Error::new(Kind::OutlineUnused, message).with_help(help);
        checker.at_pointer(Severity::Warning, error, &format!("/outline/{}", locate::escaped(&id)));
    }
}

fn collect<'t>(node: Option<Node<'t>>, ids: &mut Vec<&'t str>) {
    let Some(node) = node else { return };
    ids.extend(node.text(Key::Id));
    node.children().for_each(|child| collect(Some(child), ids));
}
