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
    let known: Vec<i32> = (1..=i32::from(Capability::AddClaimTemplates)).collect();
    let (mut errors, mut plans, mut looks, mut by_objects) = (0, 0, 0, 0);
    for vector in all().iter().filter(|vector| !vector.name.starts_with("status/")) {
        let planner = servers.planner(vector).await;
        // The bytes themselves: no library would make some of these requests.
        let answer = planner.plan_bytes(vector.request_bytes()).await;
        let Some(want) = vector.plan() else {
            errors += 1;
            assert_eq!(form(&answer.expect_err(&vector.name)), vector.error(), "{}", vector.name);
            continue;
        };
        plans += 1;
        let request = vector.request();
        let decoded = |bytes: Vec<u8>| PlanResponse::decode(bytes.as_slice()).expect("an answer").plan.expect("a plan");
        let mut answers = vec![answer.clone().map(decoded), planner.plan(request.clone()).await];
        if request.capabilities == known {
            looks += 1; // a caller that only looks lists none
            answers.push(planner.plan(request.snapshot.expect("a snapshot")).await);
        }
        if let Some(request) = vector.by_objects() {
            by_objects += 1;
            let [same, bytes] = [vector.request(), request].map(|request| planner.plan_bytes(request.encode_to_vec()));
            let bytes = bytes.await;
            assert_eq!(bytes.as_ref().ok(), same.await.as_ref().ok(), "{}", vector.name);
            answers.push(bytes.map(decoded));
        }
        for plan in answers {
            assert_eq!(plan.as_ref().ok(), Some(&want), "{}: {:?}", vector.name, plan.as_ref().err());
        }
    }
    assert!(errors > 10 && looks > 10 && by_objects * 2 > plans, "{errors}, {looks}, {by_objects} of {plans}");
}

#[test]
fn errors_of_a_server_that_cannot_plan() {
    let mut all = all();
    all.retain(|vector| vector.name.starts_with("status/"));
    assert!(!all.is_empty());
    for vector in all {
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
