//! Fails if an edit of a set would restart pods or never finish: forecast OBJECTS EDITED NAME PLANNER.

use std::{env, error::Error, fs, process::ExitCode};

use setplan::v1::{Coverage, ForecastVerdict, Objects};
use setplan::{Options, Planner};

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<ExitCode, Box<dyn Error>> {
    let args: Vec<String> = env::args().collect();
    let [_, file, edited, name, address] = args.as_slice() else { return Err("usage: OBJECTS EDITED NAME PLANNER".into()) };
    let planner = Planner::connect(address, Options::insecure())?;
    let objects = Objects { edited_set: fs::read(edited)?, ..Objects::new(name, [fs::read(file)?], Coverage::all()) };
    let result = planner.forecast(objects).await?.result().await?;
    let recreated = result.restarts.iter().map(|restart| &restart.pod);
    let restarts: Vec<_> = recreated.chain(result.container_restarts.iter().map(|change| &change.name)).collect();
    println!("{:?} after {} steps; restarts: {restarts:?}", result.verdict(), result.steps);
    let harmless = restarts.is_empty() && result.verdict() == ForecastVerdict::Converged;
    Ok(if harmless { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
