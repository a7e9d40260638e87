//! What the loop does with a plan: the rules for adapters of SPEC.md that do not need a cluster.

use std::cell::Cell;
use std::collections::BTreeMap;
use std::fs;
use std::sync::{Arc, LazyLock, Mutex, MutexGuard};
use std::time::{Duration, Instant, SystemTime};

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use prost::Message;
use serde::Deserialize;
use setplan::adapter::{
    ActionResult, Executor, Key, Loop, Observer, Options, PassError, Planner, SetIdentity, Source, SourceError, Write, policy_of,
};
use setplan::v1::action::Operation;
use setplan::v1::{
    Action, Capability, Claim, DeletePod, Fence, LabelSelector, OnFailure, OutcomeResult, OwnerReference, OwnerSet, Plan,
    PlanRequest, PlanResponse, Pod, Precondition, SetClaimOwners, Snapshot, Stage, StagePhase, StatefulSet, Step, Tables, Target,
    Unknown,
};
use setplan::{Answer, Error, Kind};
use tonic::Code;

use crate::servers::root;

const NOW: SystemTime = SystemTime::UNIX_EPOCH;
static BEGUN: LazyLock<Instant> = LazyLock::new(Instant::now);

thread_local!(static WAITED: Cell<u64> = const { Cell::new(0) }); // milliseconds, of this test

fn key() -> Key {
    Key { namespace: "default".to_owned(), name: "web".to_owned() }
}

fn identity() -> SetIdentity {
    SetIdentity { uid: "set".to_owned(), generation: 1, ..SetIdentity::default() }
}

type Change = fn(&mut State);

/// What a test says, and what was done.
#[allow(clippy::struct_excessive_bools)] // each is one thing that a test says
struct State {
    answer: Answer,
    error: Option<Error>,
    identity: Option<SetIdentity>,
    live: Option<SetIdentity>,
    requests: Vec<PlanRequest>,
    done: Vec<String>,
    held: Vec<String>,
    failing: BTreeMap<String, (String, OutcomeResult)>,
    forgotten: usize,
    gone: bool,
    shown: bool,
    current: bool,
    asked_for_current: usize,
    running: usize,
    most: usize,
    during: Option<Change>,
    writing: Option<Change>,
    hangs: bool,
}

/// A source, an executor, a planner and an observer that do what a test says.
#[derive(Clone)]
struct World(Arc<Mutex<State>>);

impl World {
    fn new() -> Self {
        let fence = Fence { set_uid: "set".to_owned(), generation: 1, ..Fence::default() };
        Self(Arc::new(Mutex::new(State {
            answer: Answer { plan: Plan { fence: Some(fence), ..Plan::default() }, unknown: Unknown::default() },
            error: None,
            identity: Some(identity()),
            live: Some(identity()),
            requests: Vec::new(),
            done: Vec::new(),
            held: Vec::new(),
            failing: BTreeMap::new(),
            forgotten: 0,
            gone: false,
            shown: true,
            current: true,
            asked_for_current: 0,
            running: 0,
            most: 0,
            during: None,
            writing: None,
            hangs: false,
        })))
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().expect("the world")
    }

    fn passes(&self, options: Options) -> Loop<Self, Self, Self, Self> {
        let options = Options { now: || NOW, clock: || *BEGUN + Duration::from_millis(WAITED.get()), ..options };
        Loop::new(self.clone(), self.clone(), self.clone(), &[Capability::DeletePod], self.clone(), options)
    }

    async fn pass(&self) -> Result<Option<Duration>, PassError> {
        self.passes(Options::default()).reconcile(&key()).await
    }

    /// Adds a stage that deletes pods, each in a step of its own.
    fn deletes(&self, ordinals: &[u32], mut stage: Stage) {
        stage.steps = ordinals.iter().map(|ordinal| Step { actions: vec![deletion(&format!("web-{ordinal}"))] }).collect();
        self.state().answer.plan.stages.push(stage);
    }

    fn fails(&self, what: &str, why: &str, outcome: OutcomeResult) {
        self.state().failing.insert(what.to_owned(), (why.to_owned(), outcome));
    }

    fn done(&self) -> Vec<String> {
        self.state().done.clone()
    }
}

