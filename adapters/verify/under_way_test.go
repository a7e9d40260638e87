package verify

import (
	"bytes"
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
