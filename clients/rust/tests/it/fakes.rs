//! A planner that does what a test says, over real gRPC on loopback.

use std::convert::Infallible;
use std::future::ready;
use std::sync::{Arc, Mutex};

use http::{HeaderMap, Request};
use prost::Message;
use setplan::v1::{Plan, PlanResponse};
use tokio::net::TcpListener;
use tokio::task::JoinHandle;
use tonic::body::Body;
use tonic::server::Grpc;
use tonic::transport::server::{Server, TcpIncoming};
use tonic::{Response, Status};
use tonic_prost::ProstCodec;
use tower::service_fn;

/// The messages of an answer, or its first ones and an error.
pub type Answer<M> = Vec<Result<M, Status>>;

/// A fake that takes connections until it is killed.
pub struct Serving {
    pub address: String,
    headers: Arc<Mutex<Vec<HeaderMap>>>,
    task: JoinHandle<()>,
}

/// The answer that there is nothing to do.
pub fn converged() -> Answer<PlanResponse> {
    vec![Ok(PlanResponse { plan: Some(Plan { converged: true, ..Plan::default() }), ..PlanResponse::default() })]
}

/// Answers calls of any method; the first call is number 1.
pub async fn serve<M: Message + 'static>(address: &str, answer: impl Fn(usize) -> Answer<M> + Clone + Send + 'static) -> Serving {
    let listener = TcpListener::bind(address).await.expect("a port");
    let address = listener.local_addr().expect("an address").to_string();
    let headers: Arc<Mutex<Vec<HeaderMap>>> = Arc::default();
    let seen = headers.clone();
    let calls = service_fn(move |request: Request<Body>| {
        let mut seen = seen.lock().expect("the calls");
        seen.push(request.headers().clone());
        let messages = answer(seen.len());
        async move {
            let mut messages = Some(messages);
            let method = service_fn(move |_: tonic::Request<()>| {
                ready(Ok(Response::new(tokio_stream::iter(messages.take().expect("one request")))))
            });
            let grpc = Grpc::new(ProstCodec::<M, ()>::default()); // it reads no field of the request
            Ok::<_, Infallible>(grpc.max_decoding_message_size(64 << 20).server_streaming(method, request).await)
        }
    });
    let serving = Server::builder().serve_with_incoming(calls, TcpIncoming::from(listener));
    Serving { address, headers, task: tokio::spawn(async { serving.await.expect("a server") }) }
}

impl Serving {
    /// The headers of all calls.
    pub fn headers(&self) -> Vec<HeaderMap> {
        self.headers.lock().expect("the calls").clone()
    }

    pub async fn kill(self) {
        self.task.abort();
        assert!(self.task.await.is_err_and(|error| error.is_cancelled()));
    }
}
