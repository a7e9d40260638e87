use std::collections::BTreeMap;
use std::time::Duration;
use std::{error, fmt};

use prost::Message;
use tonic::{Code, Status};
use tonic_types::{RetryInfo, StatusExt, pb};

use crate::v1::ErrorReason;

const DOMAIN: &str = "setplan.io";

/// What went wrong. Every kind means that no plan was made (SPEC.md, P3).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Kind {
    /// The request is malformed; `violations` names each field.
    InvalidSnapshot,
    /// The server does not know a behavior or policy of the request. Without it, more could be deleted (C2).
    UnsupportedPolicy,
    /// The snapshot has more pods than the limit; `metadata` has `pods` and `limit`.
    TooManyPods,
    /// The request or an answer has more bytes than a limit of the server or of this client. The message has both numbers.
    MessageTooLarge,
    /// The server is shutting down, and so was every other that the retries reached.
    Draining,
    /// A bug in the planner, logged under `request_id` of `metadata`.
    Internal,
    /// The planner is busy. Nothing is wrong with the request: ask again after `retry_after` (C4).
    Overloaded,
    /// The planner serves the clusters of a policy, and the caller's certificate names none of them (C6).
    UnknownCaller,
    /// No answer came: no connection, or the deadline passed.
    Unreachable,
    /// An option of the client is wrong, or a file of its certificates cannot be used. Nothing was sent.
    Options,
    /// Anything else, a reason of a newer planner included.
    Other,
}

/// One mistake in a request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Violation {
    /// The path of the field, such as `snapshot.pods[3].uid`.
    pub field: String,
    /// What is wrong with it.
    pub description: String,
}

/// A call without an answer.
#[derive(Clone, Debug)]
pub struct Error {
    /// What went wrong.
    pub kind: Kind,
    /// gRPC's code.
    pub code: Code,
    /// What happened, for people. It holds no template data.
    pub message: String,
    /// Why the planner made no plan; unspecified if the error is not the planner's, or the reason is a newer one.
    pub reason: ErrorReason,
    /// The mistakes in the request, for [`Kind::InvalidSnapshot`].
    pub violations: Vec<Violation>,
    /// Numbers and names of the reason, such as `limit`; error.proto says which.
    pub metadata: BTreeMap<String, String>,
    /// How long to wait before asking again, if the planner says so.
    pub retry_after: Option<Duration>,
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}: {}", self.code, self.message)
    }
}

impl error::Error for Error {}

impl Error {
    pub(crate) fn new(kind: Kind, code: Code, message: impl Into<String>) -> Self {
        Self {
            kind,
            code,
            message: message.into(),
            reason: ErrorReason::Unspecified,
            violations: Vec::new(),
            metadata: BTreeMap::new(),
            retry_after: None,
        }
    }

    pub(crate) fn option(message: &str) -> Self {
        Self::new(Kind::Options, Code::InvalidArgument, message)
    }

    /// Makes the error of a status, with the details of its trailer. What is unreadable there is left out.
    #[must_use]
    pub fn of_status(status: &Status) -> Self {
        let info = status.get_details_error_info();
        let name = info.as_ref().filter(|info| info.domain == DOMAIN).map_or("", |info| &info.reason);
        let reason = ErrorReason::from_str_name(&format!("ERROR_REASON_{name}")).unwrap_or(ErrorReason::Unspecified);
        let violations = status.get_details_bad_request().map_or_else(Vec::new, |bad| bad.field_violations);
        Self {
            reason,
            violations: violations.into_iter().map(|v| Violation { field: v.field, description: v.description }).collect(),
            retry_after: retry_after(status),
            metadata: info.as_ref().map(|info| info.metadata.clone().into_iter().collect()).unwrap_or_default(),
            ..Self::new(kind(reason, name, status), status.code(), status.message())
        }
    }
}

/// Reads the `RetryInfo` by hand. Prost's own conversion negates what is negative, and the least number has no opposite.
fn retry_after(status: &Status) -> Option<Duration> {
    let details = tonic_types::Status::decode(status.details()).ok()?.details;
    let info = details.iter().find(|detail| detail.type_url == RetryInfo::TYPE_URL)?;
    let delay = pb::RetryInfo::decode(info.value.as_slice()).ok()?.retry_delay?.normalized();
    if delay.seconds < 0 || delay.nanos < 0 { None } else { Duration::try_from(delay).ok() }
}

fn kind(reason: ErrorReason, name: &str, status: &Status) -> Kind {
    match reason {
        ErrorReason::InvalidSnapshot => Kind::InvalidSnapshot,
        ErrorReason::UnsupportedPolicy => Kind::UnsupportedPolicy,
        ErrorReason::TooManyPods => Kind::TooManyPods,
        ErrorReason::MessageTooLarge => Kind::MessageTooLarge,
        ErrorReason::Draining => Kind::Draining,
        ErrorReason::Internal => Kind::Internal,
        ErrorReason::Overloaded => Kind::Overloaded,
        ErrorReason::UnknownCaller => Kind::UnknownCaller,
        ErrorReason::Unspecified if !name.is_empty() => Kind::Other,
        ErrorReason::Unspecified => match status.code() {
            Code::Unavailable | Code::DeadlineExceeded | Code::Cancelled => Kind::Unreachable,
            // What the libraries of gRPC say of a request over the server's limit, and of an answer over this client's.
            Code::ResourceExhausted if status.message().contains("larger than max") => Kind::MessageTooLarge,
            Code::OutOfRange if status.message().contains("length too large") => Kind::MessageTooLarge,
            _ => Kind::Other,
        },
    }
}
