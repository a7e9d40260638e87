//! The set: typed where the planner reads a field, text where Kubernetes owns the format.

use std::collections::BTreeMap;

use serde::{Deserialize, Deserializer};
use serde_json::value::RawValue;

use super::condition::{Condition, conditions};
use super::object::{Malformed, Object, millis};
use crate::rawjson::{members, nullable};
use crate::v1::{self, int_or_percent::Value};

const BUILT_IN: &str = "apps/v1";

// The fields of the spec of apps/v1, which the contract has, and those inside them. Without any: what is inside is not looked into.
const FIELDS: [Known; 11] = [
    Known("minReadySeconds", &[]),
    Known("ordinals", &[Known("start", &[])]),
    Known("persistentVolumeClaimRetentionPolicy", &[Known("whenDeleted", &[]), Known("whenScaled", &[])]),
    Known("podManagementPolicy", &[]),
    Known("replicas", &[]),
    Known("revisionHistoryLimit", &[]),
    Known("selector", &[]),
    Known("serviceName", &[]),
    Known("template", &[]),
    Known(
        "updateStrategy",
        &[Known("type", &[]), Known("rollingUpdate", &[Known("maxUnavailable", &[]), Known("partition", &[])])],
    ),
    Known("volumeClaimTemplates", &[]),
];

struct Known(&'static str, &'static [Known]);

#[derive(Deserialize)]
struct Fields {
    spec: Spec,
    #[serde(default, deserialize_with = "nullable")]
    status: Status,
}

#[derive(Deserialize)]
struct Texts<'a> {
    #[serde(borrow)]
    spec: &'a RawValue,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct SpecTexts<'a> {
    /// A template that is null is text, too.
    #[serde(borrow, default, deserialize_with = "even_null")]
    template: Option<&'a RawValue>,
    #[serde(borrow, default, deserialize_with = "nullable")]
    volume_claim_templates: Vec<&'a RawValue>,
}

#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct Spec {
    replicas: Option<i32>,
    #[serde(deserialize_with = "nullable")]
    ordinals: Ordinals,
    selector: Option<Selector>,
    #[serde(deserialize_with = "nullable")]
    service_name: String,
    #[serde(deserialize_with = "nullable")]
    pod_management_policy: String,
    update_strategy: Option<Strategy>,
    #[serde(deserialize_with = "nullable")]
    min_ready_seconds: i32,
    revision_history_limit: Option<i32>,
    persistent_volume_claim_retention_policy: Option<Retention>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Ordinals {
    #[serde(deserialize_with = "nullable")]
    start: i32,
}

#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct Selector {
    #[serde(deserialize_with = "nullable")]
    match_labels: BTreeMap<String, String>,
    #[serde(deserialize_with = "nullable")]
    match_expressions: Vec<Requirement>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Requirement {
    key: String,
    operator: String,
    #[serde(deserialize_with = "nullable")]
    values: Vec<String>,
}

#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct Strategy {
    r#type: Option<String>,
    rolling_update: Option<Rolling>,
}

#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct Rolling {
    #[serde(deserialize_with = "nullable")]
    partition: i32,
    max_unavailable: Option<IntOrPercent>,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum IntOrPercent {
    Count(i32),
    Percent(String),
}

#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct Retention {
    #[serde(deserialize_with = "nullable")]
    when_deleted: String,
    #[serde(deserialize_with = "nullable")]
    when_scaled: String,
}

#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct Status {
    #[serde(deserialize_with = "nullable")]
    observed_generation: i64,
    #[serde(deserialize_with = "nullable")]
    replicas: i32,
    #[serde(deserialize_with = "nullable")]
    ready_replicas: i32,
    #[serde(deserialize_with = "nullable")]
    available_replicas: i32,
    #[serde(deserialize_with = "nullable")]
    current_replicas: i32,
    #[serde(deserialize_with = "nullable")]
    updated_replicas: i32,
    #[serde(deserialize_with = "nullable")]
    current_revision: String,
    #[serde(deserialize_with = "nullable")]
    update_revision: String,
    collision_count: Option<i32>,
    #[serde(deserialize_with = "nullable")]
    conditions: Vec<Condition>,
}

fn even_null<'de, D: Deserializer<'de>>(from: D) -> Result<Option<&'de RawValue>, D::Error> {
    <&RawValue>::deserialize(from).map(Some)
}

