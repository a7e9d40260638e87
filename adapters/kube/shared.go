package kube

import (
	"encoding/binary"
	"maps"
	"slices"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/setplan/setplan/adapters"
	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

// shared is what the pods of a set have in common, or its claims, each part as text in one form only. It is made when a pod arrives, and
// equal ones are one object from then on: a snapshot compares pointers, and a cache of ten thousand pods holds one copy.
type shared struct {
	base     string // the name without "-<digits>"; empty where it has none
	labels   string // without the identity labels that have fields of their own
	owners   string
	volumes  string // those bound to the claim "<volume>-<pod name>"
	revision string // the label controller-revision-hash

	annotations string // those that snapshots carry
}

// separator can stand neither in a label nor in the name of a volume.
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

// annotationsText writes each part with its length before it: an annotation may hold any character.
func annotationsText(annotations map[string]string) string {
	own := adapters.OwnAnnotations(annotations)
	if len(own) == 0 {
		return ""
	}
	var text []byte
	for _, name := range slices.Sorted(maps.Keys(own)) {
		text = appendPart(appendPart(text, name), own[name])
	}
	return string(text)
}

func annotationSet(text string) *setplanv1.AnnotationSet {
	out := &setplanv1.AnnotationSet{Annotations: map[string]string{}}
	for text != "" {
		var name, value string
		name, text = cutPart(text)
		value, text = cutPart(text)
		out.Annotations[name] = value
	}
	return out
}

// ownersText does the same: names and uids of owners may hold any character.
func ownersText(references []metav1.OwnerReference) string {
	var text []byte
	for i := range references {
		r := &references[i]
		for _, part := range [ownerParts]string{r.APIVersion, r.Kind, r.Name, string(r.UID), flag(r.Controller), flag(r.BlockOwnerDeletion)} {
			text = appendPart(text, part)
		}
	}
	return string(text)
}

func appendPart(text []byte, part string) []byte {
	return append(binary.AppendUvarint(text, uint64(len(part))), part...)
}

const ownerParts = 6

func ownerSet(text string) *setplanv1.OwnerSet {
	out := &setplanv1.OwnerSet{}
	for text != "" {
		var parts [ownerParts]string
		for i := range parts {
			parts[i], text = cutPart(text)
		}
		out.Owners = append(out.Owners, &setplanv1.OwnerReference{
			ApiVersion: parts[0], Kind: parts[1], Name: parts[2], Uid: parts[3],
			Controller: parts[4] == yes, BlockOwnerDeletion: parts[5] == yes,
		})
	}
	return out
}

// cutPart takes the first part off what appendPart has written.
func cutPart(text string) (part, rest string) {
	length, prefix := binary.Uvarint([]byte(text[:min(len(text), binary.MaxVarintLen64)]))
	end := prefix + int(length)
	return text[prefix:end], text[end:]
}

// yes is a flag that is true; one that is not is empty.
const yes = "1"

func flag(b *bool) string {
	if b != nil && *b {
		return yes
	}
	return ""
}
