//! Runs work on many items in parallel.

/// Below this number of items, starting threads costs more than it saves.
const MIN_ITEMS: usize = 64;

/// Runs `f` on every item, in parallel if there are many, and keeps the order.
pub(crate) fn in_parallel<T: Sync, R: Send>(items: &[T], f: impl Fn(&T) -> R + Sync) -> Vec<R> {
    on_threads(cores_for(items), items, f)
}

/// [`in_parallel`] on half of the cores.
pub(super) fn on_half_of_the_cores<T: Sync, R: Send>(
    items: &[T],
    f: impl Fn(&T) -> R + Sync,
) -> Vec<R> {
    on_threads((cores_for(items) / 2).max(1), items, f)
}

fn cores_for<T>(items: &[T]) -> usize {
    match items.len() {
        // Querying the number of cores reads files, which is too slow for a few items.
        ..MIN_ITEMS => 1,
        _ => std::thread::available_parallelism().map_or(1, usize::from),
    }
}

fn on_threads<T: Sync, R: Send>(cores: usize, items: &[T], f: impl Fn(&T) -> R + Sync) -> Vec<R> {
    if cores == 1 {
        return items.iter().map(f).collect();
    }
    let share = items.len().div_ceil(cores);
    let f = &f;
    std::thread::scope(|scope| {
        let workers: Vec<_> = items
            .chunks(share)
            .map(|chunk| scope.spawn(move || chunk.iter().map(f).collect::<Vec<R>>()))
            .collect();
        let done = workers.into_iter().map(|worker| worker.join());
        done.flat_map(|part| part.unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
            .collect()
    })
}
