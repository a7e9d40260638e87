use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, SystemTime};

use super::types::{ActionResult, Key};
use crate::v1::{Outcome, OutcomeResult, Plan};

const MAX_MESSAGE: usize = 512; // bytes: keeps a long API answer from making every snapshot long
const MAX_OUTCOMES: usize = 10_000; // the limit of the contract; what is left out counts as not tried yet

// A planner that waits before it asks a disruption budget again leaves the action out, and has to be told all the same.
const BUDGET_MEMORY: Duration = Duration::from_secs(5 * 60);

/// Which actions of a set failed, so that a planner without memory can see that it repeats itself (SPEC.md, A14).
pub(super) struct Outcomes {
    now: fn() -> SystemTime,
    failed: Mutex<HashMap<Key, BTreeMap<String, Outcome>>>,
}

impl Outcomes {
    pub fn new(now: fn() -> SystemTime) -> Self {
        Self { now, failed: Mutex::default() }
    }

    /// Notes how an action ended. A success wipes what was known about it.
    pub fn record(&self, key: &Key, action_id: &str, result: &ActionResult) {
        let mut all = self.lock();
        let failed = all.entry(key.clone()).or_default();
        let before = failed.remove(action_id).map_or(0, |outcome| outcome.count);
        if let Some((message, outcome)) = &result.error {
            let outcome = Outcome {
                action_id: action_id.to_owned(),
                result: (*outcome).into(),
                count: before.saturating_add(1),
                message: cut(message).to_owned(),
                tried_at: Some((self.now)().into()),
            };
            failed.insert(action_id.to_owned(), outcome);
        }
    }

    /// Drops failures of actions that nobody wants any more. A truncated plan says nothing about what it left out.
    pub fn prune(&self, key: &Key, plan: &Plan) {
        if plan.truncated {
            return;
        }
        let wanted: HashSet<&str> = plan.actions().map(|action| action.id.as_str()).collect();
        if let Some(failed) = self.lock().get_mut(key) {
            failed.retain(|id, outcome| wanted.contains(id.as_str()) || self.awaits_budget(outcome));
        }
    }

    fn awaits_budget(&self, outcome: &Outcome) -> bool {
        let tried = outcome.tried_at.and_then(|at| SystemTime::try_from(at).ok());
        let since = tried.map_or(Duration::MAX, |at| (self.now)().duration_since(at).unwrap_or_default());
        outcome.result == i32::from(OutcomeResult::DisruptionBudget) && since < BUDGET_MEMORY
    }

    /// Lists the failures, sorted by id: the same memory gives the same snapshot.
    pub fn report(&self, key: &Key) -> Vec<Outcome> {
        self.lock().get(key).map_or_else(Vec::new, |failed| failed.values().take(MAX_OUTCOMES).cloned().collect())
    }

    /// Drops what is kept for a set that is gone.
    pub fn forget(&self, key: &Key) {
        self.lock().remove(key);
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<Key, BTreeMap<String, Outcome>>> {
        self.failed.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Cuts a message at a character.
fn cut(message: &str) -> &str {
    let end = (0..=MAX_MESSAGE.min(message.len())).rfind(|at| message.is_char_boundary(*at));
    &message[..end.unwrap_or(0)]
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;
    use std::time::{Duration, SystemTime};

    use super::Outcomes;
    use crate::adapter::{ActionResult, Key};
    use crate::v1::{OutcomeResult, Plan};

    thread_local!(static SECONDS: Cell<u64> = const { Cell::new(0) });

    fn now() -> SystemTime {
        SystemTime::UNIX_EPOCH + Duration::from_secs(SECONDS.get())
    }

    #[test]
    fn a_refusal_by_a_disruption_budget_is_told_for_five_minutes() {
        let key = Key { namespace: "default".to_owned(), name: "web".to_owned() };
        let outcomes = Outcomes::new(now);
        for (id, result) in [("evict-web-0", OutcomeResult::DisruptionBudget), ("delete-web-1", OutcomeResult::Rejected)] {
            outcomes.record(&key, id, &ActionResult::failed("guard", result));
        }
        for (after, told) in [(0, 1), (299, 1), (300, 0)] {
            SECONDS.set(after);
            outcomes.prune(&key, &Plan::default()); // as while the planner waits before it asks the budget again
            let kept = outcomes.report(&key);
            assert_eq!(kept.len(), told, "after {after} seconds");
            assert!(kept.iter().all(|one| one.action_id == "evict-web-0" && one.tried_at == Some(SystemTime::UNIX_EPOCH.into())));
        }
    }
}
