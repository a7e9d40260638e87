//! Every vector: requests are made of its objects, and plans and errors come back as it says. There is no list of exceptions.

use std::collections::{BTreeMap, HashMap};
use std::time::Duration;

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use prost::Message;
use serde_json::{Value, json};
use setplan::v1::{ErrorReason, PlanResponse, Snapshot, StatefulSetStatus};
use setplan::{Client, Error, Options, snapshot};
use tonic::{Code, Status};

use crate::servers::{Planner, planner};
use crate::vector::{Vector, all};

#[test]
fn there_are_enough() {
    let all = all();
    assert!(all.iter().filter(|vector| vector.content.plan.is_some()).count() >= 340);
    assert!(all.iter().filter(|vector| vector.content.error.is_some()).count() >= 50);
    assert!(all.iter().filter(|vector| vector.content.objects.is_some()).count() >= 290);
}

#[test]
fn snapshots() {
    for vector in all() {
        let Some(objects) = &vector.content.objects else { continue };
        let want = vector.request().snapshot.expect("a snapshot");
        let observed_at = want.observed_at.expect("a time").try_into().expect("a time");
        let mut got = snapshot::of(&objects.objects(), want.coverage.clone().expect("a coverage"), observed_at)
            .unwrap_or_else(|error| panic!("{}: {error}", vector.name));
        // What objects do not tell.
        got.outcomes.clone_from(&want.outcomes);
        got.fixed_storage_classes.clone_from(&want.fixed_storage_classes);
        got.policy.clone_from(&want.policy);
        let refusal = &want.set.as_ref().expect("a set").refusal;
        got.set.as_mut().expect("a set").refusal.clone_from(refusal);
        assert_eq!(spelled_out(got), spelled_out(want), "{}", vector.name);
    }
}

#[tokio::test]
async fn answers() {
    let mut servers: HashMap<Vec<String>, Planner> = HashMap::new();
    for vector in all().iter().filter(|vector| !vector.name.starts_with("status/")) {
        let flags = vector.flags();
        if !servers.contains_key(&flags) {
            servers.insert(flags.clone(), planner(&flags).await);
        }
        let options = Options { timeout: Duration::from_secs(60), ..Options::insecure() };
        let client = Client::new(&servers[&flags].address, options).expect("a client");
        if vector.content.plan.is_some() {
            let plan = client.plan(vector.request()).await.unwrap_or_else(|error| panic!("{}: {error}", vector.name));
            assert_eq!(plan, vector.plan(), "{}", vector.name);
            if vector.name.starts_with("later/") {
                // With what prost does not know, as a client of a later release sends it.
                let answer = client.plan_bytes(vector.request_bytes()).await.expect(&vector.name);
                let later = PlanResponse::decode(answer.as_slice()).expect("an answer");
                assert_eq!(later.plan, Some(plan), "{}", vector.name);
            }
        } else {
            // The bytes themselves: no library would make some of these requests.
            let error = client.plan_bytes(vector.request_bytes()).await.expect_err(&vector.name);
            assert_eq!(Some(&form(&error)), vector.content.error.as_ref(), "{}", vector.name);
        }
    }
}

#[test]
fn errors_of_a_server_that_cannot_plan() {
    let all = all();
    let vectors: Vec<&Vector> = all.iter().filter(|vector| vector.name.starts_with("status/")).collect();
    assert!(!vectors.is_empty());
    for vector in vectors {
        let mut want = vector.content.error.clone().expect("an error");
        let trailer = want.as_object_mut().and_then(|error| error.remove("status")).expect("a status");
        let trailer = BASE64_STANDARD.decode(trailer.as_str().expect("a text")).expect("base64");
        let told = tonic_types::Status::decode(trailer.as_slice()).expect("a google.rpc.Status");
        let status = Status::with_details(Code::from_i32(told.code), told.message, trailer.into());
        assert_eq!(form(&Error::of_status(&status)), want, "{}", vector.name);
    }
}

/// Puts an error into the form that vectors have.
fn form(error: &Error) -> Value {
    let mut form = json!({"code": code(error.code), "message": error.message});
    if error.reason != ErrorReason::Unspecified {
        form["reason"] = json!(error.reason.as_str_name().trim_start_matches("ERROR_REASON_"));
        form["domain"] = json!("setplan.io");
    }
    if !error.violations.is_empty() {
        form["violations"] = error.violations.iter().map(|v| json!({"field": v.field, "description": v.description})).collect();
    }
    if !error.metadata.is_empty() {
        form["metadata"] = json!(error.metadata);
    }
    if let Some(delay) = error.retry_after {
        form["retryDelay"] = json!(format!("{}s", delay.as_secs_f64()));
    }
    form
}

