//! While images or resources of a pod change in place, an annotation says what is under way: to which revision, which containers ran before,
//! and which resources they had. The label of the revision follows in an update of its own, which empties the annotation.

use super::json::{Json, parse};
use super::names::{LABEL_REVISION, POD, UPDATE};
use super::subject::Subject;
use super::view::SetView;
use super::{Verdict, must};
use crate::v1::{Pod, UpdatePod};

const NOTHING: &str = "{}";

/// What that annotation of a pod says.
pub(super) struct UnderWay {
    /// It is there.
    pub marked: bool,
    /// Null where nobody can read it, and empty where the template has it: then it says nothing of this pod.
    pub record: Json,
}

impl UnderWay {
    pub fn of(view: &SetView<'_>, pod: &Pod) -> Self {
        let Some(text) = view.pod_notes(pod).get(UPDATE) else { return Self { marked: false, record: Json::Null } };
        let template = view.stored(view.revision_name(pod)).unwrap_or(&Json::Null);
        let is_of_every_pod = template.get(&["metadata", "annotations", UPDATE]).is(text);
        Self { marked: true, record: if is_of_every_pod { Json::object([]) } else { read(text) } }
    }

    /// The annotation is there, and nobody can read it.
    pub fn is_broken(&self) -> bool {
        let is_nothing = matches!(&self.record, Json::Object(members) if members.is_empty());
        self.marked && self.revision().is_empty() && !is_nothing
    }

    /// The revision; empty: nothing is under way.
    pub fn revision(&self) -> &str {
        revision_in(&self.record)
    }
}

/// Returns the revision whose template a pod has: the one that it is on its way to, or else the label's.
pub(super) fn runs(view: &SetView<'_>, pod: &Pod) -> String {
    match UnderWay::of(view, pod).revision() {
        "" => view.revision_name(pod).to_owned(),
        revision => revision.to_owned(),
    }
}

/// What an `UpdatePod` does.
pub(super) enum Updating {
    /// Labels and annotations alone change, to this revision.
    Relabels(String),
    /// Images change, or resources are to, and this is under way.
    Starts(Json),
    /// What the pod runs is noted anew while they change.
    Notes(Json),
    /// They have changed, to this revision, and the label follows.
    Finishes(String),
}

impl Updating {
    pub fn of(s: &Subject<'_>, update: &UpdatePod) -> Self {
        let Some(text) = update.annotations.get(UPDATE) else {
            return Self::Relabels(update.labels.get(LABEL_REVISION).cloned().unwrap_or_default());
        };
        let under = UnderWay::of(s.view, s.pod());
        if text == NOTHING {
            return Self::Finishes(under.revision().to_owned());
        }
        let record = read(text);
        let is_note = !under.revision().is_empty() && under.revision() == revision_in(&record);
        if is_note { Self::Notes(record) } else { Self::Starts(record) }
    }

    /// The revision.
    pub fn to(&self) -> &str {
        match self {
            Self::Relabels(revision) | Self::Finishes(revision) => revision,
            Self::Starts(record) | Self::Notes(record) => revision_in(record),
        }
    }
}

/// Refuses updates in place but of pods in the range of a set that asks for it.
pub(super) fn in_place_fault(s: &Subject<'_>) -> Verdict {
    let view = s.view;
    must(view.updates_in_place(), "the set does not ask that pods are updated in place")?;
    let wanted = !view.deleting() && s.ordinal().is_some_and(|ordinal| view.range.has(ordinal));
    must(wanted, "no ordinal of the range has this pod")
}

/// Reports whether the action marks a pod for updates of its images.
pub(super) fn marks_pod(s: &Subject<'_>) -> bool {
    s.kind == POD && s.patch().set.contains_key(UPDATE)
}

/// Lets a pod be marked once, before its images change for the first time: then the snapshot shows what runs in it.
pub(super) fn mark_fault(s: &Subject<'_>) -> Verdict {
    let patch = s.patch();
    let alone = patch.set.get(UPDATE).is_some_and(|text| text == NOTHING) && patch.set.len() + patch.remove.len() == 1;
    must(alone, "a pod is marked for updates in place, and says more than that")?;
    must(!UnderWay::of(s.view, s.pod()).marked, "the pod is marked for updates in place already")?;
    in_place_fault(s)
}

fn revision_in(record: &Json) -> &str {
    record.get(&["revision"]).text().unwrap_or_default()
}

fn read(text: &str) -> Json {
    parse(text.as_bytes(), true).unwrap_or(Json::Null)
}
