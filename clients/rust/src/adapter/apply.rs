use std::collections::HashSet;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant, SystemTime};

use futures_util::{StreamExt, stream};

use super::passes::{Loop, PassError};
use super::types::{ActionResult, Executor, Key, Observer, Planner, Source, Write, neighbours_of, policy_of};
use super::verify::Verifier;
use crate::client::Answer;
use crate::durations::duration;
use crate::v1::action::Operation;
use crate::v1::{Action, OnFailure, OutcomeResult, Snapshot, Stage, Step};

/// How long the fence counts as checked for a deletion: a stage with many steps may last for minutes.
const CHECKED: Duration = Duration::from_secs(1);

/// One plan on its way into the cluster: carries out the stages in order (SPEC.md, A4 to A10, A20, A21).
pub(super) struct Application<'a, S, E, P, O> {
    of: &'a Loop<S, E, P, O>,
    key: &'a Key,
    snapshot: &'a Snapshot,
    answer: &'a Answer,
    failures: Mutex<Vec<String>>,
    fence: Mutex<Fence>,
}

/// What is known about the fence.
#[derive(Default)]
struct Fence {
    /// When it was checked last.
    checked: Option<Instant>,
    /// Why the rest of the plan is dropped.
    dropped: Option<PassError>,
}

impl<'a, S: Source, E: Executor, P: Planner, O: Observer> Application<'a, S, E, P, O> {
    pub fn new(of: &'a Loop<S, E, P, O>, key: &'a Key, snapshot: &'a Snapshot, answer: &'a Answer) -> Self {
        Self { of, key, snapshot, answer, failures: Mutex::default(), fence: Mutex::default() }
    }

    /// Applies the plan.
    pub async fn run(&self) -> Result<(), PassError> {
        let mut verifier = Verifier::new(self.snapshot);
        let mut begun = false;
        let mut stopped = false;
        let mut skipped = HashSet::new();
        for (place, stage) in self.answer.plan.stages.iter().enumerate() {
            if stage.steps.is_empty() || skipped.contains(&stage.phase) || (stopped && !stage.always_run) {
                continue;
            }
            if !begun || stage.actions().any(deletes) {
                self.check_fence()?;
                lock(&self.fence).checked = Some((self.of.options.clock)());
            }
            begun = true;
            if stage.requires_live_set {
                self.check_live_set().await?;
            }
            let succeeded = self.is_allowed(place, stage, &mut verifier) && self.run_stage(stage).await;
            if let Some(dropped) = lock(&self.fence).dropped.take() {
                return Err(dropped);
            }
            if succeeded {
                continue;
            }
            match stage.on_failure() {
                OnFailure::Stop => stopped = true,
                OnFailure::SkipPhase => {
                    skipped.insert(stage.phase);
                }
                _ => break, // ABORT; and what this build does not know is treated with the same care
            }
        }
        let failures = std::mem::take(&mut *lock(&self.failures));
        if failures.is_empty() { Ok(()) } else { Err(PassError::Failed(failures)) }
    }

    /// Drops the plan unless it still fits the set and its current spec. It reads the cache.
    fn check_fence(&self) -> Result<(), PassError> {
        let drop = |why: &str| Err(self.dropped("fence", why));
        let Some(fence) = &self.answer.plan.fence else { return drop("the plan has no fence") };
        if self.answer.unknown.fence {
            return drop("the fence has a field that this adapter does not know");
        }
        let set = match self.of.source.set(self.key) {
            Ok(set) => set,
            Err(error) => return drop(&error.to_string()),
        };
        if set.uid != fence.set_uid {
            return drop(&format!("the plan is for uid {}, the set has uid {}", fence.set_uid, set.uid));
        }
        if set.policy != self.snapshot.set.as_ref().map_or_else(String::new, |set| policy_of(&set.annotations)) {
            return drop("the set's policy annotations have changed since the plan was requested");
        }
        if set.neighbours != neighbours_of(&self.snapshot.claim_neighbours) {
            return drop("another set with the same claim names was created or deleted since the plan was requested");
        }
        if set.generation != fence.generation {
            return drop(&format!("the plan is for generation {}, the set is at {}", fence.generation, set.generation));
        }
        let Some(most) = fence.max_age else { return Ok(()) };
        let observed = self.snapshot.observed_at.and_then(|at| SystemTime::try_from(at).ok());
        // A clock that was set back makes no snapshot old.
        let age = observed.map_or(Duration::MAX, |at| (self.of.options.now)().duration_since(at).unwrap_or_default());
        if duration(most).is_none_or(|most| age > most) {
            return drop(&format!("the snapshot is {age:?} old, the plan holds for {} s", most.seconds));
        }
        Ok(())
    }

