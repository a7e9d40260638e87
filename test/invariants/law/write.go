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
	Ordinal int // of a pod or a claim; -1 for one whose name is none of the set's

	Revision string   // of a pod that is created, or the revision that is written
	Claims   []string // that a drain pod which is created mounts; nil: all of its place
	Claim    Claim    // a claim as it will be; of one that is deleted, the name
	Intruded bool     // references of others to a claim are not as they were
	Promised bool     // of CollectClaim: nobody had a reason to think that the data goes

	Number, Before int64 // of a revision, and what it was
	DataChanged    bool

	Unsigned bool // it may be another controller's, which knows of no drains

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

// Check is one write as an invariant sees it. What an adapter may do is judged by what it knows; what preconditions guarantee by
// what there is.
type Check struct {
	Seen  *Set // what whoever writes knows, its own earlier writes included; nil if it is none of ours
	Truth *Set // what there is before the write; nil if nobody asks
	Write Write
}

// place is where the write is, as it was seen; nil where it is none of the set's.
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
