//! What is sent for each operation, and what its answers mean.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};
use std::{env, fs, process};

use http::Method;
use serde_json::{Value, json};
use setplan::adapter::{ActionResult, Executor as _, Key, Write};
use setplan::kube::{Api, Executor};
use setplan::v1::action::Operation::{
    self, AdoptPod, AdoptRevision, CreateClaim, CreatePod, CreateRevision, DeletePod, EvictPod, PatchAnnotations, PatchPod,
    ReleasePod, RenumberRevision, ResizePod, SetClaimOwners, SetFinalizer, UpdatePod, UpdateStatus,
};
use setplan::v1::{self, Action, ClaimBinding, Condition, OutcomeResult, OwnerReference, Precondition, StatefulSetStatus, Target};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpListener;

use crate::apis::{Answer, ApiServer, Asked, filled, list, says, thing};

const JSON: &str = "application/json";
const MERGE: &str = "application/merge-patch+json";
const STRATEGIC: &str = "application/strategic-merge-patch+json";
const MANIFEST: &str = r#"{"metadata": {"name":"web-0","ownerReferences":[{"uid":"set","controller":true}]}, "data":{"n":1.0,"n2":12345678901234567890}}"#;

fn text(from: &str) -> String {
    from.to_owned()
}

fn image(name: &str, image: &str) -> v1::ContainerImage {
    v1::ContainerImage { name: text(name), image: text(image) }
}

fn key() -> Key {
    Key { namespace: text("default"), name: text("web") }
}

fn action(kind: &str, operation: Operation) -> Action {
    let precondition = match operation {
        CreatePod(_) | CreateClaim(_) | CreateRevision(_) => Precondition { must_not_exist: true, ..Precondition::default() },
        _ => Precondition { uid: text("u"), resource_version: text("5"), ..Precondition::default() },
    };
    let target = Target { kind: text(kind), namespace: text("default"), name: text("web-0") };
    Action { target: Some(target), precondition: Some(precondition), operation: Some(operation), ..Action::default() }
}

/// Carries out an action with the caches of a set at version 5 that has two conditions.
async fn apply(server: &ApiServer, action: &Action) -> ActionResult {
    let set = r#"{"metadata":{"name":"web","namespace":"default","uid":"u","resourceVersion":"5"},
        "status":{"conditions":[{"type":"A","n":1.0},{"type":"B"}]}}"#;
    let cached = ApiServer::new(move |asked| match asked.url.as_str() {
        url if url.contains("watch=1") => Answer::Hangs,
        url if url.contains("statefulsets") => says(200, list("StatefulSet", "5", &[set.to_owned()])),
        _ => says(200, list("Thing", "5", &[])),
    });
    let executor = Executor::new(server.api(), filled(cached.api()).await);
    executor.apply(&key(), action).await
}

fn owner() -> OwnerReference {
    let [api_version, kind, name, uid] = ["apps/v1", "StatefulSet", "web", "set"].map(text);
    OwnerReference { api_version, kind, name, uid, controller: true, block_owner_deletion: false }
}

fn create_pod() -> Operation {
    CreatePod(v1::CreatePod { manifest: MANIFEST.into() })
}

fn delete_pod() -> Operation {
    DeletePod(v1::DeletePod {})
}

fn finalizer(present: bool) -> Operation {
    SetFinalizer(v1::SetFinalizer { finalizer: text("f"), present })
}

fn wrote(kind: &str) -> Write {
    Write { kind: text(kind), name: text("web-0"), uid: text("u"), resource_version: text("6"), deleted: false }
}

fn gone(kind: &str) -> Write {
    Write { resource_version: String::new(), deleted: true, ..wrote(kind) }
}

