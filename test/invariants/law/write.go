package law

// Operation is what a write does.
type Operation uint8

// The operations.
const (
	CreatePod Operation = iota
	DeletePod
	ChangePod
	CreateDrainPod
	DeleteDrainPod
	CreateClaim
	SetClaimOwners
	ChangeClaim
	DeleteClaim
	CollectClaim // by the garbage collector
	CreateRevision
	RenumberRevision
	ChangeRevision
	DeleteRevision
	UpdateStatus
	AddFinalizer // of the drain
	RemoveFinalizer
)

// Write is one write.
type Write struct {
	Op      Operation
	Ordinal int // of a pod or a claim; -1 for a name that is not the set's

	Revision   string   // of a created pod, or the revision that is written
	Claims     []string // that a created pod mounts; nil: the history does not say
	Claim      Claim    // a claim as it will be; only its name if it is deleted
	Relabelled bool     // a pod that is changed is said to be at the revision from now on
	Sent       bool     // a pod that is changed is on its way to the revision from now on
	Restarts   bool     // and its images change, or containers start again to get other resources
	Resized    string   // what is wrong with the resources that a pod is given; "": nothing
	Differs    string   // what else that revision has, and the one before had not, than labels and annotations, or than these and images and noted resources
	Unproven   string   // of a pod that is said to be at the revision: a container that does not run what the revision says

	Intruded bool // others' references in a claim have changed
	Promised bool // of CollectClaim: nobody had reason to expect that data would be deleted

	Twice bool // a claim asks for more, while it waits for what it asked for before

	Number, Before int64 // of a revision, and what it was
	DataChanged    bool

	Evicted   bool // of a pod: its disruption budget was asked
	BelowWant bool // of a pod: fewer are left healthy than a disruption budget wants

	Unsigned bool // it may be another controller's, which knows no drains

	Strange bool // the set controls neither the object before nor what it becomes
	Cause   Cause
}

// Cause is why a pod of the range is deleted.
type Cause uint8

// The causes.
const (
	Untold Cause = iota // the history does not know
	Updated
	Repaired
)

// Check is one write as an invariant sees it. What an adapter may do is judged by what it knows; what preconditions guarantee is judged
// by the truth.
type Check struct {
	Seen  *Set // what the writer knows, its own earlier writes included; nil if it is not one of ours
	Truth *Set // the state before the write; nil if no invariant needs it
	Write Write
}

// place returns the place of the write as the writer sees it; nil if it is not the set's.
func (c *Check) place() *Place { return c.Seen.at(c.Write.Ordinal) }

// claim finds a claim of a place.
func (p *Place) claim(name string) *Claim {
	for i := range p.Claims {
		if p.Claims[i].Name == name {
			return &p.Claims[i]
		}
	}
	return nil
}
