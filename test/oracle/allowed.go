package oracle

// Allowance is a difference that is not a divergence: the next pass evens it out, or the API refuses what upstream writes. The
// list is closed; docs/rules.md has its words.
type Allowance struct {
	Name string
	// Upstream and Here say what each side does.
	Upstream, Here string
}

// The allowed differences, in the order in which they are printed.
var (
	nameTaken = allow("name taken",
		"tries to create a pod under a name that another pod bears, and gets AlreadyExists", "a block, no write")
	revisionTaken = allow("revision name taken",
		"finds out by AlreadyExists that a revision's name is taken, reads that revision, and counts a collision",
		"knows from the snapshot")
	unborn = allow("deleted unborn",
		"under Parallel with a nil `rollingUpdate`, deletes by name the pod that it has just created, or could not create because of a "+
			"stale claim, whoever bears that name, and takes it off `currentReplicas`",
		"deletes only what exists and is the set's")
	emptyUpdate = allow("empty update",
		"writes a pod unchanged when only the owners of its claims have changed", "leaves the write out")
	writtenTwice = allow("written twice",
		"sends the same claim twice in one pass, because its cache does not show the first write", "once")
	rename = allow("rename",
		"writes `web-01` under the name `web-1`, which the API refuses: there is no such pod", "a block, no write")
	historyAfterFailure = allow("history after a refused revision",
		"when it cannot write the update revision, trims the history all the same, with neither the current nor the update revision "+
			"counted as in use",
		"ends there")
	claimsAfterFailure = allow("other claims after a refused one",
		"when a claim is refused, still creates the pod's other claims", "begins with the first again in the next pass")
	ownersAfterFailure = allow("claim owners after a refused pod",
		"when a pod is refused, still hands over its claims", "does so when the pod is there")
	countedAhead = allow("counted ahead",
		"takes a pod that it deletes for the update off `currentReplicas`, and says that it recreates a set, when the deletion has gone well",
		"does so when the deletion is planned; the next pass counts again")
	handedOver = allow("handed over before a recreation",
		"under `Recreate`, deletes pods outside the range before they own their claims, so that `whenScaled: Delete` deletes none of these",
		"hands the claims over first")
	retryAfterError = allow("retry after an error",
		"comes back after a back-off when something failed", "so do adapters: when is not part of a plan")
	noConditions = allow("status conditions",
		"writes the whole status, without the conditions that others keep there", "patches the fields that it knows")
)

var allowances []*Allowance

func allow(name, upstream, here string) *Allowance {
	a := &Allowance{name, upstream, here}
	allowances = append(allowances, a)
	return a
}

// Allowances returns the list.
func Allowances() []*Allowance { return allowances }

// tally counts how often each allowance was used.
type tally map[*Allowance]int

func (t tally) add(other tally) {
	for a, n := range other {
		t[a] += n
	}
}
