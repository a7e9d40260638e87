package upstream

import "regexp"

// memberName is upstream's statefulPodRegex, which is not exported; sync's filter uses it.
var memberName = regexp.MustCompile("(.*)-([0-9]+)$")

func parentName(pod string) string {
	if parts := memberName.FindStringSubmatch(pod); len(parts) == 3 {
		return parts[1]
	}
	return ""
}
