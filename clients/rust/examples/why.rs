//! Says what a set needs next and why it waits, from kubectl's output: why OBJECTS NAME PLANNER.

use std::{env, error::Error, fs};

use setplan::v1::{Coverage, Objects};
use setplan::{Options, Planner};

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn Error>> {
    let args: Vec<String> = env::args().collect();
    let [_, file, name, address] = args.as_slice() else { return Err("usage: why OBJECTS NAME PLANNER".into()) };
    let planner = Planner::connect(address, Options::insecure())?;
    let plan = planner.plan(Objects::new(name, [fs::read(file)?], Coverage::all())).await?;
    for action in plan.actions() {
        println!("{action}");
    }
    for block in &plan.blocks {
        println!("{block}");
    }
    if plan.converged {
        println!("{name} waits for nothing");
    }
    Ok(())
}
