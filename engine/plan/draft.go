package plan

import (
	"slices"
	"strings"
	"time"

	"github.com/setplan/setplan/engine/model"
	"github.com/setplan/setplan/engine/prose"
)

// Limits of one plan. A plan that reaches one is cut there and says so (Plan.Truncated); the adapter applies it and asks again, so nothing is lost but a
// round trip.
const (
	// maxActions bounds the actions of one phase; each phase has its own budget, so that none starves another.
	maxActions = 1_000
	// maxManifestBytes is the size at which a plan gets no further manifest or other long operation, so that it fits a message;
	// maxBytes is the same for all other actions.
	maxManifestBytes = 8 << 20
	maxBytes         = 2 * maxManifestBytes
	// maxAge is how long after the snapshot a plan may still be applied.
	maxAge = time.Minute
)

// Draft is the plan that a pass is writing, and what bounds it. Passes add to it and read little of it.
type Draft struct {
	*Caller
	Plan     *model.Plan
	Replaces bool // a pod that has ended is replaced as soon as it is old enough
	set      *model.Set
	can      model.Capabilities
	now      time.Time
	outcomes []model.Outcome

	budget    int                       // actions that the current phase may still emit
	full      bool                      // the current phase reached a limit
	bytes     int                       // of the actions so far
	incapable model.Capabilities        // operations that a block has already reported as missing
	edition   int                       // see Edition
	reported  int                       // stages that ReportFailures has seen
	failed    map[string]*model.Outcome // by the id of the action

	keeps    map[string]bool // uids of pods that this plan must not delete
	restarts map[string]bool // uids of pods whose containers the plan starts again
	told     map[blockOf]bool

	blocks []blockCount // by code, from the first block on
}

// Begin begins the draft of a snapshot's plan.
func Begin(s *model.Snapshot, c *Caller) Draft {
	return Draft{Caller: c, Plan: &model.Plan{Fence: model.Fence{SetUID: s.Set.UID, Generation: s.Set.Generation, MaxAge: maxAge}},
		set: &s.Set, can: s.Capabilities, now: s.ObservedAt, outcomes: s.Outcomes, failed: failures(s.Outcomes)}
}

// StartPhase gives the current phase its own budget of actions.
func (out *Draft) StartPhase() { out.budget, out.full = maxActions, out.Ends() }

// Add adds a stage unless it is empty.
func (out *Draft) Add(stage model.Stage) {
	if len(stage.Steps) > 0 {
		out.Plan.Stages = append(out.Plan.Stages, stage)
		out.edition++
	}
}

// Edition changes whenever a stage is added or taken out.
func (out *Draft) Edition() int { return out.edition }

// Full reports whether the current phase has reached a limit.
func (out *Draft) Full() bool { return out.full }

// Can reports whether the adapter can do something.
func (out *Draft) Can(what model.Capabilities) bool { return out.can&what != 0 }

// Keep notes a pod that this plan must not delete, by its uid.
func (out *Draft) Keep(uid string) {
	if out.keeps == nil {
		out.keeps = map[string]bool{}
	}
	out.keeps[uid] = true
}

// Emit adds an action to a step. It returns false if the adapter does not support the action or the plan is full; the pass must then
// plan nothing that builds on it.
func (out *Draft) Emit(step *model.Step, a model.Action, facts ...string) bool {
	if !out.Fits(&a) {
		return false
	}
	out.budget--
	a.ID = actionID(&a, facts)
	size := sizeOf(&a)
	out.bytes += size
	step.Actions = append(step.Actions, a)
	return true
}

// Fits reports whether an action may be emitted. Passes ask before they make a long operation.
func (out *Draft) Fits(a *model.Action) bool {
	can := a.Op.Traits().Capability
	if a.Op.Traits().Destructive && out.keeps[a.UID] {
		return false // DRAIN_UNPROTECTED says why
	}
	if !out.Able(a) {
		return false
	}
	most := maxBytes
	if can&(model.CanCreatePod|model.CanCreateClaim|model.CanPatchPod|model.CanUpdatePod|model.CanUpdateImages|model.CanResizePod|model.CanPatchClaim|model.CanSetClaimOwners) != 0 {
		most = maxManifestBytes // the rest is for other actions, above all the status
	}
	if out.budget == 0 || out.bytes > most {
		out.full, out.Plan.Truncated = true, true
		return false
	}
	return true
}

// Able reports whether the adapter supports an operation, before anything is made that needs it.
func (out *Draft) Able(a *model.Action) bool {
	can := a.Op.Traits().Capability
	if out.can&can == 0 && out.incapable&can == 0 {
		out.incapable |= can
		out.Block(blockCapabilityMissing(a))
	}
	return out.can&can != 0
}

// Finish reports what has failed before, sorts the blocks and says whether the set has converged.
func (out *Draft) Finish() {
	out.ReportFailures()
	out.sumUpBlocks()
	slices.SortStableFunc(out.Plan.Blocks, CompareBlocks)
	waiting := slices.ContainsFunc(out.Plan.Blocks, func(b model.Block) bool { return b.Severity != model.Info })
	out.Plan.Done = out.Plan.Done && !out.Plan.Truncated
	out.Plan.Converged = out.Plan.Done && len(out.Plan.Stages) == 0 && !waiting && out.Plan.RequeueAfter == 0
}

// CompareBlocks is the order of blocks in a plan: by kind, name and code.
func CompareBlocks(a, b model.Block) int {
	if c := strings.Compare(a.Kind, b.Kind); c != 0 {
		return c
	}
	if c := strings.Compare(a.Name, b.Name); c != 0 {
		return c
	}
	return int(a.Code) - int(b.Code)
}

