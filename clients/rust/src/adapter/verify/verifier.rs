use std::{error, fmt};

use super::json::quote;
use super::list::{CHECKS, Check};
use super::names::CLAIM_TEMPLATES;
use super::subject::Subject;
use super::view::SetView;
use crate::v1::{Action, Snapshot, Stage};

/// Why an action is not sent.
#[derive(Clone, Debug)]
pub struct Refusal {
    /// The check's name: there are few, so it can be a metric's label.
    pub check: &'static str,
    /// The action.
    pub action: Action,
    why: String,
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (kind, name) = self.action.target.as_ref().map_or(("", ""), |target| (&target.kind, &target.name));
        let Self { check, action, why } = self;
        write!(f, "refused unsent ({check}): {} {} {}: {why}", action.name(), quote(kind), quote(name))
    }
}

impl error::Error for Refusal {}

/// Checks one plan against one snapshot.
pub struct Verifier<'a> {
    view: SetView<'a>,
    checks: Vec<&'static Check>,
}

impl<'a> Verifier<'a> {
    /// Makes a verifier.
    #[must_use]
    pub fn new(snapshot: &'a Snapshot) -> Self {
        Self::with(snapshot, CHECKS.iter().collect())
    }

    /// Makes a verifier with other checks, for tests of the list.
    #[doc(hidden)]
    #[must_use]
    pub fn with(snapshot: &'a Snapshot, checks: Vec<&'static Check>) -> Self {
        Self { view: SetView::new(snapshot), checks }
    }

    /// Checks every action of a stage, in the order of the plan.
    ///
    /// # Errors
    /// Nothing of the stage may be sent.
    pub fn stage(&mut self, stage: &Stage) -> Result<(), Box<Refusal>> {
        for action in stage.actions() {
            let subject = Subject::new(&self.view, stage, action);
            for check in self.checks.iter().filter(|check| (check.about)(&subject)) {
                if let Err(why) = (check.fault)(&subject) {
                    return Err(Box::new(Refusal { check: check.name, action: action.clone(), why }));
                }
            }
            let made = ["createRevision", "renumberRevision"].contains(&subject.operation).then(|| subject.name.to_owned());
            let released = released(&subject);
            let removals = (subject.operation == "createRevision")
                .then(|| (subject.name.to_owned(), subject.manifest.get(&["data", CLAIM_TEMPLATES]).clone()));
            self.view.made.extend(made);
            self.view.removals.extend(removals);
            self.view.released.extend(released);
        }
        Ok(())
    }
}

/// Lists the references, by uid of claim and owner, that an action takes off. Later actions of the plan may rely on it.
fn released(s: &Subject<'_>) -> Vec<(String, String)> {
    if s.operation != "setClaimOwners" {
        return Vec::new();
    }
    let is_left = |uid: &String| s.owners().iter().any(|owner| owner.uid == *uid);
    let before = s.view.owners(s.claim()).iter().filter(|owner| !is_left(&owner.uid));
    before.map(|owner| (s.claim().uid.clone(), owner.uid.clone())).collect()
}
