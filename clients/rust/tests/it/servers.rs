//! Real planners on loopback.

use std::env;
use std::path::PathBuf;
use std::process::Stdio;

use tokio::io::{AsyncBufReadExt, BufReader};
use tokio::process::{Child, Command};

/// The folder of the repository.
pub fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().expect("the repository")
}

/// A planner, which is killed with this.
pub struct Server {
    pub address: String,
    process: Child,
}

impl Server {
    /// Kills it, and waits for its end.
    pub async fn kill(mut self) {
        self.process.kill().await.expect("the end");
    }
}

/// Runs a planner, on a free port unless the flags name an address.
pub async fn server(flags: &[String]) -> Server {
    let program = env::var_os("SETPLAN_SERVER").map_or_else(|| root().join("bin/setplan-server"), PathBuf::from);
    let mut command = Command::new(&program);
    command.args(["--listen-address", "127.0.0.1:0"]).args(flags).stderr(Stdio::piped()).kill_on_drop(true);
    let mut process = command.spawn().unwrap_or_else(|error| panic!("{}: {error}", program.display()));
    let mut lines = BufReader::new(process.stderr.take().expect("standard error")).lines();
    let mut log = String::new();
    while let Some(line) = lines.next_line().await.expect("a log") {
        if let Some((_, address)) = line.split_once("msg=listening addr=") {
            let address = address.split_whitespace().next().expect("an address").to_owned();
            tokio::spawn(async move { while let Ok(Some(_)) = lines.next_line().await {} });
            return Server { address, process };
        }
        log.push_str(&line);
    }
    panic!("the planner ended: {log}");
}
