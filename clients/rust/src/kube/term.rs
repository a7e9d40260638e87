use std::future::poll_fn;
use std::pin::pin;
use std::sync::Arc;
use std::task::Poll;
use std::time::Duration;

use tokio::sync::watch;
use tokio::time::Instant;

use super::api::ApiError;

/// How long an API server may go on with a request that nobody waits for any more: its `--request-timeout`.
const GIVEN_UP: Duration = Duration::from_secs(60);

/// The time in which only this process may write.
///
/// Every write asks the clock, at first and each time it goes on: when a stopped process continues, it may be faster than the timer that
/// ends its work, and what has waited for a connection faster still. Two gaps remain. A request that was sent before the end may still be
/// on its way. And a clock that stops while a machine sleeps ends no term. Against both, every write names the uid of its object, and
/// where it matters the version.
#[derive(Clone, Default)]
pub(super) struct Term(Arc<watch::Sender<State>>);

#[derive(Default)]
struct State {
    /// None: it has not begun, or it was lost.
    until: Option<Instant>,
    /// Nothing new is written.
    is_closed: bool,
    /// How many writes wait for their answer.
    writing: usize,
    /// When the last write was given up without an answer.
    given_up: Option<Instant>,
}

impl State {
    fn is_held(&self) -> bool {
        self.until.is_some_and(|until| Instant::now() < until)
    }
}

impl Term {
    /// Begins or extends the term.
    pub fn lasts(&self, until: Instant) {
        self.0.send_modify(|state| (state.until, state.is_closed) = (Some(until), false));
    }

    /// Lets what is under way go on until the end of the term, and nothing new begin.
    pub fn close(&self) {
        self.0.send_modify(|state| state.is_closed = true);
    }

    /// Ends the term: what is under way does not go on.
    pub fn end(&self) {
        self.0.send_modify(|state| state.until = None);
    }

    /// Begins a write, which lasts until what is returned is dropped.
    pub fn write(&self) -> Result<Writing, ApiError> {
        let begins = |state: &mut State| {
            let may_begin = state.is_held() && !state.is_closed;
            state.writing += usize::from(may_begin);
            may_begin
        };
        let writing = || Writing { term: self.clone(), is_answered: false };
        self.0.send_if_modified(begins).then(writing).ok_or(ApiError::NotHeld)
    }

    /// Waits for the answers of all writes, and reports whether the API server has none left to carry out.
    pub async fn is_settled(&self) -> bool {
        let mut state = self.0.subscribe();
        let settled = state.wait_for(|state| state.writing == 0).await;
        settled.is_ok_and(|state| state.given_up.is_none_or(|at| at.elapsed() >= GIVEN_UP))
    }
}

/// A write under way. Who drops it without an answer does not know whether it is carried out.
pub(super) struct Writing {
    term: Term,
    is_answered: bool,
}

impl Writing {
    /// Goes on with the request of the write while the term lasts.
    pub async fn within<T>(&self, request: impl Future<Output = Result<T, ApiError>>) -> Result<T, ApiError> {
        let mut request = pin!(request);
        let lost = || ApiError::Unavailable("the lease was lost meanwhile".to_owned());
        poll_fn(|context| if self.term.0.borrow().is_held() { request.as_mut().poll(context) } else { Poll::Ready(Err(lost())) })
            .await
    }

    /// The API server has said what became of it.
    pub fn answered(mut self) {
        self.is_answered = true;
    }
}

impl Drop for Writing {
    fn drop(&mut self) {
        self.term.0.send_modify(|state| {
            state.writing -= 1;
            if !self.is_answered {
                state.given_up = Some(Instant::now());
            }
        });
    }
}
