package verify

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

// strangers are revisions that a snapshot has for their names, or because nobody owns them: of a set whose name begins with this one's, one that
// nobody owns and whose labels are another set's, and one of a neighbour that has this set's labels.
var strangers = map[string]func(*setplanv1.Revision){
	"a neighbour's":          func(r *setplanv1.Revision) { r.OwnerSetIndex, r.Labels = theirs, map[string]string{"app": "web-x"} },
	"nobody's":               func(r *setplanv1.Revision) { r.OwnerSetIndex, r.Labels = 0, map[string]string{"app": "web-x"} },
	"a neighbour's, labels":  func(r *setplanv1.Revision) { r.OwnerSetIndex = theirs },
	"ours, labels of others": func(r *setplanv1.Revision) { r.Labels = nil },
}

// estranged gives a revision of the snapshot to somebody else, whose template differs from each of the set's.
func estranged(s *scene, at int, change func(*setplanv1.Revision)) {
	if s.snapshot == nil {
		s.snapshot = fixture()
	}
	r := s.snapshot.Revisions[at]
	change(r)
	r.Data = bytes.Replace(r.Data, []byte("main:"), []byte("theirs:"), 1)
}

// TestTemplatesOfOthers: no template is taken from a revision that is not the set's, whatever takes it.
func TestTemplatesOfOthers(t *testing.T) {
	for of, at := range map[string][]int{
		"create_pod": {1}, "create_pod at the current revision": {0}, "create_pod without a removed claim": {1}, "update_pod": {0, 1},
	} {
		for _, at := range at {
			for whose, change := range strangers {
				s := truths[of]()
				estranged(s, at, change)
				if update := s.action.GetUpdatePod(); update != nil {
					for _, c := range update.Containers {
						c.Image = strings.Replace(c.Image, "main:2", "theirs:2", 1)
					}
				}
				if m := s.action.GetCreatePod(); m != nil {
					m.Manifest = bytes.Replace(m.Manifest, []byte("main:"), []byte("theirs:"), 1)
				}
				var refusal *Refusal
				if err := s.verdict(list); !errors.As(err, &refusal) {
					t.Errorf("%s, with revision %d %s: %v", of, at, whose, err)
				}
			}
		}
	}
}

// TestTwin: a revision of somebody else that stores the set's own template, under the name that the set's would have, is as good as the set's.
func TestTwin(t *testing.T) {
	for _, of := range []string{"create_pod", "create_pod without a removed claim", "update_pod"} {
		s := truths[of]()
		if s.snapshot == nil {
			s.snapshot = fixture()
		}
		s.snapshot.Revisions[1].OwnerSetIndex = theirs
		if err := s.verdict(list); err != nil {
			t.Errorf("%s: %v", of, err)
		}
	}
}
