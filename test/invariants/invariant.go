package invariants

import (
	"time"

	"k8s.io/apimachinery/pkg/types"

	"github.com/setplan/setplan/adapters/sim"
	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

// Check is one write as an invariant sees it.
type Check struct {
	Before   sim.State // the truth before the write
	View     *sim.View // what the adapter that wrote acted on; nil if somebody else wrote
	Set      string    // the set that it wrote for
	Event    sim.Event
	Now      time.Time // by the clock of who wrote: of an adapter, when its view was made
	Behavior setplanv1.Behavior
	WasReady map[types.UID]bool // pods that have been ready, now or earlier
	Promises *Promises
}

// Invariant is something that no write may break. Rules about what an adapter may do look at its view: it cannot know
// more. Rules that the API's preconditions guarantee look at the truth.
type Invariant struct {
	Name  string
	Holds func(*Check) error
}

// Invariants are checked after every write.
var Invariants = []Invariant{
	{"AtMostOne", AtMostOne},
	{"OrderedReady", OrderedReady},
	{"UpdateWithinBudget", UpdateWithinBudget},
	{"BelowPartitionStaysOld", BelowPartitionStaysOld},
	{"ClaimsFollowRetention", ClaimsFollowRetention},
	{"ClaimsBeforePods", ClaimsBeforePods},
	{"WantedClaimsStay", WantedClaimsStay},
	{"DataIsDrained", DataIsDrained},
	{"FinalizerComesLast", FinalizerComesLast},
	{"DrainsInOrder", DrainsInOrder},
	{"OnlyMarkedIsDrained", OnlyMarkedIsDrained},
	{"NeighboursKeepTheirs", NeighboursKeepTheirs},
	{"DeletingSetStatusOnly", DeletingSetStatusOnly},
	{"RevisionsOnlyGrow", RevisionsOnlyGrow},
	{"OnlyItsOwn", OnlyItsOwn},
}

// PlanInvariant is something that must hold for every plan.
type PlanInvariant struct {
	Name  string
	Holds func(*setplanv1.PlanRequest, *setplanv1.Plan) error
}

// PlanInvariants are checked for every plan before it is applied.
var PlanInvariants = []PlanInvariant{
	{"EveryWriteHasAPrecondition", EveryWriteHasAPrecondition},
	{"NothingIsCreatedTwice", NothingIsCreatedTwice},
	{"FixedPointIsEmpty", FixedPointIsEmpty},
	{"WaitingIsExplained", WaitingIsExplained},
	{"PlansAreAccepted", PlansAreAccepted},
}
