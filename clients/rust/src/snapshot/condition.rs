use serde::Deserialize;

use super::object::{Malformed, moment};
use crate::rawjson::nullable;
use crate::v1;

/// A condition as the API server has it.
#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(super) struct Condition {
    pub(super) r#type: String,
    #[serde(deserialize_with = "nullable")]
    pub(super) status: String,
    #[serde(deserialize_with = "nullable")]
    pub(super) reason: String,
    #[serde(deserialize_with = "nullable")]
    pub(super) message: String,
    #[serde(deserialize_with = "nullable")]
    pub(super) last_transition_time: String,
    #[serde(deserialize_with = "nullable")]
    pub(super) observed_generation: i64,
}

/// Puts conditions into the contract's form, in the object's order.
pub(super) fn conditions(of: Vec<Condition>) -> Result<Vec<v1::Condition>, Malformed> {
    let condition = |of: Condition| {
        Ok(v1::Condition {
            last_transition_time: moment(&of.last_transition_time)?,
            r#type: of.r#type,
            status: of.status,
            reason: of.reason,
            message: of.message,
        })
    };
    of.into_iter().map(condition).collect()
}
