package law

import (
	"slices"
	"time"
)

// Set is a StatefulSet and its objects at one moment: as an adapter knows them, or as they are.
type Set struct {
	Gone      bool // the set no longer exists, only what it has left
	Going     bool // it is being deleted
	Orphans   bool // and leaves its pods behind
	Finalizer bool // it has the finalizer of the drain
	Upstream  bool // the set asks for the behavior of Kubernetes
	OneByOne  bool // it knows no budget, as Kubernetes 1.36 with its gate off
	Unready   bool // it replaces all outdated pods that are not available first, as Kubernetes 1.37 does in a Parallel set

	Start, Replicas int
	Reserved        []int // ordinals that the set does not have, ascending
	Guarded         bool  // only pods of reserved ordinals may leave
	Paused          Pause
	Ranked          bool // pods are updated by their ranks; of the truth: by the same ones as those that were seen
	Budgets         bool // disruption budgets are respected
	Gates
	InPlace, KeepsPods      bool // an outdated pod may be updated in place, and may not be deleted for an update
	ScaleUpLimit            int  // most pods of a Parallel set that were created and are not ready; 0: no limit
	Parallel, OnDelete      bool
	Recreates               bool // all outdated pods go before one is made at the update revision
	Partition, Budget       int
	Unpartitioned           bool // there is no rollingUpdate: the revisions of pods follow from how many have them
	SideBySide              int  // how many writes of an update may come in any order; 1 where they come as planned
	WhenScaled, WhenDeleted bool // the retention policy: true is Delete
	Shares                  bool // another set uses the same claim names

	Repair                        Repair
	Drains, DrainsOnDelete        bool // there is a drain policy; it holds for the deletion of the set, too
	Leftovers, Asks, CancelsDrain bool // choices of the policy

	Current, Update string     // the revisions of pods below the partition, and of the others; "" if unknown
	Named           string     // the current revision in the status, whether or not it exists
	CountedCurrent  int        // status.currentReplicas
	Revisions       []Revision // those of the set

	// Places are the ordinals that are in the range or have objects, in ascending order.
	Places []Place
}

// Pause is what the set asks to hold back. Each pause holds back what the one before does, and more.
type Pause uint8

// The pauses.
const (
	PauseNothing Pause = iota
	PauseUpdates
	PauseHealOnly
	PauseAll
)

// Repair is the repair policy.
type Repair uint8

// The repair policies.
const (
	RepairNever Repair = iota
	RepairNeverReady
	RepairUnready
)

// Revision is a stored revision of the set.
type Revision struct {
	Name   string
	Number int64
}

// Place is an ordinal: the pod of that name, and a claim for each claim template.
type Place struct {
	Ordinal int
	Pod     Pod
	Claims  []Claim
}

// Pod is the pod with the name of a place.
type Pod struct {
	Exists    bool
	Ours      bool // the set controls it
	Drain     bool // it is a drain pod of the set
	Going     bool // it is being deleted
	Ready     bool
	Available bool // ready for long enough, and not being deleted
	WasReady  bool // it is ready, or has been
	Lately    bool // it is not ready, and was less than Moment ago, or its node does not answer and it may serve
	Starting  bool // it was made less than Moment ago and is not ready, or containers of it start again in place since then
	Failed    bool
	Succeeded bool
	Young     bool // too young for a repair
	Selected  bool // the selector matches it
	Asked     bool // it is asked whether it may go
	Chosen    bool // somebody wants it recreated
	Restarts  bool // it is recreated so that a file system grows
	Rank      int  // 0 of a pod without one, -1 if it cannot be read
	Revision  string
	Under     string // the revision whose images or resources it is given in place; "": none, or its containers are known to have them
	RunsOn    bool   // nothing of it starts again for that
	Lacks     bool   // it has not got the resources of that
	Refused   bool   // its node does not give them, and the set recreates such a pod by now
	Kept      bool   // its node does not give them, and the set goes on without it
	MayLeave  string // the revision to which somebody has agreed that it is updated
	Confirmed string // the revision with which somebody has agreed that the update goes on
}

// Moment is how long a pod that was ready counts as a member, whether or not it is ready.
const Moment = time.Minute

// member reports whether a pod is to be reckoned with: it is ready, or may be again in a moment. What it is at one moment proves nothing.
func (p *Pod) member() bool { return p.Ready || p.Lately || p.Young }

func (p *Pod) replica() bool { return p.Exists && p.Ours && !p.Drain }

// at is the revision that the pod is made to run. Its label says so only once it does.
func (p *Pod) at() string {
	if p.Under != "" {
		return p.Under
	}
	return p.Revision
}

// Unreadable is what a pod is under whose note cannot be read: what it runs is not known.
const Unreadable = "?"

// serves reports whether the pod is available, and no container of it is to start again.
func (p *Pod) serves() bool {
	return p.Available && (p.Under == "" || p.Under == Unreadable || p.RunsOn)
}

// anew reports whether the pod may be recreated although it is at its revision.
func (p *Pod) anew() bool  { return p.Chosen || p.Restarts }
func (p *Pod) ended() bool { return p.Failed || p.Succeeded }

