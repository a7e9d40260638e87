//! What the checks know of the set: the snapshot of the request, and what earlier actions of the plan have done.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::sync::OnceLock;

use super::json::{Json, merged, parse};
use super::names::{
    CLAIM_POLICY, CLAIM_TEMPLATES, DRAIN_CLAIMS, DRAIN_SET, FINALIZER, IN_PLACE, LABEL_POD_INDEX, LABEL_POD_NAME, LABEL_REVISION,
    is_member, ordinal_in, trailing_digits,
};
use super::policy::{Policy, read_template};
use super::proof::has_drained;
use super::range::Range;
use crate::v1::{Claim, LabelSelector, OwnerReference, Pod, Revision, Snapshot, StatefulSet, Tables};

pub(super) static NO_TEXTS: BTreeMap<String, String> = BTreeMap::new();

/// The set of one snapshot.
pub(super) struct SetView<'a> {
    pub snapshot: &'a Snapshot,
    pub set: StatefulSet,
    pub pods: HashMap<&'a str, &'a Pod>,
    pub claims: HashMap<&'a str, &'a Claim>,
    pub revisions: HashMap<&'a str, &'a Revision>,
    pub policy: Policy,
    pub range: Range,
    pub template: Json,
    /// The claim templates without what the annotation says; null where only that has one.
    pub claim_templates: Vec<Json>,
    /// The claim templates that the annotation adds, by name.
    pub additions: BTreeMap<String, Json>,
    /// The claim templates that revisions of the set have beside its own, by name: of two, the newer revision's.
    pub stored_additions: BTreeMap<String, Json>,
    /// How many claim templates are the set's own: the first ones.
    own_templates: usize,
    /// The patches of the claim templates, by name; null if there are none, or they cannot be read.
    pub claim_patches: Json,
    /// Names of the claim templates: the set's own, in order, and after them those that are added, sorted.
    pub claim_names: Vec<String>,
    /// Uids of the pods with the set's name: claims are deleted with a released pod, too.
    pub pod_uids: HashSet<&'a str>,
    /// What the set's drain pods and the claims under its drain policy bear.
    pub mark: String,
    /// Revisions that the plan makes the newest.
    pub made: BTreeSet<String>,
    /// What revisions that the plan creates say of removed claim templates.
    pub removals: HashMap<String, Json>,
    /// Claim and owner, by uid, where the plan has taken the reference off.
    pub released: HashSet<(String, String)>,
    patched: OnceLock<Vec<Json>>,
    stored: HashMap<&'a str, OnceLock<Json>>,
    said: HashMap<&'a str, OnceLock<Json>>,
    belongings: HashMap<&'a str, Vec<&'a Claim>>,
}

/// An object that others own.
pub(super) trait Owned {
    fn owners_index(&self) -> u32;
}

impl Owned for Pod {
    fn owners_index(&self) -> u32 {
        self.owner_set_index
    }
}

impl Owned for Claim {
    fn owners_index(&self) -> u32 {
        self.owner_set_index
    }
}

impl Owned for Revision {
    fn owners_index(&self) -> u32 {
        self.owner_set_index
    }
}

impl<'a> SetView<'a> {
    pub fn new(snapshot: &'a Snapshot) -> Self {
        let set = snapshot.set.clone().unwrap_or_default();
        let claim_templates: Vec<Json> = set.claim_templates.iter().map(|template| document(template)).collect();
        let named = |template: &Json| template.get(&["metadata", "name"]).text().unwrap_or_default().to_owned();
        let mut view = Self {
            snapshot,
            pods: snapshot.pods.iter().map(|pod| (pod.name.as_str(), pod)).collect(),
            claims: snapshot.claims.iter().map(|claim| (claim.name.as_str(), claim)).collect(),
            revisions: snapshot.revisions.iter().map(|revision| (revision.name.as_str(), revision)).collect(),
            policy: Policy::of(snapshot),
            range: Range::of(snapshot),
            template: document(&set.pod_template),
            claim_names: claim_templates.iter().map(named).collect(),
            claim_patches: set.annotations.get(CLAIM_TEMPLATES).map_or(Json::Null, |text| read_template(text.as_bytes())),
            own_templates: claim_templates.len(),
            claim_templates,
            additions: BTreeMap::new(),
            stored_additions: BTreeMap::new(),
            pod_uids: snapshot.pods.iter().filter(|pod| is_member(&pod.name, &set.name)).map(|pod| pod.uid.as_str()).collect(),
            mark: format!("{}/{}", set.name, set.uid),
            made: BTreeSet::new(),
            removals: HashMap::new(),
            released: HashSet::new(),
            patched: OnceLock::new(),
            stored: snapshot.revisions.iter().map(|revision| (revision.name.as_str(), OnceLock::new())).collect(),
            said: snapshot.revisions.iter().map(|revision| (revision.name.as_str(), OnceLock::new())).collect(),
            belongings: HashMap::new(),
            set,
        };
        view.read_additions();
        for claim in &snapshot.claims {
            if view.claim_ordinal(&claim.name).is_some() && claim.deletion_unix_ms == 0 {
                for owner in view.owners(claim) {
                    view.belongings.entry(owner.uid.as_str()).or_default().push(claim);
                }
            }
        }
        view
    }

