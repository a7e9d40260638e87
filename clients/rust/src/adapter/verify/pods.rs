//! The checks of new pods: what they are and what they run.

use super::json::{Json, differing, quote};
use super::names::DRAIN_CLAIMS;
use super::proof::{containers_differ, token};
use super::subject::{OWN_SPEC, Subject};
use super::{Verdict, must};

pub(super) fn pod_wanted_fault(s: &Subject<'_>) -> Verdict {
    let Some(ordinal) = s.ordinal() else { return Err("the name is not the set's name with an ordinal".to_owned()) };
    if s.is_drain() {
        return must(s.may_drain(ordinal), "the ordinal is in the range, and no drain of it was begun");
    }
    must(!s.view.deleting(), "the set is being deleted")?;
    must(s.view.range.has(ordinal), "the ordinal is not in the range")
}

pub(super) fn pod_revision_fault(s: &Subject<'_>) -> Verdict {
    let name = s.revision_label();
    if !name.is_empty() && (s.view.revisions.contains_key(name) || s.view.made.contains(name)) {
        return Ok(());
    }
    Err(format!("its revision {} is neither in the snapshot nor made by the plan", quote(name)))
}

/// Lets a drain pod list only claims of its ordinal that it may drain, because its success allows their deletion.
pub(super) fn drain_claims_fault(s: &Subject<'_>) -> Verdict {
    let ordinal = s.ordinal().filter(|ordinal| s.covers(*ordinal));
    let Some(ordinal) = ordinal else {
        return Err("the ordinal was outside the range before the policy could cover it".to_owned());
    };
    must(!s.view.shared(), "another set uses the same claim name")?;
    let claims = s.view.claims_of(ordinal);
    let may = |uid: &&str| {
        claims.iter().any(|claim| {
            let mark = s.mark_of(claim);
            claim.uid == *uid && claim.deletion_unix_ms == 0 && (mark.is_empty() || s.view.is_of_same_name(mark))
        })
    };
    match claims_of(s).split(',').find(|uid| !may(uid)) {
        Some(uid) => Err(format!("it says that it drains {}, which is not a claim of its ordinal", quote(uid))),
        None => Ok(()),
    }
}

fn claims_of<'a>(s: &'a Subject<'_>) -> &'a str {
    s.manifest.get(&["metadata", "annotations", DRAIN_CLAIMS]).text().unwrap_or_default()
}

/// Asks for exactly what the template says: containers, service account, host namespaces, node, all of it.
pub(super) fn spec_fault(s: &Subject<'_>) -> Verdict {
    let spec = s.manifest.get(&["spec"]);
    let template = s.template().get(&["spec"]);
    must(!template.is_null(), "there is no template that it could be made of")?;
    let mut but = OWN_SPEC.to_vec();
    if s.is_drain() && template.get(&["restartPolicy"]).is_null() {
        but.push("restartPolicy");
        must(spec.get(&["restartPolicy"]).is("OnFailure"), "its restartPolicy is not OnFailure")?;
    }
    if s.is_drain() && s.view.policy.proves {
        let wanted = token(&s.view.mark, claims_of(s));
        for field in ["initContainers", "containers"] {
            but.push(field);
            if containers_differ(spec.get(&[field]), template.get(&[field]), &wanted) {
                return Err(format!("{field} of its spec are not what the template says, with the token"));
            }
        }
    }
    match differing(spec, template, &but) {
        Some(key) => Err(format!("{key} of its spec is not what the template says")),
        None => Ok(()),
    }
}

pub(super) fn address_fault(s: &Subject<'_>) -> Verdict {
    must(s.manifest.get(&["spec", "hostname"]).is(s.name), "the host name is not the pod's")?;
    let service = s.set().service_name.as_str();
    let wanted = if service.is_empty() { Json::Null } else { service.into() };
    must(*s.manifest.get(&["spec", "subdomain"]) == wanted, "the subdomain is not the set's service")
}

/// Asks for the claims of the ordinal first, in the order of the claim templates, then for the template's other volumes.
pub(super) fn volumes_fault(s: &Subject<'_>) -> Verdict {
    let names: Vec<&String> = s.view.claim_names.iter().filter(|name| !is_without(s, name)).collect();
    let claim = |name: &&String| {
        let source = Json::object([("claimName", format!("{name}-{}", s.name).as_str().into())]);
        Json::object([("name", name.as_str().into()), ("persistentVolumeClaim", source)])
    };
    let is_other = |volume: &&Json| !names.iter().any(|name| *name == volume.get(&["name"]).text().unwrap_or_default());
    let others = s.template().get(&["spec", "volumes"]).items().iter().filter(is_other).cloned();
    let wanted: Vec<Json> = names.iter().map(claim).chain(others).collect();
    let right = s.manifest.get(&["spec", "volumes"]).items() == wanted;
    must(right, "its volumes are not the claims of its ordinal and the template's others")
}

/// Reports whether a new pod is without a claim template: a drain pod without one whose claim is not there, too.
fn is_without(s: &Subject<'_>, template: &str) -> bool {
    if s.is_drain() {
        let spare = s.view.is_added(template) || s.view.may_remove(template);
        return spare && !s.view.claims.contains_key(format!("{template}-{}", s.name).as_str());
    }
    s.view.is_removed_at(s.revision_label(), template)
}
