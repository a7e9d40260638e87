package engine

import (
	"math"
	"strconv"
	"strings"
)

// Names that Kubernetes fixes; they are part of a set's identity and may never change.
const (
	labelPodName  = "statefulset.kubernetes.io/pod-name"
	labelPodIndex = "apps.kubernetes.io/pod-index"
	labelRevision = "controller-revision-hash"
	labelHash     = "controller.kubernetes.io/hash"
)

// The finalizers that mean something here.
const (
	finalizerDrain  = "setplan.io/drain"
	finalizerOrphan = "orphan"
)

// noOrdinal is the ordinal of a pod whose name has digits that fit no int32: a member that nothing is done with.
const noOrdinal = -1

// parseMember splits "web-12" into its parent and ordinal, with upstream's pattern "(.*)-([0-9]+)$" (getParentNameAnd-
// Ordinal). canonical is false for digits that no controller writes, such as "01".
func parseMember(name string) (parent string, ordinal int32, canonical, ok bool) {
	digits := len(name)
	for digits > 0 && name[digits-1] >= '0' && name[digits-1] <= '9' {
		digits--
	}
	if digits == len(name) || digits == 0 || name[digits-1] != '-' {
		return "", noOrdinal, false, false
	}
	ordinal, canonical = parseOrdinal(name[digits:])
	return name[:digits-1], ordinal, canonical, true
}

// parseOrdinal reads digits, of which there is at least one.
func parseOrdinal(digits string) (ordinal int32, canonical bool) {
	canonical = len(digits) == 1 || digits[0] != '0'
	n := int64(0)
	for i := 0; i < len(digits); i++ {
		if n = 10*n + int64(digits[i]-'0'); n > math.MaxInt32 {
			return noOrdinal, canonical
		}
	}
	return int32(n), canonical
}

// parseClaim returns the ordinal of the claim "<prefix><ordinal>"; names with other digits are nobody's claim.
func parseClaim(name, prefix string) (ordinal int32, ok bool) {
	if !strings.HasPrefix(name, prefix) {
		return 0, false
	}
	digits := name[len(prefix):]
	for i := 0; i < len(digits); i++ {
		if digits[i] < '0' || digits[i] > '9' {
			return 0, false
		}
	}
	if digits == "" {
		return 0, false
	}
	ordinal, canonical := parseOrdinal(digits)
	return ordinal, canonical && ordinal != noOrdinal
}

// canonicalName reports whether a pod of the set has the name that the set gives to its ordinal, web-1 and not web-01.
func canonicalName(name string) bool {
	_, _, canonical, ok := parseMember(name)
	return ok && canonical
}

func ordinalName(base string, ordinal int32) string {
	return base + "-" + strconv.Itoa(int(ordinal))
}

func (s *Set) podName(ordinal int32) string { return ordinalName(s.Name, ordinal) }

// ordinalOf reads the ordinal that a pod's name means to this set.
func (v *view) ordinalOf(p *Pod) (ordinal int32, ok bool) {
	parent, ordinal, canonical, ok := parseMember(p.Name)
	return ordinal, ok && canonical && ordinal != noOrdinal && parent == v.set.Name
}
