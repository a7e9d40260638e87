//! A real control plane on this machine, without containers: bin/setplan-local, which `make build-local` builds.

use std::io::Write;
use std::path::PathBuf;
use std::process::{self, Command, Stdio};

use crate::servers::root;

/// A control plane whose built-in `StatefulSet` controller is off. It ends with this.
pub struct Cluster {
    pub kubeconfig: PathBuf,
}

impl Cluster {
    pub fn up() -> Self {
        let told = local(&["up", "--statefulset-controller", "off"]);
        Self { kubeconfig: told.split_whitespace().last().expect("a kubeconfig").into() }
    }

    /// Runs kubectl, and returns what it prints.
    pub fn kubectl(&self, args: &str, input: &str) -> String {
        let mut command = Command::new(root().join("bin/kubectl"));
        command.arg("--kubeconfig").arg(&self.kubeconfig).args(args.split(' '));
        let mut running = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("kubectl");
        running.stdin.take().expect("its input").write_all(input.as_bytes()).expect("its input");
        said(&command, &running.wait_with_output().expect("kubectl"))
    }
}

impl Drop for Cluster {
    fn drop(&mut self) {
        local(&["down"]);
    }
}

fn local(args: &[&str]) -> String {
    let mut command = Command::new(root().join("bin/setplan-local"));
    command.args(args).args(["--name", &format!("rust-{}", process::id())]).stderr(Stdio::inherit());
    let output = command.output().expect("setplan-local");
    said(&command, &output)
}

/// Returns what a program has printed; it must have succeeded.
pub fn said(command: &Command, output: &process::Output) -> String {
    assert!(output.status.success(), "{command:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout.clone()).expect("a text")
}