// Failed is the outcome of an action that failed the last time; nil: it did not, or was not tried.
func (out *Draft) Failed(a *model.Action, facts ...string) *model.Outcome {
	if len(out.failed) == 0 {
		return nil
	}
	return out.failed[actionID(a, facts)]
}

// failures are the outcomes of actions that have failed, by the id of the action.
func failures(outcomes []model.Outcome) map[string]*model.Outcome {
	if len(outcomes) == 0 {
		return nil
	}
	failed := make(map[string]*model.Outcome, len(outcomes))
	for i := range outcomes {
		o := &outcomes[i]
		if other := failed[o.ActionID]; other == nil || o.Message < other.Message || o.Message == other.Message && o.TriedAt.Before(other.TriedAt) {
			failed[o.ActionID] = o // one is enough, and the same one whatever the order of the list
		}
	}
	return failed
}

// NoneFailed reports whether no action is known to have failed.
func (out *Draft) NoneFailed() bool { return len(out.failed) == 0 }

// AnyFailed reports whether an action has failed otherwise than by a disruption budget or a node that is too small, which say nothing about creates.
func (out *Draft) AnyFailed() bool {
	return slices.ContainsFunc(out.outcomes, func(o model.Outcome) bool {
		return o.Result != model.OutcomeDisruptionBudget && !refusedResize(&o)
	})
}

// refusedResize reports whether a node is too small for a pod. Of another action, or without its time, this result says nothing but that it was refused.
func refusedResize(o *model.Outcome) bool {
	return o.Result == model.OutcomeNodeCapacity && !o.TriedAt.IsZero() && strings.HasPrefix(o.ActionID, model.ResizePod{}.Traits().Name+"/")
}

// ReportFailures adds a block for every action that is planned again although it failed the last time. It looks at the stages added
// since its last call.
func (out *Draft) ReportFailures() {
	stages := out.Plan.Stages[out.reported:]
	if len(out.outcomes) == 0 || len(stages) == 0 {
		return
	}
	out.reported = len(out.Plan.Stages)
	for _, stage := range stages {
		for _, step := range stage.Steps {
			for i := range step.Actions {
				if o := out.failed[step.Actions[i].ID]; o != nil && !refusedResize(o) { // RESIZE_INFEASIBLE says that
					out.Block(blockFailedBefore(&step.Actions[i], o))
				}
			}
		}
	}
}

func blockFailedBefore(a *model.Action, o *model.Outcome) model.Block {
	if o.Result == model.OutcomeDisruptionBudget {
		return BlockDisruptionBudget(a, o)
	}
	return blockActionFailedBefore(a, o)
}

// LookAgainIn requests another pass after a positive time; the soonest one counts.
func (out *Draft) LookAgainIn(wait time.Duration) {
	if wait <= 0 {
		return
	}
	if out.Plan.RequeueAfter == 0 || wait < out.Plan.RequeueAfter {
		out.Plan.RequeueAfter = wait
	}
}

// NoteRestart notes that the plan starts containers of this pod anew.
func (out *Draft) NoteRestart(p *model.Pod) {
	if out.restarts == nil {
		out.restarts = map[string]bool{}
	}
	out.restarts[p.UID] = true
}

// maxBlocks is the limit of blocks of one code. Of thousands of pods that wait for the same thing, the plan lists some and counts the
// rest.
const maxBlocks = 1_000

// blockCount counts the blocks of one code.
type blockCount struct {
	all  int // more than the plan has, where there are too many
	last int // place of the last one that the plan has
}

// Block adds a block to the plan, unless there are enough of its code. It reports whether it did.
func (out *Draft) Block(b model.Block) bool {
	n := out.counted(b.Code)
	if n.all++; n.all > maxBlocks {
		return false
	}
	if b.Since.After(out.now) { // by another clock
		b.Since = time.Time{}
	}
	if !b.NotBefore.After(out.now) { // what could happen has not happened, for another reason
		b.NotBefore = time.Time{}
	}
	n.last = len(out.Plan.Blocks)
	b.Remedy = prose.InNamespace(b.Remedy, out.set.Namespace)
	out.Plan.Blocks = append(out.Plan.Blocks, b)
	return true
}

// TellOnce adds a block about an object once, however many parts of a pass look at it.
func (out *Draft) TellOnce(b model.Block) {
	of := blockOf{b.Code, b.Name}
	if out.told[of] {
		return
	}
	if out.told == nil {
		out.told = map[blockOf]bool{}
	}
	out.told[of] = true
	out.Block(b)
}

// Told reports whether TellOnce has told this.
func (out *Draft) Told(code model.BlockCode, name string) bool { return out.told[blockOf{code, name}] }

// Count is how many blocks of a code there are, those that the plan does not list included.
func (out *Draft) Count(code model.BlockCode) int { return out.counted(code).all }

type blockOf struct {
	code model.BlockCode
	name string
}

// Enough reports whether the plan takes no more blocks of a code.
func (out *Draft) Enough(code model.BlockCode) bool { return out.counted(code).all >= maxBlocks }

// Omit counts blocks that nobody makes, because there are enough.
func (out *Draft) Omit(code model.BlockCode, n int) { out.counted(code).all += n }

func (out *Draft) counted(code model.BlockCode) *blockCount {
	if out.blocks == nil {
		out.blocks = make([]blockCount, len(model.BlockNames))
	}
	return &out.blocks[code]
}

// sumUpBlocks says how many blocks the plan does not list.
func (out *Draft) sumUpBlocks() {
	for i := range out.blocks {
		if n := &out.blocks[i]; n.all > maxBlocks {
			out.Plan.Blocks[n.last].Message += prose.SameHoldsUnlisted(n.all - maxBlocks)
		}
	}
}
