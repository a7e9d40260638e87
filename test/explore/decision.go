package explore

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/setplan/setplan/adapters"
	"github.com/setplan/setplan/engine/model"
	"github.com/setplan/setplan/test/invariants/law"
)

// decision is a plan in the terms of the model.
type decision struct {
	writes    []write
	stages    [][]uint32 // masks of the steps of each stage; a step's writes are neighbours
	asked     uint32     // the pods whose resource version is a precondition; see flight.same
	converged bool
	done      bool
	blocks    []model.Block // without those of severity info
	problem   *Violation    // with the plan itself
}

// all returns the mask of all writes.
func (d *decision) all() uint32 { return 1<<len(d.writes) - 1 }

// next calls f for every write that may come next: steps of a stage run side by side, the writes of a step in order.
func (d *decision) next(done uint32, f func(int)) {
	for _, steps := range d.stages {
		some := false
		for _, step := range steps {
			if left := step &^ done; left != 0 {
				some = true
				f(trailing(left))
			}
		}
		if some {
			return
		}
	}
}

// planner asks the engine, once for each cluster.
type planner struct {
	config *Config
	scribe *scribe
	known  map[packed]*decision
	tally  *Tally
	viewer *viewer
	shown  law.Plan
}

func newPlanner(config *Config, tally *Tally) *planner {
	scribe := newScribe(config)
	return &planner{config: config, scribe: scribe, known: map[packed]*decision{}, tally: tally, viewer: newViewer(config, scribe)}
}

func (p *planner) decide(view packed) *decision {
	if d := p.known[view]; d != nil {
		return d
	}
	c := view.unpack()
	snapshot := p.scribe.write(&c)
	d := p.read(p.config.Decide(snapshot), &c)
	if d.problem == nil {
		d.problem = p.checkPlan(&c, d)
	}
	if d.problem == nil {
		slices.Reverse(snapshot.Pods)
		slices.Reverse(snapshot.Claims)
		slices.Reverse(snapshot.Revisions)
		d.problem = p.sameInAnyOrder(d, p.read(p.config.Decide(snapshot), &c))
	}
	p.known[view] = d
	p.tally.Decisions++
	return d
}

// read translates a plan. What the model cannot express is a problem with the plan.
func (p *planner) read(plan *model.Plan, c *cluster) *decision {
	d := &decision{converged: plan.Converged, done: plan.Done}
	for _, b := range plan.Blocks {
		if b.Severity != model.Info {
			d.blocks = append(d.blocks, b)
		}
	}
	for _, stage := range plan.Stages {
		var steps []uint32
		for _, step := range stage.Steps {
			mask := uint32(0)
			for i := range step.Actions {
				w, err := p.readAction(&step.Actions[i], c)
				if err != nil && d.problem == nil {
					d.problem = &Violation{Invariant: PlanIsMeaningful, Detail: err.Error()}
				}
				if w.version && (w.op == deletePod || w.op == evictPod || w.op == updatePod) {
					d.asked |= podKept(w.ordinal)
				}
				mask |= 1 << len(d.writes)
				d.writes = append(d.writes, w)
			}
			steps = append(steps, mask)
		}
		d.stages = append(d.stages, steps)
	}
	if len(d.writes) > 32 {
		panic("explore: a plan of more than 32 writes")
	}
	d.failures(plan)
	return d
}

// failures computes what each write's failure leaves out: the rest of its step, and later stages as its own stage says.
func (d *decision) failures(plan *model.Plan) {
	for at, stage := range plan.Stages {
		later := uint32(0)
		for j := at + 1; j < len(plan.Stages); j++ {
			other := &plan.Stages[j]
			skip := stage.OnFailure == model.Abort ||
				stage.OnFailure == model.Stop && !other.AlwaysRun ||
				stage.OnFailure == model.SkipPhase && other.Phase == stage.Phase
			if skip {
				for _, step := range d.stages[j] {
					later |= step
				}
			}
		}
		for _, step := range d.stages[at] {
			for left := step; left != 0; left &= left - 1 {
				d.writes[trailing(left)].left = left | later
			}
		}
	}
}

