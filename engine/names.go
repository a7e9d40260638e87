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
	base, ordinal, canonical := cutOrdinal(name)
	if len(base) == len(name) || base == "" || base[len(base)-1] != '-' {
		return "", noOrdinal, false, false
	}
	return base[:len(base)-1], ordinal, canonical, true
}

// cutOrdinal cuts the digits off the end of a name, and reads them on the way.
func cutOrdinal(name string) (base string, ordinal int32, canonical bool) {
	at, n, unit := len(name), int64(0), int64(1)
	for ; at > 0; at-- {
		digit := int64(name[at-1]) - '0'
		if digit < 0 || digit > 9 {
			break
		}
		if unit <= math.MaxInt32 {
			n += digit * unit
			unit *= 10
		} else if digit != 0 {
			n = math.MaxInt64
		}
	}
	canonical = len(name)-at == 1 || at < len(name) && name[at] != '0'
	if n > math.MaxInt32 {
		return name[:at], noOrdinal, canonical
	}
	return name[:at], int32(n), canonical
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

// kubectlKind is the set's kind as kubectl takes it: two API groups may have one of this name.
func (s *Set) kubectlKind() string {
	kind := strings.ToLower(s.Kind)
	group, version, grouped := strings.Cut(s.APIVersion, "/")
	if !grouped || group == "apps" {
		return kind
	}
	return kind + "." + version + "." + group
}
