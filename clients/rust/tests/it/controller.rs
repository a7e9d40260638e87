//! The example of a controller on a real control plane, judged by what the API server announces.

use std::process::Stdio;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use setplan::kube::Api;
use tokio::io::{AsyncBufReadExt, BufReader};
use tokio::process::{Child, Command};
use tokio::time::sleep;

use crate::clusters::{Cluster, SET};
use crate::history::History;
use crate::servers::{Planner, example, planner};

/// A controller for one namespace, with leader election. It is killed with this.
struct Controller {
    process: Child,
    log: Arc<Mutex<String>>,
}

impl Controller {
    fn run(here: &Cluster, planner: &Planner, namespace: &str) -> Self {
        let mut command = Command::new(example("controller"));
        command.arg("--kubeconfig").arg(&here.kubeconfig).arg(format!("--namespace={namespace}"));
        command.args(["--planner-address", &planner.address, "--planner-insecure"]);
        let mut process = command.stderr(Stdio::piped()).kill_on_drop(true).spawn().expect("the controller");
        let log: Arc<Mutex<String>> = Arc::default();
        let (mut lines, said) = (BufReader::new(process.stderr.take().expect("its log")).lines(), log.clone());
        tokio::spawn(async move {
            while let Ok(Some(line)) = lines.next_line().await {
                said.lock().expect("the log").extend([line.as_str(), "\n"]);
            }
        });
        Self { process, log }
    }

    fn has_said(&self, text: &str) -> bool {
        self.log.lock().expect("the log").contains(text)
    }

    async fn says(&self, text: &str) {
        until(|| self.has_said(text), || self.log.lock().expect("the log").clone()).await;
    }
}

/// Waits for what ends what hangs after a minute, and measures nothing.
async fn until(is_so: impl Fn() -> bool, what: impl Fn() -> String) {
    for _ in 0..3_000 {
        if is_so() {
            return;
        }
        sleep(Duration::from_millis(20)).await;
    }
    panic!("{}", what());
}

async fn history(here: &Cluster, namespace: &str) -> History {
    here.kubectl(&format!("create namespace {namespace}"), "");
    History::new(Api::connect(here.kubeconfig.to_str()).await.expect("a cluster"), namespace).await
}

#[tokio::test(flavor = "multi_thread")]
async fn a_set_is_made_scaled_rolled_and_deleted() {
    let (here, asked) = (Cluster::shared(), planner(&[]).await);
    let history = history(&here, "life").await;
    let mut controller = Controller::run(&here, &asked, "life");
    here.kubectl("apply -n life -f -", SET);
    history.is("+web-0 !web-0 +web-1 !web-1 +web-2 !web-2").await;
    here.kubectl("scale -n life statefulset/web --replicas 4", "");
    history.is("+web-3 !web-3").await;
    here.kubectl("scale -n life statefulset/web --replicas 2", "");
    history.is("-web-3 -web-2").await;
    here.kubectl("set image -n life statefulset/web nginx=registry.example/nginx:2", "");
    history.is("-web-1 +web-1 !web-1 -web-0 +web-0 !web-0").await;
    assert!(history.pods.get("life", "web-0").expect("the pod").text().contains("registry.example/nginx:2"));
    let status =
        || here.kubectl("get -n life statefulset/web -o jsonpath={.status.readyReplicas}/{.status.observedGeneration}", "");
    until(|| status() == "2/4", status).await;
    let claims = || here.kubectl("get -n life persistentvolumeclaims -o name", "").lines().count();
    assert_eq!(claims(), 4);
    here.kubectl("delete -n life statefulset/web", "");
    let mut ended = history.next(2).await;
    ended.sort();
    assert_eq!(ended, ["-web-0", "-web-1"], "by the garbage collector");
    assert_eq!(claims(), 4);

    let id = controller.process.id().expect("a process").to_string();
    let signalled = Command::new("kill").args(["-TERM", &id]).status().await.expect("kill");
    assert!(signalled.success() && controller.process.wait().await.expect("the end").success());
    let holder = here.kubectl("get -n kube-system lease/setplan-adapter.life -o jsonpath={.spec.holderIdentity}", "");
    assert_eq!(holder, "", "the lease is given back");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_next_one_goes_on_when_the_lease_has_expired() {
    let (here, asked) = (Cluster::shared(), planner(&[]).await);
    let history = history(&here, "next").await;
    let mut first = Controller::run(&here, &asked, "next");
    first.says("caches are filled").await;
    let second = Controller::run(&here, &asked, "next");
    first.process.kill().await.expect("the end");
    here.kubectl("apply -n next -f -", SET);
    history.is("+web-0 !web-0 +web-1 !web-1 +web-2 !web-2").await;
    assert!(second.has_said("caches are filled"));
}
