package engine

import (
	"slices"
	"strings"
	"time"

	"github.com/setplan/setplan/engine/model"
	"github.com/setplan/setplan/engine/prose"
)

// draft is the plan that a pass is writing, and what bounds it. Passes add to it and read little of it.
type draft struct {
	*caller
	plan     *model.Plan
	set      *model.Set
	can      model.Capabilities
	now      time.Time
	outcomes []model.Outcome

	budget    int                       // actions that the current phase may still emit
	full      bool                      // the current phase reached a limit
	bytes     int                       // of the actions so far
	incapable model.Capabilities        // operations that a block has already reported as missing
	reported  int                       // stages that reportFailures has seen
	failed    map[string]*model.Outcome // see failures

	changed map[string]bool // claims that this plan changes, at the resource version that it saw
	keeps   map[string]bool // uids of pods that this plan must not delete
	updated map[string]bool // uids of pods that this plan updates in place, or brings on their way there
	// restarts are uids of pods whose containers the plan starts again.
	restarts map[string]bool
	first    map[string]bool // those of them that are written to before they can be updated
	taken    map[string]bool // uids of pods that this plan takes away, of a set whose pods have ranks
	told     map[blockOf]bool
	waiting  string // name of a pod that is not ready, and of which a block says why the update does not take it yet

	blocks []blockCount // by code, from the first block on

	counts    bool // the status may count the pod as gone that takeAway has planned last
	uncertain bool // the status counts what an eviction does, and a budget may refuse it

	replicasRead, replicasChange bool // see changesReplicas

	created string // revision of the replica that the plan creates; of an OrderedReady set, which gets one at a time
}

func newDraft(s *model.Snapshot, c *caller) draft {
	return draft{caller: c, plan: &model.Plan{Fence: model.Fence{SetUID: s.Set.UID, Generation: s.Set.Generation, MaxAge: maxAge}},
		set: &s.Set, can: s.Capabilities, now: s.ObservedAt, outcomes: s.Outcomes}
}

// startPhase gives the current phase its own budget of actions.
func (out *draft) startPhase() { out.budget, out.full = maxActions, out.ends() }

// stage adds a stage unless it is empty.
func (out *draft) stage(stage model.Stage) {
	if len(stage.Steps) > 0 {
		out.plan.Stages = append(out.plan.Stages, stage)
		out.replicasRead = false
	}
}

// emit adds an action to a step. It returns false if the adapter does not support the action or the plan is full; the pass must then
// plan nothing that builds on it.
func (out *draft) emit(step *model.Step, a model.Action, facts ...string) bool {
	if !out.fits(&a) {
		return false
	}
	out.budget--
	a.ID = actionID(&a, facts)
	size := sizeOf(&a)
	out.bytes += size
	step.Actions = append(step.Actions, a)
	return true
}

// fits reports whether an action may be emitted. Passes ask before they make a long operation.
func (out *draft) fits(a *model.Action) bool {
	can := a.Op.Traits().Capability
	if a.Op.Traits().Destructive && out.keeps[a.UID] {
		return false // DRAIN_UNPROTECTED says why
	}
	if !out.able(a) {
		return false
	}
	most := maxBytes
	if can&(model.CanCreatePod|model.CanCreateClaim|model.CanPatchPod|model.CanUpdatePod|model.CanUpdateImages|model.CanResizePod|model.CanPatchClaim|model.CanSetClaimOwners) != 0 {
		most = maxManifestBytes // the rest is for other actions, above all the status
	}
	if out.budget == 0 || out.bytes > most {
		out.full, out.plan.Truncated = true, true
		return false
	}
	return true
}

// able reports whether the adapter supports an operation, before anything is made that needs it.
func (out *draft) able(a *model.Action) bool {
	can := a.Op.Traits().Capability
	if out.can&can == 0 && out.incapable&can == 0 {
		out.incapable |= can
		out.block(blockCapabilityMissing(a))
	}
	return out.can&can != 0
}

// finish sorts the blocks and says whether the set has converged.
func (out *draft) finish() {
	out.sumUpBlocks()
	slices.SortStableFunc(out.plan.Blocks, compareBlocks)
	waiting := slices.ContainsFunc(out.plan.Blocks, func(b model.Block) bool { return b.Severity != model.Info })
	out.plan.Done = out.plan.Done && !out.plan.Truncated
	out.plan.Converged = out.plan.Done && len(out.plan.Stages) == 0 && !waiting && out.plan.RequeueAfter == 0
}

func compareBlocks(a, b model.Block) int {
	if c := strings.Compare(a.Kind, b.Kind); c != 0 {
		return c
	}
	if c := strings.Compare(a.Name, b.Name); c != 0 {
		return c
	}
	return int(a.Code) - int(b.Code)
}

