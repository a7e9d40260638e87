use super::action::Operation;
use super::{Action, Plan, Stage};

impl Plan {
    /// Lists the actions of all stages, in order.
    pub fn actions(&self) -> impl Iterator<Item = &Action> {
        self.stages.iter().flat_map(Stage::actions)
    }
}

impl Stage {
    /// Lists the actions of all steps, in order.
    pub fn actions(&self) -> impl Iterator<Item = &Action> + Clone {
        self.steps.iter().flat_map(|step| &step.actions)
    }
}

impl Action {
    /// Names the operation as protobuf's JSON does, such as `createPod`; `unknown` for one that this build has no member for.
    #[must_use]
    pub fn name(&self) -> &'static str {
        match &self.operation {
            Some(Operation::CreatePod(_)) => "createPod",
            Some(Operation::DeletePod(_)) => "deletePod",
            Some(Operation::EvictPod(_)) => "evictPod",
            Some(Operation::PatchPod(_)) => "patchPod",
            Some(Operation::AdoptPod(_)) => "adoptPod",
            Some(Operation::ReleasePod(_)) => "releasePod",
            Some(Operation::CreateClaim(_)) => "createClaim",
            Some(Operation::SetClaimOwners(_)) => "setClaimOwners",
            Some(Operation::CreateRevision(_)) => "createRevision",
            Some(Operation::RenumberRevision(_)) => "renumberRevision",
            Some(Operation::AdoptRevision(_)) => "adoptRevision",
            Some(Operation::DeleteRevision(_)) => "deleteRevision",
            Some(Operation::UpdateStatus(_)) => "updateStatus",
            Some(Operation::PatchAnnotations(_)) => "patchAnnotations",
            Some(Operation::DeleteClaim(_)) => "deleteClaim",
            Some(Operation::SetFinalizer(_)) => "setFinalizer",
            Some(Operation::PatchClaim(_)) => "patchClaim",
            Some(Operation::UpdatePod(_)) => "updatePod",
            Some(Operation::ResizePod(_)) => "resizePod",
            None => "unknown",
        }
    }
}