/// Images: a patch that finds containers by their names, and keeps their order.
fn images() -> (Operation, &'static str, &'static str, &'static str, Value) {
    (
        UpdatePod(v1::UpdatePod {
            annotations: [(text("d"), text("{}"))].into(),
            containers: vec![image("web", "web:2"), image("logs", "logs:1")],
            init_containers: vec![image("proxy", "proxy:2")],
            ..v1::UpdatePod::default()
        }),
        "Pod",
        "pods",
        STRATEGIC,
        json!({"metadata": {"labels": {}, "annotations": {"d": "{}"}}, "spec": {
            "$setElementOrder/containers": [{"name": "web"}, {"name": "logs"}],
            "containers": [{"name": "web", "image": "web:2"}, {"name": "logs", "image": "logs:1"}],
            "$setElementOrder/initContainers": [{"name": "proxy"}],
            "initContainers": [{"name": "proxy", "image": "proxy:2"}],
        }}),
    )
}

/// Resources: through a subresource, what is named of some containers, and the order of all.
fn resources() -> (Operation, &'static str, &'static str, &'static str, Value) {
    let container = |name: &str, requests: &[(&str, &str)], limits: &[(&str, &str)]| {
        let texts = |of: &[(&str, &str)]| of.iter().map(|(resource, amount)| (text(resource), text(amount))).collect();
        v1::ContainerResize { name: text(name), requests: texts(requests), limits: texts(limits) }
    };
    (
        ResizePod(v1::ResizePod {
            containers: vec![
                container("logs", &[], &[]),
                container("web", &[("cpu", "1")], &[("cpu", "2"), ("memory", "1Gi")]),
                container("cache", &[], &[("memory", "1Gi")]),
            ],
            init_containers: vec![container("first", &[], &[]), container("proxy", &[("memory", "1Gi")], &[])],
        }),
        "Pod",
        "pods",
        STRATEGIC,
        json!({"metadata": {}, "spec": {
            "$setElementOrder/containers": [{"name": "logs"}, {"name": "web"}, {"name": "cache"}],
            "containers": [
                {"name": "web", "resources": {"requests": {"cpu": "1"}, "limits": {"cpu": "2", "memory": "1Gi"}}},
                {"name": "cache", "resources": {"limits": {"memory": "1Gi"}}},
            ],
            "$setElementOrder/initContainers": [{"name": "first"}, {"name": "proxy"}],
            "initContainers": [{"name": "proxy", "resources": {"requests": {"memory": "1Gi"}}}],
        }}),
    )
}

/// Resources of containers alone: nothing is said of init containers.
fn resources_of_one() -> (Operation, &'static str, &'static str, &'static str, Value) {
    let web =
        v1::ContainerResize { name: text("web"), limits: [(text("cpu"), text("2"))].into(), ..v1::ContainerResize::default() };
    let first = v1::ContainerResize { name: text("first"), ..v1::ContainerResize::default() };
    (
        ResizePod(v1::ResizePod { containers: vec![web], init_containers: vec![first] }),
        "Pod",
        "pods",
        STRATEGIC,
        json!({"metadata": {}, "spec": {
            "$setElementOrder/containers": [{"name": "web"}],
            "containers": [{"name": "web", "resources": {"limits": {"cpu": "2"}}}],
        }}),
    )
}

