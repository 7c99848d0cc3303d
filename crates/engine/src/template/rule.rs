//! What the parts of a skeleton are checked against when it is compiled.

use super::skeleton::{Item, SkeletonNode, constant, counts, is_always_written};
use crate::tree::component::{Component, Prop, Shape, Want};

/// What the members of an object, or the items of a list, are checked against.
#[derive(Clone, Copy)]
pub(super) enum Rule {
    Component(&'static Component),
    Shape(&'static Shape),
    Children(&'static Component),
    Items(Want),
    Any,
}

impl Rule {
    /// The row of a member.
    fn prop(self, key: Option<&str>) -> Option<&'static Prop> {
        match (self, key) {
            (Rule::Component(component), Some(key)) => component.prop(key),
            (Rule::Shape(shape), Some(key)) => shape.props.iter().find(|prop| prop.name == key),
            _ => None,
        }
    }

    /// What a member or an item must be.
    pub(super) fn want(self, key: Option<&str>) -> Want {
        match (self, key) {
            (Rule::Items(want), _) => want,
            (Rule::Component(_), Some("type")) => Want::Any,
            _ => self.prop(key).map_or(Want::Any, |prop| prop.want),
        }
    }

    /// Whether null is a fault: a component can do without a value, an object in a prop cannot.
    pub(super) fn is_required(self, key: Option<&str>) -> bool {
        matches!(self, Rule::Shape(_)) && self.prop(key).is_some_and(|prop| prop.required)
    }
}

/// The component of an object with a constant type; none if a required member may be missing. The
/// witnesses do not show all that may be missing: in each, all choices go the same way, and each
/// loop runs once.
pub(super) fn component_of(items: &[Item<'_, '_>]) -> Option<&'static Component> {
    let name = items.iter().find_map(|item| match item {
        Item::One { key: Some(key), value } if key == "type" => match &value.node {
            SkeletonNode::Text(parts) => constant(parts),
            _ => None,
        },
        _ => None,
    })?;
    let component = Component::find(name)?;
    let required = component.all_props().filter(|prop| prop.required).map(|prop| prop.name);
    let children = component.needs_children.then_some("children");
    required.chain(children).all(|key| is_always_written(items, key)).then_some(component)
}

/// Whether each member is written at most once, and those that an object in a prop needs always are.
/// Of several members with one key only the last counts, and the witnesses show only that one.
pub(super) fn has_sure_members(items: &[Item<'_, '_>], rule: Rule) -> bool {
    let is_once = counts(items).into_values().all(|count| count == 1);
    let is_complete = match rule {
        Rule::Shape(shape) => {
            shape.props.iter().all(|prop| !prop.required || is_always_written(items, prop.name))
        }
        _ => true,
    };
    is_once && is_complete
}
