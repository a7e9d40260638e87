use serde::Deserialize;
use serde_json::value::RawValue;

use super::object::{Malformed, Object, millis};
use super::tables::Tables;
use crate::rawjson::nullable;
use crate::v1::{Claim, ClaimPhase, Revision};

#[derive(Deserialize)]
struct ClaimFields {
    #[serde(default, deserialize_with = "nullable")]
    status: ClaimStatus,
}

#[derive(Default, Deserialize)]
struct ClaimStatus {
    #[serde(default, deserialize_with = "nullable")]
    phase: String,
}

#[derive(Deserialize)]
struct RevisionFields<'a> {
    #[serde(default, deserialize_with = "nullable")]
    revision: i64,
    #[serde(borrow, default)]
    data: Option<&'a RawValue>,
}

/// Puts a claim into the contract's form.
pub(super) fn claim(tables: &mut Tables, claim: &Object) -> Result<Claim, Malformed> {
    let metadata = claim.metadata();
    let phase = match claim.read::<ClaimFields>()?.status.phase.as_str() {
        "Pending" => ClaimPhase::Pending,
        "Bound" => ClaimPhase::Bound,
        "Lost" => ClaimPhase::Lost,
        _ => ClaimPhase::Unspecified,
    };
    Ok(Claim {
        name: metadata.name.clone(),
        uid: metadata.uid.clone(),
        resource_version: metadata.resource_version.clone(),
        deletion_unix_ms: millis(&metadata.deletion_timestamp)?,
        phase: phase.into(),
        owner_set_index: tables.owners(&metadata.owner_references),
        annotation_set_index: tables.annotations(&metadata.annotations),
    })
}

/// Puts a revision into the contract's form. Its data is sent as it stands.
pub(super) fn revision(tables: &mut Tables, revision: &Object) -> Result<Revision, Malformed> {
    let metadata = revision.metadata();
    let fields: RevisionFields<'_> = serde_json::from_str(revision.text())?;
    Ok(Revision {
        name: metadata.name.clone(),
        uid: metadata.uid.clone(),
        resource_version: metadata.resource_version.clone(),
        number: fields.revision,
        owner_set_index: tables.owners(&metadata.owner_references),
        labels: metadata.labels.clone(),
        created_unix_ms: millis(&metadata.creation_timestamp)?,
        data: fields.data.filter(|data| data.get() != "null").map_or_else(Vec::new, |data| data.get().into()),
    })
}
