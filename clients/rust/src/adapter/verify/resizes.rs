//! The checks of resources in place: a start notes what the containers had, and a resize then gives them what the revision asks for.

use super::images::shown;
use super::json::{Json, quote};
use super::quantity::is_same_quantity;
use super::resources::{amounts_of, apart_from_resources, recorded, text_of};
use super::subject::Subject;
use super::under_way::{UnderWay, Updating, in_place_fault, runs};
use super::{Verdict, must};
use crate::v1::action::Operation;
use crate::v1::{Container, PodContainers};

/// Lets what is under way say of the resources what the snapshot shows.
pub(super) fn pod_resources_fault(s: &Subject<'_>) -> Verdict {
    let Some(Operation::UpdatePod(update)) = &s.action.operation else { return Ok(()) };
    let (view, under) = (s.view, UnderWay::of(s.view, s.pod()));
    let (record, is_note) = match Updating::of(s, update) {
        Updating::Relabels(_) => return Ok(()),
        Updating::Finishes(_) => return finished_fault(s, &under),
        Updating::Starts(record) => (record, false),
        Updating::Notes(record) => (record, true),
    };
    let (had, has_form) = recorded(&record);
    let (mut wanted, _) = recorded(&under.record);
    let has = |record: &Json| record.members().contains_key("restarts");
    let (restarted, restarts) = (has(&under.record), has(&record));
    let mut anew = is_note && restarted;
    if !is_note {
        let to = record.get(&["revision"]).text().unwrap_or_default();
        let old = view.stored(&runs(view, s.pod())).unwrap_or(&Json::Null);
        let apart = apart_from_resources(old, view.template_of(to));
        anew = apart.restarts;
        for of in apart.changed {
            let Some(container) = shown_named(s, &of.container) else {
                return Err("the pod lacks a container whose resources change".to_owned());
            };
            let amount = of.shown(container).to_owned();
            wanted.insert(of, amount);
        }
    }
    must(has_form && record.is_true_or_none("restarts"), "what is under way has another form")?;
    must(had == wanted, "what is under way is not what the snapshot shows of the resources that change")?;
    let says = if anew { restarts } else { !restarts || (restarted && !is_note) };
    must(says, "what is under way does not say whether containers start anew for their resources")
}

/// Lets the label follow when the pod's spec has what the revision asks for, or what somebody else has put there since.
fn finished_fault(s: &Subject<'_>, under: &UnderWay) -> Verdict {
    let template = s.view.template_of(under.revision());
    for (of, was) in recorded(&under.record).0 {
        let wanted = of.asked_in(template);
        let is_written = shown_named(s, &of.container).is_some_and(|container| {
            let shown = of.shown(container);
            wanted.is_null() || !is_same_quantity(shown, &was) || is_same_quantity(shown, text_of(wanted))
        });
        must(is_written, &format!("{} are not what the revision asks for", of.words()))?;
    }
    Ok(())
}

/// Finds a container that the snapshot shows of the pod.
fn shown_named<'a>(s: &Subject<'a>, name: &str) -> Option<&'a Container> {
    let PodContainers { containers, init_containers, .. } = s.pod().containers.as_ref()?;
    containers.iter().chain(init_containers).find(|container| container.name == name)
}

/// Lets containers get what the revision asks for to which their pod is on its way, and nothing that nobody has noted.
pub(super) fn pod_resize_fault(s: &Subject<'_>) -> Verdict {
    let Some(Operation::ResizePod(resize)) = &s.action.operation else { return Ok(()) };
    in_place_fault(s)?;
    let (view, under) = (s.view, UnderWay::of(s.view, s.pod()));
    let (had, has_form) = recorded(&under.record);
    let to = under.revision();
    must(!to.is_empty() && has_form, "no resources of the pod are under way")?;
    let shown = shown(s)?;
    let template = view.template_of(to);
    let is_known = view.revisions.contains_key(to) || view.made.contains(to);
    if !is_known || template.members().is_empty() {
        let to = quote(to);
        return Err(format!("the revision {to} is neither in the snapshot nor made by the plan, or it cannot be read"));
    }
    let mut changes = 0;
    for (resizes, shown) in [&resize.containers, &resize.init_containers].into_iter().zip(shown) {
        let has_all = resizes.is_empty() || resizes.len() == shown.len();
        must(has_all, "the resources are not those of all containers of the pod")?;
        for (resize, shown) in resizes.iter().zip(shown) {
            must(resize.name == shown.name, "the containers are not in the order of the pod")?;
            for (of, quantity) in amounts_of(resize) {
                changes += 1;
                let is_noted = had.get(&of).is_some_and(|was| is_same_quantity(was, of.shown(shown)));
                must(is_noted, &format!("{} are not what is under way", of.words()))?;
                let wanted = of.asked_in(template);
                let is_wanted = !wanted.is_null() && is_same_quantity(quantity, text_of(wanted));
                must(is_wanted, &format!("{} are not what the revision asks for", of.words()))?;
            }
        }
    }
    must(changes > 0, "nothing changes")
}
