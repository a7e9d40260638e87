package snapshot

import (
	"maps"
	"slices"
	"strings"

	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

const annotationPrefix = "setplan.io/"

// Bounds of what snapshots carry of an object's annotations: whoever may annotate pods could make each request for their set too large, and a
// planner that lies was one of them. No planner writes more; of a longer text the beginning is carried, which is none that a planner writes.
const (
	longestNote   = 1 << 10
	longestRecord = 64 << 10 // of one that grows with the pod
	mostNotes     = 32
	// longestNotes are those of all objects together. Beyond them a set of annotations has brief texts.
	longestNotes = 24 << 20
	brief        = 64
)

var recordNotes = map[string]bool{"setplan.io/in-place-update": true, "setplan.io/drain-claims": true}

// ownAnnotations are the annotations that snapshots carry: all those under our prefix, also of later releases, up to a number. Their texts are
// unchanged up to a length, except that invalid UTF-8, which protobuf cannot carry, becomes U+FFFD as in JSON. Nil if there are none, as for
// nearly all objects.
func ownAnnotations(annotations map[string]string) map[string]string {
	var own map[string]string
	for name, text := range annotations {
		if !strings.HasPrefix(name, annotationPrefix) {
			continue
		}
		if own == nil {
			own = map[string]string{}
		}
		most := longestNote
		if recordNotes[name] {
			most = longestRecord
		}
		own[name] = beginning(text, most)
	}
	if len(own) > mostNotes {
		for _, name := range slices.Sorted(maps.Keys(own))[mostNotes:] {
			delete(own, name)
		}
	}
	return own
}

func beginning(text string, most int) string {
	text = validText(text)
	return strings.ToValidUTF8(text[:min(len(text), most)], "")
}

// notesOf is the text of a set of annotations as it fits a request.
func (t *Tables) notesOf(text string) string {
	if len(text) <= longestNote || t.long[text] {
		return text
	}
	if t.longBytes += len(text); t.longBytes <= longestNotes {
		if t.long == nil {
			t.long = map[string]bool{}
		}
		t.long[text] = true
		return text
	}
	notes := annotationSet(text).Annotations
	for name, note := range notes {
		notes[name] = beginning(note, brief)
	}
	return annotationsText(notes)
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
