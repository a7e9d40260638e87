use std::collections::HashMap;
use std::future::Future;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use super::types::{Key, Write};

#[derive(Clone)]
struct Pending {
    write: Write,
    since: Instant,
    /// The last look at the object itself; at first as since.
    read: Instant,
    /// Nobody knows whether it was carried out.
    unanswered: bool,
}

/// Why a pass is postponed: the caches do not show a write.
#[derive(Debug, PartialEq)]
pub(super) struct Closed {
    pub why: String,
    /// When to look again.
    pub after: Duration,
}

/// The gate: no snapshot of a set before the caches show what was written to it (SPEC.md, A3).
///
/// A snapshot without that would make the planner repeat itself: create a pod twice, or delete a second one during an update. The gate
/// never opens with a cache that is known to be behind, however long that takes. A write that no cache will ever show, because the
/// object was gone or changed again before anybody looked, holds the set no longer than it takes to read the object itself and to find
/// it as the cache has it. A write with an unknown result is one of those: no version tells when the cache shows it.
pub(super) struct Gate {
    timeout: Duration,
    clock: fn() -> Instant,
    pending: Mutex<HashMap<Key, Vec<Pending>>>,
}

impl Gate {
    pub fn new(timeout: Duration, clock: fn() -> Instant) -> Self {
        Self { timeout, clock, pending: Mutex::default() }
    }

    /// Registers a write; `unanswered` is one with an unknown result.
    pub fn add(&self, key: &Key, write: Write, unanswered: bool) {
        let now = (self.clock)();
        self.lock().entry(key.clone()).or_default().push(Pending { write, since: now, read: now, unanswered });
    }

    /// Drops what was observed, and what cannot be shown any more. `None`: the gate is open.
    ///
    /// It reads one overdue object at most, and each once in a timeout; unanswered writes each time, until one differs from the cache.
    pub async fn check<F: Future<Output = bool>>(
        &self,
        key: &Key,
        observed: impl Fn(&Write) -> bool,
        current: impl Fn(Write) -> F,
    ) -> Option<Closed> {
        let now = (self.clock)();
        let mut left = Vec::new();
        let mut asked = false;
        let before = self.lock().get(key).cloned().unwrap_or_default();
        for mut pending in before {
            if !pending.unanswered && observed(&pending.write) {
                continue;
            }
            let overdue = now.saturating_duration_since(pending.read) >= self.timeout;
            if !asked && (overdue || pending.unanswered) {
                let is_current = current(pending.write.clone()).await;
                asked = !is_current || !pending.unanswered;
                if overdue {
                    pending.read = now;
                }
                if is_current {
                    continue;
                }
            }
            left.push(pending);
        }
        let Some(Pending { write, since, .. }) = left.first().cloned() else {
            self.forget(key);
            return None;
        };
        self.lock().insert(key.clone(), left);
        let what = if write.deleted { "delete" } else { "write" };
        let why = format!("the cache has not shown the {what} of {} {}", write.kind, write.name);
        Some(Closed { why, after: now.saturating_duration_since(since) / 4 })
    }

    /// Drops what is kept for a set that is gone.
    pub fn forget(&self, key: &Key) {
        self.lock().remove(key);
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<Key, Vec<Pending>>> {
        self.pending.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
