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
	text := name[digits:]
	canonical = len(text) == 1 || text[0] != '0'
	n, err := strconv.ParseInt(text, 10, 32)
	if err != nil || n > math.MaxInt32 {
		return name[:digits-1], noOrdinal, canonical, true
	}
	return name[:digits-1], int32(n), canonical, true
}

// parseClaim returns the ordinal of the claim "<prefix><ordinal>"; names with other digits are nobody's claim.
func parseClaim(name, prefix string) (ordinal int32, ok bool) {
	if !strings.HasPrefix(name, prefix) {
		return 0, false
	}
	text := name[len(prefix):]
	if text == "" || text[0] < '0' || text[0] > '9' || len(text) > 1 && text[0] == '0' {
		return 0, false
	}
	n, err := strconv.ParseInt(text, 10, 32)
	return int32(n), err == nil
}

func ordinalName(base string, ordinal int32) string {
	return base + "-" + strconv.Itoa(int(ordinal))
}

func (s *Set) podName(ordinal int32) string { return ordinalName(s.Name, ordinal) }
