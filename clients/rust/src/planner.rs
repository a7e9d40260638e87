use std::hash::{BuildHasher, RandomState};
use std::time::Duration;

use prost::Message;
use prost::bytes::Bytes;
use tokio::time::{Instant, sleep, timeout_at};
use tonic::{Code, Status};

use crate::connection::{Connection, Incoming};
use crate::errors::{Error, Kind};
use crate::options::Options;
use crate::v1::forecast_response::Part;
use crate::v1::{Capability, ForecastRequest, ForecastResponse, ForecastResult, ForecastStep};
use crate::v1::{GetServerInfoRequest, GetServerInfoResponse, Plan, PlanRequest, PlanResponse};

const PLAN: &str = "/setplan.v1.PlannerService/Plan";
const FORECAST: &str = "/setplan.v1.PlannerService/Forecast";
const SERVER_INFO: &str = "/setplan.v1.PlannerService/GetServerInfo";

// These waits, each up to a fifth shorter or longer, bridge the restart of a server. A planner changes nothing, so a retry is always safe.
const WAITS: [Duration; 3] = [Duration::from_millis(200), Duration::from_millis(600), Duration::from_millis(1_800)];

/// Asks a planner. One per process is enough, and it may have many calls under way.
///
/// Only UNAVAILABLE is retried: that means that a server has not looked at the request or is shutting down. An overloaded planner is
/// the error [`Kind::Overloaded`]: the caller decides when to ask again. Dropping the future of a call ends the call.
pub struct Planner {
    connection: Connection,
    options: Options,
}

impl Planner {
    /// Makes a client for an address such as `planner.example.com:7450` or `dns:///planner:7450`. The first call connects.
    ///
    /// # Errors
    /// [`Kind::Options`]: the address or an option is wrong, or a file cannot be used.
    pub fn connect(address: &str, options: Options) -> Result<Self, Error> {
        Ok(Self { connection: Connection::new(address, options.clone())?, options })
    }

    /// Asks for the plan of one set, by [`Objects`](crate::v1::Objects), a [`Snapshot`](crate::v1::Snapshot) or a whole request.
    ///
    /// A snapshot without capabilities is sent with all of this build, which is right for a caller that does not act.
    ///
    /// # Errors
    /// No plan was made.
    pub async fn plan(&self, request: impl Into<PlanRequest>) -> Result<Plan, Error> {
        let request = with_capabilities(request.into());
        let response: PlanResponse = decoded(self.one(PLAN, request.encode_to_vec()).await?)?;
        response.plan.ok_or_else(|| Error::new(Kind::Internal, Code::Internal, "the planner answered without a plan"))
    }

    /// Asks how one set's rollout will go: the steps as soon as the planner sends them, and the result.
    ///
    /// # Errors
    /// No forecast was made.
    pub async fn forecast(&self, request: impl Into<ForecastRequest>) -> Result<Forecast, Error> {
        let mut request = request.into();
        request.start = Some(with_capabilities(request.start.unwrap_or_default()));
        let end = self.end();
        let (first, incoming) = self.call(FORECAST, request.encode_to_vec(), end).await?;
        Ok(Forecast { first: Some(first), incoming, end, result: None })
    }

    /// Asks for the planner's release, what it can plan, and its limits.
    ///
    /// # Errors
    /// The server did not say.
    pub async fn server_info(&self) -> Result<GetServerInfoResponse, Error> {
        decoded(self.one(SERVER_INFO, GetServerInfoRequest {}.encode_to_vec()).await?)
    }

    /// Sends bytes as they are, as the request of a plan. It is for tests of the contract, whose requests no library would make.
    #[doc(hidden)]
    pub async fn plan_bytes(&self, request: Vec<u8>) -> Result<Vec<u8>, Error> {
        self.one(PLAN, request).await.map(Into::into)
    }