/// Each patch: the operation, its target's kind and plural, how it is sent, and what, beside the identity.
fn patches() -> Vec<(Operation, &'static str, &'static str, &'static str, Value)> {
    let ours = json!({"apiVersion": "apps/v1", "kind": "StatefulSet", "name": "web", "uid": "set", "controller": true});
    let set = BTreeMap::from([(text("a"), text("b"))]);
    let owners = |owners: Value| json!({"metadata": {"ownerReferences": owners}});
    let claims = vec![ClaimBinding { volume: text("www"), claim: text("www-web-0") }];
    let condition = Condition {
        r#type: text("B"),
        status: text("True"),
        last_transition_time: Some(prost_types::Timestamp { seconds: 0, nanos: 7 }),
        ..Condition::default()
    };
    let status = StatefulSetStatus {
        observed_generation: Some(3),
        replicas: Some(0),
        current_revision: Some(String::new()),
        conditions: vec![condition],
        ..StatefulSetStatus::default()
    };
    vec![
        (
            PatchPod(v1::PatchPod { labels: set.clone(), claims }),
            "Pod",
            "pods",
            STRATEGIC,
            json!({
                "metadata": {"labels": {"a": "b"}},
                "spec": {"volumes": [{"name": "www", "persistentVolumeClaim": {"claimName": "www-web-0"}}]},
            }),
        ),
        (AdoptPod(v1::AdoptPod { owner: Some(owner()) }), "Pod", "pods", STRATEGIC, owners(json!([ours]))),
        (
            AdoptRevision(v1::AdoptRevision { owner: Some(owner()) }),
            "ControllerRevision",
            "controllerrevisions",
            STRATEGIC,
            owners(json!([ours])),
        ),
        (
            ReleasePod(v1::ReleasePod { owner_uid: text("set") }),
            "Pod",
            "pods",
            STRATEGIC,
            owners(json!([{"$patch": "delete", "uid": "set"}])),
        ),
        (
            SetClaimOwners(v1::SetClaimOwners { owners: vec![owner()] }),
            "PersistentVolumeClaim",
            "persistentvolumeclaims",
            MERGE,
            owners(json!([ours])),
        ),
        (
            SetClaimOwners(v1::SetClaimOwners::default()),
            "PersistentVolumeClaim",
            "persistentvolumeclaims",
            MERGE,
            owners(json!([])),
        ),
        (
            RenumberRevision(v1::RenumberRevision { number: 9_007_199_254_740_993 }),
            "ControllerRevision",
            "controllerrevisions",
            MERGE,
            json!({"metadata": {}, "revision": 9_007_199_254_740_993_i64}),
        ),
        (
            PatchAnnotations(v1::PatchAnnotations { set, remove: vec![text("c")] }),
            "StatefulSet",
            "statefulsets",
            MERGE,
            json!({"metadata": {"annotations": {"a": "b", "c": null}}}),
        ),
        (
            UpdatePod(v1::UpdatePod {
                labels: [(text("a"), text("b"))].into(),
                remove_labels: vec![text("c")],
                annotations: [(text("d"), text("e"))].into(),
                remove_annotations: vec![text("f")],
                ..v1::UpdatePod::default()
            }),
            "Pod",
            "pods",
            MERGE,
            json!({"metadata": {"labels": {"a": "b", "c": null}, "annotations": {"d": "e", "f": null}}}),
        ),
        images(),
        resources(),
        resources_of_one(),
        (
            UpdateStatus(v1::UpdateStatus { status: Some(status) }),
            "StatefulSet",
            "statefulsets",
            MERGE,
            json!({"metadata": {}, "status": {
                "observedGeneration": 3, "replicas": 0, "currentRevision": "", "conditions": [
                    {"type": "A", "n": 1.0},
                    {"type": "B", "status": "True", "reason": "", "message": "", "lastTransitionTime": "1970-01-01T00:00:00Z"},
                ],
            }}),
        ),
    ]
}

#[tokio::test]
async fn patches_name_the_object_that_the_planner_saw() {
    for (operation, kind, plural, content_type, mut want) in patches() {
        want["metadata"]["uid"] = json!("u");
        want["metadata"]["resourceVersion"] = json!("5");
        let (group, subresource) = match kind {
            _ if matches!(operation, ResizePod(_)) => ("/api/v1", "/resize"),
            "Pod" | "PersistentVolumeClaim" => ("/api/v1", ""),
            _ if matches!(operation, UpdateStatus(_)) => ("/apis/apps/v1", "/status"),
            _ => ("/apis/apps/v1", ""),
        };
        let server = ApiServer::new(|_| says(200, thing("6", "web-0", "")));
        assert_eq!(apply(&server, &action(kind, operation)).await, ActionResult::written(wrote(kind)));
        let [Asked { method, url, content_type: sent_as, body }] = server.asked().try_into().expect("one request");
        let path = format!("{group}/namespaces/default/{plural}/web-0{subresource}?fieldManager=setplan-adapter");
        assert_eq!((method.as_str(), url, sent_as.as_str()), ("PATCH", path, content_type));
        assert_eq!(serde_json::from_str::<Value>(&body).expect("JSON"), want);
        assert_eq!(body.contains("\"n\":1.0"), kind == "StatefulSet" && body.contains("conditions"), "{body}");
    }
}

