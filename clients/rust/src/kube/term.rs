use std::sync::Arc;
use std::time::Duration;

use tokio::sync::watch;
use tokio::time::Instant;

use super::api::ApiError;

/// How long an API server may go on with a request that nobody waits for any more: its `--request-timeout`.
const GIVEN_UP: Duration = Duration::from_secs(60);

/// The time in which only this process may write.
///
/// Every write asks the clock: when a stopped process continues, it may be faster than the timer that ends its work. Two gaps remain. A
/// request that was sent before the end may still be on its way. And a clock that stops while a machine sleeps ends no term. Against
/// both, every write names the uid of its object, and where it matters the version.
#[derive(Clone, Default)]
pub(super) struct Term(Arc<watch::Sender<State>>);

#[derive(Default)]
struct State {
    /// None: it has not begun, or it has ended.
    until: Option<Instant>,
    /// How many writes wait for their answer.
    writing: usize,
    /// When the last write was given up without an answer.
    given_up: Option<Instant>,
}

impl Term {
    /// Begins or extends the term.
    pub fn lasts(&self, until: Instant) {
        self.0.send_modify(|state| state.until = Some(until));
    }

    /// Ends the term: nothing new is written.
    pub fn end(&self) {
        self.0.send_modify(|state| state.until = None);
    }

    /// Begins a write, which lasts until what is returned is dropped.
    pub fn write(&self) -> Result<Writing, ApiError> {
        let now = Instant::now();
        let begins = |state: &mut State| {
            let is_held = state.until.is_some_and(|until| now < until);
            state.writing += usize::from(is_held);
            is_held
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