    /// Reads which claim templates the annotation adds, and which ones revisions of the set have. One that the annotation alone has,
    /// and for which the pod template does not ask, adds nothing.
    fn read_additions(&mut self) {
        let mut own: Vec<&Revision> = self.snapshot.revisions.iter().filter(|revision| self.own_revision(revision)).collect();
        own.sort_by_key(|revision| (revision.number, revision.created_unix_ms, &revision.name));
        for revision in own {
            let added = self.added_in(document(&revision.data).get(&[CLAIM_TEMPLATES]));
            self.stored_additions.extend(added);
        }
        let mut asked = self.added_in(&self.claim_patches);
        asked.retain(|name, _| self.stored_additions.contains_key(name) || self.asks_for(name));
        self.additions = asked;
        let names: BTreeSet<&String> = self.additions.keys().chain(self.stored_additions.keys()).collect();
        let names: Vec<String> = names.into_iter().cloned().collect();
        self.claim_templates.extend(names.iter().map(|name| self.stored_additions.get(name).cloned().unwrap_or(Json::Null)));
        self.claim_names.extend(names);
    }

    fn added_in(&self, said: &Json) -> BTreeMap<String, Json> {
        let is_added = |(name, value): &(&String, &Json)| matches!(value, Json::Object(_)) && !self.claim_names.contains(name);
        said.members().iter().filter(is_added).map(|(name, value)| (name.clone(), value.clone())).collect()
    }

    /// Reports whether the pod template has a volume that is bound to a claim of its own name, to be written to.
    fn asks_for(&self, name: &str) -> bool {
        self.template.get(&["spec", "volumes"]).items().iter().any(|volume| {
            let claim = volume.get(&["persistentVolumeClaim"]);
            let read_only = matches!(claim.get(&["readOnly"]), Json::Bool(true));
            volume.get(&["name"]).is(name) && claim.get(&["claimName"]).is(name) && !read_only
        })
    }

    /// Reports whether a claim template is none of the set's own.
    pub fn is_added(&self, template: &str) -> bool {
        !self.claim_names.iter().take(self.own_templates).any(|name| name == template)
    }

    /// Reports whether a new revision may have a claim template beside the set's own: the set adds it, or an earlier revision.
    pub fn may_add(&self, template: &str, value: &Json) -> bool {
        self.additions.get(template) == Some(value) || self.stored_additions.get(template) == Some(value)
    }

    /// Returns the template that a revision stores, without the mark of a patch that replaces; `None` if it stores nothing.
    pub fn stored(&self, name: &str) -> Option<&Json> {
        let data = self.revisions.get(name).map(|revision| revision.data.as_slice()).filter(|data| !data.is_empty())?;
        Some(self.stored.get(name)?.get_or_init(|| {
            let mut template = document(data).get(&["spec", "template"]).members().clone();
            template.remove("$patch");
            Json::Object(template)
        }))
    }

    /// Returns the template of a revision of the snapshot, or of one that the plan makes.
    pub fn template_of(&self, revision: &str) -> &Json {
        self.stored(revision).filter(|_| !self.made.contains(revision)).unwrap_or(&self.template)
    }

    /// Returns the claim templates as the annotation wants them: each with its patch, or as it is added.
    pub fn patched_templates(&self) -> &[Json] {
        let with_patch = |(template, name): (&Json, &String)| match self.claim_patches.get(&[name]) {
            Json::Null => template.clone(),
            added if self.is_added(name) => added.clone(),
            patch => merged(template, patch),
        };
        self.patched.get_or_init(|| self.claim_templates.iter().zip(&self.claim_names).map(with_patch).collect())
    }

    /// Reports whether the pods of a revision are without a claim template.
    pub fn is_removed_at(&self, revision: &str, template: &str) -> bool {
        let read = |revision: &&Revision| document(&revision.data).get(&[CLAIM_TEMPLATES]).clone();
        let stored = || Some(self.said.get(revision)?.get_or_init(|| self.revisions.get(revision).map_or(Json::Null, read)));
        let said = self.removals.get(revision).or_else(stored).unwrap_or(&Json::Null);
        if self.is_added(template) { !matches!(said.get(&[template]), Json::Object(_)) } else { said.removes(template) }
    }

