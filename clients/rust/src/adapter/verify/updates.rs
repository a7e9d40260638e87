//! The check of updates in place: a pod that is said to be at a revision runs what that revision says, and has what it asks for.

use std::collections::{BTreeMap, BTreeSet};

use super::images::apart_from_images;
use super::json::{Json, quote};
use super::names::{LABEL_POD_INDEX, LABEL_POD_NAME, LABEL_REVISION, UPDATE};
use super::resources::apart_from_resources;
use super::subject::Subject;
use super::under_way::{Updating, in_place_fault, runs};
use super::{Verdict, must};
use crate::v1::UpdatePod;
use crate::v1::action::Operation;

const IDENTITY: [&str; 3] = [LABEL_POD_NAME, LABEL_POD_INDEX, LABEL_REVISION];

/// Lets a pod go to another revision only if the templates differ in what may change, and get these labels and annotations. The images and
/// the resources are other checks' business.
pub(super) fn pod_update_fault(s: &Subject<'_>) -> Verdict {
    let view = s.view;
    let Some(Operation::UpdatePod(update)) = &s.action.operation else { return Ok(()) };
    in_place_fault(s)?;
    let does = Updating::of(s, update);
    let (name, was) = (does.to(), runs(view, s.pod()));
    let made = view.made.contains(name);
    let stays = matches!(does, Updating::Notes(_) | Updating::Finishes(_)); // at the revision whose template the pod has
    if name.is_empty() || !stays && !made && !view.revisions.contains_key(name) {
        return Err(format!("the revision {} is neither in the snapshot nor made by the plan", quote(name)));
    }
    if stays {
        return metadata_fault(update, &does, &Json::Null, &Json::Null);
    }
    must(view.revisions.contains_key(was.as_str()), "the snapshot does not have the pod's revision")?;
    let old = view.stored(&was).unwrap_or(&Json::Null);
    let new = view.template_of(name);
    must(!old.members().is_empty() && !new.members().is_empty(), "a template cannot be read")?;
    let rest = apart_from_resources(old, new);
    let (old, new) = if let Updating::Starts(_) = does {
        let (old, new, _) = apart_from_images(&rest.old, &rest.new);
        (old, new)
    } else {
        must(rest.changed.is_empty(), "the templates differ in resources")?;
        (rest.old, rest.new)
    };
    let (before, after) = (old.get(&["metadata"]), new.get(&["metadata"]));
    let same = is_same_but(&old, &new, &["metadata"]) && is_same_but(before, after, &["labels", "annotations"]);
    must(same, "the templates differ in more than may change")?;
    let alike = |template: &String| view.is_removed_at(&was, template) == view.is_removed_at(name, template);
    must(view.claim_names.iter().all(alike), "the revisions have other claim templates")?;
    metadata_fault(update, &does, before, after)
}

/// Compares what the pod gets with the labels and annotations in which two templates differ. The label of the revision is no part of a start:
/// it follows when the images run.
fn metadata_fault(update: &UpdatePod, does: &Updating, before: &Json, after: &Json) -> Verdict {
    let (mut labels, mut notes) = (update.labels.clone(), update.annotations.clone());
    notes.remove(UPDATE);
    if matches!(does, Updating::Relabels(_) | Updating::Finishes(_)) {
        labels.remove(LABEL_REVISION);
    }
    change_fault("label", before.get(&["labels"]), after.get(&["labels"]), &labels, &update.remove_labels)?;
    let (before, after) = (before.get(&["annotations"]), after.get(&["annotations"]));
    change_fault("annotation", before, after, &notes, &update.remove_annotations)
}

/// Compares what is set and removed with how two maps of texts differ.
fn change_fault(what: &str, old: &Json, new: &Json, set: &BTreeMap<String, String>, remove: &[String]) -> Verdict {
    let is_free = |key: &str| !IDENTITY.contains(&key);
    let texts = new.members().iter().filter_map(|(key, value)| Some((key.as_str(), value.text()?)));
    let texts: BTreeMap<&str, &str> = texts.filter(|(key, _)| is_free(key)).collect();
    let wanted: BTreeMap<&str, &str> =
        texts.iter().filter(|(key, value)| !old.get(&[key]).is(value)).map(|(key, value)| (*key, *value)).collect();
    let gone: BTreeSet<&str> =
        old.members().keys().map(String::as_str).filter(|key| is_free(key) && !texts.contains_key(key)).collect();
    let odd = set.iter().find(|(key, value)| wanted.get(key.as_str()) != Some(&value.as_str())).map(|(key, _)| key);
    let odd = odd.or_else(|| remove.iter().find(|key| !gone.contains(key.as_str())));
    let odd = odd.or_else(|| set.keys().chain(remove).find(|key| key.starts_with("setplan.io/")));
    if let Some(key) = odd {
        return Err(format!("the {what} {} is not what the templates differ in", quote(key)));
    }
    let removed: BTreeSet<&str> = remove.iter().map(String::as_str).collect();
    if set.len() == wanted.len() && removed == gone {
        return Ok(());
    }
    Err(format!("a {what} in which the templates differ is left out"))
}

/// Compares two templates, or parts, but for some keys. Nulls and empty objects are as good as nothing: older API servers wrote them.
fn is_same_but(a: &Json, b: &Json, but: &[&str]) -> bool {
    let mut keys = a.members().keys().chain(b.members().keys());
    keys.all(|key| but.contains(&key.as_str()) || is_same(a.get(&[key]), b.get(&[key])))
}

fn is_same(a: &Json, b: &Json) -> bool {
    match (a, b) {
        _ if a.is_nothing() || b.is_nothing() => a.is_nothing() && b.is_nothing(),
        (Json::Object(_), Json::Object(_)) => is_same_but(a, b, &[]),
        (Json::List(a), Json::List(b)) => a.len() == b.len() && a.iter().zip(b).all(|(a, b)| is_same(a, b)),
        _ => a == b,
    }
}