func (p *planner) readAction(a *model.Action, c *cluster) (write, error) {
	w := write{mustNotExist: a.MustNotExist, uid: a.UID != "", version: a.ResourceVersion != "",
		repair: a.Cause.Code == model.CauseRepair}
	wantUID := "uid-" + a.Name
	var err error
	switch op := a.Op.(type) {
	case model.CreatePod:
		if isDrainPod(op.Manifest) {
			readDrainPod(&w, a, op.Manifest)
			break
		}
		w.op = createPod
		w.rev = p.revisionIn(op.Manifest)
		w.mounts = bytes.Contains(op.Manifest, []byte(`"claimName":"`+claimName+"-"+a.Name+`"`))
		if w.rev == 0 {
			err = fmt.Errorf("%s has no revision", a.ID)
		}
	case model.DeletePod:
		w.op = deletePod
	case model.EvictPod:
		w.op = evictPod
	case model.UpdatePod:
		err = p.readUpdate(&w, a, op, c)
	case model.CreateClaim:
		w.op = createClaim
		w.drain.marks = bytes.Contains(op.Manifest, []byte(adapters.AnnotationDrainSet))
		w.asks = sizeIn(op.Manifest)
	case model.PatchClaim:
		err = readPatch(&w, a, op)
	case model.ResizePod:
		err = readResources(&w, a, op)
	case model.DeleteClaim, model.SetFinalizer, model.PatchAnnotations:
		if a.Kind == model.KindPod {
			err = readMark(&w, a)
			break
		}
		if err = readDrainAction(&w, a); w.op == setFinalizer {
			wantUID = setUID
		}
	case model.SetClaimOwners:
		w.op = setClaimOwner
		w.owner, err = p.ownerIn(op.Owners, c)
	case model.CreateRevision:
		w.op = createRevision
		w.number, err = numberIn(op.Manifest)
	case model.RenumberRevision:
		w.op, w.number = renumberRevision, op.Number
	case model.DeleteRevision:
		w.op = deleteRevision
	case model.UpdateStatus:
		w.op, wantUID = updateStatus, setUID
		w.current, w.newest = p.scribe.revisionOf(op.Status.CurrentRevision), p.scribe.revisionOf(op.Status.UpdateRevision)
		w.counters = counters{int8(op.Status.Replicas), int8(op.Status.ReadyReplicas), int8(op.Status.AvailableReplicas),
			int8(op.Status.CurrentReplicas), int8(op.Status.UpdatedReplicas)}
	default:
		return w, fmt.Errorf("%s: nothing of the model calls for %T", a.ID, op)
	}
	if w.uid && a.UID != wantUID {
		err = fmt.Errorf("%s asks for uid %s instead of %s", a.ID, a.UID, wantUID)
	}
	err = p.target(&w, a.Name, err)
	if w.op == deletePod && c.pods[w.ordinal].drain {
		w.op = deleteDrainPod
	}
	return w, err
}

// target finds the ordinal or the revision in a name.
func (p *planner) target(w *write, name string, err error) error {
	switch w.op {
	case createPod, deletePod, evictPod, updatePod, createDrainPod:
		w.ordinal = slices.Index(p.scribe.podNames[:], name)
	case createClaim, setClaimOwner, annotateClaim, deleteClaim, patchClaim:
		w.ordinal = slices.Index(p.scribe.claims[:], name)
	case createRevision, renumberRevision, deleteRevision:
		if w.rev = p.scribe.revisionOf(name); w.rev == 0 {
			return fmt.Errorf("nobody knows revision %s", name)
		}
	}
	if w.ordinal < 0 {
		w.ordinal = 0
		return fmt.Errorf("%s %s is beyond every range", w.op, name)
	}
	return err
}

func (p *planner) revisionIn(manifest []byte) revision {
	for r := revision(1); r <= revisionCount; r++ {
		if bytes.Contains(manifest, []byte(`"controller-revision-hash":"`+p.scribe.name(r)+`"`)) {
			return r
		}
	}
	return 0
}

func numberIn(manifest []byte) (int64, error) {
	_, number, _ := strings.Cut(string(manifest), `"revision":`)
	return strconv.ParseInt(strings.TrimSuffix(number, "}"), 10, 64)
}

func (p *planner) ownerIn(owners []model.Owner, c *cluster) (owner, error) {
	switch {
	case len(owners) == 0:
		return byNobody, nil
	case len(owners) > 1 || !owners[0].Controller:
		return byNobody, fmt.Errorf("a claim with owners %v", owners)
	case owners[0].UID == setUID:
		return bySet, nil
	}
	for i := range c.pods {
		if c.pods[i].exists() && owners[0].UID == p.scribe.ofPod[i][0].UID {
			return byPod, nil
		}
	}
	return byNobody, fmt.Errorf("a claim with owner %v", owners[0])
}
