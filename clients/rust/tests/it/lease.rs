//! Who may write.

use std::future::pending;
use std::pin::{Pin, pin};
use std::sync::{Arc, Mutex};
use std::task::{Context, Waker};
use std::thread;
use std::time::Duration;

use http::Method;
use serde_json::{Value, json};
use setplan::kube::{Api, ApiError, Lease};
use tokio::sync::oneshot;
use tokio::time::{Instant, advance, sleep, timeout};

use crate::apis::{Answer, ApiServer, Asked, says};

/// A lease in an API server, which checks resource versions as a real one does.
#[derive(Clone, Default)]
struct Stored(Arc<Mutex<State>>);

#[derive(Default)]
struct State {
    spec: Option<Value>,
    version: u32,
    fails: bool,
    /// What it answers to writes of other objects; without it, that they are done.
    others: Option<Answer>,
}

impl Stored {
    fn server(&self) -> ApiServer {
        let stored = self.clone();
        ApiServer::new(move |asked| stored.answer(asked))
    }

    fn answer(&self, asked: &Asked) -> Answer {
        let mut state = self.0.lock().expect("the lease");
        if state.fails {
            return says(500, "");
        }
        if !asked.url.contains("leases") {
            return state.others.clone().unwrap_or_else(|| says(200, "{}"));
        }
        let sent: Value = serde_json::from_str(&asked.body).unwrap_or_default();
        let version = json!(state.version.to_string());
        match (asked.method.as_str(), &mut state.spec) {
            ("GET", None) => return says(404, r#"{"kind":"Status"}"#),
            ("POST", spec @ None) => *spec = Some(sent["spec"].clone()),
            ("POST", Some(_)) => return says(409, r#"{"kind":"Status"}"#),
            ("PATCH", Some(spec)) => {
                if sent["metadata"]["resourceVersion"] != version {
                    return says(409, r#"{"kind":"Status"}"#);
                }
                let fields = sent["spec"].as_object().expect("a patch").clone();
                spec.as_object_mut().expect("a lease").extend(fields);
            }
            _ => {}
        }
        if asked.method != "GET" {
            state.version += 1;
        }
        says(200, json!({"metadata": {"name": "l", "resourceVersion": state.version.to_string()}, "spec": state.spec}).to_string())
    }

    /// Somebody else takes the lease, for a minute.
    fn becomes(&self, holder: &str) {
        let mut state = self.0.lock().expect("the lease");
        state.version += 1;
        state.spec = Some(json!({"holderIdentity": holder, "leaseDurationSeconds": 60}));
    }

    fn fail(&self) {
        self.0.lock().expect("the lease").fails = true;
    }

    fn answers_others(&self, answer: Answer) {
        self.0.lock().expect("the lease").others = Some(answer);
    }

    fn field(&self, name: &str) -> Value {
        self.0.lock().expect("the lease").spec.as_ref().map_or(Value::Null, |spec| spec[name].clone())
    }

    fn lease(&self, identity: &str) -> Lease {
        Lease::new(self.server().api(), "default", "l", identity, |_| ())
    }
}

/// Deletes a pod.
async fn delete(api: &Api) -> Result<Vec<u8>, ApiError> {
    api.send(Method::DELETE, "/api/v1/namespaces/default/pods/web-0", "application/json", "{}".into()).await
}

#[tokio::test(start_paused = true)]
async fn it_is_taken_and_given_back() {
    let stored = Stored::default();
    let work = async { stored.field("holderIdentity") };
    assert_eq!(stored.lease("me").hold(work, pending::<()>()).await, Ok(Some(json!("me"))));
    assert_eq!(stored.field("holderIdentity"), "");
    assert_eq!(stored.field("leaseDurationSeconds"), 15);
    let renewed = stored.field("renewTime").as_str().expect("a time").to_owned();
    assert_eq!(renewed.len(), "2026-01-01T00:00:00.000000Z".len(), "{renewed}");
    assert_eq!(stored.field("acquireTime"), renewed.as_str());
}

#[tokio::test(start_paused = true)]
async fn somebody_else_s_is_waited_for_until_it_expires() {
    let stored = Stored::default();
    stored.becomes("other");
    let begun = Instant::now();
    let work = async { (begun.elapsed(), stored.field("holderIdentity"), stored.field("leaseTransitions")) };
    let lease = stored.lease("me");
    let (waited, holder, transitions) = lease.hold(work, pending::<()>()).await.expect("the lease").expect("an end");
    assert!((60..=62).contains(&waited.as_secs()), "a minute after it was seen first: {waited:?}");
    assert_eq!((holder, transitions), (json!("me"), json!(1)));
}

#[tokio::test(start_paused = true)]
async fn one_that_is_renewed_is_not_taken() {
    let stored = Stored::default();
    stored.becomes("other");
    let renewals = async {
        loop {
            sleep(Duration::from_secs(50)).await;
            stored.becomes("other");
        }
    };
    let lease = stored.lease("me");
    let ours = timeout(Duration::from_secs(3_600), lease.hold(async { panic!("not ours") }, pending::<()>()));
    tokio::select! {
        result = ours => assert!(result.is_err()),
        () = renewals => {}
    }
}

#[tokio::test(start_paused = true)]
async fn it_is_renewed_while_the_work_lasts() {
    let stored = Stored::default();
    let other = stored.lease("other");
    let (ready, is_ready) = oneshot::channel();
    let hour = Duration::from_secs(3_600);
    let work = async {
        ready.send(()).expect("the other");
        sleep(hour).await;
        stored.field("holderIdentity")
    };
    let rival = async {
        is_ready.await.expect("the work");
        other.hold(async { Instant::now() }, pending::<()>()).await
    };
    let (begun_at, lease) = (Instant::now(), stored.lease("me"));
    let (ours, theirs) = tokio::join!(lease.hold(work, pending::<()>()), rival);
    assert_eq!(ours, Ok(Some(json!("me"))));
    let waited = theirs.expect("the lease").expect("an end") - begun_at;
    assert!(waited >= hour && waited < hour + Duration::from_secs(3), "it was given back: {waited:?}");
}

#[tokio::test(start_paused = true)]
async fn one_that_was_given_away_ends_the_work() {
    let stored = Stored::default();
    let work = async {
        stored.becomes("other");
        pending::<()>().await;
    };
    let lost = stored.lease("me").hold(work, pending::<()>()).await.expect_err("lost");
    assert_eq!(lost.to_string(), "the lease l is not held any more");
    assert_eq!(stored.field("holderIdentity"), "other", "it is not ours to give back");
}

#[tokio::test(start_paused = true)]
async fn one_that_cannot_be_renewed_ends_the_work_before_anybody_else_may_begin() {
    let stored = Stored::default();
    let begun = Instant::now();
    let work = async {
        stored.fail();
        pending::<()>().await;
    };
    stored.lease("me").hold(work, pending::<()>()).await.expect_err("lost");
    assert_eq!(begun.elapsed(), Duration::from_millis(13_500));
}

#[tokio::test(start_paused = true)]
async fn why_it_is_not_taken_or_renewed_is_told() {
    let told: Arc<Mutex<Vec<String>>> = Arc::default();
    let tell = |told: &Arc<Mutex<Vec<String>>>| {
        let told = told.clone();
        move |why: &str| told.lock().expect("the reasons").push(why.to_owned())
    };
    let forbidden = ApiServer::new(|_| says(403, r#"{"kind":"Status","message":"it is forbidden"}"#));
    let lease = Lease::new(forbidden.api(), "default", "l", "me", tell(&told));
    assert_eq!(lease.hold(pending::<()>(), sleep(Duration::from_secs(3))).await, Ok(None));
    assert_eq!(told.lock().expect("the reasons").split_off(0), ["the lease l: it is forbidden"; 2]);

    let stored = Stored::default();
    let lease = Lease::new(stored.server().api(), "default", "l", "me", tell(&told));
    let work = async {
        stored.fail();
        pending::<()>().await;
    };
    lease.hold(work, pending::<()>()).await.expect_err("lost");
    assert_eq!(told.lock().expect("the reasons")[0], "the lease l: HTTP 500 Internal Server Error");
}

#[tokio::test(start_paused = true)]
async fn who_stops_waiting_does_no_work() {
    let stored = Stored::default();
    stored.becomes("other");
    let held = stored.lease("me").hold(async { panic!("not ours") }, sleep(Duration::from_secs(5))).await;
    assert_eq!(held, Ok(None::<()>));
}

#[tokio::test(start_paused = true)]
async fn of_two_that_begin_at_once_one_works() {
    let stored = Stored::default();
    let working = Mutex::new(0);
    let work = || async {
        *working.lock().expect("a number") += 1;
        sleep(Duration::from_secs(5)).await;
        let mut working = working.lock().expect("a number");
        assert_eq!(*working, 1);
        *working -= 1;
    };
    let (one, two) = (stored.lease("one"), stored.lease("two"));
    let (first, second) = tokio::join!(one.hold(work(), pending::<()>()), two.hold(work(), pending::<()>()));
    assert_eq!((first, second), (Ok(Some(())), Ok(Some(()))));
}

#[tokio::test(start_paused = true)]
async fn nothing_is_written_while_it_is_not_held() {
    let stored = Stored::default();
    let lease = stored.lease("me");
    let api = lease.api();
    let is_refused = async || matches!(delete(&api).await, Err(ApiError::NotHeld));
    assert!(is_refused().await, "it was not taken yet");
    let work = async {
        sleep(Duration::from_secs(60)).await;
        is_refused().await
    };
    assert_eq!(lease.hold(work, pending::<()>()).await, Ok(Some(false)));
    assert!(is_refused().await, "it is given back");
    let work = async {
        assert!(!is_refused().await);
        stored.becomes("other");
        pending::<()>().await;
    };
    lease.hold(work, pending::<()>()).await.expect_err("lost");
    assert!(is_refused().await, "it is lost");
}

/// Goes on with something once, while nothing else runs.
fn has_only_begun(what: Pin<&mut impl Future>) -> bool {
    what.poll(&mut Context::from_waker(Waker::noop())).is_pending()
}

#[tokio::test(start_paused = true)]
async fn who_was_stopped_writes_nothing_when_it_continues() {
    let stored = Stored::default();
    let lease = stored.lease("me");
    let api = lease.api();
    let work = async {
        delete(&api).await.expect("an answer");
        assert!(has_only_begun(pin!(advance(Duration::from_millis(13_500)))), "time has passed, and nothing else has run");
        delete(&api).await
    };
    let refused = lease.hold(work, pending::<()>()).await;
    assert!(matches!(refused, Ok(Some(Err(ApiError::NotHeld)))), "{refused:?}");
}

#[tokio::test(start_paused = true)]
async fn what_has_waited_for_a_connection_is_not_sent_after_the_end() {
    let stored = Stored::default();
    let server = stored.server();
    let lease = Lease::new(server.api(), "default", "l", "me", |_| ());
    let api = lease.api();
    let work = async {
        let mut write = pin!(delete(&api));
        assert!(has_only_begun(write.as_mut()));
        assert!(has_only_begun(pin!(advance(Duration::from_millis(13_500)))), "time has passed, and nothing else has run");
        write.await
    };
    let cut_off = lease.hold(work, pending::<()>()).await;
    assert!(matches!(cut_off, Ok(Some(Err(ApiError::Unavailable(_))))), "{cut_off:?}");
    assert!(server.asked().iter().all(|asked| asked.method != "DELETE"), "{:?}", server.asked());
    assert_eq!(stored.field("holderIdentity"), "me", "nobody knows that");
}

#[tokio::test(start_paused = true)]
async fn it_is_not_given_back_while_a_write_may_be_carried_out() {
    for (rests, holder) in [(0, "me"), (60, "")] {
        let stored = Stored::default();
        let lease = stored.lease("me");
        let api = lease.api();
        let work = async {
            stored.answers_others(Answer::Hangs);
            assert!(timeout(Duration::from_millis(1), delete(&api)).await.is_err(), "it is given up");
            sleep(Duration::from_secs(rests)).await;
        };
        lease.hold(work, pending::<()>()).await.expect("the lease");
        assert_eq!(stored.field("holderIdentity"), holder, "after {rests} seconds");
    }
    let stored = Stored::default();
    let lease = stored.lease("me");
    let api = lease.api();
    let work = async {
        stored.answers_others(Answer::Hangs);
        tokio::spawn(async move { delete(&api).await });
        tokio::task::yield_now().await;
    };
    lease.hold(work, pending::<()>()).await.expect("the lease");
    assert_eq!(stored.field("holderIdentity"), "me", "a task of the work writes");
}

#[tokio::test(start_paused = true)]
async fn it_is_not_given_back_where_the_api_server_may_go_on_with_a_write_that_it_has_answered() {
    for (status, holder) in [(429, ""), (500, "me"), (504, "me")] {
        let stored = Stored::default();
        let lease = stored.lease("me");
        let api = lease.api();
        stored.answers_others(says(status, ""));
        lease.hold(async { delete(&api).await.expect_err("no answer") }, pending::<()>()).await.expect("the lease");
        assert_eq!(stored.field("holderIdentity"), holder, "{status}");
    }
}

#[tokio::test(start_paused = true)]
async fn it_is_given_back_when_what_is_under_way_is_done() {
    let stored = Stored::default();
    let lease = stored.lease("me");
    let api = lease.api();
    let (done, is_done) = oneshot::channel();
    let work = async {
        stored.answers_others(Answer::Takes(Duration::from_secs(5)));
        tokio::spawn(async move { done.send(delete(&api).await.is_ok()) });
        tokio::task::yield_now().await;
    };
    lease.hold(work, pending::<()>()).await.expect("the lease");
    assert_eq!(stored.field("holderIdentity"), "");
    assert_eq!(is_done.await, Ok(true));
}

#[tokio::test(flavor = "multi_thread")]
async fn it_is_renewed_while_the_work_computes() {
    let stored = Stored::default();
    let work = async {
        let before = stored.field("renewTime");
        (0..100).any(|_| {
            thread::sleep(Duration::from_millis(100));
            stored.field("renewTime") != before
        })
    };
    assert_eq!(stored.lease("me").hold(work, pending::<()>()).await, Ok(Some(true)));
}
