package adapters

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"

	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

// The ways to verify plans. Of a plan that is made again the actions are checked, too: that is for bugs, then.
const (
	// VerifyReplan: the planner is this build, so this process makes each plan itself, and takes no other.
	VerifyReplan = "replan"
	// VerifyChecks: each action is compared with the snapshot, as package verify does it.
	VerifyChecks = "checks"
)

// ErrPlanDiffers is in the chain of the error of a reconcile whose planner says that it is this build, and decides otherwise.
var ErrPlanDiffers = errors.New("the planner is this build by its version, and its plan is not the one that this build makes")

// mixedFor is how long it is said that there are planners of other builds after one has answered. Several behind one address are upgraded one
// after the other, and nobody wants to hear of each answer.
const mixedFor = 10 * time.Minute

// Replan is a planner that takes nobody's word: a plan of the build that this process is, too, it makes itself, of the same request, and takes
// no other. Plans of other builds pass as they are, for the checks.
type Replan struct {
	remote, own Planner
	version     string
	clock       Clock
	changed     func(by, planner string)

	mu    sync.Mutex
	by    string
	other time.Time // when a planner of another build answered last
}

// NewReplan makes a Replan of the planner that is asked, the one of this process, and its version. changed is called with the first answer, and
// when the way to verify plans changes, with the version of the planner that answered, which can be any text. Clock is time.Now if nil.
func NewReplan(remote, own Planner, version string, clock Clock, changed func(by, planner string)) *Replan {
	if clock == nil {
		clock = time.Now
	}
	return &Replan{remote: remote, own: own, version: version, clock: clock, changed: changed}
}

// Plan implements Planner. Both plans have the time of the context together.
func (r *Replan) Plan(ctx context.Context, request *setplanv1.PlanRequest) (*setplanv1.PlanResponse, error) {
	theirs, err := r.remote.Plan(ctx, request)
	if err != nil || !r.sameBuild(theirs.GetVersion()) {
		return theirs, err
	}
	ours, err := r.own.Plan(ctx, request)
	if err != nil {
		return nil, fmt.Errorf("%w: this build makes none: %w", ErrPlanDiffers, err)
	}
	if !proto.Equal(ours, theirs) {
		return nil, fmt.Errorf("%w: the first difference is in %s", ErrPlanDiffers, difference(ours.ProtoReflect(), theirs.ProtoReflect()))
	}
	return ours, nil
}

// sameBuild reports whether a planner is this build, and says so if that is news.
func (r *Replan) sameBuild(version string) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	same, now, by := version == r.version, r.clock(), VerifyReplan
	if !same {
		r.other = now
	}
	if !r.other.IsZero() && now.Sub(r.other) < mixedFor {
		by = VerifyChecks
	}
	if by != r.by {
		r.by = by
		r.changed(by, version)
	}
	return same
}

// difference is the path of the first field in which two messages differ. It quotes no values: manifests are among them.
func difference(a, b protoreflect.Message) string {
	for i := range a.Descriptor().Fields().Len() {
		field := a.Descriptor().Fields().Get(i)
		x, y, path := a.Get(field), b.Get(field), string(field.Name())
		if a.Has(field) == b.Has(field) && x.Equal(y) {
			continue
		}
		if field.IsList() {
			n := 0
			for n < min(x.List().Len(), y.List().Len()) && x.List().Get(n).Equal(y.List().Get(n)) {
				n++
			}
			path = fmt.Sprintf("%s[%d]", path, n)
			if n == x.List().Len() || n == y.List().Len() {
				return path
			}
			x, y = x.List().Get(n), y.List().Get(n)
		} else if !a.Has(field) || !b.Has(field) {
			return path
		}
		if field.Message() != nil && !field.IsMap() {
			path += "." + difference(x.Message(), y.Message())
		}
		return path
	}
	return "fields that this build does not have"
}