    /// Asks for an answer of one message.
    async fn one(&self, path: &'static str, request: Vec<u8>) -> Result<Bytes, Error> {
        let end = self.end();
        let (message, mut incoming) = self.call(path, request, end).await?;
        by(end, incoming.next()).await?; // the status comes after it
        Ok(message)
    }

    fn end(&self) -> Instant {
        Instant::now() + self.options.timeout
    }

    async fn call(&self, path: &'static str, request: Vec<u8>, end: Instant) -> Result<(Bytes, Incoming), Error> {
        let limit = self.options.max_message_bytes;
        if request.len() > limit {
            let message = format!("the request has {} bytes; this client's limit is {limit}", request.len());
            return Err(Error::new(Kind::MessageTooLarge, Code::ResourceExhausted, message));
        }
        by(end, self.attempts(path, &request.into(), end)).await
    }

    async fn attempts(&self, path: &'static str, request: &Bytes, end: Instant) -> Result<(Bytes, Incoming), Status> {
        for wait in WAITS {
            match self.connection.send(path, request, end.saturating_duration_since(Instant::now())).await {
                Err(status) if status.code() == Code::Unavailable => sleep(varied(wait)).await,
                done => return done,
            }
        }
        self.connection.send(path, request, end.saturating_duration_since(Instant::now())).await
    }
}

/// A forecast as it arrives: steps, then the result. Dropping it ends the planner's work.
pub struct Forecast {
    first: Option<Bytes>,
    incoming: Incoming,
    end: Instant,
    result: Option<ForecastResult>,
}

impl Forecast {
    /// Waits for the next step. `None`: that was the last one, and [`Forecast::result`] is ready.
    ///
    /// # Errors
    /// There is no complete forecast.
    pub async fn next(&mut self) -> Result<Option<ForecastStep>, Error> {
        loop {
            let message = match self.first.take() {
                Some(first) => Some(first),
                None => by(self.end, self.incoming.next()).await?,
            };
            match message.map(decoded::<ForecastResponse>).transpose()?.map(|response| response.part) {
                Some(Some(Part::Step(step))) => return Ok(Some(step)),
                Some(Some(Part::Result(result))) => self.result = Some(result),
                Some(None) => {} // of a later release
                None if self.result.is_none() => return Err(cut()),
                None => return Ok(None),
            }
        }
    }

    /// Waits for the result, past the steps that have not been read.
    ///
    /// # Errors
    /// There is no complete forecast.
    pub async fn result(mut self) -> Result<ForecastResult, Error> {
        while self.next().await?.is_some() {}
        self.result.ok_or_else(cut)
    }
}

fn cut() -> Error {
    Error::new(Kind::Unreachable, Code::Unavailable, "the forecast ended before its result")
}

/// Gives a snapshot that comes without capabilities those of this build (C5). With objects, none means all of the planner's.
fn with_capabilities(mut request: PlanRequest) -> PlanRequest {
    if request.capabilities.is_empty() && request.objects.is_none() {
        request.capabilities = (1..).map_while(|number| Capability::try_from(number).ok()).map(i32::from).collect();
    }
    request
}

async fn by<T>(end: Instant, call: impl Future<Output = Result<T, Status>>) -> Result<T, Error> {
    let late = |_| Err(Status::deadline_exceeded("the planner did not answer within the timeout"));
    timeout_at(end, call).await.unwrap_or_else(late).map_err(|status| Error::of_status(&status))
}

fn decoded<M: Message + Default>(bytes: Bytes) -> Result<M, Error> {
    let wrong = |error| Error::new(Kind::Other, Code::Internal, format!("the answer is not a message of the contract: {error}"));
    M::decode(bytes).map_err(wrong)
}

/// Makes a wait up to a fifth shorter or longer, so that many clients do not come back at once.
fn varied(wait: Duration) -> Duration {
    let chance = u32::try_from(RandomState::new().hash_one(()) % 401).unwrap_or_default();
    wait * (800 + chance) / 1_000
}
