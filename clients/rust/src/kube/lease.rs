use std::fmt;
use std::future::Future;
use std::pin::pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, SystemTime};

use http::Method;
use prost_types::Timestamp;
use serde::Deserialize;
use serde_json::{Value, json};
use tokio::task::JoinSet;
use tokio::time::{Instant, sleep, timeout, timeout_at};

use super::api::{Api, ApiError, LEASES, object};
use super::term::Term;
use crate::rawjson::nullable;
use crate::snapshot::Object;

const CONFLICT: u16 = 409;
const RETRY: Duration = Duration::from_secs(2);
const DURATION: Duration = Duration::from_secs(15);

/// The lease was not renewed in time, or somebody has taken it: another process may write now.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LeaseLost(String);

impl fmt::Display for LeaseLost {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the lease {} is not held any more", self.0)
    }
}

impl std::error::Error for LeaseLost {}

#[derive(Deserialize)]
struct Fields {
    #[serde(default, deserialize_with = "nullable")]
    spec: Held,
}

#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct Held {
    #[serde(deserialize_with = "nullable")]
    holder_identity: String,
    lease_duration_seconds: Option<u32>,
    #[serde(deserialize_with = "nullable")]
    lease_transitions: i64,
}

/// The right to write: adapters of one cluster take turns, by a Lease as client-go's elector uses it. Times are on a clock that does not
/// jump.
///
/// A holder stops a tenth before anybody else can have seen the lease expire: its term counts from when the last renewal was sent, and
/// the next holder counts from when it saw that renewal.
pub struct Lease(Arc<Record>);

/// The object, and what is known about it.
struct Record {
    api: Api,
    namespace: String,
    name: String,
    identity: String,
    failed: Box<dyn Fn(&str) + Send + Sync>,
    term: Term,
    /// The version of somebody else's lease, and since when.
    seen: Mutex<(String, Instant)>,
}

impl Lease {
    /// Names a lease of 15 seconds. `identity` names this process; it must be unique among those that take part. `failed` is told why the
    /// lease could be neither taken nor renewed, which then is tried again.
    #[must_use]
    pub fn new(api: Api, namespace: &str, name: &str, identity: &str, failed: impl Fn(&str) + Send + Sync + 'static) -> Self {
        let [namespace, name, identity] = [namespace, name, identity].map(str::to_owned);
        let seen = Mutex::new((String::new(), Instant::now()));
        Self(Arc::new(Record { api, namespace, name, identity, failed: Box::new(failed), term: Term::default(), seen }))
    }

    /// The API server for the work: what it is to write is sent only while the lease is held.
    #[must_use]
    pub fn api(&self) -> Api {
        self.0.api.within(self.0.term.clone())
    }

    /// Waits for the lease, and works while it is held. `None`: `stop` was ready before. Work that has begun ends by itself.
    ///
    /// A task of its own renews the lease, so that work that computes for long does not lose it. When the work has ended, the lease is given
    /// back, unless a write by [`Lease::api`] was given up in the last minute: the API server may still carry it out, so the next holder
    /// waits until the lease expires.
    ///
    /// # Errors
    /// The lease was lost, and the work was cut off.
    pub async fn hold<T>(&self, work: impl Future<Output = T>, stop: impl Future) -> Result<Option<T>, LeaseLost> {
        let mut stop = pin!(stop);
        let record = &self.0;
        let until = loop {
            if let Some(until) = record.taken(None).await? {
                break until;
            }
            tokio::select! {
                () = sleep(RETRY) => {}
                _ = &mut stop => return Ok(None),
            }
        };
        record.term.lasts(until);
        let mut renewals = JoinSet::new(); // it ends its task when it is dropped
        renewals.spawn(record.clone().renew(until));
        let done = tokio::select! {
            biased;
            _ = renewals.join_next() => None,
            done = work => Some(done),
        };
        renewals.shutdown().await;
        let Some(done) = done else {
            record.term.end();
            return Err(record.lost());
        };
        record.term.close();
        record.release().await;
        Ok(Some(done))
    }
}

impl Record {
    /// Renews the lease until it is lost.
    async fn renew(self: Arc<Self>, mut until: Instant) {
        while Instant::now() < until {
            sleep(RETRY.min(until.saturating_duration_since(Instant::now()))).await;
            match self.taken(Some(until)).await {
                Ok(Some(renewed)) => until = renewed,
                Ok(None) => continue,
                Err(_) => break,
            }
            self.term.lasts(until);
        }
        self.term.end();
    }

