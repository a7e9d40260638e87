use std::fmt;
use std::time::SystemTime;

use super::action::Operation;
use super::{Action, Block, Coverage, ForecastRequest, Objects, Plan, PlanRequest, Snapshot, Target};

impl Objects {
    /// Asks about the set of this name, of apps/v1, with JSON documents: single objects or lists, such as
    /// `kubectl get sts,pods,pvc,controllerrevisions -o json` prints. They are sent as they are.
    ///
    /// `complete` names the kinds whose every object in the namespace is in the documents. Of another kind, a missing object may still exist.
    /// `observed_at` is now; set it if the documents are older.
    pub fn new<D: Into<Vec<u8>>>(name: &str, documents: impl IntoIterator<Item = D>, complete: Coverage) -> Self {
        Self {
            documents: documents.into_iter().map(Into::into).collect(),
            name: name.to_owned(),
            observed_at: Some(SystemTime::now().into()),
            coverage: Some(complete),
            ..Self::default()
        }
    }
}

impl Coverage {
    /// All pods, claims and revisions of the namespace are in the documents.
    #[must_use]
    pub fn all() -> Self {
        Self { pods: true, claims: true, revisions: true, ..Self::default() }
    }
}

impl From<Objects> for PlanRequest {
    fn from(objects: Objects) -> Self {
        Self { objects: Some(objects), ..Self::default() }
    }
}

impl From<Snapshot> for PlanRequest {
    fn from(snapshot: Snapshot) -> Self {
        Self { snapshot: Some(snapshot), ..Self::default() }
    }
}

impl<R: Into<PlanRequest>> From<R> for ForecastRequest {
    fn from(start: R) -> Self {
        Self { start: Some(start.into()), ..Self::default() }
    }
}

impl Plan {
    /// Lists the actions of all stages, in order.
    pub fn actions(&self) -> impl Iterator<Item = &Action> {
        self.stages.iter().flat_map(|stage| &stage.steps).flat_map(|step| &step.actions)
    }
}

impl Action {
    /// Names the operation as forecasts do, such as `create_pod`; `unknown` for one that this build has no member for.
    #[must_use]
    pub fn name(&self) -> &'static str {
        self.operation.as_ref().map_or("unknown", Operation::as_str_name)
    }
}

/// Writes what is done, to what, and why: `delete_pod web-2: The pod is not at the update revision.`
impl fmt::Display for Action {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let why = self.cause.as_ref().map_or("", |cause| &cause.message);
        write!(f, "{} {}: {why}", self.name(), name_of(self.target.as_ref()))
    }
}

/// Writes how serious it is, what is held back, why, and what would help: `Wait web-2: The pod is running and not ready.`
impl fmt::Display for Block {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = format!("{:?} {}: {} {}", self.severity(), name_of(self.subject.as_ref()), self.message, self.remedy);
        f.write_str(text.trim_end())
    }
}

fn name_of(target: Option<&Target>) -> &str {
    target.map_or("", |target| &target.name)
}
