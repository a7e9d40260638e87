//! What runs in a pod whose images or resources change in place.

use std::collections::HashMap;

use serde::Deserialize;

use super::object::{Malformed, millis};
use super::resources::Resources;
use crate::rawjson::nullable;
use crate::v1;

pub(super) const UPDATE: &str = "setplan.io/in-place-update";

/// A container of a spec.
#[derive(Default, Deserialize)]
#[serde(default)]
pub(super) struct Container {
    pub(super) name: String,
    #[serde(deserialize_with = "nullable")]
    image: String,
    #[serde(deserialize_with = "nullable")]
    resources: Resources,
    #[serde(deserialize_with = "nullable")]
    pub(super) env: Vec<Variable>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
pub(super) struct Variable {
    pub(super) name: String,
}

/// A container's entry in the status.
#[derive(Default, Deserialize)]
#[serde(default)]
pub(super) struct ContainerStatus {
    pub(super) name: String,
    #[serde(deserialize_with = "nullable")]
    image: String,
    #[serde(rename = "imageID", deserialize_with = "nullable")]
    image_id: String,
    #[serde(rename = "containerID", deserialize_with = "nullable")]
    container_id: String,
    resources: Option<Resources>,
    #[serde(deserialize_with = "nullable")]
    pub(super) state: State,
}

#[derive(Default, Deserialize)]
#[serde(default)]
pub(super) struct State {
    #[serde(deserialize_with = "nullable")]
    running: Running,
    #[serde(deserialize_with = "nullable")]
    waiting: Waiting,
    #[serde(deserialize_with = "nullable")]
    pub(super) terminated: Terminated,
}

#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct Running {
    #[serde(deserialize_with = "nullable")]
    started_at: String,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Waiting {
    #[serde(deserialize_with = "nullable")]
    reason: String,
}

#[derive(Default, Deserialize)]
#[serde(default)]
pub(super) struct Terminated {
    #[serde(deserialize_with = "nullable")]
    pub(super) message: String,
}

/// Puts the containers of a spec into the contract's form, each with the status of its name.
pub(super) fn containers(specs: Vec<Container>, statuses: &[ContainerStatus]) -> Result<Vec<v1::Container>, Malformed> {
    let none = ContainerStatus::default();
    let by_name: HashMap<&str, &ContainerStatus> = statuses.iter().map(|status| (status.name.as_str(), status)).collect();
    let put = |Container { name, image, resources, .. }: Container| {
        let status = by_name.get(name.as_str()).copied().unwrap_or(&none);
        Ok(v1::Container {
            name,
            image,
            status_image: status.image.clone(),
            image_id: status.image_id.clone(),
            container_id: status.container_id.clone(),
            started_unix_ms: millis(&status.state.running.started_at)?,
            waiting_reason: status.state.waiting.reason.clone(),
            resources: (!resources.is_empty()).then(|| resources.message()),
            status_resources: status.resources.clone().map(Resources::message),
        })
    };
    specs.into_iter().map(put).collect()
}
