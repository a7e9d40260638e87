package kube

// headsAtDashes lists the parts before each dash of a name: "a-b-c" gives "a" and "a-b". A revision's name starts with the name
// of its set and a dash, and both may contain dashes, so each part may be the set.
func headsAtDashes(name string) []string {
	var heads []string
	for i := range len(name) {
		if name[i] == '-' {
			heads = append(heads, name[:i])
		}
	}
	return heads
}

// tailsAtDashes lists the parts after each dash: "a-b-c" gives "b-c" and "c". The name of a claim without its ordinal is the
// template's name, a dash and the set's name, so each part may be the set.
func tailsAtDashes(name string) []string {
	var tails []string
	for i := range len(name) {
		if name[i] == '-' {
			tails = append(tails, name[i+1:])
		}
	}
	return tails
}
