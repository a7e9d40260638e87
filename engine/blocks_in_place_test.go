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
		b, remedy := blockOnItsWay(&Pod{Name: "web-0"}, "web-b", &l, true), ""
		if l.again.IsZero() {
			remedy = "If that lasts, check the pod's events and logs: `kubectl describe pod web-0`"
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
		"The pod is at revision web-a, and web-b differs in images: web starts anew in place.":                     causeStart("web-a", false, one, "web-b"),
		"The pod is at revision web-a, and web-b differs in images: log and 1 more container start anew in place.": causeStart("web-a", false, two, "web-b"),
		"The pod is on its way to revision web-a, and web-b differs in images: web starts anew in place.":          causeStart("web-a", true, one, "web-b"),
		"The pod is on its way to revision web-a, and web-b has the same images: it goes there in place.":          causeStart("web-a", true, &difference{}, "web-b"),
	} {
		check(t, want, "message", got.Message, want)
	}
}

// TestWhatAPodWaitsForWithResources is the same where no image changes, and some is the same where both do.
func TestWhatAPodWaitsForWithResources(t *testing.T) {
	for want, l := range map[string]look{
		"it has its resources, and is not ready":              {proven: true},
		"its kubelet does not know of its resources yet":      {},
		"container web does not have its resources yet":       {lacking: "web", resizing: true},
		"its kubelet is still about to give it its resources": {resizing: true},
		"container web does not run yet":                      {first: "web", state: runsNot, lacking: "web"},
	} {
		check(t, want, "message", blockOnItsWay(&Pod{Name: "web-0"}, "web-b", &l, false).Message, "The pod is on its way to revision web-b: "+want+".")
	}
}

// TestCausesOfResources: each write says what the pod gets, and how.
func TestCausesOfResources(t *testing.T) {
	var more amounts
	more.put("web", 0, "2")
	runs, starts, both := &difference{resources: more}, &difference{resources: more, startsForResources: true}, &difference{resources: more, images: map[string]string{"web": "web:2"}}
	p := &Pod{Revision: "web-a"}
	for want, got := range map[string]Cause{
		"The pod is at revision web-a, and web-b differs in resources: it is marked, so that it is seen what runs in it.":            causeMark(p, runs, "web-b"),
		"The pod is at revision web-a, and web-b differs in images and resources: it is marked, so that it is seen what runs in it.": causeMark(p, both, "web-b"),
		"The pod is at revision web-a, and web-b differs in resources: it gets them while it runs.":                                  causeStart("web-a", false, runs, "web-b"),
		"The pod is at revision web-a, and web-b differs in resources: containers start anew in place to get them.":                  causeStart("web-a", false, starts, "web-b"),
		"The pod is at revision web-a, and web-b differs in images and resources: web starts anew in place.":                         causeStart("web-a", false, both, "web-b"),
		"The pod is on its way to revision web-b: it gets its resources while it runs.":                                              causeResize("web-b", false),
		"The pod is on its way to revision web-b: it gets its resources, and containers start anew.":                                 causeResize("web-b", true),
		"The pod has the resources of revision web-b.":                                                                               causeArrived("web-b", false, true),
		"The pod runs the images and has the resources of revision web-b.":                                                           causeArrived("web-b", true, true),
		"The pod runs the images of revision web-b.":                                                                                 causeArrived("web-b", true, false),
	} {
		check(t, want, "message", got.Message, want)
	}
}
