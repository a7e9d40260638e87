//! Says why a set is waiting: look NAMESPACE NAME PLANNER.

use std::{env, error::Error, time::SystemTime};

use setplan::v1::{Coverage, PlanRequest};
use setplan::{Client, Options, kube, snapshot};

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn Error>> {
    let args: Vec<String> = env::args().collect();
    let [_, namespace, name, address] = args.as_slice() else { return Err("usage: look NAMESPACE NAME PLANNER".into()) };

    let objects = kube::read(&kube::Client::try_default().await?, namespace, name).await?;
    let complete = Coverage { pods: true, claims: true, revisions: true, ..Coverage::default() };
    let snapshot = snapshot::of(&objects, complete, SystemTime::now())?;
    let planner = Client::new(address, Options::insecure())?;
    let plan = planner.plan(PlanRequest { snapshot: Some(snapshot), ..PlanRequest::default() }).await?;

    if plan.converged {
        println!("{name} is as it should be");
    }
    for action in plan.stages.iter().flat_map(|stage| &stage.steps).flat_map(|step| &step.actions) {
        let cause = action.cause.as_ref().map_or("", |cause| &cause.message);
        println!("{} {}: {cause}", action.name(), action.target.as_ref().map_or("", |target| &target.name));
    }
    for block in &plan.blocks {
        let subject = block.subject.as_ref().map_or("", |subject| &subject.name);
        println!("{:?} {subject}: {} {}", block.severity(), block.message, block.remedy);
    }
    Ok(())
}
