//! Pods: what a decision needs of them, and not the whole spec.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::condition::Condition;
use super::containers::{Container, ContainerStatus, UPDATE, containers};
use super::object::{Malformed, Metadata, Object, cut, millis};
use super::resources::resize;
use super::tables::Tables;
use crate::rawjson::nullable;
use crate::v1::{ClaimBinding, Pod, PodContainers, PodPhase};

const POD_NAME: &str = "statefulset.kubernetes.io/pod-name";
const POD_INDEX: &str = "apps.kubernetes.io/pod-index";
const REVISION: &str = "controller-revision-hash";

const TOKEN: &str = "SETPLAN_DRAIN_TOKEN";
const MAX_TERMINATION_MESSAGE: usize = 4096; // bytes: all that a kubelet keeps

#[derive(Deserialize)]
struct Fields {
    #[serde(default, deserialize_with = "nullable")]
    spec: Spec,
    #[serde(default, deserialize_with = "nullable")]
    status: Status,
}

#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct Spec {
    #[serde(deserialize_with = "nullable")]
    volumes: Vec<Volume>,
    #[serde(deserialize_with = "nullable")]
    containers: Vec<Container>,
    #[serde(deserialize_with = "nullable")]
    init_containers: Vec<Container>,
}

#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct Volume {
    name: String,
    persistent_volume_claim: Option<ClaimSource>,
}

#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct ClaimSource {
    claim_name: String,
}

#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct Status {
    #[serde(deserialize_with = "nullable")]
    phase: String,
    #[serde(deserialize_with = "nullable")]
    start_time: String,
    #[serde(deserialize_with = "nullable")]
    conditions: Vec<Condition>,
    #[serde(deserialize_with = "nullable")]
    container_statuses: Vec<ContainerStatus>,
    #[serde(deserialize_with = "nullable")]
    init_container_statuses: Vec<ContainerStatus>,
    #[serde(deserialize_with = "nullable")]
    observed_generation: i64,
}

/// Puts a pod into the contract's form.
pub(super) fn message(tables: &mut Tables, pod: &Object) -> Result<Pod, Malformed> {
    let metadata = pod.metadata();
    let Fields { spec, status } = pod.read()?;
    let condition = |kind: &str| status.conditions.iter().rfind(|condition| condition.r#type == kind);
    let ready = condition("Ready");
    let is_ready = ready.is_some_and(|ready| ready.status == "True");
    let (own, other_claims) = claims(&metadata.name, &spec);
    let termination_messages = termination_messages(&spec, &status);
    Ok(Pod {
        name: metadata.name.clone(),
        uid: metadata.uid.clone(),
        resource_version: metadata.resource_version.clone(),
        deletion_unix_ms: millis(&metadata.deletion_timestamp)?,
        created_unix_ms: millis(&metadata.creation_timestamp)?,
        phase: phase(&status.phase).into(),
        ready: is_ready,
        ready_changed_unix_ms: ready.map_or(Ok(0), |ready| millis(&ready.last_transition_time))?,
        started_unix_ms: if is_ready { 0 } else { millis(&status.start_time)? },
        disrupted: condition("DisruptionTarget").is_some_and(|condition| condition.status == "True"),
        owner_set_index: tables.owners(&metadata.owner_references),
        annotation_set_index: tables.annotations(&metadata.annotations),
        volume_set_index: tables.volumes(own),
        other_claims,
        termination_messages,
        containers: pod_containers(metadata, spec, &status)?,
        ..labels(tables, &metadata.name, metadata.labels.clone())
    })
}

/// Tells what runs in a pod that has the annotation, whatever that says. Of others nobody needs it.
fn pod_containers(metadata: &Metadata, spec: Spec, status: &Status) -> Result<Option<PodContainers>, Malformed> {
    if !metadata.annotations.contains_key(UPDATE) {
        return Ok(None);
    }
    Ok(Some(PodContainers {
        generation: metadata.generation,
        observed_generation: status.observed_generation,
        containers: containers(spec.containers, &status.container_statuses)?,
        init_containers: containers(spec.init_containers, &status.init_container_statuses)?,
        resize_pending: resize(&status.conditions, "PodResizePending")?,
        resize_in_progress: resize(&status.conditions, "PodResizeInProgress")?,
    }))
}

fn phase(phase: &str) -> PodPhase {
    match phase {
        "Pending" => PodPhase::Pending,
        "Running" => PodPhase::Running,
        "Succeeded" => PodPhase::Succeeded,
        "Failed" => PodPhase::Failed,
        "Unknown" => PodPhase::Unknown,
        _ => PodPhase::Unspecified,
    }
}

/// Takes an identity label out of the label set if its field says the same.
fn labels(tables: &mut Tables, name: &str, mut labels: BTreeMap<String, String>) -> Pod {
    let digits = name.rsplit_once('-').map(|(_, digits)| digits);
    let digits = digits.filter(|digits| !digits.is_empty() && digits.bytes().all(|digit| digit.is_ascii_digit()));
    let revision = labels.remove(REVISION);
    let pod_name_label = labels.get(POD_NAME).is_some_and(|label| label == name);
    let pod_index_label = digits.is_some() && labels.get(POD_INDEX).map(String::as_str) == digits;
    if pod_name_label {
        labels.remove(POD_NAME);
    }
    if pod_index_label {
        labels.remove(POD_INDEX);
    }
    Pod {
        pod_name_label,
        pod_index_label,
        label_set_index: tables.labels(labels),
        revision_name_index: tables.revision_name(revision),
        ..Pod::default()
    }
}

/// Splits the bound volumes into those with the claim name that a set would choose, and the others.
fn claims(name: &str, spec: &Spec) -> (Vec<String>, Vec<ClaimBinding>) {
    let mut own = Vec::new();
    let mut others = Vec::new();
    for Volume { name: volume, persistent_volume_claim } in &spec.volumes {
        let Some(ClaimSource { claim_name }) = persistent_volume_claim else { continue };
        if *claim_name == format!("{volume}-{name}") {
            own.push(volume.clone());
        } else {
            others.push(ClaimBinding { volume: volume.clone(), claim: claim_name.clone() });
        }
    }
    (own, others)
}

/// Lists the messages of the containers that were given a token.
fn termination_messages(spec: &Spec, status: &Status) -> Vec<String> {
    let asked = spec.containers.iter().filter(|container| container.env.iter().any(|variable| variable.name == TOKEN));
    asked
        .map(|Container { name, .. }| {
            let ended = status.container_statuses.iter().find(|container| container.name == *name);
            ended.map_or_else(String::new, |ended| cut(&ended.state.terminated.message, MAX_TERMINATION_MESSAGE).to_owned())
        })
        .collect()
}