    fn lost(&self) -> LeaseLost {
        LeaseLost(self.name.clone())
    }

    /// Takes or renews the lease, and returns when the term ends; `None` if it was not possible.
    ///
    /// An error: while it was ours, somebody gave it away without asking us.
    async fn taken(&self, until: Option<Instant>) -> Result<Option<Instant>, LeaseLost> {
        let sent = Instant::now();
        let end = until.unwrap_or(sent + DURATION);
        let late = |_| Err(ApiError::Unavailable("it takes longer than the lease lasts".to_owned()));
        match timeout_at(end, self.write(until.is_some())).await.unwrap_or_else(late) {
            Ok(Turn::Ours) => Ok(Some(sent + DURATION * 9 / 10)),
            Ok(Turn::Lost) => Err(self.lost()),
            Ok(Turn::Theirs) => Ok(None),
            Err(error) => {
                (self.failed)(&format!("the lease {}: {error}", self.name));
                Ok(None)
            }
        }
    }

    async fn write(&self, renews: bool) -> Result<Turn, ApiError> {
        let now = micros(SystemTime::now());
        let mut spec = json!({
            "holderIdentity": self.identity, "leaseDurationSeconds": DURATION.as_secs(), "renewTime": now,
        });
        let live = match self.get().await {
            Ok(live) => live,
            Err(error) if error.is_not_found() => {
                spec["acquireTime"] = json!(now);
                let lease = json!({
                    "apiVersion": "coordination.k8s.io/v1", "kind": "Lease", "metadata": {"name": self.name}, "spec": spec,
                });
                return self.sent(Method::POST, &LEASES.all(Some(&self.namespace))?, "application/json", &lease).await;
            }
            Err(error) => return Err(error),
        };
        let version = &live.metadata().resource_version;
        let held = live.read::<Fields>()?.spec;
        let ours = held.holder_identity == self.identity;
        if renews && !ours {
            return Ok(Turn::Lost);
        }
        if !ours && !held.holder_identity.is_empty() && !self.has_expired(version, &held) {
            return Ok(Turn::Theirs);
        }
        if !ours {
            spec["acquireTime"] = json!(now);
            spec["leaseTransitions"] = json!(held.lease_transitions + 1);
        }
        self.patch(version, &spec).await
    }

    /// Reports whether somebody else's lease has not been renewed for as long as it holds.
    fn has_expired(&self, version: &str, held: &Held) -> bool {
        let mut seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        if seen.0 != version {
            *seen = (version.to_owned(), Instant::now());
        }
        let duration = held.lease_duration_seconds.map_or(DURATION, |seconds| Duration::from_secs(seconds.into()));
        seen.1.elapsed() >= duration
    }

    /// Lets the next one begin at once; it waits for the end of the lease if this fails, or if a write may still be carried out.
    async fn release(&self) {
        let released = async {
            if !self.term.is_settled().await {
                return Ok(());
            }
            let live = self.get().await?;
            if live.read::<Fields>()?.spec.holder_identity == self.identity {
                self.patch(&live.metadata().resource_version, &json!({"holderIdentity": ""})).await?;
            }
            Ok::<(), ApiError>(())
        };
        let _ = timeout(DURATION, released).await; // see above
    }

    async fn get(&self) -> Result<Object, ApiError> {
        object(self.api.get(&LEASES.one(&self.namespace, &self.name)?).await)
    }

    async fn patch(&self, version: &str, spec: &Value) -> Result<Turn, ApiError> {
        let patch = json!({"metadata": {"resourceVersion": version}, "spec": spec});
        let at = LEASES.one(&self.namespace, &self.name)?;
        self.sent(Method::PATCH, &at, "application/merge-patch+json", &patch).await
    }

    async fn sent(&self, method: Method, path: &str, content_type: &str, body: &Value) -> Result<Turn, ApiError> {
        match self.api.send(method, path, content_type, body.to_string().into()).await {
            Ok(_) => Ok(Turn::Ours),
            Err(error) if error.code() == CONFLICT => Ok(Turn::Theirs),
            Err(error) => Err(error),
        }
    }
}

enum Turn {
    Ours,
    Theirs,
    Lost,
}

/// Writes a time as a Lease has it, with six digits of a second.
fn micros(at: SystemTime) -> String {
    let at = Timestamp::from(at);
    let seconds = Timestamp { nanos: 0, ..at }.to_string();
    format!("{}.{:06}Z", seconds.trim_end_matches('Z'), at.nanos / 1_000)
}