    /// Checks the fence again before a deletion that has waited long (D6), for the steps before it or its turn. If it fails, nothing of
    /// the plan begins any more, and that is told once.
    fn is_still_meant(&self, action: &Action) -> bool {
        let mut fence = lock(&self.fence);
        let now = (self.of.options.clock)();
        let is_old = fence.checked.is_none_or(|checked| now.saturating_duration_since(checked) > CHECKED);
        if fence.dropped.is_none() && deletes(action) && is_old {
            fence.dropped = self.check_fence().err();
            fence.checked = Some(now);
        }
        fence.dropped.is_none()
    }

    /// Reads the set from the API server: an adoption that races with a deletion gives the object to the garbage collector.
    async fn check_live_set(&self) -> Result<(), PassError> {
        let drop = |why: &str| Err(self.dropped("live set", why));
        let set = match self.of.source.live_set(self.key).await {
            Ok(set) => set,
            Err(error) => return drop(&error.to_string()),
        };
        let uid = self.snapshot.set.as_ref().map_or("", |set| &set.uid);
        if set.uid != uid {
            return drop(&format!("the plan is for uid {uid}, the set has uid {}", set.uid));
        }
        if set.deleting { drop("the set is being deleted") } else { Ok(()) }
    }

    fn dropped(&self, reason: &str, why: &str) -> PassError {
        self.of.observer.held(self.key, reason, why);
        PassError::Dropped(format!("{reason}: {why}"))
    }

    /// Refuses a stage with an action that this build does not know or that fails a check.
    ///
    /// Nothing of it is sent: half of what nobody here understands, or of what an untrue plan wants, is no better than all of it.
    fn is_allowed(&self, place: usize, stage: &Stage, verifier: &mut Verifier<'_>) -> bool {
        let mut actions = stage.actions();
        let (action, why) = if let Some(action) = actions.clone().find(|action| action.operation.is_none()) {
            (action.clone(), "this adapter does not know the operation".to_owned())
        } else if self.answer.unknown.stages.contains(&place) {
            let Some(first) = actions.next() else { return false };
            (first.clone(), "this adapter does not know a field that restricts when to write".to_owned())
        } else {
            match verifier.stage(stage) {
                Ok(()) => return true,
                Err(refusal) => {
                    let why = refusal.to_string();
                    self.of.observer.held(self.key, "verification", &why);
                    (refusal.action, why)
                }
            }
        };
        self.tell(&action, &ActionResult::failed(why, OutcomeResult::Error));
        false
    }

    /// Runs the steps of a stage side by side, and reports whether all succeeded. A failed step does not stop the others.
    async fn run_stage(&self, stage: &Stage) -> bool {
        let most = self.of.options.parallelism.max(1);
        let steps = stream::iter(&stage.steps).map(|step| self.run_step(step)).buffer_unordered(most);
        steps.fold(true, async |all, succeeded| all && succeeded).await
    }

