//! The state of the generator for one value, and its budget.

use std::collections::HashMap;

use serde_json::Value;

use super::intent::Intent;

/// Maximum nodes in one value; long strings count as several.
const MAX_NODES: usize = 20_000;
/// From this depth on, only required members are generated.
const LEAN_DEPTH: usize = 10;

/// One generated input.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Sample {
    /// Its intent.
    pub intent: Intent,
    /// The input itself.
    pub data: Value,
}

/// Generates values for the paths of one schema.
pub(super) struct Generator<'a> {
    pub(super) root: &'a Value,
    pub(super) intent: Intent,
    /// Whether whole objects and lists may be taken from `default` and `examples`.
    pub(super) authored: bool,
    /// The index of this input among the random ones.
    pub(super) index: usize,
    /// Maximum conditions at one path so far; random inputs take turns with them.
    pub(super) ifs: usize,
    pub(super) state: u64,
    /// Nodes spent on this value, including abandoned branches.
    pub(super) used: usize,
    /// Position in the innermost list, so that its items differ.
    pub(super) position: usize,
    /// The `$ref` targets between the root and this path.
    pub(super) path: Vec<&'a Value>,
    /// How often each enum or union was used; the address is only an identity.
    pub(super) turns: HashMap<*const Value, usize>,
}

impl<'a> Generator<'a> {
    pub(super) fn new(root: &'a Value, seed: u64) -> Self {
        Generator {
            root,
            intent: Intent::Full,
            authored: false,
            index: 0,
            ifs: 0,
            state: seed,
            used: 0,
            position: 0,
            path: Vec::new(),
            turns: HashMap::new(),
        }
    }

    /// Splitmix64, below `n`; 0 when there is nothing to choose.
    pub(super) fn below(&mut self, n: usize) -> usize {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.state;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) as usize).checked_rem(n).unwrap_or(0)
    }

    pub(super) fn turn(&mut self, of: &Value) -> usize {
        let turn = self.turns.entry(std::ptr::from_ref(of)).or_insert(0);
        *turn += 1;
        *turn - 1
    }

    pub(super) fn charge(&mut self, nodes: usize) -> Option<()> {
        self.used = self.used.saturating_add(nodes);
        (self.used <= MAX_NODES).then_some(())
    }

    /// The nodes that a path may still spend; one that needs more gives up before it spends any.
    pub(super) fn left(&self) -> usize {
        MAX_NODES.saturating_sub(self.used)
    }

    /// Whether to generate only what is required: by intent, or because the value grows too large.
    pub(super) fn lean(&self, depth: usize) -> bool {
        let plenty = if self.intent == Intent::Longest { MAX_NODES / 2 } else { MAX_NODES / 10 };
        self.intent == Intent::Minimal || depth >= LEAN_DEPTH || self.used > plenty
    }
}
