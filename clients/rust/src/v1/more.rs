use std::time::SystemTime;

use super::action::Operation;
use super::{Action, Coverage, ForecastRequest, Objects, Plan, PlanRequest, Snapshot};

impl Objects {
    /// What to ask about the set of this name, of apps/v1, by JSON documents: single objects or lists, such as
    /// `kubectl get sts,pods,pvc,controllerrevisions -o json` prints. They are not read here, and sent as they are.
    ///
    /// `complete` says which kinds the documents list completely for the namespace of the set: of another kind, nothing counts as absent.
    /// The documents count as those of this moment; set `observed_at` where they are older.
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
    /// Pods, claims and revisions are listed completely.
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
        match &self.operation {
            Some(Operation::CreatePod(_)) => "create_pod",
            Some(Operation::DeletePod(_)) => "delete_pod",
            Some(Operation::EvictPod(_)) => "evict_pod",
            Some(Operation::PatchPod(_)) => "patch_pod",
            Some(Operation::AdoptPod(_)) => "adopt_pod",
            Some(Operation::ReleasePod(_)) => "release_pod",
            Some(Operation::UpdatePod(_)) => "update_pod",
            Some(Operation::ResizePod(_)) => "resize_pod",
            Some(Operation::CreateClaim(_)) => "create_claim",
            Some(Operation::PatchClaim(_)) => "patch_claim",
            Some(Operation::SetClaimOwners(_)) => "set_claim_owners",
            Some(Operation::DeleteClaim(_)) => "delete_claim",
            Some(Operation::CreateRevision(_)) => "create_revision",
            Some(Operation::RenumberRevision(_)) => "renumber_revision",
            Some(Operation::AdoptRevision(_)) => "adopt_revision",
            Some(Operation::DeleteRevision(_)) => "delete_revision",
            Some(Operation::PatchAnnotations(_)) => "patch_annotations",
            Some(Operation::SetFinalizer(_)) => "set_finalizer",
            Some(Operation::UpdateStatus(_)) => "update_status",
            None => "unknown",
        }
    }
}
