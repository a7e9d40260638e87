//! A planner that does what a test says, over real gRPC on loopback.

use std::convert::Infallible;
use std::future::{Ready, ready};
use std::pin::Pin;
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll};

use http::{HeaderMap, Request};
use prost::Message;
use setplan::v1::{Plan, PlanResponse};
use tokio::net::TcpListener;
use tokio::sync::oneshot;
use tonic::body::Body;
use tonic::server::{Grpc, NamedService, ServerStreamingService};
use tonic::{Response, Status};
use tonic_prost::ProstCodec;

/// The messages of an answer, or its first ones and an error.
pub type Answer<M> = Vec<Result<M, Status>>;

/// Answers calls of any method; the first call is number 1.
#[derive(Clone)]
pub struct Fake<M> {
    answer: Arc<dyn Fn(usize) -> Answer<M> + Send + Sync>,
    headers: Arc<Mutex<Vec<HeaderMap>>>,
}

/// A fake that serves until it is killed.
pub struct Serving {
    pub address: String,
    kill: oneshot::Sender<()>,
    ended: tokio::task::JoinHandle<()>,
}

/// The answer that there is nothing to do.
pub fn converged() -> Answer<PlanResponse> {
    vec![Ok(PlanResponse { plan: Some(Plan { converged: true, ..Plan::default() }) })]
}

impl<M: Message + Clone + 'static> Fake<M> {
    pub fn new(answer: impl Fn(usize) -> Answer<M> + Send + Sync + 'static) -> Self {
        Self { answer: Arc::new(answer), headers: Arc::default() }
    }

    /// The headers of all calls.
    pub fn headers(&self) -> Vec<HeaderMap> {
        self.headers.lock().expect("the calls").clone()
    }

    pub async fn serve(&self, address: &str) -> Serving {
        let listener = TcpListener::bind(address).await.expect("a port");
        let address = listener.local_addr().expect("an address").to_string();
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
        Serving { address, kill, ended }
    }
}

impl Serving {
    pub async fn kill(self) {
        drop(self.kill);
        self.ended.await.expect("the end");
    }
}

impl<M> NamedService for Fake<M> {
    const NAME: &'static str = "setplan.v1.PlannerService";
}

impl<M: Message + Clone + 'static> tower_service::Service<Request<Body>> for Fake<M> {
    type Response = http::Response<Body>;
    type Error = Infallible;
    type Future = Pin<Box<dyn Future<Output = Result<Self::Response, Infallible>> + Send>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: Request<Body>) -> Self::Future {
        let fake = self.clone();
        Box::pin(async move {
            let codec = ProstCodec::<M, ()>::default(); // it reads no field of the request
            Ok(Grpc::new(codec).max_decoding_message_size(64 << 20).server_streaming(fake, request).await)
        })
    }
}

impl<M: Message + Clone + 'static> ServerStreamingService<()> for Fake<M> {
    type Response = M;
    type ResponseStream = tokio_stream::Iter<std::vec::IntoIter<Result<M, Status>>>;
    type Future = Ready<Result<Response<Self::ResponseStream>, Status>>;

    fn call(&mut self, request: tonic::Request<()>) -> Self::Future {
        let mut headers = self.headers.lock().expect("the calls");
        headers.push(request.metadata().clone().into_headers());
        ready(Ok(Response::new(tokio_stream::iter((self.answer)(headers.len())))))
    }
}