// Mark says whose drain mark a claim has.
type Mark uint8

// The marks.
const (
	Unmarked Mark = iota
	Ours
	Earlier // an earlier set's of that name
	Others
)

// Claim is a claim of a place.
type Claim struct {
	Name          string
	Exists, Going bool
	WithoutIt     []string // revisions whose pods do not have it

	BySet, ByPod             bool // it refers to the set, or to the place's pod, by name
	BySetItself, ByPodItself bool // the same, with the uid of the existing one
	Uncontrolled             bool // such a reference is not a controller's
	Managed                  bool // somebody else is its controller

	Mark       Mark
	Drained    bool   // a drain pod of it has succeeded, and the viewer can see that
	Empty      bool   // a drain pod of it has succeeded
	Listed     bool   // the existing drain pod drains it
	Attempted  bool   // it has a count of drain pods
	SharedWith string // another set that uses the same claim name
}

// at returns a place; nil if it is outside the range and empty.
func (s *Set) at(ordinal int) *Place {
	for i := range s.Places {
		if s.Places[i].Ordinal == ordinal {
			return &s.Places[i]
		}
	}
	return nil
}

// end is the first ordinal above the range.
func (s *Set) end() int {
	end := s.Start + s.Replicas
	for _, ordinal := range s.Reserved {
		if ordinal >= s.Start && ordinal < end {
			end++
		}
	}
	return end
}

func (s *Set) inRange(ordinal int) bool {
	return ordinal >= s.Start && ordinal < s.end() && !slices.Contains(s.Reserved, ordinal)
}

// emptied reports whether the set is drained for its deletion: then its range is empty.
func (s *Set) emptied() bool { return s.Going && !s.Orphans && s.Finalizer && s.DrainsOnDelete }

// leaves reports whether an ordinal must become empty.
func (s *Set) leaves(ordinal int) bool { return s.emptied() || !s.inRange(ordinal) }

// unavailable counts the ordinals of the range without a pod that serves.
func (s *Set) unavailable() int {
	n := 0
	for i := range s.Places {
		if p := &s.Places[i]; s.inRange(p.Ordinal) && !p.Pod.serves() {
			n++
		}
	}
	return n
}

// WantedOwner is the table of the retention policy. Claims that are to be drained belong to nobody, because the drain deletes them, and
// so do claims that may hold another set's data. Those of a pod that the guard keeps stay with it.
func (s *Set) WantedOwner(ordinal int) (bySet, byPod bool) {
	if s.Shares && !s.Upstream {
		return false, false
	}
	byPod = s.WhenScaled && !s.inRange(ordinal) && !s.keepsOrdinal(ordinal) && !s.Drains
	return s.goWithSet() && !byPod, byPod
}

// goWithSet reports whether the policy wants claims to be deleted with the set.
func (s *Set) goWithSet() bool {
	return s.WhenDeleted && !s.DrainsOnDelete && !s.Finalizer && (!s.Shares || s.Upstream)
}

// ComesBackAt is the revision of a replacement pod.
func (s *Set) ComesBackAt(ordinal int) string {
	if s.Recreates && s.anyOutdated() {
		return s.heldTo()
	}
	old, at := s.Partition, ordinal-s.Start
	if s.Unpartitioned && !s.Ranked && !s.Recreates {
		old, at = -s.leavingCurrent(), s.slot(ordinal)
		for i := range s.Places {
			if p := &s.Places[i]; p.Ordinal != ordinal && p.Pod.replica() && !p.Pod.Going && p.Pod.Revision == s.Current {
				old++
			}
		}
	}
	if at < old {
		return s.heldTo()
	}
	return s.Update
}

// anyOutdated reports whether a pod of another revision is there, in the range or outside it.
func (s *Set) anyOutdated() bool {
	return slices.ContainsFunc(s.Places, func(p Place) bool { return p.Pod.replica() && p.Pod.Revision != s.Update })
}

// slot is how many ordinals of the range are below one.
func (s *Set) slot(ordinal int) int {
	below := ordinal - s.Start
	for _, reserved := range s.Reserved {
		if reserved >= s.Start && reserved < ordinal {
			below--
		}
	}
	return below
}

// heldTo is the revision of pods below the partition. If the one that the status names does not exist, Kubernetes takes another one, and we
// hold to the name.
func (s *Set) heldTo() string {
	if s.Named != "" && !s.Upstream {
		return s.Named
	}
	return s.Current
}

// leavingCurrent counts the pods outside the range at the current revision that may stay: a policy keeps them waiting, the guard keeps
// them, or they wait for whom they are replaced by. They do not influence the revisions of replacements in the range.
func (s *Set) leavingCurrent() int {
	leaving := 0
	gaps := slices.ContainsFunc(s.Reserved, func(ordinal int) bool { return ordinal >= s.Start }) // those below the start are not missed
	for i := range s.Places {
		p := &s.Places[i]
		if (s.Drains || s.Asks || s.Guarded || gaps) && !s.inRange(p.Ordinal) && p.Pod.replica() && !p.Pod.Going && p.Pod.Revision == s.heldTo() {
			leaving++
		}
	}
	return leaving
}
