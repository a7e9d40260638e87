package inplace

import (
	"testing"

	"github.com/setplan/setplan/engine/model"
)

// TestWhatAPodWaitsFor: the block of a pod that is on its way says why it is not there. Where time tells it says until when, and otherwise where to
// look.
func TestWhatAPodWaitsFor(t *testing.T) {
	for want, l := range map[string]look{
		"it runs the new images but is not ready yet":                                      {Proven: true},
		"its kubelet has not seen the new images yet":                                      {},
		"container web is not running: ImagePullBackOff":                                   {First: "web", state: runsNot, reason: "ImagePullBackOff"},
		"container web is not running yet":                                                 {First: "web", state: runsNot},
		"container web has not restarted yet":                                              {First: "web", state: runsOld, reason: "what it once waited for"},
		"its kubelet may still start another image in container web":                       {First: "web", state: runsLater, Again: noon},
		"container web has restarted, but nothing shows yet whether it runs the new image": {First: "web", state: runsAlike, Again: noon},
	} {
		b, remedy := BlockOnItsWay(&model.Pod{Name: "web-0"}, "web-b", &l, true), ""
		if l.Again.IsZero() {
			remedy = "If this lasts, check the pod's events and logs: `kubectl describe pod web-0`"
		}
		check(t, want, "message", b.Message, "The pod is being updated in place to revision web-b: "+want+".")
		check(t, want, "remedy", b.Remedy, remedy)
		if !b.NotBefore.Equal(l.Again) {
			t.Errorf("%s: not before %v", want, b.NotBefore)
		}
	}
}

// TestWhatAPodWaitsForWithResources is the same where no image changes, and some is the same where both do.
func TestWhatAPodWaitsForWithResources(t *testing.T) {
	for want, l := range map[string]look{
		"it has the new resources but is not ready":         {Proven: true},
		"its kubelet has not seen the new resources yet":    {},
		"container web does not have the new resources yet": {lacking: "web", resizing: true},
		"its kubelet is still applying the new resources":   {resizing: true},
		"container web is not running yet":                  {First: "web", state: runsNot, lacking: "web"},
	} {
		check(t, want, "message", BlockOnItsWay(&model.Pod{Name: "web-0"}, "web-b", &l, false).Message, "The pod is being updated in place to revision web-b: "+want+".")
	}
}