#[tokio::test]
async fn manifests_are_sent_byte_by_byte_and_deletions_name_the_object() {
    let server = ApiServer::new(|_| says(200, thing("6", "web-0", "")));
    assert_eq!(apply(&server, &action("Pod", create_pod())).await, ActionResult::written(wrote("Pod")));
    assert_eq!(apply(&server, &action("Pod", delete_pod())).await, ActionResult::written(gone("Pod")));
    let options = r#"{"apiVersion":"v1","kind":"DeleteOptions","preconditions":{"resourceVersion":"5","uid":"u"}}"#;
    let pods = "/api/v1/namespaces/default/pods";
    let sent =
        |method: &str, url: String, body: &str| Asked { method: text(method), url, content_type: text(JSON), body: text(body) };
    let [made, deleted] = server.asked().try_into().expect("two requests");
    assert_eq!(made, sent("POST", format!("{pods}?fieldManager=setplan-adapter"), MANIFEST));
    let (want, got): (Value, Value) = (serde_json::from_str(options).unwrap(), serde_json::from_str(&deleted.body).unwrap());
    assert_eq!(want, got);
    assert_eq!(deleted, sent("DELETE", format!("{pods}/web-0"), &deleted.body));
}

#[tokio::test]
async fn an_eviction_carries_the_preconditions_and_a_refusal_names_the_budget() {
    let causes = json!([{"reason": "DisruptionBudget", "message": "The disruption budget guard needs 2"}]);
    let spent = json!({"kind": "Status", "message": "Cannot evict pod.", "details": {"causes": causes}});
    let server = ApiServer::new(move |_| says(429, spent.to_string()));
    let got = apply(&server, &action("Pod", EvictPod(v1::EvictPod {}))).await;
    let (message, _) = got.error.expect("a refusal");
    assert_eq!(message, "Cannot evict pod. The disruption budget guard needs 2");
    let [asked] = server.asked().try_into().expect("one request");
    assert_eq!(asked.url, "/api/v1/namespaces/default/pods/web-0/eviction?fieldManager=setplan-adapter");
    let want = json!({"apiVersion": "policy/v1", "kind": "Eviction", "metadata": {"name": "web-0"},
        "deleteOptions": {"preconditions": {"uid": "u", "resourceVersion": "5"}}});
    assert_eq!(serde_json::from_str::<Value>(&asked.body).unwrap(), want);
}

fn refusal(status: u16, reason: &str, field: &str) -> Answer {
    let causes = json!([{"field": field}]);
    says(status, json!({"kind": "Status", "reason": reason, "message": "no", "details": {"causes": causes}}).to_string())
}

/// What an action does, by the answers in turn: what was written, or what its failure means.
type Meaning = Result<Option<Write>, OutcomeResult>;

async fn means(about: &str, kind: &str, operation: Operation, answers: Vec<Answer>, want: Meaning) {
    let count = answers.len();
    let (server, _) = ApiServer::in_turn(answers);
    let got = apply(&server, &action(kind, operation)).await;
    let meaning = got.error.map_or(Ok(got.write), |(_, outcome)| Err(outcome));
    assert_eq!(meaning, want, "{about}");
    assert_eq!(server.asked().len(), count, "{about}: nothing is sent again");
}

