use std::error::Error as _;
use std::net::SocketAddr;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use std::{collections::BTreeMap, io};

use http::uri::PathAndQuery;
use prost::bytes::Bytes;
use tonic::client::Grpc;
use tonic::transport::{Channel, Endpoint};
use tonic::{Code, Request, Status};

use crate::codec::Plain;
use crate::errors::Error;
use crate::settings::{Options, Security, Target};
use crate::tls::{Content, Stamp, TlsFiles};

const CONNECT_TIMEOUT: Duration = Duration::from_secs(3);
const RESOLVED_FOR: Duration = Duration::from_secs(30);
const MAX_TRAILER_BYTES: u32 = 1 << 20; // an error may name many fields

/// The connections to the addresses of a name. A call takes the next one in turn, and another one where it gets no answer.
pub(crate) struct Channels {
    target: Target,
    options: Options,
    state: Mutex<State>,
}

struct State {
    /// The certificates that new connections use, and the files that they were read from.
    content: Option<Content>,
    stamp: Stamp,
    channels: BTreeMap<SocketAddr, Channel>,
    resolved: Option<Instant>,
    turn: usize,
}

impl Channels {
    /// Checks everything, and does no I/O on the network.
    pub fn new(target: Target, options: Options) -> Result<Self, Error> {
        let (content, stamp) = match &options.security {
            Security::Tls(files) => (Some(files.read().map_err(|error| Error::option(&error.to_string()))?), files.stamp()),
            Security::Insecure => (None, Stamp::new()),
        };
        endpoint(&target, &options, content.as_ref(), SocketAddr::from(([127, 0, 0, 1], 1)))
            .map_err(|error| Error::option(&format!("the options of the connection: {}", told(&error))))?;
        let state = State { content, stamp, channels: BTreeMap::new(), resolved: None, turn: 0 };
        Ok(Self { target, options, state: Mutex::new(state) })
    }

    /// Sends bytes once, over the first connection that gives an answer. A failure asks the name server again before the next call.
    pub async fn send(&self, path: &'static str, request: &Bytes, left: Duration) -> Result<Bytes, Status> {
        self.renew();
        self.resolve().await?;
        let mut silence = Status::unavailable(format!("{} has no address", self.target.authority()));
        for channel in self.in_turn() {
            let mut grpc = Grpc::new(channel).max_decoding_message_size(self.options.max_message_bytes);
            let mut message = Request::new(request.clone());
            message.set_timeout(left);
            let ready = grpc.ready().await.map_err(|error| Status::from_error(error.into()));
            let answer = match ready {
                Ok(()) => grpc.unary(message, PathAndQuery::from_static(path), Plain).await,
                Err(status) => Err(status),
            };
            match answer {
                Ok(answer) => return Ok(answer.into_inner()),
                Err(status) if is_silence(&status) => silence = Status::unavailable(told(&status)),
                Err(status) => return Err(status),
            }
        }
        self.lock().resolved = None;
        Err(silence)
    }

    /// Uses files that have changed from the next connection on. Those that cannot be used are tried again with the next call.
    fn renew(&self) {
        let Security::Tls(files) = &self.options.security else { return };
        let now = files.stamp();
        if now == self.lock().stamp {
            return;
        }
        let Ok(content) = self.usable(files) else { return };
        let mut state = self.lock();
        state.stamp = now;
        if state.content.as_ref() != Some(&content) {
            state.content = Some(content);
            state.channels.clear(); // calls under way hold their own
            state.resolved = None;
        }
    }

    fn usable(&self, files: &TlsFiles) -> io::Result<Content> {
        let content = files.read()?;
        endpoint(&self.target, &self.options, Some(&content), SocketAddr::from(([127, 0, 0, 1], 1))).map_err(io::Error::other)?;
        Ok(content)
    }

    /// Asks the name server from time to time, and after a failure. Where it does not answer, the known addresses are used.
    async fn resolve(&self) -> Result<(), Status> {
        if self.lock().resolved.is_some_and(|at| at.elapsed() < RESOLVED_FOR) {
            return Ok(());
        }
        let name = (self.target.host.as_str(), self.target.port);
        let found: Vec<SocketAddr> = match tokio::net::lookup_host(name).await {
            Ok(found) => found.collect(),
            Err(_) if !self.lock().channels.is_empty() => return Ok(()),
            Err(error) => return Err(Status::unavailable(format!("{}: {error}", self.target.authority()))),
        };
        let mut state = self.lock();
        state.channels.retain(|address, _| found.contains(address));
        for address in found {
            if !state.channels.contains_key(&address) {
                let made = endpoint(&self.target, &self.options, state.content.as_ref(), address);
                let endpoint = made.map_err(|error| Status::unavailable(told(&error)))?;
                state.channels.insert(address, endpoint.connect_lazy());
            }
        }
        state.resolved = Some(Instant::now());
        Ok(())
    }

    fn in_turn(&self) -> Vec<Channel> {
        let mut state = self.lock();
        let mut channels: Vec<Channel> = state.channels.values().cloned().collect();
        if !channels.is_empty() {
            let first = state.turn % channels.len();
            channels.rotate_left(first);
        }
        state.turn = state.turn.wrapping_add(1);
        channels
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn endpoint(
    target: &Target,
    options: &Options,
    content: Option<&Content>,
    address: SocketAddr,
) -> Result<Endpoint, tonic::transport::Error> {
    let scheme = if content.is_some() { "https" } else { "http" };
    let endpoint = Endpoint::new(format!("{scheme}://{address}"))?
        .user_agent(options.agent())?
        .connect_timeout(CONNECT_TIMEOUT)
        .http2_max_header_list_size(MAX_TRAILER_BYTES)
        // Pings notice a dead server behind a silent network. The server allows one every 10 s.
        .http2_keep_alive_interval(Duration::from_secs(30))
        .keep_alive_timeout(Duration::from_secs(10))
        .keep_alive_while_idle(true);
    let endpoint = match format!("{scheme}://{}", target.authority()).parse() {
        Ok(origin) => endpoint.origin(origin),
        Err(_) => endpoint,
    };
    match content {
        Some(content) => endpoint.tls_config(content.config().domain_name(&target.host)),
        None => Ok(endpoint),
    }
}

/// Reports whether no server has said this: there is no connection, or it broke.
fn is_silence(status: &Status) -> bool {
    status.source().is_some() && matches!(status.code(), Code::Unavailable | Code::Unknown | Code::Internal | Code::Cancelled)
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
