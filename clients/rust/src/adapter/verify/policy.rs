//! The drain policy: the caller's, or otherwise the one in the set's annotations. It is read here, and never taken from the plan.

use super::json::{Json, parse};
use super::yaml::parse_yaml;
use crate::v1::{DrainProof, Snapshot};

// The annotations of a set that may hold a drain template, in the order of precedence.
const TEMPLATES: [&str; 3] = [
    "setplan.io/drain-pod-template",
    "statefulsets.kubernetes.io/drainer-pod-template",
    "statefulsets.kubernetes.io/scaledown-pod-template",
];

/// What the checks ask of the drain policy.
#[allow(clippy::struct_excessive_bools)] // they are the policy's own words
pub(super) struct Policy {
    /// There is a drain template.
    pub draining: bool,
    /// The template; null if it cannot be read, and then no drain pod is like it.
    pub template: Json,
    pub on_delete: bool,
    /// A token is the proof; also for an unknown value, with which nothing is drained.
    pub proves: bool,
    pub leftovers: bool,
}

impl Policy {
    pub fn of(snapshot: &Snapshot) -> Self {
        let typed = snapshot.policy.as_ref().and_then(|policy| policy.drain.as_ref());
        let note = |name: &str| snapshot.set.as_ref().and_then(|set| set.annotations.get(name)).map_or("", String::as_str);
        let written = TEMPLATES.iter().map(|name| note(name).trim()).find(|text| !text.is_empty()).unwrap_or_default();
        let own = typed.and_then(|drain| drain.pod_template.as_deref());
        let text = own.unwrap_or(written.as_bytes());
        let proof = typed.map_or(0, |drain| drain.proof);
        Self {
            draining: !text.is_empty(),
            template: if own.is_none() { read_template(text) } else { parse(text, false).unwrap_or(Json::Null) },
            on_delete: typed.and_then(|drain| drain.on_delete).unwrap_or_else(|| note("setplan.io/drain-on-delete") == "true"),
            proves: match proof {
                0 => !note("setplan.io/drain-proof").is_empty(),
                proof => proof > i32::from(DrainProof::Success),
            },
            leftovers: typed.and_then(|drain| drain.leftovers).unwrap_or_else(|| note("setplan.io/drain-leftovers") == "true"),
        }
    }
}

/// Reads JSON or YAML; null if it is neither.
pub(super) fn read_template(text: &[u8]) -> Json {
    parse(text, false).unwrap_or_else(|_| parse_yaml(text))
}
