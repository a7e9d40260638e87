package adapters

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// PolicyOf names what a set's annotations ask for, so that the fence can tell that a policy was removed or changed while
// the planner thought. Every annotation under a prefix that the planner may read counts, those of a later release too; "" is a
// set without any.
func PolicyOf(annotations map[string]string) string {
	hash, found := sha256.New(), false
	for _, name := range slices.Sorted(maps.Keys(annotations)) {
		if strings.HasPrefix(name, annotationPrefix) || strings.HasPrefix(name, olderPrefix) {
			_, _ = fmt.Fprintf(hash, "%q %q\n", name, annotations[name])
			found = true
		}
	}
	if !found {
		return ""
	}
	return hex.EncodeToString(hash.Sum(nil))
}

// annotationPrefix is that of our annotations, and olderPrefix that of what drain templates were called before.
const (
	annotationPrefix = "setplan.io/"
	olderPrefix      = "statefulsets.kubernetes.io/"
)
