package law

import (
	"errors"
	"fmt"
)

// Plan is a plan as an invariant sees it.
type Plan struct {
	Upstream  bool // it is made by the rules of Kubernetes 1.36
	Converged bool
	Done      bool
	Left      string // the condition Reconciling once the plan is carried out: "True" or "False"; "": nobody writes it
	Stopped   bool   // nothing can be planned, so no status is written
	Moves     string // an action that makes, takes or changes a pod, if there is one
	Actions   []Action
	Waits     string // a block that says what is waited for, if any
	Silent    bool   // it does nothing and has no block
	Ailing    string // a pod of the set that is going, or not ready, if there is one
	Warns     bool   // a block says that a claim is not protected
	Set       *Set   // what the plan was made for; nil where nobody asks
}

// Action is one action of a plan.
type Action struct {
	fmt.Stringer
	ID, Kind, Name     string
	Creates, Exists    bool // something; it is there already
	MustNotExist       bool
	HasUID, HasVersion bool
	NeedsVersion       bool
	Shrinks            bool    // a claim is to ask for less than it does, and for no more than its volume has
	Counters           []int32 // of a status: replicas, ready, available, current, updated
}

// PlanInvariant is a rule for every plan.
type PlanInvariant struct {
	Name  string
	Holds func(*Plan) error
}

// The names of the invariants of plans.
const (
	EveryWriteHasAPrecondition = "EveryWriteHasAPrecondition"
	NothingIsCreatedTwice      = "NothingIsCreatedTwice"
	FixedPointIsEmpty          = "FixedPointIsEmpty"
	DoneIsOne                  = "DoneIsOne"
	WaitingIsExplained         = "WaitingIsExplained"
	StatusIsValid              = "StatusIsValid"
	DangerIsSaid               = "DangerIsSaid"
	VolumesNeverShrink         = "VolumesNeverShrink"
)

// OnPlan are the invariants of every plan, whether or not it is carried out.
var OnPlan = []PlanInvariant{
	{EveryWriteHasAPrecondition, everyWriteHasAPrecondition},
	{NothingIsCreatedTwice, nothingIsCreatedTwice},
	{FixedPointIsEmpty, fixedPointIsEmpty},
	{DoneIsOne, doneIsOne},
	{WaitingIsExplained, waitingIsExplained},
	{StatusIsValid, statusIsValid},
	{DangerIsSaid, dangerIsSaid},
	{VolumesNeverShrink, volumesNeverShrink},
}

// everyWriteHasAPrecondition: a create requires that nothing of the name exists. Every other write names the uid, and the resource
// version if somebody else may have written meanwhile.
func everyWriteHasAPrecondition(p *Plan) error {
	for i := range p.Actions {
		switch a := &p.Actions[i]; {
		case a.Creates && !a.MustNotExist:
			return fmt.Errorf("%s does not ask that nothing exists", a)
		case !a.Creates && !a.HasUID:
			return fmt.Errorf("%s has no uid", a)
		case a.NeedsVersion && !a.HasVersion:
			return fmt.Errorf("%s has no resource version", a)
		}
	}
	return nil
}

// nothingIsCreatedTwice: a plan creates nothing that exists, and no two of its actions are the same.
func nothingIsCreatedTwice(p *Plan) error {
	for i := range p.Actions {
		a := &p.Actions[i]
		if a.Creates && a.Exists {
			return fmt.Errorf("%s, which exists", a)
		}
		for j := range i {
			switch b := &p.Actions[j]; {
			case a.Creates && b.Creates && a.Kind == b.Kind && a.Name == b.Name:
				return fmt.Errorf("%s, twice", a)
			case a.ID != "" && a.ID == b.ID:
				return fmt.Errorf("%s has the id of another action: %s", a, a.ID)
			}
		}
	}
	return nil
}

// fixedPointIsEmpty: a plan that calls the set converged has nothing to do, to wait for or to complain about, and every pod of the set
// is ready.
func fixedPointIsEmpty(p *Plan) error {
	switch {
	case !p.Converged:
		return nil
	case len(p.Actions) > 0:
		return fmt.Errorf("converged, and yet: %s", &p.Actions[0])
	case p.Waits != "":
		return fmt.Errorf("converged, and yet: %s", p.Waits)
	case p.Ailing != "":
		return fmt.Errorf("converged, and yet %s is not ready, or going", p.Ailing)
	}
	return nil
}

// doneIsOne: the plan and the condition say the same, and a set that is done has every pod, and nothing happens to one.
func doneIsOne(p *Plan) error {
	switch {
	case p.Converged && !p.Done:
		return errors.New("converged, and not done")
	case p.Left == "True" && p.Done, p.Left == "False" && !p.Done && !p.Stopped:
		return fmt.Errorf("done is %t, and Reconciling is %s", p.Done, p.Left)
	case p.Done && p.Ailing != "":
		return fmt.Errorf("done, and yet %s is not ready, or going", p.Ailing)
	case p.Done && p.Moves != "":
		return fmt.Errorf("done, and yet: %s", p.Moves)
	}
	return nil
}

// waitingIsExplained: a plan that does nothing and is not converged says why.
func waitingIsExplained(p *Plan) error {
	if !p.Converged && p.Silent {
		return errors.New("the plan does nothing, is not converged, and says nothing")
	}
	return nil
}

// statusIsValid is what the API server requires of counters. Kubernetes 1.36 counts some pods twice (rule CountersStayTrue).
func statusIsValid(p *Plan) error {
	if p.Upstream {
		return nil
	}
	for i := range p.Actions {
		counters := p.Actions[i].Counters
		for _, n := range counters {
			if n < 0 || n > counters[0] {
				return fmt.Errorf("%s", &p.Actions[i])
			}
		}
		if len(counters) > 0 && counters[2] > counters[1] {
			return fmt.Errorf("%s", &p.Actions[i])
		}
	}
	return nil
}

// volumesNeverShrink: a request is lowered only if it stays above what its volume has. The API server refuses such a write, so that no history of
// writes has one.
func volumesNeverShrink(p *Plan) error {
	for i := range p.Actions {
		if a := &p.Actions[i]; a.Shrinks {
			return fmt.Errorf("%s asks for no more than its volume has", a)
		}
	}
	return nil
}

// dangerIsSaid: while a claim is not protected a block says so, and people can wait.
func dangerIsSaid(p *Plan) error {
	if p.Warns || p.Set == nil || p.Set.Going && !p.Set.emptied() {
		return nil
	}
	for i := range p.Set.Places {
		for j := range p.Set.Places[i].Claims {
			if k := &p.Set.Places[i].Claims[j]; p.Set.doomed(k) {
				return fmt.Errorf("claim %s is not protected, and no block says so", k.Name)
			}
		}
	}
	return nil
}

// doomed reports whether the garbage collector would delete a claim against the drain policy as soon as the set or a pod is deleted.
func (s *Set) doomed(k *Claim) bool {
	if !s.Drains || !k.Exists || k.Going || k.Empty {
		return false
	}
	return k.ByPodItself || k.BySetItself && (s.DrainsOnDelete || !s.WhenDeleted)
}
