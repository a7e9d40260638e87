use std::error::Error as _;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use http::uri::PathAndQuery;
use prost::bytes::Bytes;
use tonic::client::Grpc;
use tonic::transport::{Channel, Endpoint};
use tonic::{Code, Request, Status, Streaming};

use crate::codec::Plain;
use crate::errors::Error;
use crate::options::{Options, authority};
use crate::tls::{Content, TlsFiles};

const CONNECT_TIMEOUT: Duration = Duration::from_secs(3);
const LONGEST_ANSWER: usize = 24 << 20; // no plan has more bytes, and an answer is input from outside
const MAX_TRAILER_BYTES: u32 = 1 << 20; // an error may name many fields

/// The connection to an address. It is made with the first call, and again after it broke or when files of TLS have changed.
pub(crate) struct Connection {
    authority: String,
    options: Options,
    state: Mutex<State>,
}

struct State {
    /// What new connections use, and what the files held that it was made of.
    endpoint: Endpoint,
    content: Option<Content>,
    channel: Option<Channel>,
}

impl Connection {
    /// Checks everything, and does no I/O on the network.
    pub fn new(address: &str, options: Options) -> Result<Self, Error> {
        options.check()?;
        let authority = authority(address)?.to_owned();
        let content = options.tls.as_ref().map(TlsFiles::read).transpose().map_err(|error| Error::option(&error.to_string()))?;
        let endpoint = endpoint(&authority, &options, content.as_ref())
            .map_err(|error| Error::option(&format!("the options of the connection: {}", told(&error))))?;
        Ok(Self { authority, options, state: Mutex::new(State { endpoint, content, channel: None }) })
    }

    /// Sends a request once. Returns the first message of the answer, and where the others come from.
    pub async fn send(&self, path: &'static str, request: &Bytes, left: Duration) -> Result<(Bytes, Incoming), Status> {
        self.renew();
        let mut grpc = Grpc::new(self.channel()).max_decoding_message_size(self.options.max_message_bytes.min(LONGEST_ANSWER));
        grpc.ready().await.map_err(|error| explained(Status::from_error(error.into())))?;
        let mut message = Request::new(request.clone());
        message.set_timeout(left);
        // A call with one message in its answer is the same on the wire as one with many.
        let answer = grpc.server_streaming(message, PathAndQuery::from_static(path), Plain).await.map_err(explained)?;
        let mut incoming = Incoming(answer.into_inner());
        let first = incoming.next().await?.ok_or_else(|| Status::internal("the planner answered without a message"))?;
        Ok((first, incoming))
    }

    /// Uses files that have changed from the next connection on. Those that cannot be used, as in the middle of a replacement, are left.
    fn renew(&self) {
        let Some(Ok(content)) = self.options.tls.as_ref().map(TlsFiles::read) else { return };
        let mut state = self.lock();
        if state.content.as_ref() == Some(&content) {
            return;
        }
        if let Ok(endpoint) = endpoint(&self.authority, &self.options, Some(&content)) {
            *state = State { endpoint, content: Some(content), channel: None }; // calls under way hold their channel
        }
    }

    fn channel(&self) -> Channel {
        let mut state = self.lock();
        let State { endpoint, channel, .. } = &mut *state;
        channel.get_or_insert_with(|| endpoint.connect_lazy()).clone()
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The messages of an answer that are still to come.
pub(crate) struct Incoming(Streaming<Bytes>);

impl Incoming {
    /// Returns the next message, or nothing after the last of a call that succeeded.
    pub async fn next(&mut self) -> Result<Option<Bytes>, Status> {
        self.0.message().await.map_err(explained)
    }
}

fn endpoint(authority: &str, options: &Options, content: Option<&Content>) -> Result<Endpoint, tonic::transport::Error> {
    let scheme = if content.is_some() { "https" } else { "http" };
    let agent = format!("{} setplan-rust/{}", options.user_agent, env!("CARGO_PKG_VERSION"));
    let endpoint = Endpoint::new(format!("{scheme}://{authority}"))?
        .user_agent(agent.trim_start())?
        .connect_timeout(CONNECT_TIMEOUT)
        .http2_max_header_list_size(MAX_TRAILER_BYTES)
        // Pings notice a dead server behind a silent network. The server allows one every 10 s.
        .http2_keep_alive_interval(Duration::from_secs(30))
        .keep_alive_timeout(Duration::from_secs(10))
        .keep_alive_while_idle(true);
    match content {
        Some(content) => endpoint.tls_config(content.config()),
        None => Ok(endpoint),
    }
}

/// Makes UNAVAILABLE of what no server has said: there is no connection, or it broke.
fn explained(status: Status) -> Status {
    let unsaid = matches!(status.code(), Code::Unavailable | Code::Unknown | Code::Internal | Code::Cancelled);
    if status.source().is_some() && unsaid { Status::unavailable(told(&status)) } else { status }
}

/// Writes an error with what it came from: the first one alone says `transport error`.
fn told(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut next = error.source();
    while let Some(error) = next {
        let more = error.to_string();
        if !text.contains(&more) {
            text = format!("{text}: {more}");
        }
        next = error.source();
    }
    text
}
