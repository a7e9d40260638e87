//! The check of a change of what a claim asks for.

use super::json::{Json, quote};
use super::names::{CLAIM_CHANGED, CLAIM_METADATA, CLAIM_REQUEST, ordinal_in};
use super::subject::Subject;
use super::{Verdict, must};
use crate::v1::PatchClaim;
use crate::v1::action::Operation;

/// Lets a claim ask for what its template asks for, if the set lets its claims follow.
pub(super) fn claim_change_fault(s: &Subject<'_>) -> Verdict {
    let view = &s.view;
    must(view.claims_follow(), "the set does not ask that claims follow their templates")?;
    let wanted = !view.deleting() && s.ordinal().is_some_and(|ordinal| view.range.has(ordinal));
    must(wanted, "no ordinal of the range has this claim")?;
    must(s.claim().deletion_unix_ms == 0, "the claim is being deleted")?;
    let foreign = view.owners(s.claim()).iter().any(|owner| owner.controller && owner.uid != s.set().uid);
    must(!foreign, "another object controls the claim")?;
    let Some(Operation::PatchClaim(change)) = &s.action.operation else { return Ok(()) };
    let mut verdict = Err("no claim template has this name".to_owned());
    for (template, name) in view.patched_templates().iter().zip(&view.claim_names) {
        let known = !view.is_added(name) || view.additions.contains_key(name);
        if known && ordinal_in(s.name, &format!("{name}-{}", s.set().name)).is_some() {
            verdict = differs(s, change, name, template);
            if verdict.is_ok() {
                break;
            }
        }
    }
    verdict
}

fn differs(s: &Subject<'_>, change: &PatchClaim, name: &str, template: &Json) -> Verdict {
    let shared = s.view.snapshot.claim_neighbours.iter().any(|one| one.claim_template == name);
    must(!shared, "another set uses the same claim name")?;
    let wanted = request_of(template);
    must(change.request.is_empty() || change.request == wanted, "the request is not what the claim template asks for")?;
    let class = template.get(&["spec", "volumeAttributesClassName"]);
    let classed = change.attributes_class.is_empty() || class.is(&change.attributes_class);
    must(classed, "the class is not what the claim template asks for")?;
    let metadata = template.get(&["metadata"]);
    let selects = |key: &String| s.set().selector.as_ref().is_some_and(|selector| selector.match_labels.contains_key(key));
    for (key, value) in &change.labels {
        if selects(key) {
            return Err(format!("the label {} is the selector's", quote(key)));
        }
        if !metadata.get(&["labels", key]).is(value) {
            return Err(format!("the label {} is not what the claim template says", quote(key)));
        }
    }
    for (key, value) in &change.annotations {
        if !is_note(key, value, wanted) && (key.starts_with("setplan.io/") || !metadata.get(&["annotations", key]).is(value)) {
            return Err(format!("the annotation {} is not what the claim template says", quote(key)));
        }
    }
    Ok(())
}

/// What a change leaves on a claim has a form, so that a planner can fill no annotation with anything else.
fn is_note(key: &str, value: &str, wanted: &str) -> bool {
    match key {
        CLAIM_CHANGED => is_time(value),
        CLAIM_METADATA => (1..=13).contains(&value.len()) && value.bytes().all(|c| c.is_ascii_digit() || c.is_ascii_lowercase()),
        CLAIM_REQUEST => !wanted.is_empty() && value == wanted,
        _ => false,
    }
}

/// Reports whether a text is a time such as 2026-03-01T12:00:00Z.
fn is_time(text: &str) -> bool {
    const FORM: &str = "0000-00-00T00:00:00Z";
    let fits = |(form, c): (u8, u8)| if form == b'0' { c.is_ascii_digit() } else { c == form };
    text.len() == FORM.len() && FORM.bytes().zip(text.bytes()).all(fits)
}

/// Returns how much storage a template asks for, as it is written there.
pub(super) fn request_of(template: &Json) -> &str {
    match template.get(&["spec", "resources", "requests", "storage"]) {
        Json::Number(text) | Json::Text(text) => text,
        _ => "",
    }
}
