//! A sorted list of shared items, in chunks: a copy shares the chunks, and a change copies only one of them.
//! Copying one long vector would touch the reference count of every widget, for the new snapshot and again
//! when the old one is dropped.

use std::sync::Arc;

/// Initial length of a chunk; a chunk of twice this length is split.
const PIECE: usize = 128;

/// The caller defines the order: `before` returns whether an item precedes the position.
#[derive(Debug)]
pub(super) struct Sorted<T> {
    pieces: Vec<Arc<Vec<Arc<T>>>>,
    len: usize,
}

impl<T> Clone for Sorted<T> {
    fn clone(&self) -> Self {
        Self { pieces: self.pieces.clone(), len: self.len }
    }
}

impl<T> Sorted<T> {
    /// Creates a list from sorted items.
    pub(super) fn new(items: &[Arc<T>]) -> Self {
        let pieces = items.chunks(PIECE).map(|piece| Arc::new(piece.to_vec())).collect();
        Self { pieces, len: items.len() }
    }

    pub(super) fn len(&self) -> usize {
        self.len
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &Arc<T>> {
        self.pieces.iter().flat_map(|piece| piece.iter())
    }

    /// The items from a position of [`Self::seek`] on.
    pub(super) fn from(&self, (piece, at): (usize, usize)) -> impl Iterator<Item = &Arc<T>> {
        let first = self.pieces.get(piece).map_or(&[][..], |items| &items[at..]);
        let rest = self.pieces.iter().skip(piece + 1).flat_map(|piece| piece.iter());
        first.iter().chain(rest)
    }

    pub(super) fn insert(&mut self, item: Arc<T>, before: impl Fn(&T) -> bool) {
        let (mut piece, mut at) = self.seek(before);
        if piece == self.pieces.len() {
            match self.pieces.last() {
                Some(last) => (piece, at) = (piece - 1, last.len()),
                None => self.pieces.push(Arc::default()),
            }
        }
        let items = Arc::make_mut(&mut self.pieces[piece]);
        items.insert(at, item);
        if items.len() >= 2 * PIECE {
            let rest = items.split_off(PIECE);
            self.pieces.insert(piece + 1, Arc::new(rest));
        }
        self.len += 1;
    }

    /// Removes the first item at or after the position, which must exist.
    pub(super) fn remove(&mut self, before: impl Fn(&T) -> bool) {
        let (piece, at) = self.seek(before);
        let Some(items) = self.pieces.get_mut(piece) else { return };
        let items = Arc::make_mut(items);
        items.remove(at);
        if items.is_empty() {
            self.pieces.remove(piece);
        }
        self.len -= 1;
    }

    /// The position of the first item that is not before: its chunk, and its index there.
    pub(super) fn seek(&self, before: impl Fn(&T) -> bool) -> (usize, usize) {
        let ends_before = |piece: &Arc<Vec<Arc<T>>>| piece.last().is_some_and(|item| before(item));
        let piece = self.pieces.partition_point(ends_before);
        let at = self.pieces.get(piece).map_or(0, |items| items.partition_point(|i| before(i)));
        (piece, at)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stays_sorted_and_shares() {
        let items: Vec<Arc<u32>> = (0..2000).map(|n| Arc::new(n * 2)).collect();
        let list = Sorted::new(&items);
        let mut other = list.clone();
        for n in (1..600).step_by(2) {
            other.insert(Arc::new(n), |item| *item < n);
        }
        for n in (1200..1600).step_by(2) {
            other.remove(|item| *item < n);
        }
        other.insert(Arc::new(5000), |item| *item < 5000);
        assert_eq!((list.len(), other.len()), (2000, 2101));
        assert_eq!(other.iter().count(), 2101);
        assert!(other.iter().is_sorted() && list.iter().eq(&items));
        assert_eq!(other.from(other.seek(|item| *item < 1199)).map(|n| **n).next(), Some(1600));
        assert_eq!(other.from(other.seek(|item| *item <= 5000)).next(), None);
        let shared = |piece| other.pieces.iter().any(|p| Arc::ptr_eq(p, piece));
        assert!(list.pieces.iter().filter(|piece| shared(piece)).count() > 2);
        let mut none = Sorted::new(&[]);
        none.insert(Arc::new(1), |item| *item < 1);
        none.remove(|item| *item < 1);
        assert_eq!((none.len(), none.iter().count()), (0, 0));
    }
}
