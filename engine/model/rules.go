package model

// Rules are the named points on which the two presets differ; everything else is the same. Each field says what true
// means and which public issue it answers. docs/rules.md lists them; rules_test.go has one test per field that shows
// both behaviours.
type Rules struct {
	// MaxUnavailable honours rollingUpdate.maxUnavailable. Off, one pod is updated at a time, as in Kubernetes 1.36
	// with the feature gate MaxUnavailableStatefulSet at its default.
	MaxUnavailable bool

	// BrokenPodsOutsideBudget lets the update replace an outdated pod that is not ready, although the budget of MaxUnavailable
	// is spent: one that only seems to cost no available pod counts within it, and one that is shown to be broken goes outside it,
	// one at a time (kubernetes/kubernetes#137409; see moment.go).
	BrokenPodsOutsideBudget bool

	// UnavailableFirst replaces every outdated pod of a Parallel set that is not available before one that is, and outside the budget, as
	// Kubernetes 1.37 does: a moment in which no pod is ready takes them all.
	UnavailableFirst bool

	// DeletesDespiteFailedCreates lets Parallel scale down and update although a pod or a claim of the range could
	// not be created, for example for want of quota (kubernetes/kubernetes#140858), and lets one ordinal's stuck
	// claim hold back that ordinal only. What was refused the last time, but for creations, comes last in its phase.
	DeletesDespiteFailedCreates bool

	// CanonicalOrdinalsOnly makes web-01 a stranger. Upstream takes it for ordinal 1 and then fails to rename it,
	// for ever (kubernetes/kubernetes#141094).
	CanonicalOrdinalsOnly bool

	// Recreates plans the update strategy Recreate: all outdated pods go before a new one is made. Kubernetes knows it since 1.37, behind the
	// feature gate StatefulSetRecreateStrategy, which is off by default. Where it is off, such a set is a block.
	Recreates bool

	// EndedPodsHoldNothing lets OrderedReady take away a pod outside the range that has ended, when a higher one would
	// wait for it to become available, which it never will. Upstream waits for ever.
	EndedPodsHoldNothing bool

	// PacesReplacements replaces a pod that ends as soon as it is there only once it is ten seconds old. Upstream replaces it at once, again and
	// again, if a node rejects it or an eviction manager evicts it each time (kubernetes/kubernetes#89067).
	PacesReplacements bool

	// WantedClaimsStay releases a claim that the retention policy keeps from its pod and from the set before anything else is done, makes
	// no pod on a claim that goes with an earlier pod or set, and deletes no pod with which the garbage collector would delete a claim
	// that the policy keeps, nor one that runs on a claim that is being deleted, lost or missing (see claims/held.go). Upstream lets a claim go that was handed to its pod when the set was scaled down, although the set was
	// scaled up again before that pod went. It leaves claims outside the range to a set whose whenDeleted has become Retain. It also
	// makes a pod on a claim that goes with an earlier set, or with an earlier pod unless whenScaled says Delete, and a claim that two
	// sets call their own goes with the first of them.
	WantedClaimsStay bool

	// NamesakesKeepApart leaves pods alone while an object of the set's name and of another kind, such as web of apps/v1 beside web of an own
	// kind, has pods with the set's names, or was there first and neither has pods; and it makes no pod on a claim that such an object owns.
	// Upstream knows one kind only. It makes the pods that are missing, with the other one's claims.
	NamesakesKeepApart bool

	// UneditedSetKeepsRevision leaves the newest revision alone while the status says that it was made for this very
	// generation of the set: then nobody has edited the template, and whatever differs is how an API server writes it.
	// Upstream reads both with the types of its own version, and rolls the set where those do not help
	// (kubernetes/kubernetes#134773).
	UneditedSetKeepsRevision bool

	// DeletingSetStatusOnly leaves revisions alone while the set is being deleted. Upstream may create one and may
	// trim the history in that time.
	DeletingSetStatusOnly bool

	// ReplaceNeverReady replaces a pod that has never been ready and would come back at another revision, so that a set
	// whose template was mended comes to rest by itself (kubernetes/kubernetes#67250). It is what a set without the
	// annotation setplan.io/repair gets; docs/repair.md has the whole of it.
	ReplaceNeverReady bool

	// LostRevisionHolds keeps the current revision that the status names where it is not among the set's revisions, and
	// makes no pod of it until it is there again. Upstream takes the update revision for it, so that a pod lost below the
	// partition comes back new, also where a cache that has just started lacks the revision.
	LostRevisionHolds bool

	// NoFutileWrites leaves out writes that the API always refuses: the volumes of an existing pod are immutable, so
	// a pod with wrong volumes is reported instead. And it leaves out those that change nothing: a claim's reference with the uid of
	// the set or its pod and another name, which upstream keeps as it is, is replaced.
	NoFutileWrites bool

	// KnownLimits makes no pod, no claim of it and no revision that the API server would refuse because a label, a host name or the name of a volume would
	// be too long or no DNS label, or because of too many annotations, and takes no pod away for one: a set whose next revision no pod can have stays at its current one. Upstream finds it out
	// from the refusal, when it has made claims that nobody will use, or has deleted a pod that cannot come back.
	KnownLimits bool

	StatusRules
}

