//! Caches, the source that reads them, the guard, and events.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use serde_json::{Value, json};
use setplan::adapter::{Key, Source as _, SourceError, Write};
use setplan::kube::{Cache, Events, PODS, Source, read};
use setplan::snapshot::Object;
use tokio::time::{sleep, timeout};

use crate::apis::{Answer, ApiServer, filled, list, says, thing};

fn key(name: &str) -> Key {
    Key { namespace: "default".to_owned(), name: name.to_owned() }
}

fn names(cache: &Cache) -> Vec<String> {
    cache.of("default").iter().map(|thing| thing.metadata().name.clone()).collect()
}

fn event(r#type: &str, object: &str) -> String {
    format!("{{\"type\":\"{type}\",\"object\":{object}}}\n")
}

/// Runs a cache of pods by these answers, and returns what it has told, and the resource versions that it has asked for.
async fn run(cache: &Cache, answers: Vec<Answer>) -> (Vec<String>, Vec<String>) {
    let (server, end) = ApiServer::in_turn(answers);
    let told: Mutex<Vec<String>> = Mutex::default();
    let tell = |what: &str| told.lock().expect("what is told").push(what.to_owned());
    let api = server.api();
    let changed = |thing: &Object| tell(&thing.metadata().name);
    tokio::select! {
        () = cache.run(&api, &changed, &tell) => {}
        () = end.notified() => {}
    }
    let version = |url: &str| url.split_once("resourceVersion=").map_or("", |(_, version)| version).to_owned();
    let versions = server.asked().iter().map(|asked| version(&asked.url)).collect();
    (told.into_inner().expect("what is told"), versions)
}

