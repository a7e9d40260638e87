package snapshot

import (
	"maps"
	"slices"
	"strings"

	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

const annotationPrefix = "setplan.io/"

// ownAnnotations are the annotations that snapshots carry: all those under our prefix, also of later releases. Their texts are
// unchanged, except that invalid UTF-8, which protobuf cannot carry, becomes U+FFFD as in JSON. Nil if there are none, as for nearly
// all objects.
func ownAnnotations(annotations map[string]string) map[string]string {
	var own map[string]string
	for name, text := range annotations {
		if !strings.HasPrefix(name, annotationPrefix) {
			continue
		}
		if own == nil {
			own = map[string]string{}
		}
		own[name] = validText(text)
	}
	return own
}

// annotationsText writes each part after its length, because an annotation may hold any character.
func annotationsText(annotations map[string]string) string {
	own := ownAnnotations(annotations)
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
