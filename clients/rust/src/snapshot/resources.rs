//! What containers may use, and what a node says of a change of it.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::condition::Condition;
use super::object::{Malformed, cut, millis};
use crate::rawjson::nullable;
use crate::v1::{ContainerResources, PodResize};

const MAX_MESSAGE: usize = 1024; // bytes: what the contract allows

/// The resources of a container, in its spec or its status.
#[derive(Clone, Default, Deserialize)]
#[serde(default)]
pub(super) struct Resources {
    #[serde(deserialize_with = "nullable")]
    requests: Amounts,
    #[serde(deserialize_with = "nullable")]
    limits: Amounts,
}

/// No others change while a pod stays.
#[derive(Clone, Default, Deserialize)]
#[serde(default)]
struct Amounts {
    cpu: Option<String>,
    memory: Option<String>,
}

impl Resources {
    pub(super) fn is_empty(&self) -> bool {
        [&self.requests, &self.limits].iter().all(|of| of.cpu.is_none() && of.memory.is_none())
    }

    /// Puts them into the contract's form, with the texts of the API server.
    pub(super) fn message(self) -> ContainerResources {
        ContainerResources { requests: self.requests.map(), limits: self.limits.map() }
    }
}

impl Amounts {
    fn map(self) -> BTreeMap<String, String> {
        let named = [("cpu", self.cpu), ("memory", self.memory)];
        named.into_iter().filter_map(|(name, amount)| Some((name.to_owned(), amount?))).collect()
    }
}

/// Finds a condition of a pod whose resources change, if it is there and true.
pub(super) fn resize(conditions: &[Condition], kind: &str) -> Result<Option<PodResize>, Malformed> {
    let found = conditions.iter().find(|condition| condition.r#type == kind && condition.status == "True");
    let put = |condition: &Condition| {
        Ok(PodResize {
            reason: condition.reason.clone(),
            message: cut(&condition.message, MAX_MESSAGE).to_owned(),
            since_unix_ms: millis(&condition.last_transition_time)?,
            observed_generation: condition.observed_generation,
        })
    };
    found.map(put).transpose()
}