/// Puts a set into the contract's form.
pub(super) fn message(set: &Object) -> Result<v1::StatefulSet, Malformed> {
    let metadata = set.metadata();
    let Fields { spec, status: stored } = set.read()?;
    let Texts { spec: text } = serde_json::from_str(set.text())?;
    let texts: SpecTexts<'_> = serde_json::from_str(text.get())?;
    let own = if set.api_version() == BUILT_IN { None } else { beyond(text, &FIELDS)? };
    let retention = spec.persistent_volume_claim_retention_policy;
    Ok(v1::StatefulSet {
        api_version: set.api_version().to_owned(),
        kind: set.kind().to_owned(),
        name: metadata.name.clone(),
        namespace: metadata.namespace.clone(),
        uid: metadata.uid.clone(),
        resource_version: metadata.resource_version.clone(),
        generation: metadata.generation,
        deletion_unix_ms: millis(&metadata.deletion_timestamp)?,
        annotations: metadata.annotations.clone(),
        finalizers: metadata.finalizers.clone(),
        replicas: spec.replicas,
        ordinals_start: spec.ordinals.start,
        selector: spec.selector.map(selector),
        service_name: spec.service_name,
        pod_management_policy: spec.pod_management_policy,
        update_strategy: spec.update_strategy.and_then(strategy),
        min_ready_seconds: spec.min_ready_seconds,
        revision_history_limit: spec.revision_history_limit,
        claim_retention: retention.map(|own| v1::ClaimRetention { when_deleted: own.when_deleted, when_scaled: own.when_scaled }),
        pod_template: texts.template.map_or_else(Vec::new, |template| template.get().into()),
        claim_templates: texts.volume_claim_templates.into_iter().map(|template| template.get().into()).collect(),
        own_fields: own.unwrap_or_default().into(),
        status: Some(status(stored)?),
        ..v1::StatefulSet::default()
    })
}

fn selector(of: Selector) -> v1::LabelSelector {
    let rules = of.match_expressions.into_iter();
    v1::LabelSelector {
        match_labels: of.match_labels,
        match_expressions: rules
            .map(|Requirement { key, operator, values }| v1::LabelRequirement { key, operator, values })
            .collect(),
    }
}

/// Keeps a missing rollingUpdate apart from one with partition 0: they mean different things (SPEC.md, nil rollingUpdate).
fn strategy(Strategy { r#type, rolling_update }: Strategy) -> Option<v1::UpdateStrategy> {
    if r#type.is_none() && rolling_update.is_none() {
        return None;
    }
    let rolling_update = rolling_update.map(|of| v1::RollingUpdate {
        partition: of.partition,
        max_unavailable: of.max_unavailable.map(|most| v1::IntOrPercent {
            value: Some(match most {
                IntOrPercent::Count(count) => Value::Count(count),
                IntOrPercent::Percent(percent) => Value::Percent(percent),
            }),
        }),
    });
    Some(v1::UpdateStrategy { r#type: r#type.unwrap_or_default(), rolling_update })
}

fn status(of: Status) -> Result<v1::StatefulSetStatus, Malformed> {
    Ok(v1::StatefulSetStatus {
        observed_generation: Some(of.observed_generation),
        replicas: Some(of.replicas),
        ready_replicas: Some(of.ready_replicas),
        available_replicas: Some(of.available_replicas),
        current_replicas: Some(of.current_replicas),
        updated_replicas: Some(of.updated_replicas),
        current_revision: Some(of.current_revision),
        update_revision: Some(of.update_revision),
        collision_count: of.collision_count,
        conditions: conditions(of.conditions)?,
    })
}

/// Text of what an object has beyond these fields, as one JSON object; `None` where there is nothing.
fn beyond(object: &RawValue, known: &[Known]) -> Result<Option<String>, Malformed> {
    if !object.get().starts_with('{') {
        return Ok(None);
    }
    let mut rest = Vec::new();
    for (key, member) in members(object.get())? {
        let text = match known.iter().find(|Known(name, _)| *name == key) {
            None => Some(member.get().to_owned()),
            Some(Known(_, [])) => None,
            Some(Known(_, inside)) => beyond(member, inside)?,
        };
        if let Some(text) = text {
            rest.push(format!("{}:{text}", serde_json::to_string(&key)?));
        }
    }
    Ok(if rest.is_empty() { None } else { Some(format!("{{{}}}", rest.join(","))) })
}