#[tokio::test]
async fn what_answers_mean() {
    let (conflict, rejected, error) = (Err(OutcomeResult::Conflict), Err(OutcomeResult::Rejected), Err(OutcomeResult::Error));
    let not_found = refusal(404, "NotFound", "");
    let release = || ReleasePod(v1::ReleasePod { owner_uid: text("set") });
    let note = || PatchAnnotations(v1::PatchAnnotations::default());
    let evict = || EvictPod(v1::EvictPod {});
    let resize = || ResizePod(v1::ResizePod::default());
    let spent =
        json!({"kind": "Status", "message": "no", "details": {"causes": [{"reason": "DisruptionBudget", "message": "guard"}]}});
    let many = json!({"kind": "Status", "message": "This pod has more than one PodDisruptionBudget."});
    let cases: Vec<(&str, Operation, Answer, Meaning)> = vec![
        ("an eviction of what is gone", evict(), not_found.clone(), Ok(Some(gone("Pod")))),
        ("a spent budget", evict(), says(429, spent.to_string()), Err(OutcomeResult::DisruptionBudget)),
        ("too much to do", evict(), refusal(429, "TooManyRequests", ""), error.clone()),
        ("two budgets", evict(), says(500, many.to_string()), rejected.clone()),
        ("a delete of what is gone", delete_pod(), not_found.clone(), Ok(Some(gone("Pod")))),
        ("a release of what is gone", release(), not_found.clone(), Ok(None)),
        ("a release of no owner", release(), refusal(422, "Invalid", "metadata.uid"), Ok(None)),
        ("a patch of what is gone", note(), not_found.clone(), conflict.clone()),
        ("a resize of what is gone", resize(), not_found, conflict.clone()),
        ("a resize of what has changed", resize(), refusal(409, "Conflict", ""), conflict.clone()),
        ("a resize to another class of service", resize(), refusal(422, "Invalid", "spec"), rejected.clone()),
        ("an API server that has no resize: no time cures it", resize(), says(404, "404 page not found"), rejected.clone()),
        ("another version", note(), refusal(409, "Conflict", ""), conflict.clone()),
        ("another uid", note(), refusal(422, "Invalid", "metadata.uid"), conflict),
        ("another field", note(), refusal(422, "Invalid", "spec"), rejected.clone()),
        ("no right", delete_pod(), refusal(403, "Forbidden", ""), rejected),
        ("a server's failure", delete_pod(), says(500, "no JSON"), error.clone()),
        ("too many requests", create_pod(), says(429, "{}"), error.clone()),
        ("no object", create_pod(), says(200, "no JSON"), error.clone()),
        ("no answer", delete_pod(), Answer::CutOff, error),
    ];
    for (about, operation, answer, want) in cases {
        means(about, "Pod", operation, vec![answer], want).await;
    }
    means("another kind", "Secret", delete_pod(), vec![], Err(OutcomeResult::Error)).await;
}

