use serde::Deserialize;

use super::object::{Malformed, moment};
use crate::rawjson::nullable;
use crate::v1;

/// A condition as the API server has it.
#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(super) struct Condition {
    r#type: String,
    #[serde(deserialize_with = "nullable")]
    status: String,
    #[serde(deserialize_with = "nullable")]
    reason: String,
    #[serde(deserialize_with = "nullable")]
    message: String,
    #[serde(deserialize_with = "nullable")]
    last_transition_time: String,
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
