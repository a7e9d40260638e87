use std::time::Duration;
use std::{error, fmt};

use futures_util::AsyncBufRead;
use http::{Method, Request, StatusCode};
use kube::client::Body;
use kube::config::{Config, KubeConfigOptions, Kubeconfig};
use kube::core::Status;
use kube::{Client, Error};

use super::term::Term;
use crate::snapshot::{Malformed, Object};

/// The field manager of all writes.
const MANAGER: &str = "setplan-adapter";

const TIMEOUT: Duration = Duration::from_secs(30);
const WATCH_SECONDS: u32 = 240; // then the API server ends a watch, and the next begins where it ended
const SILENCE: Duration = Duration::from_secs(300); // more than a watch lasts: the connection is dead

/// Why the API server has not done what it was asked for.
#[derive(Debug)]
#[non_exhaustive]
pub enum ApiError {
    /// It refused.
    Refused(Box<Status>),
    /// It gave no answer. Whether it has carried out a write is not known.
    Unavailable(String),
    /// The answer is not what an API server sends.
    Malformed(Malformed),
    /// It is a write, and the lease is not held (any more). Nothing was sent.
    NotHeld,
    /// A namespace or a name is not a single segment of a path (A20). Nothing was sent.
    Name(String),
}

impl fmt::Display for ApiError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Refused(status) => match self.budget() {
                "" => f.write_str(&status.message),
                budget => write!(f, "{} {budget}", status.message),
            },
            Self::Unavailable(why) => write!(f, "no answer from the API server: {why}"),
            Self::Malformed(error) => write!(f, "{error}"),
            Self::NotHeld => f.write_str("the lease is not held, so nothing is written"),
            Self::Name(name) => write!(f, "the name {name:?} is not a path segment"),
        }
    }
}

impl error::Error for ApiError {}

impl From<Malformed> for ApiError {
    fn from(error: Malformed) -> Self {
        Self::Malformed(error)
    }
}

impl From<Error> for ApiError {
    fn from(error: Error) -> Self {
        match error {
            Error::Api(status) => Self::Refused(status),
            error => Self::Unavailable(error.to_string()),
        }
    }
}

impl ApiError {
    /// The HTTP status of a refusal; 0 for other errors.
    #[must_use]
    pub fn code(&self) -> u16 {
        if let Self::Refused(status) = self { status.code } else { 0 }
    }

    /// What a disruption budget says that does not allow an eviction; empty if it is not that. An API server that has too much to do
    /// answers with the same status, and without the cause.
    pub(super) fn budget(&self) -> &str {
        let Self::Refused(status) = self else { return "" };
        let mut causes = status.details.iter().flat_map(|details| &details.causes);
        match causes.find(|cause| cause.reason == "DisruptionBudget") {
            Some(cause) if status.code == 429 && cause.message.is_empty() => "?",
            Some(cause) if status.code == 429 => &cause.message,
            _ => "",
        }
    }

    /// Reports whether several disruption budgets select a pod that was to be evicted. Only the text says so.
    pub(super) fn has_many_budgets(&self) -> bool {
        matches!(self, Self::Refused(status) if status.code == 500 && status.message.contains("more than one PodDisruptionBudget"))
    }

    pub(super) fn is_not_found(&self) -> bool {
        self.code() == 404
    }

    /// Reports whether the API server does not have the path, and not merely the object there.
    pub(super) fn has_no_such_path(&self) -> bool {
        matches!(self, Self::Refused(status) if status.code == 404 && status.reason != "NotFound")
    }
}

/// A collection of one kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Resource {
    /// The kind.
    pub kind: &'static str,
    base: &'static str,
    plural: &'static str,
}

/// Sets of `apps/v1`.
pub const SETS: Resource = Resource { kind: "StatefulSet", base: "/apis/apps/v1", plural: "statefulsets" };
/// Pods.
pub const PODS: Resource = Resource { kind: "Pod", base: "/api/v1", plural: "pods" };
/// Claims.
pub const CLAIMS: Resource = Resource { kind: "PersistentVolumeClaim", base: "/api/v1", plural: "persistentvolumeclaims" };
/// Controller revisions.
pub const REVISIONS: Resource = Resource { kind: "ControllerRevision", base: "/apis/apps/v1", plural: "controllerrevisions" };
/// Leases.
pub const LEASES: Resource = Resource { kind: "Lease", base: "/apis/coordination.k8s.io/v1", plural: "leases" };
/// Events.
pub const EVENTS: Resource = Resource { kind: "Event", base: "/api/v1", plural: "events" };

impl Resource {
    /// Returns the path of the collection of a namespace, or of all.
    ///
    /// # Errors
    /// [`ApiError::Name`].
    pub fn all(&self, namespace: Option<&str>) -> Result<String, ApiError> {
        Ok(match namespace {
            Some(namespace) => format!("{}/namespaces/{}/{}", self.base, segment(namespace)?, self.plural),
            None => format!("{}/{}", self.base, self.plural),
        })
    }

    /// Returns the path of an object.
    ///
    /// # Errors
    /// [`ApiError::Name`].
    pub fn one(&self, namespace: &str, name: &str) -> Result<String, ApiError> {
        Ok(format!("{}/{}", self.all(Some(namespace))?, segment(name)?))
    }
}