#[tokio::test]
async fn what_exists_may_be_what_was_made() {
    let exists = || refusal(409, "AlreadyExists", "");
    let owners = r#","ownerReferences":[{"uid":"set","controller":true}]"#;
    let owned = thing("6", "web-0", owners);
    let with_data = |data: &str| says(200, owned.replace("}]}}", &format!(r#"}}]}},"data":{data}}}"#)));
    let revision = || CreateRevision(v1::CreateRevision { manifest: MANIFEST.into() });
    let claim = CreateClaim(v1::CreateClaim { manifest: MANIFEST.into() });
    let conflict = || Err(OutcomeResult::Conflict);
    let (pod, kind) = ("Pod", "ControllerRevision");
    means("ours", pod, create_pod(), vec![exists(), says(200, owned.clone())], Ok(Some(wrote(pod)))).await;
    means("another's", pod, create_pod(), vec![exists(), says(200, thing("6", "web-0", ""))], conflict()).await;
    means("a claim", "PersistentVolumeClaim", claim, vec![exists()], conflict()).await;
    let same = with_data(r#"{"n2":1.2345678901234567e19,"n":1}"#);
    means("the same data", kind, revision(), vec![exists(), same], Ok(Some(wrote(kind)))).await;
    means("other data", kind, revision(), vec![exists(), with_data(r#"{"n":2}"#)], conflict()).await;
}

#[tokio::test]
async fn finalizers() {
    let stored = |finalizers: &str| says(200, thing("6", "web-0", &format!(r#","finalizers":{finalizers}"#)));
    let other = says(200, thing("6", "web-0", "").replace(r#""uid":"u""#, r#""uid":"other""#));
    let (set, conflict) = ("StatefulSet", || Err(OutcomeResult::Conflict));
    let not_found = || refusal(404, "NotFound", "");
    means("there already", set, finalizer(true), vec![stored(r#"["f"]"#)], Ok(Some(wrote(set)))).await;
    means("to remove from what is gone", set, finalizer(false), vec![not_found()], Ok(None)).await;
    means("of what is gone", set, finalizer(true), vec![not_found()], conflict()).await;
    means("of another set", set, finalizer(true), vec![other], conflict()).await;

    // One is changed, and the others stay, in their order.
    let changes = [(false, r#"["a","f","b"]"#, json!(["a", "b"])), (true, r#"["a"]"#, json!(["a", "f"]))];
    for (present, before, after) in changes {
        let (server, _) = ApiServer::in_turn(vec![stored(before), stored("[]")]);
        apply(&server, &action(set, finalizer(present))).await;
        let patch: Value = serde_json::from_str(&server.asked()[1].body).expect("a patch");
        assert_eq!(patch, json!({"metadata": {"uid": "u", "resourceVersion": "6", "finalizers": after}}));
    }
}

#[tokio::test]
async fn what_is_not_sent() {
    let status = StatefulSetStatus { conditions: vec![Condition::default()], ..StatefulSetStatus::default() };
    let mut of_another_version = action("StatefulSet", UpdateStatus(v1::UpdateStatus { status: Some(status) }));
    of_another_version.precondition = Some(Precondition { uid: text("u"), resource_version: text("4"), ..Precondition::default() });
    let nothing = action("StatefulSet", UpdateStatus(v1::UpdateStatus { status: Some(StatefulSetStatus::default()) }));
    let without_uid = Action { precondition: None, ..action("Pod", delete_pod()) };
    let mut other_name = action("Pod", delete_pod());
    other_name.target.as_mut().expect("a target").name = text("web-0/eviction");
    let unknown = Action { operation: None, ..action("Pod", delete_pod()) };
    let cases = [
        (of_another_version, OutcomeResult::Conflict, "has changed since"),
        (nothing, OutcomeResult::Error, "with nothing"),
        (without_uid, OutcomeResult::Error, "names no uid"),
        (other_name, OutcomeResult::Error, "path segment"),
        (unknown, OutcomeResult::Error, "does not know"),
    ];
    for (action, outcome, message) in cases {
        let server = ApiServer::new(|_| says(200, thing("6", "web-0", "")));
        let (why, got) = apply(&server, &action).await.error.expect("a failure");
        assert!(got == outcome && why.contains(message), "{got:?} {why}");
        assert_eq!(server.asked(), []);
    }
}

#[tokio::test(start_paused = true)]
async fn nobody_knows_the_result_of_what_has_no_answer() {
    let server = ApiServer::new(|_| Answer::Hangs);
    let (why, outcome) = apply(&server, &action("Pod", delete_pod())).await.error.expect("a failure");
    assert!(outcome == OutcomeResult::Error && why.contains("no answer within 30s"), "{why}");
    assert_eq!(server.asked().len(), 1);
}

/// kube's client sends what is refused for overload again unless it is told not to, and its requests are writes, too.
#[tokio::test]
async fn a_write_is_sent_once() {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let file = env::temp_dir().join(format!("setplan-once-{}", process::id()));
    let server = format!("http://{}", listener.local_addr().expect("an address"));
    let named = |kind: &str, more: Value| json!([{"name": "one", kind: more}]);
    let config = json!({
        "clusters": named("cluster", json!({ "server": server })), "users": named("user", json!({})),
        "contexts": named("context", json!({"cluster": "one", "user": "one"})), "current-context": "one",
    });
    fs::write(&file, config.to_string()).expect("a kubeconfig");
    let requests = Arc::new(Mutex::new(0));
    let count = requests.clone();
    let serving = tokio::spawn(async move {
        while let Ok((mut connection, _)) = listener.accept().await {
            let mut request = Vec::new();
            while !request.ends_with(b"{}") {
                connection.read_buf(&mut request).await.expect("a request");
            }
            *count.lock().expect("a number") += 1;
            let answer = b"HTTP/1.1 503 Service Unavailable\r\nContent-Length: 0\r\nConnection: close\r\n\r\n";
            connection.write_all(answer).await.expect("an answer");
        }
    });
    let api = Api::connect(file.to_str()).await.expect("a connection");
    let error = api.send(Method::POST, "/api/v1/pods", "application/json", b"{}".to_vec()).await.expect_err("a refusal");
    serving.abort();
    fs::remove_file(&file).expect("the kubeconfig");
    assert_eq!((error.code(), *requests.lock().expect("a number")), (503, 1));
}