fn deletion(name: &str) -> Action {
    Action {
        id: format!("delete-{name}"),
        target: Some(Target { kind: "Pod".to_owned(), namespace: "default".to_owned(), name: name.to_owned() }),
        precondition: Some(Precondition { uid: format!("uid-{name}"), ..Precondition::default() }),
        operation: Some(Operation::DeletePod(DeletePod {})),
        ..Action::default()
    }
}

/// An action that gives a claim owners.
fn owners() -> Action {
    let target = Target { kind: "PersistentVolumeClaim".to_owned(), namespace: "default".to_owned(), name: "www-web-0".to_owned() };
    let precondition =
        Precondition { uid: "uid-www-web-0".to_owned(), resource_version: "1".to_owned(), ..Precondition::default() };
    Action {
        id: "owners".to_owned(),
        target: Some(target),
        precondition: Some(precondition),
        operation: Some(Operation::SetClaimOwners(SetClaimOwners::default())),
        ..Action::default()
    }
}

impl Source for World {
    fn snapshot(&self, _: &Key) -> Result<Snapshot, SourceError> {
        if self.state().gone {
            return Err(SourceError::Gone);
        }
        let text = str::to_owned;
        let pod = |name: &str| Pod {
            name: text(name),
            uid: format!("uid-{name}"),
            resource_version: text("1"),
            owner_set_index: 1,
            ..Pod::default()
        };
        let owner = OwnerReference { uid: text("set"), controller: true, ..OwnerReference::default() };
        Ok(Snapshot {
            observed_at: Some(NOW.into()),
            set: Some(StatefulSet {
                api_version: text("apps/v1"),
                kind: text("StatefulSet"),
                namespace: text("default"),
                name: text("web"),
                uid: text("set"),
                generation: 1,
                resource_version: text("7"),
                replicas: Some(0),
                selector: Some(LabelSelector {
                    match_labels: BTreeMap::from([(text("app"), text("web"))]),
                    ..LabelSelector::default()
                }),
                claim_templates: vec![br#"{"metadata":{"name":"www"}}"#.to_vec()],
                ..StatefulSet::default()
            }),
            tables: Some(Tables { owner_sets: vec![OwnerSet::default(), OwnerSet { owners: vec![owner] }], ..Tables::default() }),
            claims: vec![Claim {
                name: text("www-web-0"),
                uid: text("uid-www-web-0"),
                resource_version: text("1"),
                ..Claim::default()
            }],
            pods: ["web-0", "web-1", "web-2"].map(pod).to_vec(),
            ..Snapshot::default()
        })
    }

    fn set(&self, _: &Key) -> Result<SetIdentity, SourceError> {
        self.state().identity.clone().ok_or(SourceError::Gone)
    }

    async fn live_set(&self, _: &Key) -> Result<SetIdentity, SourceError> {
        self.state().live.clone().ok_or_else(|| SourceError::Failed("no answer".into()))
    }

    fn observed(&self, _: &Key, _: &Write) -> bool {
        self.state().shown
    }

    async fn current(&self, _: &Key, _: &Write) -> Result<bool, SourceError> {
        let mut state = self.state();
        state.asked_for_current += 1;
        Ok(state.current)
    }
}

impl Planner for World {
    async fn answer(&self, request: PlanRequest) -> Result<Answer, Error> {
        let mut state = self.state();
        state.requests.push(request);
        if let Some(during) = state.during {
            during(&mut state);
        }
        state.error.clone().map_or_else(|| Ok(state.answer.clone()), Err)
    }
}

impl Executor for World {
    async fn apply(&self, _: &Key, action: &Action) -> ActionResult {
        let target = action.target.clone().expect("a target");
        let what = format!("{} {}", action.name(), target.name);
        if self.state().hangs {
            std::future::pending::<()>().await;
        }
        {
            let mut state = self.state();
            state.done.push(what.clone());
            state.running += 1;
            state.most = state.most.max(state.running);
        }
        tokio::task::yield_now().await;
        let mut state = self.state();
        state.running -= 1;
        if let Some(writing) = state.writing {
            writing(&mut state);
        }
        match state.failing.get(&what) {
            Some((why, outcome)) => ActionResult::failed(why, *outcome),
            None => ActionResult::written(Write { kind: target.kind, name: target.name, deleted: true, ..Write::default() }),
        }
    }
}

impl Observer for World {
    fn held(&self, _: &Key, reason: &str, _: &str) {
        self.state().held.push(reason.to_owned());
    }