// failures are the outcomes of actions that have failed, by the id of the action.
func (out *draft) failures() map[string]*model.Outcome {
	if out.failed == nil && len(out.outcomes) > 0 {
		out.failed = make(map[string]*model.Outcome, len(out.outcomes))
		for i := range out.outcomes {
			o := &out.outcomes[i]
			if other := out.failed[o.ActionID]; other == nil || o.Message < other.Message || o.Message == other.Message && o.TriedAt.Before(other.TriedAt) {
				out.failed[o.ActionID] = o // one is enough, and the same one whatever the order of the list
			}
		}
	}
	return out.failed
}

// anyFailed reports whether an action has failed otherwise than by a disruption budget, which says nothing about creates.
func (out *draft) anyFailed() bool {
	return slices.ContainsFunc(out.outcomes, func(o model.Outcome) bool { return o.Result != model.OutcomeDisruptionBudget })
}

// reportFailures adds a block for every action that is planned again although it failed the last time. It looks at the stages added
// since its last call.
func (out *draft) reportFailures() {
	stages := out.plan.Stages[out.reported:]
	if len(out.outcomes) == 0 || len(stages) == 0 {
		return
	}
	failed := out.failures()
	out.reported = len(out.plan.Stages)
	for _, stage := range stages {
		for _, step := range stage.Steps {
			for i := range step.Actions {
				if o := failed[step.Actions[i].ID]; o != nil {
					out.block(blockFailedBefore(&step.Actions[i], o))
				}
			}
		}
	}
}

func blockFailedBefore(a *model.Action, o *model.Outcome) model.Block {
	if o.Result == model.OutcomeDisruptionBudget {
		return blockDisruptionBudget(a, o)
	}
	return blockActionFailedBefore(a, o)
}

// lookAgainIn requests another pass after a positive time; the soonest one counts.
func (out *draft) lookAgainIn(wait time.Duration) {
	if out.plan.RequeueAfter == 0 || wait < out.plan.RequeueAfter {
		out.plan.RequeueAfter = wait
	}
}

// noteUpdated prevents a second write to this pod at a stale version. first: its update is still to come.
func (out *draft) noteUpdated(p *model.Pod, first bool) {
	if out.updated == nil {
		out.updated, out.first = map[string]bool{}, map[string]bool{}
	}
	out.updated[p.UID], out.first[p.UID] = true, first
}

// noteRestart notes that the plan starts containers of this pod anew.
func (out *draft) noteRestart(p *model.Pod) {
	if out.restarts == nil {
		out.restarts = map[string]bool{}
	}
	out.restarts[p.UID] = true
}

// noteChange prevents a second write to this claim at a stale version.
func (out *draft) noteChange(c *model.Claim) {
	if out.changed == nil {
		out.changed = map[string]bool{}
	}
	out.changed[c.Name] = true
}

// maxBlocks is the limit of blocks of one code. Of thousands of pods that wait for the same thing, the plan lists some and counts the
// rest.
const maxBlocks = 1_000

// blockCount counts the blocks of one code.
type blockCount struct {
	all  int // more than the plan has, where there are too many
	last int // place of the last one that the plan has
}

// block adds a block to the plan, unless there are enough of its code. It reports whether it did.
func (out *draft) block(b model.Block) bool {
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
	n.last = len(out.plan.Blocks)
	b.Remedy = prose.InNamespace(b.Remedy, out.set.Namespace)
	out.plan.Blocks = append(out.plan.Blocks, b)
	return true
}

// tellOnce adds a block about an object once, however many parts of a pass look at it.
func (out *draft) tellOnce(b model.Block) {
	of := blockOf{b.Code, b.Name}
	if out.told[of] {
		return
	}
	if out.told == nil {
		out.told = map[blockOf]bool{}
	}
	out.told[of] = true
	out.block(b)
}

type blockOf struct {
	code model.BlockCode
	name string
}

// enough reports whether the plan takes no more blocks of a code; omit counts further ones without making them.
func (out *draft) enough(code model.BlockCode) bool { return out.counted(code).all >= maxBlocks }

func (out *draft) omit(code model.BlockCode, n int) { out.counted(code).all += n }

func (out *draft) counted(code model.BlockCode) *blockCount {
	if out.blocks == nil {
		out.blocks = make([]blockCount, len(model.BlockNames))
	}
	return &out.blocks[code]
}

// sumUpBlocks says how many blocks the plan does not list.
func (out *draft) sumUpBlocks() {
	for i := range out.blocks {
		if n := &out.blocks[i]; n.all > maxBlocks {
			out.plan.Blocks[n.last].Message += prose.SameHoldsUnlisted(n.all - maxBlocks)
		}
	}
}
