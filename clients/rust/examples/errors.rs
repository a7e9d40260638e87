//! What to do with an error: errors PLANNER.

use setplan::v1::PlanRequest;
use setplan::{Client, Error, Kind, Options};

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Error> {
    let address = std::env::args().nth(1).unwrap_or_else(|| "127.0.0.1:7450".to_owned());
    let planner = Client::new(&address, Options::insecure())?;
    match planner.plan(PlanRequest::default()).await {
        Ok(plan) => println!("{} stages", plan.stages.len()),
        Err(error) if error.kind == Kind::InvalidSnapshot => {
            let fields: Vec<String> = error.violations.into_iter().map(|violation| violation.field).collect();
            println!("mend the request: {}", fields.join(","));
        }
        Err(Error { kind: Kind::Overloaded, retry_after, .. }) => println!("ask again in {retry_after:?}"),
        Err(error) => println!("no plan, so change nothing: {error}"),
    }
    Ok(())
}
