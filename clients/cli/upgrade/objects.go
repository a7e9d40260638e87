package upgrade

import (
	"slices"
	"strings"

	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

// fate is what happens to one object in a forecast.
type fate struct {
	events  []string // in words, in order
	deleted int      // how often it is deleted
	lost    int      // how often for good
	stopped int      // how often its containers start again where it stays
	why     string   // the cause of the last of these
}

func (f *fate) String() string {
	if f == nil {
		return "stays as it is"
	}
	return strings.Join(f.events, ", then ")
}

// worse reports whether more is taken away than in another fate.
func (f *fate) worse(than *fate) bool {
	if than == nil {
		than = &fate{}
	}
	return f.deleted > than.deleted || f.lost > than.lost || f.deleted+f.stopped > than.deleted+than.stopped
}

// fates are those of a forecast's objects, by kind and name, in the order of their first events.
type fates struct {
	order []string
	of    map[string]*fate
}

func (f *fates) add(object, event string) *fate {
	found := f.of[object]
	if found == nil {
		found = &fate{}
		f.of[object] = found
		f.order = append(f.order, object)
	}
	found.events = append(found.events, event)
	return found
}

func (f *fates) deleted(object, event string, why *setplanv1.Cause) *fate {
	found := f.add(object, event)
	found.deleted++
	found.why = why.GetMessage()
	return found
}

func (f *fates) lost(object, event string, why *setplanv1.Cause) {
	f.deleted(object, event, why).lost++
}

func fatesIn(r *setplanv1.ForecastResult) *fates {
	f := &fates{of: map[string]*fate{}}
	for _, restart := range r.GetRestarts() {
		if restart.GetToRevision() == "" {
			f.lost("pod "+restart.GetPod(), "is deleted and not recreated", restart.GetCause())
			continue
		}
		f.deleted("pod "+restart.GetPod(), "restarts at "+restart.GetToRevision(), restart.GetCause())
	}
	for _, pod := range r.GetContainerRestarts() {
		found := f.add("pod "+pod.GetName(), "restarts its containers at "+pod.GetRevision())
		found.stopped++
		found.why = pod.GetCause().GetMessage()
	}
	for _, pod := range r.GetRemoved() {
		f.lost("pod "+pod.GetName(), "is removed", pod.GetCause())
	}
	for _, pod := range r.GetAdded() {
		f.add("pod "+pod.GetName(), "is added at "+pod.GetRevision())
	}
	for _, pod := range r.GetDrainPods() {
		f.add("drain pod "+pod.GetName(), "is created")
	}
	for _, claim := range r.GetClaimsMade() {
		f.add("claim "+claim.GetName(), "is created")
	}
	for _, claim := range r.GetClaimsChanged() {
		f.add("claim "+claim.GetName(), "is changed")
	}
	for _, claim := range r.GetClaimsDeleted() {
		f.lost("claim "+claim.GetName(), "is deleted", claim.GetCause())
	}
	for _, loss := range r.GetIrreversible() {
		if kind := loss.GetSubject().GetKind(); kind != "PersistentVolumeClaim" { // claims are above
			f.add(kind+" "+loss.GetSubject().GetName(), "is deleted for good")
		}
	}
	return f
}

// objects compares what happens to each object.
func (d *Difference) objects(old, now *setplanv1.ForecastResult) {
	before, after := fatesIn(old), fatesIn(now)
	for _, object := range after.order {
		was, is := before.of[object], after.of[object]
		d.tell(object, was.String(), is.String())
		if !is.worse(was) {
			continue
		}
		d.Disrupts = true
		if is.why != "" {
			d.Words[len(d.Words)-1] += ". " + is.why
		}
	}
	for _, object := range before.order {
		if after.of[object] == nil {
			d.tell(object, before.of[object].String(), after.of[object].String())
		}
	}
}

// mostNamed is how many names a difference lists.
const mostNamed = 20

// order compares the order of restarts, where the same pods restart.
func (d *Difference) order(old, now *setplanv1.ForecastResult) {
	before, after := restarted(old), restarted(now)
	if !slices.Equal(slices.Sorted(slices.Values(before)), slices.Sorted(slices.Values(after))) {
		return // what restarts is told already
	}
	if !slices.Equal(before, after) {
		d.Words = append(d.Words, "order of restarts: "+listed(after)+"; with the old planner: "+listed(before))
	}
}

func restarted(r *setplanv1.ForecastResult) (pods []string) {
	for _, restart := range r.GetRestarts() {
		pods = append(pods, restart.GetPod())
	}
	return pods
}

// listed names the first of a list.
func listed(names []string) string {
	if len(names) > mostNamed {
		return strings.Join(names[:mostNamed], ", ") + ", ..."
	}
	return strings.Join(names, ", ")
}