fn segment(name: &str) -> Result<&str, ApiError> {
    let is_name = name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-._~:".contains(&byte));
    if !is_name || ["", ".", ".."].contains(&name) {
        return Err(ApiError::Name(name.chars().take(80).collect()));
    }
    Ok(name)
}

/// One cluster: text in both directions. Nothing is parsed on the way to a snapshot or from a manifest.
#[derive(Clone)]
pub struct Api {
    client: Client,
    term: Option<Term>,
}

impl Api {
    /// Uses the connection of a client. It may send nothing again by itself, so `default_retry` of its configuration must be off (A9).
    #[must_use]
    pub fn new(client: Client) -> Self {
        Self { client, term: None }
    }

    /// Connects by the file of a kubeconfig; without it by `$KUBECONFIG` or `~/.kube/config`, or as a pod by its service account.
    ///
    /// # Errors
    /// There is no usable configuration.
    pub async fn connect(kubeconfig: Option<&str>) -> Result<Self, Box<dyn error::Error + Send + Sync>> {
        let mut config = match kubeconfig {
            Some(file) => Config::from_custom_kubeconfig(Kubeconfig::read_from(file)?, &KubeConfigOptions::default()).await?,
            None => Config::infer().await?,
        };
        config.default_retry = false;
        config.read_timeout = Some(SILENCE);
        config.reset_reader_on_write = true;
        Ok(Self::new(Client::try_from(config)?))
    }

    /// Writes only while a term lasts.
    pub(super) fn within(&self, term: Term) -> Self {
        Self { term: Some(term), ..self.clone() }
    }

    /// Reads.
    ///
    /// # Errors
    /// The API server refused, or gave no answer.
    pub async fn get(&self, path: &str) -> Result<Vec<u8>, ApiError> {
        self.whole(Request::get(path), Vec::new()).await
    }

    /// Writes once: the bytes are sent as they are, and nothing is sent again (A9, A12).
    ///
    /// # Errors
    /// The API server refused, or gave no answer, or the lease is not held that this is the API of.
    pub async fn send(&self, method: Method, path: &str, content_type: &str, body: Vec<u8>) -> Result<Vec<u8>, ApiError> {
        let manager = if method == Method::DELETE { String::new() } else { format!("?fieldManager={MANAGER}") };
        let request = Request::builder().method(method).uri(format!("{path}{manager}")).header("Content-Type", content_type);
        let Some(term) = &self.term else { return self.whole(request, body).await };
        let writing = term.write()?;
        let answer = writing.within(self.whole(request, body)).await;
        if is_final(&answer) {
            writing.answered();
        }
        answer
    }

    /// Streams events from a resource version on, one a line, until the API server ends that.
    pub(super) async fn watch(&self, path: &str, version: &str) -> Result<impl AsyncBufRead + use<>, ApiError> {
        let options = format!("watch=1&allowWatchBookmarks=true&timeoutSeconds={WATCH_SECONDS}&resourceVersion={version}");
        let request = Request::get(format!("{path}?{options}")).body(Vec::new()).map_err(Error::HttpError)?;
        let answer = tokio::time::timeout(TIMEOUT, self.client.request_stream(request)).await;
        answer.map_err(|_| late())?.map_err(ApiError::from)
    }

    async fn whole(&self, request: http::request::Builder, body: Vec<u8>) -> Result<Vec<u8>, ApiError> {
        let request = request.header("Accept", "application/json").body(Body::from(body)).map_err(Error::HttpError)?;
        let answer = async {
            let response = self.client.send(request).await?;
            let code = response.status();
            Ok::<_, Error>((code, response.into_body().collect_bytes().await?))
        };
        let (code, bytes) = tokio::time::timeout(TIMEOUT, answer).await.map_err(|_| late())??;
        if code.is_client_error() || code.is_server_error() { Err(refused(code, &bytes)) } else { Ok(bytes.into()) }
    }
}

/// Reports whether an API server goes on with nothing after an answer to a write. It may where it, or a proxy before it, has failed.
fn is_final<T>(answer: &Result<T, ApiError>) -> bool {
    match answer {
        Ok(_) => true,
        Err(ApiError::Unavailable(_)) => false,
        Err(error) => error.code() < 500,
    }
}

fn refused(code: StatusCode, body: &[u8]) -> ApiError {
    let told = serde_json::from_slice(body).unwrap_or_else(|_| Status::failure(&format!("HTTP {code}"), ""));
    ApiError::Refused(Status { code: code.as_u16(), ..told }.boxed())
}

fn late() -> ApiError {
    ApiError::Unavailable(format!("no answer within {TIMEOUT:?}"))
}

/// Reads an answer as an object.
pub(super) fn object(answer: Result<Vec<u8>, ApiError>) -> Result<Object, ApiError> {
    Ok(Object::parse(answer?)?)
}

#[cfg(test)]
mod tests {
    use super::segment;

    #[test]
    fn a_name_is_one_segment() {
        for name in ["web", "web-0", "a.b", "system:node"] {
            assert_eq!(segment(name).unwrap(), name);
        }
        for name in ["", ".", "..", "a/b", "a%2fb", "a?b", "a#b", "a b", "a\\b", "é"] {
            assert!(segment(name).is_err(), "{name}");
        }
    }
}