#[tokio::test(start_paused = true)]
async fn a_cache_lists_watches_and_begins_anew_when_its_version_is_gone() {
    let cache = Cache::new(PODS, Some("default")).expect("a cache");
    assert!(!cache.is_filled());
    let pods = |version: &str, name: &str| says(200, list("Pod", version, &[thing("1", name, "")]));
    let watched =
        event("ADDED", &thing("6", "b", "")) + &event("BOOKMARK", &thing("7", "", "")) + &event("DELETED", &thing("8", "a", ""));
    let answers = vec![
        pods("5", "a"),
        says(200, watched),
        says(200, event("ERROR", r#"{"code":410,"message":"too old"}"#)),
        pods("20", "c"),
        says(410, r#"{"kind":"Status","code":410}"#),
        pods("30", "d"),
    ];
    let (told, versions) = run(&cache, answers).await;
    assert_eq!(told, ["a", "b", "a", "b", "c", "c", "d"], "what is gone is told, too");
    assert_eq!(versions, ["", "5", "8", "", "20", "", "30"]);
    assert!(cache.is_filled());
    assert_eq!((names(&cache), cache.version()), (vec!["d".to_owned()], "30".to_owned()));
}

#[tokio::test(start_paused = true)]
async fn a_cache_that_gets_no_answer_says_so_and_begins_anew() {
    let cache = Cache::new(PODS, Some("default")).expect("a cache");
    let pods = says(200, list("Pod", "5", &[thing("1", "a", "")]));
    let watched = says(200, event("ADDED", &thing("6", "b", "")));
    let answers = vec![says(500, ""), pods.clone(), Answer::CutOff, watched, says(200, "no event\n"), pods];
    let (told, versions) = run(&cache, answers).await;
    assert!(told[0].contains("the watch of Pod ended: HTTP 500"), "{told:?}");
    assert!(told[2].contains("no answer from the API server"), "{told:?}");
    assert_eq!(versions, ["", "", "5", "5", "6", "", "5"], "a watch that was cut off goes on");
}

#[tokio::test(start_paused = true)]
async fn a_cache_asks_for_a_list_or_a_watch_once_a_second() {
    let gone = || says(410, r#"{"kind":"Status","code":410}"#);
    for (ends, lists) in [(gone(), 60), (says(200, event("ERROR", r#"{"code":410}"#)), 60), (says(200, ""), 1), (Answer::CutOff, 1)]
    {
        let asked = Arc::new(Mutex::new((0, 0)));
        let counted = asked.clone();
        let server = ApiServer::new(move |asked| {
            let mut counted = counted.lock().expect("the numbers");
            if asked.url.contains("watch=1") {
                counted.1 += 1;
                return if counted.1 > 200 { Answer::Hangs } else { ends.clone() };
            }
            counted.0 += 1;
            says(200, list("Pod", "5", &[]))
        });
        let (cache, api) = (Cache::new(PODS, Some("default")).expect("a cache"), server.api());
        let minute = Duration::from_millis(59_500);
        assert!(timeout(minute, cache.run(&api, &|_| (), &|_| ())).await.is_err());
        assert_eq!(*asked.lock().expect("the numbers"), (lists, 60));
    }
}

#[tokio::test(start_paused = true)]
async fn a_line_that_is_not_utf_8_is_read_all_the_same() {
    let cache = Cache::new(PODS, Some("default")).expect("a cache");
    let odd = event("ADDED", &thing("6", "b", r#","annotations":{"a":"?"}"#)).into_bytes();
    let odd: Vec<u8> = odd.into_iter().map(|byte| if byte == b'?' { 0xFF } else { byte }).collect();
    let watched = [odd, event("ADDED", &thing("7", "c", "")).into_bytes()].concat();
    let (told, versions) = run(&cache, vec![says(200, list("Pod", "5", &[])), says(200, watched)]).await;
    assert_eq!(told, ["b", "c"]);
    assert_eq!(versions, ["", "5", "7"]);
}

#[tokio::test(start_paused = true)]
async fn a_list_comes_in_pages_and_begins_anew_when_the_next_is_gone() {
    let page = |name: &str, next: &str| {
        let metadata = json!({"resourceVersion": "5", "continue": next});
        let pods: Value = serde_json::from_str(&list("Pod", "5", &[thing("1", name, "")])).expect("a list");
        says(200, json!({"kind": "PodList", "apiVersion": "v1", "metadata": metadata, "items": pods["items"]}).to_string())
    };
    let answers = vec![page("a", "m+o/"), says(410, r#"{"kind":"Status","code":410}"#), page("a", "m+o/"), page("b", "")];
    let (server, end) = ApiServer::in_turn(answers);
    let (cache, api) = (Cache::new(PODS, Some("default")).expect("a cache"), server.api());
    tokio::select! {
        () = cache.run(&api, &|_| (), &|why| panic!("{why}")) => {}
        () = end.notified() => {}
    }
    assert_eq!(names(&cache), ["a", "b"]);
    let urls: Vec<String> =
        server.asked().iter().map(|asked| asked.url.replace("/api/v1/namespaces/default/pods?limit=500", "")).collect();
    assert_eq!(urls[..4], ["", "&continue=m%2Bo%2F", "", "&continue=m%2Bo%2F"]);
}

/// What an API server has: lists by their plural, and objects by their name.
#[derive(Clone)]
struct World(Arc<Mutex<BTreeMap<String, String>>>);

impl World {
    /// A set with a pod, and a pod that is ending, all at version 7.
    fn new() -> Self {
        let set = r#"{"metadata":{"name":"web","namespace":"default","uid":"set","resourceVersion":"7","generation":3},
            "spec":{"volumeClaimTemplates":[{"metadata":{"name":"www"}}]}}"#;
        let ending = thing("4", "ending", r#","deletionTimestamp":"2026-01-01T00:00:00Z""#);
        let world = Self(Arc::default());
        world.has("statefulsets", &list("StatefulSet", "7", &[set.to_owned()]));
        world.has("pods", &list("Pod", "7", &[thing("4", "web-0", ""), ending]));
        world.has("persistentvolumeclaims", &list("PersistentVolumeClaim", "7", &[]));
        world.has("controllerrevisions", &list("ControllerRevision", "7", &[]));
        world
    }

    fn has(&self, name: &str, text: &str) {
        self.0.lock().expect("the world").insert(name.to_owned(), text.to_owned());
    }

    fn server(&self) -> ApiServer {
        let world = self.0.clone();
        ApiServer::new(move |asked| {
            if asked.url.contains("watch=1") {
                return Answer::Hangs;
            }
            let path = asked.url.split_once('?').map_or(asked.url.as_str(), |(path, _)| path);
            let (_, name) = path.rsplit_once('/').expect("a path");
            let not_found = || says(404, r#"{"kind":"Status","reason":"NotFound"}"#);
            world.lock().expect("the world").get(name).map_or_else(not_found, |text| says(200, text.as_str()))
        })
    }

    async fn source(&self) -> Arc<Source> {
        filled(self.server().api()).await
    }
}

#[tokio::test]
async fn the_source_reads_its_caches() {
    let source = World::new().source().await;
    assert_eq!(source.set(&key("web")).expect("the set").generation, 3);
    let snapshot = source.snapshot(&key("web")).expect("a snapshot");
    let coverage = snapshot.coverage.expect("a coverage");
    assert!(coverage.pods && coverage.claims && coverage.revisions);
    assert_eq!(coverage.pods_version, "7");
    assert_eq!(snapshot.pods.len(), 1);
    assert!(matches!(source.snapshot(&key("other")), Err(SourceError::Gone)));
}

#[tokio::test]
async fn the_source_reads_the_live_set() {
    let world = World::new();
    let source = world.source().await;
    assert!(matches!(source.live_set(&key("web")).await, Err(SourceError::Gone)));
    world.has("web", r#"{"metadata":{"uid":"new","generation":9,"deletionTimestamp":"2026-01-01T00:00:00Z"}}"#);
    let live = source.live_set(&key("web")).await.expect("the set");
    assert_eq!((live.uid.as_str(), live.generation, live.deleting), ("new", 9, true));
}

fn write(name: &str, uid: &str, version: &str) -> Write {
    let [kind, name, uid, resource_version] = ["Pod", name, uid, version].map(str::to_owned);
    Write { kind, name, uid, deleted: resource_version.is_empty(), resource_version }
}

#[tokio::test]
async fn what_the_caches_show() {
    let source = World::new().source().await;
    let shows = |name: &str, uid: &str, version: &str| source.observed(&key("web"), &write(name, uid, version));
    assert!(shows("web-0", "u", "7"), "the kind is as new");
    assert!(shows("gone", "u", "6"));
    assert!(!shows("web-0", "u", "10"), "10 is after 7");
    assert!(!shows("web-0", "u", ""), "it is there");
    assert!(shows("web-0", "earlier", ""));
    assert!(shows("web-1", "u", ""));
    assert!(shows("ending", "u", ""));
}

#[tokio::test]
async fn what_is_current() {
    let world = World::new();
    let source = world.source().await;
    let current = async |name: &str| source.current(&key("web"), &write(name, "u", "")).await.expect("an answer");
    assert!(!current("web-0").await, "gone, and the cache has it");
    assert!(current("web-1").await, "neither has it");
    world.has("web-0", &thing("4", "web-0", ""));
    assert!(current("web-0").await);
    world.has("web-0", &thing("5", "web-0", ""));
    assert!(!current("web-0").await);
    world.has("web-0", &thing("4", "web-0", "").replace(r#""uid":"u""#, r#""uid":"new""#));
    assert!(!current("web-0").await);
}

/// Lists everything again, until there is nothing else to do; the clock must be paused. `tell` is told of sets.
async fn refresh(source: &Source, tell: &(dyn Fn(Key) + Send + Sync)) {
    tokio::select! {
        () = source.run(tell, &|_| ()) => {}
        () = sleep(Duration::from_millis(1)) => {}
    }
}

#[tokio::test(start_paused = true)]
async fn the_sets_that_an_object_concerns() {
    let cases = [
        ("pods", thing("1", "web-0", ""), vec!["web"]),
        ("pods", thing("1", "alone", ""), vec![]),
        ("persistentvolumeclaims", thing("1", "www-web-0", ""), vec!["web"]),
        ("persistentvolumeclaims", thing("1", "wwwweb-0", ""), vec![]),
        ("persistentvolumeclaims", thing("1", "www-db-0", ""), vec![]),
        ("controllerrevisions", thing("1", "x-1", r#","ownerReferences":[{"name":"db"}]"#), vec!["db", "x"]),
    ];
    for (plural, thing, want) in cases {
        let world = World::new();
        world.has("pods", &list("Pod", "7", &[]));
        let source = world.source().await; // which knows the set
        world.has(plural, &list("Thing", "8", &[thing]));
        world.has("statefulsets", "nothing that tells of a set");
        let told: Mutex<BTreeSet<Key>> = Mutex::default();
        let tell = |key| {
            told.lock().expect("the keys").insert(key);
        };
        refresh(&source, &tell).await;
        let keys = told.into_inner().expect("the keys").into_iter();
        assert_eq!(keys.map(|key| key.name).collect::<Vec<_>>(), want);
    }
}

#[tokio::test(start_paused = true)]
async fn a_set_that_is_gone_concerns_those_with_the_same_claim_names() {
    let set = |name: &str, template: &str| {
        let metadata = json!({"name": name, "namespace": "default", "uid": name, "resourceVersion": "7"});
        json!({"metadata": metadata, "spec": {"volumeClaimTemplates": [{"metadata": {"name": template}}]}}).to_string()
    };
    let sets = [set("web", "www-x"), set("x-web", "www"), set("b-x-web", "www"), set("x", "web")];
    let goes = Arc::new(AtomicBool::new(false));
    let going = goes.clone();
    let server = ApiServer::new(move |asked| match (asked.url.contains("statefulsets"), asked.url.contains("watch=1")) {
        (true, true) if !going.swap(true, Ordering::SeqCst) => says(200, event("DELETED", &sets[1])),
        (_, true) => Answer::Hangs,
        (true, false) => says(200, list("StatefulSet", "7", &sets)),
        (false, false) => says(200, list("Thing", "7", &[])),
    });
    let source = Source::new(server.api(), Some("default")).expect("a source");
    let told: Mutex<BTreeSet<String>> = Mutex::default();
    let tell = |key: Key| {
        if goes.load(Ordering::SeqCst) {
            told.lock().expect("the names").insert(key.name);
        }
    };
    refresh(&source, &tell).await;
    assert_eq!(told.into_inner().expect("the names").into_iter().collect::<Vec<_>>(), ["web", "x-web"]);
}

#[tokio::test]
async fn who_shares_claim_names_is_a_neighbour_once_for_each_template() {
    let set = |name: &str, templates: [&str; 2]| {
        let metadata = json!({"name": name, "namespace": "default", "uid": name, "resourceVersion": "7"});
        let templates = templates.map(|template| json!({"metadata": {"name": template}}));
        json!({"metadata": metadata, "spec": {"volumeClaimTemplates": templates}}).to_string()
    };
    let world = World::new();
    let sets = [set("web", ["www-x", "data-x"]), set("x-web", ["data", "www"]), set("other-web", ["www-x", "data"])];
    world.has("statefulsets", &list("StatefulSet", "7", &sets));
    let source = world.source().await;
    let snapshot = source.snapshot(&key("web")).expect("a snapshot");
    let found = snapshot.claim_neighbours.iter().map(|one| (one.set.as_str(), one.claim_template.as_str()));
    assert_eq!(found.collect::<Vec<_>>(), [("x-web", "data-x"), ("x-web", "www-x")]);
    assert_eq!(source.set(&key("web")).expect("the set").neighbours, "x-web data-x, x-web www-x");
}

/// A set whose status was written at a time.
fn written(uid: &str, time: &str, manager: &str, subresource: &str, annotations: &Value) -> String {
    let set = json!({"metadata": {
        "name": "web", "namespace": "default", "uid": uid, "resourceVersion": "7", "annotations": annotations,
        "managedFields": [{"manager": manager, "subresource": subresource, "time": time}],
    }, "spec": {}});
    set.to_string()
}

#[tokio::test(start_paused = true)]
async fn the_guard_takes_what_was_there_for_history() {
    let (built_in, status) = ("kube-controller-manager", "status");
    let taken_over = json!({"setplan.io/taken-over-at": "now"});
    let steps = [
        (written("set", "1", built_in, status, &json!({})), true),
        (written("set", "1", built_in, status, &json!({})), true),
        (written("set", "2", "kubectl", status, &json!({})), true),
        (written("set", "2", built_in, "scale", &json!({})), true),
        (written("set", "2", built_in, status, &json!({})), false),
        (written("set", "2", built_in, status, &json!({})), false),
        (written("set", "2", built_in, status, &taken_over), true),
        (written("set", "3", built_in, status, &taken_over), false),
        (written("another", "3", built_in, status, &taken_over), true),
    ];
    let world = World::new();
    let source = world.source().await;
    for (number, (set, is_ours)) in steps.into_iter().enumerate() {
        world.has("statefulsets", &list("StatefulSet", "7", &[set]));
        refresh(&source, &|_| ()).await;
        let snapshot = source.snapshot(&key("web"));
        assert_eq!(snapshot.is_ok(), is_ours, "step {number}");
        if let Err(error) = snapshot {
            assert!(error.to_string().starts_with("kube-controller-manager has written the status of default/web at "), "{error}");
        }
    }
}

#[tokio::test(start_paused = true)]
async fn the_guard_forgets_a_set_that_is_gone() {
    let world = World::new();
    let source = world.source().await;
    let sees = async |sets: &[String]| {
        world.has("statefulsets", &list("StatefulSet", "7", sets));
        refresh(&source, &|_| ()).await;
        source.snapshot(&key("web"))
    };
    let set = |time: &str| written("set", time, "kube-controller-manager", "status", &json!({}));
    assert!(sees(&[set("1")]).await.is_ok());
    assert!(sees(&[set("2")]).await.is_err());
    assert!(matches!(sees(&[]).await, Err(SourceError::Gone)));
    assert!(sees(&[set("2")]).await.is_ok(), "what is known is from before");
}

#[tokio::test]
async fn an_event_is_sent_about_the_set_as_it_is() {
    let world = World::new();
    let server = world.server();
    let source = world.source().await;
    let events = Events::new(server.api(), source, "test");
    world.has("events", "{}");
    events.warn(&key("web"), "Blocked", &"x".repeat(2_000)).await.expect("an event");
    assert!(matches!(events.warn(&key("other"), "Blocked", "no").await, Err(SourceError::Gone)));
    let [sent] = server.asked().try_into().expect("one request");
    let event: Value = serde_json::from_str(&sent.body).expect("an event");
    assert_eq!(sent.url, "/api/v1/namespaces/default/events?fieldManager=setplan-adapter");
    assert_eq!((&event["involvedObject"]["uid"], &event["source"]["component"]), (&json!("set"), &json!("test")));
    assert_eq!(event["message"].as_str().map(str::len), Some(1_024));
    assert!(event["firstTimestamp"].as_str().is_some_and(|time| time.len() == "2026-01-01T00:00:00Z".len()), "{event}");
    world.0.lock().expect("the world").remove("events");
    let error = events.warn(&key("web"), "Blocked", "no").await.expect_err("no event");
    assert!(matches!(error, SourceError::Failed(_)), "{error}");
}

#[tokio::test]
async fn a_set_is_read_with_what_its_snapshot_needs() {
    let world = World::new();
    world.has("web", &thing("7", "web", ""));
    world.has("persistentvolumeclaims", &list("PersistentVolumeClaim", "7", &[thing("1", "www-web-0", "")]));
    world.has("controllerrevisions", &list("ControllerRevision", "7", &[thing("1", "web-1", ""), thing("1", "web-2", "")]));
    let objects = read(&world.server().api(), "default", "web").await.expect("the set");
    assert_eq!(objects.set.metadata().name, "web");
    let counts = [&objects.pods, &objects.claims, &objects.revisions, &objects.other_sets].map(Vec::len);
    assert_eq!(counts, [2, 1, 2, 1]);
}
