package verify

import (
	"bytes"
	"strings"
	"testing"
)

// TestTemplateWithARecord: what every pod of a template has says nothing of one of them, and such a pod is updated like a marked one.
func TestTemplateWithARecord(t *testing.T) {
	for reason, row := range map[string]struct {
		everyPod string // what the template says
		refused  bool
	}{
		"of every pod": {"?", false},
		"of another":   {"!", true},
	} {
		s := truths["update_pod with images"]()
		s.snapshot = inPlaceImages("?")
		for _, text := range []*[]byte{&s.snapshot.Set.PodTemplate, &s.snapshot.Revisions[0].Data, &s.snapshot.Revisions[1].Data} {
			*text = bytes.Replace(*text, []byte(`"a":"b"`), []byte(`"a":"b","`+noteUpdate+`":"`+row.everyPod+`"`), 1)
		}
		if err := s.verdict(list); (err != nil) != row.refused {
			t.Errorf("%s: %v", reason, err)
		}
	}
}

// TestNoteOfAnother: what was copied from another pod says nothing of a pod. It is updated like one that is only marked.
func TestNoteOfAnother(t *testing.T) {
	copied := func(old, now string) string { return strings.Replace(toNew, old, now, 1) }
	for reason, row := range map[string]struct {
		text    string
		refused bool
	}{
		"its own":                             {toNew, true},
		"of another uid":                      {copied("uid-web-1", "uid-web-2"), false},
		"of other containers":                 {copied(`"main"`, `"db"`), false},
		"older than the pod":                  {`{"at":1,"containers":{},"resize":{"main":{}},"revision":"web-new"}`, false},
		"the images of the label, and no uid": {copied(`,"uid":"uid-web-1"`, ""), false},
	} {
		s := truths["update_pod with images"]()
		s.snapshot = inPlaceImages(row.text)
		s.snapshot.Pods[1].CreatedUnixMs = 1772366400000
		if err := s.verdict(list); (err != nil) != row.refused {
			t.Errorf("%s: %v", reason, err)
		}
	}
}
