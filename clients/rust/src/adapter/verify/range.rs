//! The range of a set: the first `replicas` unreserved ordinals from the start.

use crate::rawjson::members;
use crate::v1::{Scope, Snapshot};

/// Reserved ordinals, both ends included; `held` is how many are reserved from the start to here, these included.
struct Span {
    first: i64,
    last: i64,
    held: i64,
}

/// Answers whether an ordinal is in the range.
pub(super) struct Range {
    start: i64,
    replicas: i64,
    spans: Vec<Span>,
}

impl Range {
    pub fn of(snapshot: &Snapshot) -> Self {
        let set = snapshot.set.as_ref();
        Self {
            start: set.map_or(0, |set| set.ordinals_start).into(),
            replicas: set.and_then(|set| set.replicas).unwrap_or(1).into(),
            spans: spans(snapshot),
        }
    }

    pub fn has(&self, ordinal: i32) -> bool {
        let ordinal = i64::from(ordinal);
        let place = ordinal - self.start;
        // The first span that does not end before it. A user may write tens of thousands, and a plan has a thousand actions.
        let next = self.spans.partition_point(|span| span.last < ordinal);
        if place < 0 || self.spans.get(next).is_some_and(|span| span.first <= ordinal) {
            return false;
        }
        let held = next.checked_sub(1).map_or(0, |before| self.spans[before].held);
        place - held < self.replicas
    }
}

/// Returns the annotation, or the field of the same meaning. Where they differ nothing is planned.
fn text(snapshot: &Snapshot) -> String {
    let Some(set) = &snapshot.set else { return String::new() };
    reserved(&set.own_fields).unwrap_or_else(|| set.annotations.get("setplan.io/reserved-ordinals").cloned().unwrap_or_default())
}

/// Returns what the set's own fields reserve, if they reserve any.
fn reserved(own_fields: &[u8]) -> Option<String> {
    let text = std::str::from_utf8(own_fields).ok()?;
    let member = |text: &str, key: &str| {
        members(text).ok()?.into_iter().rfind(|(name, _)| name == key).map(|(_, value)| value.get().to_owned())
    };
    let found = member(&member(text, "ordinals")?, "reserved")?;
    let is_empty = found == "null" || found.strip_prefix('[').is_some_and(|rest| rest.trim_start().starts_with(']'));
    (!is_empty).then_some(found)
}

/// Reads the text into spans from the start on, in ascending order, which do not touch.
///
/// Another controller that runs the set knows no reserved ordinals. If the planner cannot read the text it plans nothing, so the result
/// here does not matter then.
fn spans(snapshot: &Snapshot) -> Vec<Span> {
    let start = snapshot.set.as_ref().map_or(0, |set| set.ordinals_start).into();
    if snapshot.policy.as_ref().is_some_and(|policy| policy.scope > i32::from(Scope::WholeSet)) {
        return Vec::new();
    }
    let mut joined: Vec<Span> = Vec::new();
    for (first, last) in written(&text(snapshot), start) {
        match joined.last_mut() {
            Some(before) if first <= before.last + 1 => before.last = before.last.max(last),
            _ => joined.push(Span { first, last, held: 0 }),
        }
    }
    let mut held = 0;
    for span in &mut joined {
        held += span.last + 1 - span.first;
        span.held = held;
    }
    joined
}

fn written(text: &str, start: i64) -> Vec<(i64, i64)> {
    let mut found = Vec::new();
    for item in text.split(',') {
        let item = item.trim_matches([' ', '\t', '\r', '\n', '[', ']', '"']);
        let (from, to) = item.split_once('-').unwrap_or((item, item));
        let (Some(from), Some(to)) = (ordinal(from), ordinal(to)) else { continue };
        if from <= to && from.max(start) <= to {
            found.push((from.max(start), to));
        }
    }
    found.sort_unstable();
    found
}

fn ordinal(text: &str) -> Option<i64> {
    let is_number = !text.is_empty() && text.len() <= 10 && text.bytes().all(|byte| byte.is_ascii_digit());
    if is_number { text.parse().ok().filter(|number| *number < 1 << 31) } else { None }
}
