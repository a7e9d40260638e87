//! Every vector: plans and errors come back as it says. There is no list of exceptions.

use std::collections::HashMap;
use std::time::Duration;

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use prost::Message;
use serde_json::{Value, json};
use setplan::v1::{Capability, ErrorReason, PlanResponse};
use setplan::{Error, Options, Planner};
use tonic::{Code, Status};

use crate::servers::{Server, server};
use crate::vector::{Vector, all};

/// Planners with the limits that vectors ask for.
#[derive(Default)]
pub struct Servers(HashMap<Vec<String>, Server>);

impl Servers {
    pub async fn planner(&mut self, vector: &Vector) -> Planner {
        let flags = vector.flags();
        if !self.0.contains_key(&flags) {
            self.0.insert(flags.clone(), server(&flags).await);
        }
        let options = Options { timeout: Duration::from_secs(60), ..Options::insecure() };
        Planner::connect(&self.0[&flags].address, options).expect("a planner")
    }
}

#[tokio::test]
async fn answers() {
    let mut servers = Servers::default();
    let (mut plans, mut errors) = (0, 0);
    for vector in all().iter().filter(|vector| !vector.name.starts_with("status/")) {
        let planner = servers.planner(vector).await;
        // The bytes themselves: no library would make some of these requests.
        let answer = planner.plan_bytes(vector.request_bytes()).await;
        if let Some(want) = vector.plan() {
            plans += 1;
            let answer = answer.unwrap_or_else(|error| panic!("{}: {error}", vector.name));
            assert_eq!(PlanResponse::decode(answer.as_slice()).expect("an answer").plan.as_ref(), Some(&want), "{}", vector.name);
            let plan = planner.plan(vector.request()).await.unwrap_or_else(|error| panic!("{}: {error}", vector.name));
            assert_eq!(plan, want, "{}", vector.name);
        } else {
            errors += 1;
            assert_eq!(form(&answer.expect_err(&vector.name)), vector.error(), "{}", vector.name);
        }
    }
    assert!(plans > 10 && errors > 10, "{plans} plans, {errors} errors");
}

#[tokio::test]
async fn answers_by_objects() {
    let mut servers = Servers::default();
    let (mut asked, mut unsaid) = (0, 0);
    for vector in all().iter().filter(|vector| vector.documents().is_some()) {
        let Some(request) = vector.by_objects() else {
            unsaid += 1;
            continue;
        };
        asked += 1;
        let planner = servers.planner(vector).await;
        let plan = planner.plan(request.clone()).await;
        assert_eq!(plan.as_ref().ok(), vector.plan().as_ref(), "{}: {:?}", vector.name, plan.as_ref().err());
        let [by_objects, by_snapshot] = [request, vector.request()].map(|request| planner.plan_bytes(request.encode_to_vec()));
        assert_eq!(by_objects.await.ok(), by_snapshot.await.ok(), "{}", vector.name);
    }
    assert!(asked > 10 && unsaid < asked / 4, "{asked} by objects, and {unsaid} that objects cannot say");
}

#[tokio::test]
async fn a_snapshot_without_capabilities_has_those_of_this_build() {
    let all = all();
    let known: Vec<i32> = (1..=i32::from(Capability::AddClaimTemplates)).collect();
    let whole = |vector: &&Vector| {
        vector.plan().is_some_and(|plan| plan.actions().next().is_some()) && vector.request().capabilities == known
    };
    let vector = all.iter().find(whole).expect("a vector with all capabilities");
    let snapshot = vector.request().snapshot.expect("a snapshot");
    let plan = Servers::default().planner(vector).await.plan(snapshot).await;
    assert_eq!(plan.ok(), vector.plan(), "{}", vector.name);
}

#[test]
fn errors_of_a_server_that_cannot_plan() {
    let all = all();
    let vectors: Vec<&Vector> = all.iter().filter(|vector| vector.name.starts_with("status/")).collect();
    assert!(!vectors.is_empty());
    for vector in vectors {
        let mut want = vector.error();
        let trailer = want.as_object_mut().and_then(|error| error.remove("status")).expect("a status");
        let trailer = BASE64_STANDARD.decode(trailer.as_str().expect("a text")).expect("base64");
        let told = tonic_types::Status::decode(trailer.as_slice()).expect("a google.rpc.Status");
        let status = Status::with_details(Code::from_i32(told.code), told.message, trailer.into());
        assert_eq!(form(&Error::of_status(&status)), want, "{}", vector.name);
    }
}

/// Puts an error into the form that vectors have.
fn form(error: &Error) -> Value {
    let mut form = json!({"code": format!("{:?}", error.code).to_uppercase(), "message": error.message});
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
