//! What an adapter is made of: a source that reads, an executor that writes, an observer that is told.

use std::collections::BTreeMap;
use std::future::Future;
use std::sync::Arc;
use std::{error, fmt};

use crate::client::{Answer, Client};
use crate::errors::Error;
use crate::v1::{Action, ClaimNeighbour, OutcomeResult, Plan, PlanRequest, Snapshot};

/// Names a set in a cluster. It is written as `namespace/name`.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Key {
    /// The namespace.
    pub namespace: String,
    /// The name.
    pub name: String,
}

impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.namespace, self.name)
    }
}

/// What the fence compares (SPEC.md, A4).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SetIdentity {
    /// The set's uid.
    pub uid: String,
    /// The set's generation.
    pub generation: i64,
    /// [`policy_of`] its annotations, which move no generation.
    pub policy: String,
    /// The set is being deleted.
    pub deleting: bool,
    /// [`neighbours_of`] the snapshot that would be made now; not of the live set.
    pub neighbours: String,
}

/// A finished write, which the caches must show before the next snapshot (SPEC.md, A3).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Write {
    /// The object's kind.
    pub kind: String,
    /// The object's name.
    pub name: String,
    /// The object's uid.
    pub uid: String,
    /// What the API answered; empty for a delete.
    pub resource_version: String,
    /// A delete: shown once the object is terminating, gone, or has another uid.
    pub deleted: bool,
}

/// The result of one action.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ActionResult {
    /// Why the action failed, and what that means to the planner; nothing if it succeeded, or had been done before.
    pub error: Option<(String, OutcomeResult)>,
    /// What was written, if anything was.
    pub write: Option<Write>,
}

impl ActionResult {
    /// The action failed.
    #[must_use]
    pub fn failed(why: impl fmt::Display, outcome: OutcomeResult) -> Self {
        Self { error: Some((why.to_string(), outcome)), write: None }
    }

    /// The action was carried out.
    #[must_use]
    pub fn written(write: Write) -> Self {
        Self { error: None, write: Some(write) }
    }
}

/// Why a source has no answer.
#[derive(Debug)]
pub enum SourceError {
    /// The set does not exist: there is nothing to plan.
    Gone,
    /// Anything else.
    Failed(Box<dyn error::Error + Send + Sync>),
}

impl fmt::Display for SourceError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Gone => f.write_str("the set is gone"),
            Self::Failed(error) => write!(f, "{error}"),
        }
    }
}

impl error::Error for SourceError {}

/// Decides: a [`Client`].
pub trait Planner: Send + Sync {
    /// Makes the plan of one set. An error means that no plan was made.
    fn answer(&self, request: PlanRequest) -> impl Future<Output = Result<Answer, Error>> + Send;
}

impl Planner for Client {
    async fn answer(&self, request: PlanRequest) -> Result<Answer, Error> {
        Self::answer(self, request).await
    }
}

/// Reads a cluster, from caches if it has them.
pub trait Source: Send + Sync {
    /// Makes the snapshot of one set, without policy and outcomes, which the loop adds.
    ///
    /// # Errors
    /// [`SourceError::Gone`]: there is no such set.
    fn snapshot(&self, key: &Key) -> Result<Snapshot, SourceError>;

    /// Returns the cached identity of the set, for the fence.
    ///
    /// # Errors
    /// As of [`Source::snapshot`].
    fn set(&self, key: &Key) -> Result<SetIdentity, SourceError>;

    /// Returns the same from the API server, not from a cache (A7).
    fn live_set(&self, key: &Key) -> impl Future<Output = Result<SetIdentity, SourceError>> + Send;

    /// Reports whether the caches show the effect of a write.
    fn observed(&self, key: &Key, write: &Write) -> bool;

    /// Reads the object of a write past every cache, and reports whether the cache has it as it is, or lacks it too.
    fn current(&self, key: &Key, write: &Write) -> impl Future<Output = Result<bool, SourceError>> + Send;
}

impl<S: Source> Source for Arc<S> {
    fn snapshot(&self, key: &Key) -> Result<Snapshot, SourceError> {
        S::snapshot(self, key)
    }

    fn set(&self, key: &Key) -> Result<SetIdentity, SourceError> {
        S::set(self, key)
    }

    async fn live_set(&self, key: &Key) -> Result<SetIdentity, SourceError> {
        S::live_set(self, key).await
    }

    fn observed(&self, key: &Key, write: &Write) -> bool {
        S::observed(self, key, write)
    }

    async fn current(&self, key: &Key, write: &Write) -> Result<bool, SourceError> {
        S::current(self, key, write).await
    }
}

/// Writes to a cluster.
pub trait Executor: Send + Sync {
    /// Carries out one action, with its precondition checked with the write (A8). It never retries (A9). Who drops the future cuts the
    /// action off, and nobody knows whether it was carried out.
    fn apply(&self, key: &Key, action: &Action) -> impl Future<Output = ActionResult> + Send;
}

/// Is told what the loop does, for logs, events and metrics.
pub trait Observer: Send + Sync {
    /// Takes note of a plan, before any of it is applied.
    fn planned(&self, _key: &Key, _snapshot: &Snapshot, _plan: &Plan) {}
    /// Takes note of an action that was tried.
    fn applied(&self, _key: &Key, _action: &Action, _result: &ActionResult) {}
    /// Takes note of a pass that got no plan, or did not apply it. `reason` is one of few words.
    fn held(&self, _key: &Key, _reason: &str, _why: &str) {}
    /// Drops what is kept for a set that is gone.
    fn forgotten(&self, _key: &Key) {}
}

/// An observer that does nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct Silent;

impl Observer for Silent {}

/// Names what a set's annotations ask for, so that the fence can tell that a policy was changed while the planner thought.
///
/// Every annotation under a prefix that the planner may read counts, those of a later release too. Empty: there is none.
#[must_use]
pub fn policy_of(annotations: &BTreeMap<String, String>) -> String {
    let is_policy = |key: &str| key.starts_with("setplan.io/") || key.starts_with("statefulsets.kubernetes.io/");
    let own: BTreeMap<&String, &String> = annotations.iter().filter(|(key, _)| is_policy(key)).collect();
    if own.is_empty() { String::new() } else { format!("{own:?}") }
}

/// Puts claim neighbours into one text, so that the fence can tell that there is another set since the planner was asked (D6).
#[must_use]
pub fn neighbours_of(neighbours: &[ClaimNeighbour]) -> String {
    let mut texts: Vec<String> = neighbours.iter().map(|one| format!("{} {}", one.set, one.claim_template)).collect();
    texts.sort();
    texts.join(", ")
}
