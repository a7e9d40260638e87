package testbed

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Requests counts requests by verb and resource, such as "patch statefulsets/status".
type Requests map[string]int

// writing are the verbs that change something.
var writing = []string{"create", "update", "patch", "delete", "deletecollection"}

// Writes reports whether a request changes something.
func (l *AuditLine) Writes() bool { return slices.Contains(writing, l.Verb) }

// Add counts a request.
func (r Requests) Add(line *AuditLine) {
	what := line.Verb + " " + line.ObjectRef.Resource
	if line.ObjectRef.Subresource != "" {
		what += "/" + line.ObjectRef.Subresource
	}
	r[what]++
}

// Writes is how many of them change something.
func (r Requests) Writes() int { return r.count(true) }

// Reads is how many of them change nothing.
func (r Requests) Reads() int { return r.count(false) }

func (r Requests) count(writes bool) int {
	sum := 0
	for what, count := range r {
		verb, _, _ := strings.Cut(what, " ")
		if slices.Contains(writing, verb) == writes {
			sum += count
		}
	}
	return sum
}

func (r Requests) String() string {
	var parts []string
	for _, what := range slices.Sorted(maps.Keys(r)) {
		parts = append(parts, fmt.Sprintf("%s %d", what, r[what]))
	}
	return strings.Join(parts, ", ")
}
