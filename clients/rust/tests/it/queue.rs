//! A set is worked on once at a time, again when it has changed meanwhile, and later after a failure.

use std::future::{Future, pending, poll_fn};
use std::pin::pin;
use std::sync::Mutex;
use std::task::Poll;
use std::time::Duration;

use setplan::adapter::Key;
use setplan::kube::Queue;
use tokio::sync::Notify;
use tokio::time::{Instant, sleep};

fn key(name: &str) -> Key {
    Key { namespace: "default".to_owned(), name: name.to_owned() }
}

/// What a queue has worked on, and when, in milliseconds of a clock that only waiting moves.
struct Log {
    begun: Instant,
    passes: Mutex<Vec<(String, u128)>>,
}

impl Log {
    fn new() -> Self {
        Self { begun: Instant::now(), passes: Mutex::default() }
    }

    /// Notes a pass, and returns which one of its set it is.
    fn note(&self, key: &Key) -> usize {
        let mut passes = self.passes.lock().expect("the passes");
        passes.push((key.name.clone(), self.begun.elapsed().as_millis()));
        passes.iter().filter(|(name, _)| *name == key.name).count()
    }

    fn times(&self, name: &str) -> Vec<u128> {
        self.passes.lock().expect("the passes").iter().filter(|(of, _)| of == name).map(|(_, time)| *time).collect()
    }
}

/// Runs a queue for a time.
async fn run<F>(queue: &Queue, at_once: usize, work: impl Fn(Key) -> F, time: Duration) -> Vec<String>
where
    F: Future<Output = Result<Option<Duration>, String>>,
{
    let failed: Mutex<Vec<String>> = Mutex::default();
    let fails = |key: &Key, why: &String| {
        failed.lock().expect("the failures").push(format!("{key} {why}"));
        (why == "busy").then_some(BUSY)
    };
    queue.run(at_once, work, fails, sleep(time)).await;
    failed.into_inner().expect("the failures")
}

const BUSY: Duration = Duration::from_millis(900);
const DAY: Duration = Duration::from_secs(86_400);

#[tokio::test(start_paused = true)]
async fn what_was_added_meanwhile_is_worked_on_again_and_never_twice_at_once() {
    let (queue, log) = (Queue::default(), Log::new());
    let work = async |key: Key| {
        if log.note(&key) == 1 {
            queue.add(key.clone());
            queue.add(key);
            sleep(Duration::from_millis(7)).await;
        }
        Ok(None)
    };
    for _ in 0..2 {
        queue.add(key("web"));
    }
    assert!(run(&queue, 4, work, DAY).await.is_empty());
    assert_eq!(log.times("web"), [0, 7]);
}

#[tokio::test(start_paused = true)]
async fn failures_wait_longer_each_time_and_a_success_ends_that() {
    let (queue, log) = (Queue::default(), Log::new());
    let work = async |key: Key| match log.note(&key) {
        4 => Ok(Some(Duration::from_millis(50))),
        6 => Ok(None),
        _ => Err("no".to_owned()),
    };
    queue.add(key("web"));
    assert_eq!(run(&queue, 4, work, DAY).await, vec!["default/web no"; 4]);
    assert_eq!(log.times("web"), [0, 100, 300, 700, 750, 850]);
}

#[tokio::test(start_paused = true)]
async fn a_failure_waits_half_a_minute_at_most() {
    let (queue, log) = (Queue::default(), Log::new());
    let work = async |key: Key| {
        log.note(&key);
        Err("no".to_owned())
    };
    queue.add(key("web"));
    run(&queue, 4, work, DAY).await;
    let times = log.times("web");
    assert_eq!(times[times.len() - 1] - times[times.len() - 2], 30_000);
}

#[tokio::test(start_paused = true)]
async fn a_change_does_not_wait_and_takes_the_place_of_what_waits() {
    let (queue, log) = (Queue::default(), Log::new());
    let work = async |key: Key| {
        let number = log.note(&key);
        Ok((number == 1).then_some(Duration::from_secs(60)))
    };
    queue.add(key("web"));
    let changes = async {
        sleep(Duration::from_millis(5)).await;
        queue.add(key("web"));
        pending::<()>().await;
    };
    tokio::select! {
        _ = run(&queue, 4, work, DAY) => {}
        () = changes => {}
    }
    assert_eq!(log.times("web"), [0, 5]);
}

