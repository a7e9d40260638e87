use serde::Deserialize;
use serde_json::value::RawValue;

use super::condition::{Condition, conditions};
use super::object::{Malformed, Object, millis};
use super::tables::Tables;
use crate::rawjson::nullable;
use crate::v1::{Claim, ClaimPhase, ClaimStorage, Revision};

#[derive(Deserialize)]
struct ClaimFields {
    #[serde(default, deserialize_with = "nullable")]
    spec: ClaimSpec,
    #[serde(default, deserialize_with = "nullable")]
    status: ClaimStatus,
}

#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct ClaimSpec {
    #[serde(deserialize_with = "nullable")]
    resources: Resources,
    #[serde(deserialize_with = "nullable")]
    storage_class_name: String,
    #[serde(deserialize_with = "nullable")]
    volume_attributes_class_name: String,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Resources {
    #[serde(deserialize_with = "nullable")]
    requests: Amounts,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Amounts {
    #[serde(deserialize_with = "nullable")]
    storage: String,
}

#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct ClaimStatus {
    #[serde(deserialize_with = "nullable")]
    phase: String,
    #[serde(deserialize_with = "nullable")]
    capacity: Amounts,
    #[serde(deserialize_with = "nullable")]
    allocated_resource_statuses: Amounts,
    #[serde(deserialize_with = "nullable")]
    current_volume_attributes_class_name: String,
    #[serde(deserialize_with = "nullable")]
    modify_volume_status: ModifyStatus,
    #[serde(deserialize_with = "nullable")]
    conditions: Vec<Condition>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct ModifyStatus {
    #[serde(deserialize_with = "nullable")]
    status: String,
}

impl ClaimFields {
    /// What a claim asks for and what it has, with the texts of the API server.
    fn storage(self) -> Result<ClaimStorage, Malformed> {
        Ok(ClaimStorage {
            request: self.spec.resources.requests.storage,
            capacity: self.status.capacity.storage,
            resize_status: self.status.allocated_resource_statuses.storage,
            storage_class: self.spec.storage_class_name,
            attributes_class: self.spec.volume_attributes_class_name,
            current_attributes_class: self.status.current_volume_attributes_class_name,
            modify_status: self.status.modify_volume_status.status,
            conditions: conditions(self.status.conditions)?,
        })
    }
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
    let fields = claim.read::<ClaimFields>()?;
    let phase = match fields.status.phase.as_str() {
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
        storage_index: tables.claim_storage(fields.storage()?),
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
