package verify

import (
	"bytes"
	"strings"
	"testing"

	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

// TestNoteOfAPod: a pod gets the label of another revision unless it is on its way to a third one. A note counts for the pod whose uid it has, and what every
// pod of a template has says nothing of one of them.
func TestNoteOfAPod(t *testing.T) {
	to := func(revision string) string { return strings.ReplaceAll(toNew, "web-new", revision) }
	for reason, row := range map[string]struct {
		text, everyPod string // what the pod has, and the template
		refused        bool
	}{
		"nothing is under way":   {nothingUnderWay, "", false},
		"it is on its way there": {to("web-new"), "", false},
		"it has come back":       {to("web-old"), "", false},
		"it is on its way":       {to("web-unused"), "", true},
		"another uid":            {strings.ReplaceAll(to("web-unused"), "uid-web-1", "uid-web-2"), "", false},
		"no uid":                 {strings.ReplaceAll(to("web-new"), `,"uid":"uid-web-1"`, ""), "", true},
		"of every pod":           {"?", "?", false},
		"of no pod":              {"?", "!", true},
	} {
		s := truths["update_pod"]()
		s.snapshot = inPlace()
		s.snapshot.Revisions[0].Data = bytes.Replace(s.snapshot.Revisions[0].Data, []byte(`"old":"1"`), []byte(`"old":"1","`+noteUpdate+`":"`+row.everyPod+`"`), 1)
		s.snapshot.Tables.AnnotationSets = append(s.snapshot.Tables.AnnotationSets, &setplanv1.AnnotationSet{Annotations: map[string]string{noteUpdate: row.text}})
		s.snapshot.Pods[1].AnnotationSetIndex = uint32(len(s.snapshot.Tables.AnnotationSets) - 1)
		if err := s.verdict(list); (err != nil) != row.refused {
			t.Errorf("%s: %v", reason, err)
		}
	}
}
