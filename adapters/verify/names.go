package verify

import (
	"math"
	"regexp"
	"strconv"
	"strings"
)

// The kinds of the contract's targets, beside the set's own.
const (
	kindPod      = "Pod"
	kindClaim    = "PersistentVolumeClaim"
	kindRevision = "ControllerRevision"
)

// The labels, annotations and the finalizer that a plan adds.
const (
	labelPodName  = "statefulset.kubernetes.io/pod-name"
	labelPodIndex = "apps.kubernetes.io/pod-index"
	labelRevision = "controller-revision-hash"
	labelHash     = "controller.kubernetes.io/hash"

	noteDrainSet      = "setplan.io/drain-set"
	noteDrainClaims   = "setplan.io/drain-claims"
	noteDrainAttempts = "setplan.io/drain-attempts"
	noteDrainBegun    = "setplan.io/drain-begun"
	noteDrainRequest  = "setplan.io/drain-request"
	noteDrainAnswer   = "setplan.io/drain-answer"

	finalizerDrain = "setplan.io/drain"
)

var aName = regexp.MustCompile(`^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$`)

// isName reports whether a text is a DNS subdomain: no slash, no dots side by side, no capital, so that it can be nothing but
// a name in a path.
func isName(text string) bool { return len(text) <= 253 && aName.MatchString(text) }

// ordinalOf reads the ordinal of "<base>-<ordinal>", written as a set writes it.
func ordinalOf(name, base string) (ordinal int64, ok bool) {
	digits, ok := strings.CutPrefix(name, base+"-")
	if !ok || digits == "" || digits[0] < '0' || digits[0] > '9' || len(digits) > 1 && digits[0] == '0' {
		return 0, false
	}
	ordinal, err := strconv.ParseInt(digits, 10, 64)
	return ordinal, err == nil && ordinal <= math.MaxInt32
}

// isMember reports whether a pod has a name that the set could have given, leading zeros included.
func isMember(name, set string) bool {
	digits, ok := strings.CutPrefix(name, set+"-")
	return ok && digits != "" && strings.Trim(digits, "0123456789") == ""
}

// claimOf splits "<template>-<set>-<ordinal>" for one of the set's claim templates; more than one may fit, by odd names.
func (v *Verifier) claimOf(name string) (ordinal int64, ok bool) {
	for _, t := range v.claimTemplates() {
		if ordinal, ok = ordinalOf(name, t.name+"-"+v.set.GetName()); ok {
			return ordinal, true
		}
	}
	return 0, false
}

// mark is what the set's drain pods and the claims under its drain policy bear.
func (v *Verifier) mark() string { return v.set.GetName() + "/" + v.set.GetUid() }

// ofSameName reports whether a mark is this set's, or an earlier one's of its name.
func (v *Verifier) ofSameName(mark string) bool {
	return strings.HasPrefix(mark, v.set.GetName()+"/")
}
