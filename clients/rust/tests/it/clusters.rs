//! A real control plane on this machine, without containers: bin/setplan-local, which `make build-local` builds.

use std::io::Write;
use std::path::PathBuf;
use std::process::{self, Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex, Weak};

use crate::servers::root;

/// A control plane whose built-in `StatefulSet` controller is off. It ends with this.
pub struct Cluster {
    pub kubeconfig: PathBuf,
    name: String,
}

/// A set with a claim for each pod.
pub const SET: &str = r#"{
  "apiVersion": "apps/v1",
  "kind": "StatefulSet",
  "metadata": {"name": "web", "annotations": {}},
  "spec": {
    "replicas": 3,
    "serviceName": "web",
    "selector": {"matchLabels": {"app": "web"}},
    "template": {
      "metadata": {"labels": {"app": "web"}},
      "spec": {"containers": [{"name": "nginx", "image": "registry.example/nginx:1"}]}
    },
    "volumeClaimTemplates": [
      {"metadata": {"name": "www"}, "spec": {"accessModes": ["ReadWriteOnce"], "resources": {"requests": {"storage": "1Gi"}}}}
    ]
  }
}"#;

impl Cluster {
    /// Returns the control plane of the tests that run now; it ends with the last of them.
    pub fn shared() -> Arc<Self> {
        static HERE: Mutex<Weak<Cluster>> = Mutex::new(Weak::new());
        let mut here = HERE.lock().expect("the control plane");
        here.upgrade().unwrap_or_else(|| {
            let up = Arc::new(Self::up());
            *here = Arc::downgrade(&up);
            up
        })
    }

    fn up() -> Self {
        static COUNT: AtomicU32 = AtomicU32::new(0); // the one before may not have ended yet
        let name = format!("rust-{}-{}", process::id(), COUNT.fetch_add(1, Ordering::Relaxed));
        let told = local(&name, &["up", "--statefulset-controller", "off"]);
        Self { kubeconfig: told.split_whitespace().last().expect("a kubeconfig").into(), name }
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
        local(&self.name, &["down"]);
    }
}

fn local(name: &str, args: &[&str]) -> String {
    let mut command = Command::new(root().join("bin/setplan-local"));
    command.args(args).args(["--name", name]).stderr(Stdio::inherit());
    let output = command.output().expect("setplan-local");
    said(&command, &output)
}

/// Returns what a program has printed; it must have succeeded.
pub fn said(command: &Command, output: &process::Output) -> String {
    assert!(output.status.success(), "{command:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout.clone()).expect("a text")
}
