//! An API server that does what a test says, without a network.

use std::collections::VecDeque;
use std::error::Error;
use std::future::{Future, pending};
use std::pin::Pin;
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll};
use std::time::Duration;

use http::{Request, Response};
use kube::client::Body;
use setplan::kube::{Api, Client, Source};
use tokio::sync::Notify;
use tokio::time::sleep;

/// What has been asked.
#[derive(Clone, Debug, PartialEq)]
pub struct Asked {
    pub method: String,
    pub url: String,
    pub content_type: String,
    pub body: String,
}

/// What comes back.
#[derive(Clone)]
pub enum Answer {
    Says(u16, Vec<u8>),
    /// It is done, after a time.
    Takes(Duration),
    /// The connection is closed.
    CutOff,
    Hangs,
}

pub fn says(status: u16, body: impl Into<Vec<u8>>) -> Answer {
    Answer::Says(status, body.into())
}

type Answers = dyn FnMut(&Asked) -> Answer + Send;

/// Answers requests by a function.
#[derive(Clone)]
pub struct ApiServer {
    answer: Arc<Mutex<Answers>>,
    asked: Arc<Mutex<Vec<Asked>>>,
}

impl ApiServer {
    pub fn new(answer: impl FnMut(&Asked) -> Answer + Send + 'static) -> Self {
        Self { answer: Arc::new(Mutex::new(answer)), asked: Arc::default() }
    }

    /// Gives answers in turn. What is asked after the last hangs, and the second value tells when that is so.
    pub fn in_turn(answers: Vec<Answer>) -> (Self, Arc<Notify>) {
        let end = Arc::new(Notify::new());
        let (mut left, ended) = (VecDeque::from(answers), end.clone());
        let next = move |_: &Asked| {
            left.pop_front().unwrap_or_else(|| {
                ended.notify_one();
                Answer::Hangs
            })
        };
        (Self::new(next), end)
    }

    pub fn api(&self) -> Api {
        Api::new(Client::new(self.clone(), "default"))
    }

    pub fn asked(&self) -> Vec<Asked> {
        self.asked.lock().expect("the requests").clone()
    }
}

type Failure = Box<dyn Error + Send + Sync>;

impl tower_service::Service<Request<Body>> for ApiServer {
    type Response = Response<Body>;
    type Error = Failure;
    type Future = Pin<Box<dyn Future<Output = Result<Self::Response, Failure>> + Send>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Failure>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: Request<Body>) -> Self::Future {
        let server = self.clone();
        Box::pin(async move {
            let (head, body) = request.into_parts();
            let content_type = head.headers.get("Content-Type").map_or("", |value| value.to_str().expect("a text"));
            let asked = Asked {
                method: head.method.to_string(),
                url: head.uri.to_string(),
                content_type: content_type.to_owned(),
                body: String::from_utf8(body.collect_bytes().await?.to_vec())?,
            };
            server.asked.lock().expect("the requests").push(asked.clone());
            let answer = (server.answer.lock().expect("the answers"))(&asked);
            match answer {
                Answer::Says(status, body) => Ok(Response::builder().status(status).body(body.into())?),
                Answer::Takes(time) => {
                    sleep(time).await;
                    Ok(Response::new(b"{}".to_vec().into()))
                }
                Answer::CutOff => Err("the connection was closed".into()),
                Answer::Hangs => pending().await,
            }
        })
    }
}

/// Makes caches of the namespace default, and returns them when they are filled; they learn no more.
pub async fn filled(api: Api) -> Arc<Source> {
    let source = Arc::new(Source::new(api, Some("default")).expect("a source"));
    tokio::select! {
        () = source.run(&|_| (), &|why| panic!("{why}")) => {}
        () = source.filled() => {}
    }
    source
}

/// A list of a kind at a resource version.
pub fn list(kind: &str, version: &str, things: &[String]) -> String {
    format!(
        r#"{{"kind":"{kind}List","apiVersion":"v1","metadata":{{"resourceVersion":"{version}"}},"items":[{}]}}"#,
        things.join(",")
    )
}

/// An object with the uid u; `more` goes into its metadata.
pub fn thing(version: &str, name: &str, more: &str) -> String {
    format!(r#"{{"metadata":{{"name":"{name}","namespace":"default","uid":"u","resourceVersion":"{version}"{more}}}}}"#)
}
