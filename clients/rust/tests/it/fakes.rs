//! A planner that does what a test says, over real gRPC on loopback.

use std::convert::Infallible;
use std::future::{Future, ready};
use std::net::SocketAddr;
use std::pin::Pin;
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll};

use http::{HeaderMap, Request};
use setplan::v1::{Plan, PlanRequest, PlanResponse};
use tokio::net::TcpListener;
use tokio::sync::oneshot;
use tonic::body::Body;
use tonic::server::{Grpc, NamedService, UnaryService};
use tonic::{Response, Status};
use tonic_prost::ProstCodec;

type Answers = dyn Fn(usize) -> Result<Option<Plan>, Status> + Send + Sync;

/// Answers calls; the first is number 1.
#[derive(Clone)]
pub struct Fake {
    answer: Arc<Answers>,
    told: Arc<Mutex<Vec<(HeaderMap, PlanRequest)>>>,
}

/// A fake that serves until it is killed.
pub struct Serving {
    pub address: String,
    kill: oneshot::Sender<()>,
    ended: tokio::task::JoinHandle<()>,
}

impl Fake {
    pub fn new<P: Into<Option<Plan>>>(answer: impl Fn(usize) -> Result<P, Status> + Send + Sync + 'static) -> Self {
        Self { answer: Arc::new(move |number| answer(number).map(Into::into)), told: Arc::default() }
    }

    /// Answers that there is nothing to do.
    pub fn converged() -> Self {
        Self::new(|_| Ok(Plan { converged: true, ..Plan::default() }))
    }

    /// The headers and requests of all calls.
    pub fn told(&self) -> Vec<(HeaderMap, PlanRequest)> {
        self.told.lock().expect("the calls").clone()
    }

    pub async fn serve(&self, address: &str) -> Serving {
        let listener = TcpListener::bind(address).await.expect("a port");
        let address: SocketAddr = listener.local_addr().expect("an address");
        let (kill, killed) = oneshot::channel::<()>();
        let service = self.clone();
        let ended = tokio::spawn(async move {
            let incoming = tonic::transport::server::TcpIncoming::from(listener);
            let server = tonic::transport::Server::builder().serve_with_incoming(service, incoming);
            tokio::select! {
                result = server => result.expect("a server"),
                _ = killed => {}
            }
        });
        Serving { address: address.to_string(), kill, ended }
    }
}

impl Serving {
    pub async fn kill(self) {
        drop(self.kill);
        self.ended.await.expect("the end");
    }
}

impl NamedService for Fake {
    const NAME: &'static str = "setplan.v1.PlannerService";
}

impl tower_service::Service<Request<Body>> for Fake {
    type Response = http::Response<Body>;
    type Error = Infallible;
    type Future = Pin<Box<dyn Future<Output = Result<Self::Response, Infallible>> + Send>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: Request<Body>) -> Self::Future {
        let call = Call { fake: self.clone(), headers: request.headers().clone() };
        Box::pin(async move {
            let codec = ProstCodec::<PlanResponse, PlanRequest>::default();
            Ok(Grpc::new(codec).max_decoding_message_size(64 << 20).unary(call, request).await)
        })
    }
}

struct Call {
    fake: Fake,
    headers: HeaderMap,
}

impl UnaryService<PlanRequest> for Call {
    type Response = PlanResponse;
    type Future = std::future::Ready<Result<Response<PlanResponse>, Status>>;

    fn call(&mut self, request: tonic::Request<PlanRequest>) -> Self::Future {
        let mut told = self.fake.told.lock().expect("the calls");
        told.push((self.headers.clone(), request.into_inner()));
        ready((self.fake.answer)(told.len()).map(|plan| Response::new(PlanResponse { plan })))
    }
}
