use std::collections::{HashMap, HashSet};
use std::future::Future;
use std::pin::pin;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use futures_util::StreamExt;
use futures_util::stream::FuturesUnordered;
use tokio::sync::Notify;
use tokio::time::{Instant, sleep_until};

use super::rounds::Rounds;
use crate::adapter::Key;

const FIRST_RETRY: Duration = Duration::from_millis(100);
const LAST_RETRY: Duration = Duration::from_secs(30);
const IDLE: Duration = Duration::from_secs(3_600);

/// A queue of sets: a set is worked on once at a time, again when it has changed meanwhile, and later after a failure. Namespaces take
/// turns.
#[derive(Default)]
pub struct Queue {
    state: Mutex<State>,
    wake: Notify,
}

#[derive(Default)]
struct State {
    ready: Rounds,
    waiting: HashSet<Key>,
    running: HashSet<Key>,
    due: HashMap<Key, Instant>,
    /// What is not worked on before it is due, even if it has changed.
    held: HashSet<Key>,
    failures: HashMap<Key, u32>,
}

impl Queue {
    /// Asks for work on a set, at once or as soon as the work on it has ended.
    pub fn add(&self, key: Key) {
        self.lock().add(key);
        self.wake.notify_one();
    }

    /// Works on up to `at_once` sets side by side, and on two more of namespaces that nothing else is done for, until `stop` is ready and
    /// the work under way has ended. `work` returns after which time to call it again; `None` is only when something changes. `failed` is
    /// told what it fails with, and returns after which time to call it again at the soonest, such as
    /// [`PassError::retry_after`](crate::adapter::PassError::retry_after).
    pub async fn run<F, X>(
        &self,
        at_once: usize,
        work: impl Fn(Key) -> F,
        failed: impl Fn(&Key, &X) -> Option<Duration>,
        stop: impl Future,
    ) where
        F: Future<Output = Result<Option<Duration>, X>>,
    {
        let mut stop = pin!(stop);
        let mut turns = FuturesUnordered::new();
        let mut stopped = false;
        while !stopped || !turns.is_empty() {
            let begin = || if stopped { None } else { self.lock().begin(at_once) };
            while let Some(key) = begin() {
                let turn = work(key.clone());
                turns.push(async move { (key, turn.await) });
            }
            let next = self.lock().next_due();
            tokio::select! {
                Some((key, result)) = turns.next() => {
                    let result = result.map_err(|error| failed(&key, &error));
                    self.lock().end(key, result);
                }
                _ = &mut stop, if !stopped => stopped = true,
                () = self.wake.notified(), if !stopped => {}
                () = sleep_until(next), if !stopped => {}
            }
        }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    fn add(&mut self, key: Key) {
        if self.held.contains(&key) {
            return;
        }
        self.due.remove(&key);
        if self.waiting.insert(key.clone()) && !self.running.contains(&key) {
            self.ready.push(key);
        }
    }

    /// Takes the next key that there is a place for, after what has become due.
    fn begin(&mut self, at_once: usize) -> Option<Key> {
        let now = Instant::now();
        let due: Vec<Key> = self.due.iter().filter(|(_, at)| **at <= now).map(|(key, _)| key.clone()).collect();
        for key in due {
            self.held.remove(&key);
            self.add(key);
        }
        let key = self.ready.begin(at_once)?;
        self.waiting.remove(&key);
        self.running.insert(key.clone());
        Some(key)
    }

    /// What has changed meanwhile goes to the end of the queue; after a failure that waits, too, and at least as long as it says.
    fn end(&mut self, key: Key, result: Result<Option<Duration>, Option<Duration>>) {
        self.running.remove(&key);
        self.ready.end(&key);
        let changed = self.waiting.remove(&key);
        match result {
            Err(least) => {
                let failures = self.failures.entry(key.clone()).or_default();
                let after = FIRST_RETRY.saturating_mul(1 << (*failures).min(20)).min(LAST_RETRY);
                *failures = failures.saturating_add(1);
                if least.is_some() {
                    self.held.insert(key.clone());
                }
                return self.wait(key, after.max(least.unwrap_or_default()));
            }
            Ok(_) if changed => self.add(key.clone()),
            Ok(Some(after)) => self.wait(key.clone(), after),
            Ok(None) => {}
        }
        self.failures.remove(&key);
    }

    fn wait(&mut self, key: Key, after: Duration) {
        let at = Instant::now().checked_add(after).unwrap_or_else(|| Instant::now() + IDLE);
        self.due.insert(key, at);
    }

    fn next_due(&self) -> Instant {
        self.due.values().min().copied().unwrap_or_else(|| Instant::now() + IDLE)
    }
}