// StatusRules are the points that are about what the status says.
type StatusRules struct {
	// CompletionNeedsAvailability keeps status.currentRevision until every pod is available, not just ready
	// (kubernetes/kubernetes#136831).
	CompletionNeedsAvailability bool

	// CompletesByHand makes the update revision the current one under OnDelete, too, once every pod has it and is ready, as Kubernetes does
	// since 1.37. Before, status.currentRevision stayed at the revision that nobody has any more.
	CompletesByHand bool

	// CountersStayTrue takes a pod that is deleted for an update off status.currentReplicas only if it was counted
	// there and this deletion is what takes it away, and was not refused the last time. Upstream always subtracts, down to -1, which the API rejects
	// (openshift/origin#17435), and deletes a pod that has ended twice in one pass.
	CountersStayTrue bool

	// StatusCountsCreated counts a pod of an OrderedReady set in the status of the plan that creates it, and leaves that status out if the
	// pod cannot be created. Upstream counts it in the next pass, which costs another write for each pod, and tells replicas later.
	StatusCountsCreated bool

	// StatusConditions writes the conditions Reconciling and Blocked to the set's status. Upstream writes none
	// (kubernetes/kubernetes#58004, kubernetes/enhancements#2833).
	StatusConditions bool
}

// Setplan is the default preset: what Kubernetes does, with its known bugs mended.
func Setplan() Rules {
	return Rules{
		MaxUnavailable:              true,
		BrokenPodsOutsideBudget:     true,
		DeletesDespiteFailedCreates: true,
		CanonicalOrdinalsOnly:       true,
		Recreates:                   true,
		EndedPodsHoldNothing:        true,
		PacesReplacements:           true,
		WantedClaimsStay:            true,
		NamesakesKeepApart:          true,
		UneditedSetKeepsRevision:    true,
		DeletingSetStatusOnly:       true,
		ReplaceNeverReady:           true,
		LostRevisionHolds:           true,
		NoFutileWrites:              true,
		KnownLimits:                 true,
		StatusRules: StatusRules{
			CompletionNeedsAvailability: true,
			CompletesByHand:             true,
			CountersStayTrue:            true,
			StatusCountsCreated:         true,
			StatusConditions:            true,
		},
	}
}

// Kubernetes137 is what the controller of Kubernetes 1.37.2 does with default feature gates, bugs included.
func Kubernetes137() Rules {
	return Rules{MaxUnavailable: true, UnavailableFirst: true, StatusRules: StatusRules{CompletesByHand: true}}
}

// Kubernetes136 is what the controller of Kubernetes 1.36.3 does with default feature gates, bugs included.
func Kubernetes136() Rules { return Rules{} }
