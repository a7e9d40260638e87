package adapters

import "errors"

// Reasons that Observer.Held gets. They are metric labels and event reasons too, so there are few of them.
const (
	// ReasonGate: the caches have not shown an earlier write of this set yet.
	ReasonGate = "gate"
	// ReasonGateTimeout: they have not shown it for long, and a look at the object itself says that they are behind, or failed.
	ReasonGateTimeout = "gate timeout"
	// ReasonForeignWriter: another controller writes this set.
	ReasonForeignWriter = "foreign writer"
	// ReasonSnapshot: the cluster could not be read.
	ReasonSnapshot = "snapshot"
	// ReasonPlannerUnreachable: no answer came. Nothing is changed until there is one.
	ReasonPlannerUnreachable = "planner unreachable"
	// ReasonPlannerRefused: the planner answered that it makes no plan for this snapshot.
	ReasonPlannerRefused = "planner refused"
	// ReasonPlannerBusy: the planner is there, has too much to do, and asks to come again.
	ReasonPlannerBusy = "planner busy"
	// ReasonReplan: the planner is this build, by its version, and its plan is another one than this build makes.
	ReasonReplan = "replan"
	// ReasonFence: the set is not the one the plan was made for, or the plan is too old.
	ReasonFence = "fence"
	// ReasonLiveSet: the set, read past the caches, is gone, being deleted, or another one.
	ReasonLiveSet = "live set"
	// ReasonVerification: a stage of the plan wants what no plan for this set could mean; nothing of the stage is sent.
	ReasonVerification = "verification"
)

// ErrPlanDropped is in the chain of the error of a reconcile whose plan was dropped, wholly or from some stage on,
// because the world had moved. The next reconcile plans anew; nobody has to act.
var ErrPlanDropped = errors.New("plan dropped")

// ErrPlannerUnreachable is in the chain of the error of a reconcile that got no answer from the planner.
var ErrPlannerUnreachable = errors.New("no answer from the planner")

// ErrCallerRefused is in the chain of the error of a reconcile whose planner serves this adapter for no set: its certificate or token is
// nobody's, or it has none to show.
var ErrCallerRefused = errors.New("the planner does not serve this adapter")

// ErrPlannerBusy is in the chain of the error of a reconcile whose question the planner had no room for.
var ErrPlannerBusy = errors.New("the planner is overloaded")

// ErrUnknownOperation is the failure of an action that this build has no code for.
var ErrUnknownOperation = errors.New("this adapter does not know the operation")
