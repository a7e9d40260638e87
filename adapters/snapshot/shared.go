package snapshot

import (
	"maps"
	"slices"
	"strings"
	"unique"

	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

// Shared is what pods of a set have in common, or its claims. Equal values are one object: a cache of ten thousand pods holds one
// copy.
type Shared struct{ handle unique.Handle[shared] }

// Base is the name of a pod without "-<digits>"; empty for other names and for claims.
func (s Shared) Base() string { return s.handle.Value().base }

// shared holds the parts as canonical texts.
type shared struct {
	base     string
	labels   string // without the identity labels that have their own fields
	owners   string
	volumes  string // those bound to the claim "<volume>-<pod name>"
	revision string // the label controller-revision-hash

	annotations string // those that snapshots carry
	storage     string // what a claim asks for and has
}

// separator occurs neither in labels nor in names of volumes.
const separator = "\x00"

func labelsText(labels map[string]string) string {
	var text strings.Builder
	for _, name := range slices.Sorted(maps.Keys(labels)) {
		text.WriteString(name + separator + labels[name] + separator)
	}
	return text.String()
}

func labelSet(text string) *setplanv1.LabelSet {
	out := &setplanv1.LabelSet{Labels: map[string]string{}}
	for text != "" {
		var name, value string
		name, text, _ = strings.Cut(text, separator)
		value, text, _ = strings.Cut(text, separator)
		out.Labels[name] = value
	}
	return out
}

// revisionText distinguishes an empty label from none.
func revisionText(value string) string { return "=" + value }

func revisionName(text string) string { return strings.TrimPrefix(text, "=") }

func volumesText(volumes []string) string {
	return strings.Join(volumes, separator)
}

func volumeSet(text string) *setplanv1.VolumeSet {
	if text == "" {
		return &setplanv1.VolumeSet{}
	}
	return &setplanv1.VolumeSet{Volumes: strings.Split(text, separator)}
}
