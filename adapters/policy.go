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
// the planner thought. Every annotation under our prefix counts, those of a later release too, and the older names of a
// drain template; "" is a set without any.
func PolicyOf(annotations map[string]string) string {
	hash, found := sha256.New(), false
	for _, name := range slices.Sorted(maps.Keys(annotations)) {
		if strings.HasPrefix(name, annotationPrefix) || slices.Contains(drainTemplates, name) {
			_, _ = fmt.Fprintf(hash, "%q %q\n", name, annotations[name])
			found = true
		}
	}
	if !found {
		return ""
	}
	return hex.EncodeToString(hash.Sum(nil))
}

const annotationPrefix = "setplan.io/"
