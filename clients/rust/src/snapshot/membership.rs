use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};

use serde::Deserialize;
use serde_json::{Value, value::RawValue};

use super::object::{Malformed, Object};
use crate::rawjson::nullable;
use crate::v1::ClaimNeighbour;

// How many bytes of a set's name the name of a revision has.
const REVISION_BASE: usize = 223;

const CLAIM_TEMPLATES: &str = "setplan.io/claim-templates";

#[derive(Deserialize)]
struct Revision {
    data: Option<Box<RawValue>>,
}

#[derive(Deserialize)]
struct Set {
    #[serde(default, deserialize_with = "nullable")]
    spec: Spec,
}

#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Spec {
    #[serde(default, deserialize_with = "nullable")]
    volume_claim_templates: Vec<Template>,
}

#[derive(Deserialize)]
struct Template {
    #[serde(default, deserialize_with = "nullable")]
    metadata: Named,
}

#[derive(Default, Deserialize)]
struct Named {
    #[serde(default, deserialize_with = "nullable")]
    name: String,
}

/// Splits `web-3` into `web` and 3; `None` for names of another form. An ordinal beyond 64 bits is the largest.
///
/// It does not ask whether the set would use ordinal 3: the planner tells members from strangers.
#[must_use]
pub fn ordinal_of(name: &str) -> Option<(&str, u64)> {
    let (base, digits) = name.rsplit_once('-')?;
    let is_ordinal = !base.is_empty() && !digits.is_empty() && digits.bytes().all(|digit| digit.is_ascii_digit());
    is_ordinal.then(|| (base, digits.parse().unwrap_or(u64::MAX)))
}

/// Reports whether the set is the controller of an object.
#[must_use]
pub fn controls(set: &Object, thing: &Object) -> bool {
    thing.metadata().owner_references.iter().any(|owner| owner.controller && owner.uid == set.metadata().uid)
}

/// Lists the names of the claim templates, each once: the set's own, and after them what it or a revision of it adds (A25).
///
/// # Errors
/// The templates are not what an API server sends.
pub fn claim_templates(set: &Object, of_revisions: &[&Object]) -> Result<Vec<String>, Malformed> {
    let mut names = own_templates(set)?;
    let mut added = set.metadata().annotations.get(CLAIM_TEMPLATES).map_or_else(BTreeSet::new, |text| asked(text));
    for revision in of_revisions {
        let data = revision.read::<Revision>()?.data;
        let data = data.as_deref().map_or("", RawValue::get);
        if !data.starts_with("{\"spec\":") {
            let said = serde_json::from_str::<Value>(data).unwrap_or_default();
            added.extend(not_null(said.get(CLAIM_TEMPLATES).unwrap_or(&Value::Null)));
        }
    }
    added.retain(|name| !names.contains(name));
    names.extend(added);
    Ok(names)
}

/// Lists the names that an annotation has. YAML is for adapters.
fn asked(text: &str) -> BTreeSet<String> {
    match serde_json::from_str::<Value>(text) {
        Ok(said) => not_null(&said),
        #[cfg(feature = "adapter")]
        Err(_) => crate::adapter::verify::named_in(text.as_bytes()),
        #[cfg(not(feature = "adapter"))]
        Err(_) => BTreeSet::new(),
    }
}

fn not_null(said: &Value) -> BTreeSet<String> {
    let members = said.as_object().into_iter().flatten();
    members.filter(|(_, value)| !value.is_null()).map(|(name, _)| name.clone()).collect()
}

fn own_templates(set: &Object) -> Result<Vec<String>, Malformed> {
    let mut names: Vec<String> = Vec::new();
    for Template { metadata } in set.read::<Set>()?.spec.volume_claim_templates {
        if !metadata.name.is_empty() && !names.contains(&metadata.name) {
            names.push(metadata.name);
        }
    }
    Ok(names)
}

/// Lists the pods that the set controls or might want by name, by ordinal.
pub(super) fn pods<'a>(set: &Object, candidates: &'a [Object]) -> Vec<&'a Object> {
    let mut found: Vec<&Object> =
        here(set, candidates).filter(|pod| base(pod) == Some(&set.metadata().name) || controls(set, pod)).collect();
    found.sort_by(|a, b| by_ordinal(a, b));
    found
}

/// Lists the claims with names of the set's claims.
pub(super) fn claims<'a>(set: &Object, candidates: &'a [Object], of_revisions: &[&Object]) -> Result<Vec<&'a Object>, Malformed> {
    let wanted: BTreeSet<String> =
        claim_templates(set, of_revisions)?.iter().map(|template| format!("{template}-{}", set.metadata().name)).collect();
    let mut found: Vec<&Object> =
        here(set, candidates).filter(|claim| base(claim).is_some_and(|base| wanted.contains(base))).collect();
    found.sort_by(|a, b| by_ordinal(a, b));
    Ok(found)
}

/// Lists the revisions that the set controls, that nobody controls, or that the set might want by name, by name.
pub(crate) fn revisions<'a>(set: &Object, candidates: &'a [Object]) -> Vec<&'a Object> {
    let name = &set.metadata().name;
    let prefix = format!("{}-", name.get(..REVISION_BASE).unwrap_or(name));
    let mut found: Vec<&Object> = here(set, candidates)
        .filter(|one| controls(set, one) || one.controller().is_none() || one.metadata().name.starts_with(&prefix))
        .collect();
    found.sort_by_key(|one| &one.metadata().name);
    found
}

/// Lists the other sets that use the same claim names. An adapter needs them for its fence, too (D6).
///
/// Candidates are revisions, of which those count that the set has.
///
/// # Errors
/// The templates of a set are not what an API server sends.
pub fn neighbours(set: &Object, others: &[Object], candidates: &[Object]) -> Result<Vec<ClaimNeighbour>, Malformed> {
    let name = &set.metadata().name;
    let ours: BTreeMap<String, String> = claim_templates(set, &revisions(set, candidates))?
        .into_iter()
        .map(|template| (format!("{template}-{name}"), template))
        .collect();
    let mut found = Vec::new();
    if ours.is_empty() {
        return Ok(found);
    }
    let mut others: Vec<&Object> = here(set, others).filter(|other| other.metadata().name != *name).collect();
    others.sort_by_key(|other| &other.metadata().name);
    for other in others {
        let theirs = &other.metadata().name;
        for template in claim_templates(other, &[])? {
            if let Some(claim_template) = ours.get(&format!("{template}-{theirs}")) {
                found.push(ClaimNeighbour { set: theirs.clone(), claim_template: claim_template.clone() });
            }
        }
    }
    Ok(found)
}

fn here<'a>(set: &Object, candidates: &'a [Object]) -> impl Iterator<Item = &'a Object> {
    let namespace = set.metadata().namespace.clone();
    candidates.iter().filter(move |thing| thing.metadata().namespace == namespace)
}

fn base(thing: &Object) -> Option<&str> {
    ordinal_of(&thing.metadata().name).map(|(base, _)| base)
}

/// Sorts by ordinal, and what has none last, by name.
fn by_ordinal(a: &Object, b: &Object) -> Ordering {
    let key = |thing: &Object| ordinal_of(&thing.metadata().name).map_or((true, 0), |(_, ordinal)| (false, ordinal));
    key(a).cmp(&key(b)).then_with(|| a.metadata().name.cmp(&b.metadata().name))
}