    fn forgotten(&self, _: &Key) {
        self.state().forgotten += 1;
    }
}

fn failures(pass: Result<Option<Duration>, PassError>) -> Vec<String> {
    match pass {
        Err(PassError::Failed(errors)) => errors,
        other => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn stages_are_carried_out_in_order() {
    let world = World::new();
    world.deletes(&[2], Stage::default());
    world.deletes(&[0, 1], Stage::default());
    assert_eq!(world.pass().await.expect("a pass"), None);
    assert_eq!(world.done(), ["deletePod web-2", "deletePod web-0", "deletePod web-1"]);
    assert_eq!(world.state().requests[0].capabilities, [i32::from(Capability::DeletePod)]);
}

#[tokio::test]
async fn no_more_steps_at_once_than_allowed() {
    let world = World::new();
    world.deletes(&[0, 1, 2], Stage::default());
    world.passes(Options { parallelism: 2, ..Options::default() }).reconcile(&key()).await.expect("a pass");
    assert_eq!(world.state().most, 2);
    assert_eq!(world.done().len(), 3);
}

#[tokio::test]
async fn the_first_failure_ends_a_step_and_no_other() {
    let world = World::new();
    world.deletes(&[0, 1], Stage::default());
    world.state().answer.plan.stages[0].steps[0].actions.push(deletion("web-2"));
    world.fails("deletePod web-0", "no", OutcomeResult::Rejected);
    assert_eq!(failures(world.pass().await), ["no"]);
    assert_eq!(world.done(), ["deletePod web-0", "deletePod web-1"]);
}

#[tokio::test]
async fn after_a_failure() {
    let cases = [
        (OnFailure::Abort.into(), ""),
        (OnFailure::Unspecified.into(), ""),
        (77, ""),
        (OnFailure::Stop.into(), "deletePod web-2"),
        (OnFailure::SkipPhase.into(), "deletePod web-1"),
    ];
    for (on_failure, done) in cases {
        let world = World::new();
        world.deletes(&[0], Stage { phase: StagePhase::Drain.into(), on_failure, ..Stage::default() });
        world.deletes(&[1], Stage { phase: StagePhase::Update.into(), ..Stage::default() });
        world.deletes(&[2], Stage { phase: StagePhase::Drain.into(), always_run: true, ..Stage::default() });
        world.fails("deletePod web-0", "no", OutcomeResult::Rejected);
        failures(world.pass().await);
        assert_eq!(world.done()[1..].join(","), done, "{on_failure}");
    }
}

#[tokio::test]
async fn the_fence() {
    let cases: [(Change, &str); 10] = [
        (|state| state.answer.plan.fence = None, "no fence"),
        (|state| state.identity.as_mut().unwrap().uid = "other".to_owned(), "uid"),
        (|state| state.identity.as_mut().unwrap().generation = 2, "generation"),
        (
            |state| {
                let pause = BTreeMap::from([("setplan.io/pause".to_owned(), "All".to_owned())]);
                state.identity.as_mut().unwrap().policy = policy_of(&pause);
            },
            "annotations",
        ),
        (|state| state.identity.as_mut().unwrap().neighbours = "b a".to_owned(), "same claim names"),
        (|state| max_age(state, -1), "old"),
        (|state| max_age(state, i64::MIN), "old"),
        (|state| state.answer.unknown.fence = true, "does not know"),
        (|state| state.identity = None, "gone"),
        (
            |state| {
                max_age(state, 1);
                state.answer.plan.stages[0].requires_live_set = true;
                state.live = None; // a fence that holds lets the pass go on
            },
            "no answer",
        ),
    ];
    for (change, message) in cases {
        let world = World::new();
        world.deletes(&[0], Stage::default());
        world.state().during = Some(change);
        let Err(PassError::Dropped(why)) = world.pass().await else { panic!("not dropped: {message}") };
        assert!(why.contains(message), "{why}");
        assert!(world.done().is_empty());
        assert_eq!(world.state().held, [if message == "no answer" { "live set" } else { "fence" }]);
    }
}

fn max_age(state: &mut State, seconds: i64) {
    state.answer.plan.fence.as_mut().unwrap().max_age = Some(prost_types::Duration { seconds, nanos: 0 });
}

#[tokio::test]
async fn the_fence_again_before_a_deletion() {
    let world = World::new();
    world.deletes(&[0], Stage::default());
    world.deletes(&[1], Stage::default());
    world.state().writing = Some(|state| state.identity.as_mut().unwrap().generation = 2);
    assert!(matches!(world.pass().await, Err(PassError::Dropped(_))));
    assert_eq!(world.done(), ["deletePod web-0"]);
}

#[tokio::test]
async fn the_fence_again_before_a_deletion_that_has_waited() {
    let new_neighbour = |state: &mut State| state.identity.as_mut().unwrap().neighbours = "other www".to_owned();
    for (waited, done) in [(1_001, 1), (1_000, 4)] {
        let world = World::new();
        world.deletes(&[0, 1, 2], Stage::default());
        let steps = vec![Step { actions: vec![owners()] }];
        world.state().answer.plan.stages.push(Stage { steps, always_run: true, ..Stage::default() });
        world.state().writing = Some(new_neighbour);
        WAITED.set(0);
        let passes = world.passes(Options { parallelism: 1, ..Options::default() });
        let pass = async {
            let pass = passes.reconcile(&key()).await;
            pass.map_err(|error| matches!(error, PassError::Dropped(why) if why.contains("same claim names")))
        };
        let waits = async {
            tokio::task::yield_now().await; // the first action is under way
            WAITED.set(waited);
        };
        let (pass, ()) = tokio::join!(pass, waits);
        assert_eq!(pass, if done == 1 { Err(true) } else { Ok(None) });
        assert_eq!(world.done().len(), done);
        assert_eq!(world.state().held, vec!["fence"; usize::from(done == 1)], "it is told once");
    }
}

#[tokio::test]
async fn the_live_set() {
    let lives =
        [Some(SetIdentity { uid: "other".to_owned(), ..identity() }), Some(SetIdentity { deleting: true, ..identity() }), None];
    for live in lives {
        let world = World::new();
        world.deletes(&[0], Stage { requires_live_set: true, ..Stage::default() });
        world.state().live = live;
        assert!(matches!(world.pass().await, Err(PassError::Dropped(why)) if why.starts_with("live set: ")));
        assert!(world.done().is_empty());
    }
}

#[tokio::test]
async fn nothing_of_a_stage_is_sent_that_is_unknown_or_a_lie() {
    let cases: [(Change, &str, bool); 3] = [
        (|state| state.answer.plan.stages[0].steps[1].actions[0].operation = None, "the operation", false),
        (|state| state.answer.unknown.stages = vec![0], "a field that restricts", false),
        (
            |state| state.answer.plan.stages[0].steps[1].actions[0].target.as_mut().unwrap().name = "db-0".to_owned(),
            "refused unsent (uid)",
            true,
        ),
    ];
    for (change, message, is_lie) in cases {
        let world = World::new();
        world.deletes(&[0, 1], Stage::default());
        change(&mut world.state());
        let why = failures(world.pass().await);
        assert!(why.len() == 1 && why[0].contains(message), "{why:?}");
        assert!(world.done().is_empty());
        assert_eq!(world.state().held.contains(&"verification".to_owned()), is_lie);
    }
}

#[derive(Deserialize)]
struct Later {
    answers: Vec<LaterAnswer>,
}

#[derive(Deserialize)]
struct LaterAnswer {
    about: String,
    response: String,
    deleted: Vec<String>,
    #[serde(default)]
    refused: String,
}

#[tokio::test]
async fn a_planner_of_a_later_release() {
    let text = fs::read_to_string(root().join("proto/testdata/later.json")).expect("the answers");
    for answer in serde_json::from_str::<Later>(&text).expect("the answers").answers {
        let world = World::new();
        let bytes = BASE64_STANDARD.decode(answer.response).expect("base64");
        let plan = PlanResponse::decode(bytes.as_slice()).expect("an answer").plan.expect("a plan");
        world.state().answer = Answer { plan, unknown: Unknown::of(&bytes) };
        let pass = world.pass().await;
        match answer.refused.as_str() {
            "" => assert!(pass.is_ok(), "{} {pass:?}", answer.about),
            "fence" => assert!(matches!(pass, Err(PassError::Dropped(_))), "{} {pass:?}", answer.about),
            refused => {
                let what = if refused == "guard" { "a field that restricts" } else { "the operation" };
                assert!(failures(pass)[0].contains(what), "{}", answer.about);
            }
        }
        let mut done = world.done();
        done.sort();
        let deleted: Vec<String> = answer.deleted.iter().map(|name| format!("deletePod {name}")).collect();
        assert_eq!(done, deleted, "{}", answer.about);
    }
}

#[tokio::test]
async fn the_gate() {
    let world = World::new();
    world.deletes(&[0], Stage::default());
    let passes = world.passes(Options::default());
    passes.reconcile(&key()).await.expect("a pass");
    world.state().shown = false;
    assert_eq!(passes.reconcile(&key()).await.expect("a pass"), Some(Duration::from_millis(100)));
    assert_eq!(world.state().held, ["gate"]);
    assert_eq!(world.state().requests.len(), 1);
    assert_eq!(world.state().asked_for_current, 0);
    world.state().shown = true;
    passes.reconcile(&key()).await.expect("a pass");
    assert_eq!(world.state().requests.len(), 2);
}

#[tokio::test]
async fn time_alone_does_not_open_the_gate() {
    let world = World::new();
    world.deletes(&[0], Stage::default());
    let passes = world.passes(Options { gate_timeout: Duration::ZERO, ..Options::default() });
    passes.reconcile(&key()).await.expect("a pass");
    world.state().shown = false;
    world.state().current = false;
    assert!(passes.reconcile(&key()).await.expect("a pass").is_some());
    assert_eq!(world.state().asked_for_current, 1);
    world.state().current = true;
    passes.reconcile(&key()).await.expect("a pass");
    assert_eq!(world.state().requests.len(), 2);
}

#[tokio::test]
async fn one_overdue_object_is_read_in_a_pass() {
    let world = World::new();
    world.deletes(&[0, 1], Stage::default());
    let passes = world.passes(Options { gate_timeout: Duration::ZERO, ..Options::default() });
    passes.reconcile(&key()).await.expect("a pass");
    world.state().shown = false;
    assert!(passes.reconcile(&key()).await.expect("a pass").is_some());
    assert_eq!(world.state().asked_for_current, 1);
    assert_eq!(world.state().requests.len(), 1);
    passes.reconcile(&key()).await.expect("a pass");
    assert_eq!(world.state().asked_for_current, 2);
    assert_eq!(world.state().requests.len(), 2);
}

#[tokio::test]
async fn owners_without_an_answer_close_the_gate() {
    let world = World::new();
    world.state().answer.plan.stages = vec![Stage { steps: vec![Step { actions: vec![owners()] }], ..Stage::default() }];
    world.fails("setClaimOwners www-web-0", "lost", OutcomeResult::Error);
    let passes = world.passes(Options::default());
    assert_eq!(failures(passes.reconcile(&key()).await), ["lost"]);
    world.state().answer.plan.stages.clear();
    world.state().current = false;
    assert!(passes.reconcile(&key()).await.expect("a pass").is_some());
    world.state().current = true;
    assert_eq!(passes.reconcile(&key()).await.expect("a pass"), None);
}

#[tokio::test]
async fn outcomes_are_told_until_the_action_succeeds_or_nobody_wants_it() {
    let world = World::new();
    world.deletes(&[0], Stage::default());
    let long = format!("quota{}é", "!".repeat(506));
    world.fails("deletePod web-0", &long, OutcomeResult::Rejected);
    let passes = world.passes(Options::default());
    let pass = async || passes.reconcile(&key()).await;
    failures(pass().await);
    failures(pass().await);
    let failing = std::mem::take(&mut world.state().failing);
    pass().await.expect("a pass");
    pass().await.expect("a pass");
    world.state().failing = failing;
    failures(pass().await);
    let stages = std::mem::take(&mut world.state().answer.plan.stages);
    world.state().answer.plan.truncated = true; // that says nothing about what was left out
    pass().await.expect("a pass");
    world.state().answer.plan.truncated = false;
    pass().await.expect("a pass");
    world.state().answer.plan.stages = stages;
    failures(pass().await);
    let requests = world.state().requests.clone();
    let told = requests.iter().map(|request| request.snapshot.as_ref().expect("a snapshot").outcomes.clone());
    let told: Vec<Vec<i32>> = told.map(|outcomes| outcomes.iter().map(|outcome| outcome.count).collect()).collect();
    assert_eq!(told, [vec![], vec![1], vec![2], vec![], vec![], vec![1], vec![1], vec![]]);
    let outcome = requests[1].snapshot.as_ref().expect("a snapshot").outcomes[0].clone();
    assert_eq!((outcome.action_id.as_str(), outcome.result()), ("delete-web-0", OutcomeResult::Rejected));
    assert_eq!(outcome.message, long.trim_end_matches('é')); // cut at a character
}

#[tokio::test]
async fn an_action_that_takes_too_long() {
    let world = World::new();
    world.deletes(&[0], Stage::default());
    world.state().hangs = true;
    let passes = world.passes(Options { action_timeout: Duration::from_millis(1), ..Options::default() });
    assert_eq!(failures(passes.reconcile(&key()).await), ["the action took too long"]);
}

#[tokio::test]
async fn when_to_ask_again() {
    let world = World::new();
    world.state().answer.plan.requeue_after = Some(prost_types::Duration { seconds: 3, nanos: 0 });
    assert_eq!(world.pass().await.expect("a pass"), Some(Duration::from_secs(3)));
    for (seconds, nanos, after) in [
        (0, 0, None),
        (-1, 0, None),
        (0, -1, None),
        (i64::MIN, 0, None),
        (i64::MAX, 0, Some(Duration::from_secs(i64::MAX.unsigned_abs()))),
    ] {
        world.state().answer.plan.requeue_after = Some(prost_types::Duration { seconds, nanos });
        assert_eq!(world.pass().await.expect("a pass"), after, "{seconds} {nanos}");
    }
    world.deletes(&[0], Stage::default());
    world.state().answer.plan.truncated = true;
    assert_eq!(world.pass().await.expect("a pass"), Some(Duration::ZERO));
}

#[tokio::test]
async fn without_a_plan_nothing_is_written() {
    let cases = [
        (Error::new(Kind::Unreachable, Code::Unavailable, "no connection"), "planner unreachable"),
        (
            Error { retry_after: Some(Duration::from_secs(9)), ..Error::new(Kind::Overloaded, Code::ResourceExhausted, "no room") },
            "planner busy",
        ),
        (Error::new(Kind::InvalidSnapshot, Code::InvalidArgument, "no uid"), "planner refused"),
    ];
    for (error, reason) in cases {
        let world = World::new();
        world.deletes(&[0], Stage::default());
        let after = error.retry_after;
        world.state().error = Some(error);
        let error = world.pass().await.expect_err("no plan");
        assert!(matches!(error, PassError::Planner(_)));
        assert_eq!(error.retry_after(), after);
        assert!(world.done().is_empty());
        assert_eq!(world.state().held, [reason]);
    }
}

#[tokio::test]
async fn a_set_that_is_gone_is_forgotten() {
    let world = World::new();
    world.deletes(&[0], Stage::default());
    let passes = world.passes(Options::default());
    passes.reconcile(&key()).await.expect("a pass");
    world.state().gone = true;
    assert_eq!(passes.reconcile(&key()).await.expect("a pass"), None);
    assert_eq!(world.state().requests.len(), 1);
    assert_eq!(world.state().forgotten, 1);
}

#[tokio::test]
async fn a_planner_that_says_never_is_asked_again_after_five_minutes() {
    let busy = Error::new(Kind::Overloaded, Code::ResourceExhausted, "no room");
    for (seconds, after) in [(299, 299), (301, 300), (u64::MAX, 300)] {
        let error = PassError::Planner(Error { retry_after: Some(Duration::from_secs(seconds)), ..busy.clone() });
        assert_eq!(error.retry_after(), Some(Duration::from_secs(after)));
    }
}
