use std::time::SystemTime;

use serde::Deserialize;
use serde_json::value::RawValue;

use super::object::{Malformed, Object};
use super::tables::Tables;
use super::{membership, pod, set, small};
use crate::rawjson::{members, nullable};
use crate::v1::{Coverage, Snapshot};

/// What a snapshot is made from. The lists may hold objects of other sets and namespaces, in any order.
#[derive(Clone, Debug)]
pub struct Objects {
    /// The set.
    pub set: Object,
    /// Pods.
    pub pods: Vec<Object>,
    /// Claims.
    pub claims: Vec<Object>,
    /// Controller revisions.
    pub revisions: Vec<Object>,
    /// The other sets, which may use the same claim names. The set itself may be among them.
    pub other_sets: Vec<Object>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Listed<'a> {
    #[serde(default, deserialize_with = "nullable")]
    api_version: String,
    #[serde(default, deserialize_with = "nullable")]
    kind: String,
    #[serde(borrow, default, deserialize_with = "nullable")]
    items: Vec<&'a RawValue>,
}

/// Takes the objects out of a list that the API server sent.
///
/// The items of a list do not say their kind and version; they get those of the list, because a snapshot has the set's.
///
/// # Errors
/// It is no JSON, or an item has no metadata.
pub fn items(list: impl AsRef<[u8]>) -> Result<Vec<Object>, Malformed> {
    let text = String::from_utf8_lossy(list.as_ref());
    let Listed { api_version, kind, items } = serde_json::from_str(&text)?;
    let kind = kind.strip_suffix("List").unwrap_or(&kind);
    let head = format!("{{\"apiVersion\":{},\"kind\":{},", serde_json::to_string(&api_version)?, serde_json::to_string(kind)?);
    items
        .into_iter()
        .map(|item| {
            let text = item.get();
            let has_kind = members(text)?.iter().any(|(key, _)| key == "kind");
            if has_kind { Object::parse(text) } else { Object::parse(format!("{head}{}", text.get(1..).unwrap_or_default())) }
        })
        .collect()
}

/// Makes the snapshot of a set, without the caller's part: outcomes and policy.
///
/// Name in `coverage` only the kinds whose lists are complete (A2).
///
/// # Errors
/// An object is not what an API server sends.
pub fn of(objects: &Objects, coverage: Coverage, observed_at: SystemTime) -> Result<Snapshot, Malformed> {
    let mut tables = Tables::default();
    let Objects { set, pods, claims, revisions, other_sets } = objects;
    let pods = membership::pods(set, pods).into_iter().map(|pod| pod::message(&mut tables, pod)).collect::<Result<_, _>>()?;
    let past = membership::revisions(set, revisions);
    let claims = membership::claims(set, claims, &past)?;
    let claims = claims.into_iter().map(|claim| small::claim(&mut tables, claim)).collect::<Result<_, _>>()?;
    let claim_neighbours = membership::neighbours(set, other_sets, revisions)?;
    let revisions = past.into_iter().map(|one| small::revision(&mut tables, one)).collect::<Result<_, _>>()?;
    Ok(Snapshot {
        observed_at: Some(observed_at.into()),
        coverage: Some(coverage),
        set: Some(set::message(set)?),
        pods,
        claims,
        revisions,
        claim_neighbours,
        tables: Some(tables.message),
        ..Snapshot::default()
    })
}
