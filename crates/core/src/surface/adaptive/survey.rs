//! What is known only of the whole card, read in one walk before it is printed.

use std::collections::HashMap;

use widgetcast_engine::outline::{Action, Block, Item, Outline};

/// A table of more columns needs more room than Teams gives to a card.
const COLUMNS: usize = 4;

#[derive(Default)]
pub(super) struct Survey<'t> {
    /// How many buttons have a label.
    pub(super) labels: HashMap<&'t str, usize>,
    /// Whether any button submits the fields.
    pub(super) is_sent: bool,
    pub(super) has_fields: bool,
    pub(super) is_wide: bool,
    /// The rows of the longest list, table or chart.
    pub(super) rows: usize,
}

impl<'t> Survey<'t> {
    pub(super) fn of(outline: &Outline<'t>) -> Self {
        let mut survey = Self::default();
        survey.blocks(&outline.blocks);
        survey
    }

    fn blocks(&mut self, blocks: &[Block<'t>]) {
        for block in blocks {
            let rows = match block {
                Block::List(list) => list.items.len(),
                Block::Table(table) => table.rows.len(),
                Block::Facts { facts, .. } => facts.len(),
                Block::Chart(chart) => chart.points().count(),
                _ => 0,
            };
            self.rows = self.rows.max(rows);
            match block {
                Block::Heading(heading) => self.item(&heading.item),
                Block::List(list) => list.items.iter().for_each(|item| self.item(item)),
                Block::Item(item) => self.item(item),
                Block::Table(table) => {
                    self.is_wide |= table.columns() > COLUMNS;
                    let rows = std::iter::once(&table.head).chain(&table.rows);
                    rows.flatten().for_each(|cell| self.item(&cell.item));
                }
                Block::Field(_) => self.has_fields = true,
                Block::Actions(actions) => self.actions(actions),
                Block::Columns(columns) => columns.iter().for_each(|column| self.blocks(column)),
                Block::Panel(panel) => self.blocks(&panel.blocks),
                _ => {}
            }
        }
    }

    fn item(&mut self, item: &Item<'t>) {
        self.actions(&item.actions);
        self.blocks(&item.blocks);
    }

    fn actions(&mut self, actions: &[Action<'t>]) {
        for action in actions {
            *self.labels.entry(action.label).or_default() += 1;
            self.is_sent |= action.is_submit && !action.is_disabled && action.link.is_none();
        }
    }
}
