package kube

import (
	"maps"
	"slices"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

// shared is what the pods of a set have in common, each part as text in one form only. It is made when a pod arrives, and
// equal ones are one object from then on: a snapshot compares pointers, and a cache of ten thousand pods holds one copy.
type shared struct {
	base     string // the name without "-<digits>"; empty where it has none
	labels   string // without the identity labels that have fields of their own
	owners   string
	volumes  string // those bound to the claim "<volume>-<pod name>"
	revision string // the label controller-revision-hash
}

// separator cannot stand in a name, a label or a uid.
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

// revisionText tells an empty label from none.
func revisionText(value string) string { return "=" + value }

func revisionName(text string) string { return text[1:] }

func volumesText(volumes []string) string {
	return strings.Join(volumes, separator)
}

func volumeSet(text string) *setplanv1.VolumeSet {
	return &setplanv1.VolumeSet{Volumes: strings.Split(text, separator)}
}

func ownersText(references []metav1.OwnerReference) string {
	var text strings.Builder
	for i := range references {
		r := &references[i]
		for _, part := range []string{r.APIVersion, r.Kind, r.Name, string(r.UID), flag(r.Controller), flag(r.BlockOwnerDeletion)} {
			text.WriteString(part + separator)
		}
	}
	return text.String()
}

func ownerSet(text string) *setplanv1.OwnerSet {
	out := &setplanv1.OwnerSet{}
	for parts := strings.Split(text, separator); len(parts) > 6; parts = parts[6:] {
		out.Owners = append(out.Owners, &setplanv1.OwnerReference{
			ApiVersion: parts[0], Kind: parts[1], Name: parts[2], Uid: parts[3],
			Controller: parts[4] == yes, BlockOwnerDeletion: parts[5] == yes,
		})
	}
	return out
}

// yes is a flag that is true; one that is not is empty.
const yes = "1"

func flag(b *bool) string {
	if b != nil && *b {
		return yes
	}
	return ""
}
