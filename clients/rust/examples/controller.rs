//! A `StatefulSet` controller: it watches sets, asks a planner, and carries out the plans.
//!
//! ```text
//! --kubeconfig         the cluster; without it $KUBECONFIG, or the pod's service account
//! --namespace          run the sets of this namespace only
//! --planner-address
//! --planner-ca-file    PEM file with the authorities for the planner's certificate
//! --planner-cert-file  PEM file with this adapter's certificate
//! --planner-key-file   PEM file with its key
//! --planner-insecure   without TLS, for a planner on the same machine
//! --leader-elect       act only while holding a lease; true without it
//! ```

use std::collections::{HashMap, HashSet};
use std::fmt::Display;
use std::hash::{BuildHasher, RandomState};
use std::pin::pin;
use std::sync::{Arc, Mutex};
use std::{env, error, io, process};

use setplan::adapter::{self, ActionResult, Key, Loop, Observer, PassError};
use setplan::kube::{Api, CAPABILITIES, Events, Executor, Lease, Queue, Source};
use setplan::v1::{Action, Plan, Severity, Snapshot};
use setplan::{Client, Options, TlsFiles};
use tokio::signal::unix::{SignalKind, signal};

type Error = Box<dyn error::Error + Send + Sync>;

fn log(message: &str, set: impl Display, error: impl Display) {
    eprintln!("msg={message:?} set={:?} error={:?}", set.to_string(), error.to_string());
}

/// Logs what happens, and raises events for what people should see.
struct Told {
    events: Events,
    blocks: Mutex<HashMap<Key, HashSet<String>>>,
}

impl Told {
    fn event(&self, key: &Key, reason: &str, message: &str) {
        let (sent, key) = (self.events.warn(key, reason, message), key.clone());
        tokio::spawn(async move { sent.await.unwrap_or_else(|error| log("no event", key, error)) });
    }
}

impl Observer for Told {
    /// Raises an event when a block appears that somebody has to act on.
    fn planned(&self, key: &Key, _: &Snapshot, plan: &Plan) {
        let asking = plan.blocks.iter().filter(|block| block.severity() == Severity::Attention);
        let blocks: HashSet<String> = asking.map(|block| format!("{} {}", block.message, block.remedy)).collect();
        let before = self.blocks.lock().unwrap().insert(key.clone(), blocks.clone()).unwrap_or_default();
        for message in blocks.difference(&before) {
            self.event(key, "Blocked", message);
        }
    }

    fn applied(&self, key: &Key, action: &Action, result: &ActionResult) {
        let what = format!("{} {}", action.name(), action.target.as_ref().map_or("", |target| &target.name));
        let error = result.error.as_ref().map_or("", |(why, _)| why);
        log(&what, key, error);
        if !error.is_empty() {
            self.event(key, "FailedAction", &format!("{what}: {error}"));
        }
    }

    /// Logs why nothing is done, and raises an event for a plan that is refused.
    fn held(&self, key: &Key, reason: &str, why: &str) {
        log(&format!("held: {reason}"), key, why);
        if reason == "verification" {
            self.event(key, "PlanRefused", why);
        }
    }

    fn forgotten(&self, key: &Key) {
        self.blocks.lock().unwrap().remove(key);
    }
}

/// Runs the sets until it is to stop; what is under way ends first.
async fn control(api: Api, planner: Client, namespace: Option<&str>, stop: impl Future) -> Result<(), Error> {
    let source = Arc::new(Source::new(api.clone(), namespace)?);
    let told = Told { events: Events::new(api.clone(), source.clone(), "setplan-rust"), blocks: Mutex::default() };
    let executor = Executor::new(api, source.clone());
    let passes = &Loop::new(source.clone(), executor, planner, &CAPABILITIES, told, adapter::Options::default());
    let queue = Queue::default();
    let changed = |key| queue.add(key);
    let lost = |why: &str| log("watch", "", why);
    let mut stop = pin!(stop);
    let work = async {
        tokio::select! { () = source.filled() => {}, _ = &mut stop => return }
        log("the caches are filled", "", "");
        let pass = |key: Key| async move { passes.reconcile(&key).await };
        let failed = |key: &Key, error: &PassError| {
            log("failed", key, error);
            error.retry_after()
        };
        queue.run(20, pass, failed, stop).await;
    };
    tokio::select! { () = source.run(&changed, &lost) => {}, () = work => {} }
    Ok(())
}

/// Is ready after a signal to end.
fn ended() -> io::Result<impl Future> {
    let (mut term, mut int) = (signal(SignalKind::terminate())?, signal(SignalKind::interrupt())?);
    Ok(async move {
        tokio::select! { _ = term.recv() => {}, _ = int.recv() => {} }
    })
}

/// Reads `--name value`, `--name=value`, and `--planner-insecure` alone.
fn flags() -> HashMap<String, String> {
    let mut flags = HashMap::new();
    let mut args = env::args().skip(1);
    while let Some(arg) = args.next() {
        let (name, value) = match arg.split_once('=') {
            Some((name, value)) => (name, value.to_owned()),
            None if arg == "--planner-insecure" => (&*arg, "true".to_owned()),
            None => (&*arg, args.next().unwrap_or_default()),
        };
        flags.insert(name.to_owned(), value);
    }
    flags
}

#[tokio::main]
async fn main() -> Result<(), Error> {
    let flags = flags();
    let flag = |name: &str| flags.get(name).map(String::as_str);
    let [ca, certificate, key] = ["ca", "cert", "key"].map(|file| flag(&format!("--planner-{file}-file")).map(Into::into));
    let options = match flag("--planner-insecure") {
        Some(_) => Options::insecure(),
        None => Options::tls(TlsFiles { ca, certificate, key }),
    };
    let planner = Client::new(flag("--planner-address").unwrap_or_default(), options)?;
    let api = Api::connect(flag("--kubeconfig")).await?;
    let namespace = flag("--namespace");
    if flag("--leader-elect") == Some("false") {
        return control(api, planner, namespace, ended()?).await;
    }
    let name = namespace.map_or("setplan-adapter".to_owned(), |namespace| format!("setplan-adapter.{namespace}"));
    let random = RandomState::new().hash_one(process::id());
    let identity = format!("{}_{random:x}", env::var("HOSTNAME").unwrap_or_default());
    let lease = Lease::new(api, "kube-system", &name, &identity, |why| log("no lease", "", why));
    let work = control(lease.api(), planner, namespace, ended()?);
    lease.hold(work, ended()?).await?.unwrap_or(Ok(()))
}