#[tokio::test(start_paused = true)]
async fn what_has_changed_and_failed_waits_too() {
    let (queue, log) = (Queue::default(), Log::new());
    let work = async |key: Key| {
        if log.note(&key) == 1 {
            queue.add(key);
            return Err("no".to_owned());
        }
        Ok(None)
    };
    queue.add(key("web"));
    run(&queue, 4, work, DAY).await;
    assert_eq!(log.times("web"), [0, 100]);
}

#[tokio::test(start_paused = true)]
async fn no_more_at_once_than_allowed_and_the_end_waits_for_them() {
    let (queue, log, go) = (Queue::default(), Log::new(), Notify::new());
    let ended = Mutex::new(0);
    let work = async |key: Key| {
        log.note(&key);
        go.notified().await;
        *ended.lock().expect("a number") += 1;
        Ok(Some(Duration::ZERO))
    };
    for number in 0..5 {
        queue.add(key(&format!("web{number}")));
    }
    let late = async {
        sleep(Duration::from_secs(2)).await; // after the end was asked for
        assert_eq!(log.passes.lock().expect("the passes").len(), 2);
        go.notify_waiters();
        pending::<()>().await;
    };
    tokio::select! {
        _ = run(&queue, 2, work, Duration::from_secs(1)) => {}
        () = late => {}
    }
    assert_eq!(*ended.lock().expect("a number"), 2);
    assert_eq!(log.passes.lock().expect("the passes").len(), 2, "and nothing else has begun");
}

#[tokio::test(start_paused = true)]
async fn who_has_no_room_is_not_asked_again_before_it_says() {
    let (queue, log) = (Queue::default(), Log::new());
    let work = async |key: Key| match log.note(&key) {
        1 => Err("busy".to_owned()),
        2 => Ok(Some(DAY * 2)),
        _ => Ok(None),
    };
    queue.add(key("web"));
    let changes = async {
        for wait in [5, 1_000] {
            sleep(Duration::from_millis(wait)).await;
            queue.add(key("web"));
        }
        pending::<()>().await;
    };
    tokio::select! {
        _ = run(&queue, 4, work, DAY) => {}
        () = changes => {}
    }
    assert_eq!(log.times("web"), [0, 900, 1_005]);
}

#[tokio::test(start_paused = true)]
async fn what_is_due_waits_for_a_place() {
    let (queue, log) = (Queue::default(), Log::new());
    let work = async |key: Key| {
        if key.name == "long" {
            sleep(Duration::from_secs(60)).await;
        } else if log.note(&key) == 1 {
            return Ok(Some(Duration::from_secs(1)));
        }
        Ok::<_, String>(None)
    };
    queue.add(key("web"));
    queue.add(key("long"));
    let mut looked = 0;
    let mut end = pin!(sleep(DAY));
    let stop = poll_fn(|context| {
        looked += 1;
        if looked > 1_000 { Poll::Ready(()) } else { end.as_mut().poll(context) }
    });
    queue.run(1, work, |_, _| None, stop).await;
    assert_eq!(log.times("web"), [0, 60_000]);
    assert!(looked < 100, "it has looked {looked} times");
}

#[tokio::test(start_paused = true)]
async fn a_namespace_whose_sets_take_long_holds_up_no_other() {
    let (queue, log) = (Queue::default(), Log::new());
    let work = async |key: Key| {
        if key.namespace == "long" {
            sleep(Duration::from_secs(60)).await;
        } else {
            log.note(&key);
        }
        Ok(None)
    };
    for number in 0..10 {
        queue.add(Key { namespace: "long".to_owned(), name: number.to_string() });
    }
    queue.add(key("web"));
    run(&queue, 3, work, Duration::from_secs(1)).await;
    assert_eq!(log.times("web"), [0]);
}
