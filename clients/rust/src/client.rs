use std::hash::{BuildHasher, RandomState};
use std::time::Duration;

use prost::Message;
use prost::bytes::Bytes;
use tokio::time::{Instant, sleep, timeout_at};
use tonic::{Code, Status};

use crate::channels::Channels;
use crate::errors::{Error, Kind};
use crate::settings::{Options, Target, with_capabilities};
use crate::v1::{GetServerInfoRequest, GetServerInfoResponse, Plan, PlanRequest, PlanResponse, Unknown};

const PLAN: &str = "/setplan.v1.PlannerService/Plan";
const SERVER_INFO: &str = "/setplan.v1.PlannerService/GetServerInfo";

// These waits, each up to a fifth shorter or longer, bridge the restart of a server. A planner changes nothing, so a retry is always safe.
const WAITS: [Duration; 3] = [Duration::from_millis(200), Duration::from_millis(600), Duration::from_millis(1_800)];

/// A plan, and what of it this build does not know.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Answer {
    /// The plan.
    pub plan: Plan,
    /// Where it has fields that restrict when to write, and that this build's contract lacks.
    pub unknown: Unknown,
}

/// Asks a planner. One per process is enough, and it may have many calls under way.
///
/// Only UNAVAILABLE is retried: that means that a server has not looked at the request or is shutting down. An overloaded planner is
/// the error [`Kind::Overloaded`](crate::Kind::Overloaded): the caller's queue knows better than a waiting call. Who drops the future of
/// a call ends the call.
pub struct Client {
    channels: Channels,
    options: Options,
}

impl Client {
    /// Makes a client for an address such as `planner.example.com:7450` or `dns:///planner:7450`; all addresses of a DNS name are used.
    /// The first call connects.
    ///
    /// # Errors
    /// [`Kind::Options`](crate::Kind::Options): the target or an option is wrong, or a file cannot be used.
    pub fn new(target: &str, options: Options) -> Result<Self, Error> {
        options.check()?;
        Ok(Self { channels: Channels::new(Target::parse(target)?, options.clone())?, options })
    }

    /// Asks for the plan of one set.
    ///
    /// A request without capabilities is sent with all of this build, which is right for a caller that only looks. A caller that carries
    /// out plans must list its own, and needs [`Client::answer`].
    ///
    /// # Errors
    /// No plan was made.
    pub async fn plan(&self, request: PlanRequest) -> Result<Plan, Error> {
        Ok(self.answer(request).await?.plan)
    }

    /// Asks for the plan of one set, as [`Client::plan`] does, and says where the plan has fields that this build does not know.
    ///
    /// # Errors
    /// No plan was made.
    pub async fn answer(&self, request: PlanRequest) -> Result<Answer, Error> {
        let bytes = self.call(PLAN, with_capabilities(request).encode_to_vec().into()).await?;
        let response = PlanResponse::decode(bytes.clone()).map_err(|error| Error::answer(&error))?;
        let none = || Error::new(Kind::Internal, Code::Internal, "the planner answered without a plan");
        Ok(Answer { plan: response.plan.ok_or_else(none)?, unknown: Unknown::of(&bytes) })
    }

    /// Asks what the server can plan, and within which limits.
    ///
    /// # Errors
    /// The server did not say.
    pub async fn server_info(&self) -> Result<GetServerInfoResponse, Error> {
        let bytes = self.call(SERVER_INFO, GetServerInfoRequest {}.encode_to_vec().into()).await?;
        GetServerInfoResponse::decode(bytes).map_err(|error| Error::answer(&error))
    }

    /// Sends bytes as they are, as the request of a plan. It is for tests of the contract, whose requests no library would make.
    #[doc(hidden)]
    pub async fn plan_bytes(&self, request: Vec<u8>) -> Result<Vec<u8>, Error> {
        self.call(PLAN, request.into()).await.map(Into::into)
    }

    async fn call(&self, path: &'static str, request: Bytes) -> Result<Bytes, Error> {
        let limit = self.options.max_message_bytes;
        if request.len() > limit {
            return Err(Error::too_large("request", request.len(), "this client's", limit));
        }
        let end = Instant::now() + self.options.timeout;
        let answer = timeout_at(end, self.attempts(path, &request, end)).await;
        let late = || Status::deadline_exceeded(format!("no answer within {:?}", self.options.timeout));
        answer.unwrap_or_else(|_| Err(late())).map_err(|status| Error::of_status(&status))
    }

    async fn attempts(&self, path: &'static str, request: &Bytes, end: Instant) -> Result<Bytes, Status> {
        for wait in WAITS {
            match self.channels.send(path, request, end.saturating_duration_since(Instant::now())).await {
                Err(status) if status.code() == Code::Unavailable => sleep(varied(wait)).await,
                done => return done,
            }
        }
        self.channels.send(path, request, end.saturating_duration_since(Instant::now())).await
    }
}

/// Makes a wait up to a fifth shorter or longer, so that many clients do not come back at once.
fn varied(wait: Duration) -> Duration {
    let chance = u32::try_from(RandomState::new().hash_one(()) % 401).unwrap_or_default();
    wait * (800 + chance) / 1_000
}
