package law

import "slices"

// Set is a StatefulSet and what has to do with it at one moment: as whoever writes knows it, or as it is.
type Set struct {
	Gone      bool // there is no set any more, only what it has left
	Going     bool // it is being deleted
	Orphans   bool // and leaves its pods behind
	Finalizer bool // it has the finalizer of the drain
	Upstream  bool // what is asked for is the behavior of Kubernetes 1.36

	Start, Replicas         int
	Reserved                []int // ordinals that the set does not have, ascending
	Guarded                 bool  // only pods of reserved ordinals may leave
	Paused                  Pause
	Parallel, OnDelete      bool
	Partition, Budget       int
	Unpartitioned           bool // there is no rollingUpdate: the revisions of pods follow from how many have them
	SideBySide              int  // how many writes of an update may come in any order; 1 where they come as planned
	WhenScaled, WhenDeleted bool // the retention policy: true is Delete
	Shares                  bool // another set calls claims as this one does

	Repair                        Repair
	Drains, DrainsOnDelete        bool // there is a drain policy; it holds for the deletion of the set, too
	Leftovers, Asks, CancelsDrain bool // choices of the policy

	Current, Update string     // the revisions of pods below the partition, and of the others; "" if nobody can tell
	Named           string     // the current revision in the status, whether it is there or not
	CountedCurrent  int        // status.currentReplicas
	Revisions       []Revision // those of the set

	// Places are the ordinals that are in the range, or have something, from the lowest up.
	Places []Place
}

// Pause is what the set asks to be held back; each holds back what the one before does.
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

// Place is what has an ordinal: the pod of that name, and a claim for each claim template.
type Place struct {
	Ordinal int
	Pod     Pod
	Claims  []Claim
}

// Pod is what bears the name of a place's pod.
type Pod struct {
	Exists    bool
	Ours      bool // the set controls it
	Drain     bool // it is a drain pod of the set
	Going     bool // it is being deleted
	Ready     bool
	Available bool // ready for long enough, and not going
	WasReady  bool // it is ready, or has been
	Failed    bool
	Succeeded bool
	Young     bool // too young for a repair
	Selected  bool // the selector matches it
	Asked     bool // it is asked whether it may go
	Revision  string
}

func (p *Pod) replica() bool { return p.Exists && p.Ours && !p.Drain }
func (p *Pod) ended() bool   { return p.Failed || p.Succeeded }

// Mark says whose mark of a drain a claim bears.
type Mark uint8

// The marks.
const (
	Unmarked Mark = iota
	Ours
	Earlier // of a set of that name that is gone
	Others
)

// Claim is a claim of a place.
type Claim struct {
	Name          string
	Exists, Going bool

	BySet, ByPod             bool // it refers to the set, or to the place's pod, by name
	BySetItself, ByPodItself bool // the same, with the uid of the one that is there
	Uncontrolled             bool // such a reference is no controller's
	Managed                  bool // somebody else is its controller

	Mark       Mark
	Drained    bool   // a drain pod of it has succeeded, and whoever looks at it sees that
	Empty      bool   // a drain pod of it has succeeded
	Listed     bool   // the drain pod that is there drains it
	Attempted  bool   // drain pods of it are counted
	SharedWith string // another set that calls it its own
}

// at returns a place, nil if nothing is there and it is outside the range.
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

// emptied reports whether the set is deleted and drained first: then nothing is in the range any more.
func (s *Set) emptied() bool { return s.Going && !s.Orphans && s.Finalizer && s.DrainsOnDelete }

// leaves reports whether nothing is to stay at an ordinal.
func (s *Set) leaves(ordinal int) bool { return s.emptied() || !s.inRange(ordinal) }

// unavailable counts the ordinals of the range without an available pod.
func (s *Set) unavailable() int {
	n := 0
	for i := range s.Places {
		if p := &s.Places[i]; s.inRange(p.Ordinal) && !p.Pod.Available {
			n++
		}
	}
	return n
}

// WantedOwner is the table of the retention policy. What is to be drained belongs to nobody: the drain deletes it. Neither does what may be
// another set's data.
func (s *Set) WantedOwner(ordinal int) (bySet, byPod bool) {
	if s.Shares && !s.Upstream {
		return false, false
	}
	byPod = s.WhenScaled && !s.inRange(ordinal) && !s.Drains
	return s.goWithSet() && !byPod, byPod
}

// goWithSet reports whether the policy wants claims to be deleted with the set.
func (s *Set) goWithSet() bool {
	return s.WhenDeleted && !s.DrainsOnDelete && !s.Finalizer && (!s.Shares || s.Upstream)
}

// ComesBackAt is the revision of the pod that is made in another one's place.
func (s *Set) ComesBackAt(ordinal int) string {
	old := s.Partition
	if s.Unpartitioned {
		old = -s.leavingCurrent()
		for i := range s.Places {
			if p := &s.Places[i]; p.Ordinal != ordinal && p.Pod.replica() && !p.Pod.Going && p.Pod.Revision == s.Current {
				old++
			}
		}
	}
	if ordinal-s.Start < old {
		return s.Current
	}
	return s.Update
}

// leavingCurrent counts what a policy may keep waiting outside the range at the current revision, and what therefore has no
// part in where the pods of the range come back.
func (s *Set) leavingCurrent() int {
	leaving := 0
	for i := range s.Places {
		p := &s.Places[i]
		if (s.Drains || s.Asks) && !s.inRange(p.Ordinal) && p.Pod.replica() && !p.Pod.Going && p.Pod.Revision == s.Current {
			leaving++
		}
	}
	return leaving
}
