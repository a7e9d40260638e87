package kube

import "strings"

// splitOrdinal splits "web-3" into "web" and "3". Whether "3" is an ordinal that the set would use is not asked here: the
// snapshot holds every name of that form, and the planner tells members from strangers.
func splitOrdinal(name string) (base, digits string, ok bool) {
	dash := strings.LastIndexByte(name, '-')
	if dash < 0 || dash == len(name)-1 {
		return "", "", false
	}
	base, digits = name[:dash], name[dash+1:]
	for i := range len(digits) {
		if digits[i] < '0' || digits[i] > '9' {
			return "", "", false
		}
	}
	return base, digits, true
}

// headsAtDashes lists what stands before each dash of a name: "a-b-c" gives "a" and "a-b". A revision's name starts with
// the name of its set and a dash, and both may hold dashes, so each head may be the set.
func headsAtDashes(name string) []string {
	var heads []string
	for i := range len(name) {
		if name[i] == '-' {
			heads = append(heads, name[:i])
		}
	}
	return heads
}

// tailsAtDashes lists what stands after each dash: "a-b-c" gives "b-c" and "c". The name of a claim without its ordinal is
// the template's name, a dash and the set's name, so each tail may be the set.
func tailsAtDashes(name string) []string {
	var tails []string
	for i := range len(name) {
		if name[i] == '-' {
			tails = append(tails, name[i+1:])
		}
	}
	return tails
}
