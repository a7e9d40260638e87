//! Says why a set is waiting: look NAMESPACE NAME PLANNER.

use std::{env, error::Error, time::SystemTime};

use setplan::kube::{self, Api};
use setplan::v1::{Coverage, PlanRequest};
use setplan::{Client, Options, snapshot};

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn Error + Send + Sync>> {
    let args: Vec<String> = env::args().collect();
    let [_, namespace, name, address] = args.as_slice() else { return Err("usage: look NAMESPACE NAME PLANNER".into()) };
    let objects = kube::read(&Api::connect(None).await?, namespace, name).await?;
    let complete = Coverage { pods: true, claims: true, revisions: true, ..Coverage::default() };
    let snapshot = snapshot::of(&objects, complete, SystemTime::now())?;
    let planner = Client::new(address, Options::insecure())?;
    let plan = planner.plan(PlanRequest { snapshot: Some(snapshot), ..PlanRequest::default() }).await?;
    if plan.converged {
        println!("{name} is as it should be");
    }
    for action in plan.actions() {
        let (target, cause) = (action.target.clone().unwrap_or_default(), action.cause.clone().unwrap_or_default());
        println!("{} {}: {}", action.name(), target.name, cause.message);
    }
    for block in &plan.blocks {
        let subject = block.subject.clone().unwrap_or_default();
        println!("{:?} {}: {} {}", block.severity(), subject.name, block.message, block.remedy);
    }
    Ok(())
}
