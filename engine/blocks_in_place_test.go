package engine

import "testing"

// TestWhatAPodWaitsFor: the block of a pod that is on its way says why it is not there. Where time tells it says until when, and otherwise where to
// look.
func TestWhatAPodWaitsFor(t *testing.T) {
	for want, l := range map[string]look{
		"it runs the images, and is not ready yet":                                         {proven: true},
		"its kubelet does not know of the images yet":                                      {},
		"container web does not run: ImagePullBackOff":                                     {first: "web", state: runsNot, reason: "ImagePullBackOff"},
		"container web does not run yet":                                                   {first: "web", state: runsNot},
		"container web has not started anew yet":                                           {first: "web", state: runsOld, reason: "what it once waited for"},
		"its kubelet may still start other images in container web":                        {first: "web", state: runsLater, again: noon},
		"container web has started anew, and nothing tells yet whether with the new image": {first: "web", state: runsAlike, again: noon},
	} {
		b, remedy := blockOnItsWay(&Pod{Name: "web-0"}, "web-b", &l), ""
		if l.again.IsZero() {
			remedy = "If that lasts, check the pod's events and logs: kubectl describe pod web-0."
		}
		check(t, want, "message", b.Message, "The pod is on its way to revision web-b: "+want+".")
		check(t, want, "remedy", b.Remedy, remedy)
		if !b.NotBefore.Equal(l.again) {
			t.Errorf("%s: not before %v", want, b.NotBefore)
		}
	}
}

// TestCausesOfImages: the write says where the pod is, or is on its way to, and how many containers start anew.
func TestCausesOfImages(t *testing.T) {
	one, two := &difference{images: map[string]string{"web": "web:2"}}, &difference{images: map[string]string{"web": "web:2", "log": "log:2"}}
	for want, got := range map[string]Cause{
		"The pod is at revision web-a, and web-b differs in images: web starts anew in place.":                     causeImages("web-a", false, one, "web-b"),
		"The pod is at revision web-a, and web-b differs in images: log and 1 more container start anew in place.": causeImages("web-a", false, two, "web-b"),
		"The pod is on its way to revision web-a, and web-b differs in images: web starts anew in place.":          causeImages("web-a", true, one, "web-b"),
		"The pod is on its way to revision web-a, and web-b has the same images: it goes there in place.":          causeImages("web-a", true, &difference{}, "web-b"),
	} {
		check(t, want, "message", got.Message, want)
	}
}