/// Spells a code as gRPC's documents do.
fn code(code: Code) -> String {
    let mut text = String::new();
    for c in format!("{code:?}").chars() {
        if c.is_ascii_uppercase() && !text.is_empty() {
            text.push('_');
        }
        text.push(c.to_ascii_uppercase());
    }
    text
}

/// A snapshot with entries of tables in the place of indexes, and lists in the order of names: what differs then differs in meaning.
#[derive(Debug, PartialEq)]
struct SpelledOut {
    rest: Snapshot,
    things: BTreeMap<String, Vec<String>>,
}

fn spelled_out(mut of: Snapshot) -> SpelledOut {
    let tables = of.tables.take().unwrap_or_default();
    let mut things = BTreeMap::new();
    for mut pod in std::mem::take(&mut of.pods) {
        let entries = vec![
            entry(&tables.label_sets, &mut pod.label_set_index),
            entry(&tables.owner_sets, &mut pod.owner_set_index),
            entry(&tables.revision_names, &mut pod.revision_name_index),
            entry(&tables.volume_sets, &mut pod.volume_set_index),
            entry(&tables.annotation_sets, &mut pod.annotation_set_index),
            format!("{pod:?}"),
        ];
        assert!(things.insert(format!("pod {}", pod.name), entries).is_none());
    }
    for mut claim in std::mem::take(&mut of.claims) {
        let entries = vec![
            entry(&tables.owner_sets, &mut claim.owner_set_index),
            entry(&tables.annotation_sets, &mut claim.annotation_set_index),
            entry(&tables.claim_storages, &mut claim.storage_index),
            format!("{claim:?}"),
        ];
        assert!(things.insert(format!("claim {}", claim.name), entries).is_none());
    }
    for mut revision in std::mem::take(&mut of.revisions) {
        let data = compact(&std::mem::take(&mut revision.data));
        let entries = vec![entry(&tables.owner_sets, &mut revision.owner_set_index), data, format!("{revision:?}")];
        assert!(things.insert(format!("revision {}", revision.name), entries).is_none());
    }
    of.claim_neighbours.sort_by_key(|neighbour| format!("{neighbour:?}"));
    let set = of.set.as_mut().expect("a set");
    set.pod_template = compact(&set.pod_template).into();
    set.own_fields = compact(&set.own_fields).into();
    set.claim_templates = set.claim_templates.iter().map(|template| compact(template).into()).collect();
    set.status = Some(without_zeros(set.status.take().unwrap_or_default()));
    SpelledOut { rest: of, things }
}

/// Returns what an index stands for, and wipes the index.
fn entry<T: std::fmt::Debug>(table: &[T], index: &mut u32) -> String {
    match std::mem::take(index) {
        0 => String::new(),
        index => format!("{:?}", table[index as usize]),
    }
}

/// In a snapshot, a field of the status that is 0 or empty says what one says that is not set.
fn without_zeros(status: StatefulSetStatus) -> StatefulSetStatus {
    StatefulSetStatus {
        observed_generation: status.observed_generation.filter(|number| *number != 0),
        replicas: status.replicas.filter(|number| *number != 0),
        ready_replicas: status.ready_replicas.filter(|number| *number != 0),
        available_replicas: status.available_replicas.filter(|number| *number != 0),
        current_replicas: status.current_replicas.filter(|number| *number != 0),
        updated_replicas: status.updated_replicas.filter(|number| *number != 0),
        current_revision: status.current_revision.filter(|name| !name.is_empty()),
        update_revision: status.update_revision.filter(|name| !name.is_empty()),
        collision_count: status.collision_count.filter(|number| *number != 0),
        conditions: status.conditions,
    }
}

/// Takes blanks out. Keys keep their order and strings their escapes: these requests are the text of their objects.
fn compact(json: &[u8]) -> String {
    let mut out = String::new();
    let mut chars = std::str::from_utf8(json).expect("UTF-8").chars();
    let mut inside = false;
    while let Some(c) = chars.next() {
        if inside || !c.is_ascii_whitespace() {
            out.push(c);
        }
        match c {
            '\\' => out.extend(chars.next()),
            '"' => inside = !inside,
            _ => {}
        }
    }
    out
}
