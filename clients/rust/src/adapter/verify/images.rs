//! The check of images in place.

use std::collections::BTreeMap;

use super::json::{Json, differing, quote};
use super::names::LABEL_REVISION;
use super::resources::{apart_from_resources, stays};
use super::subject::Subject;
use super::under_way::{UnderWay, Updating, runs};
use super::{Verdict, must};
use crate::v1::action::Operation;
use crate::v1::{Container, ContainerImage, PodContainers, UpdatePod};

/// The lists of containers of a spec.
pub(super) const LISTS: [&str; 2] = ["containers", "initContainers"];

/// Images that change, by the name of the container, of each list.
type Changed = [BTreeMap<String, String>; 2];

/// What the snapshot shows of each list.
pub(super) type Shown<'a> = [&'a [Container]; 2];

/// How many digits a time in seconds has at most.
const MAX_SECONDS: usize = 11;

/// Lets images be the template's where the revisions differ, and otherwise stay. What is under way is what the snapshot shows, and the
/// label comes when it is over.
pub(super) fn pod_images_fault(s: &Subject<'_>) -> Verdict {
    let Some(Operation::UpdatePod(update)) = &s.action.operation else { return Ok(()) };
    let (does, under) = (Updating::of(s, update), UnderWay::of(s.view, s.pod()));
    must(!under.is_broken(), "nobody can read what is under way in the pod")?;
    let has_none = update.containers.is_empty() && update.init_containers.is_empty();
    must(has_none || matches!(does, Updating::Starts(_)), "images change, and nothing says what is under way")?;
    match &does {
        Updating::Starts(record) => start_fault(s, update, record, &under),
        Updating::Notes(record) => record_fault(record, &under.record, &Changed::default(), shown(s)?, true),
        Updating::Relabels(_) => must(under.revision().is_empty(), "the pod is on its way to a revision"),
        Updating::Finishes(to) => {
            let label = update.labels.get(LABEL_REVISION).map_or(s.view.revision_name(s.pod()), String::as_str);
            must(label == to, "the label is not the revision that the pod was on its way to")
        }
    }
}

/// Returns the containers that the snapshot shows of the pod.
pub(super) fn shown<'a>(s: &Subject<'a>) -> Result<Shown<'a>, String> {
    match &s.pod().containers {
        Some(PodContainers { containers, init_containers, .. }) => Ok([containers, init_containers]),
        None => Err("the snapshot does not show what runs in the pod".to_owned()),
    }
}

fn start_fault(s: &Subject<'_>, update: &UpdatePod, record: &Json, under: &UnderWay) -> Verdict {
    let view = s.view;
    let shown = shown(s)?;
    let to = record.get(&["revision"]).text().unwrap_or_default();
    let (old, new) = (view.stored(&runs(view, s.pod())).unwrap_or(&Json::Null), view.template_of(to));
    let (_, _, changed) = apart_from_images(old, new);
    let none_differs = changed.iter().all(BTreeMap::is_empty) && apart_from_resources(old, new).changed.is_empty();
    must(!(none_differs && under.revision().is_empty()), "the templates differ in no image, and in no resource")?;
    images_fault(&update.containers, shown[0], &changed[0])?;
    images_fault(&update.init_containers, shown[1], &changed[1])?;
    record_fault(record, &under.record, &changed, shown, false)
}

/// Compares a list of images with the pod's containers. A list in which nothing changes may be left out.
fn images_fault(images: &[ContainerImage], shown: &[Container], changed: &BTreeMap<String, String>) -> Verdict {
    if images.is_empty() && changed.is_empty() {
        return Ok(());
    }
    must(images.len() == shown.len(), "the images are not those of all containers of the pod")?;
    for (image, container) in images.iter().zip(shown) {
        must(image.name == container.name, "the containers are not in the order of the pod")?;
        if image.image != *changed.get(&container.name).unwrap_or(&container.image) {
            return Err(format!("the image of the container {} is not what the templates differ in", quote(&container.name)));
        }
    }
    let has = |name: &String| shown.iter().any(|container| container.name == *name);
    must(changed.keys().all(has), "the pod lacks a container whose image changes")
}

