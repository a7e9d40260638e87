//! What happened to pods: `+web-0` was made, `-web-0` was asked to end, `!web-0` was ready.

use std::collections::HashSet;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use serde::Deserialize;
use setplan::kube::{Api, Cache, PODS};
use setplan::snapshot::Object;
use tokio::task::JoinHandle;
use tokio::time::sleep;

/// Watches the pods of a namespace until it is dropped.
pub struct History {
    pub pods: Arc<Cache>,
    state: Arc<Mutex<State>>,
    watch: JoinHandle<()>,
}

#[derive(Default)]
struct State {
    told: Vec<String>,
    seen: HashSet<String>,
}

#[derive(Deserialize)]
struct Pod {
    status: Status,
}

#[derive(Deserialize)]
struct Status {
    #[serde(default)]
    conditions: Vec<Condition>,
}

#[derive(Deserialize)]
struct Condition {
    r#type: String,
    status: String,
}

impl History {
    /// Begins with what happens from now on.
    pub async fn new(api: Api, namespace: &str) -> Self {
        let pods = Arc::new(Cache::new(PODS, Some(namespace)).expect("a cache"));
        let state: Arc<Mutex<State>> = Arc::default();
        let (cache, told) = (pods.clone(), state.clone());
        let watch = tokio::spawn(async move {
            cache.run(&api, &|pod| told.lock().expect("the history").take(&cache, pod), &|why| panic!("{why}")).await;
        });
        pods.filled().await;
        Self { pods, state, watch }
    }

    /// Waits for as many things as a story has, and takes them.
    pub async fn next(&self, things: usize) -> Vec<String> {
        for _ in 0..6_000 {
            if self.state.lock().expect("the history").told.len() >= things {
                break;
            }
            sleep(Duration::from_millis(20)).await; // ends what hangs after two minutes, and measures nothing
        }
        std::mem::take(&mut self.state.lock().expect("the history").told)
    }

    /// Waits for a story, and nothing else.
    pub async fn is(&self, story: &str) {
        let wanted: Vec<&str> = story.split(' ').collect();
        assert_eq!(self.next(wanted.len()).await, wanted);
    }
}

impl Drop for History {
    fn drop(&mut self) {
        self.watch.abort();
    }
}

impl State {
    fn take(&mut self, cache: &Cache, pod: &Object) {
        let metadata = pod.metadata();
        let is_there = cache.get(&metadata.namespace, &metadata.name).is_some_and(|there| there.metadata().uid == metadata.uid);
        let conditions = pod.read::<Pod>().expect("a pod").status.conditions;
        let is_ready = conditions.iter().any(|condition| condition.r#type == "Ready" && condition.status == "True");
        let happened = [('+', true), ('-', !is_there || !metadata.deletion_timestamp.is_empty()), ('!', is_ready)];
        for (what, _) in happened.into_iter().filter(|(_, happened)| *happened) {
            if self.seen.insert(format!("{what}{}", metadata.uid)) {
                self.told.push(format!("{what}{}", metadata.name));
            }
        }
    }
}
