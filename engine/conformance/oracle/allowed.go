package oracle

// Allowance is a difference that is no divergence. The list is closed: docs/rules.md has the same points under "What is
// the same in words, and done differently".
type Allowance struct {
	Name string
	// Why nobody can tell the difference, or what would become of upstream's request.
	Why string
}

// The allowed differences, in the order in which they are printed.
var (
	nameTaken = allow("name taken",
		"upstream tries to create a pod under a name that another pod bears, and gets AlreadyExists; ours does not try")
	revisionTaken = allow("revision name taken",
		"upstream finds out by AlreadyExists that a revision's name is taken, reads that revision, and counts a collision; ours has it in the snapshot")
	unborn = allow("deleted unborn",
		"under Parallel with a nil rollingUpdate, upstream deletes by name the pod that it has just created, or could not create because of a stale claim, "+
			"whoever bears that name, and takes it off currentReplicas; ours deletes what exists and is the set's")
	emptyUpdate = allow("empty update",
		"upstream writes a pod unchanged when only the owners of its claims have changed")
	writtenTwice = allow("written twice",
		"upstream sends the same claim again in one pass, because its cache does not show the first write yet")
	rename = allow("rename",
		"upstream writes web-01 under the name web-1, which the API refuses: there is no such pod")
	historyAfterFailure = allow("history after a refused revision",
		"when upstream cannot write the update revision it trims the history all the same, with neither the current nor the update revision counted as in use; ours ends there")
	claimsAfterFailure = allow("other claims after a refused one",
		"when a claim is refused, upstream still creates the pod's other claims; ours begins with the first again in the next pass")
	ownersAfterFailure = allow("claim owners after a refused pod",
		"when a pod is refused, upstream still hands over its claims; ours does when the pod is there")
	countedAhead = allow("counted ahead",
		"ours writes a status in which the pods that the update is about to delete are off currentReplicas, also if a deletion is then refused; the next pass counts anew")
	retryAfterError = allow("retry after an error",
		"after an error upstream comes back after a backoff, and so do adapters: when is not part of the plan")
	noConditions = allow("status conditions",
		"upstream writes the status without its conditions; ours patches the fields it knows")
)

var allowances []*Allowance

func allow(name, why string) *Allowance {
	a := &Allowance{name, why}
	allowances = append(allowances, a)
	return a
}

// Allowances is the list.
func Allowances() []*Allowance { return allowances }

// tally counts how often each allowance was used.
type tally map[*Allowance]int

func (t tally) add(other tally) {
	for a, n := range other {
		t[a] += n
	}
}