    /// Reports whether new pods may be without a claim template: the set says so, or the newest revision, as long as the set's
    /// annotation cannot be read.
    pub fn may_remove(&self, template: &str) -> bool {
        self.claim_patches.removes(template) || self.newest().is_some_and(|newest| self.is_removed_at(&newest.name, template))
    }

    /// Claims follow their templates: the policy says so, or there is none and a patch is there.
    pub fn claims_follow(&self) -> bool {
        let note = |name: &str| self.set.annotations.get(name).map_or("", String::as_str);
        let fields = document(&self.set.own_fields);
        let field = fields.get(&["claimUpdatePolicy"]).text().unwrap_or_default();
        match if field.is_empty() { note(CLAIM_POLICY) } else { field } {
            "" => !note(CLAIM_TEMPLATES).is_empty(),
            policy => policy.starts_with("InPlace"),
        }
    }

    /// The set asks for updates in place. A text that this build does not know does, too: what is not deleted is safe.
    pub fn updates_in_place(&self) -> bool {
        let fields = document(&self.set.own_fields);
        let field = fields.get(&["inPlace"]).text().unwrap_or_default();
        let note = self.set.annotations.get(IN_PLACE).map_or("", String::as_str);
        !matches!(if field.is_empty() { note } else { field }, "" | "Recreate")
    }

    pub fn deleting(&self) -> bool {
        self.set.deletion_unix_ms != 0
    }

    pub fn draining(&self) -> bool {
        self.policy.draining
    }

    /// The set is being deleted and is drained before it goes.
    pub fn emptying(&self) -> bool {
        let kept = self.set.finalizers.iter().any(|finalizer| finalizer == FINALIZER);
        self.deleting() && self.draining() && self.policy.on_delete && kept
    }

    /// Another set of the namespace uses the same claim names, so that nobody can tell whose claims they are.
    pub fn shared(&self) -> bool {
        !self.snapshot.claim_neighbours.is_empty()
    }

    /// The reference by which the set controls what it makes and adopts.
    pub fn owner(&self) -> OwnerReference {
        OwnerReference {
            api_version: self.set.api_version.clone(),
            kind: self.set.kind.clone(),
            name: self.set.name.clone(),
            uid: self.set.uid.clone(),
            controller: true,
            block_owner_deletion: true,
        }
    }

    /// Reports whether a mark is this set's, or an earlier one's of its name.
    pub fn is_of_same_name(&self, mark: &str) -> bool {
        mark.strip_prefix(&self.set.name).is_some_and(|rest| rest.starts_with('/'))
    }

