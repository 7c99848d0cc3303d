//! The buttons of a message. An id may stand only once in a block, and it names the tool: so buttons
//! that call the same tool become a menu, whose options carry what each of them sends.

use std::collections::HashMap;

use serde_json::{Value, json};

use super::limit;
use super::object::plain;
use crate::surface::loss::Loss;

/// What a menu without a choice shows before it is opened.
const HINT: &str = "Choose…";
/// What stands beside a menu that has a choice.
pub(super) const CHOICE: &str = "Your answer";

/// An element of an actions block, and the component that it comes from.
type Element = (Value, String);

/// The elements with one for each tool where that is possible, and what changed by it.
pub(super) fn gather(buttons: &[Element]) -> (Vec<Element>, Vec<Loss>) {
    let mut same: HashMap<String, Vec<usize>> = HashMap::new();
    for (index, (button, _)) in buttons.iter().enumerate() {
        if let Some(id) = button["action_id"].as_str() {
            same.entry(id.to_owned()).or_default().push(index);
        }
    }
    let mut out = Vec::new();
    let mut losses = Vec::new();
    let mut in_menu = vec![false; buttons.len()];
    for (index, (button, at)) in buttons.iter().enumerate() {
        if in_menu[index] {
            continue;
        }
        let all = button["action_id"].as_str().and_then(|id| same.get(id));
        let menu = all.filter(|all| all.len() > 1 && all[0] == index);
        let menu = menu.and_then(|all| Some((all, menu_of(buttons, all)?)));
        let Some((all, menu)) = menu else {
            out.push((button.clone(), at.clone()));
            continue;
        };
        for index in all {
            in_menu[*index] = true;
            let reason = "shown in a menu: another button calls the same tool";
            losses.push(Loss::new(buttons[*index].1.clone(), reason));
        }
        out.push((menu, at.clone()));
    }
    (out, losses)
}

/// A menu of buttons, if what they send fits its options.
fn menu_of(buttons: &[Element], all: &[usize]) -> Option<Value> {
    if all.len() > limit::SELECT_OPTIONS {
        return None;
    }
    let label = |index: &usize| buttons[*index].0["text"]["text"].as_str().unwrap_or_default();
    let mut options: Vec<Value> = Vec::new();
    for index in all {
        let value = buttons[*index].0["value"].as_str()?;
        if limit::len(value) > limit::OPTION_VALUE
            || options.last().is_some_and(|last| last["value"] == value)
        {
            return None;
        }
        options.push(json!({"text": plain(label(index)), "value": value}));
    }
    let mut menu = json!({
        "type": "static_select",
        "action_id": buttons[all[0]].0["action_id"],
        "placeholder": plain(HINT),
    });
    // The one main button among answers is the answer given. Among commands, which begin with the same
    // word, it is a proposal: as the choice of a menu it could not be chosen any more.
    let mut main = (0..all.len()).filter(|one| buttons[all[*one]].0["style"] == "primary");
    let verb = |index: &usize| label(index).split_once(' ').map(|(verb, _)| verb);
    let is_command = verb(&all[0]).is_some() && all.iter().all(|one| verb(one) == verb(&all[0]));
    if let (Some(chosen), None, false) = (main.next(), main.next(), is_command) {
        menu["initial_option"] = options[chosen].clone();
    }
    menu["options"] = options.into();
    Some(menu)
}
