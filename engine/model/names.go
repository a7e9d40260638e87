package model

import (
	"math"
	"strconv"
	"strings"
)

// Names that Kubernetes fixes; they are part of a set's identity and may never change.
const (
	LabelPodName  = "statefulset.kubernetes.io/pod-name"
	LabelPodIndex = "apps.kubernetes.io/pod-index"
	LabelRevision = "controller-revision-hash"
	LabelHash     = "controller.kubernetes.io/hash"
)

// The finalizers that mean something here.
const (
	FinalizerDrain  = "setplan.io/drain"
	FinalizerOrphan = "orphan"
)

// NoOrdinal is the ordinal of a pod whose name has digits that fit no int32: a member that nothing is done with.
const NoOrdinal = -1

// ParseMember splits "web-12" into its parent and ordinal, with upstream's pattern "(.*)-([0-9]+)$" (getParentNameAnd-
// Ordinal). canonical is false for digits that no controller writes, such as "01".
func ParseMember(name string) (parent string, ordinal int32, canonical, ok bool) {
	base, ordinal, canonical := CutOrdinal(name)
	if len(base) == len(name) || base == "" || base[len(base)-1] != '-' {
		return "", NoOrdinal, false, false
	}
	return base[:len(base)-1], ordinal, canonical, true
}

// CutOrdinal cuts the digits off the end of a name, and reads them on the way.
func CutOrdinal(name string) (base string, ordinal int32, canonical bool) {
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
		return name[:at], NoOrdinal, canonical
	}
	return name[:at], int32(n), canonical
}

// CanonicalName reports whether a pod of the set has the name that the set gives to its ordinal, web-1 and not web-01.
func CanonicalName(name string) bool {
	_, _, canonical, ok := ParseMember(name)
	return ok && canonical
}

// OrdinalName is the name of what belongs to an ordinal, such as web-2.
func OrdinalName(base string, ordinal int32) string {
	return base + "-" + strconv.Itoa(int(ordinal))
}

// PodName is the name of an ordinal's pod.
func (s *Set) PodName(ordinal int32) string { return OrdinalName(s.Name, ordinal) }

// KubectlKind is the set's kind as kubectl takes it: two API groups may have one of this name.
func (s *Set) KubectlKind() string {
	kind := strings.ToLower(s.Kind)
	group, version, grouped := strings.Cut(s.APIVersion, "/")
	if !grouped || group == "apps" {
		return kind
	}
	return kind + "." + version + "." + group
}