    fn tables(&self) -> Option<&'a Tables> {
        self.snapshot.tables.as_ref()
    }

    pub fn owners(&self, thing: &impl Owned) -> &'a [OwnerReference] {
        at(self.tables().map(|tables| &tables.owner_sets), thing.owners_index()).map_or(&[], |set| &set.owners)
    }

    fn notes_at(&self, index: u32) -> &'a BTreeMap<String, String> {
        at(self.tables().map(|tables| &tables.annotation_sets), index).map_or(&NO_TEXTS, |set| &set.annotations)
    }

    pub fn notes(&self, claim: &Claim) -> &'a BTreeMap<String, String> {
        self.notes_at(claim.annotation_set_index)
    }

    pub fn pod_notes(&self, pod: &Pod) -> &'a BTreeMap<String, String> {
        self.notes_at(pod.annotation_set_index)
    }

    /// Reports whether the set controls it.
    pub fn ours(&self, thing: &impl Owned) -> bool {
        self.owners(thing).iter().any(|owner| owner.controller && owner.uid == self.set.uid)
    }

    /// Reports whether nobody controls it.
    pub fn orphan(&self, thing: &impl Owned) -> bool {
        !self.owners(thing).iter().any(|owner| owner.controller)
    }

    pub fn revision_name(&self, pod: &Pod) -> &'a str {
        at(self.tables().map(|tables| &tables.revision_names), pod.revision_name_index).map_or("", String::as_str)
    }

    /// Reports whether the selector is for a pod, by all of its labels.
    pub fn matches(&self, pod: &Pod) -> bool {
        let set = at(self.tables().map(|tables| &tables.label_sets), pod.label_set_index);
        let mut labels = set.map(|set| set.labels.clone()).unwrap_or_default();
        if pod.pod_name_label {
            labels.insert(LABEL_POD_NAME.to_owned(), pod.name.clone());
        }
        if pod.pod_index_label {
            labels.insert(LABEL_POD_INDEX.to_owned(), trailing_digits(&pod.name).to_owned());
        }
        if pod.revision_name_index != 0 {
            labels.insert(LABEL_REVISION.to_owned(), self.revision_name(pod).to_owned());
        }
        selects(self.set.selector.as_ref(), &labels)
    }

    /// Reports whether a pod is the set's: the set controls it, or may adopt it for its name and labels.
    ///
    /// A set that is being deleted adopts nothing: who deletes it with --cascade=orphan keeps the pods.
    pub fn member(&self, pod: &Pod) -> bool {
        self.ours(pod) || (self.orphan(pod) && !self.deleting() && is_member(&pod.name, &self.set.name) && self.matches(pod))
    }

    /// Reports whether a pod is a drain pod of the set: it says so, and nobody controls it.
    pub fn drain_pod(&self, pod: &Pod) -> bool {
        self.orphan(pod) && self.notes_at(pod.annotation_set_index).get(DRAIN_SET) == Some(&self.mark)
    }

    /// Lists the drain pods that have drained a claim (D4).
    pub fn drained_by(&self, claim: &Claim) -> impl Iterator<Item = &'a Pod> {
        self.snapshot.pods.iter().filter(|pod| {
            let notes = self.notes_at(pod.annotation_set_index);
            let listed = notes.get(DRAIN_CLAIMS).is_some_and(|claims| claims.split(',').any(|uid| uid == claim.uid));
            listed && self.drain_pod(pod) && has_drained(pod, notes, self.policy.proves)
        })
    }

    /// Reports whether a revision is the set's: labels that match, and no other controller.
    pub fn own_revision(&self, revision: &Revision) -> bool {
        (self.ours(revision) || self.orphan(revision)) && selects(self.set.selector.as_ref(), &revision.labels)
    }

    /// Returns the newest revision of the set: by number, then age, then name.
    pub fn newest(&self) -> Option<&'a Revision> {
        let own = self.snapshot.revisions.iter().filter(|revision| self.own_revision(revision));
        own.max_by_key(|revision| (revision.number, revision.created_unix_ms, &revision.name))
    }

    /// Reads the ordinal of `<template>-<set>-<ordinal>` for one of the set's claim templates.
    pub fn claim_ordinal(&self, name: &str) -> Option<i32> {
        self.claim_names.iter().find_map(|template| ordinal_in(name, &format!("{template}-{}", self.set.name)))
    }

    /// Lists the existing claims of an ordinal.
    pub fn claims_of(&self, ordinal: i32) -> Vec<&'a Claim> {
        let named = |template: &String| format!("{template}-{}-{ordinal}", self.set.name);
        self.claim_names.iter().filter_map(|template| self.claims.get(named(template).as_str()).copied()).collect()
    }

    /// Returns an undrained claim of the set that would be deleted with an owner.
    ///
    /// Deleting the owner of a claim deletes the claim: the garbage collector knows no drain.
    pub fn undrained(&self, owner: &str) -> Option<&'a Claim> {
        let claims = self.belongings.get(owner)?;
        let is_kept = |claim: &Claim| self.released.contains(&(claim.uid.clone(), owner.to_owned()));
        claims.iter().copied().find(|claim| !is_kept(claim) && self.drained_by(claim).next().is_none())
    }
}

/// Evaluates a selector with the meaning of metav1.LabelSelector. One that is empty selects nothing.
pub(super) fn selects(selector: Option<&LabelSelector>, labels: &BTreeMap<String, String>) -> bool {
    let Some(LabelSelector { match_labels, match_expressions }) = selector else { return false };
    if match_labels.is_empty() && match_expressions.is_empty() {
        return false;
    }
    match_labels.iter().all(|(key, value)| labels.get(key) == Some(value))
        && match_expressions.iter().all(|rule| {
            let value = labels.get(&rule.key);
            match rule.operator.as_str() {
                "Exists" => value.is_some(),
                "DoesNotExist" => value.is_none(),
                "In" => value.is_some_and(|value| rule.values.contains(value)),
                "NotIn" => value.is_none_or(|value| !rule.values.contains(value)),
                _ => false,
            }
        })
}

/// Reads a table. Index 0 means none, whatever the first entry holds.
fn at<T>(table: Option<&Vec<T>>, index: u32) -> Option<&T> {
    if index == 0 { None } else { table?.get(usize::try_from(index).ok()?) }
}

/// Reads a text of the snapshot; null if it is no JSON. If a key occurs twice the last one counts, as for everybody else.
fn document(text: &[u8]) -> Json {
    parse(text, false).unwrap_or(Json::Null)
}
