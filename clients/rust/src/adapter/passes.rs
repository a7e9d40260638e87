use std::time::{Duration, Instant, SystemTime};
use std::{error, fmt};

use tonic::Code;

use super::apply::Application;
use super::gate::Gate;
use super::outcomes::Outcomes;
use super::types::{Executor, Key, Observer, Planner, Source, SourceError, Write};
use crate::durations::duration;
use crate::errors::{Error, Kind};
use crate::v1::{Capability, PlanRequest, Policy, Snapshot};

const LAST_GATE_RETRY: Duration = Duration::from_secs(5); // a change of the set triggers a check at once
const LAST_CALL: Duration = Duration::from_secs(300); // what a planner says without sense stops no set for good

/// Options of a loop. The defaults are right for production.
#[derive(Clone, Debug)]
pub struct Options {
    /// What a program asks for beside the set's annotations, which the planner reads (A18).
    pub policy: Option<Policy>,
    /// How long a write may stay unseen before the loop reads the object itself.
    pub gate_timeout: Duration,
    /// The first delay after a pass that met a closed gate.
    pub gate_retry: Duration,
    /// Limits one action.
    pub action_timeout: Duration,
    /// How many steps of a stage run at once.
    pub parallelism: usize,
    /// Tells the age of a snapshot.
    pub now: fn() -> SystemTime,
    /// Tells how long a write is unseen.
    pub clock: fn() -> Instant,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            policy: None,
            gate_timeout: Duration::from_secs(30),
            gate_retry: Duration::from_millis(100),
            action_timeout: Duration::from_secs(30),
            parallelism: 100,
            now: SystemTime::now,
            clock: Instant::now,
        }
    }
}

/// A pass that did not do all of its work. The caller backs off and calls again.
#[derive(Debug)]
#[non_exhaustive]
pub enum PassError {
    /// The planner gave no plan, so nothing was written (A11).
    Planner(Error),
    /// There is no snapshot.
    Snapshot(SourceError),
    /// The plan was dropped because the world had moved. The next pass plans anew; nobody has to act.
    Dropped(String),
    /// Actions of the plan failed.
    Failed(Vec<String>),
}

impl fmt::Display for PassError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Planner(error) => write!(f, "{error}"),
            Self::Snapshot(error) => write!(f, "{error}"),
            Self::Dropped(why) => write!(f, "the plan was dropped: {why}"),
            Self::Failed(errors) => write!(f, "actions of the plan failed: {}", errors.join("; ")),
        }
    }
}

impl error::Error for PassError {}

impl PassError {
    /// Not to call again sooner than after this time, five minutes at most: the planner has no room before (C1).
    #[must_use]
    pub fn retry_after(&self) -> Option<Duration> {
        if let Self::Planner(error) = self { error.retry_after.map(|after| after.min(LAST_CALL)) } else { None }
    }
}

/// Reconciles one set at a time.
///
/// The queue, its back-off and who may write are the caller's. [`Loop::reconcile`] may run for several keys at once, but never twice for
/// the same key.
pub struct Loop<S, E, P, O> {
    pub(super) source: S,
    pub(super) executor: E,
    pub(super) observer: O,
    pub(super) options: Options,
    pub(super) gate: Gate,
    pub(super) outcomes: Outcomes,
    planner: P,
    capabilities: Vec<i32>,
}

impl<S: Source, E: Executor, P: Planner, O: Observer> Loop<S, E, P, O> {
    /// Makes a loop. `capabilities` is what the executor can do (C5).
    pub fn new(source: S, executor: E, planner: P, capabilities: &[Capability], observer: O, options: Options) -> Self {
        Self {
            source,
            executor,
            observer,
            gate: Gate::new(options.gate_timeout, options.clock),
            outcomes: Outcomes::new(options.now),
            options,
            planner,
            capabilities: capabilities.iter().map(|&capability| capability.into()).collect(),
        }
    }

    /// Makes one pass over a set, and returns after which time to call again; `None` is only when something changes.
    ///
    /// While the planner gives no plan, nothing is written (A11). Who drops the future cuts off what is under way, and nobody knows
    /// whether it was carried out: only a process that ends, or has lost its lease, does so.
    ///
    /// # Errors
    /// The caller backs off and calls again.
    pub async fn reconcile(&self, key: &Key) -> Result<Option<Duration>, PassError> {
        if let Some(retry) = self.pass_gate(key).await {
            return Ok(Some(retry));
        }
        let Some(snapshot) = self.snapshot(key)? else { return Ok(None) };
        let request = PlanRequest { snapshot: Some(snapshot.clone()), capabilities: self.capabilities.clone() };
        let answer = self.planner.answer(request).await.map_err(|error| {
            self.observer.held(key, reason(&error), &error.to_string());
            PassError::Planner(error)
        })?;
        self.outcomes.prune(key, &answer.plan);
        self.observer.planned(key, &snapshot, &answer.plan);
        Application::new(self, key, &snapshot, &answer).run().await?;
        if answer.plan.truncated && !answer.plan.stages.is_empty() {
            return Ok(Some(Duration::ZERO));
        }
        let after = answer.plan.requeue_after.and_then(duration);
        Ok(after.filter(|after| !after.is_zero())) // what is no time to come says nothing
    }

    fn snapshot(&self, key: &Key) -> Result<Option<Snapshot>, PassError> {
        match self.source.snapshot(key) {
            Ok(snapshot) => {
                let policy = self.options.policy.clone().or(snapshot.policy);
                Ok(Some(Snapshot { policy, outcomes: self.outcomes.report(key), ..snapshot }))
            }
            Err(SourceError::Gone) => {
                self.gate.forget(key);
                self.outcomes.forget(key);
                self.observer.forgotten(key);
                Ok(None)
            }
            Err(error) => {
                self.observer.held(key, "snapshot", &error.to_string());
                Err(PassError::Snapshot(error))
            }
        }
    }

    async fn pass_gate(&self, key: &Key) -> Option<Duration> {
        let current = async |write: Write| {
            self.source.current(key, &write).await.unwrap_or_else(|error| {
                self.observer.held(key, "gate timeout", &error.to_string());
                false
            })
        };
        let closed = self.gate.check(key, |write| self.source.observed(key, write), current).await?;
        self.observer.held(key, "gate", &closed.why);
        Some(closed.after.min(LAST_GATE_RETRY).max(self.options.gate_retry))
    }
}

/// Tells an unreachable or busy planner, which recovers by itself, from one that refuses, which seldom does.
fn reason(error: &Error) -> &'static str {
    match error.code {
        _ if error.kind == Kind::Overloaded => "planner busy",
        Code::InvalidArgument
        | Code::FailedPrecondition
        | Code::ResourceExhausted
        | Code::Internal
        | Code::Unimplemented
        | Code::PermissionDenied
        | Code::Unauthenticated => "planner refused",
        _ => "planner unreachable",
    }
}
