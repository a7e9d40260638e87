//! The proof of a drain, SPEC.md D4: each container of the drain pod is given a token and hands it back when it is done.

use std::collections::BTreeMap;
use std::fmt::Write;

use ring::digest::{SHA256, digest};

use super::json::{Json, differing};
use super::names::{DRAIN_CLAIMS, DRAIN_SET};
use crate::v1::{Pod, PodPhase};

const VARIABLE: &str = "SETPLAN_DRAIN_TOKEN";

/// Makes the token of a drain pod with this mark and these claims.
pub(super) fn token(mark: &str, claims: &str) -> String {
    let hash = digest(&SHA256, format!("{mark}\n{claims}").as_bytes());
    hash.as_ref()[..16].iter().fold(String::new(), |mut text, byte| {
        let _ = write!(text, "{byte:02x}"); // a String takes all
        text
    })
}

/// Reports whether a drain pod has succeeded and counts as proof.
pub(super) fn has_drained(pod: &Pod, notes: &BTreeMap<String, String>, proves: bool) -> bool {
    if pod.phase() != PodPhase::Succeeded {
        return false;
    }
    if !proves {
        return !pod.disrupted;
    }
    let note = |name: &str| notes.get(name).map_or("", String::as_str);
    let wanted = token(note(DRAIN_SET), note(DRAIN_CLAIMS));
    !pod.termination_messages.is_empty() && pod.termination_messages.iter().all(|message| message.trim() == wanted)
}

/// Compares the containers of a drain pod with those of its template, which have no token.
pub(super) fn containers_differ(made: &Json, template: &Json, wanted: &str) -> bool {
    let (Json::List(made), Json::List(of)) = (made, template) else { return made != template };
    let differ = |(one, of): (&Json, &Json)| {
        differing(one, of, &["env"]).is_some() || !has_token(one.get(&["env"]), of.get(&["env"]), wanted)
    };
    made.len() != of.len() || made.iter().zip(of).any(differ)
}

/// Reports whether an environment is the template's with the token at its end.
fn has_token(made: &Json, template: &Json, wanted: &str) -> bool {
    let mut kept: Vec<Json> = template.items().iter().filter(|variable| !variable.get(&["name"]).is(VARIABLE)).cloned().collect();
    kept.push(Json::object([("name", VARIABLE.into()), ("value", wanted.into())]));
    *made == Json::List(kept)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::{DRAIN_CLAIMS, DRAIN_SET, has_drained, token};
    use crate::v1::{Pod, PodPhase};

    #[test]
    fn only_the_drain_pod_s_own_token_proves_a_drain_from_all_of_its_containers() {
        let notes = BTreeMap::from([(DRAIN_SET, "web/set"), (DRAIN_CLAIMS, "a,b")].map(|(k, v)| (k.to_owned(), v.to_owned())));
        let right = token("web/set", "a,b");
        let proves = |messages: &[&str]| {
            let termination_messages = messages.iter().map(|&message| message.to_owned()).collect();
            has_drained(&Pod { phase: PodPhase::Succeeded.into(), termination_messages, ..Pod::default() }, &notes, true)
        };
        assert!(proves(&[&right, &format!("{right}\n")]));
        assert!(!proves(&[]));
        assert!(!proves(&[&right, ""]));
        assert!(!proves(&[&token("web/set", "a")]));
        assert!(!proves(&[&token("web/other", "a,b")]));
    }
}