    /// Runs the actions of a step in order; the first failure ends the step, and so does a dropped plan.
    async fn run_step(&self, step: &Step) -> bool {
        for action in &step.actions {
            if !self.is_still_meant(action) {
                return false;
            }
            let applied = tokio::time::timeout(self.of.options.action_timeout, self.of.executor.apply(self.key, action)).await;
            let late = |_| ActionResult::failed("the action took too long", OutcomeResult::Error);
            let result = applied.unwrap_or_else(late);
            if may_have_bound(action, &result) {
                let (kind, name) = action.target.as_ref().map_or(("", ""), |target| (&target.kind, &target.name));
                let uid = action.precondition.as_ref().map_or("", |precondition| &precondition.uid);
                let write = Write { kind: kind.to_owned(), name: name.to_owned(), uid: uid.to_owned(), ..Write::default() };
                self.of.gate.add(self.key, write, true);
            }
            self.tell(action, &result);
            if result.error.is_some() {
                return false;
            }
        }
        true
    }

    /// Passes a result on to everybody who keeps something about it.
    fn tell(&self, action: &Action, result: &ActionResult) {
        if let Some(write) = &result.write {
            self.of.gate.add(self.key, write.clone(), false);
        }
        self.of.outcomes.record(self.key, &action.id, result);
        if let Some((why, _)) = &result.error {
            lock(&self.failures).push(why.clone());
        }
        self.of.observer.applied(self.key, action, result);
    }
}

fn lock<T>(of: &Mutex<T>) -> MutexGuard<'_, T> {
    of.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Reports whether an action takes something away, if only for a while: the fence is checked again before it (A4). One that is unknown
/// counts.
fn deletes(action: &Action) -> bool {
    match &action.operation {
        Some(Operation::UpdatePod(body)) => !(body.containers.is_empty() && body.init_containers.is_empty()), // containers are stopped
        None
        | Some(
            Operation::DeletePod(_)
            | Operation::EvictPod(_)
            | Operation::DeleteClaim(_)
            | Operation::DeleteRevision(_)
            | Operation::ResizePod(_), // containers may start anew
        ) => true,
        Some(
            Operation::CreatePod(_)
            | Operation::PatchPod(_)
            | Operation::AdoptPod(_)
            | Operation::ReleasePod(_)
            | Operation::CreateClaim(_)
            | Operation::SetClaimOwners(_)
            | Operation::CreateRevision(_)
            | Operation::RenumberRevision(_)
            | Operation::AdoptRevision(_)
            | Operation::UpdateStatus(_)
            | Operation::PatchAnnotations(_)
            | Operation::PatchClaim(_)
            | Operation::SetFinalizer(_),
        ) => false,
    }
}

/// Reports whether a failed action may have given a claim to a pod all the same.
///
/// Whoever does not know deletes that pod, and the claim with it. What else may have been done does no such harm: it is tried again,
/// and found to be done.
fn may_have_bound(action: &Action, result: &ActionResult) -> bool {
    let unknown = matches!(&result.error, Some((_, OutcomeResult::Error | OutcomeResult::Unspecified)));
    matches!(action.operation, Some(Operation::SetClaimOwners(_))) && unknown
}

#[cfg(test)]
mod tests {
    use super::deletes;
    use crate::v1::action::Operation;
    use crate::v1::{Action, ContainerImage, ResizePod, UpdatePod};

    #[test]
    fn the_fence_is_checked_again_before_containers_start_anew() {
        let images = vec![ContainerImage::default()];
        for (operation, fenced) in [
            (Operation::UpdatePod(UpdatePod::default()), false),
            (Operation::UpdatePod(UpdatePod { containers: images.clone(), ..UpdatePod::default() }), true),
            (Operation::UpdatePod(UpdatePod { init_containers: images, ..UpdatePod::default() }), true),
            (Operation::ResizePod(ResizePod::default()), true),
        ] {
            let action = Action { operation: Some(operation), ..Action::default() };
            assert_eq!(deletes(&action), fenced, "{action:?}");
        }
    }
}