/// Compares what is under way with what the snapshot shows of each container whose image changes. What was under way before stays in it, as it
/// was; a note may say of it what the snapshot shows now.
fn record_fault(record: &Json, before: &Json, changed: &Changed, shown: Shown<'_>, is_note: bool) -> Verdict {
    let noted = record.get(&["containers"]);
    must(is_record(record) && is_note != record.get(&["seen"]).is_null(), "what is under way has another form")?;
    let mut known = 0;
    for (changed, shown) in changed.iter().zip(shown) {
        for container in shown {
            let (entry, was) = (noted.get(&[&container.name]), before.get(&["containers", &container.name]));
            known += usize::from(!entry.is_null());
            let is_kept = entry == was;
            let may_differ = changed.contains_key(&container.name) || (is_note && !was.is_null() && !is_kept);
            if !(if may_differ { tells(entry, container, was) } else { is_kept }) {
                let name = quote(&container.name);
                return Err(format!("what is under way is not what the snapshot shows of the container {name}"));
            }
        }
    }
    must(known == noted.members().len(), "what is under way names a container that the pod does not have")
}

/// Reports whether a record has its form, but for its entries.
fn is_record(record: &Json) -> bool {
    let is_seconds =
        |at: &Json| matches!(at, Json::Number(at) if at.len() <= MAX_SECONDS && at.bytes().all(|byte| byte.is_ascii_digit()));
    differing(record, &Json::Null, &["at", "containers", "resize", "restarts", "revision", "seen"]).is_none()
        && is_seconds(record.get(&["at"]))
        && matches!(record.get(&["containers"]), Json::Object(_))
        && record.is_true_or_none("seen")
}

/// Reports whether an entry is what a container shows. Where there was an entry before, it also tells what ran when that began.
fn tells(entry: &Json, shown: &Container, was: &Json) -> bool {
    let good = entry.get(&["good"]);
    let has_form = matches!(entry, Json::Object(_)) && differing(entry, &Json::Null, &["id", "image", "good", "open"]).is_none();
    if !has_form || !entry.is_true_or_none("open") || !ran_as(entry, &shown.container_id, &shown.image_id) {
        return false;
    }
    if was.is_null() {
        return good.is_null() && entry.get(&["open"]).is_null();
    }
    let first = if was.get(&["good"]).is_null() { was } else { was.get(&["good"]) };
    let text = |key: &str| first.get(&[key]).text().unwrap_or_default();
    good.members().len() == 2 && ran_as(good, text("id"), text("image"))
}

fn ran_as(value: &Json, id: &str, image: &str) -> bool {
    value.get(&["id"]).is(id) && value.get(&["image"]).is(image)
}

/// Takes the images that may change in place out of two templates: those of containers, and of sidecars, which have the same place and name
/// in both. Also returns those that differ.
pub(super) fn apart_from_images(old: &Json, new: &Json) -> (Json, Json, Changed) {
    let (mut old, mut new, mut changed) = (old.clone(), new.clone(), Changed::default());
    for (list, changed) in LISTS.into_iter().zip(&mut changed) {
        for (left, right) in pairs(&mut old, &mut new, list) {
            let Some(name) = right.get(&["name"]).text().filter(|name| left.get(&["name"]).is(name)).map(str::to_owned) else {
                continue;
            };
            let image = |container: &Json| container.get(&["image"]).text().filter(|image| !image.is_empty()).map(str::to_owned);
            let (Some(was), Some(now)) = (image(left), image(right)) else { continue };
            if !stays(list, left) || !stays(list, right) {
                continue;
            }
            left.remove("image");
            right.remove("image");
            if now != was {
                changed.insert(name, now);
            }
        }
    }
    (old, new, changed)
}

/// Pairs the containers of a list of two templates by their places; none where one has more.
pub(super) fn pairs<'a>(old: &'a mut Json, new: &'a mut Json, list: &str) -> impl Iterator<Item = (&'a mut Json, &'a mut Json)> {
    let containers = match (old.get_mut(&["spec", list]), new.get_mut(&["spec", list])) {
        (Some(Json::List(old)), Some(Json::List(new))) if old.len() == new.len() => Some(old.iter_mut().zip(new)),
        _ => None,
    };
    containers.into_iter().flatten()
}
