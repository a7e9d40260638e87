package engine

import (
	"testing"

	"github.com/setplan/setplan/engine/model"
	"github.com/setplan/setplan/engine/podtemplate"
)

// TestCausesOfImages: the write says where the pod is, or is on its way to, and how many containers start again.
func TestCausesOfImages(t *testing.T) {
	one, two := &podtemplate.Difference{Images: map[string]string{"web": "web:2"}}, &podtemplate.Difference{Images: map[string]string{"web": "web:2", "log": "log:2"}}
	for want, got := range map[string]model.Cause{
		"The pod is at revision web-a, and web-b differs in images: container web restarts in place.":                         causeStart("web-a", false, one, "web-b"),
		"The pod is at revision web-a, and web-b differs in images: container log and 1 more container restart in place.":     causeStart("web-a", false, two, "web-b"),
		"The pod is being updated in place to revision web-a, and web-b differs in images: container web restarts in place.":  causeStart("web-a", true, one, "web-b"),
		"The pod is being updated in place to revision web-a, and web-b has the same images, so the pod is updated in place.": causeStart("web-a", true, &podtemplate.Difference{}, "web-b"),
	} {
		check(t, want, "message", got.Message, want)
	}
}

// TestCausesOfResources: each write says what the pod gets, and how.
func TestCausesOfResources(t *testing.T) {
	var more podtemplate.Amounts
	more.Put("web", 0, "2")
	runs, starts, both := &podtemplate.Difference{Resources: more}, &podtemplate.Difference{Resources: more, StartsForResources: true}, &podtemplate.Difference{Resources: more, Images: map[string]string{"web": "web:2"}}
	p := &model.Pod{Revision: "web-a"}
	for want, got := range map[string]model.Cause{
		"The pod is at revision web-a, and web-b differs in resources: it is annotated first, so that the adapter reports its containers.":            causeMark(p, runs, "web-b"),
		"The pod is at revision web-a, and web-b differs in images and resources: it is annotated first, so that the adapter reports its containers.": causeMark(p, both, "web-b"),
		"The pod is at revision web-a, and web-b differs in resources: the pod gets them in place, without a restart.":                                causeStart("web-a", false, runs, "web-b"),
		"The pod is at revision web-a, and web-b differs in resources: the pod gets them in place, and containers restart.":                           causeStart("web-a", false, starts, "web-b"),
		"The pod is at revision web-a, and web-b differs in images and resources: container web restarts in place.":                                   causeStart("web-a", false, both, "web-b"),
		"The pod is being updated in place to revision web-b: it gets the new resources without a restart.":                                           causeResize("web-b", false),
		"The pod is being updated in place to revision web-b: it gets the new resources, and containers restart.":                                     causeResize("web-b", true),
		"The pod has the resources of revision web-b, so it gets the label of that revision.":                                                         causeArrived("web-b", false, true),
		"The pod runs the images and has the resources of revision web-b, so it gets the label of that revision.":                                     causeArrived("web-b", true, true),
		"The pod runs the images of revision web-b, so it gets the label of that revision.":                                                           causeArrived("web-b", true, false),
	} {
		check(t, want, "message", got.Message, want)
	}
}
