//! Items that a client has seen start but not complete, so that they can be stored if it disconnects.

use crate::protocol::{AssistantContent, Event, Item, ItemKind, Update};

#[derive(Debug, Default)]
pub(crate) struct Pending(Vec<Item>);

impl Pending {
    /// Applies an event that was sent, unless it completes an item.
    pub(crate) fn follow(&mut self, event: &Event) {
        match event {
            Event::ItemAdded { item } => self.0.push(item.clone()),
            Event::ItemRemoved { item_id } => self.forget(item_id),
            Event::ItemUpdated { item_id, update } => {
                if let Some(item) = self.0.iter_mut().find(|item| item.id == *item_id) {
                    apply(item, update);
                }
            }
            _ => {}
        }
    }

    /// The item is complete.
    pub(crate) fn forget(&mut self, id: &str) {
        self.0.retain(|item| item.id != id);
    }

    /// The messages that have content; incomplete widgets and workflows are useless.
    pub(crate) fn unfinished(&mut self) -> Vec<Item> {
        let says = |item: &Item| match &item.kind {
            ItemKind::AssistantMessage { content } => {
                content.iter().any(|part| !part.text.trim().is_empty())
            }
            _ => false,
        };
        std::mem::take(&mut self.0).into_iter().filter(says).collect()
    }
}

fn apply(item: &mut Item, update: &Update) {
    match (&mut item.kind, update) {
        (
            ItemKind::AssistantMessage { content },
            Update::PartAdded { content_index, content: part }
            | Update::PartDone { content_index, content: part },
        ) => *part_of(content, *content_index) = part.clone(),
        (ItemKind::AssistantMessage { content }, Update::TextDelta { content_index, delta }) => {
            part_of(content, *content_index).text.push_str(delta);
        }
        (
            ItemKind::AssistantMessage { content },
            Update::AnnotationAdded { content_index, annotation_index, annotation },
        ) => {
            let annotations = &mut part_of(content, *content_index).annotations;
            annotations.insert((*annotation_index).min(annotations.len()), annotation.clone());
        }
        _ => {}
    }
}

/// A part of a message; updates may refer to one that has not started.
fn part_of(content: &mut Vec<AssistantContent>, index: usize) -> &mut AssistantContent {
    if content.len() <= index {
        content.resize_with(index + 1, AssistantContent::default);
    }
    &mut content[index]
}
